// The list of lessons: which are solved, live.
import { decide, listen, put } from "./server.js";

const progress = document.getElementById("page-progress");
const banner = document.getElementById("page-banner");
const says = JSON.parse(banner.dataset.says);
const { proof } = JSON.parse(banner.dataset.run);

const show = (rows) => {
  const solved = rows.filter((one) => one.solved).length;
  progress.textContent = put(progress.dataset.says, { solved, all: rows.length });
  for (const row of rows) {
    for (const item of document.querySelectorAll(`[data-lesson="${row.name}"]`)) {
      const shown = row.solved ? `✓ ${says.solved}` : row.status === "unattempted" ? "" : row.called;
      item.querySelector(".state")?.remove();
      if (!shown) continue;
      const state = document.createElement("span");
      state.className = row.solved ? "state good" : "state";
      state.textContent = shown;
      item.append(state);
    }
  }
};

listen(
  "",
  proof,
  (event) => {
    if (event.kind === "progress") show(event.rows);
    if (event.kind === "fault") banner.textContent = event.text;
  },
  (gone, again) => (gone ? decide(banner, says.gone, [says.again, again]) : decide(banner, "")),
);
