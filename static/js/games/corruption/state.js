// What holds a team back, in a few words: prison, missed turns.
import { ngettext, fill } from "../parts/words.js";

export const state = (team) => {
  if (team.sentence) return fill(ngettext("in prison: %(number)s round", "in prison: %(number)s rounds", team.sentence.rounds), { number: team.sentence.rounds });
  if (team.missed) return fill(ngettext("misses %(number)s turn", "misses %(number)s turns", team.missed), { number: team.missed });
  return "";
};
