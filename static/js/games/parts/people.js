// Who is in a team: lights for who is here, two letters of a name for who voted what.
import { html, nothing } from "../../../vendor/lit.js";
import { href, sym } from "./symbol.js";
import { gettext } from "./words.js";

export const letters = (name) => Array.from(name.trim()).slice(0, 2).join("");

export const avatar = (member, me) =>
  html`<span class="avatar ${member.id === me ? "me" : ""}" title=${member.name}><span aria-hidden="true">${letters(member.name)}</span><span class="vh">${member.name}</span></span>`;

const light = (member, voted, asked) => {
  if (member.here === null) return { css: "unknown", icon: nothing, words: "" };
  if (member.by_shared) return { css: "", icon: sym("i-people"), words: gettext("at the shared device") };
  if (!member.here) return { css: "gone", icon: sym("i-cross"), words: gettext("away") };
  if (!asked) return { css: "", icon: sym("i-check"), words: gettext("here") };
  return voted.includes(member.id)
    ? { css: "", icon: sym("i-check"), words: gettext("has voted") }
    : { css: "wait", icon: nothing, words: gettext("has not voted yet") };
};

// The own team in one line; `voted` are ids, `asked` whether a vote is running.
export const mates = ({ css, symbol, name }, members, me, voted, asked) => html`
  <div class="mates ${css}"><b><svg class="flag" aria-hidden="true"><use href=${href(symbol)}></use></svg><span class="vh">${gettext("Your team")}: </span>${name}</b>
  <ul>
    ${members.map((member) => {
      const { css, icon, words } = light(member, voted, asked);
      return html`<li><span class="light ${css}">${icon}</span><span>${member.name}${member.id === me ? html` <span class="muted">${gettext("(you)")}</span>` : nothing}</span>${words ? html`<span class="vh">, ${words}</span>` : nothing}</li>`;
    })}
  </ul></div>`;
