// The list of lessons: which are solved, live.
import { decide, listen, put } from "./server.js";

const banner = document.getElementById("page-banner");
const says = JSON.parse(banner.dataset.says);
const { proof, secret } = JSON.parse(banner.dataset.run);
const all = (query) => document.querySelectorAll(query);

const show = (rows) => {
  const solved = new Set(rows.filter((one) => one.solved).map((one) => one.name));
  document.getElementById("page-progress").textContent = put(says.progress, { solved: solved.size, all: rows.length });
  for (const one of all("[data-lesson]")) one.classList.toggle("solved", solved.has(one.dataset.lesson));
  for (const row of rows) mark(row);
  for (const track of all(".track[data-track]")) count(track, solved);
  renew(rows.map((row) => [row.status, row.solved]).join());
};

const mark = (row) => {
  const item = document.querySelector(`li[data-lesson="${row.name}"]`);
  item?.querySelector(".state")?.remove();
  const shown = row.solved ? `✓ ${says.solved}` : row.status === "unattempted" ? "" : row.called;
  if (!item || !shown) return;
  const state = document.createElement("span");
  state.className = row.solved ? "state good" : "state";
  state.textContent = shown;
  item.append(state);
};

const count = (track, solved) => {
  const names = [...track.querySelectorAll("li[data-lesson]")].map((one) => one.dataset.lesson);
  const done = names.filter((name) => solved.has(name)).length;
  const finished = done === names.length;
  for (const said of all(`[data-count="${track.dataset.track}"]`)) {
    said.textContent = put(finished ? says.finished : says.progress, { solved: done, all: names.length });
    said.classList.toggle("good", finished);
  }
  for (const bar of all(`[data-done="${track.dataset.track}"]`)) bar.value = done;
};

// Where to go on is known to the server: it is asked again when it has told something new.
let known;
const renew = async (told) => {
  const before = known;
  known = told;
  if (before === undefined || before === told) return;
  const reply = await fetch(location.href);
  if (!reply.ok) return;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  document.getElementById("page-begin").replaceWith(page.getElementById("page-begin"));
};

listen(
  "",
  proof,
  { secret: () => secret, page: "" },
  (event) => {
    if (event.kind === "progress") show(event.rows);
    if (event.kind === "fault") banner.textContent = event.text;
  },
  (gone, again) => (gone ? decide(banner, says.gone, [says.again, again]) : decide(banner, "")),
);
