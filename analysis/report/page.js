"use strict";
// Tables are sorted by their headings, and pictures show the value under the pointer. The page is whole without it.
for (const table of document.querySelectorAll("table.sort")) {
  const body = table.tBodies[0];
  const key = (row, column) => {
    const cell = row.cells[column], number = Number(cell.dataset.v ?? NaN);
    return Number.isNaN(number) ? cell.textContent : number;
  };
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    const button = document.createElement("button");
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      // What has no number stays behind the numbers.
      const compare = (a, b) =>
        typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1) : typeof a === "number" ? -1 : 1;
      const rows = [...body.rows].sort((a, b) => compare(key(a, column), key(b, column)));
      body.append(...rows);
    });
  });
}
for (const figure of document.querySelectorAll("figure")) {
  const data = figure.querySelector("script[type='application/json']"), svg = figure.querySelector("svg");
  if (!data || !svg) continue;
  const { panels, spots, labels, name } = JSON.parse(data.textContent), view = svg.viewBox.baseVal;
  const box = document.createElement("div");
  box.className = "value";
  figure.append(box);
  const part = (axis, value) =>
    axis.log ? Math.log(value / axis.low) / Math.log(axis.high / axis.low) : (value - axis.low) / (axis.high - axis.low);
  const at = (axis, part) =>
    axis.log ? axis.low * Math.pow(axis.high / axis.low, part) : axis.low + part * (axis.high - axis.low);
  const show = (event) => {
    const place = svg.getBoundingClientRect(), frame = figure.getBoundingClientRect();
    const x = (event.clientX - place.left) / place.width * view.width, y = (event.clientY - place.top) / place.height * view.height;
    const number = panels.findIndex(({ box: [l, t, w, h] }) => x >= l && x <= l + w && y >= t && y <= t + h);
    const panel = panels[number], lines = [];
    box.style.display = "none";
    if (!panel) return;
    const [left, top, width, height] = panel.box, across = (x - left) / width, up = 1 - (y - top) / height;
    let nearest = null, distance = Infinity;
    for (const [n, sx, sy, value, label] of spots) {
      if (n !== number || !panel.x || !panel.y) continue;
      const d = Math.hypot((part(panel.x, sx) - across) * width, (part(panel.y, sy) - up) * height);
      if (d < distance) { distance = d; nearest = [sx, sy, value, labels[label]]; }
    }
    const digits = (v) => Number(v.toPrecision(4));
    if (nearest && nearest[3]) lines.push(nearest[3]);
    if (panel.x && panel.x.label) lines.push(`${panel.x.label}: ${digits(nearest ? nearest[0] : at(panel.x, across))}`);
    if (panel.y && panel.y.label) lines.push(`${panel.y.label}: ${digits(nearest ? nearest[1] : at(panel.y, up))}`);
    if (nearest && nearest[3] === undefined) lines.push(`${name}: ${nearest[2] === null ? "no value" : digits(nearest[2])}`);
    if (lines.length === 0) return;
    box.textContent = lines.join("\n");
    box.style.display = "block";
    const right = event.clientX - frame.left + 14 + box.offsetWidth > frame.width;
    box.style.left = `${Math.max(0, event.clientX - frame.left + (right ? -14 - box.offsetWidth : 14)) + figure.scrollLeft}px`;
    box.style.top = `${event.clientY - frame.top + 14}px`;
  };
  svg.addEventListener("pointermove", show);
  svg.addEventListener("pointerdown", show);
  svg.addEventListener("pointerleave", () => { box.style.display = "none"; });
}
