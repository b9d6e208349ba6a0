// What the teacher tells: one sentence that lies over the page, so that nothing under a finger moves, and the
// announced end of the lesson. A page that nobody holds (the projector) shows it until it is taken back.
import { html, nothing, render } from "../../../vendor/lit.js";
import { sym } from "./symbol.js";
import { fill, gettext } from "./words.js";

let place = null;
let closed = 0;

// lesson: the message of that type. closes: whether readers may close the sentence.
export const tell = (lesson, { closes }) => {
  if (!place) {
    place = document.body.appendChild(document.createElement("section"));
    place.setAttribute("aria-label", gettext("From your teacher"));
  }
  const { notice } = lesson;
  const close = () => {
    closed = notice.id;
    tell(lesson, { closes });
  };
  render(
    notice && notice.id !== closed
      ? html`<p class="told">${sym("i-hand")}<span class="grow" dir="auto">${notice.text}</span>${
          closes ? html`<button class="btn icon quiet" type="button" aria-label=${gettext("Close")} @click=${close}>${sym("i-cross")}</button>` : nothing
        }</p>`
      : nothing,
    place,
  );
};

const clock = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

// Whether this is the last round, and when the lesson ends; "" while nothing was announced.
export const ends = (lesson) =>
  [
    lesson?.last_round ? gettext("This is the last round.") : "",
    lesson?.ends_at ? fill(gettext("The lesson ends at %(time)s."), { time: clock(lesson.ends_at) }) : "",
  ]
    .filter(Boolean)
    .join(" ");
