// One match on the desk: its part of the page is fetched anew when the match has moved on,
// but not while the teacher has a menu open or a choice half made.
import { followRows } from "./rows.js";

const place = document.querySelector("[data-match-desk]");
const { matchDesk, lesson, address } = place.dataset;

const busy = () =>
  place.querySelector("details[open]") !== null || place.contains(document.activeElement) && document.activeElement.matches("input, select");

let wanted = 0;

const refresh = async () => {
  const shown = Number(place.querySelector("[data-version]")?.dataset.version ?? 0);
  if (wanted <= shown || busy()) return;
  const answer = await fetch(address, { headers: { "HX-Request": "true" } });
  if (!answer.ok) return;
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!busy()) place.replaceChildren(...parsed.body.children);
};

followRows(
  lesson,
  (rows) => {
    wanted = rows.find((row) => row.match === matchDesk)?.version ?? wanted;
    refresh();
  },
  () => {},
);
place.addEventListener("toggle", refresh, true);
