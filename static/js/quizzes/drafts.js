// Keeps what is typed on the server, a moment after the last key: it survives a closed tab, a reload
// and a stop of the server. Says when it was kept, and loudly when it could not be.

const REST_MS = 1_000; // after the last key
const LONGEST_MS = 5_000; // while somebody types without a pause
const ANSWER_MS = 10_000;
const AGAIN_MS = 3_000; // doubled up to AGAIN_MOST_MS
const AGAIN_MOST_MS = 30_000;

class Drafts {
  constructor(form, { state, alarm, elsewhere }) {
    Object.assign(this, { form, state, alarm, elsewhere });
    this.changed = false;
    this.asked = null; // the request under way
    this.waiting = 0; // since when words wait, 0: none do
    this.again = AGAIN_MS;
    this.stopped = false; // another window has kept other words: the user decides
    this.leaving = false;
  }

  note() {
    this.changed = true;
    this.waiting ||= Date.now();
    clearTimeout(this.timer);
    const rest = Math.min(REST_MS, this.waiting + LONGEST_MS - Date.now());
    this.timer = setTimeout(() => this.keep(), Math.max(0, rest));
  }

  async keep({ last = false } = {}) {
    clearTimeout(this.timer);
    if (!this.changed || this.stopped || this.leaving || (this.asked && !last)) return;
    this.changed = false;
    this.waiting = 0;
    const body = new FormData(this.form);
    body.delete("picture_file");
    this.asked = this.send(body, last);
    await this.asked;
    this.asked = null;
    if (this.changed && !this.trouble) this.note();
  }

  async send(body, last) {
    try {
      const options = { method: "POST", body, headers: { accept: "application/json" } };
      const response = await fetch(this.form.dataset.keep, last ? { ...options, keepalive: true } : { ...options, signal: AbortSignal.timeout(ANSWER_MS) });
      const answer = response.redirected ? {} : await response.json();
      if (response.ok && answer.draft) this.kept(answer);
      else if (answer.code === "draft_elsewhere") this.ask(answer);
      else this.fail(answer.message ?? this.form.dataset.unkept);
    } catch (error) {
      console.info("The draft was not kept.", error);
      this.fail(this.form.dataset.unkept);
    }
  }

  kept({ draft, seen, said }) {
    const isNew = this.form.elements.base.value === "0";
    this.form.elements.draft.value = draft;
    this.form.elements.seen.value = seen;
    if (isNew) history.replaceState(null, "", `?draft=${draft}`);
    this.say(said, false);
    this.again = AGAIN_MS;
  }

  fail(words) {
    this.changed = true;
    this.say(words, true);
    this.timer = setTimeout(() => this.keep(), this.again);
    this.again = Math.min(AGAIN_MOST_MS, this.again * 2);
  }

  say(words, trouble) {
    this.state.textContent = words;
    this.state.toggleAttribute("data-trouble", trouble);
    if (trouble !== Boolean(this.trouble)) this.alarm.textContent = trouble ? words : "";
    this.trouble = trouble;
  }

  ask(answer) {
    this.stopped = true;
    this.changed = true;
    const notice = this.elsewhere;
    notice.querySelector("[data-elsewhere-said]").textContent = answer.message;
    const theirs = notice.querySelector("[data-elsewhere-theirs]");
    theirs.hidden = !answer.draft;
    theirs.href = this.form.elements.base.value === "0" ? `?draft=${answer.draft}` : location.pathname;
    notice.querySelector("[data-elsewhere-mine]").onclick = () => {
      this.form.elements.draft.value = answer.draft;
      this.form.elements.seen.value = answer.seen;
      this.stopped = false;
      notice.hidden = true;
      this.keep();
    };
    notice.hidden = false;
    notice.scrollIntoView({ block: "nearest" });
  }

  // A form that is sent waits for the words that are on their way, so that no draft is made after it.
  async submit(event) {
    clearTimeout(this.timer);
    if (this.asked) {
      event.preventDefault();
      const { submitter } = event;
      await this.asked;
      this.form.requestSubmit(submitter);
      return;
    }
    this.leaving = true;
  }
}

export const drafts = (form, places) => {
  const kept = new Drafts(form, places);
  form.addEventListener("input", () => kept.note());
  form.addEventListener("change", () => kept.note());
  form.addEventListener("submit", (event) => kept.submit(event));
  document.addEventListener("visibilitychange", () => document.hidden && kept.keep({ last: true }));
  window.addEventListener("pagehide", () => kept.keep({ last: true }));
  window.addEventListener("pageshow", () => {
    kept.leaving = false;
  });
  window.addEventListener("beforeunload", (event) => {
    if (kept.changed && kept.trouble && !kept.leaving) event.preventDefault();
  });
  if (form.hasAttribute("data-changed")) kept.note();
};
