// A card that was turned up: what it says, what it costs, why it matters.
import { html, nothing } from "../../../vendor/lit.js";
import { sym } from "../parts/symbol.js";
import { speaker } from "../parts/speaker.js";
import { gettext, ngettext, fill, fishWords } from "../parts/words.js";

const TITLE = {
  corruption: () => gettext("Corruption"),
  national: () => gettext("National disaster"),
  local: () => gettext("Local disaster"),
  donation: () => gettext("Donation"),
};
const SYMBOL = { corruption: "corruption", national: "national_disaster", local: "local_disaster", donation: "donation" };

// How a deck is called and drawn.
export const cardLook = (deck) => ({ symbol: SYMBOL[deck], title: TITLE[deck]() });

// open: {deck, id} or null; by: name of the team that drew it
export const card = ({ content, open, by }) => {
  if (!open) return nothing;
  const found = content[open.deck].find((one) => one.id === open.id);
  if (!found) return nothing;
  return html`<article class="gcard ${open.deck}" data-card=${open.id} aria-label=${TITLE[open.deck]()} lang=${content.language ?? nothing}>
    <header>${sym(SYMBOL[open.deck])}<span>${TITLE[open.deck]()}${by ? html` <span class="gcard__by">${by}</span>` : nothing}</span>${speaker([found.text, found.why])}</header>
    <p class="gcard__body" dir="auto">${found.text}</p>
    ${found.why ? html`<p class="gcard__why" dir="auto"><b>${gettext("Why it matters:")}</b> ${found.why}</p>` : nothing}
    <footer>${price(open.deck, found)}<span class="end">${gettext("Cards are drawn by chance.")}</span></footer>
  </article>`;
};

const price = (deck, found) => {
  if (deck !== "corruption") return nothing;
  return html`
    <span class="count">${sym("token")}<span>+1<span class="vh"> ${gettext("token")}</span></span></span>
    ${found.fish ? html`<span class="count">${sym("fish", "fishy")}<span aria-hidden="true">−${found.fish}</span><span class="vh">${fill(gettext("costs %(fish)s"), { fish: fishWords(found.fish) })}</span></span>` : nothing}
    ${found.miss_turns ? html`<span class="count">${sym("rest")}<span>${fill(ngettext("miss %(number)s turn", "miss %(number)s turns", found.miss_turns), { number: found.miss_turns })}</span></span>` : nothing}`;
};
