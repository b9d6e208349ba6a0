// The story of a match: a slider through its moments, each drawn as everybody could have seen it.
// A game module gives the parts that only it knows; see story/corruption.js.
import { html, nothing, render } from "../../../vendor/lit.js";
import { ruleLink, standIn } from "../parts/log.js";
import { sym, href } from "../parts/symbol.js";
import { strip } from "../parts/strip.js";
import { gettext, fill } from "../parts/words.js";
import { steps, turnAfter, turnBefore } from "./steps.js";

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const SAID_AFTER_MS = 600; // a slider that is pulled is not read out at every place

export const tell = (makeGame) => {
  const config = read("match");
  const root = document.getElementById("told");
  const said = document.getElementById("said");
  const game = makeGame(config);
  const known = new Map(config.first.map((moment, place) => [place, moment]));
  const asked = new Set();
  const ui = { named: null, failed: false };
  const mirrored = document.documentElement.dir === "rtl";
  let timer;

  const load = async (place) => {
    const from = place - (place % config.page);
    if (asked.has(from)) return;
    asked.add(from);
    try {
      const answer = await fetch(`${config.steps}${config.query ? `${config.query}&` : "?"}from=${from}`);
      if (!answer.ok) throw new Error(answer.statusText);
      const { moments } = await answer.json();
      moments.forEach((moment, i) => known.set(from + i, moment));
      ui.failed = false;
    } catch {
      asked.delete(from);
      ui.failed = true;
    }
    draw();
  };

  const walk = steps({
    count: config.turns.length,
    show: (place, from) => {
      ui.named = null;
      load(place);
      load(Math.min(place + config.page / 2, config.turns.length - 1));
      draw();
      if (known.has(place)) {
        if (place === from + 1 && known.has(from)) game.walked?.(known.get(place), known.get(from));
        clearTimeout(timer);
        timer = setTimeout(() => (said.textContent = words(place)), SAID_AFTER_MS);
      }
    },
  });

  const words = (place) => {
    const moment = known.get(place);
    return [where(place), ...moment.events.map((one) => one.line)].join(" ");
  };
  const where = (place) => fill(gettext("Move %(number)s of %(all)s, turn %(turn)s."), { number: place + 1, all: config.turns.length, turn: config.turns[place] });

  const button = (icon, label, act, off, flip) =>
    html`<button class="btn icon" type="button" aria-label=${label} title=${label} aria-disabled=${off ? "true" : nothing} @click=${() => off || act()}>${sym(icon, flip ? "turned" : "flip")}</button>`;

  const controls = () => {
    const at = walk.at();
    const first = at === 0;
    const last = at === walk.count - 1;
    return html`<div class="story__steps" role="group" aria-label=${gettext("Go through the moves")}>
      <button class="btn" type="button" aria-disabled=${first ? "true" : nothing} @click=${() => first || walk.go(turnBefore(config.turns, at))}>${gettext("Turn before")}</button>
      ${button("i-next", gettext("Move before"), walk.previous, first, true)}
      <input class="story__slider" type="range" min="0" max=${walk.count - 1} .value=${String(at)} aria-label=${gettext("Move")} aria-valuetext=${where(at)} @input=${(event) => walk.go(Number(event.target.value))}>
      ${button("i-next", gettext("Next move"), walk.next, last, false)}
      <button class="btn" type="button" aria-disabled=${last ? "true" : nothing} @click=${() => last || walk.go(turnAfter(config.turns, at))}>${gettext("Next turn")}</button>
      <span class="num soft story__place" aria-hidden="true">${where(at)}</span>
    </div>`;
  };

  const strips = (moment) =>
    strip({
      teams: config.seats.map((seat, index) => ({
        css: seat.css,
        symbol: seat.symbol,
        name: seat.name,
        bot: seat.bot,
        turn: game.turn(moment.observation) === index && !moment.outcome,
        figures: moment.standing[index] ?? [],
        aside: game.aside?.(moment.observation, index),
        tag: game.tag?.(moment.observation, index) ?? "",
      })),
      middle: game.middle?.(moment.observation) ?? null,
    });

  const lines = (moment) => html`<ol class="log story__lines">${moment.events.map((line) => {
    const seat = line.event?.seat ?? line.seat;
    return html`<li>${seat === null || seat === undefined ? html`<span></span>` : html`<svg class="flag ${config.seats[seat].css}" aria-hidden="true"><use href=${href(config.seats[seat].symbol)}></use></svg>`}
      <span>${line.line}${standIn(line.by)}</span>${ruleLink(line.rule, config.rules)}</li>`;
  })}</ol>`;

  const draw = () => {
    const moment = known.get(walk.at());
    render(html`
      ${controls()}
      ${ui.failed ? html`<p class="notice warn">${sym("i-alert")}<span class="grow">${gettext("These moves did not load.")}</span><button class="btn" type="button" @click=${() => load(walk.at())}>${gettext("Try again")}</button></p>` : nothing}
      ${moment
        ? html`${strips(moment)}
          <div class="story__view"><div class="story__board">${game.board?.({ moment, ui, change: (values) => { Object.assign(ui, values); draw(); } }) ?? nothing}</div>
            <div class="story__beside">
              <p class="say m">${moment.outcome?.reason ?? moment.waiting[0]?.text ?? ""}</p>
              ${game.beside?.(moment) ?? nothing}
              ${lines(moment)}
            </div></div>`
        : ui.failed ? nothing : html`<p class="soft">${gettext("One moment…")}</p>`}`, stage);
  };

  // Arrows go from move to move wherever the focus is, but in fields and on the slider itself.
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, [tabindex='0'], dialog")) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    walk.go(walk.at() + (mirrored ? -step : step));
  });

  const stage = document.createElement("div");
  stage.className = "story__stage";
  root.append(stage);
  walk.go(0);
};
