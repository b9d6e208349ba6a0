// Corruption! on the play page: what the table asks of a game.
import { html, nothing } from "../../vendor/lit.js";
import { play } from "./table.js";
import { speaker } from "./parts/speaker.js";
import { sym } from "./parts/symbol.js";
import { gettext, ngettext, fill } from "./parts/words.js";
import { board, bought, pathStrip, squareList } from "./corruption/board.js";
import { card } from "./corruption/card.js";
import { hint } from "./corruption/hints.js";
import { acts, mayDonate, rows } from "./corruption/options.js";
import { question, questionPicture, letters } from "./corruption/question.js";
import { state } from "./corruption/look.js";
import { villageLists } from "./corruption/village.js";
import { swim, tumble, walk, walked } from "./corruption/walk.js";

const wide = matchMedia("(min-width: 40rem)");

const corruption = ({ content, seats, seat: own, language, match }) => {
  const names = seats.map((seat) => seat.name);
  const mirrored = document.documentElement.dir === "rtl";
  const shape = () => (wide.matches ? "wide" : "tall");
  const words = { ...content, language, match };
  const teamLetters = seats.map((seat) => seat.letter);
  let trail = null;
  let turnedUp = null; // the last card, until its team is to move again: nobody misses it
  let answered = null; // the last question with its explanation, as long

  const donation = (decision, ui, change) => {
    const on = ui.donate ?? false;
    return html`<button type="button" class="switchrow" role="switch" aria-checked=${on ? "true" : "false"} @click=${() => change({ donate: !on })}>
      ${sym("donation")}<span class="small"><b>${gettext("Use your donation: half price")}</b><br><span class="soft">${gettext("Used up by this purchase.")}</span></span><span class="switch ${on ? "on" : ""}" aria-hidden="true"></span></button>`;
  };

  const amount = (decision) => ({
    label: gettext("How many fish"),
    minimum: decision.amount.minimum,
    maximum: decision.amount.maximum,
    symbol: "insurance",
    move: (value) => ({ ...decision.amount.move, [decision.amount.field]: value }),
    words: (value) => fill(ngettext("Propose %(number)s fish", "Propose %(number)s fish", value), { number: value }),
    title: (move) => fill(ngettext("%(number)s fish", "%(number)s fish", move[decision.amount.field]), { number: move[decision.amount.field] }),
    why: (value) => (value === decision.amount.minimum ? decision.amount.cost : gettext("Insurance pays when a disaster strikes. It never comes back as fish.")),
  });

  return {
    hint: (decision) => hint(match, decision.kind, decision.decision),
    turn: (observation) => observation.turn,
    middle: (observation) => ({ number: observation.river, words: gettext("in the river") }),
    aside: (observation, seat) => (observation.die && observation.turn === seat ? html`${sym(`die${observation.die}`, "die")}<span class="vh">${fill(gettext("The die shows %(number)s"), { number: observation.die })}</span>` : null),
    tag: (observation, seat) => state(observation.teams[seat]),
    path: ({ observation }) => (own === null ? nothing : pathStrip({ content: words, observation, seat: own, mirrored })),
    hear: ({ news, observation, before }) => {
      trail = walked(news, observation, before) ?? trail;
      for (const { event } of news) {
        if (event.type === "card_drawn") turnedUp = { deck: event.deck, id: event.card, seat: event.seat };
        if (event.type === "turn_started" && event.seat === turnedUp?.seat) turnedUp = null;
        if (event.type === "turn_started" && event.seat === answered?.seat) answered = null;
      }
      if (observation.question?.answered) answered = observation.question;
    },
    card: ({ observation, decision }) => html`
      ${answered && !observation.question?.text && decision?.kind !== "qa_answer" ? question({ observation: { ...observation, question: answered }, names, content: words }) : nothing}
      ${card({ content: words, open: observation.card ?? turnedUp, by: turnedUp && names[turnedUp.seat] })}`,
    holdings: ({ observation }) => villageLists(words, observation.teams, names),
    waiting: ({ picture: { observation } }) => question({ observation, names, content: words }),
    decision: ({ decision, picture: { observation }, ui, change }) => {
      if (decision.kind === "qa_answer") {
        const asked = observation.question;
        return {
          plain: true, // the question itself is the sentence
          above: html`<div class="question" lang=${asked.language || language}><div class="row between wrapping"><span class="tag river">${sym("qa")}${fill(gettext("%(team)s asks you"), { team: names[1 - own] })}</span></div><p class="quote strong" dir="auto">${asked.text}${speaker([asked.text, ...asked.options])}</p>${questionPicture(asked, words)}</div>`,
          answers: decision.moves.filter(({ move }) => move.letter).map(({ move }) => ({ move, letter: move.letter, words: asked.options[letters.indexOf(move.letter)] })),
          below: html`<p class="small soft">${decision.moves[0].cost}</p>`,
        };
      }
      const view = { acts: acts(decision) };
      if (decision.kind === "qa_ask" || decision.kind === "qa_reward") view.below = question({ observation, names, content: words });
      if (decision.amount) return { ...view, amount: amount(decision) };
      if (mayDonate(decision)) view.switch = donation(decision, ui, change);
      view.rows = rows(decision, observation, words, ui.donate ?? false);
      return view;
    },
    board: ({ picture: { observation, before, news }, ui, change }) => html`
      ${board({ observation, content: words, names, letters: teamLetters, shape: shape(), mirrored, trail, fresh: bought(before ? news : []), named: ui.named, say: (named) => change({ named: ui.named === named ? null : named }) })}
      <button type="button" class="btn quiet board-list" title=${gettext("All squares")} data-opens="squares">${sym("i-list")}<span>${gettext("All squares")}</span></button>
      <dialog class="dialog" id="squares" aria-labelledby="squares-title"><header><h2 id="squares-title">${gettext("All squares")}</h2><button class="btn icon quiet" type="button" data-closes aria-label=${gettext("Close")}>${sym("i-cross")}</button></header>
        <div class="body">${squareList(words, observation, names)}</div></dialog>`,
    happened: ({ news, observation, before }) => {
      tumble(document, news);
      walk(document, words, shape(), mirrored, news, observation, before);
      swim(document, words, shape(), mirrored, news, observation);
    },
  };
};

play(corruption);
