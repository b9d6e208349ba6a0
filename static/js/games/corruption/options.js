// The moves of Corruption! as rows: what each does, what it costs, how it looks.
import { categoryClass, propertySymbol } from "./look.js";
import { gettext } from "../parts/words.js";

const SYMBOL = { pass: "i-cross", leave: "i-cross", fine: "money", wipe: "i-check", goto_inspector: "inspector", give_donation: "donation", deposit: "insurance" };
const place = (content, id) => content.properties.findIndex((item) => item.id === id);

// Whether the team holds a donation that some move of this decision would use.
export const mayDonate = (decision) => (decision.moves ?? []).some(({ move }) => move.type === "buy" && move.donation === true);

// Acts are done by one member at once; everything else is voted on.
export const acts = (decision) => (decision.moves ?? []).filter((one) => one.act);

export const rows = (decision, observation, content, donate) => {
  const voted = (decision.moves ?? []).filter((one) => !one.act);
  const buys = new Map();
  const out = [];
  for (const one of voted) {
    if (one.move.type !== "buy") {
      out.push(plain(one, observation, content));
      continue;
    }
    const variants = buys.get(one.move.property);
    if (variants) {
      variants.push(one);
      continue;
    }
    const list = [one];
    buys.set(one.move.property, list);
    out.push(list);
  }
  return out.map((row) => (Array.isArray(row) ? buy(row, content, donate) : row));
};

const buy = (variants, content, donate) => {
  const half = variants.find((one) => one.move.donation === true);
  const full = variants.find((one) => one.move.donation !== true);
  const shown = (donate && half) || full || half;
  const index = place(content, shown.move.property);
  const item = content.properties[index];
  const others = variants.filter((one) => one !== shown);
  const cheap = shown === half;
  return {
    key: item.id,
    move: shown.move,
    title: item.label,
    why: shown.cost,
    price: cheap ? content.halves[index] : item.price,
    was: cheap ? item.price : undefined,
    symbol: propertySymbol(item.id),
    css: categoryClass(content, item.category),
    also: others.map((one) => one.move),
    alsoWords: cheap ? gettext("for full price") : gettext("with the donation"),
  };
};

const plain = ({ move, label, cost }, observation, content) => {
  const row = { move, title: label, why: cost, symbol: SYMBOL[move.type] ?? "i-next" };
  if (move.type === "pass" || move.type === "leave") return { ...row, price: 0 };
  if (move.type === "sell") {
    const index = place(content, move.property);
    const item = content.properties[index];
    return { ...row, price: observation.charge?.prices[index] ?? undefined, gain: true, symbol: propertySymbol(item.id), css: categoryClass(content, item.category) };
  }
  if (move.type === "give_donation") {
    const card = content.donation.find((one) => one.id === move.card);
    return { ...row, css: categoryClass(content, card.category) };
  }
  if (move.type === "fine") return { ...row, price: observation.inspection?.fine_fish };
  if (move.type === "wipe") return { ...row, price: observation.inspection?.wipe_fish };
  if (move.type === "qa_reward") return { ...row, symbol: move.reward === "fish" ? "fish" : "die6" };
  return row;
};
