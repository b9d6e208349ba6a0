// The lists of the form: rows are added, moved and taken out in the page, as the buttons do it on the
// server. Enter goes on to the next line, Alt with an arrow moves one, Alt+M marks it as right.

const texts = (list) => [...list.querySelectorAll(".entry__text")];
const rowsOf = (list) => [...list.querySelectorAll("[data-row]")];
// Choices have the letters that students see, other rows numbers.
const key = (list, at) => (list.dataset.rows === "choices" && at < 26 ? String.fromCharCode(97 + at) : at + 1);
const NUMBERED = ["id", "aria-labelledby", "aria-describedby"];

// Names of the rows follow their places: "choices-2" and "up:choices:1" are of the second row.
const number = (list) => {
  const name = list.dataset.rows;
  const old = new RegExp(`\\b${name}-\\d+`, "g");
  rowsOf(list).forEach((row, at) => {
    row.querySelector("[data-number]").textContent = key(list, at);
    for (const part of row.querySelectorAll("[id], [aria-labelledby], [aria-describedby]")) {
      for (const attribute of NUMBERED) {
        const value = part.getAttribute(attribute);
        if (value) part.setAttribute(attribute, value.replace(old, `${name}-${at + 1}`));
      }
    }
    for (const mark of row.querySelectorAll("[name=right]")) mark.value = at;
    for (const button of row.querySelectorAll("[data-row-act]")) button.value = `${button.dataset.rowAct}:${name}:${at}`;
  });
};

const empty = (row) => {
  for (const text of row.querySelectorAll(".entry__text")) {
    text.value = "";
    text.removeAttribute("aria-invalid");
  }
  for (const mark of row.querySelectorAll("[name=right]")) mark.checked = false;
  row.querySelector("[data-error]")?.remove();
};

const changed = (list) => list.dispatchEvent(new Event("change", { bubbles: true }));

const add = (list) => {
  const rows = rowsOf(list);
  if (rows.length >= Number(list.dataset.most)) return null;
  const row = rows.at(-1).cloneNode(true);
  empty(row);
  rows.at(-1).after(row);
  number(list);
  return row;
};

const remove = (list, row) => {
  const rows = rowsOf(list);
  const at = rows.indexOf(row);
  if (rows.length === 1) empty(row);
  else row.remove();
  number(list);
  const near = rowsOf(list)[Math.max(0, at - 1)];
  const text = near.querySelector(".entry__text:last-of-type");
  text.focus();
  text.setSelectionRange(text.value.length, text.value.length);
};

// The neighbour changes its place, so that the row with the focus stays where it is in the page.
const move = (row, step) => {
  if (step < 0) row.previousElementSibling && row.after(row.previousElementSibling);
  else row.nextElementSibling && row.before(row.nextElementSibling);
};

const nextLine = (list, text) => {
  const all = texts(list);
  const next = all[all.indexOf(text) + 1] ?? add(list)?.querySelector(".entry__text");
  next?.focus();
};

const onKey = (event, list, say) => {
  const text = event.target.closest(".entry__text");
  const row = text?.closest("[data-row]");
  if (!row || event.isComposing) return;
  const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (event.key === "Enter" && plain) {
    nextLine(list, text);
  } else if (event.key === "Backspace" && plain && rowsOf(list).length > 1 && [...row.querySelectorAll(".entry__text")].every((one) => !one.value)) {
    remove(list, row);
    changed(list);
  } else if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    move(row, event.key === "ArrowUp" ? -1 : 1);
    number(list);
    say(row);
    changed(list);
  } else if (event.altKey && event.code === "KeyM") {
    row.querySelector("[name=right]")?.click();
  } else {
    return;
  }
  event.preventDefault();
};

const onClick = (event, list, say) => {
  const row = event.target.closest("[data-row]");
  const act = event.target.closest("[data-row-act]")?.dataset.rowAct;
  if (event.target.closest("[data-row-add]")) {
    add(list)?.querySelector(".entry__text").focus();
  } else if (act === "remove") {
    remove(list, row);
  } else if (act) {
    move(row, act === "up" ? -1 : 1);
    number(list);
    say(row);
  } else {
    return;
  }
  event.preventDefault();
  changed(list);
};

// `said` is read out: which number a moved row has now.
export const rows = (form, said) => {
  const say = (row) => {
    said.textContent = row.querySelector(".entry__key").textContent;
  };
  for (const list of form.querySelectorAll("[data-rows]")) {
    list.addEventListener("keydown", (event) => onKey(event, list, say));
    list.addEventListener("click", (event) => onClick(event, list, say));
  }
};
