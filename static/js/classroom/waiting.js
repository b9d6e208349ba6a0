// The waiting page: a socket tells at once when something moved; the page then asks where to go.
// It also asks by itself: often without a socket, else so seldom that a whole school can wait.
import { isOutdated, renew } from "../live/protocol.js";

const page = document.querySelector("[data-lesson]");
const form = document.querySelector("[data-here]");
const LONGEST_WAIT_MS = 30_000;
const PING_MS = 10_000; // the desk shows who was silent for 20 s as gone, and after a minute the socket is closed
const ASK_MS = 6_000;
const ASK_WITH_SOCKET_MS = 62_000; // it is noted once a minute; the teacher's list shows who was silent for 90 s as away

let live = false;
let asked = 0;

const ask = () => {
  asked = performance.now();
  form.dispatchEvent(new Event("moved"));
};

const listen = (wait_ms = 1000) => {
  const scheme = window.location.protocol === "https:" ? "wss" : "ws";
  const as = page.dataset.studentAs ? `?as=${page.dataset.studentAs}` : "";
  const socket = new WebSocket(`${scheme}://${window.location.host}/ws/lesson/${page.dataset.lesson}/${as}`);
  let pings;
  let opened = false;
  socket.addEventListener("open", () => {
    opened = live = true;
    pings = window.setInterval(() => socket.send('{"type":"ping"}'), PING_MS);
  });
  socket.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    if (message.type === "hello" && isOutdated(message)) renew() || socket.close();
    else if (message.type === "started") window.location.assign(message.address);
    else if (message.type === "notice") ask();
  });
  socket.addEventListener("close", () => {
    live = false;
    window.clearInterval(pings);
    const next_ms = opened ? 1000 : Math.min(wait_ms * 2, LONGEST_WAIT_MS);
    const soon_ms = next_ms * (0.5 + Math.random()); // after a restart a whole school comes back
    window.setTimeout(() => {
      ask();
      listen(next_ms);
    }, soon_ms);
  });
};

if (page && form) {
  asked = performance.now(); // htmx asks once when the page is there, or the page has just told all
  if ("listens" in page.dataset) listen();
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) ask();
  });
  window.setInterval(() => {
    if (performance.now() - asked > (live ? ASK_WITH_SOCKET_MS : ASK_MS)) ask();
  }, 1000);
}
