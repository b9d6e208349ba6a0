// The switch of the sounds, and the sounds for whoever wants them: only then sound.js is loaded.
let ring = () => {};

const wanted = () => document.cookie.includes("sound=on"); // see sound.js
const sounds = () => import("./sound.js").then((module) => ((ring = module.ring), module));

// Minds the switches of a page; what it returns rings, where sounds are on.
export const ringing = () => {
  document.addEventListener("click", ({ target }) => target.closest("[data-sound]") && sounds().then(({ turnSound }) => turnSound(document)));
  if (wanted()) sounds().then(({ showSound }) => showSound(document));
  return (kind) => ring(kind);
};
