// Symbols of static/symbols.svg. The word stands beside them, so they are hidden from screen readers.
import { html, svg } from "../../../vendor/lit.js";

const file = document.querySelector("[data-symbols]")?.dataset.symbols ?? "";

export const href = (name) => `${file}#${name}`;

export const sym = (name, css = "") =>
  html`<svg class="${name.startsWith("i-") ? "ui" : "sym"} ${css}" aria-hidden="true" focusable="false"><use href=${href(name)}></use></svg>`;

// Inside a drawing: a symbol of the given size whose middle is at x, y.
export const placed = (name, x, y, size, css = "") =>
  svg`<svg class=${css} x=${(x - size / 2).toFixed(1)} y=${(y - size / 2).toFixed(1)} width=${size.toFixed(1)} height=${size.toFixed(1)}><use href=${href(name)}></use></svg>`;
