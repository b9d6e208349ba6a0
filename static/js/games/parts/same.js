// Whether two moves, as plain values, are the same.

const sorted = (value) =>
  value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
    : value;

export const moveKey = (move) => JSON.stringify(sorted(move));
export const same = (one, other) => moveKey(one) === moveKey(other);
