// Finds one's name in a long list. Without this module the whole list is shown.

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

const field = document.querySelector("[data-find]");
if (field) {
  const names = [...document.querySelectorAll("[data-name]")];
  const none = document.querySelector("[data-found]");
  field.hidden = false;
  field.querySelector("input").addEventListener("input", (event) => {
    const wanted = plain(event.target.value.trim());
    let found = 0;
    for (const item of names) {
      item.hidden = !plain(item.dataset.name).includes(wanted);
      if (!item.hidden) found += 1;
    }
    none.hidden = found > 0;
  });
}
