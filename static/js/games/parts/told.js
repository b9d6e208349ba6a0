// What the teacher tells: one sentence, and the announced end of the lesson. Over a page that somebody holds it
// lies, so that nothing under a finger moves, until it is closed; on the projector it has a place of its own, so that
// it covers nothing, until it is taken back.
import { html, nothing, render } from "../../../vendor/lit.js";
import { sym } from "./symbol.js";
import { fill, gettext } from "./words.js";

let place = null;
let closed = 0;

// lesson: the message of that type.
export const tell = (lesson) => {
  if (!place) {
    place = document.body.appendChild(document.createElement("section"));
    place.setAttribute("aria-label", gettext("From your teacher"));
  }
  const { notice } = lesson;
  const close = () => {
    closed = notice.id;
    tell(lesson);
  };
  render(
    notice && notice.id !== closed
      ? html`<p class="told">${sym("i-hand")}<span class="grow" dir="auto">${notice.text}</span><button class="btn icon quiet" type="button" aria-label=${gettext("Close")} @click=${close}>${sym("i-cross")}</button></p>`
      : nothing,
    place,
  );
};

// The sentence for the projector; null: there is none.
export const shown = (notice) => (notice ? html`<p class="told told--placed">${sym("i-hand")}<span class="grow" dir="auto">${notice.text}</span></p>` : nothing);

// Some browsers write Arabic with other digits than the rest of the page.
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", numberingSystem: "latn" };
const clock = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, CLOCK);

// Whether this is the last round, and when the lesson ends; "" while nothing was announced.
export const ends = (lesson) =>
  [
    lesson?.last_round ? gettext("This is the last round.") : "",
    lesson?.ends_at ? fill(gettext("The lesson ends at %(time)s."), { time: clock(lesson.ends_at) }) : "",
  ]
    .filter(Boolean)
    .join(" ");
