// Corruption! for all to look at: the board with its moments, public facts only.
import { html } from "../../../vendor/lit.js";
import { board, bought } from "./board.js";
import { card, cardLook } from "./card.js";
import { question } from "./question.js";
import { squareLook, state } from "./look.js";
import { swim, tumble, walk, walked } from "./walk.js";
import { sym } from "../parts/symbol.js";
import { gettext, fill } from "../parts/words.js";

const drawn = (news) => news.findLast(({ event }) => event.type === "card_drawn")?.event;
// A question that was read out and is not answered: it stays in front, so that the class can think along.
const open = ({ question: asked }) => Boolean(asked?.text) && !asked.answered;
// A question to be shown now, open or answered just now.
const asked = (news, observation) => open(observation) || (observation.question?.text && news.some(({ event }) => event.type === "question_answered"));

// While the stones are new, the board names those that the next roll can lead to. A lap of both teams
// comes to about two records a square.
const early = ({ version }, { squares }) => version <= 2 * squares.length;
const FACES = [1, 2, 3, 4, 5, 6];

const ahead = ({ squares, ...content }, position) => html`
  <ol class="ahead" aria-label=${gettext("Where a roll leads")}>${FACES.map((face) => {
    const square = squares[(position + face) % squares.length];
    const look = squareLook({ squares, ...content }, square);
    return html`<li class="squares__one ${look.css}"><b class="num">${face}</b><span class="squares__stone">${sym(look.symbol)}</span><span class="ahead__name">${square.label}</span></li>`;
  })}</ol>`;

export const onlookers = ({ content, seats, language, match }) => {
  const names = seats.map((seat) => seat.name);
  const mirrored = document.documentElement.dir === "rtl";
  const words = { ...content, language, match };
  const letters = seats.map((seat) => seat.letter);
  let trail = null;
  return {
    turn: (observation) => observation.turn,
    tag: (observation, seat) => state(observation.teams[seat]),
    aside: (observation) => (observation.die ? html`${sym(`die${observation.die}`, "die")}<span class="vh">${fill(gettext("The die shows %(number)s"), { number: observation.die })}</span>` : ""),
    board: ({ picture: { observation, before, news }, ui, change, shape = "wide" }) =>
      board({ observation, content: words, names, letters, shape, mirrored, trail, fresh: bought(before ? news : []), named: ui.named, say: (named) => change({ named }) }),
    lasts: ({ observation }) => open(observation),
    ahead: (picture, seat) => (early(picture, words) && picture.observation.turn === seat ? ahead(words, picture.observation.teams[seat].position) : undefined),
    // A card or a question comes forward when it is new.
    moment: ({ news, observation }) => {
      if (asked(news, observation)) return question({ observation, names, content: words });
      const found = drawn(news);
      return found ? card({ content: words, open: { deck: found.deck, id: found.card }, by: names[found.seat] }) : null;
    },
    // The same in a few words, where many matches share the screen.
    glimpse: ({ news, observation }) => {
      if (asked(news, observation)) return { symbol: "qa", title: fill(gettext("Question for %(team)s"), { team: names[observation.question.seat] }), words: "" };
      const found = drawn(news);
      return found ? { ...cardLook(found.deck), words: names[found.seat] } : null;
    },
    hear: ({ news, observation, before }) => {
      trail = walked(news, observation, before) ?? trail;
    },
    happened: ({ news, observation, before }, root) => {
      const { board: shape } = root.querySelector("[data-board]").dataset;
      tumble(root, news);
      walk(root, words, shape, mirrored, news, observation, before);
      swim(root, words, shape, mirrored, news, observation);
    },
  };
};
