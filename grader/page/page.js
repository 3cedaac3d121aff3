"use strict";
// The page reads whole without this: it adds the search, buttons that copy code, and keys for what is too wide.
// `PAGE` is in search.js.
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
  // A button over each block of code that is there to be taken: what a block prints is not.
  const words = PAGE.words;
  const SECONDS = 3;
  const status = document.createElement("p");
  status.className = "sr";
  status.setAttribute("role", "status");

  // A page from another machine has no clipboard unless it is encrypted: there the text is selected, and copied so.
  const copySelected = (code) => {
    getSelection().selectAllChildren(code);
    const done = document.execCommand("copy");
    if (done) getSelection().removeAllRanges();
    return done;
  };
  const take = (code) => {
    if (!navigator.clipboard) return Promise.resolve(copySelected(code));
    return navigator.clipboard.writeText(code.textContent).then(
      () => true,
      () => copySelected(code),
    );
  };
  for (const block of document.querySelectorAll(".lesson pre:not(.output pre)")) {
    const around = document.createElement("div");
    const button = document.createElement("button");
    let until;
    around.className = "copied-from";
    button.type = "button";
    button.textContent = words.copy;
    button.addEventListener("click", async () => {
      const said = (await take(block.firstElementChild)) ? words.copied : words.selected;
      button.textContent = status.textContent = said;
      clearTimeout(until);
      until = setTimeout(() => {
        button.textContent = words.copy;
        status.textContent = "";
      }, SECONDS * 1000);
    });
    block.replaceWith(around);
    around.append(block, button);
  }
  document.body.append(status);
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
  const split = (text) => plain(text).split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
  const lessons = PAGE.lessons.map((one) => ({
    ...one,
    plain: { title: plain(one.title), name: plain(one.name), tags: plain(one.tags), text: ` ${plain(one.text)}` },
    whole: [one.title, one.name, ...one.tags.split(" ")].map((text) => split(text).join("").replaceAll("_", "")),
  }));

  // How well a lesson fits one word of the question; 0 where it does not hold it.
  const fit = ({ plain: held }, word) => {
    if (` ${held.title}`.includes(` ${word}`)) return 9;
    if (`_${held.name}`.includes(`_${word}`)) return 8;
    if (` ${held.tags}`.includes(` ${word}`)) return 4;
    if (held.name.includes(word) || held.title.includes(word)) return 3;
    return held.text.includes(` ${word}`) ? 1 : 0;
  };
  const SHORTEST = 3; // of a shorter word, too many are close
  const SHORTEST_JOINED = 6; // a shorter one stands by chance where two words of a title meet

  // The fewest letters to add, drop, change or swap until a word begins with what was typed.
  const distance = (typed, word) => {
    let [before, last] = [[], [...Array(word.length + 1).keys()]];
    for (let row = 1; row <= typed.length; row++) {
      const now = [row];
      for (let at = 1; at <= word.length; at++) {
        const same = typed[row - 1] === word[at - 1];
        now[at] = Math.min(last[at] + 1, now[at - 1] + 1, last[at - 1] + (same ? 0 : 1));
        const swapped = row > 1 && at > 1 && typed[row - 1] === word[at - 2] && typed[row - 2] === word[at - 1];
        if (swapped) now[at] = Math.min(now[at], before[at - 2] + 1);
      }
      [before, last] = [last, now];
    }
    return Math.min(...last.slice(SHORTEST));
  };
  let all; // every word that a lesson has, made when it is first needed
  const close = (typed) => {
    if (typed.length < SHORTEST) return [];
    all ??= [...new Set(lessons.flatMap(({ title, name, tags, text }) => split(`${title} ${name.replaceAll("_", " ")} ${tags} ${text}`)))];
    const most = typed.length < 8 ? 1 : 2;
    return all.filter((word) => word.length >= SHORTEST && distance(typed, word) <= most);
  };
  // Half as good as a word that is held as it was typed.
  const nearly = (one, words) => Math.max(0, ...words.map((word) => fit(one, word) / 2));

  const best = (fits) =>
    lessons
      .map((one, at) => ({ one, at, fits: fits(one) }))
      .filter(({ fits: each }) => each.every((fit) => fit > 0))
      .map(({ one, at, fits: each }) => ({ one, at, sum: each.reduce((a, b) => a + b, 0) }))
      .sort((a, b) => b.sum - a.sum || a.at - b.at)
      .map(({ one }) => one);

  /** The lessons that have all words of a question; where none has, those that have words which are close. */
  const find = (question) => {
    const asked = split(question);
    if (!asked.length) return null;
    const joined = asked.join("").replaceAll("_", ""); // "soft max" and "layernorm" are spaced in another way than the titles
    const written = ({ whole }) => joined.length >= SHORTEST_JOINED && whole.some((text) => text.includes(joined));
    const hits = best((one) => (written(one) ? [8 * asked.length] : asked.map((word) => fit(one, word))));
    if (hits.length) return { hits, near: false };
    const others = asked.map(close);
    return { hits: best((one) => asked.map((word, at) => fit(one, word) || nearly(one, others[at]))), near: true };
  };

  const input = make("input", { type: "search", placeholder: words.search, "aria-label": words.search, "aria-keyshortcuts": "/", autocomplete: "off" });
  const status = make("p", { role: "status", class: "sr" });
  const found = make("div", { class: "found" });
  const count = (total) => {
    if (total === 1) return words.one;
    return (total > SHOWN ? words.only : words.many).replace("{n}", total).replace("{shown}", SHOWN);
  };
  const says = ({ hits, near }) => {
    if (!hits.length) return words.none;
    return near ? `${words.near} ${count(hits.length)}` : count(hits.length);
  };
  const show = () => {
    const answer = find(input.value);
    status.textContent = answer ? says(answer) : "";
    found.replaceChildren();
    if (!answer) return;
    const { hits, near } = answer;
    if (near) found.append(make("p", { "aria-hidden": "true" }, hits.length ? words.near : words.none));
    const items = hits.slice(0, SHOWN).map((one) =>
      make("li", {}, make("a", { href: `${root}lessons/${one.name}.html` }, one.title, make("small", {}, one.track))),
    );
    if (items.length) found.append(make("ol", {}, ...items));
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
  document.addEventListener("keydown", (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const typing = target.isContentEditable || target.matches("textarea, select, input:not([type=range], [type=checkbox])");
    if (key !== "/" || ctrlKey || metaKey || altKey || typing || event.defaultPrevented) return;
    event.preventDefault();
    input.focus();
  });
  box.append(input, make("kbd", { "aria-hidden": "true" }, "/"), status, found);
  box.hidden = false;
}
