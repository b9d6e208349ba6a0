// How long to wait before the next try: doubles up to a limit, and no two devices wait alike.

const FIRST_MS = 500;
const LONGEST_MS = 15_000;

export const waitMs = (tries, random = Math.random) =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, tries - 1)) * (0.5 + random() / 2);
