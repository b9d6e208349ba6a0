// How a match ended, in words: who won, from the point of view of who looks, and why.
import { gettext, fill } from "./words.js";

const LIST = new Intl.ListFormat(document.documentElement.lang || undefined, { type: "conjunction" });

export const ending = ({ outcome }, seats, own = null) => {
  const winners = outcome?.winners ?? [];
  if (!winners.length) return { winners, title: gettext("The match has ended. What you reached is kept."), why: outcome?.reason ?? "" };
  const names = LIST.format(winners.map((seat) => seats[seat].name));
  const title = own !== null && winners.includes(own) ? gettext("Your team has won.") : fill(gettext("%(team)s has won."), { team: names });
  return { winners, title, why: outcome.reason };
};
