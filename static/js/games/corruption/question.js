// A question: the asking team reads it out and sees the right answer, the answering team does not,
// and after the answer both see why. What a viewer may not know is not in the observation at all.
import { html, nothing } from "../../../vendor/lit.js";
import { sym } from "../parts/symbol.js";
import { speaker } from "../parts/speaker.js";
import { gettext, fill } from "../parts/words.js";

const LETTERS = ["a", "b", "c", "d"];

// Its picture, for whoever reads the question; `content.match` names the match that may show it.
export const questionPicture = (asked, { match }) => (asked.picture && match
  ? html`<img class="question__picture" src=${`/matches/${match}/pictures/${asked.picture.id}/${location.search}`} alt=${asked.picture.alt} dir="auto">`
  : nothing);

// The question as everybody but the deciding members of the answering team sees it.
export const question = ({ observation, names, content, say }) => {
  const asked = observation.question;
  if (!asked?.text) return nothing;
  const mine = observation.seat === asked.seat;
  const asking = observation.seat !== null && observation.seat !== undefined && !mine;
  const name = names[asked.seat];
  return html`<section class="question" lang=${(asked.language || content.language) ?? nothing} aria-label=${fill(gettext("Question for %(team)s"), { team: name })}>
    <div class="row between wrapping"><span class="tag river">${sym("qa")}${mine ? fill(gettext("%(team)s asks you"), { team: names[1 - asked.seat] }) : fill(gettext("Question for %(team)s"), { team: name })}</span></div>
    ${say ?? nothing}
    <p class="quote" dir="auto">${asked.text}${speaker([asked.text, ...asked.options.map((words, i) => `${LETTERS[i]}: ${words}`)])}</p>
    ${questionPicture(asked, content)}
    <ol class="answers">
      ${asked.options.map((words, i) => {
        const letter = LETTERS[i];
        const right = asked.correct === letter;
        const given = asked.answered && asked.letter === letter;
        return html`<li class="answer ${right ? "right" : ""} ${given ? "given" : ""}"><span class="key">${letter}</span><span dir="auto">${words}</span>
          ${right ? html`<span class="mark">${sym("i-check")}<span class="vh">${gettext("right answer")}</span></span>` : given ? html`<span class="mark">${sym("i-cross")}<span class="vh">${gettext("the answer given")}</span></span>` : nothing}</li>`;
      })}
    </ol>
    ${asking && !asked.answered ? html`<p class="notice">${sym("i-lock")}<span><b>${gettext("Only your team sees the tick.")}</b> ${fill(gettext("%(team)s sees the answers without it. Keep a straight face."), { team: name })}</span></p>` : nothing}
    ${asked.answered && asked.explanation ? html`<p class="notice good">${sym("i-check")}<span dir="auto">${asked.explanation}</span></p>` : nothing}
  </section>`;
};

export const letters = LETTERS;
