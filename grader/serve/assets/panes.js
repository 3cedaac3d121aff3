// The window: its panes, the borders between them, the tabs of the panel, and what a learner has set.

const KEPT = "grader-window";
const kept = (() => {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {}; // something else has written there
  }
})();

/** What was set before, or what is usual. */
export const setting = (name, usual) => kept[name] ?? usual;
export const keep = (name, value) => {
  kept[name] = value;
  localStorage.setItem(KEPT, JSON.stringify(kept));
};

// The tabs of the panel.

const list = document.querySelector('.panel [role="tablist"]');
const all = [...list.querySelectorAll('[role="tab"]')];
const named = (name) => document.getElementById(`page-tab-${name}`);
const pane = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
const opening = new Map();
const leaving = new Map();
export const tabs = {
  /** Open a tab. */
  show: (name) => {
    const chosen = named(name);
    for (const [left, act] of leaving) if (left !== name && tabs.shown(left)) act();
    for (const tab of all) {
      const open = tab === chosen;
      tab.setAttribute("aria-selected", open);
      tab.tabIndex = open ? 0 : -1;
      pane(tab).hidden = !open;
    }
    chosen.classList.remove("news");
    document.getElementById("page-panes").scrollTop = 0;
    opening.get(name)?.();
  },
  shown: (name) => named(name).getAttribute("aria-selected") === "true",
  /** Call a function each time that a tab is opened. */
  when: (name, act) => opening.set(name, act),
  /** Call a function each time that another tab takes the place of an open one. */
  left: (name, act) => leaving.set(name, act),
  /** Mark a tab that has something new to show. */
  news: (name, there) => named(name).classList.toggle("news", there && !tabs.shown(name)),
  hide: (name, hidden) => {
    if (hidden && tabs.shown(name)) tabs.show("verdict");
    named(name).hidden = hidden;
  },
};
for (const tab of all) tab.addEventListener("click", () => tabs.show(tab.id.replace("page-tab-", "")));
list.addEventListener("keydown", (event) => {
  const seen = all.filter((tab) => !tab.hidden);
  const at = seen.indexOf(document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: seen.length - 1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  const tab = seen[(to + seen.length) % seen.length];
  tab.focus();
  tab.click();
});

// The borders: dragged, or moved by arrow keys. Each sets one size, as a part of its room.

const border = (id, name, usual, { low, high }, part) => {
  const element = document.getElementById(id);
  const set = (percent) => {
    const size = Math.round(Math.max(low, Math.min(high, percent)));
    document.documentElement.style.setProperty(`--${name}`, `${size}%`);
    element.setAttribute("aria-valuenow", size);
    return size;
  };
  element.setAttribute("aria-valuemin", low);
  element.setAttribute("aria-valuemax", high);
  let size = set(setting(name, usual));
  const change = (percent) => {
    size = set(percent);
    keep(name, size);
  };
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    if (element.hasPointerCapture(event.pointerId)) change(part(event, element.parentElement.getBoundingClientRect()));
  });
  element.addEventListener("dblclick", () => change(usual));
  element.addEventListener("keydown", (event) => {
    const less = event.key === "ArrowLeft" || event.key === "ArrowDown";
    if (!less && event.key !== "ArrowRight" && event.key !== "ArrowUp") return;
    event.preventDefault();
    change(size + (less ? -2 : 2));
  });
};
border("page-border-lesson", "lesson", 40, { low: 20, high: 70 }, (event, room) => (100 * (event.clientX - room.left)) / room.width);
border("page-border-panel", "panel", 50, { low: 15, high: 80 }, (event, room) => (100 * (room.bottom - event.clientY)) / room.height);

// A small screen shows one pane at a time.

const small = matchMedia("(max-width: 63.99rem)");
const buttons = document.querySelectorAll("button[data-view]");
/** Show a pane where the screen shows one at a time. */
export const view = (chosen) => {
  const other = document.body.dataset.view !== chosen;
  document.body.dataset.view = chosen;
  for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.view === chosen);
  if (other && small.matches) scrollTo({ top: 0, behavior: "instant" });
};
for (const button of buttons) button.addEventListener("click", () => view(button.dataset.view));
document.querySelector('a[href="#page-work"]').addEventListener("click", () => view("code"));
document.querySelector('a[href="#page-panel"]').addEventListener("click", () => view("result"));
view("lesson");

// The list of keys, and a menu that closes by Escape and by a click elsewhere.

const shortcuts = document.getElementById("page-shortcuts");
document.getElementById("page-keys").addEventListener("click", () => shortcuts.showModal());
addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (event.key === "?" && !typing && !shortcuts.open) {
    event.preventDefault();
    shortcuts.showModal();
  }
});
const menu = document.getElementById("page-settings");
menu.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
addEventListener("pointerdown", (event) => {
  if (!menu.contains(event.target)) menu.open = false;
});
