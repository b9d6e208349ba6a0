// A form that was sent once is not sent again by a second tap. htmx forms look after themselves.

export const sending = (root) => {
  root.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || form.hasAttribute("hx-post")) return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    event.submitter?.setAttribute("aria-busy", "true");
  });
  // a page taken from the browser's memory may be sent anew
  window.addEventListener("pageshow", () => {
    for (const form of root.querySelectorAll("form[data-sent]")) {
      delete form.dataset.sent;
      for (const button of form.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
    }
  });
};
