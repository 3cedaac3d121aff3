// The editor of an answer: CodeMirror with Python, its keys, marks, names, and the place where one begins.
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  selectedCompletion,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, insertTab, isolateHistory } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  codeFolding,
  ensureSyntaxTree,
  foldEffect,
  foldGutter,
  foldKeymap,
  foldService,
  indentOnInput,
  indentUnit,
  syntaxTree,
} from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, Facet, Prec } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { emacs } from "@replit/codemirror-emacs";
import { Vim, vim } from "@replit/codemirror-vim";
import { colours } from "./colours.js";
import { looks, mark, marks, remark } from "./marks.js";
import { known } from "./names.js";

const TO_PARSE = 500; // milliseconds, at the most, before the text is shown

/** The part in which two texts differ: what stands before and behind it stays, and the cursor with it. */
const change = (before, after) => {
  let from = 0;
  const most = Math.min(before.length, after.length);
  while (from < most && before[from] === after[from]) from += 1;
  let tail = 0;
  while (tail < most - from && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
};

/** Where a place of a text is in the same text with other blanks: behind as many characters that are none. */
const kept = (before, place, after) => {
  let left = before.slice(0, place).replace(/\s/g, "").length;
  let found = 0;
  while (left > 0 && found < after.length) {
    if (/\S/.test(after[found])) left -= 1;
    found += 1;
  }
  return found;
};

// Docstrings fold to their first line.

const folded = (state, docstring) => {
  const { to } = state.doc.lineAt(docstring.from);
  const quotes = state.sliceDoc(docstring.to - 3, docstring.to).match(/("""|'''|["'])$/)?.[0].length ?? 0;
  return docstring.to - quotes > to ? { from: to, to: docstring.to - quotes } : null;
};
const docstringOf = (statement) => (statement?.name === "ExpressionStatement" ? statement.getChild("String") : null);
const docstrings = foldService.of((state, start, end) => {
  const first = start + state.sliceDoc(start, end).search(/\S|$/);
  const { parent } = syntaxTree(state).resolveInner(first, 1);
  const docstring = docstringOf(parent);
  return docstring?.from === first ? folded(state, docstring) : null;
});

/** The function to fill in: the last one with a docstring, first of those that stand in no other. */
const toFill = (state) => {
  const found = [];
  ensureSyntaxTree(state, state.doc.length, TO_PARSE)?.iterate({
    enter: ({ name, node }) => {
      const body = name === "FunctionDefinition" ? node.getChild("Body") : null;
      const docstring = docstringOf(body?.firstChild.nextSibling);
      const outside = node.parent?.name === "DecoratedStatement" ? node.parent.parent : node.parent;
      if (docstring) found.push({ body, docstring, outer: outside?.name === "Script" });
    },
  });
  return found.findLast(({ outer }) => outer) ?? found.at(-1);
};

/** Fold the docstring of the function to fill in, and put the cursor where its first line is to be written. */
const begin = (view) => {
  const { state } = view;
  const fill = toFill(state);
  const from = fill?.docstring.to ?? 0;
  const raises = /^[ \t]*(?=raise NotImplementedError)/m.exec(state.sliceDoc(from, fill?.body.to));
  const first = fill?.docstring.parent.nextSibling?.from ?? from;
  const anchor = raises ? from + raises.index + raises[0].length : first;
  const fold = fill && folded(state, fill.docstring);
  view.dispatch({
    selection: { anchor },
    effects: [
      ...(fold ? [foldEffect.of(fold)] : []),
      EditorView.scrollIntoView(anchor, { y: "nearest", yMargin: 40 }), // what stands above it is seen, where there is room
    ],
  });
};

// Keys: those of this kind of editor, of Vim or of Emacs.

const saving = Facet.define();
Vim.defineEx("write", "w", ({ cm6 }) => cm6.state.facet(saving).forEach((save) => save()));

const held = (event, key) => event.ctrlKey && !event.shiftKey && !event.altKey && event.key.toLowerCase() === key;
// Vim and Emacs take this key for another purpose.
const leaving = EditorView.domEventHandlers({
  keydown: (event, view) => held(event, "m") && (view.setTabFocusMode(), event.preventDefault(), true),
});
// The key that saves means the same everywhere in the editor: in the search, and in Vim and Emacs too.
const saves = (save) => (event) => {
  if (!held(event, "s") && !(event.metaKey && event.key.toLowerCase() === "s")) return;
  event.preventDefault();
  event.stopPropagation();
  save();
};
const KEYS = {
  usual: () => [],
  vim: () => [Prec.highest(leaving), vim({ status: true })],
  emacs: () => [Prec.highest(leaving), emacs()],
};

const tab = (view) => {
  if (!view.state.selection.main.empty) return insertTab(view);
  const column = view.state.selection.main.head - view.state.doc.lineAt(view.state.selection.main.head).from;
  view.dispatch(view.state.replaceSelection(" ".repeat(4 - (column % 4))));
  return true;
};

// A name that stands there already is not to be completed: the key begins a new line, as everywhere.
const enter = (view) => {
  const { from, text } = view.state.doc.lineAt(view.state.selection.main.head);
  const typed = text.slice(0, view.state.selection.main.head - from).match(/\w*$/)[0];
  if (selectedCompletion(view.state)?.label !== typed) return acceptCompletion(view);
  closeCompletion(view);
  return false;
};
const completing = Prec.highest(
  keymap.of([
    { key: "Enter", run: enter },
    { key: "Tab", run: acceptCompletion },
    ...completionKeymap.filter(({ key }) => key !== "Enter"),
  ]),
);
const keys = keymap.of([
  ...closeBracketsKeymap,
  { key: "Tab", run: tab, shift: indentLess },
  ...searchKeymap,
  ...foldKeymap,
  ...lintKeymap,
  ...defaultKeymap,
  ...historyKeymap,
]);

const placeholder = ({ state }, unfold) => {
  const shown = document.createElement("span");
  shown.className = "cm-foldPlaceholder";
  shown.textContent = "…";
  shown.title = state.phrase("unfold");
  shown.setAttribute("role", "button");
  shown.setAttribute("aria-label", state.phrase("folded code"));
  shown.addEventListener("click", unfold);
  return shown;
};
const LANGUAGE = [
  EditorState.tabSize.of(4),
  indentUnit.of("    "),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  python(),
  docstrings,
  codeFolding({ placeholderDOM: placeholder }),
];
const SHOWN = [
  lineNumbers(),
  foldGutter(),
  drawSelection(),
  EditorView.lineWrapping,
  highlightActiveLine(),
  highlightActiveLineGutter(),
  colours,
];

const COMMON = [
  history(),
  search({ top: true }),
  autocompletion({ defaultKeymap: false }),
  completing,
  LANGUAGE,
  marks,
  SHOWN,
  keys,
];

/**
 * An editor in an element.
 * @param {Element} parent where it stands
 * @param {string} text what it holds at first
 * @param {object} given
 * @param {string} given.label its name
 * @param {() => void} given.typed called after a change by hand
 * @param {() => void} given.save called on Ctrl+S, and on `:w` of Vim
 * @param {{keys: "usual" | "vim" | "emacs", size: number}} given.settings its keys, and the size of its letters in pixels
 * @param {Object<string, string>} given.words what it says, by the English words
 * @param {() => Promise<object>} given.complete the names of modules; called when they are first needed
 * @param {(text: string) => Promise<object[]>} given.look the marks of a text, asked for after a pause
 */
export const editor = (parent, text, given) => {
  const settings = { keys: "usual", size: 14, ...given.settings };
  const chosen = new Compartment();
  const choice = () => [KEYS[settings.keys](), EditorView.editorAttributes.of({ style: `font-size: ${settings.size}px` })];
  let setting = false;
  const extensions = [
    saving.of(given.save),
    EditorState.phrases.of(given.words ?? {}),
    EditorView.contentAttributes.of({ "aria-label": given.label, tabindex: "0" }),
    EditorView.updateListener.of(({ docChanged }) => {
      if (docChanged && !setting) given.typed();
    }),
    known(given.complete),
    looks(given.look),
    COMMON,
  ];
  // The chosen keys come before all others: Vim and Emacs take what they know.
  const created = (doc) => EditorState.create({ doc, extensions: [chosen.of(choice()), ...extensions] });
  const view = new EditorView({ parent, state: created(text) });
  begin(view);
  view.dom.addEventListener("keydown", saves(given.save), { capture: true });
  const put = (after, selection) => {
    setting = true;
    // One step of its own in the history: undo brings back what was there.
    const changes = change(view.state.doc.toString(), after);
    view.dispatch({ changes, selection, annotations: isolateHistory.of("full"), scrollIntoView: Boolean(selection) });
    setting = false;
  };
  return {
    text: () => view.state.doc.toString(),
    set: (after, { first = false } = {}) => {
      if (!first) return put(after);
      view.setState(created(after)); // with a history of its own, which has no step yet
      begin(view);
    },
    format: (after) => put(after, { anchor: kept(view.state.doc.toString(), view.state.selection.main.head, after) }),
    mark: (places) => mark(view, places),
    remark: (shown) => remark(view, shown),
    show: (line) => {
      const { from, text: there } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      const anchor = from + there.search(/\S|$/);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    },
    settings: (now) => {
      Object.assign(settings, now);
      view.dispatch({ effects: chosen.reconfigure(choice()) });
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
};
