// Which messages the scripts of this page understand. A page from before an update of the program hears another number
// in "hello" and loads itself anew; what it showed comes from the server again.
const PROTOCOL = 1; // that of games/services/codes.py
const YOUNG_MS = 10_000; // a page so young was loaded anew just now, from a server not yet updated: it waits

// Whether this page must not go on with what the server tells it.
export const isOutdated = (hello) => hello.protocol !== PROTOCOL;

// Loads the page anew; false where that has just been tried.
export const renew = () => {
  if (performance.now() < YOUNG_MS) return false;
  location.reload();
  return true;
};
