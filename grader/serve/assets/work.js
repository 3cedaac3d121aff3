// A lesson with an editor: what is typed, saved, graded and told. The file on disk is the truth.
import { ask, decide, listen, load, put } from "./server.js";

const work = document.getElementById("page-work");
const name = work.dataset.name;
const says = JSON.parse(work.dataset.says);
const at = (id) => document.getElementById(`page-${id}`);
const { kit, proof } = JSON.parse(work.dataset.run);
const path = (what) => `p/${name}/${what}`;
const DRAFT_AFTER = 700; // milliseconds without a key
const tab = [...crypto.getRandomValues(new Uint8Array(8))].map((one) => one.toString(16).padStart(2, "0")).join("");

// The editor, or the text box that everything works in.

const box = at("text");
const place = at("editor");
const plain = {
  text: () => box.value,
  set: (text) => {
    const { selectionStart: start, selectionEnd: end } = box;
    box.value = text;
    box.setSelectionRange(start, end);
  },
  mark: () => {},
  focus: () => box.focus(),
  close: () => {},
};
let editor = plain;
let leaving = false; // Escape was pressed: the next Tab leaves the box
box.addEventListener("keydown", (event) => {
  if (event.key === "Tab" && !leaving && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    const { selectionStart: start, selectionEnd: end, value } = box;
    const line = value.lastIndexOf("\n", start - 1) + 1;
    if (event.shiftKey) {
      const blanks = value.slice(line).match(/^ {1,4}/)?.[0].length ?? 0;
      box.setRangeText("", line, line + blanks, "end");
      box.setSelectionRange(Math.max(line, start - blanks), Math.max(line, end - blanks));
    } else {
      box.setRangeText(" ".repeat(4 - ((start - line) % 4)), start, end, "end");
    }
    typed();
  }
  leaving = event.key === "Escape";
});
box.addEventListener("input", () => typed());

const choose = async (rich) => {
  const text = editor.text();
  editor.close();
  editor = plain;
  box.hidden = rich;
  if (rich) {
    const { editor: make } = await import("./editor.js");
    editor = make(place, text, { label: box.getAttribute("aria-label"), typed: () => typed(), save: () => save() });
  } else {
    plain.set(text);
  }
  editor.mark(marks);
};

let gone = false; // the server

// The text: `seen` is the digest of what is on disk as this page knows it, and `base` is that text.

let seen;
let base = "";
let saving = false;
let later; // what was told of the file while it was saved: the reply comes first
let marks = [];
let shown; // the verdict that is shown
let drafting;
let drafted; // the text of the last draft that the server has
let draft = Promise.resolve(); // the last draft that was sent: a save comes after it
const unsaved = () => seen !== undefined && editor.text() !== base;

const typed = () => {
  state();
  old();
  clearTimeout(drafting);
  drafting = setTimeout(() => {
    draft = keepDraft(editor.text());
  }, DRAFT_AFTER);
};
// What the server cannot keep, the browser keeps for the page that is opened next.
const KEPT = `grader-${kit}-${name}`;
let mine; // what this page has kept there: another text is that of an earlier page, and is offered
const keepHere = (text) => localStorage.setItem(KEPT, (mine = text));
const keepDraft = async (text) => {
  const { ok } = await ask("PUT", path(`draft/${tab}`), { body: text });
  if (ok) {
    drafted = text;
    if (localStorage.getItem(KEPT) === mine) localStorage.removeItem(KEPT);
  } else keepHere(text);
};
const state = (why = "") => {
  at("state").textContent = why || (unsaved() ? says.unsaved : says.saved);
};
addEventListener("beforeunload", (event) => {
  if (unsaved()) event.preventDefault();
});

const save = async ({ match = seen } = {}) => {
  clearTimeout(drafting);
  await draft;
  const text = editor.text();
  saving = true;
  const { ok, status, held } = await ask("PUT", path(`stub?tab=${tab}`), { body: text, match });
  saving = false;
  if (ok) {
    seen = held.digest;
    base = text;
    if (shown?.digest === seen && shown.lines.length) editor.mark((marks = shown.lines)); // it came before this reply
    if (held.text !== text && editor.text() === text) take(held); // it declares UTF-8 now, as the file is kept
    state();
    old();
    tell(held.file ? put(says.kept, held) : "");
  } else if (status === 412) {
    draft = keepDraft(text);
    conflict(held);
    state(put(says.not_saved, { why: says.choose }));
  } else {
    keepHere(text);
    state(put(says.not_saved, { why: held.why ?? says.gone }));
  }
  const told = later;
  later = undefined;
  if (told) text_of(told);
};

// Something to decide: a sentence, and buttons.

const banner = at("banner");
let conflicted = false; // the banner asks which of two texts to take
const tell = (text, ...choices) => {
  conflicted = false;
  const focused = choices.map(([label, act]) => [label, () => (act(), editor.focus())]);
  decide(banner, text, ...focused);
};

const take = (held) => {
  seen = held.digest;
  editor.set(held.text);
  base = editor.text(); // an editor may write ends of lines in its own way
  state();
  old();
};
const conflict = (held) => {
  const sentence = held.fault ? put(says.unreadable, { why: held.fault }) : says.changed;
  const takes = async () => {
    const text = editor.text();
    const { ok, held: kept } = await ask("POST", path("keep"), { body: text });
    if (!ok) return tell(kept.why ?? says.gone);
    if (editor.text() !== text) return conflict(held); // typed meanwhile: it is asked about too
    take(held);
    ask("DELETE", path(`draft/${tab}`));
    tell(put(says.taken, kept));
  };
  tell(sentence, ...(held.fault ? [] : [[says.take, takes]]), [says.keep, () => save({ match: "*" })]);
  conflicted = true;
};

// A text that was not saved: of a tab that is closed now, or of this browser while there was no server.
const offer = (event) => {
  const kept = localStorage.getItem(KEPT);
  if (kept === event.text) localStorage.removeItem(KEPT);
  const here = kept !== null && kept !== event.text;
  if (!here && !event.draft) return;
  const found = here ? kept : event.draft.text;
  const drop = () => (here ? localStorage.removeItem(KEPT) : ask("DELETE", path(`draft/${event.draft.tab}`)));
  const use = async () => {
    editor.set(found);
    state();
    old();
    await keepDraft(found);
    drop();
  };
  tell(here ? says.drafted_here : put(says.drafted, event.draft), [says.use, use], [says.drop, drop]);
};

const text_of = (event) => {
  if (saving) {
    later = event;
    return;
  }
  if (seen === undefined) {
    take(event);
    offer(event);
    if (event.fault) conflict(event);
    return;
  }
  if (event.digest === seen) return;
  if (event.text === editor.text() && !event.fault) take(event);
  else if (event.fault || unsaved()) conflict(event);
  else {
    if (conflicted) tell("");
    take(event);
  }
};

// The verdict: its words first, its picture when the words are painted.

const old = () => {
  const stale = shown !== undefined && (shown.digest !== seen || unsaved());
  at("verdict").classList.toggle("old", stale);
  at("picture").classList.toggle("old", stale);
  if (stale && !running) at("phase").textContent = says.old;
  else if (!running) at("phase").textContent = "";
};
let running = false;
const verdict = (event) => {
  running = event.provisional;
  at("stop").hidden = !running;
  if (shown?.html !== event.html) at("verdict").innerHTML = event.html;
  if (!event.provisional) {
    const announced = put(says.verdict, { status: event.called, says: event.says });
    // The same words would not be read again: they are taken away first.
    at("announced").textContent = "";
    requestAnimationFrame(() => {
      at("announced").textContent = announced;
    });
  }
  shown = event;
  marks = event.digest === seen ? event.lines : [];
  editor.mark(marks);
  follow(event);
  old();
  picture(event);
};
const follow = (event) => {
  const next = at("next");
  next.replaceChildren();
  if (event.next) {
    const link = document.createElement("a");
    link.href = `${event.next.name}.html`;
    link.textContent = put(says.next, event.next);
    next.append(link);
  }
  if (event.status === "wrong" && at("hint") && !at("hint").hidden) {
    const more = document.createElement("button");
    more.type = "button";
    more.textContent = says.more;
    more.addEventListener("click", () => {
      at("hint").click();
      view("lesson");
      at("hints").scrollIntoView({ block: "center" });
    });
    next.append(more);
  }
  at("solution").hidden = !event.solution;
  at("solution").dataset.state = event.solution;
  at("show").textContent = event.solution === "open" ? says.compare : says.solution;
};

let vega;
const drawing = () => (vega ??= load("assets/vega.js"));
const picture = async (event) => {
  const figure = at("picture");
  figure.hidden = true;
  if (!event.picture) return;
  const [room, caption] = figure.children;
  try {
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
    await drawing();
    if (shown !== event) return;
    room.setAttribute("aria-label", event.picture.label);
    await window.vegaEmbed(room, event.picture.spec, { actions: false, renderer: "canvas", ast: true });
    caption.textContent = event.picture.said;
  } catch (error) {
    caption.textContent = put(says.picture, { why: error.message });
  }
  figure.hidden = false;
};

const phase = (event) => {
  running = true;
  at("stop").hidden = false;
  at("phase").textContent = put(says.grading, { n: event.seconds, phase: event.phase });
};
const idle = (said) => {
  running = false;
  at("stop").hidden = true;
  old();
  if (said) at("phase").textContent = said;
};

// Hints, the worked answer, the shipped stub.

const hints = (event) => {
  const button = at("hint");
  if (!button) return;
  at("hints").innerHTML = event.html
    .map((one, number) => `<section class="hint"><p><b>${put(says.hint, { n: number + 1, all: event.all })}</b></p>${one}</section>`)
    .join("");
  const left = event.all - event.html.length;
  at("hints-left").textContent = left ? put(says.first_of, { all: left }) : "";
  button.hidden = left === 0;
};
at("hint")?.addEventListener("click", async () => {
  const { ok, held } = await ask("POST", path("hint"));
  if (!ok) tell(held.why ?? says.gone);
});
const worked = async (spoil) => {
  const { ok, held } = await ask("GET", `${path("solution")}${spoil ? "?spoil" : ""}`);
  if (!ok) return tell(held.why ?? says.gone);
  const title = (words) => {
    const heading = document.createElement("h3");
    heading.textContent = words;
    return heading;
  };
  const part = (html) => {
    const held = document.createElement("div");
    held.innerHTML = html;
    return held;
  };
  at("worked").replaceChildren(title(held.heading), part(held.html), title(held.compared), part(held.difference));
};
at("show").addEventListener("click", () => {
  if (at("solution").dataset.state === "open") worked(false);
  else tell(says.spoils, [says.show, () => worked(true)], [says.cancel, () => {}]);
});
at("reset").addEventListener("click", () => {
  const put_back = async () => {
    clearTimeout(drafting);
    await draft;
    const files = [];
    while (unsaved()) {
      const text = editor.text();
      const { ok, held } = await ask("POST", path("keep"), { body: text });
      if (!ok) return tell(held.why ?? says.gone);
      files.push(held.file);
      base = text; // it is kept: the shipped stub may take its place
    }
    const { ok, held } = await ask("POST", path("reset"));
    if (!ok) return tell(held.why ?? says.gone);
    if (unsaved()) return conflict(held); // typed meanwhile
    take(held);
    ask("DELETE", path(`draft/${tab}`));
    if (held.file) files.push(held.file);
    tell(files.length ? put(says.was_reset, { file: files.join(", ") }) : says.as_shipped);
  };
  tell(says.reset_asked, [says.reset_now, put_back], [says.cancel, () => {}]);
});

// Buttons, keys, and the two views of a small screen.

at("grade").addEventListener("click", () => save());
at("stop").addEventListener("click", () => ask("POST", path("stop")));
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
    event.preventDefault();
    if (!place.contains(event.target) || editor === plain) save(); // the editor has this key itself
  }
});
const view = (chosen) => {
  const other = document.body.dataset.view !== chosen;
  document.body.dataset.view = chosen;
  for (const button of document.querySelectorAll("[data-view]")) {
    if (button !== document.body) button.setAttribute("aria-pressed", button.dataset.view === chosen);
  }
  if (other && getComputedStyle(document.querySelector(".views")).display !== "none") scrollTo({ top: 0, behavior: "instant" });
};
for (const button of document.querySelectorAll("button[data-view]")) {
  button.addEventListener("click", () => view(button.dataset.view));
}
document.querySelector('a[href="#page-work"]').addEventListener("click", () => view("code"));
view("lesson");

// Figures of the lesson come when they are made.

const figures = async () => {
  const { ok, held } = await ask("GET", `figures/${name}`);
  if (gone) return;
  if (!ok) return tell(put(says.figures, { why: held.why ?? says.gone }));
  if (!held.figures.length) return;
  for (const figure of held.figures) {
    const section = document.querySelector(`section[data-part="${CSS.escape(figure.section)}"]`);
    const made = document.createElement("div");
    made.innerHTML = figure.html;
    section?.append(...made.children);
  }
  await drawing();
  window.FIGURES = held.specs;
  await load("assets/figures.js");
};

const events = {
  text: text_of,
  verdict,
  picture: (event) => {
    if (shown?.digest !== event.digest) return;
    shown.picture = event.picture;
    picture(shown);
  },
  running: phase,
  hints,
  stopped: () => idle(says.stopped),
  fault: (event) => {
    idle("");
    tell(event.text);
  },
  progress: () => {},
};
const rich = JSON.parse(work.dataset.editor);
if (rich) {
  await choose(true);
  at("plain").addEventListener("change", (event) => choose(!event.target.checked));
}
listen(
  `?p=${name}&tab=${tab}`,
  proof,
  (event) => events[event.kind](event),
  (now, again) => {
    if (now) {
      if (unsaved() && editor.text() !== drafted) keepHere(editor.text());
      idle("");
      tell(says.gone, [says.again, again]);
      state();
    } else if (gone) tell("");
    gone = now;
  },
);
figures();
