// Questions as buttons: each writes an analysis into the text, and nothing else.
import { quantity, scan } from "./toml.js";

/** Analyses that are a motion, or one answer, and may be the `each` of others. */
const INNER = ["transient", "hysteresis", "quasi-static", "evaluate"];
const LAWS = ["coulomb", "stribeck", "lugre", "dahl", "rate-state"];

export const QUESTIONS = [
  { id: "threshold", label: "where does it stop?", title: "the value of a parameter at which the regime changes" },
  { id: "sweep", label: "sweep", title: "many values of one parameter" },
  { id: "map", label: "map", title: "a picture over two parameters" },
  { id: "stability", label: "stability", title: "eigenvalues of steady sliding along a parameter" },
  { id: "cycle", label: "limit cycle", title: "the periodic motion and its multipliers" },
  { id: "response", label: "frequency response", title: "amplitude over the frequency of a drive" },
  { id: "fit", label: "fit data", title: "parameters from a record: drop a CSV file first" },
  { id: "compare", label: "compare laws", title: "does the answer survive another friction law?" },
];

export class Questions {
  constructor(editor) {
    this.editor = editor;
    /** Paths that were clicked, the latest first. */
    this.picked = [];
    this.each = null;
    this.record = null;
  }

  pick(path) {
    this.picked = [path, ...this.picked.filter((p) => p !== path)];
  }

  /**
   * Writes the analysis of a question; says what is missing where it can't. Ranges reach as far as `reach` says: 1 is a factor
   * of 5 or so, less is nearer to the value of the text.
   */
  ask(id, reach = 1) {
    const text = this.editor.text;
    const scanned = scan(text);
    this.reach = reach;
    this.remember(scanned);
    const section = this[id](scanned);
    if (section.missing) return section.missing;
    this.write(text, scanned, section);
    return null;
  }

  /** The motion that the questions are about: the analysis of the text, or the `each` of one. */
  remember(scanned) {
    const kind = word(scanned, "analysis.kind");
    if (INNER.includes(kind)) {
      const entries = scanned.values.filter((v) => /^analysis\.[\w-]+$/.test(v.path));
      this.each = `{ ${entries.map((v) => `${v.key.split(".").pop()} = ${v.raw.replace(/\s*\n\s*/g, " ")}`).join(", ")} }`;
    } else {
      const each = scanned.find("analysis.each");
      if (each) this.each = each.raw;
    }
    this.each ??= '{ kind = "transient", duration = { cycles = 50 } }';
  }

  write(text, scanned, section) {
    const table = scanned.regions.find((r) => !r.inline && r.path.join(".") === "analysis" && r.header !== undefined);
    const inline = scanned.find("analysis");
    const block = `[analysis]\n${section.lines.join("\n")}\n`;
    if (table) {
      // Sub-tables such as [analysis.each] go with it.
      const below = scanned.regions.filter((r) => !r.inline && r.header !== undefined && r.path[0] === "analysis");
      const from = Math.min(...below.map((r) => r.header));
      let to = Math.max(...below.map((r) => r.to));
      const after = text.slice(from, to);
      // A comment before the next table belongs to that.
      const trailing = /\n((?:[ \t]*#[^\n]*\n|[ \t]*\n)*)$/.exec(after)?.[1] ?? "";
      to -= trailing.length;
      this.editor.replace(from, to, block);
    } else if (inline) {
      const line = text.lastIndexOf("\n", inline.from) + 1;
      const end = text.indexOf("\n", inline.to);
      this.editor.replace(line, end < 0 ? text.length : end + 1, "");
      this.editor.replace(this.editor.text.length, this.editor.text.length, `\n${block}`);
    } else this.editor.replace(text.length, text.length, `${text.endsWith("\n") ? "" : "\n"}\n${block}`);
  }

  /** Numbers of the model that may be varied: what was clicked, then what is usual. */
  candidates(scanned) {
    const usual = ["drive.velocity", "structure.stiffness", "contact.friction.mu_k", "contact.friction.mu", "structure.damping", "structure.mass"];
    const numbers = scanned.values.filter((v) => {
      const q = (v.kind === "number" || v.kind === "text") && quantity(v.raw);
      return q && q.number !== 0 && /^(structure|contact|drive|parameters|formulation)\b/.test(v.path) && !v.path.includes("[");
    });
    const paths = numbers.map((v) => v.path);
    const order = [...this.picked, ...usual, ...paths].filter((p) => paths.includes(p));
    return [...new Set(order)].map((path) => ({ path, reach: this.reach, ...quantity(scanned.find(path).raw) }));
  }

  threshold(scanned) {
    const [one] = this.candidates(scanned);
    if (!one) return { missing: "click a number of the model first: it will be varied" };
    return { lines: ['kind = "threshold"', `parameter = "${one.path}"`, `between = [${value(one, 0.5)}, ${value(one, 10)}]`, 'outcome = "regime"', `each = ${this.each}`] };
  }

  sweep(scanned) {
    const [one] = this.candidates(scanned);
    if (!one) return { missing: "click a number of the model first: it will be varied" };
    return { lines: ['kind = "map"', `axes = [${axis(one, 40)}]`, 'collect = ["regime", "amplitude_pp", "period"]', `each = ${this.each}`] };
  }

  map(scanned) {
    const [one, two] = this.candidates(scanned);
    if (!two) return { missing: "a map needs two numbers of the model: click them" };
    return {
      lines: ['kind = "map"', "axes = [", `  ${axis(one, 24)},`, `  ${axis(two, 16)},`, "]", 'collect = ["regime", "amplitude_pp"]', `each = ${this.each}`],
    };
  }

  stability(scanned) {
    const [one] = this.candidates(scanned);
    if (!one) return { missing: "click a number of the model first: it will be varied" };
    return { lines: ['kind = "stability"', `along = { parameter = "${one.path}", from = ${value(one, 0.1)}, to = ${value(one, 10)}, points = 200, scale = "log" }`] };
  }

  cycle() {
    return { lines: ['kind = "limit-cycle"', 'start = "transient"'] };
  }

  response(scanned) {
    const sine = scanned.values.find((v) => /^drive.*\.sine\.(omega|frequency)$/.test(v.path));
    if (!sine) return { missing: 'a frequency response needs a drive with a sine: force = { sine = { amplitude = "1 N", omega = "1 rad/s" } }' };
    const bare = sine.raw.replace(/^["']|["']$/g, "");
    const named = scanned.find(`parameters.${bare}`);
    const at = named ?? sine;
    const now = quantity(at.raw);
    if (!now) return { missing: "write the frequency as a number: it will be varied" };
    const unit = now.unit || (sine.path.endsWith("omega") ? "rad/s" : "Hz");
    const one = { ...now, unit, reach: this.reach };
    return { lines: ['kind = "frequency-response"', `frequency = { parameter = "${at.path}", from = ${value(one, 0.3)}, to = ${value(one, 2)}, points = 120 }`] };
  }

  compare(scanned) {
    const own = word(scanned, "contact.friction.law");
    const laws = LAWS.filter((law) => law !== own).map((law) => `"${law}"`);
    const speed = this.candidates(scanned).find((c) => c.path === "drive.velocity");
    const speeds = speed ? `[${value(speed, 0.5)}, ${value(speed, 2)}]` : '["1 mm/s", "1 cm/s"]';
    return { lines: ['kind = "compare"', `laws = [${laws.join(", ")}]`, `match = { speeds = ${speeds} }`, `each = ${this.each}`, 'collect = ["regime", "amplitude_pp", "period"]'] };
  }

  fit(scanned) {
    if (!this.record) return { missing: "drop a CSV file with a record onto the page first" };
    const { name, columns } = this.record;
    const free = this.candidates(scanned).filter((c) => c.path.startsWith("contact.friction.")).slice(0, 3);
    if (free.length === 0) return { missing: "the friction law has no number to fit" };
    const { of, keys } = kindOf(columns);
    const listed = keys.map(([key, column]) => `${key} = "${column}"`).join(", ");
    return {
      lines: [
        'kind = "fit"', `records = [{ of = "${of}", file = "${name}", columns = { ${listed} } }]`,
        `parameters = [${free.map((f) => `{ parameter = "${f.path}" }`).join(", ")}]`,
      ],
    };
  }
}

/** What a record is of, by the names of its columns. */
function kindOf(columns) {
  const find = (...patterns) => columns.find((c) => patterns.some((p) => p.test(c)));
  const time = find(/^t\b/i, /time/i) ?? columns[0];
  const friction = find(/^mu\b/i, /friction/i);
  const force = find(/^f\b/i, /force/i);
  const velocity = find(/^v\b/i, /velo/i, /speed/i);
  const displacement = find(/^(x|u|d)\b/i, /disp/i);
  if (friction && time !== friction) return { of: "velocity-step", keys: [["time", time], ["friction", friction]] };
  if (velocity && (force ?? friction)) return { of: "force-velocity", keys: [["velocity", velocity], ["force", force ?? friction]] };
  if (force && displacement) return { of: "force-displacement", keys: [["displacement", displacement], ["force", force]] };
  const other = displacement ?? columns.find((c) => c !== time) ?? time;
  return { of: "free-decay", keys: [["time", time], ["displacement", other]] };
}

/** Names of the columns of a file, where its first line that is no comment has words. */
export function heads(text) {
  const lines = text.split(/\r?\n/).filter((l) => l.trim() && !/^\s*[#%]/.test(l));
  const first = lines[0] ?? "";
  const mark = [";", "\t", ","].find((m) => first.includes(m)) ?? /\s+/;
  return first.split(mark).map((h) => h.trim().replace(/^"|"$/g, "").replace(/\s*[[(].*$/, ""));
}

function axis(one, points) {
  return `{ parameter = "${one.path}", from = ${value(one, 0.2)}, to = ${value(one, 5)}, points = ${points}, scale = "log" }`;
}

function value(one, factor) {
  const x = Number((one.number * factor ** (one.reach ?? 1)).toPrecision(4));
  return one.unit ? `"${x} ${one.unit}"` : String(x);
}

function word(scanned, path) {
  return scanned.find(path)?.raw.replace(/^["']|["']$/g, "") ?? "";
}
