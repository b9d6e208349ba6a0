// Short sounds, made by the browser itself. They are off until somebody switches them on on this device, and
// tell nothing that the page does not say. Pages load this module only when somebody wants to hear something.
const NOTES = {
  news: [330], // Hz, one after the other
  asked: [523, 784],
  over: [523, 659, 784],
};
const STEP_S = 0.14;
const LASTS_S = 0.25;
const LOUD = 0.12;
const YEAR_S = 31_536_000;

let context = null;

const isOn = () => document.cookie.includes("sound=on");

export const ring = (kind) => {
  if (!isOn()) return;
  context ??= new AudioContext();
  context.resume(); // after the page was loaded it may wait for a tap
  NOTES[kind].forEach((pitch, place) => {
    const from = context.currentTime + place * STEP_S;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUD, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + LASTS_S);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + LASTS_S);
  });
};

export const showSound = (root) => {
  for (const button of root.querySelectorAll("[data-sound]")) button.setAttribute("aria-pressed", String(isOn()));
};

export const turnSound = (root) => {
  document.cookie = `sound=on; path=/; max-age=${isOn() ? 0 : YEAR_S}; samesite=lax`;
  showSound(root);
  ring("asked");
};
