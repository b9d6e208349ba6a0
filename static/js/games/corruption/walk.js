// Moves on the board that explain what happened: the die tumbles, a flag walks square by square, fish swim to who gets them.
// The board is drawn already as it is now; these only lead the eye there.
import { flagPlace, plan } from "./board.js";

const STEP_MS = 180;
const SWIM_MS = 800;
const SHOAL = 6; // so many swim at most: the number itself stands in the strip
const SVG = "http://www.w3.org/2000/svg";

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const positions = (observation) => observation.teams.map((team) => team.position);

// From the events of one answer: which squares each flag was led over, {seat: {from, path}}.
const journeys = (news, before) => {
  const found = {};
  for (const { event } of news) {
    if (event.type !== "walked" && event.type !== "moved") continue;
    const journey = (found[event.seat] ??= { from: before.teams[event.seat].position, path: [] });
    if (event.type === "walked") journey.path.push(...event.path);
    else journey.path.push(event.square);
  }
  return found;
};

// The way of the flag that walked last, for the dotted trail; null if none did.
export const walked = (news, observation, before) => {
  if (!before) return null;
  const [last] = Object.entries(journeys(news, before)).slice(-1);
  return last ? { seat: Number(last[0]), from: last[1].from, to: positions(observation)[last[0]] } : null;
};

// The die tumbles when it was rolled.
export const tumble = (root, news) => {
  if (calm() || !news.some(({ event }) => event.type === "rolled")) return;
  for (const die of root.querySelectorAll("svg.die")) die.animate?.([{ transform: "rotate(-270deg) scale(0.6)" }, { transform: "none" }], { duration: 2 * STEP_MS, easing: "ease-out" });
};

// Leads each flag over its squares to where it stands now.
export const walk = (root, content, shape, mirrored, news, observation, before) => {
  if (calm() || !before) return;
  const drawn = plan(content, shape, mirrored);
  const now = positions(observation);
  for (const [seat, { from, path }] of Object.entries(journeys(news, before))) {
    const element = root.querySelector(`[data-board="${shape}"] [data-flag="${seat}"]`);
    if (!element?.animate) continue;
    const stops = [from, ...path].map((square, i, all) => {
      const there = i === all.length - 1 ? now : now.map((at, other) => (other === Number(seat) ? square : at === square ? -1 : at));
      const { x, y } = flagPlace(drawn, there, Number(seat));
      return { transform: `translate(${x}px, ${y}px)` };
    });
    element.animate(stops, { duration: STEP_MS * path.length, easing: "linear" });
  }
};

// A few fish go from where they were to where they are now.
export const swim = (root, content, shape, mirrored, news, observation) => {
  const board = root.querySelector(`[data-board="${shape}"]`);
  const one = board?.querySelector(".shoal");
  if (calm() || !one) return;
  const drawn = plan(content, shape, mirrored);
  const now = positions(observation);
  const bank = content.squares.findIndex((square) => square.kind === "central_bank");
  const spot = (place) => {
    if (place === "river") return { x: drawn.box.width / 2, y: drawn.box.height / 2 };
    return place === "bank" ? drawn.places[bank] : flagPlace(drawn, now, place.startsWith("red") ? 0 : 1);
  };
  const size = Number(one.getAttribute("width")) * 1.4;
  for (const { event } of news) {
    if (event.type !== "fish_moved") continue;
    const [from, to] = [spot(event.source), spot(event.target)];
    for (let i = 0; i < Math.min(event.amount, SHOAL); i += 1) {
      const group = document.createElementNS(SVG, "g");
      const fish = one.cloneNode(true);
      for (const [name, value] of Object.entries({ x: -size / 2, y: -size / 2, width: size, height: size })) fish.setAttribute(name, value);
      group.append(fish);
      board.append(group);
      const at = ({ x, y }) => `translate(${x}px, ${y + (i - SHOAL / 2) * 4}px)`;
      group.animate([{ transform: at(from) }, { transform: at(to) }], { duration: SWIM_MS, delay: i * 70, easing: "ease-in-out", fill: "backwards" }).finished.then(() => group.remove(), () => group.remove());
    }
  }
};
