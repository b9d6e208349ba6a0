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

// What the team has to know about how it decides now.
export const voting = ({ votes, members, me, confirm, off }) => {
  if (!votes) return nothing;
  const named = (id) => members.find((member) => member.id === id)?.name ?? "";
  return html`
    ${votes.stage === "silent" ? html`<p class="notice">${sym("i-lock")}<span>${gettext("Answer alone first. Your team sees the votes when everybody has answered.")}</span></p>` : nothing}
    ${votes.split ? html`<p class="notice warn">${sym("i-people")}<span>${votes.split}</span></p>` : nothing}
    ${votes.spokesperson && votes.stage === "open"
      ? votes.spokesperson === me
        ? votes.own
          ? html`<div class="notice good agreed">${sym("i-people")}<span class="grow">${gettext("Have we all agreed?")}</span><button type="button" class="btn primary" aria-disabled=${off ? "true" : nothing} @click=${() => off || confirm(votes.own)}>${gettext("Yes, we take it")}</button></div>`
          : html`<p class="notice">${sym("i-people")}<span>${gettext("You speak for your team now: choose what you all agreed on.")}</span></p>`
        : html`<p class="notice">${sym("i-people")}<span>${fill(gettext("%(name)s speaks for your team. Say what you think, then %(name)s confirms."), { name: named(votes.spokesperson) })}</span></p>`
      : nothing}`;
};

// How many must agree, in words; one sentence that is also announced.
export const howMany = (votes, members) => {
  if (!votes || votes.spokesperson || members.length < 2) return "";
  const voted = votes.voted?.length ?? 0;
  const here = members.filter((member) => member.here).length;
  if (votes.stage === "silent") return fill(gettext("%(voted)s of %(here)s have answered."), { voted, here });
  return votes.needed ? fill(gettext("%(needed)s of %(here)s must agree."), { needed: votes.needed, here }) : "";
};
