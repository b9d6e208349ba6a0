// A game that draws nothing of its own yet, for all to look at: sentences and figures.
import { nothing } from "../../../vendor/lit.js";

export const onlookers = () => ({
  turn: (observation) => observation.turn ?? null,
  tag: () => "",
  board: () => nothing,
});
