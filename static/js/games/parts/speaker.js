// Reads a text aloud with the device's own voice, where it has one.
import { html, nothing } from "../../../vendor/lit.js";
import { sym } from "./symbol.js";
import { gettext } from "./words.js";

const read = (texts, event) => {
  speechSynthesis.cancel();
  const language = event.target.closest("[lang]").lang;
  for (const text of texts.filter(Boolean)) {
    const spoken = new SpeechSynthesisUtterance(text);
    spoken.lang = language;
    speechSynthesis.speak(spoken);
  }
};

export const speaker = (texts) =>
  "speechSynthesis" in window
    ? html`<button class="btn icon quiet speaker" type="button" @click=${(event) => read(texts, event)} aria-label=${gettext("Read aloud")}>${sym("i-sound")}</button>`
    : nothing;
