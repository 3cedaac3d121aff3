// Marks on parts of the text with a sentence each, and faint words at the ends of lines.
import { forEachDiagnostic, lintGutter, linter, setDiagnostics, setDiagnosticsEffect } from "@codemirror/lint";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, WidgetType } from "@codemirror/view";

// Who has set a mark: the verdict, or a look at the text while it is typed. Neither changes the marks of the other.
const TOLD = "cm-told";
const LOOKED = "cm-looked";

const LOOK_AFTER = 400; // milliseconds without a key
const SEVERITIES = ["error", "warning", "info", "hint"];

/** Where a column is that counts characters. JavaScript counts some of them twice. */
const at = (line, column) => line.from + [...line.text].slice(0, column).join("").length;

const marked = (doc, by, { line, column, end_line, end_column, says, kind, yours, needed }) => {
  const first = doc.line(line);
  const last = doc.line(Math.min(Math.max(end_line ?? line, line), doc.lines));
  const start = column == null ? first.from + first.text.search(/\S|$/) : at(first, column);
  const to = Math.max(start, end_column == null ? last.to : at(last, end_column));
  const severity = SEVERITIES.includes(kind) ? kind : "error";
  return { from: start, to, severity, message: says, markClass: by, yours, needed };
};

/** The marks that stand in a text now, where edits have moved them to. */
const standing = (state) => {
  const found = [];
  forEachDiagnostic(state, (one, from, to) => found.push({ ...one, from, to }));
  return found;
};

/** Set the marks of one side. A place that the text does not have is left out. */
const setMarks = (view, by, places) => {
  const { doc } = view.state;
  const others = standing(view.state).filter(({ markClass }) => markClass !== by);
  const own = places.filter(({ line }) => line >= 1 && line <= doc.lines).map((place) => marked(doc, by, place));
  view.dispatch(setDiagnostics(view.state, [...others, ...own]));
};

/** Set the marks of the verdict. */
export const mark = (view, places) => setMarks(view, TOLD, places);

/** Sets the marks that `ask` gives for a text, after a pause in the typing. */
export const looks = (ask) =>
  ViewPlugin.define((view) => {
    let later;
    let there = true;
    const look = async () => {
      const { doc } = view.state;
      const found = await ask(doc.toString());
      if (there && view.state.doc === doc) setMarks(view, LOOKED, found);
    };
    return {
      update({ docChanged }) {
        if (!docChanged) return;
        clearTimeout(later);
        later = setTimeout(look, LOOK_AFTER);
      },
      destroy() {
        there = false;
        clearTimeout(later);
      },
    };
  });

class Beside extends WidgetType {
  constructor(text) {
    super();
    this.text = text;
  }
  eq(other) {
    return other.text === this.text;
  }
  toDOM() {
    const shown = document.createElement("span");
    shown.className = "cm-beside";
    shown.textContent = this.text;
    return shown;
  }
  ignoreEvent() {
    return false; // a click on it goes to the end of the line
  }
}
const beside = (doc, line, text) => Decoration.widget({ widget: new Beside(text), side: 1 }).range(doc.line(line).to);

// What a verdict knows of a part of a line, as long as that part stands.
const values = StateField.define({
  create: () => Decoration.none,
  update: (shown, transaction) => {
    if (!transaction.docChanged && !transaction.effects.some((effect) => effect.is(setDiagnosticsEffect))) return shown;
    const { state } = transaction;
    const found = standing(state).flatMap(({ to, yours, needed }) => {
      const known = [["yours", yours], ["needed", needed]].filter(([, value]) => value != null);
      if (!known.length) return [];
      const text = known.map(([word, value]) => `${state.phrase(word)} ${value}`).join(" · ");
      return [beside(state.doc, state.doc.lineAt(to).number, text)];
    });
    return Decoration.set(found, true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const setRemarks = StateEffect.define();
const remarks = StateField.define({
  create: () => Decoration.none,
  update: (shown, { changes, effects, newDoc }) => {
    const set = effects.find((effect) => effect.is(setRemarks));
    if (!set) return shown.map(changes);
    const there = set.value.filter(({ line }) => line >= 1 && line <= newDoc.lines);
    return Decoration.set(there.map(({ line, text }) => beside(newDoc, line, text)), true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Set the words at the ends of lines. */
export const remark = (view, shown) => view.dispatch({ effects: setRemarks.of(shown) });

// A mark whose text is deleted is gone, but its sign in the gutter is not: the marks that are left are set again.
const tidied = EditorView.updateListener.of(({ docChanged, startState, state, view }) => {
  const left = docChanged ? standing(state) : [];
  if (docChanged && left.length < standing(startState).length) view.dispatch(setDiagnostics(state, left));
});

// Who comes to a marked line without seeing it hears what is said of it.
const announced = EditorState.transactionExtender.of(({ startState, selection, docChanged }) => {
  if (!selection || docChanged) return null;
  const line = startState.doc.lineAt(selection.main.head);
  if (line.number === startState.doc.lineAt(startState.selection.main.head).number) return null;
  const said = standing(startState).filter(({ from, to }) => from <= line.to && to >= line.from);
  return said.length ? { effects: EditorView.announce.of(said.map(({ message }) => message).join(" ")) } : null;
});

export const marks = [linter(null), lintGutter(), values, remarks, tidied, announced];
