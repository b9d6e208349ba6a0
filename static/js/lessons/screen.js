// The projector with several matches: one tile each, public facts only, as large as they fit.
import { html, render } from "../../vendor/lit.js";
import { figure } from "../games/parts/strip.js";
import { sym } from "../games/parts/symbol.js";
import { gettext } from "../games/parts/words.js";
import { colour, followRows } from "./rows.js";

const screen = document.querySelector("[data-screen]");
const { token } = screen.dataset;
const board = (match) => `/matches/${match}/board/${token ? `?screen=${encodeURIComponent(token)}` : ""}`;

const tile = (row) => html`<a class="panel pad match-screen__match" href=${board(row.match)}>
  <b class="match-screen__number">${gettext("Match")} ${row.number}</b>
  ${row.teams.map(({ seat, name }) => {
    const css = colour(seat);
    return html`<span class="match-screen__team ${css}">${sym(`flag_${css}`, `flag ${css}`)}<b>${name}</b>${(row.standing[seat] ?? []).map(figure)}</span>`;
  })}
  <span class="say m">${row.status === "ended" ? gettext("Over") : row.status === "paused" ? gettext("Paused") : (row.waiting[0]?.text ?? "")}</span>
</a>`;

let cleared = false;

followRows(
  screen.dataset.screen,
  (rows) => {
    if (!cleared) screen.replaceChildren();
    cleared = true;
    render(rows.map(tile), screen);
  },
  (line) => screen.toggleAttribute("data-lost", line === "lost"),
  { token },
);
