// The names of modules: completion after a dot, and what a name means on hover.
import { ifNotIn } from "@codemirror/autocomplete";
import { pythonLanguage } from "@codemirror/lang-python";
import { syntaxTree } from "@codemirror/language";
import { hoverTooltip } from "@codemirror/view";

const IMPORT = /^[ \t]*import[ \t]+([^\n#;]+)/gm;
const FROM = /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n#;]+))/gm;
const ICONS = { function: "function", class: "class", module: "namespace", value: "constant" };

/** The parts of `a as b, c`: each with the name that it gets. */
const parts = (listed) =>
  listed.split(",").flatMap((part) => {
    const [, from, name] = part.trim().match(/^([\w.]+)(?:\s+as\s+(\w+))?$/) ?? [];
    return from ? [[from, name]] : [];
  });

/** What the names that a text imports stand for: `jnp` for `jax.numpy`. */
const imported = (text) => {
  const known = new Map();
  for (const [, listed] of text.matchAll(IMPORT)) {
    for (const [module, name] of parts(listed)) {
      const first = module.split(".")[0];
      known.set(name ?? first, name ? module : first);
    }
  }
  for (const [, module, several, one] of text.matchAll(FROM)) {
    for (const [from, name] of parts(several ?? one)) known.set(name ?? from, `${module}.${from}`);
  }
  return known;
};

/** The whole path of `jnp.arange`; undefined where the text imports no such name. */
const path = (state, dotted) => {
  const [first, ...rest] = dotted.split(".");
  const module = imported(state.doc.toString()).get(first);
  return module && [module, ...rest].join(".");
};

/** How a name is called, and its first sentence. */
const shown = (name, [called, says]) => {
  const dom = document.createElement("div");
  dom.className = "cm-name";
  const code = dom.appendChild(document.createElement("code"));
  code.textContent = name + called;
  if (says) dom.appendChild(document.createElement("p")).textContent = says;
  return dom;
};

const completion = (names) => async (context) => {
  const typed = context.matchBefore(/[A-Za-z_][\w.]*/);
  const dot = typed?.text.lastIndexOf(".") ?? -1;
  if (dot < 0 || context.state.sliceDoc(typed.from - 1, typed.from) === ".") return null;
  const module = path(context.state, typed.text.slice(0, dot));
  const entries = module && (await names())[module];
  if (!entries) return null;
  const options = Object.entries(entries).map(([label, entry]) => ({
    label,
    type: ICONS[entry[2]],
    boost: entry[2] === "value" ? -1 : 0,
    info: () => shown(label, entry),
  }));
  return { from: typed.from + dot + 1, options, validFor: /^\w*$/ };
};

const hover = (names) => async (view, position, side) => {
  const node = syntaxTree(view.state).resolveInner(position, side);
  if (node.name !== "VariableName" && node.name !== "PropertyName") return null;
  const from = node.name === "PropertyName" ? node.parent.from : node.from;
  const dotted = view.state.sliceDoc(from, node.to).replace(/\s/g, "");
  const whole = /^\w[\w.]*$/.test(dotted) && path(view.state, dotted);
  if (!whole) return null;
  const dot = whole.lastIndexOf(".");
  const entry = (await names())[whole.slice(0, dot)]?.[whole.slice(dot + 1)];
  return entry ? { pos: node.from, end: node.to, above: true, create: () => ({ dom: shown(whole, entry) }) } : null;
};

/** Completion and hover, from names that are asked for when they are first needed. */
export const known = (ask) => {
  let asked;
  const names = () =>
    (asked ??= ask().catch((error) => {
      asked = undefined; // it is asked again next time
      throw error;
    }));
  return [
    pythonLanguage.data.of({ autocomplete: ifNotIn(["String", "Comment"], completion(names)) }),
    hoverTooltip(hover(names)),
  ];
};
