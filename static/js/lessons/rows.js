// The matches of a lesson as its socket tells them: the newest row of each, in order of number.
import { Client } from "../live/client.js";

const COLOURS = ["red", "blue"];

// The class that gives a seat's colours, also the end of its flag's name.
export const colour = (seat) => COLOURS[seat % COLOURS.length];

// What time it is for the server, whatever the computer's own clock says; null until the socket has told. A clock that
// is set meanwhile changes nothing: the time since then is measured, not read.
let told = null;
export const serverNow = () => (told ? told.at + performance.now() - told.heard : null);

// `token`: the secret of the read-only link, on a computer where nobody is logged in.
export const followRows = (lesson, onRows, onState, { token = "", onNotice = () => {}, onLesson = () => {} } = {}) => {
  const rows = new Map();
  const query = token ? `?screen=${encodeURIComponent(token)}` : "";
  const client = new Client({
    socket: `/ws/lesson/${lesson}/${query}`,
    poll: `/lessons/${lesson}/now/${query}`,
    onMessage: (message) => {
      if (message.type === "hello") told = { at: message.server_time, heard: performance.now() };
      if (message.type === "notice") onNotice(message);
      if (message.type === "lesson") onLesson(message);
      if (message.type !== "row") return;
      const known = rows.get(message.match);
      if (known && known.version > message.version) return;
      rows.set(message.match, { ...message, heard: performance.now() });
      onRows([...rows.values()].sort((one, other) => one.number - other.number));
    },
    onState,
  });
  client.start(0);
};
