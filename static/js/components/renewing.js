// Makes a part of the page say what a newer one says, and keeps each element that still stands for the same thing: what
// is being pressed, has the focus or is open stays. Two elements stand for the same thing when they have one name and
// one key: data-key, or where a form leads, or what a button or a choice sends.

const keyOf = (node) => {
  if (!(node instanceof Element)) return null;
  if (node.dataset.key !== undefined) return node.dataset.key;
  return node.getAttribute("action") ?? (node.matches("button, option") ? node.getAttribute("value") : null);
};

const same = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

const opened = (node, name) => name === "open" && node.matches("details");

const adopt = (old, fresh) => {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !opened(old, name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
};

// `old` and `fresh` stand for the same thing. `fresh` loses what `old` takes from it.
export const renew = (old, fresh) => {
  if (old.isEqualNode(fresh)) return;
  if (!(old instanceof Element)) {
    old.nodeValue = fresh.nodeValue;
    return;
  }
  adopt(old, fresh);
  renewChildren(old, fresh);
};

export const renewChildren = (old, fresh) => {
  let next = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    let kept = next;
    while (kept && !same(kept, wanted)) kept = kept.nextSibling;
    if (!kept) {
      old.insertBefore(wanted, next);
      continue;
    }
    while (next !== kept) next = gone(next);
    renew(kept, wanted);
    next = kept.nextSibling;
  }
  while (next) next = gone(next);
};

const gone = (node) => {
  const after = node.nextSibling;
  node.remove();
  return after;
};
