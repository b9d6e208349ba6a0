// Who is here: asked for every few seconds, but not while the teacher has a menu open in the list.

const EVERY_MS = 5000;
const roll = document.querySelector("[data-roll]");

if (roll) {
  window.setInterval(() => {
    const busy = roll.querySelector("details[open]") || roll.contains(document.activeElement);
    if (!document.hidden && !busy) roll.dispatchEvent(new Event("moved"));
  }, EVERY_MS);
}
