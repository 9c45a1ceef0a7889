// Series over time (uPlot), and curves of one quantity over another. One cursor for all; older runs as ghosts.
import { uPlot } from "./vendor/uplot.js";
import { readable } from "./canvas.js";

const GHOSTS = 3;
const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "u"], [1e-9, "n"]];

export class Plots {
  constructor(series, phase, on) {
    this.series = series;
    this.phase = phase;
    this.on = on;
    this.plots = [];
    this.curves = [];
    this.ghosts = [];
    this.data = null;
    new ResizeObserver(() => this.fit()).observe(series);
  }

  /** Draws a table of the motion; the one before becomes a ghost where the columns are the same. */
  show(table, keep) {
    if (this.data && keep && table && same(this.data, table)) this.ghosts = [this.data, ...this.ghosts].slice(0, GHOSTS);
    else if (!keep) this.ghosts = [];
    this.data = table;
    const rows = table ? choose(table) : [];
    const wanted = rows.map((c) => c.name).join();
    if (wanted !== this.wanted || !table) this.build(rows, wanted);
    else this.plots.forEach(({ plot }, i) => plot.setData([table.values("t"), rows[i].values]));
    this.drawCurves();
  }

  build(rows, wanted) {
    this.wanted = wanted;
    for (const { plot } of this.plots) plot.destroy();
    this.plots = [];
    this.series.replaceChildren();
    rows.forEach((column, i) => {
      const last = i === rows.length - 1;
      const name = column.name;
      const scale = prefix(column.values, column.unit);
      const grid = { stroke: () => css("--grid"), width: 1 };
      const axis = { stroke: () => css("--faint"), grid, ticks: { show: false }, font: "11px system-ui", labelFont: "11px system-ui" };
      const options = {
        width: Math.max(120, this.series.clientWidth), height: last ? 168 : 136, padding: [6, 10, 0, 0],
        cursor: { sync: { key: "time" }, drag: { x: true, y: false }, y: false },
        legend: { show: false },
        scales: { x: { time: false } },
        axes: [
          { ...axis, show: true, size: last ? 40 : 6, label: last ? "t (s)" : undefined, labelSize: last ? 18 : 0, values: last ? (_, all) => all.map(readable) : () => [] },
          { ...axis, size: 64, label: `${short(name)} (${scale.unit})`, labelSize: 18, values: (_, all) => all.map((x) => readable(x / scale.factor)) },
        ],
        series: [{}, { stroke: () => css("--accent"), width: 1.4, points: { show: false } }],
        hooks: {
          drawClear: [(plot) => this.shade(plot)],
          draw: [(plot) => this.haunt(plot, name)],
          setCursor: [(plot) => { if (plot.cursor.idx != null && plot.cursor.event) this.on.cursor(plot.data[0][plot.cursor.idx], plot.cursor.idx); }],
        },
      };
      this.plots.push({ name, plot: new uPlot(options, [this.data.values("t"), column.values], this.series) });
    });
  }

  fit() {
    const width = this.series.clientWidth;
    if (width > 60) for (const { plot } of this.plots) plot.setSize({ width, height: plot.height });
    this.drawCurves();
  }

  /** Stick, behind everything. */
  shade(plot) {
    const mode = [...this.data.columns.values()].find((c) => c.name === "mode" || c.name.endsWith(".mode"));
    const stick = mode?.words?.indexOf("stick") ?? -1;
    if (stick < 0) return;
    const t = this.data.values("t"), { ctx, bbox } = plot;
    ctx.save();
    ctx.fillStyle = css("--shade");
    for (let i = 0; i < t.length; ) {
      if (mode.values[i] !== stick) { i++; continue; }
      let end = i;
      while (end + 1 < t.length && mode.values[end] === stick) end++;
      const [a, b] = [plot.valToPos(t[i], "x", true), plot.valToPos(t[end], "x", true)];
      const [left, right] = [Math.max(a, bbox.left), Math.min(b, bbox.left + bbox.width)];
      if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height);
      i = end + 1;
    }
    ctx.restore();
  }

  haunt(plot, name) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.strokeStyle = css("--ghost");
    ctx.lineWidth = 1;
    for (const old of this.ghosts) {
      const [t, y] = [old.values("t"), old.values(name)];
      ctx.beginPath();
      for (let i = 0; i < t.length; i++) {
        const [px, py] = [plot.valToPos(t[i], "x", true), plot.valToPos(y[i], "y", true)];
        if (i === 0) ctx.moveTo(px, py);
        else ctx.lineTo(px, py);
      }
      ctx.stroke();
    }
    ctx.restore();
  }

  /** Marks the row that the canvas shows. */
  mark(i) {
    if (!this.data) return;
    const t = this.data.values("t");
    for (const { plot } of this.plots) plot.setCursor({ left: plot.valToPos(t[i], "x"), top: 10 }, false);
    for (const curve of this.curves) curve.mark(i);
  }

  drawCurves() {
    const table = this.data;
    const pairs = table ? pairsOf(table) : [];
    const wanted = pairs.map(([x, y]) => `${x.name}/${y.name}`).join();
    if (wanted !== this.pairs) {
      this.pairs = wanted;
      this.phase.replaceChildren();
      this.curves = pairs.map(() => new Curve(this.phase));
    }
    const modes = table ? [...table.columns.values()].find((c) => c.name === "mode" || c.name.endsWith(".mode")) : null;
    pairs.forEach(([x, y], k) => {
      const ghosts = this.ghosts.map((g) => [g.values(x.name), g.values(y.name)]).filter(([a, b]) => a && b);
      this.curves[k].show(x, y, modes, ghosts);
    });
  }
}

class Curve {
  constructor(parent) {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "curve";
    this.canvas.setAttribute("role", "img");
    parent.append(this.canvas);
  }

  show(x, y, modes, ghosts) {
    Object.assign(this, { x, y, modes, ghosts });
    this.canvas.setAttribute("aria-label", `${short(y.name)} over ${short(x.name)}`);
    this.base = null;
    this.draw(null);
  }

  mark(i) {
    this.draw(i);
  }

  draw(marked) {
    const { canvas } = this, ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width < 40 || height < 40 || !this.x) return;
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    if (!this.base || this.base.width !== Math.round(width * ratio) || this.base.theme !== css("--ink")) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.paint(pen, width, height);
      this.base = { width: canvas.width, theme: css("--ink"), image: pen.getImageData(0, 0, canvas.width, canvas.height) };
    } else pen.putImageData(this.base.image, 0, 0);
    if (marked !== null && marked < this.x.values.length) {
      pen.fillStyle = css("--mark");
      pen.beginPath();
      pen.arc(this.px(this.x.values[marked]), this.py(this.y.values[marked]), 4.5, 0, 7);
      pen.fill();
    }
  }

  paint(pen, width, height) {
    const [xs, ys] = [bounds(this.x.values), bounds(this.y.values)];
    const [left, right, top, bottom] = [62, width - 10, 10, height - 36];
    this.px = (x) => left + ((x - xs.low) / xs.size) * (right - left);
    this.py = (y) => bottom - ((y - ys.low) / ys.size) * (bottom - top);
    pen.clearRect(0, 0, width, height);
    pen.font = "11px system-ui";
    pen.fillStyle = css("--faint");
    pen.strokeStyle = css("--grid");
    pen.lineWidth = 1;
    const [sx, sy] = [prefix(this.x.values, this.x.unit), prefix(this.y.values, this.y.unit)];
    pen.beginPath();
    pen.textAlign = "center";
    for (const x of ticks(xs, 5)) { pen.moveTo(this.px(x), top); pen.lineTo(this.px(x), bottom); pen.fillText(readable(x / sx.factor), this.px(x), bottom + 14); }
    pen.textAlign = "right";
    for (const y of ticks(ys, 5)) { pen.moveTo(left, this.py(y)); pen.lineTo(right, this.py(y)); pen.fillText(readable(y / sy.factor), left - 5, this.py(y) + 4); }
    pen.stroke();
    pen.textAlign = "center";
    pen.font = "12px system-ui";
    pen.fillText(`${short(this.x.name)} (${sx.unit})`, (left + right) / 2, height - 6);
    pen.save();
    pen.translate(12, (top + bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(`${short(this.y.name)} (${sy.unit})`, 0, 0);
    pen.restore();
    pen.save();
    pen.beginPath();
    pen.rect(left - 2, top - 2, right - left + 4, bottom - top + 4);
    pen.clip();
    for (const [x, y] of this.ghosts) this.line(pen, x, y, css("--ghost"), 1);
    this.line(pen, this.x.values, this.y.values, css("--accent"), 1.3);
    const stick = this.modes?.words?.indexOf("stick") ?? -1;
    if (stick >= 0) this.line(pen, this.x.values, this.y.values, css("--stick"), 3, (i) => this.modes.values[i] === stick);
    pen.restore();
  }

  line(pen, x, y, colour, width, where) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    let down = false;
    for (let i = 0; i < x.length; i++) {
      if (where && !where(i)) { down = false; continue; }
      const [a, b] = [this.px(x[i]), this.py(y[i])];
      if (down) pen.lineTo(a, b);
      else pen.moveTo(a, b);
      down = true;
    }
    pen.stroke();
  }
}

export function css(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The columns that tell most: the first coordinate, its rate or the slip velocity, the friction force. */
function choose(table) {
  const names = [...table.columns.keys()];
  const numeric = names.filter((n) => n !== "t" && n !== "since_event" && !table.column(n).words);
  const end = (word) => numeric.find((n) => n === word || n.endsWith(`.${word}`));
  const wanted = [numeric.find((n) => !n.includes(".")), end("slip_velocity"), end("friction_force")];
  return [...new Set(wanted.filter(Boolean))].map((n) => table.column(n));
}

function pairsOf(table) {
  const names = [...table.columns.keys()].filter((n) => !table.column(n).words);
  const first = names.find((n) => n !== "t" && n !== "since_event" && !n.includes("."));
  const rate = names.find((n) => n.startsWith("rate."));
  const slip = names.find((n) => n === "slip_velocity" || n.endsWith(".slip_velocity"));
  const force = names.find((n) => n === "friction_force" || n.endsWith(".friction_force"));
  const out = [];
  if (first && rate) out.push([first, rate]);
  if (slip && force) out.push([slip, force]);
  if (!rate && first && force && first !== slip) out.unshift([first, force]);
  return out.map((pair) => pair.map((n) => table.column(n)));
}

function same(a, b) {
  const names = (t) => [...t.columns.keys()].join();
  return names(a) === names(b);
}

function short(name) {
  return name.replace("_", " ");
}

function bounds(values) {
  let low = Infinity, high = -Infinity;
  for (const x of values) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  if (!Number.isFinite(low)) return { low: -1, high: 1, size: 2 };
  const pad = 0.04 * (high - low) || Math.abs(high) * 0.1 || 1;
  return { low: low - pad, high: high + pad, size: high - low + 2 * pad };
}

function ticks({ low, high, size }, count) {
  const raw = size / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
  const out = [];
  for (let x = Math.ceil(low / step) * step; x <= high; x += step) out.push(Math.abs(x) < step * 1e-9 ? 0 : x);
  return out;
}

function prefix(values, unit) {
  if (!/^(m|m\/s|N|s|Pa|N\/m)$/.test(unit)) return { factor: 1, unit };
  let peak = 0;
  for (const x of values) peak = Math.max(peak, Math.abs(x));
  const [factor, letter] = PREFIXES.find(([f]) => peak >= f) ?? [1, ""];
  return { factor, unit: letter + unit };
}
