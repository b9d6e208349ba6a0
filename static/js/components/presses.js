// Whether something in a part of the page is being pressed: what moves away under a press gets no click.

// Returns a function that tells so; `released` is called after the click of a press.
export const presses = (place, released = () => {}) => {
  let pressed = false;
  place.addEventListener("pointerdown", ({ button }) => (pressed = button === 0));
  for (const end of ["pointerup", "pointercancel", "contextmenu", "blur"])
    addEventListener(end, () => {
      if (!pressed) return;
      pressed = false;
      setTimeout(released);
    });
  return () => pressed;
};
