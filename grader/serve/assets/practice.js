// Practice: a right answer with one mistake in it, in an editor of its own, and what is said of it.
import { tabs, view } from "./panes.js";
import { ask } from "./server.js";

const at = (id) => document.getElementById(`page-${id}`);

/**
 * The exercise on one problem.
 * @param {{name: string, says: object, create: (place: Element, text: string, act: () => void) => Promise<object>,
 * tell: (text: string) => void}} page the problem, the words, what makes an editor, and what tells of a fault
 */
export const practice = ({ name, says, create, tell }) => {
  const path = `p/${name}/practice`;
  const place = at("exercise"); // it stands where the answer stands, as long as the tab is open
  const work = at("work");
  let editor;
  let known = ""; // the text of the file, as this page has it
  let underWay = false;
  let asked = false; // whether the server was asked what is under way

  const columns = () => {
    const probe = document.createElement("span");
    probe.textContent = "0".repeat(100);
    at("practised").append(probe);
    const wide = probe.getBoundingClientRect().width / 100;
    probe.remove();
    return wide ? Math.floor(at("panes").clientWidth / wide) - 4 : 80;
  };
  const show = async (text) => {
    const there = text !== null;
    underWay = there;
    work.classList.toggle("practising", there && tabs.shown("practice"));
    at("practise").textContent = there ? says.grade_exercise : says.begin;
    for (const one of document.querySelectorAll("[data-move]")) one.hidden = (one.dataset.move !== "worked") !== there;
    if (there && editor === undefined) editor = await create(place, text, () => go());
    else if (there && editor.text() === known) editor.set(text, { first: known === "" }); // else something was typed since
    known = text ?? "";
  };
  const go = async (move = "") => {
    at("practised").textContent = "";
    const typed = underWay ? editor.text() : null;
    const match = known;
    known = typed ?? "";
    const { ok, held } = await ask("POST", path, { body: JSON.stringify({ move, typed, match, columns: columns() }) });
    if (!ok) tell(held.why ?? says.gone);
  };
  const open = async () => {
    work.classList.toggle("practising", underWay);
    if (asked) return;
    asked = true;
    const { ok, held } = await ask("GET", path);
    if (ok) await show(held.text);
    else tell(held.why ?? says.gone);
  };
  tabs.when("practice", open);
  tabs.left("practice", () => work.classList.remove("practising"));
  at("practise").addEventListener("click", () => go());
  for (const one of document.querySelectorAll("[data-move]")) one.addEventListener("click", () => go(one.dataset.move));

  return {
    /** Grade the exercise, if it stands where the answer stands. Returns whether it does. */
    saved: () => {
      const here = work.classList.contains("practising");
      if (here) go();
      return here;
    },
    told: async ({ says: said, text }) => {
      view("result");
      at("practised").textContent = said;
      await show(text);
    },
  };
};
