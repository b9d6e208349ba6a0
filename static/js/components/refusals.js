// What htmx was refused stands on the page until something else is tried. What a page asks by itself takes nothing away.

export const refusals = (root) => {
  root.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (detail.requestConfig.verb !== "get") root.getElementById("refused")?.replaceChildren();
  });
};
