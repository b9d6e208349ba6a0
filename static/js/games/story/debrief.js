// Questions for the talk one by one, for the projector; without this script all of them stand below each other.
const list = document.querySelector("[data-debrief]");
const bar = document.querySelector("[data-debrief-steps]");

if (list && bar) {
  const all = [...list.children];
  const place = bar.querySelector("[data-place]");
  const every = bar.querySelector("[data-all]");
  let at = 0;
  let whole = false;
  const draw = () => {
    all.forEach((one, i) => (one.hidden = !whole && i !== at));
    list.classList.toggle("debrief__list--single", !whole);
    place.textContent = whole ? "" : `${at + 1} / ${all.length}`;
    every.setAttribute("aria-pressed", String(whole));
    for (const button of bar.querySelectorAll("[data-step]")) button.hidden = whole;
  };
  const go = (step) => {
    at = (at + step + all.length) % all.length;
    draw();
    all[at].focus({ preventScroll: true });
  };
  for (const button of bar.querySelectorAll("[data-step]")) button.addEventListener("click", () => go(Number(button.dataset.step)));
  every.addEventListener("click", () => {
    whole = !whole;
    draw();
  });
  bar.hidden = false;
  draw();
}
