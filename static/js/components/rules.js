// A link to a rule (data-rule) opens that rule over the page. Where there is no dialog for it, or the
// rule cannot be fetched, the link leads to the page of all rules.

export const ruleLinks = (root) => {
  const dialog = root.getElementById("rule");
  if (!dialog) return;
  root.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-rule]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const page = new URL(link.href);
    try {
      const response = await fetch(`${page.pathname}${link.dataset.rule}/`, { headers: { accept: "application/json" } });
      if (!response.ok) throw new Error(String(response.status));
      const rule = await response.json();
      root.getElementById("rule-id").textContent = rule.id;
      for (const part of ["text", "example"]) {
        const shown = root.getElementById(`rule-${part}`);
        shown.textContent = rule[part];
        shown.lang = rule.language;
      }
      root.getElementById("rule-all").href = link.href;
      dialog.showModal();
    } catch (error) {
      console.warn("The rule could not be shown here.", error);
      location.assign(link.href);
    }
  });
};
