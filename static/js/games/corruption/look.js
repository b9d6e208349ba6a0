// How the things of Corruption! look: which symbol and which colour class stands for what, in a few words how a team stands.
import { ngettext, fill } from "../parts/words.js";

export const SEATS = ["red", "blue"];
const KNOWN = ["harbor", "house", "hospital", "farm", "mill", "hotel", "museum", "restaurant", "school", "library", "factory", "power_station", "waterworks", "park"];
const KIND = {
  corruption: { symbol: "corruption", css: "dark" },
  qa: { symbol: "qa", css: "watery" },
};
// One building stands for each category; on a board of a teacher's own any other building does.
const OF_CATEGORY = { public: "hospital", agriculture: "mill", tourism: "hotel", educational: "library", industrial: "factory", environment: "park" };
const COLOURS = Object.keys(OF_CATEGORY);

export const propertySymbol = (id) => (KNOWN.includes(id) ? id : "house");

// Categories of a board of a teacher's own take the six colours in board order.
export const categoryClass = (board, id) =>
  COLOURS.includes(id) ? id : COLOURS[board.categories.findIndex((category) => category.id === id) % COLOURS.length];

export const squareLook = (board, square) => {
  if (square.category) {
    const css = categoryClass(board, square.category);
    return { symbol: OF_CATEGORY[css], css: `cat ${css}` };
  }
  if (square.kind === "insurance") return { symbol: "insurance", css: `ins ${SEATS[square.team]}`, team: square.team };
  return KIND[square.kind] ?? { symbol: square.kind, css: "" };
};

export const flag = (seat) => `flag_${SEATS[seat]}`;

// What holds a team back: prison, missed turns.
export const state = (team) => {
  if (team.sentence) return fill(ngettext("in prison: %(number)s round", "in prison: %(number)s rounds", team.sentence.rounds), { number: team.sentence.rounds });
  if (team.missed) return fill(ngettext("misses %(number)s turn", "misses %(number)s turns", team.missed), { number: team.missed });
  return "";
};
