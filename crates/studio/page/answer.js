// Answers of the engine: frames of bytes, and tables whose columns are views of these bytes.

/** Splits a stream of bytes into frames. */
export class Frames {
  constructor(take) {
    this.take = take;
    this.rest = new Uint8Array(0);
  }

  push(bytes) {
    let all = bytes;
    if (this.rest.length > 0) {
      all = new Uint8Array(this.rest.length + bytes.length);
      all.set(this.rest);
      all.set(bytes, this.rest.length);
    }
    let at = 0;
    while (all.length - at >= 5) {
      const length = new DataView(all.buffer, all.byteOffset + at + 1, 4).getUint32(0, true);
      if (all.length - at - 5 < length) break;
      this.take(String.fromCharCode(all[at]), all.slice(at + 5, at + 5 + length));
      at += 5 + length;
    }
    this.rest = all.slice(at);
  }
}

export function json(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** The header of an answer, with the tables of its cases. */
export function read(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  const header = json(bytes.subarray(4, 4 + length));
  const start = Math.ceil((4 + length) / 8) * 8;
  const numbers = new Float64Array(bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + bytes.length));
  for (const one of header.cases ?? []) {
    if (!one.tables) continue;
    for (const name of Object.keys(one.tables)) one.tables[name] = new Table(name, one.tables[name], numbers);
  }
  return header;
}

class Table {
  constructor(name, about, numbers) {
    this.name = name;
    this.stride = about.stride;
    this.columns = new Map();
    for (const c of about.columns) {
      const values = numbers.subarray(c.at, c.at + c.rows);
      this.columns.set(c.name, { name: c.name, unit: c.unit, values, words: c.words });
    }
  }

  column(name) {
    return this.columns.get(name) ?? null;
  }

  values(name) {
    return this.columns.get(name)?.values ?? null;
  }

  get length() {
    return this.columns.values().next().value?.values.length ?? 0;
  }
}
