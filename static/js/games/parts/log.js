// What happened, newest first; each line opens its rule.
import { html, nothing, repeat } from "../../../vendor/lit.js";
import { sym } from "./symbol.js";
import { gettext } from "./words.js";

const shortRule = (rule) => rule.replace(/^[A-Z]+-/, "");

export const ruleLink = (rule, rules) =>
  rule ? html`<a class="rule" href=${`${rules}#${rule}`} data-rule=${rule}><span class="vh">${gettext("Rule")} </span>${shortRule(rule)}</a>` : nothing;

// Who played in the team's stead, as it was at the time.
const STAND_INS = {
  bot: () => html` <span class="tag">${sym("i-bot")}${gettext("Computer")}</span>`,
  teacher: () => html` <span class="tag">${gettext("Teacher")}</span>`,
  timeout: () => html` <span class="tag">${sym("i-clock")}${gettext("Time ran out")}</span>`,
};

export const standIn = (by) => STAND_INS[by]?.() ?? nothing;

export const log = ({ lines, rules, flag, seats }) => html`
  <h2 class="label" id="log-title">${gettext("What happened")}</h2>
  ${lines.length === 0 ? html`<p class="small soft">${gettext("What happens in the match will be written here.")}</p>` : nothing}
  <ol class="log" aria-labelledby="log-title" reversed>
    ${repeat(lines, (line) => line.key, (line) => html`<li>
      ${line.seat === null || line.seat === undefined ? html`<span></span>` : html`<svg class="flag ${seats[line.seat]}" aria-hidden="true"><use href=${flag(line.seat)}></use></svg>`}
      <span>${line.line}${standIn(line.by)}</span>
      ${ruleLink(line.rule, rules)}</li>`)}
  </ol>`;
