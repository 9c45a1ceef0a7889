// The two engines behind one interface: in a worker of this page (wasm), or behind the server that serves it (native).
//
// `ask(request, on)` gives { promise, cancel }; `on.part` and `on.points` hear of progress. A request that is cancelled ends
// in an error of the name `Superseded`.
import { Frames, json, read } from "./answer.js";

/** Longest time of a computation in the page, ms. */
const BUDGET = 120_000;

export class Superseded extends Error {
  constructor() {
    super("superseded by a newer run");
    this.name = "Superseded";
  }
}

/** The engine of this page: native where the server's token is known. */
export function engine() {
  const token = tokenOf(window.location);
  return token ? new Native(token) : new Wasm();
}

/** The token of the address goes to this tab's own memory and out of the address, so that no link carries it. */
function tokenOf(location) {
  const query = new URLSearchParams(location.search);
  const token = query.get("token");
  const key = `stickslip-token-${location.host}`;
  if (token) {
    sessionStorage.setItem(key, token);
    query.delete("token");
    const rest = query.toString();
    window.history.replaceState(null, "", location.pathname + (rest ? `?${rest}` : "") + location.hash);
    return token;
  }
  return sessionStorage.getItem(key);
}

function hear(kind, bytes, on) {
  if (kind === "p") on?.part?.(json(bytes).part);
  else if (kind === "m") on?.points?.(json(bytes));
}

class Wasm {
  name = "wasm";

  constructor() {
    const address = new URL("engine.wasm", import.meta.url);
    this.module = WebAssembly.compileStreaming
      ? WebAssembly.compileStreaming(fetch(address)).catch(() => this.slow(address))
      : this.slow(address);
    // One checks while the other runs; a third stands ready to take over from one that is ended.
    this.checker = this.spawn();
    this.spare = this.spawn();
    this.next = 1;
  }

  /** Servers that do not know the media type of wasm. */
  async slow(address) {
    const reply = await fetch(address);
    if (!reply.ok) throw new Error("the engine is missing: open the address that `stickslip studio` prints");
    return WebAssembly.compile(await reply.arrayBuffer());
  }

  spawn() {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    const slot = { worker, pending: null };
    worker.onmessage = ({ data }) => {
      if (data.ready || !slot.pending || data.id !== slot.pending.id) return;
      if (data.failed) return slot.pending.fail(new Error(data.failed), true);
      if (data.kind === "r") slot.pending.done(read(data.bytes));
      else hear(data.kind, data.bytes, slot.pending.on);
    };
    worker.onerror = (event) => slot.pending?.fail(new Error(event.message || "the engine ended"), true);
    this.module.then((module) => worker.postMessage({ module }), (error) => slot.pending?.fail(error, false));
    return slot;
  }

  ask(request, on) {
    const check = request.op === "check";
    const slot = check ? this.checker : this.spare;
    if (slot.pending) slot.pending.cancel();
    const current = check ? this.checker : this.spare;
    let cancel;
    const promise = new Promise((resolve, reject) => {
      const id = this.next++;
      const finish = (ended) => {
        clearTimeout(timer);
        current.pending = null;
        if (ended) this.replace(current, check);
      };
      const timer = setTimeout(
        () => { finish(true); reject(new Error(`stopped after ${BUDGET / 1000} s: longer work is for the command line`)); },
        BUDGET,
      );
      cancel = () => { if (current.pending?.id === id) { finish(true); reject(new Superseded()); } };
      current.pending = {
        id, on, cancel,
        done: (answer) => { finish(false); resolve(answer); },
        fail: (error, ended) => { finish(ended); reject(error); },
      };
      current.worker.postMessage({ id, request: JSON.stringify(request) });
      this.module.catch((error) => current.pending?.id === id && current.pending.fail(error, false));
    });
    return { promise, cancel };
  }

  replace(slot, check) {
    slot.worker.terminate();
    if (check) this.checker = this.spawn();
    else this.spare = this.spawn();
  }
}

class Native {
  name = "native";

  constructor(token) {
    this.token = token;
  }

  headers() {
    return { "X-Stickslip-Token": this.token };
  }

  ask(request, on) {
    const stop = new AbortController();
    const promise = this.post(request, on, stop.signal).catch((error) => {
      throw stop.signal.aborted ? new Superseded() : error;
    });
    return { promise, cancel: () => stop.abort() };
  }

  async post(request, on, signal) {
    const body = JSON.stringify(request);
    for (let tries = 0; ; tries++) {
      const reply = await fetch("api/engine", { method: "POST", headers: this.headers(), body, signal });
      if (reply.status === 429 && tries < 20) {
        await new Promise((go) => setTimeout(go, 50));
        continue;
      }
      if (!reply.ok) throw new Error(`${reply.status}: ${(await reply.text()).trim()}`);
      let answer = null;
      const frames = new Frames((kind, bytes) => {
        if (kind === "r") answer = read(bytes);
        else hear(kind, bytes, on);
      });
      const reader = reply.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        frames.push(value);
      }
      if (!answer) throw new Error("the engine ended without an answer");
      return answer;
    }
  }

  async list() {
    const reply = await fetch("api/list", { headers: this.headers() });
    return reply.ok ? reply.json() : [];
  }

  async open(name) {
    const reply = await fetch(`api/file?name=${encodeURIComponent(name)}`, { headers: this.headers() });
    const text = await reply.text();
    if (!reply.ok) throw new Error(text.trim());
    return text;
  }

  async save(name, text) {
    const address = `api/file?name=${encodeURIComponent(name)}`;
    const reply = await fetch(address, { method: "PUT", headers: this.headers(), body: text });
    if (!reply.ok) throw new Error((await reply.text()).trim());
  }
}
