// A slider for any number of the text: it edits the text, and nothing else.
import { quantity } from "./toml.js";

const STEPS = 1000;
/** A slider reaches from a tenth of the value that it began with to ten times that. */
const REACH = 10;

export class Sliders {
  constructor(parent, editor) {
    this.parent = parent;
    this.editor = editor;
    this.all = new Map();
  }

  add(path) {
    const there = this.all.get(path);
    if (there) return there.input.focus({ preventScroll: true });
    const value = this.editor.scanned.find(path);
    const start = value && quantity(value.raw);
    if (!start) return;
    const row = document.createElement("div");
    row.className = "slider";
    row.dataset.testid = "slider";
    row.dataset.path = path;
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "range";
    input.min = "0";
    input.max = String(STEPS);
    input.step = "1";
    input.id = `slider-${path}`;
    input.setAttribute("aria-label", path);
    label.htmlFor = input.id;
    label.textContent = path;
    const shown = document.createElement("output");
    const close = document.createElement("button");
    close.textContent = "×";
    close.title = `remove the slider of ${path}`;
    close.onclick = () => { row.remove(); this.all.delete(path); };
    row.append(label, input, shown, close);
    this.parent.append(row);
    const scale = new Scale(start.number);
    const slider = { row, input, shown, scale };
    this.all.set(path, slider);
    input.oninput = () => this.move(path, scale.value(Number(input.value)));
    this.update(path);
  }

  /** Writes a value into the text. */
  move(path, number) {
    const value = this.editor.scanned.find(path);
    const old = value && quantity(value.raw);
    if (!old) return;
    const digits = Number(number.toPrecision(4));
    const text = old.unit ? `"${digits} ${old.unit}"` : old.quoted ? `"${digits}"` : String(digits);
    if (text !== value.raw) this.editor.replace(value.from, value.to, text, true);
  }

  update(path) {
    const slider = this.all.get(path);
    const value = this.editor.scanned.find(path);
    const now = value && quantity(value.raw);
    slider.row.classList.toggle("lost", !now);
    if (!now) return;
    slider.shown.textContent = now.unit ? `${now.number} ${now.unit}` : String(now.number);
    slider.input.setAttribute("aria-valuetext", slider.shown.textContent);
    if (document.activeElement !== slider.input) slider.input.value = String(slider.scale.step(now.number));
  }

  /** The text has changed. */
  refresh() {
    for (const path of this.all.keys()) this.update(path);
  }
}

/** Equal steps are equal ratios; about zero, equal differences. */
class Scale {
  constructor(start) {
    this.start = start;
  }

  value(step) {
    const part = (2 * step) / STEPS - 1;
    return this.start === 0 ? part : this.start * REACH ** part;
  }

  step(value) {
    const ratio = value / this.start;
    const part = this.start === 0 ? value : ratio > 0 ? Math.log(ratio) / Math.log(REACH) : -1;
    return Math.round((Math.min(1, Math.max(-1, part)) + 1) * 0.5 * STEPS);
  }
}
