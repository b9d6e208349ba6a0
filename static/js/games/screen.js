// The board for all to look at: one sentence, both teams, what is public. Nobody decides here.
import { html, nothing, render } from "../../vendor/lit.js";
import { stayAwake } from "../components/awake.js";
import { Client } from "../live/client.js";
import { after, blank, membersOf, playedBy } from "../live/picture.js";
import { ending } from "./parts/ending.js";
import { sym, href } from "./parts/symbol.js";
import { gettext } from "./parts/words.js";

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const MOMENT_MS = 9_000; // how long a card stays in front of the board
const LAST_MS = 8_000; // how long the board stays when the match is over

export const show = (makeGame) => {
  const config = read("match");
  const root = document.getElementById("screen");
  const game = makeGame(config);
  let picture = blank;
  const ui = { named: null, connection: "connecting", moment: null };
  let due = false;

  const draw = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      drawNow();
    });
  };
  const change = (values) => {
    Object.assign(ui, values);
    draw();
  };

  const receive = (message) => {
    const old = picture;
    picture = after(picture, message);
    if (message.type === "observation" && picture.observation) game.hear?.(picture);
    if (message.type === "observation" && old.observation && message.version > old.version) {
      const moment = game.moment?.(picture);
      if (moment) {
        clearTimeout(ui.timer);
        change({ moment, timer: setTimeout(() => change({ moment: null }), MOMENT_MS) });
      }
      requestAnimationFrame(() => requestAnimationFrame(() => game.happened?.(picture)));
    }
    if (picture.status === "ended") ui.last ??= setTimeout(() => location.reload(), LAST_MS); // for the last picture
    draw();
  };

  const sentence = () =>
    (picture.outcome || picture.status === "ended" ? ending(picture, config.seats).title : "") ||
    picture.waiting[0]?.text ||
    gettext("The match begins soon.");

  const side = (seat, index) => {
    const figures = picture.standing[index] ?? [];
    const [first, ...rest] = figures;
    const members = membersOf(picture, index);
    return html`<aside aria-label=${seat.name} class="sheet ${seat.css} ${game.turn(picture.observation) === index ? "turn" : ""}">
      <h2 class="sheet__name"><svg class="flag ${seat.css}" aria-hidden="true"><use href=${href(seat.symbol)}></use></svg>${seat.name}</h2>
      ${first ? html`<p class="sheet__first">${sym(first.symbol, "fishy")}<span class="vh">${first.label}: </span><span>${first.value}</span></p>` : nothing}
      <dl>${rest.map(({ symbol, label, value, out_of }) => html`<div><dt>${sym(symbol)}${label}</dt><dd>${value}${out_of ? html`<small>/${out_of}</small>` : nothing}</dd></div>`)}</dl>
      ${game.tag(picture.observation, index) ? html`<p class="sheet__tag">${game.tag(picture.observation, index)}</p>` : nothing}
      ${playedBy(picture)[index] === "bot" ? html`<p class="sheet__tag">${sym("i-bot")}${gettext("Computer")}</p>` : nothing}
      <ul class="sheet__members">${members.slice(0, 5).map((member) => html`<li>${member.name}</li>`)}</ul>
    </aside>`;
  };

  const drawNow = () => {
    if (!picture.observation) return;
    render(html`
      <header class="screen__say"><h1 class="say">${sentence()}</h1>${game.aside?.(picture.observation) ?? nothing}
        ${picture.status === "paused" ? html`<span class="tag">${sym("i-pause")}${gettext("Paused")}</span>` : nothing}
        ${ui.connection === "lost" ? html`<span class="tag warn">${sym("i-alert")}${gettext("The connection is lost.")}</span>` : nothing}</header>
      ${config.seats.slice(0, 1).map((seat) => side(seat, 0))}
      <div class="screen__board">${game.board({ picture, ui, change })}${ui.moment ? html`<div class="moment">${ui.moment}</div>` : nothing}</div>
      ${config.seats.slice(1).map((seat, i) => side(seat, i + 1))}`, root);
  };

  stayAwake();
  root.replaceChildren();
  for (const message of config.frames) receive(message);
  drawNow();
  new Client({
    socket: config.socket,
    poll: config.poll,
    csrf: document.querySelector('meta[name="csrf-token"]').content,
    onMessage: receive,
    onState: (connection) => change({ connection }),
  }).start(picture.version);
};
