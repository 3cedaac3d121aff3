"use strict";
// The page reads whole without this: it adds the search, and keys for what is too wide. `PAGE` is in search.js.
{
  // What scrolls sideways can be reached by the keyboard, and nothing else is a stop on the way.
  const wide = new ResizeObserver((seen) => {
    for (const { target } of seen) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const one of document.querySelectorAll("pre.code, .display, .scroll")) wide.observe(one);
}
{
  const box = document.querySelector(".search");
  const root = document.body.dataset.root;
  const words = PAGE.words;
  const SHOWN = 12;

  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const lessons = PAGE.lessons.map((one) => ({
    ...one,
    plain: { title: plain(one.title), name: plain(one.name), tags: plain(one.tags), text: ` ${plain(one.text)}` },
  }));

  // How well a lesson fits one word of the question; 0 where it does not hold it.
  const fit = ({ plain: held }, word) => {
    if (` ${held.title}`.includes(` ${word}`)) return 8;
    if (`_${held.name}`.includes(`_${word}`)) return 8;
    if (` ${held.tags}`.includes(` ${word}`)) return 4;
    if (held.name.includes(word) || held.title.includes(word)) return 3;
    return held.text.includes(` ${word}`) ? 1 : 0;
  };
  const find = (question) => {
    const asked = plain(question).split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
    if (!asked.length) return null;
    return lessons
      .map((one, at) => ({ one, at, fits: asked.map((word) => fit(one, word)) }))
      .filter(({ fits }) => fits.every((each) => each > 0))
      .map(({ one, at, fits }) => ({ one, at, sum: fits.reduce((a, b) => a + b, 0) }))
      .sort((a, b) => b.sum - a.sum || a.at - b.at)
      .map(({ one }) => one);
  };

  const input = make("input", { type: "search", placeholder: words.search, "aria-label": words.search, autocomplete: "off" });
  const status = make("p", { role: "status", class: "sr" });
  const found = make("div", { class: "found" });
  const count = (total) => {
    if (total === 0) return words.none;
    if (total === 1) return words.one;
    return (total > SHOWN ? words.only : words.many).replace("{n}", total).replace("{shown}", SHOWN);
  };
  const show = () => {
    const hits = find(input.value);
    status.textContent = hits ? count(hits.length) : "";
    found.replaceChildren();
    if (!hits) return;
    const items = hits.slice(0, SHOWN).map((one) =>
      make("li", {}, make("a", { href: `${root}lessons/${one.name}.html` }, one.title, make("small", {}, one.track))),
    );
    found.append(items.length ? make("ol", {}, ...items) : make("p", { "aria-hidden": "true" }, words.none));
  };
  const links = () => [...found.querySelectorAll("a")];
  input.addEventListener("input", show);
  input.addEventListener("focus", show);
  box.addEventListener("keydown", (event) => {
    const all = links();
    const at = all.indexOf(document.activeElement);
    if (event.key === "Escape") {
      input.value = "";
      show();
      input.focus();
    } else if (event.key === "ArrowDown" && all.length) {
      event.preventDefault();
      all[Math.min(at + 1, all.length - 1)].focus();
    } else if (event.key === "ArrowUp" && at >= 0) {
      event.preventDefault();
      (at ? all[at - 1] : input).focus();
    } else if (event.key === "Enter" && at < 0 && all.length) {
      all[0].click();
    }
  });
  box.addEventListener("focusout", (event) => {
    if (!box.contains(event.relatedTarget)) found.replaceChildren();
  });
  box.append(input, status, found);
  box.hidden = false;
}
