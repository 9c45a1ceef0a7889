// The structure drawn as it moves. It reads a table of the motion and the resolved scenario, and knows no law.

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];
/** A motion is shown in about this time at speed 1, s. */
const SHOWN = 14;
/** Blocks of a chain that are drawn. */
const MOST_BLOCKS = 80;

export class Canvas {
  constructor(root, on) {
    this.on = on;
    this.canvas = root.querySelector("canvas");
    this.play = root.querySelector("[data-play]");
    this.scrub = root.querySelector("[data-scrub]");
    this.clock = root.querySelector("[data-clock]");
    this.speed = root.querySelector("[data-speed]");
    this.motion = null;
    this.time = 0;
    this.playing = true;
    this.last = null;
    this.play.onclick = () => this.toggle();
    this.scrub.oninput = () => {
      this.playing = false;
      this.label();
      if (this.motion) this.at(this.motion.from + (Number(this.scrub.value) / 1000) * this.motion.whole);
    };
    this.canvas.onkeydown = (event) => {
      if (event.key === " ") this.toggle();
      else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
        this.playing = false;
        this.label();
        const step = (event.key === "ArrowLeft" ? -1 : 1) * (event.shiftKey ? 0.05 : 0.005);
        if (this.motion) this.at(Math.min(this.motion.to, Math.max(this.motion.from, this.time + step * this.motion.whole)));
      } else return;
      event.preventDefault();
    };
    this.label();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    const frame = (now) => { this.tick(now); requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
  }

  toggle() {
    this.playing = !this.playing;
    this.label();
  }

  label() {
    this.play.textContent = this.playing ? "❚❚" : "▶";
    this.play.setAttribute("aria-label", this.playing ? "pause" : "play");
  }

  /** Shows a motion from its beginning, or goes on at the same part of it. */
  show(motion, keep) {
    const part = this.motion && keep ? (this.time - this.motion.from) / this.motion.whole : 0;
    this.motion = motion;
    this.playing = motion !== null && (keep ? this.playing : true);
    this.label();
    this.time = motion ? motion.from + Math.min(1, Math.max(0, part)) * motion.whole : 0;
    this.draw();
  }

  at(time) {
    this.time = time;
    this.draw();
    if (this.motion) this.on.time(this.motion.index(time));
  }

  tick(now) {
    const passed = this.last === null ? 0 : Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    if (!this.playing || !this.motion || this.motion.whole <= 0 || document.hidden) return;
    let time = this.time + (passed * this.motion.whole * SPEEDS[Number(this.speed.value)]) / SHOWN;
    if (time > this.motion.to) time = this.motion.from;
    this.at(time);
  }

  draw() {
    const { canvas, motion } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (!motion || width < 10) return;
    const style = getComputedStyle(canvas);
    const colour = (name) => style.getPropertyValue(name).trim();
    const ink = { line: colour("--ink"), faint: colour("--faint"), stick: colour("--stick"), slip: colour("--slip"), open: colour("--open"), ground: colour("--ground") };
    motion.draw(pen, width, height, this.time, ink);
    if (document.activeElement !== this.scrub) this.scrub.value = String((1000 * (this.time - motion.from)) / (motion.whole || 1));
    this.clock.textContent = `${readable(this.time)} s`;
    canvas.setAttribute("aria-label", `motion at ${readable(this.time)} s: ${motion.modes(motion.index(this.time)).join(", ")}`);
  }
}

export function readable(x) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  return size >= 1e-3 && size < 1e5 ? String(Number(x.toPrecision(4))) : x.toExponential(2);
}

/** The motion of a case, if it has one that can be drawn. */
export function motionOf(one, spec) {
  const table = one.tables.series ?? one.tables.path;
  const t = table?.values("t");
  if (!t || t.length < 2) return null;
  return new Motion(table, t, spec, one.coordinates ?? []);
}

class Motion {
  constructor(table, t, spec, coordinates) {
    this.table = table;
    this.t = t;
    this.from = t[0];
    this.to = t[t.length - 1];
    this.whole = this.to - this.from;
    this.spec = spec;
    this.kind = spec.structure?.kind ?? "";
    this.coordinates = coordinates.filter((name) => table.values(name));
    const names = [...table.columns.keys()];
    this.modeColumns = names.filter((n) => n === "mode" || n.endsWith(".mode")).map((n) => table.column(n));
    const column = (end) => table.values(names.find((n) => n === end || n.endsWith(`.${end}`)) ?? "");
    this.seen = new Set();
    for (const c of this.modeColumns) for (const k of new Set(c.values)) this.seen.add((c.words?.[k] ?? "").replace(/^slip.*/, "slip"));
    this.slip = column("slip_velocity");
    this.pulled = this.coordinates[0]?.startsWith("elongation") ?? false;
    if (this.coordinates.length === 0 && table.values("slip")) this.coordinates = ["slip"];
    this.ranges = this.coordinates.map((name) => range(table.values(name)));
    this.surface = this.travel();
  }

  /** How far the surface has moved below the block: what the slip velocity and the block's own leave to it. */
  travel() {
    const first = this.coordinates[0];
    const rate = this.table.values(`rate.${first}`) ?? this.table.values("rate.velocity") ?? this.table.values("rate.velocity1");
    const out = new Float64Array(this.t.length);
    if (!this.slip || !rate || this.pulled) return out;
    // Their sign is the scenario's: a belt that moves right slips against a block at rest either way.
    const drives = [this.spec.drive].flat().filter(Boolean);
    const belt = drives.some((d) => d.kind === "belt" || d.kind === "profile");
    if (!belt) return out;
    const v = (i) => { const a = Math.abs(this.slip[i] + rate[i]), b = Math.abs(rate[i] - this.slip[i]); return Math.min(a, b) === a ? this.slip[i] + rate[i] : rate[i] - this.slip[i]; };
    for (let i = 1; i < out.length; i++) out[i] = out[i - 1] + 0.5 * (v(i) + v(i - 1)) * (this.t[i] - this.t[i - 1]);
    return out;
  }

  index(time) {
    let low = 0, high = this.t.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.t[middle] <= time) low = middle;
      else high = middle;
    }
    return low;
  }

  value(values, time) {
    const i = this.index(time);
    const width = this.t[i + 1] - this.t[i];
    const part = width > 0 ? Math.min(1, Math.max(0, (time - this.t[i]) / width)) : 0;
    return values[i] + part * (values[i + 1] - values[i]);
  }

  modes(i) {
    return this.modeColumns.map((c) => c.words?.[c.values[i]] ?? "");
  }

  colour(ink, k) {
    const modes = this.modes(this.index(this.now));
    const mode = modes[Math.min(k, modes.length - 1)] ?? "";
    return mode === "stick" ? ink.stick : mode === "open" ? ink.open : ink.slip;
  }

  draw(pen, width, height, time, ink) {
    this.now = time;
    pen.lineWidth = 1.5;
    pen.lineJoin = "round";
    pen.font = "12px system-ui, sans-serif";
    if (this.kind === "rigid-block") return this.rigid(pen, width, height, time, ink);
    const [x, y] = this.coordinates;
    const flat = this.coordinates.length === 2 && y === "y" && ![this.spec.contact].flat().every((c) => Array.isArray(c?.tangent) && c.tangent.length > 1 && c.normal_direction == null);
    if (flat && x === "x") return this.plane(pen, width, height, time, ink);
    return this.row(pen, width, height, time, ink);
  }

  ground(pen, width, y, ink, shift, from = 0) {
    pen.strokeStyle = ink.ground;
    pen.beginPath();
    pen.moveTo(from, y);
    pen.lineTo(width, y);
    const step = 18;
    const phase = ((shift % step) + step) % step;
    for (let x = from - step + phase; x < width + step; x += step) {
      pen.moveTo(Math.max(from, x), y);
      pen.lineTo(Math.max(from, x - 9), y + 9);
    }
    pen.stroke();
  }

  spring(pen, from, to, y, ink, coils = 9) {
    pen.strokeStyle = ink.line;
    pen.beginPath();
    pen.moveTo(from, y);
    const [a, b] = [from + 8 * Math.sign(to - from), to - 8 * Math.sign(to - from)];
    pen.lineTo(a, y);
    for (let i = 0; i < coils; i++) pen.lineTo(a + ((b - a) * (i + 0.5)) / coils, y + (i % 2 === 0 ? -7 : 7));
    pen.lineTo(b, y);
    pen.lineTo(to, y);
    pen.stroke();
  }

  block(pen, x, y, w, h, colour, ink) {
    pen.fillStyle = colour;
    pen.strokeStyle = ink.line;
    pen.beginPath();
    pen.roundRect(x, y, w, h, Math.min(5, w / 4));
    pen.fill();
    pen.stroke();
  }

  /** Blocks in a row: one on a belt, a pulled one, a chain, masses of a lumped model. */
  row(pen, width, height, time, ink) {
    const count = Math.min(this.coordinates.length, MOST_BLOCKS);
    if (count === 0) return;
    const room = (width - 40) / count;
    const w = Math.max(3, Math.min(64, room * 0.42));
    const h = Math.max(8, Math.min(46, w * 0.72));
    const ground = height * 0.72;
    const widest = Math.max(...this.ranges.slice(0, count).map((r) => r.size)) || 1;
    const scale = (Math.min(room * 0.45, width * 0.3)) / widest;
    this.ground(pen, width, ground, ink, this.value(this.surface, time) * scale);
    const place = (k) => {
      const q = this.value(this.table.values(this.coordinates[k]), time);
      const off = (q - this.ranges[k].middle) * scale;
      return 30 + room * (k + 0.5) + (this.pulled ? -off : off);
    };
    const y = ground - h / 2;
    let before = 8;
    for (let k = 0; k < count; k++) {
      const x = place(k);
      if (!(this.pulled && count === 1) && w > 8) this.spring(pen, before, x - w / 2, y, ink, count > 6 ? 5 : 9);
      before = x + w / 2;
    }
    if (this.pulled && count === 1) {
      this.spring(pen, place(0) + w / 2, width - 14, y, ink);
      pen.fillStyle = ink.line;
      pen.fillRect(width - 14, y - 14, 4, 28);
    } else {
      pen.fillStyle = ink.line;
      pen.fillRect(4, y - 20, 4, 40);
    }
    for (let k = 0; k < count; k++) {
      this.block(pen, place(k) - w / 2, ground - h, w, h, this.colour(ink, this.modeColumns.length > 1 ? k : 0), ink);
    }
    this.legend(pen, width, ink);
  }

  /** A mass above a surface. */
  plane(pen, width, height, time, ink) {
    const [x, y] = this.coordinates.map((name) => this.value(this.table.values(name), time));
    const [rx, ry] = this.ranges;
    const scale = Math.min((0.55 * width) / (rx.size || 1), (0.5 * height) / (ry.size || 1), 0.6 * width / (rx.size || 1e-300));
    const ground = height * 0.8;
    // The gap opens towards positive coordinates where the surface lies below.
    const gap = Math.max(0, (y - ry.low)) * scale;
    const px = width / 2 + (x - rx.middle) * scale;
    this.ground(pen, width, ground, ink, this.value(this.surface, time) * scale);
    this.spring(pen, 8, px - 24, ground - 20 - gap, ink);
    pen.fillStyle = ink.line;
    pen.fillRect(4, 10, 4, ground - 10);
    this.block(pen, px - 24, ground - 40 - gap, 48, 40, this.colour(ink, 0), ink);
    this.legend(pen, width, ink);
  }

  rigid(pen, width, height, time, ink) {
    const at = (name) => this.value(this.table.values(name) ?? new Float64Array(this.t.length), time);
    const size = (name) => range(this.table.values(name) ?? [0]).size || 1;
    const ground = height * 0.8;
    const [w, h] = [Math.min(150, width * 0.3), Math.min(90, height * 0.45)];
    const x = width / 2 + (at("x") - range(this.table.values("x")).middle) * ((0.3 * width) / size("x"));
    // Tilts and sinking are shown larger than they are: the largest of the run is seen well.
    const tilt = ((at("theta") - range(this.table.values("theta")).middle) * 0.24) / size("theta");
    const sink = ((at("y") - range(this.table.values("y")).middle) * 10) / size("y");
    this.ground(pen, width, ground, ink, this.value(this.surface, time) * ((0.3 * width) / size("x")));
    this.spring(pen, 8, x - w / 2, ground - h / 2, ink);
    pen.save();
    pen.translate(x, ground - h / 2 + sink);
    pen.rotate(tilt);
    this.block(pen, -w / 2, -h / 2, w, h, this.colour(ink, 0), ink);
    pen.restore();
    this.legend(pen, width, ink);
    pen.fillStyle = ink.faint;
    pen.fillText("tilt and sinking enlarged", 10, height - 8);
  }

  legend(pen, width, ink) {
    const modes = this.seen;
    let x = width - 12;
    pen.textAlign = "right";
    for (const mode of ["open", "slip", "stick"].filter((m) => modes.has(m))) {
      pen.fillStyle = ink.line;
      pen.fillText(mode, x, 18);
      x -= pen.measureText(mode).width + 6;
      pen.fillStyle = ink[mode];
      pen.fillRect(x - 10, 9, 10, 10);
      x -= 24;
    }
    pen.textAlign = "left";
  }
}

function range(values) {
  let low = Infinity, high = -Infinity;
  for (const x of values) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  if (!Number.isFinite(low)) [low, high] = [0, 0];
  return { low, high, middle: 0.5 * (low + high), size: high - low };
}
