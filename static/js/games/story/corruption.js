// Corruption! told again: the board of each moment, its card or question.
import { html, nothing } from "../../../vendor/lit.js";
import { board } from "../corruption/board.js";
import { card } from "../corruption/card.js";
import { state } from "../corruption/look.js";
import { question } from "../corruption/question.js";
import { walk, walked } from "../corruption/walk.js";
import { sym } from "../parts/symbol.js";
import { gettext, fill } from "../parts/words.js";
import { tell } from "./story.js";

const wide = matchMedia("(min-width: 48rem)");

tell(({ content, seats, language }) => {
  const names = seats.map((seat) => seat.name);
  const letters = seats.map((seat) => seat.letter);
  const words = { ...content, language };
  const mirrored = document.documentElement.dir === "rtl";
  const shape = () => (wide.matches ? "wide" : "tall");
  const drawn = (moment) => moment.events.findLast((one) => one.event.type === "card_drawn")?.event;
  let trail = null;
  return {
    turn: (observation) => observation.turn,
    tag: (observation, seat) => state(observation.teams[seat]),
    middle: (observation) => ({ number: observation.river, words: gettext("in the river") }),
    aside: (observation, seat) => (observation.die && observation.turn === seat ? html`${sym(`die${observation.die}`, "die")}<span class="vh">${fill(gettext("The die shows %(number)s"), { number: observation.die })}</span>` : null),
    board: ({ moment: { observation, version }, ui, change }) =>
      board({ observation, content: words, names, letters, shape: shape(), mirrored, trail: trail?.version === version ? trail : null, named: ui.named, say: (named) => change({ named: ui.named === named ? null : named }) }),
    beside: (moment) => {
      const found = drawn(moment);
      if (found) return card({ content: words, open: { deck: found.deck, id: found.card }, by: names[found.seat] });
      return moment.observation.question ? question({ observation: moment.observation, names, content: words }) : nothing;
    },
    walked: (moment, before) => {
      const way = walked(moment.events, moment.observation, before.observation);
      trail = way && { ...way, version: moment.version };
      requestAnimationFrame(() => walk(document, words, shape(), mirrored, moment.events, moment.observation, before.observation));
    },
  };
});
