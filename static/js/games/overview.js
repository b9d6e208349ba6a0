// The projector with several matches: one tile each, public facts only. A moment comes forward in its tile.
import { html, nothing, render } from "../../vendor/lit.js";
import { stayAwake } from "../components/awake.js";
import { ringing } from "../components/ringing.js";
import { followRows } from "../lessons/rows.js";
import { playedBy } from "../live/picture.js";
import { ending } from "./parts/ending.js";
import { figure } from "./parts/strip.js";
import { sym, href } from "./parts/symbol.js";
import { ends, shown } from "./parts/told.js";
import { asks, once, watching } from "./parts/watching.js";
import { gettext } from "./parts/words.js";

// A board as high or as wide as its tile.
const shapeOf = ({ clientWidth, clientHeight }) => (clientHeight > 1.3 * clientWidth ? "tall" : "wide");

export const overview = (makeGame) => {
  const config = JSON.parse(document.getElementById("matches").textContent);

  const team = (picture, game, seat, index) => {
    const tag = game.tag(picture.observation, index);
    return html`<p class="tile__team ${seat.css} ${game.turn(picture.observation) === index && picture.status !== "ended" ? "turn" : ""}">
      <svg class="flag ${seat.css}" aria-hidden="true"><use href=${href(seat.symbol)}></use></svg><b class="tile__name">${seat.name}</b>
      ${playedBy(picture)[index] === "bot" ? html`<span class="tile__tag tile__bot">${sym("i-bot")}<span class="vh">${gettext("Computer")}</span></span>` : nothing}
      ${tag ? html`<span class="tile__tag">${tag}</span>` : nothing}
      <span class="tile__figures">${(picture.standing[index] ?? []).map(figure)}</span></p>`;
  };

  const tile = (match, game, shape, { picture, connection, lesson, moment, glimpse }) => {
    const over = picture.status === "ended" || Boolean(picture.outcome);
    const { winners, title } = ending(picture, match.seats);
    return html`
      <h2 class="tile__say"><span class="tile__number"><span class="vh">${gettext("Match")} </span>${match.number}</span>
        ${over ? winners.map((seat) => html`<svg class="flag ${match.seats[seat].css}" aria-hidden="true"><use href=${href(match.seats[seat].symbol)}></use></svg>`) : nothing}
        <span class="say">${over ? title : (asks(picture) ?? gettext("The match begins soon."))}</span>
        ${lesson?.last_round && !over ? html`<span class="tag">${sym("i-clock")}<span class="vh">${gettext("This is the last round.")}</span></span>` : nothing}
        ${picture.status === "paused" ? html`<span class="tag">${sym("i-pause")}${gettext("Paused")}</span>` : nothing}
        ${picture.status === "frozen" || connection === "lost" ? html`<span class="tag warn">${sym("i-alert")}<span class="vh">${gettext("The connection is lost.")}</span></span>` : nothing}</h2>
      <div class="tile__board">${game.board({ picture, shape, ui: { named: null }, change: () => {} })}
        ${moment ? html`<div class="moment tile__moment">${moment}</div>` : nothing}
        ${glimpse ? html`<div class="tile__glimpse">${sym(glimpse.symbol)}<b>${glimpse.title}</b>${glimpse.words ? html`<span>${glimpse.words}</span>` : nothing}</div>` : nothing}</div>
      <div class="tile__teams">${match.seats.map((seat, index) => team(picture, game, seat, index))}</div>
      <div class="tile__told" role="status">${lesson?.notice?.match ? shown(lesson.notice) : nothing}</div>`;
  };

  // Below all tiles: what is told to everybody, and when the lesson ends.
  const foot = document.querySelector("[data-told]");
  const rounds = new Map(); // by match: whether its round is the last
  let told = null;
  const drawFoot = once(() => {
    const end = ends({ ends_at: told?.ends_at, last_round: rounds.size > 0 && [...rounds.values()].every(Boolean) });
    render(html`${end ? html`<p class="overview__end">${sym("i-clock")}${end}</p>` : nothing}${shown(told?.notice)}`, foot);
  });

  const ring = ringing();
  const heard = (kind) => kind !== "asked" && ring(kind); // the turns of many matches would ring without end

  for (const match of config.matches) {
    const root = document.querySelector(`[data-match="${match.match}"] .tile__in`);
    const game = makeGame({ ...match, content: config.contents[match.content] });
    let state = null;
    const draw = once(() => state.picture.observation && render(tile(match, game, shapeOf(root.parentElement), state), root));
    root.replaceChildren();
    watching(match, game, (now) => {
      draw((state = now));
      if (now.picture.status !== "ended") rounds.set(match.match, Boolean(now.lesson?.last_round));
      else rounds.delete(match.match);
      drawFoot();
    }, () => root, heard);
    addEventListener("resize", draw);
  }

  // A match that starts later has its tile in a new picture.
  const known = new Set(config.matches.map(({ match }) => match));
  followRows(config.lesson, (rows) => rows.some((row) => !known.has(row.match) && row.status !== "lobby") && location.reload(), () => {}, {
    token: config.token,
    onLesson: (message) => drawFoot((told = message)),
  });
  stayAwake();
};

