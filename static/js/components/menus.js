// A menu (<details class="menu">) closes by Escape, by a click elsewhere and when the focus leaves it.

export const menus = (root) => {
  const openMenus = () => root.querySelectorAll("details.menu[open]");
  root.addEventListener("click", (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
  });
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
