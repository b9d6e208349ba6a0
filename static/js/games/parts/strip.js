// Both teams and the river, always in view: who has what, whose turn it is.
import { html, nothing } from "../../../vendor/lit.js";
import { sym, href } from "./symbol.js";
import { gettext } from "./words.js";

export const figure = ({ symbol, value, out_of, label }) =>
  html`<span class="count" title=${label} data-figure=${symbol}>${sym(symbol)}<span class="vh">${label}: </span><span>${value}${out_of ? html`<span class="count__of">/${out_of}</span>` : nothing}</span></span>`;

// teams: [{css, symbol, name, bot, turn, own, tag, aside, figures}] in seat order; the first figure is the large one.
// bot: the computer plays it. own: it is the reader's. tag: what holds the team back.
export const strip = ({ teams, middle }) => html`
  <div class="strip">
    ${teams.slice(0, 1).map((team) => side(team, ""))}
    <div class="riverbox">${middle ? html`<b class="num">${middle.number}</b><span>${middle.words}</span>` : nothing}</div>
    ${teams.slice(1).map((team) => side(team, "last"))}
  </div>`;

const side = ({ css, symbol, name, bot, turn, own, tag, aside, figures }, last) => {
  const [first, ...rest] = figures;
  const yours = turn ? gettext("Your turn") : gettext("Your team");
  return html`<div class="side ${css} ${last} ${turn ? "turn" : ""} ${own ? "own" : ""}">
    <span class="name"><svg class="flag ${css}" aria-hidden="true"><use href=${href(symbol)}></use></svg><span class="side__name" dir="auto">${name}</span>${bot ? html`<span class="tag side__bot" title=${gettext("Computer")}>${sym("i-bot")}<span class="side__word">${gettext("Computer")}</span></span>` : nothing}</span>
    ${first ? html`<span class="count fish">${sym(first.symbol, "fishy")}<span class="vh">${first.label}: </span><span>${first.value}</span></span>` : nothing}
    <span class="rest">${rest.map(figure)}</span>
    ${tag || own || aside ? html`<span class="side__end">${own ? html`<span class="tag river side__tag side__tag--yours">${yours}</span>` : nothing}${tag ? html`<span class="tag side__tag">${tag}</span>` : nothing}${aside ?? nothing}</span>` : nothing}
  </div>`;
};
