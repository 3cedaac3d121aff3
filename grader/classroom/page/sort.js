"use strict";
// The page reads whole without this: it only turns the heads of columns into buttons that sort.
for (const table of document.querySelectorAll("table.sorts")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  if (body.rows.length < 2) continue;
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const text = (row) => row.cells[at].textContent.trim();
      const numbers = [...body.rows].every((row) => /^-?\d*\.?\d*$/.test(text(row)));
      const first = numbers ? "descending" : "ascending";
      const other = numbers ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const compare = (a, b) =>
        numbers ? Number(text(a)) - Number(text(b)) : text(a).localeCompare(text(b), undefined, { numeric: true });
      body.append(...[...body.rows].sort((a, b) => sign * compare(a, b)));
    });
  });
}
