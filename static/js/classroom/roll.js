// Who is here: asked for every other second, and after each act. What the teacher has open or in hand stays as it is.
import { presses } from "../components/presses.js";
import { renewChildren } from "../components/renewing.js";

const EVERY_MS = 2000;
const roll = document.querySelector("[data-roll]");

// Who is at a name that goes elsewhere is then at its neighbour.
const keepingPlace = (change) => {
  const row = roll.contains(document.activeElement) ? document.activeElement.closest("li") : null;
  const beside = row?.nextElementSibling ?? row?.previousElementSibling;
  change();
  if (row && !row.isConnected) beside?.querySelector("summary, button")?.focus();
};

const show = (html) => {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  keepingPlace(() => renewChildren(roll, body));
  window.htmx.process(roll);
};

const follow = () => {
  const pressed = presses(roll);
  let acts = 0; // an answer that was asked for before an act tells what was before it
  roll.addEventListener("htmx:beforeRequest", () => (acts += 1));
  roll.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!detail.shouldSwap) return;
    detail.shouldSwap = false;
    show(detail.xhr.responseText);
  });

  const refresh = async () => {
    const before = acts;
    const answer = await fetch(roll.dataset.roll, { headers: { "HX-Request": "true" } });
    if (!answer.ok || answer.redirected) return;
    const html = await answer.text();
    if (!pressed() && acts === before) show(html);
  };
  const ask = () => document.hidden || pressed() || refresh().catch(() => {}); // without a line, the next time
  setInterval(ask, EVERY_MS);
};

if (roll) follow();
