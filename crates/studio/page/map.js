// A map as it fills in: one axis as points, two as cells. The figure of the report takes its place at the end.
import { css } from "./plots.js";
import { readable } from "./canvas.js";

const COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb"];

export class LiveMap {
  constructor(canvas, spec) {
    this.canvas = canvas;
    const axes = spec.analysis?.axes ?? [];
    this.counts = axes.map((a) => (Array.isArray(a.values) ? a.values.length : a.points?.value ?? a.points ?? 1));
    this.names = axes.map((a) => a.parameter);
    this.collect = spec.analysis?.collect ?? [];
    this.points = new Map();
    this.words = [];
    this.low = Infinity;
    this.high = -Infinity;
    this.pick = null;
  }

  get total() {
    return this.counts.reduce((a, b) => a * b, 1);
  }

  add({ points }) {
    for (const p of points) {
      this.pick ??= this.chosen(p.cells);
      const cell = p.cells[this.pick];
      if (typeof cell === "string" && !this.words.includes(cell)) this.words.push(cell);
      if (typeof cell === "number") {
        this.low = Math.min(this.low, cell);
        this.high = Math.max(this.high, cell);
      }
      this.points.set(p.index, cell);
    }
    this.draw();
  }

  /** With two axes the first word is coloured, with one the first number is plotted. */
  chosen(cells) {
    const kind = this.counts.length > 1 ? "string" : "number";
    const found = cells.findIndex((c) => typeof c === kind);
    return found < 0 ? 0 : found;
  }

  colour(cell) {
    if (typeof cell === "string") return COLOURS[this.words.indexOf(cell) % COLOURS.length];
    if (typeof cell !== "number") return css("--line");
    const part = (cell - this.low) / (this.high - this.low || 1);
    return `hsl(${240 - 200 * part} 65% ${35 + 25 * part}%)`;
  }

  draw() {
    const { canvas } = this, ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.font = "12px system-ui";
    const [left, right, top, bottom] = [56, width - 12, 26, height - 24];
    const [nx, ny] = [this.counts[0] ?? 1, this.counts[1] ?? 1];
    const [dx, dy] = [(right - left) / nx, (bottom - top) / ny];
    for (const [index, cell] of this.points) {
      // The last axis varies fastest.
      const [i, j] = ny > 1 ? [Math.floor(index / ny), index % ny] : [index, 0];
      pen.fillStyle = this.colour(cell);
      if (ny > 1) pen.fillRect(left + i * dx, bottom - (j + 1) * dy, dx + 0.5, dy + 0.5);
      else if (typeof cell === "number") {
        const part = (cell - this.low) / (this.high - this.low || 1);
        pen.beginPath();
        pen.arc(left + (i + 0.5) * dx, bottom - part * (bottom - top), 3, 0, 7);
        pen.fill();
      } else pen.fillRect(left + i * dx, (top + bottom) / 2 - 6, Math.max(1, dx), 12);
    }
    pen.fillStyle = css("--ink");
    let x = left;
    for (const word of this.words) {
      pen.fillStyle = this.colour(word);
      pen.fillRect(x, 8, 10, 10);
      pen.fillStyle = css("--ink");
      pen.fillText(word, x + 14, 17);
      x += pen.measureText(word).width + 30;
    }
    pen.fillText(this.names[0] ?? "", left, height - 6);
    pen.textAlign = "right";
    pen.fillText(`${this.points.size} of ${this.total}`, right, height - 6);
    if (ny === 1 && Number.isFinite(this.low)) {
      pen.fillText(readable(this.high), left - 4, top + 4);
      pen.fillText(readable(this.low), left - 4, bottom);
    }
    pen.textAlign = "left";
    if (this.names[1]) {
      pen.save();
      pen.translate(14, bottom);
      pen.rotate(-Math.PI / 2);
      pen.fillText(this.names[1], 0, 0);
      pen.restore();
    }
    canvas.setAttribute("aria-label", `map, ${this.points.size} of ${this.total} points`);
  }
}
