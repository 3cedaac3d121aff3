// How the editor looks. Every colour is a variable of the page, so that it follows the page from light to dark.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const tint = (colour, share) => `color-mix(in srgb, var(${colour}) ${share}%, transparent)`;
const code = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
const button = {
  font: "inherit",
  color: "var(--ink)",
  background: "var(--shade)",
  border: "1px solid var(--faint)",
  borderRadius: ".3rem",
  padding: ".1rem .5rem",
  minHeight: "1.75rem",
  textTransform: "none",
};
const underlined = (style, colour) => ({
  backgroundImage: "none",
  textDecoration: `underline ${style} var(${colour}) 2px`,
  textUnderlineOffset: "3px",
  textDecorationSkipInk: "none",
});

const syntax = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.self], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], color: "var(--code-name)" },
]);

const text = {
  "&": { color: "var(--ink)", backgroundColor: "var(--paper)", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--link)", outlineOffset: "-2px" },
  // The same over the gutter, which hides a part of the outline.
  "&.cm-focused:after": {
    content: '""',
    position: "absolute",
    inset: "0",
    border: "2px solid var(--link)",
    pointerEvents: "none",
    zIndex: "300",
  },
  ".cm-scroller": { fontFamily: code, lineHeight: "1.45" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--faint)", backgroundColor: "var(--shade)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: tint("--link", 8) },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: tint("--link", 30),
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: tint("--good", 25), outline: "1px solid var(--good)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: tint("--bad", 25), outline: "1px solid var(--bad)" },
  ".cm-foldPlaceholder": {
    color: "var(--faint)",
    background: "var(--shade)",
    border: "1px solid var(--line)",
    borderRadius: ".3rem",
    padding: "0 .4em",
    margin: "0 .2em",
  },
  ".cm-foldGutter .cm-gutterElement": { cursor: "pointer", padding: "0 .2em" },
  "&.cm-editor .cm-fat-cursor": { background: "var(--link) !important", color: "var(--paper) !important" },
  "&.cm-editor:not(.cm-focused) .cm-fat-cursor": {
    background: "none !important",
    color: "transparent !important",
    outline: "1px solid var(--link)",
  },
};

// What a verdict says has a straight line and a tint, what is seen while typing a wavy line: the two are told apart without
// colours too.
const marks = {
  ".cm-lintRange": { paddingBottom: "0" },
  ".cm-lintRange-active": { backgroundColor: tint("--link", 20) },
  ".cm-lintRange.cm-told": { ...underlined("solid", "--bad"), backgroundColor: tint("--bad", 12) },
  ".cm-lintRange.cm-looked": underlined("wavy", "--bad"),
  ".cm-lintRange-warning.cm-looked": underlined("wavy", "--code-number"),
  ".cm-lintPoint:after": { borderBottomColor: "var(--bad)" },
  ".cm-lint-marker": { content: "normal", width: "1em", height: "auto", textAlign: "center", color: "var(--bad)" },
  ".cm-lint-marker:before": { content: '"●"' },
  ".cm-lint-marker-warning": { content: "normal", color: "var(--code-number)" },
  ".cm-lint-marker-warning:before": { content: '"▲"' },
  ".cm-lint-marker-error": { content: "normal" },
  ".cm-diagnostic": { borderLeft: "4px solid var(--bad)", padding: ".3rem .6rem" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--code-number)" },
  ".cm-beside": {
    color: "var(--faint)",
    fontStyle: "italic",
    marginLeft: "2em",
    userSelect: "none",
    overflowWrap: "anywhere",
  },
};

const windows = {
  ".cm-tooltip": {
    color: "var(--ink)",
    backgroundColor: "var(--shade)",
    border: "1px solid var(--faint)",
    borderRadius: ".3rem",
    maxWidth: "min(40rem, 90vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: code, maxHeight: "14em" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    background: "var(--link)",
    color: "var(--paper)",
    outline: "2px solid transparent", // seen where a reader forces colours
    outlineOffset: "-2px",
  },
  ".cm-completionIcon": { opacity: ".8" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-tooltip.cm-completionInfo, .cm-name": { padding: ".4rem .6rem" },
  ".cm-name code": { fontFamily: code, overflowWrap: "anywhere", background: "none", padding: "0" },
  ".cm-name p": { margin: ".3rem 0 0" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--shade)", fontSize: "max(.85em, 13px)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search, .cm-panel.cm-gotoLine": { padding: ".4rem 2.2rem .4rem .5rem" },
  ".cm-panel.cm-search label": { fontSize: "inherit", padding: ".2rem 0" },
  ".cm-panel .cm-button": { ...button, backgroundImage: "none" },
  ".cm-panel .cm-textfield": { ...button, background: "var(--paper)" },
  ".cm-panel.cm-search [name=close], .cm-dialog-close": { ...button, top: ".3rem", right: ".3rem", padding: "0 .5rem" },
  ".cm-panel.cm-panel-lint": {
    "& ul [aria-selected]": { backgroundColor: tint("--link", 20) },
    "& ul:focus [aria-selected]": { backgroundColor: "var(--link)", color: "var(--paper)" },
    "& [name=close]": { ...button, padding: "0 .5rem" },
  },
  ".cm-searchMatch": { backgroundColor: tint("--good", 25), outline: "1px solid var(--good)" },
  ".cm-searchMatch-selected": { backgroundColor: tint("--link", 40), outline: "2px solid var(--link)" },
  ".cm-vim-panel, .cm-vim-panel input": { fontFamily: code, color: "var(--ink)", background: "var(--shade)" },
};

export const colours = [syntaxHighlighting(syntax), EditorView.theme({ ...text, ...marks, ...windows })];
