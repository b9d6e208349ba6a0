// The page where questions are written. Everything also works without it: buttons send the form.
import { drafts } from "./drafts.js";
import { pictures } from "./pictures.js";
import { rows } from "./rows.js";

const form = document.querySelector("[data-editor]");
const place = (name) => document.querySelector(`[data-${name}]`);

// Text fields as high as their text, where the stylesheet cannot say so.
const grow = () => {
  if (CSS.supports("field-sizing", "content")) return;
  const fit = (field) => {
    field.style.blockSize = "auto";
    field.style.blockSize = `${field.scrollHeight + 2}px`;
  };
  form.addEventListener("input", (event) => event.target.matches("textarea") && fit(event.target));
  for (const field of form.querySelectorAll("textarea:not([hidden])")) fit(field);
};

const follow = (event, link) => {
  if (!link) return;
  event.preventDefault();
  link.click();
};

const onKey = (event) => {
  const control = (event.ctrlKey || event.metaKey) && !event.altKey;
  if (control && event.key.toLowerCase() === "s") {
    event.preventDefault();
    form.requestSubmit(place("save"));
  } else if (control && event.key === "Enter") {
    event.preventDefault();
    form.requestSubmit(place("save-new"));
  } else if (event.altKey && event.key === "PageUp") {
    follow(event, place("before"));
  } else if (event.altKey && event.key === "PageDown") {
    follow(event, place("after"));
  }
};

rows(form, place("said"));
pictures(form);
drafts(form, { state: place("state"), alarm: place("alarm"), elsewhere: place("elsewhere") });
grow();
document.addEventListener("keydown", onKey);
form.querySelector("[aria-invalid=true], fieldset:has(> .errorlist)")?.focus();
document.querySelector(".setlist [aria-current]")?.scrollIntoView({ block: "nearest" });
