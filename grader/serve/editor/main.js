// The editor of an answer: CodeMirror with Python, its keys, and marks for lines that a verdict names.
import { defaultKeymap, history, historyKeymap, indentLess, insertTab, isolateHistory } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// Colours are the page's, so that they follow light and dark.
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.self], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], color: "var(--code-name)" },
]);
const looks = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--paper)", height: "100%" },
  "&.cm-focused": { outline: "3px solid var(--link)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace", lineHeight: "1.45" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--faint)", backgroundColor: "var(--shade)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--link) 8%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--link) 30%, transparent)",
  },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--shade)", border: "1px solid var(--line)" },
});

/** The part in which two texts differ: what stands before and behind it stays, and the cursor with it. */
const change = (before, after) => {
  let from = 0;
  const most = Math.min(before.length, after.length);
  while (from < most && before[from] === after[from]) from += 1;
  let tail = 0;
  while (tail < most - from && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
};

/**
 * An editor in an element.
 * @param {Element} parent where it stands
 * @param {string} text what it holds at first
 * @param {{label: string, typed: () => void, save: () => void}} given its name, and what to call after a change by hand and
 * on Ctrl+S
 */
export const editor = (parent, text, { label, typed, save }) => {
  let setting = false;
  // Escape and then Tab leaves the editor, for those who use the keyboard alone; so does Ctrl+M (Shift+Alt+M on a Mac).
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        python(),
        syntaxHighlighting(colours),
        lintGutter(),
        looks,
        EditorView.contentAttributes.of({ "aria-label": label }),
        EditorState.tabSize.of(4),
        keymap.of([
          { key: "Mod-s", run: () => (save(), true), preventDefault: true },
          { key: "Tab", run: (target) => tab(target), shift: indentLess },
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !setting) typed();
        }),
      ],
    }),
  });
  const tab = (target) => {
    if (!target.state.selection.main.empty) return insertTab(target);
    const column = target.state.selection.main.head - target.state.doc.lineAt(target.state.selection.main.head).from;
    target.dispatch(target.state.replaceSelection(" ".repeat(4 - (column % 4))));
    return true;
  };
  return {
    text: () => view.state.doc.toString(),
    set: (after) => {
      setting = true;
      // One step of its own in the history: undo brings back what was there.
      view.dispatch({ changes: change(view.state.doc.toString(), after), annotations: isolateHistory.of("full") });
      setting = false;
    },
    mark: (places) => {
      const found = places
        .filter(({ line }) => line >= 1 && line <= view.state.doc.lines)
        .map(({ line, says }) => {
          const { from, to, text: held } = view.state.doc.line(line);
          const start = from + held.length - held.trimStart().length;
          return { from: Math.min(start, to), to, severity: "error", message: says };
        });
      view.dispatch(setDiagnostics(view.state, found.sort((a, b) => a.from - b.from)));
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
};
