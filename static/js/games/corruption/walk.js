// Moves on the board that explain what happened: a flag walks square by square, fish swim to who gets them.
// The board is drawn already as it is now; these only lead the eye there.
import { flagPlace, plan } from "./board.js";

const STEP_MS = 180;

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// From the events of one answer: which squares each flag was led over, {seat: {from, path, jump}}.
export const journeys = (events, before) => {
  const found = {};
  for (const { event } of events) {
    if (event.type !== "walked" && event.type !== "moved") continue;
    const journey = (found[event.seat] ??= { from: before[event.seat], path: [] });
    if (event.type === "walked") journey.path.push(...event.path);
    else journey.path.push(event.square);
  }
  return found;
};

export const walk = (root, content, shape, mirrored, positions, found) => {
  if (calm()) return;
  const drawn = plan(content, shape, mirrored);
  for (const [seat, { from, path }] of Object.entries(found)) {
    const element = root.querySelector(`[data-board="${shape}"] [data-flag="${seat}"]`);
    if (!element?.animate || !path.length) continue;
    const stops = [from, ...path].map((square, i, all) => {
      const there = i === all.length - 1 ? positions : positions.map((at, other) => (other === Number(seat) ? square : at === square ? -1 : at));
      const { x, y } = flagPlace(drawn, there, Number(seat));
      return { transform: `translate(${x}px, ${y}px)` };
    });
    element.animate(stops, { duration: STEP_MS * path.length, easing: "linear" });
  }
};
