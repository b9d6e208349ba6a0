// Corruption! on the projector: the board with its moments, public facts only.
import { html } from "../../vendor/lit.js";
import { show } from "./screen.js";
import { board, bought } from "./corruption/board.js";
import { card } from "./corruption/card.js";
import { question } from "./corruption/question.js";
import { state } from "./corruption/look.js";
import { swim, tumble, walk, walked } from "./corruption/walk.js";
import { sym } from "./parts/symbol.js";
import { gettext, fill } from "./parts/words.js";

const drawn = (news) => {
  const found = news.findLast(({ event }) => event.type === "card_drawn")?.event;
  return found ? { deck: found.deck, id: found.card, seat: found.seat } : null;
};

show(({ content, seats, language }) => {
  const names = seats.map((seat) => seat.name);
  const mirrored = document.documentElement.dir === "rtl";
  const words = { ...content, language };
  const letters = seats.map((seat) => seat.letter);
  let trail = null;
  return {
    turn: (observation) => observation.turn,
    tag: (observation, seat) => state(observation.teams[seat]),
    aside: (observation) => (observation.die ? html`${sym(`die${observation.die}`, "die")}<span class="vh">${fill(gettext("The die shows %(number)s"), { number: observation.die })}</span>` : ""),
    board: ({ picture: { observation, before, news }, ui, change }) =>
      board({ observation, content: words, names, letters, shape: "wide", mirrored, trail, fresh: bought(before ? news : []), named: ui.named, say: (named) => change({ named }) }),
    // A card or a question comes forward when it is new.
    moment: ({ news, observation }) => {
      if (news.some(({ event }) => event.type === "question_asked" || event.type === "question_answered")) return question({ observation, names, content: words });
      if (drawn(news)) return card({ content: words, open: drawn(news), by: names[drawn(news).seat] });
      return null;
    },
    hear: ({ news, observation, before }) => {
      trail = walked(news, observation, before) ?? trail;
    },
    happened: ({ news, observation, before }) => {
      tumble(document, news);
      walk(document, words, "wide", mirrored, news, observation, before);
      swim(document, words, "wide", mirrored, news, observation);
    },
  };
});
