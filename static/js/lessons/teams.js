// Dragging a name from one team to another. Without a pointer the name's link does the same.

const TOKEN = document.querySelector('meta[name="csrf-token"]').content;

const place = async (student, to, address) => {
  const [number, seat] = to.split(".");
  const body = new URLSearchParams({ to: number === "out" ? "" : `${number}.${seat}` });
  const answer = await fetch(address, {
    method: "POST",
    headers: { "X-CSRFToken": TOKEN, "HX-Request": "true" },
    body,
  });
  if (!answer.ok) return location.reload();
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  const section = parsed.querySelector("[data-teams]");
  document.getElementById("plan").replaceChildren(...parsed.getElementById("plan").childNodes);
  document.querySelector("[data-teams]").replaceWith(section);
  window.htmx?.process(section);
  section.querySelector(`[data-student="${CSS.escape(student)}"] a`)?.focus();
};

let held = null;

document.addEventListener("dragstart", (event) => {
  held = event.target.closest?.("[data-student]");
  if (!held) return;
  held.dataset.held = "";
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", held.textContent.trim());
});

document.addEventListener("dragover", (event) => {
  const team = held && event.target.closest?.("[data-team]");
  for (const other of document.querySelectorAll("[data-over]")) if (other !== team) delete other.dataset.over;
  if (!team) return;
  event.preventDefault();
  team.dataset.over = "";
});

document.addEventListener("drop", (event) => {
  const team = held && event.target.closest?.("[data-team]");
  if (!team) return;
  event.preventDefault();
  place(held.dataset.student, team.dataset.team, held.querySelector("a").href);
});

document.addEventListener("dragend", () => {
  if (held) delete held.dataset.held;
  for (const over of document.querySelectorAll("[data-over]")) delete over.dataset.over;
  held = null;
});
