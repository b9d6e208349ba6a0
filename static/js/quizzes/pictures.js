// A picture is sent as soon as it is chosen, and the form keeps its reference. Without this module it
// goes with the form.

export const pictures = (form) => {
  const field = form.querySelector("[data-picture]");
  const file = field.querySelector("[type=file]");
  const [there, none, image, said] = ["there", "none", "image", "said"].map((part) => field.querySelector(`[data-picture-${part}]`));
  const { picture, alt, csrfmiddlewaretoken } = form.elements;

  const say = (words, trouble = false) => {
    said.textContent = words;
    said.toggleAttribute("data-trouble", trouble);
  };
  const show = (ref, address) => {
    picture.value = ref;
    image.hidden = !address;
    if (address) image.src = address;
    there.hidden = !ref;
    none.hidden = Boolean(ref);
    form.dispatchEvent(new Event("change", { bubbles: true }));
  };

  const send = async () => {
    if (!file.files.length) return;
    const body = new FormData();
    body.append("picture", file.files[0]);
    body.append("csrfmiddlewaretoken", csrfmiddlewaretoken.value);
    say(field.dataset.sending);
    try {
      const response = await fetch(field.dataset.send, { method: "POST", body, headers: { accept: "application/json" } });
      const answer = response.redirected ? {} : await response.json();
      if (response.ok && answer.ref) {
        say("");
        show(answer.ref, answer.small);
        alt.focus();
      } else {
        say(answer.message ?? field.dataset.failed, true);
      }
    } catch (error) {
      console.info("The picture was not sent.", error);
      say(field.dataset.failed, true);
    }
    file.value = "";
  };
  file.addEventListener("change", (event) => {
    event.stopPropagation();
    send();
  });
  send(); // one may be chosen before this module has come

  field.querySelector("[data-picture-out]").addEventListener("click", (event) => {
    event.preventDefault();
    alt.value = "";
    show("", "");
    file.focus();
  });
};
