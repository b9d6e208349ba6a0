// One match as onlookers follow it: what was told, and the moments that come forward by themselves.
import { Client } from "../../live/client.js";
import { after, blank } from "../../live/picture.js";

const MOMENT_MS = 9_000; // how long a card stays in front of the board

// config: of the page (frames, socket, poll). game: what only the game knows: hear, happened, moment (what comes
// forward now), glimpse (the same in few words), lasts (whether it stays until something happens).
// draw(state) is called for everything new; the moves of flags and fish follow one picture later, below root().
// ring(kind) is called once for what happened just now: the end, a moment, another team's turn.
export const watching = (config, game, draw, root, ring) => {
  const state = { picture: blank, connection: "connecting", lesson: null, moment: null, glimpse: null };
  let timer;

  const show = (moment, glimpse) => {
    clearTimeout(timer);
    Object.assign(state, { moment, glimpse });
    if (moment && !game.lasts?.(state.picture)) timer = setTimeout(() => draw(show(null, null)), MOMENT_MS);
    return state;
  };

  const receive = (message) => {
    if (message.type === "lesson") {
      draw(Object.assign(state, { lesson: message }));
      return;
    }
    const old = state.picture;
    state.picture = after(old, message);
    if (message.type === "observation" && state.picture.observation) {
      game.hear?.(state.picture);
      const fresh = old.observation && message.version > old.version;
      const moment = fresh || game.lasts?.(state.picture) ? game.moment?.(state.picture) : null;
      if (moment) show(moment, game.glimpse?.(state.picture) ?? null);
      else if (old.observation && game.lasts?.(old)) show(null, null);
      if (fresh) requestAnimationFrame(() => requestAnimationFrame(() => game.happened?.(state.picture, root())));
      const kind = fresh && heard(old, state.picture, moment);
      if (kind) ring(kind);
    }
    draw(state);
  };

  for (const message of config.frames) receive(message);
  new Client({
    socket: config.socket,
    poll: config.poll,
    csrf: document.querySelector('meta[name="csrf-token"]').content,
    onMessage: receive,
    onState: (connection) => draw(Object.assign(state, { connection })),
  }).start(state.picture.version);
  return state;
};

const isOver = (picture) => picture.status === "ended" || Boolean(picture.outcome);

// The kind of sound that tells of the step from one picture to the next; null: none.
const heard = (old, picture, moment) => {
  if (isOver(picture)) return isOver(old) ? null : "over";
  if (moment) return "news";
  return picture.waiting.length && picture.waiting[0].seat !== old.waiting[0]?.seat ? "asked" : null;
};

// The sentence for everybody: what is waited for.
export const asks = (picture) => picture.waiting[0]?.text;

// Draws at most once a picture of the screen, however much is told.
export const once = (drawNow) => {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      drawNow();
    });
  };
};
