// A tolerant scan of a scenario's text: every value with its path and place, also while the text is wrong.
//
// The engine reads TOML strictly; an editor must know where it stands in a text that is half written.

const BARE = /[A-Za-z0-9_-]/;
const QUANTITY = /^\s*([-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(\s*[^\s\d].*)?$/;

export function scan(text) {
  const scanner = new Scanner(text);
  scanner.document();
  return new Scan(text, scanner.values, scanner.regions);
}

/** A number with a unit, as texts and numbers write it; null for anything else. */
export function quantity(raw) {
  const bare = raw.replace(/^["']|["']$/g, "");
  const found = QUANTITY.exec(bare);
  if (!found) return null;
  const unit = (found[2] ?? "").trim();
  if (/[()*+]|\bt\b/.test(unit.replace(/\^[-+]?[\d.]+/g, ""))) return null;
  return { number: Number(found[1].replaceAll("_", "")), unit, quoted: raw !== bare };
}

class Scan {
  constructor(text, values, regions) {
    this.text = text;
    this.values = values;
    this.regions = regions;
  }

  /** The innermost value at a place. */
  at(position) {
    let best = null;
    for (const v of this.values) {
      if (v.kind !== "table" && v.kind !== "array" && v.from <= position && position <= v.to) best = v;
    }
    return best;
  }

  find(path) {
    return this.values.find((v) => v.path === path) ?? null;
  }

  /** Keys and values that stand directly in a table. */
  inside(region) {
    return this.values.filter((v) => v.region === region);
  }

  /** Where in the tables a place lies, and whether a key or a value is written there. */
  context(position) {
    let region = this.regions[0];
    for (const r of this.regions) {
      if (r.from <= position && position <= r.to && (r.inline || !region.inline || r.from > region.from)) {
        if (r.from >= region.from) region = r;
      }
    }
    const start = region.inline ? region.from : Math.max(region.from, this.text.lastIndexOf("\n", position - 1) + 1);
    let from = start, depth = 0, quote = "", equals = -1;
    for (let i = start; i < position; i++) {
      const c = this.text[i];
      if (quote) {
        if (c === quote) quote = "";
        continue;
      }
      if (c === '"' || c === "'") quote = c;
      else if (c === "{" || c === "[") depth++;
      else if (c === "}" || c === "]") depth--;
      else if (depth === 0 && (c === "," || c === "\n")) { from = i + 1; equals = -1; }
      else if (depth === 0 && c === "=") equals = i;
    }
    const key = equals < 0 ? null : this.text.slice(from, equals).trim().replaceAll('"', "");
    return { region, key, quoted: quote !== "", from };
  }
}

class Scanner {
  constructor(text) {
    this.text = text;
    this.i = 0;
    this.values = [];
    this.regions = [{ path: [], from: 0, to: text.length, inline: false }];
    this.counts = new Map();
  }

  document() {
    let table = [];
    let region = this.regions[0];
    while (this.i < this.text.length) {
      this.blank(true);
      if (this.i >= this.text.length) break;
      if (this.text[this.i] === "[") {
        region.to = this.i;
        const header = this.i;
        const many = this.text[this.i + 1] === "[";
        this.i += many ? 2 : 1;
        const keys = this.keys();
        if (many) {
          const name = keys.join(".");
          const count = this.counts.get(name) ?? 0;
          this.counts.set(name, count + 1);
          keys.push(count);
        }
        table = keys;
        this.line();
        region = { path: table, from: this.i, to: this.text.length, inline: false, header, many };
        this.regions.push(region);
        continue;
      }
      this.entry(table, region);
      // What is left of a line that could not be read.
      this.blank(false);
      if (this.i < this.text.length && this.text[this.i] !== "\n") this.line();
    }
    this.name();
  }

  /** Contacts and controls that have names are addressed by them. */
  name() {
    const names = new Map();
    for (const v of this.values) {
      const found = /^(contact|control|drive)\[(\d+)\]\.name$/.exec(v.path);
      if (found && found[1] === "contact") names.set(`${found[1]}[${found[2]}]`, `${found[1]}.${v.raw.replace(/["']/g, "")}`);
    }
    for (const v of this.values) {
      for (const [from, to] of names) if (v.path.startsWith(from)) v.path = to + v.path.slice(from.length);
    }
  }

  entry(table, region) {
    const keyFrom = this.i;
    const keys = this.keys();
    const keyTo = this.i;
    this.blank(false);
    if (keys.length === 0 || this.text[this.i] !== "=") return false;
    this.i++;
    this.blank(false);
    this.value([...table, ...keys], region, { key: keys.join("."), keyFrom, keyTo });
    return true;
  }

  keys() {
    const out = [];
    for (;;) {
      while (this.text[this.i] === " " || this.text[this.i] === "\t") this.i++;
      const c = this.text[this.i];
      if (c === '"' || c === "'") {
        const end = this.text.indexOf(c, this.i + 1);
        if (end < 0) return out;
        out.push(this.text.slice(this.i + 1, end));
        this.i = end + 1;
      } else {
        let end = this.i;
        while (end < this.text.length && BARE.test(this.text[end])) end++;
        if (end === this.i) return out;
        out.push(this.text.slice(this.i, end));
        this.i = end;
      }
      if (this.text[this.i] !== ".") return out;
      this.i++;
    }
  }

  value(path, region, key) {
    const from = this.i;
    const entry = { path: address(path), from, to: from, raw: "", kind: "word", region, ...key };
    this.values.push(entry);
    const c = this.text[from];
    if (c === "{") {
      entry.kind = "table";
      const inner = { path, from: from + 1, to: this.text.length, inline: true };
      this.regions.push(inner);
      this.i++;
      for (;;) {
        this.blank(true);
        if (this.i >= this.text.length) break;
        if (this.text[this.i] === "}") { inner.to = this.i; this.i++; break; }
        if (this.text[this.i] === ",") { this.i++; continue; }
        // An unclosed table ends where the next line opens another one.
        if (this.text[this.i] === "[" || !this.entry(path, inner)) {
          inner.to = Math.min(inner.to, this.end());
          this.i = inner.to;
          break;
        }
      }
    } else if (c === "[") {
      entry.kind = "array";
      this.i++;
      for (let n = 0; ; ) {
        this.blank(true);
        if (this.i >= this.text.length) break;
        if (this.text[this.i] === "]") { this.i++; break; }
        if (this.text[this.i] === ",") { this.i++; continue; }
        const before = this.i;
        this.value([...path, n++], region, { key: key.key, keyFrom: key.keyFrom, keyTo: key.keyTo });
        if (this.i === before) break;
      }
    } else if (c === '"' || c === "'") {
      const long = this.text.startsWith(c.repeat(3), from);
      const quote = long ? c.repeat(3) : c;
      let end = from + quote.length;
      for (; end < this.text.length; end++) {
        if (!long && this.text[end] === "\n") break;
        if (c === '"' && this.text[end] === "\\") { end++; continue; }
        if (this.text.startsWith(quote, end)) { end += quote.length; break; }
      }
      entry.kind = "text";
      this.i = Math.min(end, this.text.length);
    } else {
      while (this.i < this.text.length && !/[\s,\]}#]/.test(this.text[this.i])) this.i++;
      const raw = this.text.slice(from, this.i);
      entry.kind = /^[-+.\d]/.test(raw) ? "number" : "word";
    }
    entry.to = this.i;
    entry.raw = this.text.slice(from, this.i);
  }

  blank(lines) {
    for (; this.i < this.text.length; this.i++) {
      const c = this.text[this.i];
      if (c === "#") { this.i = this.end() - 1; continue; }
      if (c === " " || c === "\t" || c === "\r" || (lines && c === "\n")) continue;
      return;
    }
  }

  end() {
    const end = this.text.indexOf("\n", this.i);
    return end < 0 ? this.text.length : end;
  }

  line() {
    this.i = Math.min(this.end() + 1, this.text.length);
  }
}

function address(path) {
  return path.reduce((all, part) => {
    if (typeof part === "number") return `${all}[${part}]`;
    return all === "" ? part : `${all}.${part}`;
  }, "");
}
