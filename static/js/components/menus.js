// A menu (<details class="menu">) closes by Escape, by a click elsewhere, when the focus leaves it, and when something in it
// was chosen.

export const menus = (root) => {
  const openMenus = () => root.querySelectorAll("details.menu[open]");
  const chosen = (entry) => {
    const menu = entry?.closest("details.menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  };
  root.addEventListener("click", (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
    chosen(event.target.closest("a"));
  });
  root.addEventListener("submit", (event) => chosen(event.target));
  root.addEventListener("focusin", (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
  });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of openMenus()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
};
