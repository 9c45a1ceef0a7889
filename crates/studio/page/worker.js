// The engine in a worker. One request at a time; what takes too long is ended with the worker.
let exports = null;
let busy = null;
const waiting = [];

const host = {
  frame(kind, at, length) {
    const bytes = new Uint8Array(exports.memory.buffer, at, length).slice();
    self.postMessage({ id: busy, kind: String.fromCharCode(kind), bytes }, [bytes.buffer]);
  },
};

async function start(module) {
  exports = (await WebAssembly.instantiate(module, { host })).exports;
  self.postMessage({ ready: true });
  for (const request of waiting.splice(0)) answer(request);
}

function answer({ id, request }) {
  busy = id;
  const bytes = new TextEncoder().encode(request);
  try {
    const room = exports.room(bytes.length);
    new Uint8Array(exports.memory.buffer, room, bytes.length).set(bytes);
    exports.respond_to(room, bytes.length);
  } catch (error) {
    self.postMessage({ id, failed: `the engine ended: ${error.message}` });
  }
}

self.onmessage = ({ data }) => {
  if (data.module) start(data.module);
  else if (exports) answer(data);
  else waiting.push(data);
};
