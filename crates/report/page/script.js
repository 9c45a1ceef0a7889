// Reads values off a figure and enlarges what is dragged over; a double click shows all again.
"use strict";
(() => {
  const NS = "http://www.w3.org/2000/svg";
  const make = (parent, name, attributes, text) => {
    const e = document.createElementNS(NS, name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    return parent.appendChild(e);
  };
  const minus = (s) => String(s).replace(/-/g, "\u2212");
  const short = (v) => {
    if (v === 0) return "0";
    const a = Math.abs(v);
    return minus(a >= 1e-3 && a < 1e6 ? Number(v.toPrecision(6)) : v.toExponential(4));
  };
  const raise = (text) => {
    const up = { "-": "\u207b", "\u2212": "\u207b", ".": "\u00b7" };
    return text.replace(/\^([-\u22120-9.]+)/g, (_, n) => [...n].map((c) => up[c] || "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[+c]).join(""));
  };
  // Round numbers in a range; on a logarithmic axis, of exponents.
  const ticks = (lo, hi, most, log) => {
    const rough = (hi - lo) / most;
    const ten = 10 ** Math.floor(Math.log10(rough));
    let step = [1, 2, 5, 10].map((k) => k * ten).find((s) => s >= rough * 0.999);
    if (log && step < 1 && hi - lo >= 1) step = 1;
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const out = [];
    for (let n = Math.ceil(lo / step - 1e-9); n * step <= hi + 1e-9 * step && out.length < 30; n++) {
      const at = n * step;
      const value = log ? 10 ** at : at;
      const label = !log ? (Math.abs(at) < 1e7 ? (at + 0).toFixed(Math.min(digits, 15)) : at.toExponential(3))
        : step >= 1 ? raise("10^" + Math.round(at)) : value.toPrecision(3);
      out.push([at, minus(label.replace(/^-(0\.?0*)$/, "$1"))]);
    }
    return out;
  };

  for (const figure of document.querySelectorAll("figure")) {
    const svg = figure.querySelector("svg");
    const read = figure.querySelector(".read");
    const reset = figure.querySelector("button");
    if (!svg || !read || !reset) continue;
    const axes = [...svg.querySelectorAll(".axes")];
    const panels = [...svg.querySelectorAll(".panel")].map((g, i) => {
      const [x, y, w, h] = g.dataset.box.split(" ").map(Number);
      const axis = (s) => { const [lo, hi, kind] = s.split(" ").map(Number); return { lo, hi, kind, from: lo, to: hi }; };
      return { g, data: g.querySelector(".data"), axes: axes[i], original: axes[i].innerHTML, x, y, w, h,
        X: axis(g.dataset.x), Y: axis(g.dataset.y), xname: g.dataset.xname, yname: g.dataset.yname,
        numbers: g.dataset.numbers === "1", points: null };
    });
    const shared = panels.length > 1 && !panels[0].numbers;
    const mark = make(svg, "circle", { class: "mark", r: 4, visibility: "hidden" });
    let box = null, start = null;

    const place = (event) => {
      const m = svg.getScreenCTM();
      return m ? new DOMPoint(event.clientX, event.clientY).matrixTransform(m.inverse()) : null;
    };
    const under = (p) => p && panels.find((q) => p.x >= q.x && p.x <= q.x + q.w && p.y >= q.y && p.y <= q.y + q.h);
    // Vertices as drawn at first, in the units of the sheet.
    const points = (q) => {
      if (!q.points) {
        q.points = [];
        for (const path of q.data.querySelectorAll("path")) {
          const found = path.getAttribute("d").match(/-?[\d.]+ -?[\d.]+/g) || [];
          for (const s of found) q.points.push(s.split(" ").map(Number));
        }
      }
      return q.points;
    };
    const matrix = (q) => {
      const sx = (q.X.hi - q.X.lo) / (q.X.to - q.X.from), sy = (q.Y.hi - q.Y.lo) / (q.Y.to - q.Y.from);
      const dx = q.x - sx * (q.x + (q.X.from - q.X.lo) / (q.X.hi - q.X.lo) * q.w);
      const dy = q.y + q.h - sy * (q.y + q.h - (q.Y.from - q.Y.lo) / (q.Y.hi - q.Y.lo) * q.h);
      return [sx, sy, dx, dy];
    };
    const value = (axis, share) => {
      const v = axis.from + share * (axis.to - axis.from);
      return axis.kind === 1 ? 10 ** v : v;
    };
    const said = (name, v) => {
      const [, what, unit] = name.match(/^(.*?)(?: \(([^()]*)\))?$/);
      return `${what} = ${short(v)}${unit ? " " + raise(unit) : ""}`;
    };
    const draw = (q) => {
      const [sx, sy, dx, dy] = matrix(q);
      const all = sx === 1 && sy === 1;
      q.data.setAttribute("transform", all ? "" : `matrix(${sx} 0 0 ${sy} ${dx} ${dy})`);
      if (all) { q.axes.innerHTML = q.original; return; }
      q.axes.textContent = "";
      const text = { "font-size": 13, class: "f-text", fill: "#1f2328" };
      const grid = { class: "s-grid", stroke: "#e3e5e8", fill: "none" };
      for (const [at, label] of ticks(q.X.from, q.X.to, 7, q.X.kind === 1)) {
        const x = q.x + (at - q.X.from) / (q.X.to - q.X.from) * q.w;
        make(q.axes, "path", { ...grid, d: `M${x} ${q.y}v${q.h}` });
        if (q.numbers) make(q.axes, "text", { ...text, x, y: q.y + q.h + 17, "text-anchor": "middle" }, label);
      }
      if (q.Y.kind === 2) return;
      for (const [at, label] of ticks(q.Y.from, q.Y.to, Math.max(2, q.h / 36), q.Y.kind === 1)) {
        const y = q.y + q.h - (at - q.Y.from) / (q.Y.to - q.Y.from) * q.h;
        make(q.axes, "path", { ...grid, d: `M${q.x} ${y}h${q.w}` });
        make(q.axes, "text", { ...text, x: q.x - 7, y: y + 4.5, "text-anchor": "end" }, label);
      }
    };
    const hide = () => { read.style.display = "none"; mark.setAttribute("visibility", "hidden"); };
    const show = (event, p, q) => {
      const [sx, sy, dx, dy] = matrix(q);
      let best = null, least = 30 * 30;
      for (const [x, y] of points(q)) {
        const a = x * sx + dx, b = y * sy + dy;
        const d = (a - p.x) ** 2 + (b - p.y) ** 2;
        if (d < least && a >= q.x && a <= q.x + q.w) { least = d; best = [a, b]; }
      }
      const [a, b] = best || [p.x, p.y];
      mark.setAttribute("visibility", best ? "visible" : "hidden");
      mark.setAttribute("cx", a);
      mark.setAttribute("cy", b);
      const parts = [said(q.xname, value(q.X, (a - q.x) / q.w))];
      if (q.Y.kind !== 2) parts.push(said(q.yname, value(q.Y, 1 - (b - q.y) / q.h)));
      read.textContent = parts.join(", ");
      read.style.display = "block";
      const around = figure.getBoundingClientRect();
      const left = event.clientX - around.left;
      read.style.top = `${event.clientY - around.top - 38}px`;
      read.style.left = `${Math.max(0, Math.min(left + 12, around.width - read.offsetWidth))}px`;
    };
    const zoom = (q, x0, x1, y0, y1) => {
      const part = (axis, a, b) => {
        const width = axis.to - axis.from;
        if (Math.abs(width * (b - a)) > 1e-6 * Math.abs(axis.hi - axis.lo)) [axis.from, axis.to] = [axis.from + a * width, axis.from + b * width];
      };
      for (const other of shared ? panels : [q]) part(other.X, x0, x1);
      if (q.Y.kind !== 2) part(q.Y, y0, y1);
      figure.classList.add("zoomed");
      panels.forEach(draw);
    };
    const all = () => {
      for (const q of panels) for (const axis of [q.X, q.Y]) [axis.from, axis.to] = [axis.lo, axis.hi];
      figure.classList.remove("zoomed");
      panels.forEach(draw);
      hide();
    };
    svg.addEventListener("pointerdown", (event) => {
      const p = place(event), q = under(p);
      if (q && event.button === 0 && event.pointerType !== "touch") {
        start = { p, q };
        svg.setPointerCapture(event.pointerId);
        event.preventDefault();
      }
    });
    svg.addEventListener("pointermove", (event) => {
      const p = place(event);
      if (start) {
        const { q } = start;
        hide();
        if (!box) box = make(svg, "rect", { class: "select" });
        const x = [start.p.x, p.x].map((v) => Math.min(Math.max(v, q.x), q.x + q.w)).sort((a, b) => a - b);
        let y = [start.p.y, p.y].map((v) => Math.min(Math.max(v, q.y), q.y + q.h)).sort((a, b) => a - b);
        // A flat stroke chooses a span of x alone.
        if (y[1] - y[0] < 12) y = [q.y, q.y + q.h];
        start.x = x; start.y = y;
        for (const [k, v] of Object.entries({ x: x[0], y: y[0], width: x[1] - x[0], height: y[1] - y[0] })) box.setAttribute(k, v);
        return;
      }
      const q = under(p);
      if (q) show(event, p, q); else hide();
    });
    svg.addEventListener("pointerup", () => {
      if (start && start.x && start.x[1] - start.x[0] > 6) {
        const { q, x, y } = start;
        zoom(q, (x[0] - q.x) / q.w, (x[1] - q.x) / q.w, (q.y + q.h - y[1]) / q.h, (q.y + q.h - y[0]) / q.h);
      }
      if (box) box.remove();
      box = start = null;
    });
    svg.addEventListener("pointercancel", () => { if (box) box.remove(); box = start = null; });
    svg.addEventListener("pointerleave", () => { if (!start) hide(); });
    svg.addEventListener("dblclick", all);
    reset.addEventListener("click", all);
  }
})();
