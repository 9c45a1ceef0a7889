// The page: the text, a run of it, and what comes back.
import { Editor } from "./editor.js";
import { Schema } from "./completion.js";
import { Superseded, engine as chosen } from "./engine.js";
import { Canvas, motionOf, readable } from "./canvas.js";
import { Plots } from "./plots.js";
import { LiveMap } from "./map.js";
import { Questions, QUESTIONS, heads } from "./questions.js";
import { Sliders } from "./sliders.js";
import { Sound } from "./sound.js";
import { pack, unpack } from "./fragment.js";

/** After the last keystroke the text is checked and run, ms. */
const PAUSE = 140;
/** Work that takes longer than this waits for the button, ms. */
const PATIENT = 3000;
/** Largest file that is taken, bytes. */
const MOST_FILE = 12 << 20;

const $ = (id) => document.getElementById(id);
const engine = chosen();
const state = { name: "scenario.toml", files: {}, checked: 0, running: null, answer: null, shown: 0, took: 0, kept: "", timer: null };

theme(localStorage.getItem("stickslip-theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));

const load = (file) => fetch(new URL(file, import.meta.url)).then((reply) => reply.json());
const scenarios = load("scenarios.json");
const [schema, catalogue] = await Promise.all([load("schema.json"), load("catalogue.json")]);

const editor = new Editor($("editor"), new Schema(schema, catalogue), {
  changed: edited,
  picked: (path) => { sliders.add(path); questions.pick(path); },
  remedy,
  apply: (d) => remedy(d)?.(),
});
const sliders = new Sliders($("sliders"), editor);
const questions = new Questions(editor);
const canvas = new Canvas($("stage"), { time: (i) => plots.mark(i) });
const plots = new Plots($("plot-series"), $("plot-phase"), { cursor: (time) => { canvas.playing = false; canvas.label(); canvas.at(time); } });
const sound = new Sound();

// ---- editing

function edited() {
  sliders.refresh();
  clearTimeout(state.timer);
  state.timer = setTimeout(() => look().catch(() => {}), PAUSE);
}

function request(op) {
  return { op, name: state.name, text: editor.text, files: state.files };
}

/** Checks the text, and runs it where that is quick. */
async function look() {
  const number = ++state.checked;
  const answer = await engine.ask(request("check")).promise;
  if (number !== state.checked) return;
  if (!diagnose(answer)) return;
  if (state.took < PATIENT) await run();
  else say(`<span class="busy">changed: press Run</span>`);
}

/** Shows what is wrong; true where nothing is. */
function diagnose(answer) {
  const wrong = answer.diagnostics ?? [];
  editor.show(wrong, state.name);
  const rows = wrong.map((d) => {
    const row = document.createElement("div");
    row.className = "wrong";
    const place = d.line > 0 ? `line ${d.line}: ` : "";
    row.innerHTML = `<b></b> <span></span><div class="hint"></div>`;
    row.querySelector("b").textContent = d.code;
    row.querySelector("span").textContent = place + d.message + (d.label ? ` (${d.label})` : "");
    row.querySelector(".hint").textContent = d.hint ? `hint: ${d.hint}` : "";
    const cure = remedy(d);
    if (cure) {
      const button = document.createElement("button");
      button.textContent = "apply";
      button.onclick = cure;
      row.querySelector(".hint").append(button);
    }
    return row;
  });
  if (answer.error) {
    const row = document.createElement("div");
    row.className = "wrong";
    row.textContent = answer.error;
    rows.push(row);
  }
  $("diagnostics").replaceChildren(...rows);
  if (!answer.ok) say(`<span class="word bad">${wrong.length > 1 ? `${wrong.length} things are` : "something is"} wrong with the text</span>`);
  return answer.ok;
}

/** What a hint does to the text, where it says that in full. */
function remedy(d) {
  const meant = /did you mean `([^`]+)`/.exec(d.hint ?? "");
  const set = /--set ([\w.[\]-]+)=("[^"]*"|'[^']*'|\S+)/.exec(d.hint ?? "");
  if (meant && d.line > 0 && d.file === state.name) {
    return () => {
      const value = editor.scanned.values.find((v) => v.keyFrom === d.from || v.from === d.from) ?? null;
      const [from, to] = value && value.keyFrom === d.from ? [value.keyFrom, value.keyTo] : [d.from, d.to];
      const quoted = /^["']/.test(editor.text.slice(from, to));
      editor.replace(from, to, quoted ? `"${meant[1].replace(/"/g, "")}"` : meant[1]);
    };
  }
  const target = set && editor.scanned.find(set[1]);
  if (!target) return null;
  const bare = set[2].replace(/^["']|["']$/g, "");
  return () => editor.replace(target.from, target.to, /^[-+.\deE]+$/.test(bare) ? bare : `"${bare}"`);
}

// ---- running

/** Runs the text as it stands; the promise is that of the summary. A newer run supersedes one in progress. */
function run(figures) {
  state.running?.cancel();
  clearTimeout(state.timer);
  const begun = performance.now();
  let map = null;
  const slow = setTimeout(() => { $("stop").hidden = false; say(`<span class="busy">running</span>`); }, 250);
  const text = editor.text;
  const asked = engine.ask({ ...request("run"), figures }, {
    part: (part) => { $("progress").hidden = false; $("progress").firstElementChild.style.width = `${100 * part}%`; },
    points: (points) => { map ??= fill(); map.add(points); },
  });
  state.running = asked;
  const done = asked.promise.then(
    (answer) => {
      state.took = performance.now() - begun;
      if (state.running === asked) state.running = null;
      if (!diagnose(answer)) throw new WrongText(answer);
      show(answer, text);
      return answer.summary;
    },
  );
  done.catch((error) => {
    if (error instanceof Superseded) return;
    if (state.running === asked) state.running = null;
    if (!(error instanceof WrongText)) say(`<span class="word bad"></span>`, error.message);
  }).finally(() => {
    clearTimeout(slow);
    if (state.running === null) { $("stop").hidden = true; $("progress").hidden = true; }
  });
  return done;
}

class WrongText extends Error {
  constructor(answer) {
    super((answer.diagnostics ?? []).map((d) => d.text).join("\n\n") || answer.error || "the text is wrong");
    this.name = "WrongText";
    this.diagnostics = answer.diagnostics ?? [];
  }
}

function say(html, text) {
  $("status").innerHTML = html;
  if (text !== undefined) $("status").querySelector(".word").textContent = text;
}

/** A map that fills in: its axes come from the last check. */
function fill() {
  const spec = { analysis: analysisOf() };
  $("live-map").hidden = false;
  $("figures").replaceChildren();
  hideMotion();
  return new LiveMap($("live-map"), spec);
}

function analysisOf() {
  const read = (path) => editor.scanned.find(path)?.raw.replace(/^["']|["']$/g, "");
  const axes = [];
  for (let i = 0; editor.scanned.find(`analysis.axes[${i}]`); i++) {
    const values = editor.scanned.values.filter((v) => v.path.startsWith(`analysis.axes[${i}].values[`)).map((v) => v.raw);
    axes.push({ parameter: read(`analysis.axes[${i}].parameter`), points: Number(read(`analysis.axes[${i}].points`) ?? 1), ...(values.length ? { values } : {}) });
  }
  return { axes, collect: editor.scanned.values.filter((v) => v.path.startsWith("analysis.collect[")).map((v) => v.raw) };
}

function hideMotion() {
  canvas.show(null);
  plots.show(null);
  $("stage").hidden = true;
}

// ---- results

function show(answer, text) {
  const keep = state.answer !== null && shape(text) === shape(state.kept);
  state.answer = answer;
  state.kept = text;
  if (state.shown >= answer.cases.length) state.shown = 0;
  verdict(answer);
  $("cases").replaceChildren(...(answer.cases.length > 1 ? answer.cases : []).map((one, k) => {
    const button = document.createElement("button");
    button.textContent = one.name;
    button.setAttribute("aria-current", String(k === state.shown));
    button.onclick = () => { state.shown = k; show(state.answer, state.kept); };
    return button;
  }));
  const one = answer.cases[state.shown];
  const spec = specOf(answer, one);
  const motion = motionOf(one, spec);
  $("stage").hidden = motion === null;
  $("live-map").hidden = true;
  canvas.show(motion, keep);
  plots.show(motion ? motion.table : null, keep);
  values(answer, one);
  figures(answer);
}

/** Runs whose texts differ in numbers alone are drawn over each other. */
function shape(text) {
  return text.replace(/[-+]?\d[\d.eE_]*/g, "0");
}

function specOf(answer, one) {
  const spec = answer.summary.provenance?.spec ?? {};
  return spec.cases?.[one.name] ?? spec;
}

function verdict(answer) {
  const { status, reason } = answer.summary;
  const one = answer.cases[state.shown];
  const regime = typeof answer.summary.regime === "object" ? answer.summary.regime?.[one?.name] : answer.summary.regime;
  const good = status === "ok";
  $("status").innerHTML = `<span class="word ${good ? "good" : "bad"}"></span> <span class="regime"></span> <span class="busy"></span>`;
  const [word, kind, took] = $("status").children;
  word.textContent = good ? "ok" : reason ? `${status}: ${reason}` : status;
  kind.textContent = regime ?? "";
  took.textContent = `${Math.round(state.took)} ms`;
}

function values(answer, one) {
  const rows = [];
  for (const [name, { value, unit }] of Object.entries(answer.summary.values ?? {})) {
    const own = answer.cases.length > 1 && value && typeof value === "object" && !Array.isArray(value) ? value[one.name] : value;
    if (own === undefined || own === null || (typeof own === "object" && !Array.isArray(own))) continue;
    if (Array.isArray(own) && (own.length > 6 || own.some((x) => typeof x === "object"))) continue;
    const word = typeof unit === "object" ? unit?.[one.name] ?? "" : unit;
    const row = document.createElement("div");
    const [left, right] = [document.createElement("span"), document.createElement("span")];
    left.textContent = name;
    const shown = (x) => (typeof x === "number" ? readable(x) : String(x));
    right.textContent = `${Array.isArray(own) ? own.map(shown).join(", ") : shown(own)}${word && word !== "1" ? ` ${word}` : ""}`;
    row.append(left, right);
    rows.push(row);
  }
  $("values").replaceChildren(...rows.slice(0, 40));
}

function figures(answer) {
  $("figures").replaceChildren(...answer.figures.map((f) => {
    const figure = document.createElement("figure");
    const image = document.createElement("img");
    image.alt = f.title;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(f.svg)}`;
    figure.append(image);
    return figure;
  }));
}

// ---- asking

for (const q of QUESTIONS) {
  const button = document.createElement("button");
  button.textContent = q.label;
  button.title = q.title;
  button.dataset.testid = `ask-${q.id}`;
  button.onclick = () => ask(q.id).catch((error) => { if (!(error instanceof Superseded)) notice(error.message); });
  $("ask").append(button);
}

/** Writes the analysis of a question and runs it; a range that a parameter does not allow is drawn nearer. */
async function ask(id) {
  const before = editor.text;
  let text = before;
  for (let reach = 1; reach > 0.02; reach /= 2) {
    if (reach < 1) editor.text = before;
    const missing = questions.ask(id, reach);
    if (missing) return notice(missing);
    text = editor.text;
    clearTimeout(state.timer);
    const answer = await engine.ask(request("check")).promise;
    if (editor.text !== text) return;
    if (answer.ok || !answer.diagnostics?.some((d) => d.code.endsWith("out-of-range"))) break;
  }
  state.took = 0;
  await run(true).catch(() => {});
}

// ---- files

function drop(files) {
  for (const file of files) {
    if (file.size > MOST_FILE) {
      notice(`${file.name} is larger than ${MOST_FILE >> 20} MB`);
      continue;
    }
    file.text().then((text) => {
      if (file.name.endsWith(".toml")) return open(file.name, text);
      state.files[file.name] = text;
      questions.record = { name: file.name, columns: heads(text) };
      const row = document.createElement("div");
      row.textContent = `${file.name}: ${questions.record.columns.join(", ")}`;
      $("dropped").append(row);
      edited();
    });
  }
}
for (const target of [$("drop"), document.body]) {
  target.addEventListener("dragover", (event) => { event.preventDefault(); $("drop").classList.add("over"); });
  target.addEventListener("dragleave", () => $("drop").classList.remove("over"));
  target.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    $("drop").classList.remove("over");
    drop(event.dataTransfer.files);
  });
}
$("file").onchange = (event) => drop(event.target.files);

async function pick() {
  const own = engine.list ? (await engine.list()).map((s) => ({ name: s.file, title: s.title, own: true })) : [];
  const all = [...own, ...(await scenarios)];
  const list = () => {
    const wanted = $("search").value.toLowerCase();
    const found = all.filter((s) => `${s.name} ${s.title}`.toLowerCase().includes(wanted)).slice(0, 200);
    $("listed").replaceChildren(...found.map((s) => {
      const button = document.createElement("button");
      const [name, title] = [document.createElement("span"), document.createElement("span")];
      name.textContent = s.name;
      title.textContent = s.title ?? "";
      button.append(name, title);
      button.onclick = async () => {
        $("picker").close();
        if (s.own) open(s.name, await engine.open(s.name));
        else { Object.assign(state.files, s.files ?? {}); open(s.name.includes(".") ? s.name : `${s.name.split("/").pop()}.toml`, s.text); }
      };
      return button;
    }));
  };
  $("search").oninput = list;
  list();
  $("picker").showModal();
  $("search").focus();
}

function open(name, text) {
  state.name = name;
  state.took = 0;
  $("save").hidden = !engine.save;
  document.title = `${name} - Stickslip studio`;
  editor.open(text);
}

// ---- buttons

$("open").onclick = () => pick().catch((error) => notice(error.message));
$("run").onclick = () => run(true).catch(() => {});
$("stop").onclick = () => { state.running?.cancel(); state.running = null; $("stop").hidden = true; $("progress").hidden = true; say(`<span class="busy">stopped</span>`); };
$("save").onclick = () => engine.save(state.name, editor.text).then(() => notice(`${state.name} saved`), (error) => notice(error.message));
$("theme").onclick = () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
$("share").onclick = async () => {
  const fragment = await pack(editor.text);
  history.replaceState(null, "", `${location.pathname}${location.search}#${fragment}`);
  const link = location.href;
  await navigator.clipboard?.writeText(link).catch(() => {});
  notice("the link in the address holds this scenario");
};
$("sound").onclick = () => {
  if (sound.playing) return sound.stop();
  const table = canvas.motion?.table;
  const names = table ? [...table.columns.keys()] : [];
  const rate = names.find((n) => n.startsWith("rate.")) ?? names.find((n) => n.endsWith("slip_velocity"));
  if (!rate) return notice("there is no motion to hear");
  const period = state.answer?.summary.values?.period?.value;
  const faster = sound.play(table.values("t"), table.values(rate), typeof period === "number" ? period : 0, () => {});
  notice(faster === 1 ? "at its own pace" : `${readable(faster)} times as fast as the motion`);
};
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey)) return;
  if (event.key === "Enter") { event.preventDefault(); run(true).catch(() => {}); }
  // Undo is the editor's, also while a slider has the focus.
  const elsewhere = document.activeElement?.type === "range" || document.activeElement === document.body;
  if (event.key.toLowerCase() === "z" && elsewhere) { event.preventDefault(); if (event.shiftKey) editor.redo(); else editor.undo(); }
});

$("export").addEventListener("click", async (event) => {
  const what = event.target.dataset?.export;
  if (!what) return;
  $("export").open = false;
  const stem = state.name.replace(/.*\//, "").replace(/\.toml$/, "");
  try {
    if (what === "scenario") return download(`${stem}.toml`, editor.text, "text/plain");
    if (what === "command") return copy(`stickslip run ${state.name}`);
    if (what === "python") return copy(`import stickslip\nscenario = stickslip.open("${state.name}")\nresult = scenario.run()\nprint(result.status, result.regime)`);
    if (what === "summary") return download(`${stem}.json`, JSON.stringify(await run(), null, 2), "application/json");
    if (what === "report") {
      const answer = await engine.ask(request("report")).promise;
      if (diagnose(answer)) download(`${stem}.html`, answer.html, "text/html");
      return;
    }
    if (what === "figures") {
      await run(true);
      for (const f of state.answer.figures) download(`${stem}-${f.name}.svg`, f.svg, "image/svg+xml");
      return;
    }
    await run();
    for (const one of state.answer.cases) {
      for (const table of Object.values(one.tables)) download(`${stem}${one.name ? `-${one.name}` : ""}-${table.name}.csv`, csv(table), "text/csv");
    }
  } catch (error) {
    notice(error.message);
  }
});

function csv(table) {
  const columns = [...table.columns.values()];
  const lines = [columns.map((c) => (c.unit ? `${c.name} [${c.unit}]` : c.name)).join(",")];
  for (let i = 0; i < table.length; i++) lines.push(columns.map((c) => (c.words ? c.words[c.values[i]] : c.values[i])).join(","));
  return `${lines.join("\n")}\n`;
}

function download(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function copy(text) {
  navigator.clipboard?.writeText(text).then(() => notice("copied"), () => notice(text));
}

function notice(text) {
  $("notice").textContent = text;
  $("notice").hidden = false;
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => { $("notice").hidden = true; }, 4000);
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  localStorage.setItem("stickslip-theme", name);
  if (state.answer) { plots.show(plots.data, true); canvas.draw(); }
}

// ---- what others may call

window.stickslip = {
  text: () => editor.text,
  setText: (text) => { editor.text = text; },
  run: () => run(),
  engine: engine.name,
};

// ---- the start

async function first() {
  const shared = await unpack(location.hash);
  if (shared !== null) return open("scenario.toml", shared);
  if (engine.list) {
    const own = await engine.list();
    const start = own.find((s) => s.file === "first.toml") ?? own[0];
    if (start) return open(start.file, await engine.open(start.file));
  }
  const [example] = await scenarios;
  open(`${example.name}.toml`, example.text);
}

window.addEventListener("hashchange", async () => {
  const shared = await unpack(location.hash);
  if (shared !== null && shared !== editor.text) open("scenario.toml", shared);
});

try {
  await first();
  clearTimeout(state.timer);
  await look();
} catch (error) {
  if (!(error instanceof Superseded)) say(`<span class="word bad"></span>`, error.message);
}
