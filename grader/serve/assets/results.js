// What is told of an answer: its verdict, its cases, a call, a walk, its picture, what it printed.
import { tabs, view } from "./panes.js";
import { ask, load, put } from "./server.js";

const at = (id) => document.getElementById(`page-${id}`);
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const button = (label, act) => {
  const made = make("button", { type: "button" }, label);
  made.addEventListener("click", act);
  return made;
};

const NARROW = 700; // pixels: the parts of a picture do not fit beside each other

/**
 * What is told of the answers to one problem.
 * @param {{name: string, says: object, text: () => string, seen: () => string, unsaved: () => boolean, editor: () => object,
 * tell: (text: string) => void}} page the problem, the words, the text in the editor, the digest of the saved text, whether
 * the two differ, the editor, and what tells of a fault
 */
export const results = ({ name, says, text, seen, unsaved, editor, tell }) => {
  const path = (what) => `p/${name}/${what}`;
  let shown; // the verdict that is shown
  let drawn; // the picture that is shown, or is due
  let doing = ""; // what is under way

  // The verdict: its words first, its picture when its tab is open.

  const old = () => {
    const stale = shown !== undefined && (shown.digest !== seen() || unsaved());
    for (const id of ["verdict", "cases", "output", "next"]) at(id).classList.toggle("old", stale);
    if (!doing) at("phase").textContent = stale ? says.old : "";
  };
  const idle = (said = "") => {
    doing = "";
    at("stop").hidden = true;
    old();
    if (said) at("phase").textContent = said;
  };
  const mark = () => {
    editor().mark(shown?.digest === seen() ? shown.marks : []);
  };
  const verdict = (event) => {
    doing = event.provisional ? "grading" : "";
    at("stop").hidden = !doing;
    at("first").hidden = true;
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
    mark();
    editor().remark([]);
    follow(event);
    cases(event);
    at("output").textContent = event.printed || says.nothing_printed;
    tabs.news("output", event.printed !== "");
    tabs.hide("solution", !event.solution);
    old();
    draw(event.picture);
  };
  const link = ({ name: lesson, title }, label = title) => make("a", { href: `${lesson}.html` }, label);
  const follow = ({ passed, status }) => {
    const next = at("next");
    next.replaceChildren();
    if (status === "wrong" && at("hint") && !at("hint").hidden) next.append(button(says.more, () => at("hint-now").click()));
    if (!passed) return;
    if (passed.track) {
      const learned = make("ul", {}, ...passed.learned.map((title) => make("li", {}, title)));
      next.append(make("p", {}, make("b", {}, put(says.track_done, { track: passed.track }))), learned);
    }
    const end = make("div", { class: "end" });
    end.innerHTML = passed.end;
    next.append(end);
    if (passed.leads.length) {
      const leads = passed.leads.flatMap((one, number) => (number ? [", ", link(one)] : [link(one)]));
      next.append(make("p", {}, `${says.leads} `, ...leads));
    }
    if (passed.next) {
      const go = link(passed.next, put(says.next, passed.next));
      go.className = "go";
      next.prepend(make("p", {}, go));
    }
  };

  // The cases, and a call with arguments of one's choice.

  const form = at("run");
  const given = () => Object.fromEntries([...form.querySelectorAll("input")].map((one) => [one.name, one.value]));
  let filled = JSON.stringify(given()); // the arguments that the page has filled in: others are the learner's own
  const fill = (values) => {
    const fields = form.querySelector(".fields");
    if (Object.keys(values).join() !== Object.keys(given()).join()) {
      fields.replaceChildren(
        ...Object.keys(values).map((key) =>
          make("label", {}, `${key} `, make("input", { name: key, autocomplete: "off", spellcheck: "false", size: 7 })),
        ),
      );
    }
    for (const field of form.querySelectorAll("input")) field.value = values[field.name];
    filled = JSON.stringify(given());
  };
  const cases = (event) => {
    at("cases").replaceChildren(
      ...event.cases.map((one) => {
        const said = one.passed ? says.passed : says.failed;
        const run = button("", () => {
          fill(one.arguments);
          call();
        });
        run.className = one.passed ? "good" : "bad";
        run.append(make("span", { "aria-hidden": "true" }, one.passed ? "✓" : "✗"), ` ${one.called} `, make("span", { class: "sr" }, said));
        return make("li", {}, run);
      }),
    );
    at("no-cases").hidden = event.cases.length > 0;
    const first = event.cases.find((one) => one.smallest) ?? event.cases[0];
    if (first && filled === JSON.stringify(given())) fill(first.arguments);
  };
  const columns = () => {
    const probe = make("span", {}, "0".repeat(100));
    at("ran").append(probe);
    const wide = probe.getBoundingClientRect().width / 100;
    probe.remove();
    return wide ? Math.floor(at("panes").clientWidth / wide) - 4 : 80;
  };
  const begin = async (what, more) => {
    const { ok, held } = await ask("POST", path(what), { body: JSON.stringify({ typed: text(), given: {}, case: null, columns: columns(), ...more }) });
    if (!ok) tell(held.why ?? says.gone);
  };
  const call = () => {
    tabs.show("run");
    view("result");
    at("ran").textContent = "";
    begin("run", { given: given() });
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    call();
  });
  const walk = () => {
    tabs.show("trace");
    view("result");
    at("traced").textContent = "";
    const failing = shown?.digest === seen() ? shown.cases.findIndex((one) => one.smallest) : -1;
    begin("trace", { case: failing < 0 ? null : failing + 1 });
  };
  at("trace").addEventListener("click", walk);
  const ran = (event) => {
    idle();
    at("ran").textContent = event.text;
    if (event.arguments) fill(event.arguments); // else nothing was called
    draw(event.picture);
  };
  const traced = (event) => {
    idle();
    at("traced").textContent = event.text;
    editor().remark(event.remarks);
  };

  // The picture, drawn when it is looked at.

  /** What draws a picture here: on the page's own paper, and with its parts below each other where there is no room. */
  const fitted = (picture, room) => {
    const { hconcat, ...spec } = { ...(THEME.dark() ? picture.dark : picture.spec), background: "transparent" };
    if (!hconcat) return spec;
    return { ...spec, [room.clientWidth < NARROW ? "vconcat" : "hconcat"]: hconcat };
  };
  addEventListener("themechange", () => draw(drawn));
  let vega;
  const drawing = () => (vega ??= load("assets/vega.js"));
  const draw = async (picture) => {
    drawn = picture;
    tabs.news("picture", Boolean(picture));
    at("no-picture").hidden = Boolean(picture);
    at("picture").hidden = true;
    if (!picture || !tabs.shown("picture")) return;
    const [room, caption] = at("picture").children;
    at("picture").hidden = false;
    caption.textContent = "";
    try {
      await drawing();
      if (drawn !== picture) return;
      room.setAttribute("aria-label", picture.label);
      await window.vegaEmbed(room, fitted(picture, room), { actions: false, renderer: "svg", ast: true });
      caption.textContent = picture.said;
    } catch (error) {
      caption.textContent = put(says.picture, { why: error.message });
    }
  };
  tabs.when("picture", () => draw(drawn));

  // The worked answer: of a problem that is not solved, after a question in its own tab.

  const worked = async (spoil) => {
    const { ok, status, held } = await ask("GET", `${path("solution")}${spoil ? "?spoil" : ""}`);
    if (status === 403) {
      const asked = [make("p", {}, says.spoils), button(says.show, () => worked(true))];
      if (!at("worked").children.length) at("worked").replaceChildren(...asked);
      return undefined;
    }
    if (!ok) return tell(held.why ?? says.gone);
    const part = (html) => {
      const element = make("div");
      element.innerHTML = html;
      return element;
    };
    const compared = [make("h3", {}, held.compared), part(held.difference)];
    at("worked").replaceChildren(make("h3", {}, held.heading), part(held.html), ...compared);
    return undefined;
  };
  tabs.when("solution", () => worked(false));

  return {
    verdict,
    ran,
    traced,
    call,
    walk,
    old,
    mark,
    drawing,
    picture: (event) => {
      if (shown?.digest !== event.digest) return;
      shown.picture = event.picture;
      draw(event.picture);
    },
    running: (event) => {
      doing = event.doing;
      at("stop").hidden = false;
      const said = { grading: says.grading, running: says.running, tracing: says.tracing, practising: says.practising }[doing];
      at("phase").textContent = put(said, { n: event.seconds, phase: event.phase });
    },
    stopped: ({ doing: what }) => {
      const said = { grading: says.grading_stopped, running: says.running_stopped, tracing: says.tracing_stopped };
      idle({ ...said, practising: says.practising_stopped }[what]);
    },
    fault: (event) => {
      idle();
      if (event.doing === "running") at("ran").textContent = event.text;
      else if (event.doing === "tracing") at("traced").textContent = event.text;
      else if (event.doing === "practising") at("practised").textContent = event.text;
      else tell(event.text);
    },
    idle,
    /** Show where the result of a save comes. */
    await: () => {
      tabs.show("verdict");
      view("result");
    },
  };
};
