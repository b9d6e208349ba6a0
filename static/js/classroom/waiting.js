// The waiting page: a socket tells at once when something moved; the page then asks where to go.
// The form asks every few seconds by itself, so without a socket it only takes a little longer.

const page = document.querySelector("[data-lesson]");
const form = document.querySelector("[data-here]");
const LONGEST_WAIT_MS = 30_000;

const ask = () => form.dispatchEvent(new Event("moved"));

const listen = (wait_ms = 1000) => {
  const scheme = window.location.protocol === "https:" ? "wss" : "ws";
  const as = page.dataset.studentAs ? `?as=${page.dataset.studentAs}` : "";
  const socket = new WebSocket(`${scheme}://${window.location.host}/ws/lesson/${page.dataset.lesson}/${as}`);
  let opened = false;
  socket.addEventListener("open", () => { opened = true; });
  socket.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    if (message.type === "started") window.location.assign(message.address);
    else if (message.type === "notice") ask();
  });
  socket.addEventListener("close", () => {
    ask();
    const next_ms = opened ? 1000 : Math.min(wait_ms * 2, LONGEST_WAIT_MS);
    window.setTimeout(() => listen(next_ms), next_ms * (0.5 + Math.random()));
  });
};

if (page && form) {
  if ("listens" in page.dataset) listen();
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) ask();
  });
}
