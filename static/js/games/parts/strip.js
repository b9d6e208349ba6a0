// Both teams and the river, always in view: who has what, whose turn it is.
import { html, nothing } from "../../../vendor/lit.js";
import { sym, href } from "./symbol.js";

export const figure = ({ symbol, value, out_of, label }) =>
  html`<span class="count" title=${label} data-figure=${symbol}>${sym(symbol)}<span class="vh">${label}: </span><span>${value}${out_of ? html`/${out_of}` : nothing}</span></span>`;

// teams: [{css, symbol, name, turn, tag, aside, figures}] in seat order; the first figure is the large one.
export const strip = ({ teams, middle }) => html`
  <div class="strip">
    ${teams.slice(0, 1).map((team) => side(team, ""))}
    <div class="riverbox">${middle ? html`<b class="num">${middle.number}</b><span>${middle.words}</span>` : nothing}</div>
    ${teams.slice(1).map((team) => side(team, "last"))}
  </div>`;

const side = ({ css, symbol, name, turn, tag, aside, figures }, last) => {
  const [first, ...rest] = figures;
  return html`<div class="side ${css} ${last} ${turn ? "turn" : ""}">
    <span class="name"><svg class="flag ${css}" aria-hidden="true"><use href=${href(symbol)}></use></svg><span class="side__name">${name}</span></span>
    ${first ? html`<span class="count fish">${sym(first.symbol, "fishy")}<span class="vh">${first.label}: </span><span>${first.value}</span></span>` : nothing}
    <span class="rest">${rest.map(figure)}</span>
    ${tag || aside ? html`<span class="side__end">${tag ? html`<span class="tag side__tag ${turn ? "river" : ""}">${tag}</span>` : nothing}${aside ?? nothing}</span>` : nothing}
  </div>`;
};
