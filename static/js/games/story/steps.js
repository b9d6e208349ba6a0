// Goes through the moments of a match that were recorded: which one is shown, and whether time runs.
// Knows no game and draws nothing.

// count: number of moments; show(place, from): called whenever another one is to be seen
export const steps = ({ count, show }) => {
  let at = 0;
  const go = (place) => {
    const to = Math.min(count - 1, Math.max(0, place));
    const from = at;
    at = to;
    show(to, from);
  };
  return { at: () => at, go, next: () => go(at + 1), previous: () => go(at - 1), count };
};

// The first place of the turn after, or of the turn that this place is in (the one before, if it is its first).
export const turnAfter = (turns, at) => {
  const found = turns.findIndex((turn, place) => place > at && turn !== turns[at]);
  return found < 0 ? turns.length - 1 : found;
};
export const turnBefore = (turns, at) => {
  const first = (place) => {
    while (place > 0 && turns[place - 1] === turns[place]) place -= 1;
    return place;
  };
  const start = first(at);
  return start < at ? start : first(Math.max(0, at - 1));
};
