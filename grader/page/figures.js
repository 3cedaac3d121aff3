"use strict";
// Draws the figures of a lesson. `FIGURES` is in the lesson's own script, `vegaEmbed` in the shared one, `PAGE` in search.js,
// `THEME` in theme.js.
{
  const words = PAGE.words;
  const WIDEST = 640;
  const BESIDE = 60; // the room that an axis takes
  // Vega takes no `light-dark()`: it is told the colour that an element of the page has.
  const sample = document.createElement("span");
  const colour = (name) => {
    sample.style.color = `var(${name})`;
    return getComputedStyle(sample).color;
  };
  // Orange and blue with the paper between them: told apart by those who see red and green alike.
  const scales = () =>
    THEME.dark()
      ? { diverging: ["#f4a259", "#8a4b12", "#22272e", "#1f5f99", "#8cc8ff"], ramp: ["#1d2229", "#1f5f99", "#8cc8ff"], marks: ["#8cc8ff", "#f4a259", "#6fdd8b", "#e59bd8", "#d5d06a", "#a0aab6"] }
      : { diverging: ["#a04000", "#f0b27a", "#f7f7f7", "#7fb3d8", "#0b4f8a"], ramp: ["#f4f6f8", "#7fb3d8", "#0b4f8a"], marks: ["#0b4f8a", "#b45309", "#116329", "#8b2a7a", "#6b6407", "#57606a"] };
  // Vega describes axes and legends in English alone: in another language, what stands around the drawing says it.
  const config = (aria) => {
    const { diverging, ramp, marks } = scales();
    const text = { labelColor: colour("--ink"), titleColor: colour("--ink") };
    return {
      background: null,
      autosize: { type: "pad", resize: true }, // a legend that grows needs a taller picture
      font: "system-ui, sans-serif",
      axis: { ...text, aria, gridColor: colour("--line"), domainColor: colour("--faint"), tickColor: colour("--faint"), labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" },
      legend: { ...text, aria, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", orient: "bottom", gradientLength: 180, columns: 3 },
      title: { color: colour("--ink"), fontSize: 13, anchor: "start" },
      header: text,
      view: { stroke: null, continuousHeight: 200 },
      range: { diverging, heatmap: ramp, ramp, category: marks },
      mark: { color: marks[0] },
      text: { color: colour("--ink") },
      rule: { color: colour("--ink") },
      style: {
        cursor: { shape: "square", filled: false, color: colour("--cursor"), strokeWidth: 3, opacity: 1 },
        chosen: { filled: true, color: colour("--cursor"), opacity: 1 },
      },
    };
  };

  // A width of "container" at any depth becomes the room that there is: Vega-Lite itself fits single charts alone.
  // Colours that diverge are mixed so that no third one stands between.
  const fitted = (spec, room) => {
    if (Array.isArray(spec)) return spec.map((one) => fitted(one, room));
    if (spec === null || typeof spec !== "object") return spec;
    const made = Object.fromEntries(
      Object.entries(spec).map(([key, value]) => [key, key === "width" && value === "container" ? room : fitted(value, room)]),
    );
    return made.range === "diverging" || made.range === "ramp" ? { interpolate: "rgb", ...made } : made;
  };

  const picking = (view, { on, fields }) => {
    const set = Object.entries(fields);
    const take = (_, item) => {
      const datum = item?.datum;
      if (!datum || set.some(([, field]) => datum[field] === undefined)) return;
      for (const [name, field] of set) view.signal(name, datum[field]);
      view.runAsync();
    };
    for (const event of new Set([on, "click"])) view.addEventListener(event, take);
  };

  const ending = (plot, view, ends) => {
    for (const [name, end] of Object.entries(ends)) {
      const slider = plot.parentElement.querySelector(`[name="${name}"]`);
      const follow = () => {
        const most = view.signal(end);
        slider.max = most;
        if (view.signal(name) > most) view.signal(name, most).runAsync();
      };
      view.addSignalListener(end, () => view.runAfter(follow));
      follow();
    }
  };

  const drawn = async (plot, { vega, reads, pick, ends = {} }) => {
    const said = plot.parentElement.querySelector(".said");
    const kept = plot.view ? new Map((vega.params ?? []).filter((one) => one.bind).map(({ name }) => [name, plot.view.signal(name)])) : new Map();
    const width = Math.max(200, Math.min(WIDEST, plot.clientWidth - BESIDE));
    plot.view?.finalize();
    // The controls stand before the drawing, in the order in which a keyboard and a screen reader meet them.
    const bind = `#${plot.parentElement.id} .controls`;
    const english = (plot.lang || document.documentElement.lang) === "en";
    const options = { bind, renderer: "svg", ast: true, actions: false, config: config(english), tooltip: { theme: THEME.dark() ? "dark" : "light" } };
    const { view } = await vegaEmbed(plot, fitted(vega, width), options);
    // A slider says its value itself: beside it the number is for the eye.
    for (const slider of document.querySelectorAll(`${bind} [type="range"]`)) slider.nextElementSibling.ariaHidden = "true";
    for (const [name, value] of kept) view.signal(name, value);
    if (reads) {
      view.addSignalListener(reads, (_, text) => (said.textContent = text));
      said.textContent = view.signal(reads);
    }
    if (pick) picking(view, pick);
    await view.runAsync();
    ending(plot, view, ends); // by what was chosen, which holds only now
    plot.view = view;
    plot.width = width;
    plot.dataset.drawn = "yes";
  };

  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  // FNV-1a: the same word has the same row everywhere. Row 0 stands for padding.
  const row = (token, count) => {
    let hash = 2166136261;
    for (const byte of new TextEncoder().encode(token)) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
    return 1 + (hash % (count - 1));
  };

  const walked = (plot, { sentence, words: told, vocabulary, positions }) => {
    const width = positions[0].length;
    const put = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
    const input = make("input", { type: "text", value: sentence, "aria-label": told.sentence, spellcheck: "false", maxlength: "200" });
    const step = make("input", { type: "range", min: "1", max: "4", value: "1", "aria-label": told.step });
    const number = make("span", { "aria-hidden": "true" });
    const said = plot.parentElement.querySelector(".said");
    const table = make("table", { class: "walk" });
    const shown = (value) => value.toFixed(2).replace(/^-0\.00$/, "0.00").replace("-", "−");
    const cell = (value) => {
      const one = make("td", { class: "n" }, shown(value));
      const share = Math.min(100, Math.round(Math.abs(value) * 22));
      one.style.background = `color-mix(in srgb, var(${value < 0 ? "--low" : "--high"}) ${share}%, transparent)`;
      return one;
    };
    const draw = () => {
      const all = input.value.toLowerCase().match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];
      const tokens = all.slice(0, positions.length);
      const at = Number(step.value);
      number.textContent = step.value;
      const rows = tokens.map((token, place) => {
        const id = row(token, vocabulary.length);
        const sum = vocabulary[id].map((value, dim) => value + positions[place][dim]);
        return { token, place, id, values: [null, vocabulary[id], positions[place], sum][at - 1] };
      });
      const head = [told.token, told.position, told.row, ...(at > 1 ? positions[0].map((_, dim) => put(told.dim, { dim })) : [])];
      table.replaceChildren(
        make("thead", {}, make("tr", {}, ...head.map((one, place) => make("th", { scope: "col", ...(place ? { class: "n" } : {}) }, one)))),
        make("tbody", {}, ...rows.map(({ token, place, id, values }) =>
          make("tr", {}, make("th", { scope: "row" }, token), make("td", { class: "n" }, `${place}`), make("td", { class: "n" }, `${id}`), ...(values ?? []).map(cell)),
        )),
      );
      const now = tokens.length ? put(told[`step${at}`], { token: rows[0].token, row: rows[0].id, count: vocabulary.length - 1, width }) : told.empty;
      said.textContent = all.length > tokens.length ? `${now} ${put(told.cut, { shown: tokens.length, all: all.length })}` : now;
    };
    input.addEventListener("input", draw);
    step.addEventListener("input", draw);
    plot.replaceChildren(
      make("p", {}, make("label", {}, `${told.sentence} `, input)),
      make("p", {}, make("label", {}, `${told.step} `, step, number)),
      make("div", { class: "scroll" }, table),
    );
    draw();
    plot.dataset.drawn = "yes";
  };

  sample.hidden = true;
  document.body.append(sample);
  const plots = [...document.querySelectorAll(".plot")];
  const draw = async (plot) => {
    const figure = FIGURES[Number(plot.dataset.figure)];
    try {
      if (figure.walk) walked(plot, figure.walk);
      else await drawn(plot, figure);
    } catch (error) {
      plot.textContent = words.drawing.replace("{why}", error.message);
    }
  };
  // One at a time, and again when the room or the colours change. What was chosen stays.
  let last = Promise.resolve();
  const again = (chosen) => {
    for (const plot of chosen) last = last.then(() => draw(plot));
  };
  const charts = () => plots.filter((plot) => plot.view);
  again(plots);
  addEventListener("themechange", () => again(charts()));
  let waiting;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => again(charts().filter((plot) => Math.max(200, Math.min(WIDEST, plot.clientWidth - BESIDE)) !== plot.width)), 200);
  });
}
