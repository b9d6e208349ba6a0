// The play page of a match: joins what the server tells, what the game draws and what the reader does.
// A game module gives the parts that only it knows; see games/corruption.js.
import { html, nothing, render } from "../../vendor/lit.js";
import { stayAwake } from "../components/awake.js";
import { dialogs } from "../components/dialogs.js";
import { ringing } from "../components/ringing.js";
import { ruleLinks } from "../components/rules.js";
import { Client } from "../live/client.js";
import { after, blank, membersOf, playedBy } from "../live/picture.js";
import { alone, answers, heard, howMany, options, settling, stepper, voting } from "./parts/decision.js";
import { ending } from "./parts/ending.js";
import { log } from "./parts/log.js";
import { mates } from "./parts/people.js";
import { strip } from "./parts/strip.js";
import { sym, href } from "./parts/symbol.js";
import { gettext, ngettext, fill } from "./parts/words.js";

const TABS = [
  { key: "decide", symbol: "i-hand", words: () => gettext("Decide") },
  { key: "board", symbol: "i-loop", words: () => gettext("Board") },
  { key: "villages", symbol: "i-people", words: () => gettext("Villages") },
  { key: "log", symbol: "i-list", words: () => gettext("Log") },
];

const TOGETHER_MS = 200;

const read = (id) => JSON.parse(document.getElementById(id).textContent);

export const play = (makeGame) => {
  const config = read("match");
  const roots = Object.fromEntries(["strip", "table", "tabs", "line"].map((id) => [id, document.getElementById(id)]));
  const main = document.getElementById("main");
  const said = { polite: document.getElementById("said"), now: document.getElementById("said-now") };
  const game = makeGame(config);
  const drawn = { board: game.board, villages: game.holdings }; // what a game does not draw has no tab
  const tabs = TABS.filter(({ key }) => !(key in drawn) || drawn[key]);
  let picture = blank;
  const ui = { lesson: null, ends: "", tab: "decide", named: null, donate: null, amount: null, sending: null, connection: "connecting", until: null };
  let due = false;
  let decisionShown = null;
  let happened = []; // pictures that are not drawn yet
  let together; // a new decision and its votes come right after each other and are drawn at once: nothing moves twice

  const change = (values) => {
    Object.assign(ui, values);
    draw();
  };
  const draw = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      drawNow();
    });
  };

  const client = new Client({
    socket: config.socket,
    poll: config.poll,
    csrf: document.querySelector('meta[name="csrf-token"]').content,
    onMessage: (message) => receive(message),
    onState: (connection, code) => {
      if (connection === "lost") say("now", gettext("The connection is lost. Your votes are kept and sent when it is back."));
      if (connection === "live" && ui.connection === "lost") say("polite", gettext("The connection is back."));
      change({ connection, code });
    },
  });

  const ring = ringing();

  const say = (how, words) => {
    said[how].textContent = "";
    requestAnimationFrame(() => (said[how].textContent = words));
  };

  const receive = (message) => {
    if (message.type === "lesson") {
      if (message.notice && message.notice.id !== ui.lesson?.notice?.id) say("polite", message.notice.text);
      import("./parts/told.js").then(({ ends, tell }) => {
        tell(message);
        change({ ends: ends(message) });
      });
      return change({ lesson: message });
    }
    const old = picture;
    picture = after(picture, message);
    if (message.type === "accepted" || message.type === "refused" || (message.type === "observation" && message.decision?.decision !== old.decision?.decision)) ui.sending = null;
    if (picture.decision?.decision !== old.decision?.decision) Object.assign(ui, { donate: null, amount: null });
    if (message.type === "observation") {
      const { decision } = picture;
      ui.until = decision && decision.deadline_ms !== null && decision.deadline_ms !== undefined ? performance.now() + decision.deadline_ms : null;
      if (picture.observation) game.hear?.(picture);
      announce(old);
    }
    if (message.type === "votes") {
      const told = heard(picture.votes, old.votes, members(), config.me);
      if (told) say("polite", told);
    }
    if (message.type === "refused" && message.code !== "stale") say("polite", message.message);
    clearTimeout(together);
    if (message.type === "observation" && old.observation && voted() && !picture.votes) together = setTimeout(draw, TOGETHER_MS);
    else draw();
    if (message.type === "observation" && old.observation && message.version > old.version) happened.push(picture);
  };

  const sentence = () => {
    if (!finished()) return (asked() && picture.decision.ask) || picture.waiting[0]?.text || "";
    const { title, why } = ending(picture, config.seats, config.seat);
    return `${title} ${why}`;
  };
  const announce = (old) => {
    if (!old.observation || picture.version === old.version) return; // nothing new, told again after a reconnection
    const fresh = picture.log.filter((line) => line.version > old.version).reverse().map((line) => line.line);
    say("polite", [...fresh, sentence()].filter(Boolean).join(" "));
    ring(finished() ? "over" : asked() && picture.decision.decision !== old.decision?.decision ? "asked" : "news");
    if (picture.decision && picture.decision.decision !== old.decision?.decision) {
      if (ui.tab !== "decide" && !old.decision) ui.tab = "decide";
    }
  };

  const send = (type, move) => {
    if (!picture.decision || ui.sending) return;
    picture = { ...picture, refusal: null };
    client.ask({ type, decision: picture.decision.decision, move });
    change({ sending: move });
  };

  const members = () => membersOf(picture, config.seat);
  const finished = () => picture.status === "ended" || Boolean(picture.outcome);
  const off = () => picture.status !== "playing" || ui.connection === "over";
  const played = () => playedBy(picture);
  const asked = () => picture.decision !== null && picture.decision.mine !== false;
  const acted = () => Boolean(picture.decision?.moves?.some((one) => one.act)); // any member may do it for the team
  const voted = () => asked() && Boolean(picture.decision.amount || picture.decision.moves?.some((one) => !one.act));

  const explain = () => {
    client.ask({ type: "explain", decision: picture.decision.decision });
    say("polite", gettext("Your teacher has been called."));
  };

  // Seconds left of a decision, counted from when it was told; announced at 30, 10 and 0 alone.
  const left = () => (ui.until === null ? null : Math.max(0, Math.round((ui.until - performance.now()) / 1000)));
  const tick = () => {
    const seconds = left();
    if (seconds === null || picture.status !== "playing") return;
    if ([30, 10, 0].includes(seconds)) say("polite", fill(ngettext("%(seconds)s second left", "%(seconds)s seconds left", seconds), { seconds }));
    draw();
  };
  setInterval(tick, 1000);
  const timer = () => {
    const seconds = left();
    return seconds === null ? nothing : html`<span class="tag ${seconds <= 10 ? "warn" : ""}">${sym("i-clock")}${fill(gettext("%(minutes)s:%(seconds)s"), { minutes: Math.floor(seconds / 60), seconds: String(seconds % 60).padStart(2, "0") })}</span>`;
  };

  // Who plays in the stead of the reader's team.
  const playsForUs = (who) => {
    const words = {
      bot: () => gettext("The computer plays for your team now. Your teacher can give it back to you."),
      teacher: () => gettext("Your teacher plays for your team now."),
    }[who];
    return words ? html`<p class="line">${sym(who === "bot" ? "i-bot" : "i-hand")}<span>${words()}</span></p>` : nothing;
  };

  const lines = () => html`
    ${config.test ? html`<p class="line"><span class="tag">${gettext("Test student")}</span></p>` : nothing}
    ${ui.connection === "lost" ? html`<p class="line warn">${sym("i-alert")}<span>${gettext("The connection is lost. Your votes are kept and sent when it is back.")}</span></p>` : nothing}
    ${ui.connection === "polling" ? html`<p class="line">${sym("i-clock")}<span>${gettext("This network blocks live connections. The page works, only a little slower.")}</span></p>` : nothing}
    ${ui.connection === "over" ? html`<p class="line warn">${sym("i-alert")}<span class="grow">${gettext("You are not in this match any more: the lesson is closed, or you play somewhere else. What you played is kept.")}</span><a class="btn" href=${config.back}>${gettext("Back to the lesson")}</a></p>` : nothing}
    ${picture.status === "paused" && ui.connection !== "over" ? html`<p class="line">${sym("i-pause")}<span>${picture.why === "explain" ? gettext("Your teacher is coming to explain. The clock has stopped.") : picture.why === "round" ? gettext("The round is finished. Your teacher says how it goes on.") : gettext("Paused. Your teacher will go on with you soon.")}</span></p>` : nothing}
    ${config.seat !== null && ui.connection !== "over" && !finished() ? playsForUs(played()[config.seat]) : nothing}
    ${picture.status === "frozen" ? html`<p class="line warn">${sym("i-alert")}<span>${gettext("The match has stopped because of a fault. Your teacher has been told.")}</span></p>` : nothing}
    ${picture.notice ? html`<p class="line">${sym("i-hand")}<span class="grow">${picture.notice.text}</span><button class="btn icon quiet" type="button" aria-label=${gettext("Close")} @click=${() => { picture = { ...picture, notice: null }; draw(); }}>${sym("i-cross")}</button></p>` : nothing}`;

  const until = () => {
    const words = ui.ends;
    return words ? html`<p class="small soft row">${sym("i-clock")}<span>${words}</span></p>` : nothing;
  };

  const strips = () => {
    const now = picture.observation;
    return strip({
      teams: config.seats.map((seat, index) => ({
        css: seat.css,
        symbol: seat.symbol,
        name: seat.name,
        bot: played()[index] === "bot",
        turn: game.turn(now) === index && !finished(),
        own: index === config.seat,
        figures: picture.standing[index] ?? [],
        aside: game.aside?.(now, index),
        tag: game.tag(now, index),
      })),
      middle: game.middle(now),
    });
  };

  const decided = () => {
    const { decision, votes } = picture;
    const context = {
      votes,
      members: members(),
      me: config.me,
      label: decision.ask,
      vote: (move) => send("vote", move),
      confirm: (move) => send("move", move),
      sending: ui.sending,
      off: off(),
    };
    const view = game.decision({ decision, picture, ui, change, send, context });
    const deeds = view.acts ?? [];
    const told = game.hint?.(decision);
    const needed = howMany(votes, members());
    const count = needed || (!votes && members().length > 1) ? html`<p class="soft small">${needed || html`&nbsp;`}</p>` : nothing;
    return html`
      <section class="decision small-avatars" aria-labelledby="say">
        ${view.above ?? nothing}
        ${timer()}
        <h2 class="${view.plain ? "plain" : "say m"}" id="say" tabindex="-1">${decision.ask}</h2>
        ${voted() && !deeds.length ? count : nothing}
        ${told && !alone(votes) ? html`<p class="notice first-time">${sym("i-eye")}<span>${told}</span></p>` : nothing}
        ${picture.refusal ? html`<p class="notice bad">${sym("i-alert")}<span>${picture.refusal.message}</span></p>` : nothing}
        ${voting({ ...context, told })}
        ${view.switch ?? nothing}
        ${view.answers ? answers(view.answers, context) : nothing}
        ${view.amount ? stepper(view.amount, { ...context, value: ui.amount ?? view.amount.minimum, change: (amount) => change({ amount }) }) : nothing}
        ${view.rows?.length && !deeds.length ? options(view.rows, context) : nothing}
        ${view.rows?.length && deeds.length ? html`<details class="others" ?open=${Boolean(votes?.voted?.length)}><summary>${gettext("Something else instead")}</summary>${count}${options(view.rows, context)}</details>` : nothing}
        ${view.below ?? nothing}
        ${settling(context)}
        ${decision.knowledge ? html`<p class="explain"><button type="button" class="btn" @click=${explain} aria-disabled=${off() ? "true" : nothing}>${sym("i-hand")}${gettext("Please explain")}</button><span class="small soft">${gettext("Your teacher comes and the clock stops.")}</span></p>` : nothing}
      </section>
      ${deeds.length ? html`<div class="deed">${deeds.map(({ move, label, cost }) => html`<button type="button" class="btn primary big wide" data-act=${move.type} aria-disabled=${off() || ui.sending ? "true" : nothing} aria-describedby=${`cost-${move.type}`} @click=${() => off() || send("move", move)}>${label}</button>
        <p class="small soft center" id=${`cost-${move.type}`}>${cost}</p>`)}</div>` : nothing}`;
  };

  // The last things that happened, for the phone, where the log has a view of its own.
  const lately = () => html`<ol class="lately" reversed>${picture.log.slice(0, asked() ? 3 : 5).map((line) => html`<li><svg class="flag ${config.seats[line.seat]?.css ?? ""}" aria-hidden="true"><use href=${line.seat === null || line.seat === undefined ? "" : href(config.seats[line.seat].symbol)}></use></svg><span>${line.line}</span></li>`)}</ol>`;

  const waited = () => html`
    <section class="decision waited" aria-labelledby="say">
      <h2 class="say m" id="say" tabindex="-1">${sentence()}</h2>
      ${game.waiting?.({ picture, ui }) ?? nothing}
    </section>`;

  const over = () => {
    const { winners, title, why } = ending(picture, config.seats, config.seat);
    return html`
      <section class="decision over" aria-labelledby="say">
        <div class="over__flags">${winners.map((seat) => html`<svg class="flag ${config.seats[seat].css}" aria-hidden="true"><use href=${href(config.seats[seat].symbol)}></use></svg>`)}</div>
        <h2 class="say" id="say" tabindex="-1">${title}</h2>
        ${why ? html`<p>${why}</p>` : nothing}
        <dl class="over__standing">${config.seats.map((seat, index) => html`<div class=${seat.css}><dt class="team-name">${seat.name}</dt>
          <dd>${(picture.standing[index] ?? []).map((figure) => html`<span class="count">${sym(figure.symbol)}<span>${figure.label}: <b>${figure.value}${figure.out_of ? `/${figure.out_of}` : ""}</b></span></span>`)}</dd></div>`)}</dl>
        <p class="soft small">${gettext("Tokens are luck and choices in a role. They say nothing about you.")}</p>
        <div class="row wrapping">${config.story ? html`<a class="btn primary" href=${config.story}>${gettext("See how it went")}</a>` : nothing}<a class="btn" href=${config.back}>${gettext("Back to the lesson")}</a></div>
      </section>`;
  };

  const drawNow = () => {
    if (!picture.observation) return;
    document.body.dataset.tab = ui.tab;
    const held = roots.table.contains(document.activeElement);
    render(lines(), roots.line);
    render(strips(), roots.strip);
    const ended = finished();
    render(html`
      <div class="table__decide">
        ${game.path?.(picture, config) ?? nothing}
        <div class="panel raised decide-panel">${ended ? over() : asked() ? decided() : waited()}</div>
        ${ended ? nothing : game.card?.(picture) ?? nothing}
        ${ended || voted() ? nothing : lately()}
        ${members().length ? mates(config.seats[config.seat], members(), config.me, picture.votes?.voted ?? [], Boolean(asked() && picture.votes && (!acted() || picture.votes.voted.length))) : nothing}
        ${until()}
      </div>
      <section class="panel table__log">${log({ lines: picture.log, rules: config.rules, flag: (seat) => href(config.seats[seat].symbol), seats: config.seats.map((seat) => seat.css) })}</section>
      ${game.holdings ? html`<section class="table__villages" aria-label=${gettext("Villages")}>${game.holdings(picture)}</section>` : nothing}
      ${game.board ? html`<section class="table__board" aria-label=${gettext("Board")}>${game.board({ picture, ui, change })}</section>` : nothing}`, roots.table);
    // What is to be decided now begins at the top, however far the one before was scrolled.
    const now = asked() ? picture.decision.decision : null;
    if (now !== decisionShown) for (const one of [main, roots.table.querySelector(".table__decide")]) one.scrollTop = 0;
    decisionShown = now;
    const shown = happened;
    happened = [];
    requestAnimationFrame(() => shown.forEach((one) => game.happened?.(one)));
    // What had the focus is gone with its decision: the new sentence takes it, so that keys go on from there.
    if (held && document.activeElement === document.body) document.getElementById("say").focus({ preventScroll: true });
    render(html`${tabs.map(({ key, symbol, words }) => html`<button type="button" aria-current=${ui.tab === key ? "page" : nothing} @click=${() => change({ tab: key })}>${sym(symbol)}${words()}${key === "decide" && ui.tab !== "decide" && asked() ? html`<span class="dot"><span class="vh">${gettext("Your team decides")}</span></span>` : nothing}</button>`)}
      <button type="button" class="tabs__help" data-opens="help">${sym("i-more")}${gettext("Help")}</button>`, roots.tabs);
  };

  main.tabIndex = 0; // it scrolls: keys must reach it
  // The help has styles and scripts of its own, which the first view need not wait for.
  const help = document.getElementById("help");
  const dress = ({ target }) => {
    if (!target.closest("[data-opens=help]") || !help.dataset.styles) return;
    import("../components/themes.js").then(({ themes }) => themes(help));
    for (const address of help.dataset.styles.split(" ")) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: address }));
    }
    delete help.dataset.styles;
  };
  for (const use of ["pointerdown", "click"]) document.addEventListener(use, dress, true);
  dialogs(document);
  ruleLinks(document);
  stayAwake();
  for (const root of Object.values(roots)) root.replaceChildren();
  for (const message of config.frames) receive(message);
  drawNow();
  for (const width of ["40rem", "62rem"]) matchMedia(`(min-width: ${width})`).addEventListener("change", draw);
  client.start(picture.version);
};

