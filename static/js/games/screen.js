// The board for all to look at: one sentence, both teams, what is public. Nobody decides here.
import { html, nothing, render } from "../../vendor/lit.js";
import { stayAwake } from "../components/awake.js";
import { ringing } from "../components/ringing.js";
import { membersOf, playedBy } from "../live/picture.js";
import { ending } from "./parts/ending.js";
import { sym, href } from "./parts/symbol.js";
import { ends, shown } from "./parts/told.js";
import { asks, once, watching } from "./parts/watching.js";
import { gettext } from "./parts/words.js";

const LAST_MS = 8_000; // how long the board stays when the match is over
const NAMES = 5; // of a team

export const show = (makeGame) => {
  const config = JSON.parse(document.getElementById("match").textContent);
  const root = document.getElementById("screen");
  const game = makeGame(config);
  const ui = { named: null };
  let state = null;
  let last = null;

  const sentence = ({ picture }) =>
    picture.outcome || picture.status === "ended" ? ending(picture, config.seats).title : (asks(picture) ?? gettext("The match begins soon."));

  const side = ({ picture }, seat, index) => {
    const figures = picture.standing[index] ?? [];
    const [first, ...rest] = figures;
    const ahead = game.ahead?.(picture, index);
    return html`<aside aria-label=${seat.name} class="sheet ${seat.css} ${game.turn(picture.observation) === index ? "turn" : ""}">
      <h2 class="sheet__name"><svg class="flag ${seat.css}" aria-hidden="true"><use href=${href(seat.symbol)}></use></svg><bdi>${seat.name}</bdi></h2>
      ${first ? html`<p class="sheet__first">${sym(first.symbol, "fishy")}<span class="vh">${first.label}: </span><span>${first.value}</span></p>` : nothing}
      <dl>${rest.map(({ symbol, label, value, out_of }) => html`<div><dt>${sym(symbol)}${label}</dt><dd>${value}${out_of ? html`<small>/${out_of}</small>` : nothing}</dd></div>`)}</dl>
      ${game.tag(picture.observation, index) ? html`<p class="sheet__tag">${game.tag(picture.observation, index)}</p>` : nothing}
      ${playedBy(picture)[index] === "bot" ? html`<p class="sheet__tag">${sym("i-bot")}${gettext("Computer")}</p>` : nothing}
      ${ahead ?? html`<ul class="sheet__members">${membersOf(picture, index).slice(0, NAMES).map((member) => html`<li>${member.name}</li>`)}</ul>`}
    </aside>`;
  };

  const draw = once(() => {
    const { picture } = state;
    if (!picture.observation) return;
    if (picture.status === "ended") last ??= setTimeout(() => location.reload(), LAST_MS); // for the last picture
    const change = (values) => draw(Object.assign(ui, values));
    render(html`
      <header class="screen__say"><h1 class="say">${sentence(state)}</h1>${game.aside?.(picture.observation) ?? nothing}
        ${ends(state.lesson) ? html`<span class="tag">${sym("i-clock")}${ends(state.lesson)}</span>` : nothing}
        ${picture.status === "paused" ? html`<span class="tag">${sym("i-pause")}${gettext("Paused")}</span>` : nothing}
        ${state.connection === "lost" ? html`<span class="tag warn">${sym("i-alert")}${gettext("The connection is lost.")}</span>` : nothing}</header>
      ${config.seats.slice(0, 1).map((seat) => side(state, seat, 0))}
      <div class="screen__board">${game.board({ picture, ui, change })}${state.moment ? html`<div class="moment">${state.moment}</div>` : nothing}</div>
      ${config.seats.slice(1).map((seat, i) => side(state, seat, i + 1))}
      <div class="screen__told" role="status">${shown(state.lesson?.notice)}</div>`, root);
  });

  stayAwake();
  root.replaceChildren();
  watching(config, game, (told) => draw((state = told)), () => root, ringing());
};
