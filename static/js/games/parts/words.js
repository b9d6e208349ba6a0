// Sentences of the browser. The catalogue script of the page brings gettext, ngettext and interpolate;
// an English page has none, and the sentences of the source are shown.

export const gettext = globalThis.gettext ?? ((text) => text);
export const ngettext = globalThis.ngettext ?? ((one, many, number) => (number === 1 ? one : many));

// Puts named values into %(name)s.
export const fill = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));

export const fishWords = (number) => fill(ngettext("%(number)s fish", "%(number)s fish", number), { number });
