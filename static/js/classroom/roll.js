// Who is here: asked for every other second, and after each act. What the teacher has open or in hand stays as it is.
import { presses } from "../components/presses.js";
import { renewChildren } from "../components/renewing.js";

const EVERY_MS = 2000;
const roll = document.querySelector("#roll");
const pressed = presses(roll);

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

roll.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.shouldSwap || detail.isError) return;
  detail.shouldSwap = false;
  if (detail.requestConfig.verb !== "get" || !pressed()) show(detail.xhr.responseText);
});
setInterval(() => document.hidden || pressed() || roll.dispatchEvent(new Event("moved")), EVERY_MS);
