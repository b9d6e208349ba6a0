// Keeps one page joined to a match or lesson: a socket that comes back by itself, long polling where
// sockets are blocked. Knows no game: it hands over each message and never changes one.
//
// Messages that need an answer get a request_id and are sent again after a reconnection until they are
// answered; the server gives a repeated id its first answer. An observation older than one that was
// handed over is dropped. States told to `onState`: "connecting", "live", "lost", "polling", "over".
import { isOutdated, renew } from "./protocol.js";

const PING_MS = 10_000;
const BEHIND_MS = 2_000; // so long an observation may be on its way after a heartbeat named its version
const AGAIN_MS = 5_000; // unanswered so long, a message is sent once more over the long poll
const SILENT_MS = 35_000; // nothing heard for so long: the line is dead though nobody said so
const LOST_AFTER_MS = 1_500; // a short gap is not worth a word
const HANDSHAKES = 2; // failed so often, then the long poll
const SOCKET_SOON_MS = 5_000; // so long after the first poll a socket is tried: perhaps the server had only just started
const SOCKET_AGAIN_MS = 60_000; // while polling
const FINAL = new Set([1008, 1009, 4401, 4404, 4410]); // no session, not yours, gone: trying again cannot help
const ELSEWHERE = 4409; // the same browser has too many pages open: come back when this one is used

// How long to wait before the next try: doubles up to a limit, and no two devices wait alike.

const FIRST_MS = 500;
const LONGEST_MS = 15_000;

const waitMs = (tries, random = Math.random) =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, tries - 1)) * (0.5 + random() / 2);

// Ids of requests. A page on a school's own network is often no secure context,
// where crypto.randomUUID is missing; crypto.getRandomValues always is there.

const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Client {
  constructor({ socket, poll, csrf, onMessage, onState }) {
    Object.assign(this, { address: socket, poll, csrf, onMessage, onState });
    this.version = 0;
    this.older = 0; // heartbeats in a row that were behind
    this.page = newId(); // two pages of one browser poll side by side
    this.waiting = new Map();
    this.state = "connecting";
    this.tries = 0;
    this.failedHandshakes = 0;
    this.ended = false;
  }

  start(version) {
    this.version = version;
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#hurry());
    addEventListener("pagehide", () => this.socket?.close());
    addEventListener("pageshow", (event) => event.persisted && this.#hurry());
    for (const use of ["pointerdown", "keydown"]) addEventListener(use, () => this.parked && this.#hurry());
    this.#open();
  }

  // Sends a message that will be answered with "accepted" or "refused"; returns its id.
  ask(message) {
    const request_id = newId();
    // In the order of the reference: what the server writes the same way it reads at a glance.
    const { type, ...wish } = message;
    const whole = { type, request_id, ...wish };
    this.waiting.set(request_id, { whole, sent: Date.now() });
    this.#send(whole);
    return request_id;
  }

  #send(message) {
    if (this.state === "polling") this.#post(message);
    else if (this.socket?.readyState === WebSocket.OPEN && this.greeted) this.socket.send(JSON.stringify(message));
  }

  #open() {
    if (this.ended) return;
    clearTimeout(this.again);
    const url = new URL(this.address, location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.socket = socket;
    this.greeted = false;
    socket.onmessage = (event) => socket === this.socket && this.#received(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.#closed(event.code);
    this.#say("connecting");
    this.#missed();
  }

  // Without a connection from now on; said when it lasts. The long poll speaks for itself.
  #missed() {
    if (this.state !== "polling") this.lost ??= setTimeout(() => this.#say("lost"), LOST_AFTER_MS);
  }

  #greet() {
    this.greeted = true;
    this.tries = 0;
    this.failedHandshakes = 0;
    clearTimeout(this.lost);
    this.lost = null;
    this.polling?.abort();
    this.polling = null;
    this.#say("live");
    for (const { whole } of this.waiting.values()) this.socket.send(JSON.stringify(whole));
    clearInterval(this.pings);
    this.pings = setInterval(() => this.#ping(), PING_MS);
  }

  #ping() {
    if (Date.now() - this.heard > SILENT_MS) {
      const { socket } = this;
      this.socket = null;
      socket.close();
      this.#closed(4408);
    } else if (this.socket?.readyState === WebSocket.OPEN) this.socket.send('{"type":"ping"}');
  }

  #received(message) {
    this.heard = Date.now(); // which goes on while a device sleeps
    if (message.type === "hello" && isOutdated(message)) this.#outdated();
    else {
      if (message.type === "hello" && !this.greeted) this.#greet();
      this.#handOver(message);
    }
  }

  // The program was updated: nothing of what it tells is handed over to this old page.
  #outdated() {
    const { socket } = this;
    this.socket = null;
    socket.close();
    if (renew()) this.ended = true;
    else this.#closed(1012);
  }

  #handOver(message) {
    if (message.type === "accepted" || message.type === "refused") this.waiting.delete(message.request_id);
    if (message.type === "pong") this.#compare(message.version);
    if (message.type === "observation") {
      if (message.version < this.version) return;
      this.version = message.version;
    }
    this.onMessage(message);
  }

  // A process may hear of a version a second late; at two heartbeats behind, the server was given an older state, by a
  // backup or another database. What the page shows is no more then, and it begins anew.
  #compare(version) {
    if (version > this.version) setTimeout(() => this.#catchUp(version), BEHIND_MS);
    this.older = version < this.version ? this.older + 1 : 0;
    if (this.older > 1 && renew()) this.ended = true;
  }

  #catchUp(version) {
    if (version > this.version && this.greeted) this.socket.send(JSON.stringify({ type: "resume", version: this.version }));
  }

  #closed(code) {
    clearInterval(this.pings);
    this.parked = code === ELSEWHERE;
    if (FINAL.has(code)) {
      this.ended = true;
      clearTimeout(this.lost);
      this.#say("over", code);
      return;
    }
    if (!this.greeted) this.failedHandshakes += 1;
    this.tries += 1;
    this.greeted = false;
    if (this.state === "polling") {
      this.again = setTimeout(() => this.#open(), SOCKET_AGAIN_MS);
      return;
    }
    this.#missed();
    if (this.parked) return;
    if (this.poll && this.failedHandshakes >= HANDSHAKES && navigator.onLine !== false) this.#startPolling();
    else this.again = setTimeout(() => this.#open(), waitMs(this.tries));
  }

  #hurry() {
    if (this.ended || this.state === "polling" || this.socket?.readyState === WebSocket.OPEN) return;
    if (this.socket?.readyState === WebSocket.CONNECTING) return;
    this.tries = 0;
    this.parked = false;
    this.#open();
  }

  #polled() {
    const url = new URL(this.poll, location.href);
    url.searchParams.set("page", this.page);
    return url;
  }

  async #startPolling() {
    if (this.polling) return;
    const polling = new AbortController();
    this.polling = polling;
    this.again = setTimeout(() => this.#open(), SOCKET_AGAIN_MS);
    let answered = false;
    for (let tries = 1; !polling.signal.aborted; ) {
      try {
        const url = this.#polled();
        url.searchParams.set("after", this.version);
        if (tries > 1) url.searchParams.set("again", "1"); // an answer may have got lost
        const response = await fetch(url, { signal: polling.signal, headers: { accept: "application/json" } });
        if ([401, 403, 404, 410].includes(response.status)) {
          this.ended = true;
          this.#say("over", 4404);
          return;
        }
        if (!response.ok) throw new Error(String(response.status));
        const frames = await response.json();
        if (frames.some((frame) => frame.type === "hello" && isOutdated(frame))) {
          if (renew()) return;
          this.page = newId(); // the next answer begins with "hello" again
          throw new Error("The server is of another version than this page.");
        }
        if (!answered) {
          answered = true;
          clearTimeout(this.again);
          this.again = setTimeout(() => this.#open(), SOCKET_SOON_MS);
        }
        if (this.state !== "polling") {
          clearTimeout(this.lost);
          this.lost = null;
          this.#say("polling");
        }
        for (const entry of this.waiting.values()) {
          if (Date.now() - entry.sent < AGAIN_MS) continue;
          entry.sent = Date.now();
          this.#post(entry.whole);
        }
        tries = 1;
        for (const frame of frames) this.#handOver(frame);
      } catch (error) {
        if (polling.signal.aborted) return;
        if (!answered) return this.#nobodyThere();
        console.warn("The long poll failed and is tried again.", error);
        this.#say("lost");
        await new Promise((done) => setTimeout(done, waitMs(tries)));
        tries += 1;
      }
    }
  }

  // Sockets fail and the poll, too: no network blocks sockets, the server is away. It is tried until it is back.
  #nobodyThere() {
    this.polling = null;
    this.failedHandshakes = 0;
    clearTimeout(this.again);
    this.again = setTimeout(() => this.#open(), waitMs(this.tries));
  }

  async #post(message) {
    try {
      const response = await fetch(this.#polled(), {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json", "x-csrftoken": this.csrf },
        body: JSON.stringify(message),
      });
      const answer = await response.json();
      for (const frame of Array.isArray(answer) ? answer : [answer]) this.#handOver(frame);
    } catch (error) {
      // It stays in `waiting` and is sent again after the next answer of the long poll.
      console.warn("A message could not be sent yet.", error);
    }
  }

  #say(state, code) {
    if (state === this.state || (this.state === "polling" && state === "connecting")) return;
    if (state === "connecting" && this.state === "lost") return;
    this.state = state;
    this.onState(state, code);
  }
}
