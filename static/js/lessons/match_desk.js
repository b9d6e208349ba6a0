// One match on the desk: its part of the page is renewed when the match has moved on, but not while the teacher has a
// menu open, a choice half made or a button pressed.
import { presses } from "../components/presses.js";
import { renewChildren } from "../components/renewing.js";
import { followRows } from "./rows.js";

const place = document.querySelector("[data-match-desk]");
const { matchDesk, lesson, address } = place.dataset;

let wanted = 0;
let asking = false;

const busy = () =>
  pressed() ||
  place.querySelector("details[open]") !== null ||
  (place.contains(document.activeElement) && document.activeElement.matches("input, select"));

const behind = () => wanted > Number(place.querySelector("[data-version]").dataset.version);

const refresh = async () => {
  if (asking || !behind() || busy()) return;
  asking = true;
  const asked = wanted;
  try {
    const answer = await fetch(address, { headers: { "HX-Request": "true" } });
    if (!answer.ok || answer.redirected) return;
    const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!busy()) renewChildren(place, parsed.body);
  } finally {
    asking = false;
    if (wanted > asked) refresh();
  }
};

const pressed = presses(place, refresh);
followRows(
  lesson,
  (rows) => {
    wanted = rows.find((row) => row.match === matchDesk)?.version ?? wanted;
    refresh();
  },
  () => {},
);
place.addEventListener("toggle", refresh, true);
place.addEventListener("focusout", () => setTimeout(refresh));
