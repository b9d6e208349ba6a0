// What somebody asked for and htmx was refused stands on the page until something else is tried. What a page asks for by
// itself is asked again, so its refusal is not told.

const byHand = ({ requestConfig }) => ["submit", "click"].includes(requestConfig.triggeringEvent?.type);

export const refusals = (root) => {
  root.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.isError && !byHand(detail)) detail.shouldSwap = false;
  });
  root.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (byHand(detail)) root.getElementById("refused")?.replaceChildren();
  });
};
