// The teacher's desk: one row a match, drawn from the lesson's socket. Who needs help stands out.
import { html, nothing, render } from "../../vendor/lit.js";
import { figure } from "../games/parts/strip.js";
import { sym } from "../games/parts/symbol.js";
import { fill, gettext, ngettext } from "../games/parts/words.js";
import { colour, followRows, serverNow } from "./rows.js";

const LONG_S = 90; // after so long a decision is worth a look

const desk = document.querySelector("[data-desk]");
const list = desk.querySelector("ul");
const place = desk.querySelector("[data-calls]");
const headline = document.querySelector("[data-headline]");

const LIGHTS = {
  here: () => html`<span class="light">${sym("i-check")}</span><span class="vh">${gettext("playing:")} </span>`,
  quiet: () => html`<span class="light wait"></span><span class="vh">${gettext("quiet:")} </span>`,
  gone: () => html`<span class="light gone">${sym("i-cross")}</span><span class="vh">${gettext("not connected:")} </span>`,
};

const person = ({ name, light }) =>
  html`<span class="desk__person desk__person--${light}">${(LIGHTS[light] ?? LIGHTS.gone)()}<bdi>${name}</bdi></span>`;

const team = (row) => ({ seat, name, played_by, members }) => {
  const css = colour(seat);
  const turn = row.waiting.some((wait) => wait.seat === seat);
  return html`<div class="desk__team ${css} ${turn ? "desk__team--turn" : ""}">
    ${sym(`flag_${css}`, `flag ${css}`)}<span class="desk__figures"><span class="vh">${name}</span>${(row.standing[seat] ?? []).map(figure)}</span>
    <span class="desk__people">${members.map(person)}${
      played_by === "bot" ? html`<span class="desk__person"><span class="light bot">${sym("i-bot")}</span>${gettext("the computer plays")}</span>` : nothing
    }${played_by === "teacher" ? html`<span class="tag">${gettext("you play")}</span>` : nothing}</span>
  </div>`;
};

const seconds = (row, wait) => Math.floor((wait.since_ms + (row.status === "playing" ? performance.now() - row.heard : 0)) / 1000);

const lasting = (total) => {
  const minutes = Math.floor(total / 60);
  const rest = fill(gettext("%(number)s s"), { number: total % 60 });
  return minutes ? `${fill(gettext("%(number)s min"), { number: minutes })} ${rest}` : rest;
};

const WORDS = {
  paused: () => gettext("Paused"),
  ended: () => gettext("Over"),
  frozen: () => gettext("Stopped by an error"),
};

const state = (row) => html`<div class="desk__state">
  ${row.status === "playing" ? nothing : html`<b>${WORDS[row.status]?.() ?? ""}</b>`}
  ${row.waiting.map(
    (wait) => html`<b>${wait.text}</b><span class=${seconds(row, wait) >= LONG_S ? "row long" : "row"}>${sym("i-clock")}<span class="num">${lasting(seconds(row, wait))}</span></span>`,
  )}
  ${row.split.map((split) => html`<span class="long">${split.text}</span>`)}
</div>`;

// Whose decision has been open for so long that it is worth a look.
const slow = (row) => (row.status === "playing" ? row.waiting.find((wait) => seconds(row, wait) >= LONG_S) : undefined);

const needs = (row) =>
  row.status === "frozen" ||
  calls.has(row.match) ||
  row.split.length > 0 ||
  slow(row) !== undefined;

const TOKEN = document.querySelector('meta[name="csrf-token"]').content;

// What a match calls the teacher for, as long as it stands still or cannot be saved because of it.
const calls = new Map();

const call = ({ match, number, code, text }) => html`<div class="notice warn desk__call">
  ${sym(code === "explain" ? "i-hand" : "i-alert")}
  <p class="grow"><b>${gettext("Match")} ${number}:</b> ${text}</p>
  ${code === "frozen" || code === "busy"
    ? html`<a class="btn" href="/matches/${match}/desk/">${gettext("Look at it")}</a>`
    : html`<form method="post" action="/matches/${match}/desk/resume/">
        <input type="hidden" name="csrfmiddlewaretoken" value=${TOKEN}><input type="hidden" name="from_desk" value="1">
        <button class="btn">${code === "explain" ? gettext("Explained, go on") : gettext("Go on")}</button>
      </form>`}
</div>`;

const match = (row) => html`<li class="desk__match ${needs(row) ? "desk__match--needs" : ""}">
  <span class="desk__number num"><span class="vh">${gettext("Match")} </span>${row.number}</span>
  ${row.teams.map(team(row))}
  ${state(row)}
  <a class="btn ${needs(row) ? "soft" : "quiet"}" href="/matches/${row.match}/desk/">${needs(row) ? gettext("Help") : gettext("Open")}<span class="vh"> ${gettext("match")} ${row.number}</span></a>
</li>`;

const sentence = (rows) => {
  const asking = rows.filter(needs).length;
  const playing = rows.filter((row) => row.status === "playing").length;
  if (asking) return fill(ngettext("%(number)s match needs you.", "%(number)s matches need you.", asking), { number: asking });
  if (playing) return fill(ngettext("%(number)s match is being played.", "%(number)s matches are being played.", playing), { number: playing });
  if (rows.some((row) => row.status === "paused")) return gettext("All matches stand still.");
  return gettext("All matches are over.");
};

const say = (text) => {
  if (headline.textContent !== text) headline.textContent = text;
};

// -- time, names and keys ---------------------------------------------------------------------

const WARN_MS = 5 * 60_000;
const ends = document.querySelector("[data-ends]");
const five = document.querySelector("[data-five]");

const clock = () => {
  if (serverNow() === null) return;
  const left = Date.parse(ends.dataset.ends) - serverNow();
  five.hidden = !(left <= WARN_MS && left > -WARN_MS);
};

const hide = document.querySelector("[data-hides-names]");

hide.addEventListener("click", () => {
  const hidden = hide.getAttribute("aria-pressed") !== "true";
  hide.setAttribute("aria-pressed", String(hidden));
  desk.toggleAttribute("data-nameless", hidden);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.repeat) return;
  if (event.altKey && event.code === "KeyH") hide.click();
  if (event.altKey && event.code === "KeyP") {
    event.preventDefault();
    [...document.querySelectorAll("[data-while]")].find((one) => !one.hidden)?.requestSubmit();
  }
  if (event.target.closest("button, a, input, select, summary, textarea")) return;
  if (event.key === " " && !event.altKey) {
    event.preventDefault();
    document.querySelector("[data-next-act]")?.click();
  }
});

// -- the next step: asked for when something has moved, and now and then for the clock's sake -----

const STEP_MS = 10_000;
const AWAY_S = 30; // waited for so long, and nobody of the team is there

const absent = (row) =>
  row.status === "playing"
    ? row.waiting.find((wait) => {
        const people = row.teams.find((one) => one.seat === wait.seat);
        return people?.played_by === "people" && seconds(row, wait) >= AWAY_S && people.members.every((one) => one.light === "gone");
      })
    : undefined;

const hints = () => {
  const query = new URLSearchParams();
  for (const row of shown) {
    if (row.split.length) query.append("split", row.match);
    const away = absent(row);
    if (away) query.append("absent", `${row.match}.${away.seat}`);
    if (slow(row)) query.append("slow", `${row.match}.${slow(row).seat}`);
  }
  return query;
};

let asked = { told: "", at: -STEP_MS };

const step = async () => {
  const told = `${hints()} ${shown.map((row) => `${row.match} ${row.status}`)}`;
  if (told === asked.told && performance.now() - asked.at < STEP_MS) return;
  asked = { told, at: performance.now() };
  const answer = await fetch(`${location.pathname}?${hints()}`, { headers: { "HX-Request": "true" } });
  if (!answer.ok || answer.redirected) return;
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = parsed.querySelector("[data-next]");
  const old = document.querySelector("[data-next]");
  const words = (part) => part.querySelector(".wrap").textContent;
  if (!now || (now.dataset.next === old.dataset.next && words(now) === words(old))) return;
  const held = old.contains(document.activeElement);
  old.replaceWith(now);
  if (held) now.querySelector("[data-next-act]").focus();
};

let shown = [];
let cleared = false;

const draw = () => {
  if (!shown.length) return;
  if (!cleared) {
    list.replaceChildren();
    cleared = true;
  }
  for (const row of shown)
    if ((row.status === "playing" || row.status === "ended") && calls.get(row.match)?.heard < row.heard) calls.delete(row.match);
  render([...calls.values()].map(call), place);
  render(shown.map(match), list);
  say(desk.hasAttribute("data-lost") ? gettext("The connection is lost. It comes back by itself.") : sentence(shown));
  for (const form of document.querySelectorAll("[data-while]"))
    form.hidden = !shown.some((row) => row.status === form.dataset.while);
};

followRows(
  desk.dataset.desk,
  (rows) => {
    shown = rows.filter(({ status }) => status !== "lobby"); // drafts may be made anew before the start
    draw();
  },
  (line) => {
    desk.toggleAttribute("data-lost", line === "lost");
    draw();
  },
  {
    onNotice: (notice) => {
      calls.set(notice.match, { ...notice, heard: performance.now() }); // the row that tells of the pause comes after it
      draw();
    },
  },
);
setInterval(() => {
  draw();
  clock();
  if (!document.hidden) step().catch((error) => console.info("The next step could not be asked for.", error));
}, 1000);
clock();
