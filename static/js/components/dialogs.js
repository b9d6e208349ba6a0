// Dialogs: data-opens="id" opens one, data-closes inside it or a click beside it closes it.
// Focus goes in and comes back by itself: <dialog> does that.

export const dialogs = (root) => {
  root.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (opener) {
      const dialog = document.getElementById(opener.dataset.opens);
      if (dialog && !dialog.open) {
        event.preventDefault();
        dialog.showModal();
      }
      return;
    }
    const dialog = event.target.closest("dialog");
    if (dialog && (event.target === dialog || event.target.closest("[data-closes]"))) dialog.close();
  });
};
