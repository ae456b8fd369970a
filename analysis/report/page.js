"use strict";
// Tables are sorted by their headings, pictures show the value under the pointer, and maps say which point it is. The page is whole
// without it.
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
const digits = (v) => Number(v.toPrecision(4));
const part = (axis, value) =>
  axis.log ? Math.log(value / axis.low) / Math.log(axis.high / axis.low) : (value - axis.low) / (axis.high - axis.low);
const at = (axis, part) =>
  axis.log ? axis.low * Math.pow(axis.high / axis.low, part) : axis.low + part * (axis.high - axis.low);
// A word as a shell takes it.
const word = (text) => /^[\w\-./=:,+@%]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
const make = (name, parent, text = "") => {
  const element = document.createElement(name);
  element.textContent = text;
  parent.append(element);
  return element;
};
// The index of the value that is nearest to a place along an axis.
const closest = (values, axis, place) => {
  let best = 0;
  for (let i = 1; axis && i < values.length; ++i)
    if (Math.abs(part(axis, values[i]) - place) < Math.abs(part(axis, values[best]) - place)) best = i;
  return best;
};
// The index that lies so many places behind another one, in the order of the values.
const beside = (values, index, places) => {
  const order = [...values.keys()].sort((a, b) => values[a] - values[b]), to = order.indexOf(index) + places;
  return order[Math.min(Math.max(to, 0), order.length - 1)];
};
// What is said of a cell: the values of the axes, and its number, or how its point ended.
const describe = ({ panels, statuses, name }, map, [x, y]) => {
  const panel = panels[map.panel], cell = map.cells[x * map.y.length + y];
  const lines = [["x", x], ["y", y]].filter(([side]) => panel[side] && panel[side].label)
    .map(([side, i]) => `${panel[side].label}: ${digits(map[side][i])}`);
  return [...lines, `${name || "status"}: ${typeof cell === "string" ? statuses[cell] : cell === null ? "no value" : cell}`];
};
// Below a map stand the cell that was chosen by a click or by keys, and the line that runs its point again.
const chooser = (figure, svg, data) => {
  const place = make("div", figure), said = make("p", place, "A click or the arrow keys choose a point, and give the line that runs it again.");
  const line = make("p", place), code = make("code", line), copy = make("button", line, "Copy");
  place.className = "chosen";
  said.setAttribute("aria-live", "polite");
  line.hidden = true;
  copy.type = "button";
  const marks = ["back", "mark"].map((name) => {
    const mark = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    mark.setAttribute("class", name);
    svg.append(mark);
    return mark;
  });
  let current = null;
  const choose = (map, cell) => {
    const { box: [left, top, width, height], x, y } = data.panels[map.panel];
    current = [map, cell];
    for (const mark of marks) {
      mark.setAttribute("r", 6);
      mark.setAttribute("cx", left + width * (x ? part(x, map.x[cell[0]]) : 0.5));
      mark.setAttribute("cy", top + height * (y ? 1 - part(y, map.y[cell[1]]) : 0.5));
    }
    said.textContent = [map.group, ...describe(data, map, cell)].join(", ");
    code.textContent = `pendula replay ${word(data.file)} --group ${word(map.group)} --point ${map.first + cell[0] * map.each[0] + cell[1] * map.each[1]}`;
    copy.textContent = "Copy";
    line.hidden = false;
  };
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      document.execCommand("copy");
    }
    copy.textContent = "Copied";
  });
  svg.tabIndex = 0;
  svg.setAttribute("aria-description", "Arrow keys move from point to point, Page Down and Page Up from panel to panel.");
  const middle = (map) => ["x", "y"].map((side) => closest(map[side], data.panels[map.panel][side], 0.5));
  svg.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[event.key];
    const page = { PageDown: 1, PageUp: -1 }[event.key];
    if (!by && !page) return;
    event.preventDefault();
    const [map, cell] = current || [data.maps[0], middle(data.maps[0])];
    const other = data.maps[data.maps.indexOf(map) + (page || 0)] || map;
    choose(other, other !== map ? middle(other) : current && by ? ["x", "y"].map((side, k) => beside(map[side], cell[k], by[k])) : cell);
  });
  return choose;
};
for (const figure of document.querySelectorAll("figure")) {
  const text = figure.querySelector("script[type='application/json']"), svg = figure.querySelector("svg");
  if (!text || !svg) continue;
  const data = JSON.parse(text.textContent), view = svg.viewBox.baseVal, { panels, spots, labels, name, maps = [] } = data;
  const box = make("div", figure), choose = maps.length ? chooser(figure, svg, data) : null;
  box.className = "value";
  const show = (event) => {
    const place = svg.getBoundingClientRect(), frame = figure.getBoundingClientRect();
    const x = (event.clientX - place.left) / place.width * view.width, y = (event.clientY - place.top) / place.height * view.height;
    const number = panels.findIndex(({ box: [l, t, w, h] }) => x >= l && x <= l + w && y >= t && y <= t + h);
    const panel = panels[number], lines = [];
    box.style.display = "none";
    if (!panel) return;
    const [left, top, width, height] = panel.box, across = (x - left) / width, up = 1 - (y - top) / height;
    const map = maps.find((map) => map.panel === number);
    if (map) {
      const cell = [closest(map.x, panel.x, across), closest(map.y, panel.y, up)];
      lines.push(...describe(data, map, cell));
      if (event.type === "pointerdown") choose(map, cell);
    } else {
      let nearest = null, distance = Infinity;
      for (const [n, sx, sy, value, label] of spots) {
        if (n !== number || !panel.x || !panel.y) continue;
        const d = Math.hypot((part(panel.x, sx) - across) * width, (part(panel.y, sy) - up) * height);
        if (d < distance) { distance = d; nearest = [sx, sy, value, labels[label]]; }
      }
      if (nearest && nearest[3]) lines.push(nearest[3]);
      if (panel.x && panel.x.label) lines.push(`${panel.x.label}: ${digits(nearest ? nearest[0] : at(panel.x, across))}`);
      if (panel.y && panel.y.label) lines.push(`${panel.y.label}: ${digits(nearest ? nearest[1] : at(panel.y, up))}`);
      if (nearest && nearest[3] === undefined) lines.push(`${name}: ${nearest[2] === null ? "no value" : digits(nearest[2])}`);
    }
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
