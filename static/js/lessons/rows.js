// The matches of a lesson as its socket tells them: the newest row of each, in order of number.
import { Client } from "../live/client.js";

const COLOURS = ["red", "blue"];

// The class that gives a seat's colours, also the end of its flag's name.
export const colour = (seat) => COLOURS[seat % COLOURS.length];

// `token`: the secret of the read-only link, on a computer where nobody is logged in.
export const followRows = (lesson, onRows, onState, { token = "", onNotice = () => {} } = {}) => {
  const rows = new Map();
  const query = token ? `?screen=${encodeURIComponent(token)}` : "";
  const client = new Client({
    socket: `/ws/lesson/${lesson}/${query}`,
    poll: `/lessons/${lesson}/now/${query}`,
    onMessage: (message) => {
      if (message.type === "notice") onNotice(message);
      if (message.type !== "row") return;
      const known = rows.get(message.match);
      if (known && known.version > message.version) return;
      rows.set(message.match, { ...message, heard: Date.now() });
      onRows([...rows.values()].sort((one, other) => one.number - other.number));
    },
    onState,
  });
  client.start(0);
};
