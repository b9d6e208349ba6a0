// What a kind of decision means, said the first time it comes up in a match: a sentence to read aloud.
import { gettext } from "../parts/words.js";

const WORDS = {
  roll: () => gettext("Anyone in your team may roll. Your flag walks as far as the die shows."),
  collect: () => gettext("One fish for each dot of your roll. Take them first: afterwards they are gone."),
  buy: () => gettext("You may buy one building of this colour. Talk about it, then each of you taps one."),
  joker: () => gettext("The Joker lets you buy any one building, whatever its colour."),
  deposit: () => gettext("Fish on your insurance pay when a disaster strikes. You cannot take them back."),
  sell: () => gettext("You owe more than you have. Choose what your village gives up."),
  inspector: () => gettext("The fine is cheaper, but your tokens stay. You can only win without any."),
  give_donation: () => gettext("One of your donations goes to the other team. Choose the one you need least."),
  qa_ask: () => gettext("Read the question and all four answers aloud. Do not let anybody see your screen."),
  qa_answer: () => gettext("Everybody answers alone first. Then you see what the others think, and may change your mind."),
  qa_reward: () => gettext("A fish is sure. A new roll may bring more, or a Corruption card."),
};

// The hint for a decision of this kind unless this browser has seen it in this match before.
export const hint = (match, kind, decision) => {
  const key = `hint ${match} ${kind}`;
  try {
    const seen = sessionStorage.getItem(key);
    if (seen !== null && seen !== String(decision)) return "";
    sessionStorage.setItem(key, String(decision));
  } catch {
    return ""; // a browser that keeps nothing would show it every time
  }
  return WORDS[kind]?.() ?? "";
};
