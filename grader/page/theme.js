"use strict";
// Light or dark: as the system is, or as the reader chose. This runs before the page is drawn, so that no other colour flashes.
const THEME = (() => {
  const KEPT = "grader-theme";
  const CHOICES = ["system", "light", "dark"];
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => root.dataset.theme ?? "system";

  // Some browsers keep nothing, for a page from a disk or by their settings: there a choice lasts as long as the page.
  const storage = (() => {
    try {
      return window.localStorage;
    } catch {
      return null;
    }
  })();

  const say = () => {
    const button = document.querySelector(".theme");
    if (button) button.textContent = button.dataset[chosen()];
  };
  /** Tells scripts that draw by themselves. */
  const tell = () => dispatchEvent(new Event("themechange"));
  const take = (choice) => {
    if (CHOICES.indexOf(choice) > 0) root.dataset.theme = choice;
    else delete root.dataset.theme;
    say();
    tell();
  };

  take(storage?.getItem(KEPT));
  system.addEventListener("change", tell);
  addEventListener("storage", ({ key, newValue }) => {
    if (key === KEPT) take(newValue);
  });
  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector(".theme");
    button.hidden = false;
    button.addEventListener("click", () => {
      const next = CHOICES[(CHOICES.indexOf(chosen()) + 1) % CHOICES.length];
      if (next === "system") storage?.removeItem(KEPT);
      else storage?.setItem(KEPT, next);
      take(next);
    });
    say();
  });
  return { dark: () => (chosen() === "system" ? system.matches : chosen() === "dark") };
})();
