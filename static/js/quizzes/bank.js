// Ticking many questions: a box for all of the page, how many are ticked, ranges with Shift, "/" to search.

const count = (root) => root.querySelectorAll("[data-tick]:checked").length;

const show = (root) => {
  const words = root.querySelector("[data-ticked]");
  const all = root.querySelector("[data-tick-all]");
  if (!words || !all) return;
  const ticks = root.querySelectorAll("[data-tick]").length;
  const ticked = count(root);
  all.checked = ticked > 0 && ticked === ticks;
  all.indeterminate = ticked > 0 && ticked < ticks;
  words.textContent = ticked ? words.dataset.some.replace("{count}", ticked) : words.dataset.none;
};

const ticking = (root) => {
  const boxes = [...root.querySelectorAll("[data-tick]")];
  const all = root.querySelector("[data-tick-all]");
  let last = null;
  if (all) {
    all.hidden = false;
    all.addEventListener("change", () => {
      boxes.forEach((box) => { box.checked = all.checked; });
      show(root);
    });
  }
  root.addEventListener("click", (event) => {
    const box = event.target.closest("[data-tick]");
    if (!box) return;
    if (event.shiftKey && last) {
      const [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
      boxes.slice(from, to + 1).forEach((one) => { one.checked = box.checked; });
    }
    last = box;
    show(root);
  });
  show(root);
};

document.querySelectorAll("[data-bank]").forEach(ticking);

document.addEventListener("keydown", (event) => {
  const words = document.querySelector("[data-find]");
  const writing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || !words || writing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  words.focus();
  words.select();
});
