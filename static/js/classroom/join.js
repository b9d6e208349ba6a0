// The QR code carries the class code behind the "#", where no server and no log sees it.
// Read it, take it out of the address and the history, and send it like a typed one.

const form = document.querySelector("[data-join]");
const code = decodeURIComponent(window.location.hash.slice(1));

if (form && code) {
  window.history.replaceState(null, "", window.location.pathname);
  form.elements.code.value = code;
  form.requestSubmit();
}
