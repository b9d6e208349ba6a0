// The reader's colours: kept in a cookie, so that the server draws the next page in them at once.

const YEAR_S = 31_536_000;

export const themes = (root) => {
  for (const choice of root.querySelectorAll("[data-theme-choice]")) {
    choice.hidden = false;
    choice.querySelector("select").addEventListener("change", (event) => {
      const theme = event.target.value;
      if (theme) document.documentElement.dataset.theme = theme;
      else delete document.documentElement.dataset.theme;
      document.cookie = `theme=${theme}; path=/; max-age=${theme ? YEAR_S : 0}; samesite=lax`;
    });
  }
};
