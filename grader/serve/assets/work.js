// A lesson with an editor: what is typed, saved, graded and told. The file on disk is the truth.
import { keep, setting, tabs, view } from "./panes.js";
import { practice } from "./practice.js";
import { results } from "./results.js";
import { ask, canReconnect, decide, listen, load, put } from "./server.js";

const work = document.getElementById("page-work");
const name = work.dataset.name;
const says = JSON.parse(work.dataset.says);
const at = (id) => document.getElementById(`page-${id}`);
let { kit, proof, secret } = JSON.parse(work.dataset.run);
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
  remark: () => {},
  show: () => {},
  settings: ({ size }) => size && box.style.setProperty("font-size", `${size}px`),
  format: (text) => plain.set(text),
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

const made = async (where, text, given) => {
  const { editor: make } = await import("./editor.js");
  return make(where, text, {
    settings: { keys: setting("keys", "usual"), size: setting("size", SIZE) },
    words: says.editor,
    complete: async () => {
      const { ok, held } = await ask("GET", "names");
      return ok ? held : {};
    },
    look: async (text) => (await ask("POST", "look", { body: text })).held.marks ?? [],
    ...given,
  });
};

const choose = async (rich) => {
  const text = editor.text();
  editor.close();
  editor = plain;
  box.hidden = rich;
  if (rich) {
    editor = await made(place, text, { label: box.getAttribute("aria-label"), typed: () => typed(), save: () => grade() });
  } else {
    plain.set(text);
    plain.settings({ size: setting("size", SIZE) });
  }
  if (seen !== undefined) result.mark();
};

let gone = false; // the server

// The text: `seen` is the digest of what is on disk as this page knows it, and `base` is that text.

let seen;
let base = "";
let saving = false;
let later; // what was told of the file while it was saved: the reply comes first
let drafting;
let drafted; // the text of the last draft that the server has
let draft = Promise.resolve(); // the last draft that was sent: a save comes after it
const unsaved = () => seen !== undefined && editor.text() !== base;

const typed = () => {
  state();
  result.old();
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
  // Without a server the text is kept here, and the page may find its server again by itself.
  if (unsaved() && !(gone && mine === editor.text())) event.preventDefault();
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
    result.mark(); // the verdict may have come before this reply
    if (held.text !== text && editor.text() === text) take(held); // it declares UTF-8 now, as the file is kept
    state();
    result.old();
    tell(held.file ? put(says.kept, held) : "");
  } else if (status === 412) {
    draft = keepDraft(text);
    conflict(held);
    state(put(says.not_saved, { why: says.choose }));
  } else {
    keepHere(text);
    state(held.why ? put(says.not_saved, held) : says.unsaved); // the banner says that nobody answers
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

const take = (held, { first = false } = {}) => {
  seen = held.digest;
  editor.set(held.text, { first });
  base = editor.text(); // an editor may write ends of lines in its own way
  state();
  result.old();
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
    result.old();
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
    take(event, { first: true });
    editor.focus();
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

const result = results({ name, says, text: () => editor.text(), seen: () => seen, unsaved, editor: () => editor, tell });

// Hints, and the shipped stub.

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
at("hint-now").addEventListener("click", () => {
  at("hint")?.click();
  view("lesson");
  at("hints")?.closest("section").scrollIntoView({ block: "start" });
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

// Buttons, keys, and settings.

const grade = () => {
  result.await();
  save();
};
const format = async () => {
  const text = editor.text();
  const { ok, held } = await ask("POST", "format", { body: text });
  if (!ok) return tell(held.why ?? says.gone);
  if (held.text === text) return tell(says.formatted);
  if (editor.text() === text) editor.format(held.text);
  typed();
};
at("grade").addEventListener("click", grade);
at("stop").addEventListener("click", () => ask("POST", path("stop")));
at("format").addEventListener("click", format);
const KEYS = {
  "Ctrl+s": () => exercise.saved() || grade(),
  "Ctrl+Enter": result.call,
  "Alt+KeyT": result.walk,
  "Alt+KeyH": () => at("hint-now").click(),
  "Shift+Alt+KeyF": format,
};
addEventListener(
  "keydown",
  (event) => {
    const control = event.ctrlKey || event.metaKey ? "Ctrl+" : "";
    const alt = `${event.shiftKey ? "Shift+" : ""}${event.altKey ? "Alt+" : ""}`;
    // Alt changes the letter on a Mac: the key itself counts then.
    const act = KEYS[control && !alt ? `${control}${event.key.length === 1 ? event.key.toLowerCase() : event.key}` : `${alt}${event.code}`];
    if (!act || (control && alt)) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  },
  { capture: true },
);
const SIZE = 14; // pixels
at("size").value = setting("size", SIZE);
at("size").addEventListener("change", ({ target }) => {
  if (!target.checkValidity() || !target.value) return;
  keep("size", Number(target.value));
  editor.settings({ size: Number(target.value) });
});
at("editor-keys")?.addEventListener("change", ({ target }) => {
  keep("keys", target.value);
  editor.settings({ keys: target.value });
});
if (at("editor-keys")) at("editor-keys").value = setting("keys", "usual");

if (at("again")) {
  at("again").disabled = !canReconnect;
  at("again").checked = Boolean(secret);
}
at("again")?.addEventListener("change", async ({ target }) => {
  const { ok, held } = await ask(target.checked ? "PUT" : "DELETE", "again");
  if (!ok) tell(held.why ?? says.gone);
  else ({ secret } = held);
  target.checked = Boolean(secret);
});
at("language").addEventListener("change", async ({ target }) => {
  const { ok, held } = await ask("PUT", `language/${target.value}`);
  if (ok) location.reload();
  else tell(held.why ?? says.gone);
});

// How many lessons of the track are solved.

const progress = ({ rows }) => {
  const solved = at("solved");
  const track = new Set(JSON.parse(solved.dataset.track));
  const of = rows.filter((one) => track.has(one.name));
  solved.textContent = put(says.progress, { solved: of.filter((one) => one.solved).length, all: of.length });
};

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
  await result.drawing();
  window.FIGURES = held.specs;
  await load("assets/figures.js");
};

// The exercise has an editor like that of the answer, or a text box.
const exercise = practice({
  name,
  says,
  tell,
  create: async (where, text, save) => {
    const label = says.exercise;
    if (at("plain")?.checked === false) return made(where, text, { label, typed: () => {}, save });
    const area = document.createElement("textarea");
    Object.assign(area, { value: text, spellcheck: false, ariaLabel: label });
    where.append(area);
    return { text: () => area.value, set: (after) => (area.value = after) };
  },
});
const { verdict, picture, running, ran, traced, stopped, fault } = result;
const practised = (event) => (result.idle(), exercise.told(event));
const events = { text: text_of, hints, progress, verdict, picture, running, ran, traced, practised, stopped, fault };
const rich = JSON.parse(work.dataset.editor);
if (rich) {
  at("plain").checked = setting("plain", false);
  await choose(!at("plain").checked);
  at("plain").addEventListener("change", ({ target }) => {
    keep("plain", target.checked);
    choose(!target.checked);
  });
} else plain.settings({ size: setting("size", SIZE) });
listen(
  `?p=${name}&tab=${tab}`,
  proof,
  { secret: () => secret, page: `lessons/${name}.html` },
  (event) => events[event.kind](event),
  (now, again) => {
    if (now) {
      if (unsaved() && editor.text() !== drafted) keepHere(editor.text());
      result.idle();
      tell(says.gone, [says.again, again]);
      state();
    } else if (gone) tell("");
    gone = now;
  },
);
figures();
