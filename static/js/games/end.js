// The last picture of a match: what a game draws into it, what the teacher tells, and back to the board if the
// match goes on.
import { render } from "../../vendor/lit.js";
import { stayAwake } from "../components/awake.js";
import { Client } from "../live/client.js";
import { shown } from "./parts/told.js";

// village(config, observation, seat): what one team built, where a game has something to draw
export const end = (village) => {
  const config = JSON.parse(document.getElementById("match").textContent);
  const { observation, version } = config.frames.findLast((frame) => frame.type === "observation");
  for (const place of document.querySelectorAll("[data-village]")) render(village(config, observation, Number(place.dataset.village)), place);
  const told = document.querySelector("[data-told]");
  stayAwake();
  new Client({
    socket: config.socket,
    poll: config.poll,
    csrf: document.querySelector('meta[name="csrf-token"]').content,
    onMessage: (message) => {
      if (message.type === "lesson") render(shown(message.notice), told);
      if (message.type === "observation" && message.status !== "ended") location.reload();
    },
    onState: () => {},
  }).start(version);
};
