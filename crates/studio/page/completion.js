// What may stand at a place: keys, kinds and units, from the schema of scenario files.

const UNITS = {
  m: ["m", "mm", "um", "cm"], "m/s": ["m/s", "mm/s", "um/s", "cm/s"], kg: ["kg", "g", "t"], N: ["N", "mN", "kN"],
  "N/m": ["N/m", "N/mm", "N/cm", "kN/m"], s: ["s", "ms", "min"], Pa: ["Pa", "kPa", "MPa", "GPa"], "1": ["%"],
  "rad/s": ["rad/s", "Hz", "kHz", "rpm"], "m/s^2": ["m/s^2"], "m^2": ["m^2", "cm^2", "mm^2"], rad: ["rad", "deg"],
};

export class Schema {
  constructor(schema, catalogue) {
    this.schema = schema;
    this.about = new Map();
    for (const entry of catalogue) if (!this.about.has(entry.name)) this.about.set(entry.name, entry);
  }

  resolve(node) {
    for (let i = 0; node && i < 8; i++) {
      if (node.$ref) node = this.schema.$defs[node.$ref.split("/").pop()];
      else if (node.anyOf) {
        const best = node.anyOf.map((n) => this.shallow(n)).find((n) => n && (n.properties || n.allOf));
        if (!best) return node;
        node = best;
      } else return node;
    }
    return node;
  }

  shallow(node) {
    return node.$ref ? this.schema.$defs[node.$ref.split("/").pop()] : node;
  }

  /** Properties of a table at a path; `said` gives what the text writes there: its kind decides its keys. */
  properties(path, said) {
    let node = this.schema;
    const walked = [];
    for (const part of [...path, null]) {
      node = this.resolve(node);
      if (!node) return null;
      const properties = this.own(node, (key) => said(walked, key));
      if (part === null) return properties;
      walked.push(part);
      if (typeof part === "number") {
        node = node.type === "array" ? node.items : node;
        continue;
      }
      // `[contact.pad]` has the name of a contact between.
      node = properties[part] ?? node.additionalProperties ?? (properties.normal ? node : null);
      if (node && node.anyOf) node = this.resolve(node) === node ? node : { anyOf: node.anyOf, ...this.resolve(node) };
      if (node && node.type === "array" && typeof path[walked.length] !== "number") node = node.items;
    }
    return null;
  }

  own(node, said) {
    const out = { ...(node.properties ?? {}) };
    for (const rule of node.allOf ?? []) {
      const [key, value] = Object.entries(rule.if?.properties ?? {})[0] ?? [];
      if (key && said(key) === value.const) Object.assign(out, this.resolve(rule.then)?.properties ?? {});
    }
    return out;
  }

  /** Completions at a place of a scanned text. */
  complete(scan, position) {
    const { region, key, quoted } = scan.context(position);
    const said = (walked, name) => {
      const inside = scan.values.find((v) => v.key === name && same(v.region.path, walked));
      return inside?.raw.replace(/^["']|["']$/g, "");
    };
    const properties = this.properties(region.path, said);
    if (!properties) return [];
    if (key === null) {
      const there = new Set(scan.inside(region).map((v) => v.key));
      const wanted = Object.entries(properties).filter(([name]) => !there.has(name));
      return wanted.map(([name, node]) => ({
        label: name, type: "property", apply: `${name} = `, detail: short(node.description), info: node.description,
      }));
    }
    const node = properties[key.split(".").pop()];
    if (!node) return [];
    const words = this.words(node, key);
    const text = (word) => (quoted ? word : `"${word}"`);
    if (words.length > 0) {
      return words.map((word) => {
        const entry = this.about.get(word);
        return { label: word, type: "enum", apply: text(word), detail: first(entry?.about), info: entry?.about };
      });
    }
    const unit = /\(unit ([^)]+)\)/.exec(node.description ?? "")?.[1];
    const before = /([-+.\deE]+)\s*$/.exec(scan.text.slice(0, position).split(/["\s=]/).pop() ?? "")?.[1];
    return (UNITS[unit] ?? (unit && unit !== "1" ? [unit] : [])).map((u) => ({
      label: u, type: "unit", apply: quoted ? (before ? ` ${u}` : u) : `"${before ?? 1} ${u}"`, detail: `unit ${unit}`,
    }));
  }

  words(node, key) {
    const full = this.resolve(node);
    const direct = [node, full].find((n) => n?.enum)?.enum;
    if (direct) return direct;
    const inner = full?.properties?.[key === "law" || key === "kind" ? key : "law"]?.enum;
    return (key === "law" || key === "kind") && inner ? inner : [];
  }

  /** What is known of the word under the pointer. */
  explain(scan, position, word) {
    const entry = this.about.get(word);
    if (entry) return { title: `${entry.name} (${entry.of})`, text: entry.about };
    const { region } = scan.context(position);
    const said = (walked, name) =>
      scan.values.find((v) => v.key === name && same(v.region.path, walked))?.raw.replace(/^["']|["']$/g, "");
    const node = this.properties(region.path, said)?.[word];
    return node?.description ? { title: word, text: node.description } : null;
  }
}

function same(a, b) {
  return a.length === b.length && a.every((x, i) => x === b[i]);
}

function first(text) {
  return text ? text.split(/(?<=\.)\s|\n/)[0] : undefined;
}

function short(text) {
  const sentence = first(text) ?? "";
  return sentence.length > 60 ? `${sentence.slice(0, 57)}..` : sentence;
}
