// One decision of the own team: the sentence, the options with what they cost, who is for which.
// It shows what it was told; a vote counts when the server's `votes` says so.
import { html, nothing, repeat } from "../../../vendor/lit.js";
import { sym } from "./symbol.js";
import { avatar } from "./people.js";
import { gettext, ngettext, fill } from "./words.js";

// Whether two moves, as plain values, are the same.

const sorted = (value) =>
  value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
    : value;

const moveKey = (move) => JSON.stringify(sorted(move));
const same = (one, other) => moveKey(one) === moveKey(other);

// votes of a move: the members behind it, in the team's order
const behind = (votes, members, move) => {
  const option = votes?.options?.find((one) => same(one.move, move));
  return (option?.voters ?? []).map((id) => members.find((member) => member.id === id)).filter(Boolean);
};

const pips = (count, needed) => {
  if (!needed) return nothing;
  const more = Math.max(0, needed - count);
  return html`<span class="pips" aria-hidden="true">${Array.from({ length: needed }, (_, i) => html`<i class=${i < count ? "on" : ""}></i>`)}</span>
    <span class="vh">${count === 0 ? gettext("No votes yet") : fill(ngettext("%(more)s more vote decides", "%(more)s more votes decide", more), { more })}</span>`;
};

const ballot = (row, { votes, members, me }) => {
  if (members.length < 2) return nothing;
  const voters = behind(votes, members, row.move);
  const others = (row.also ?? []).flatMap((other) => behind(votes, members, other));
  return html`<span class="ballot">
    <span class="avatars">${voters.map((member) => avatar(member, me))}</span>
    ${others.length ? html`<span class="tiny">${fill(gettext("and %(count)s %(other)s"), { count: others.length, other: row.alsoWords })}</span>` : nothing}
    ${pips(voters.length, votes?.needed)}
  </span>`;
};

const price = (row) =>
  row.price === undefined
    ? nothing
    : html`<span class="cost num">${row.was === undefined ? nothing : html`<s><span class="vh">${gettext("instead of")} </span>${row.was}</s>`}${row.gain ? "+" : nothing}${row.price}${sym("fish")}<span class="vh"> ${gettext("fish")}</span></span>`;

// Arrow keys move between options, Enter and Space vote (the buttons do that by themselves).
const arrows = (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1, Home: "first", End: "last" }[event.key];
  if (!step) return;
  const all = [...event.currentTarget.querySelectorAll('[role="radio"]')];
  const now = all.indexOf(document.activeElement);
  const next = step === "first" ? 0 : step === "last" ? all.length - 1 : (now + step + all.length) % all.length;
  event.preventDefault();
  all[next]?.focus();
};

const chosen = (rows, own) => Math.max(0, rows.findIndex((row) => own && same(row.move, own)));

// Options as a radio group. rows: [{move, title, why, price?, was?, symbol, css, also?, alsoWords?}]
export const options = (rows, context) => {
  const { votes, label, vote, sending, off } = context;
  const own = votes?.own ?? null;
  const first = chosen(rows, own);
  return html`<div class="options" role="radiogroup" aria-label=${label} @keydown=${arrows}>
    ${repeat(rows, (row) => row.key ?? moveKey(row.move), (row, i) => {
      const mine = own !== null && same(row.move, own);
      return html`<button type="button" class="option row2 ${row.css ?? ""} ${mine ? "mine" : ""} ${sending && same(sending, row.move) ? "sending" : ""}" role="radio" aria-checked=${mine ? "true" : "false"}
          tabindex=${i === first ? "0" : "-1"} aria-disabled=${off ? "true" : nothing} @click=${() => off || vote(row.move)}>
        <span class="pic">${sym(row.symbol)}</span><b>${row.title}</b>${price(row)}<span class="why">${row.why}</span>${ballot(row, context)}
      </button>`;
    })}
  </div>`;
};

// Answers to a question: a, b, c, d. rows: [{move, letter, words}]
export const answers = (rows, context) => {
  const { votes, members, me, label, vote, sending, off } = context;
  const own = votes?.own ?? null;
  const first = chosen(rows, own);
  return html`<div class="answers" role="radiogroup" aria-label=${label} @keydown=${arrows}>
    ${repeat(rows, (row) => row.letter, (row, i) => {
      const mine = own !== null && same(row.move, own);
      return html`<button type="button" class="answer ${mine ? "mine" : ""} ${sending && same(sending, row.move) ? "sending" : ""}" role="radio" aria-checked=${mine ? "true" : "false"}
          tabindex=${i === first ? "0" : "-1"} aria-disabled=${off ? "true" : nothing} @click=${() => off || vote(row.move)}>
        <span class="key">${row.letter}</span><span dir="auto">${row.words}</span><span class="avatars">${behind(votes, members, row.move).map((member) => avatar(member, me))}</span></button>`;
    })}
  </div>`;
};

// A whole number between two bounds, proposed to the team. amount: {minimum, maximum, words(value), move(value), why(value)}
export const stepper = (amount, context) => {
  const { value, change, vote, off, votes } = context;
  const at = Math.min(amount.maximum, Math.max(amount.minimum, value));
  const proposals = votes?.options ?? [];
  return html`
    <div class="amount">
      <div class="stepper" role="group" aria-label=${amount.label}>
        <button type="button" aria-label=${gettext("Less")} aria-disabled=${at <= amount.minimum} @click=${() => at > amount.minimum && change(at - 1)}>${sym("i-minus")}</button>
        <output>${at}</output>
        <button type="button" aria-label=${gettext("More")} aria-disabled=${at >= amount.maximum} @click=${() => at < amount.maximum && change(at + 1)}>${sym("i-plus")}</button>
      </div>
      <p class="small soft grow">${amount.why(at)}</p>
    </div>
    <button type="button" class="btn soft wide" aria-disabled=${off ? "true" : nothing} @click=${() => off || vote(amount.move(at))}>${amount.words(at)}</button>
    ${proposals.length ? options(proposals.map((one) => ({ move: one.move, title: amount.title(one.move), why: "", symbol: amount.symbol })), context) : nothing}`;
};

// Whether this vote began with each member answering alone.
export const alone = (votes) => Boolean(votes?.alone);

// What the team has to know about how it decides now, in one place that keeps its height while votes come in.
// `told`: what is said of such a decision the first time, which explains the silent stage as well.
export const voting = ({ votes, members, me, told }) => {
  if (!votes) return nothing;
  const shared = openly(votes, members, me);
  if (!alone(votes)) return shared ? html`<p class="notice">${sym("i-people")}<span>${shared}</span></p>` : nothing;
  const silent = votes.stage === "silent";
  return html`<p class="notice">${sym(silent ? "i-lock" : "i-eye")}<span class="either">
    <span class=${silent ? "" : "not-now"}>${told || gettext("Answer alone first. Your team sees the votes when everybody has answered.")}</span>
    <span class=${silent ? "not-now" : ""}>${shared}</span></span></p>`;
};

const openly = (votes, members, me) => {
  if (votes.spokesperson === me) return gettext("You speak for your team now: choose what you all agreed on.");
  const name = members.find((member) => member.id === votes.spokesperson)?.name;
  if (name) return fill(gettext("%(name)s speaks for your team. Say what you think, then %(name)s confirms."), { name });
  return alone(votes) ? gettext("Now you see what each of you answered. You may still change your answer.") : "";
};

// What helps a team to come to an end. It stands below the options: they stay where a finger is about to be.
export const settling = ({ votes, me, confirm, off }) => {
  const speaks = votes?.spokesperson === me && votes.stage === "open" && votes.own;
  if (votes?.split && !speaks) return html`<p class="notice warn settling">${sym("i-people")}<span>${votes.split}</span></p>`;
  if (!speaks) return nothing;
  return html`<div class="notice good agreed settling">${sym("i-people")}<span class="grow">${gettext("Have we all agreed?")}</span><button type="button" class="btn primary" aria-disabled=${off ? "true" : nothing} @click=${() => off || confirm(votes.own)}>${gettext("Yes, we take it")}</button></div>`;
};

// How many must agree, or how many have answered already.
export const howMany = (votes, members) => {
  if (!votes || votes.spokesperson || members.length < 2) return "";
  const voted = votes.voted?.length ?? 0;
  const here = votes.members;
  if (votes.stage === "silent") return fill(gettext("%(voted)s of %(here)s have answered."), { voted, here });
  return votes.needed ? fill(gettext("%(needed)s of %(here)s must agree."), { needed: votes.needed, here }) : "";
};

// What of a vote is worth saying to those who hear the page: what others did; the own vote they hear by itself.
export const heard = (votes, old, members, me) => {
  if (votes.decision !== old?.decision) return "";
  if (votes.split && votes.split !== old.split) return votes.split;
  if (alone(votes) && votes.stage !== old.stage) return gettext("Now you see what each of you answered. You may still change your answer.");
  const others = ({ voted }) => voted.filter((id) => id !== me).join();
  if (others(votes) === others(old)) return "";
  const here = votes.members;
  return fill(gettext("%(voted)s of %(here)s have voted."), { voted: votes.voted.length, here });
};
