// The demo: one recorded match on three screens side by side, drawn by what draws the real ones.
import { html, nothing, render } from "../../../vendor/lit.js";
import { after, blank, membersOf } from "../../live/picture.js";
import { board, pathStrip } from "../corruption/board.js";
import { card } from "../corruption/card.js";
import { state } from "../corruption/look.js";
import { acts, rows } from "../corruption/options.js";
import { letters as keys, question } from "../corruption/question.js";
import { walk, walked } from "../corruption/walk.js";
import { answers, howMany, options, stepper } from "../parts/decision.js";
import { log } from "../parts/log.js";
import { mates } from "../parts/people.js";
import { figure, strip } from "../parts/strip.js";
import { href, sym } from "../parts/symbol.js";
import { gettext, ngettext, fill } from "../parts/words.js";

const root = document.getElementById("demo");
const said = document.getElementById("said");
const VOTED = 0.55; // of a decision's time: then the team has voted
const idle = () => {};

const play = (recording) => {
  const { content, seats, language, moments, captions } = recording;
  const names = seats.map((seat) => seat.name);
  const letters = seats.map((seat) => seat.letter);
  const words = { ...content, language };
  const mirrored = document.documentElement.dir === "rtl";
  const total = moments.reduce((sum, moment) => sum + moment.ms, 0);
  const starts = moments.map((_, i) => moments.slice(0, i).reduce((sum, moment) => sum + moment.ms, 0));
  let clock = 0; // ms of the recording
  let shown = -1;
  let running = false;
  let last = 0;
  let trail = null;
  let pictures = { board: blank, phone: after(blank, recording.match) };

  const placeAt = (ms) => Math.max(0, starts.findLastIndex((start) => start <= ms));
  const caption = () => captions[moments.slice(0, shown + 1).findLast((moment) => moment.caption !== null)?.caption ?? 0];

  // The team has voted when the time of its decision is nearly over.
  const voted = () => Boolean(moments[shown].chosen) && clock - starts[shown] > moments[shown].ms * VOTED;

  // From wherever the pictures are to the moment of this place; backwards they begin anew.
  const bring = (place) => {
    if (place === shown) return;
    if (place < shown) {
      pictures = { board: blank, phone: after(blank, recording.match) };
      shown = -1;
    }
    const old = caption();
    const stepped = place === shown + 1;
    while (shown < place) {
      shown += 1;
      pictures = { board: after(pictures.board, moments[shown].board), phone: after(pictures.phone, moments[shown].phone) };
    }
    follow(stepped && running);
    if (running && caption() !== old) said.textContent = caption();
  };

  const follow = (moving) => {
    const { observation, before, news } = pictures.board;
    trail = walked(news, observation, before);
    if (moving) requestAnimationFrame(() => walk(root, words, "wide", mirrored, news, observation, before));
  };

  const time = (ms) => fill(gettext("%(minutes)s:%(seconds)s"), { minutes: Math.floor(ms / 60000), seconds: String(Math.floor(ms / 1000) % 60).padStart(2, "0") });

  const turn = (on) => {
    running = on;
    last = performance.now();
    if (on) requestAnimationFrame(tick);
    draw();
  };
  const tick = (now) => {
    if (!running) return;
    clock = Math.min(total - 1, clock + now - last);
    last = now;
    const before = `${shown} ${voted()} ${time(clock)}`;
    bring(placeAt(clock));
    if (clock >= total - 1) running = false;
    if (before !== `${shown} ${voted()} ${time(clock)}` || !running) draw();
    if (running) requestAnimationFrame(tick);
  };
  const over = () => clock >= total - 1000;
  const seek = (ms) => {
    clock = Math.min(total - 1, Math.max(0, ms));
    bring(placeAt(clock));
    draw();
  };

  // -- the three screens ---------------------------------------------------------------------------

  const sides = (picture) =>
    strip({
      teams: seats.map((seat, index) => ({
        css: seat.css,
        symbol: seat.symbol,
        name: seat.name,
        turn: picture.observation.turn === index && !picture.outcome,
        figures: picture.standing[index] ?? [],
        tag: state(picture.observation.teams[index]),
      })),
      middle: { number: picture.observation.river, words: gettext("in the river") },
    });

  const sentence = (picture) =>
    picture.outcome ? (picture.news.find(({ event }) => event.type === "won")?.line ?? picture.outcome.reason) : (picture.waiting[0]?.text ?? "");

  const drawn = ({ news }) => news.findLast(({ event }) => event.type === "card_drawn")?.event;
  const forward = (picture) => {
    if (picture.outcome) return null;
    if (picture.news.some(({ event }) => event.type === "question_asked" || event.type === "question_answered")) return question({ observation: picture.observation, names, content: words });
    const found = drawn(picture);
    return found ? card({ content: words, open: { deck: found.deck, id: found.card }, by: names[found.seat] }) : null;
  };

  const projector = (picture) => {
    const moment = forward(picture);
    return html`<p class="say demo__say">${sentence(picture)}</p>${sides(picture)}
      <div class="demo__board">${board({ observation: picture.observation, content: words, names, letters, shape: "wide", mirrored, trail, named: null, say: idle })}${moment ? html`<div class="moment">${moment}</div>` : nothing}</div>`;
  };

  // What the phone is told of the vote: two of three agree.
  const votes = (picture) => {
    const ids = membersOf(picture, 0).map((member) => member.id);
    const chosen = moments[shown].chosen;
    const done = voted();
    return {
      decision: picture.decision.decision,
      stage: "open",
      own: done ? chosen : null,
      voted: done ? ids.slice(0, 2) : [],
      waiting: [],
      members: ids.length,
      needed: 2,
      options: done ? [{ move: chosen, voters: ids.slice(0, 2) }] : [],
      split: null,
      spokesperson: null,
    };
  };

  const asked = (picture) => {
    const { decision, observation } = picture;
    const team = membersOf(picture, 0).map((member) => ({ ...member, here: true }));
    const context = { votes: votes(picture), members: team, me: picture.you.student, label: decision.ask, vote: idle, confirm: idle, sending: null, off: false };
    const deeds = acts(decision);
    const told = decision.kind === "qa_answer" ? observation.question : null;
    return html`<section class="decision small-avatars">
        <p class="say m">${told ? told.text : decision.ask}</p>
        ${deeds.length ? nothing : html`<p class="soft small">${howMany(context.votes, team)}</p>`}
        ${told
          ? answers(decision.moves.filter(({ move }) => move.letter).map(({ move }) => ({ move, letter: move.letter, words: told.options[keys.indexOf(move.letter)] })), context)
          : decision.amount
            ? stepper(amount(decision), { ...context, value: decision.amount.minimum, change: idle })
            : deeds.length ? nothing : options(rows(decision, observation, words, false), context)}
      </section>
      ${deeds.map(({ label, cost }) => html`<p class="demo__deed"><button type="button" class="btn primary big wide">${label}</button><span class="small soft center">${cost}</span></p>`)}
      ${mates(seats[0], team, context.me, context.votes.voted, !deeds.length)}`;
  };

  const amount = (decision) => ({
    ...decision.amount,
    symbol: "insurance",
    move: (value) => ({ ...decision.amount.move, [decision.amount.field]: value }),
    words: (value) => fill(ngettext("Propose %(number)s fish", "Propose %(number)s fish", value), { number: value }),
    title: (move) => fill(ngettext("%(number)s fish", "%(number)s fish", move[decision.amount.field]), { number: move[decision.amount.field] }),
    why: () => decision.amount.cost,
  });

  const phone = (picture) => html`${sides(picture)}
    ${pathStrip({ content: words, observation: picture.observation, seat: 0, mirrored })}
    <div class="demo__decide">${picture.decision?.mine && !picture.outcome ? asked(picture) : html`<section class="decision"><p class="say m">${sentence(picture)}</p>${question({ observation: picture.observation, names, content: words })}</section>`}</div>`;

  const desk = (picture) => html`<ul class="demo__rows">
      ${seats.map((seat, index) => html`<li class="desk__team ${seat.css} ${picture.observation.turn === index && !picture.outcome ? "desk__team--turn" : ""}">
        <svg class="flag ${seat.css}" aria-hidden="true"><use href=${href(seat.symbol)}></use></svg><span class="desk__figures"><span class="vh">${seat.name}</span>${(picture.standing[index] ?? []).map(figure)}</span>
        <span class="desk__people">${membersOf(pictures.phone, index).map((member) => html`<span class="desk__person"><span class="light">${sym("i-check")}</span>${member.name}</span>`)}</span></li>`)}
    </ul>
    <p class="row"><b>${sentence(picture)}</b></p>
    <div class="demo__log">${log({ lines: picture.log.slice(0, 12), rules: "", flag: (seat) => href(seats[seat].symbol), seats: seats.map((seat) => seat.css), played: {} })}</div>`;

  // What is seen is a recording: it can be read, not used.
  const pane = (css, icon, title, inside) => html`<figure class="demo__pane ${css}"><figcaption>${sym(icon)}${title}</figcaption><div class="demo__glass" inert>${inside}</div></figure>`;

  const draw = () => {
    render(html`
      <p class="say m demo__caption">${caption()}</p>
      <div class="demo__steps" role="group" aria-label=${gettext("The recording")}>
        <button class="btn primary" type="button" @click=${() => (over() ? (seek(0), turn(true)) : turn(!running))}>${sym(running ? "i-pause" : over() ? "i-undo" : "i-play")}${running ? gettext("Pause") : over() ? gettext("Again from the start") : gettext("Go on")}</button>
        <input class="story__slider" type="range" min="0" max=${total - 1} step="1000" .value=${String(Math.floor(clock))} aria-label=${gettext("Time")} aria-valuetext=${time(clock)} @input=${(event) => seek(Number(event.target.value))}>
        <span class="num soft" dir="ltr">${time(clock)} / ${time(total)}</span>
      </div>
      <div class="demo__panes">
        ${pane("demo__projector", "i-screen", gettext("Projector"), projector(pictures.board))}
        ${pane("demo__phone", "i-phone", fill(gettext("A phone of %(team)s"), { team: names[0] }), phone(pictures.phone))}
        ${pane("demo__desk", "i-people", gettext("The teacher’s desk"), desk(pictures.board))}
      </div>`, root);
  };

  root.replaceChildren();
  bring(0);
  turn(true);
  root.querySelector("button").focus();
};

const begin = async (button) => {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  try {
    const answer = await fetch(root.dataset.address);
    if (!answer.ok) throw new Error(String(answer.status));
    play(await answer.json());
  } catch {
    button.setAttribute("aria-disabled", "false");
    const words = document.createElement("p");
    words.className = "notice warn";
    words.setAttribute("role", "alert");
    words.textContent = gettext("The demo did not load. Wait a minute, then start it again.");
    root.querySelector("[role=alert]")?.remove();
    button.after(words);
  }
};

for (const button of root.querySelectorAll("[data-begin]")) button.addEventListener("click", () => begin(button));
