// The play page of a game that draws nothing of its own yet: sentences, options and the log.
import { play } from "./table.js";

const row = ({ move, label, cost }) => ({ move, title: label, why: cost, symbol: "i-next" });

play(() => ({
  turn: (observation) => observation.turn ?? null,
  middle: () => null,
  tag: () => "",
  decision: ({ decision }) => ({
    acts: (decision.moves ?? []).filter((one) => one.act),
    rows: (decision.moves ?? []).filter((one) => !one.act).map(row),
    amount: decision.amount && {
      ...decision.amount,
      symbol: "i-next",
      move: (value) => ({ ...decision.amount.move, [decision.amount.field]: value }),
      words: (value) => `${decision.amount.label} (${value})`,
      title: (move) => String(move[decision.amount.field]),
      why: () => decision.amount.cost,
    },
  }),
}));
