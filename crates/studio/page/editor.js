// The editor: completion, diagnostics, explanations, and a click on a number.
import {
  EditorView, EditorState, basicSetup, StreamLanguage, HighlightStyle, syntaxHighlighting, tags, toml, keymap, indentWithTab,
  autocompletion, setDiagnostics, hoverTooltip, Decoration, ViewPlugin, RangeSetBuilder, undo, redo,
} from "./vendor/codemirror.js";
import { scan, quantity } from "./toml.js";

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--faint)" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.bool, color: "var(--number)" },
  { tag: [tags.propertyName, tags.atom], color: "var(--key)" },
  { tag: [tags.heading, tags.bracket], color: "var(--ink)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "transparent", color: "var(--ink)", fontSize: "13.5px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--line)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection": { backgroundColor: "var(--select) !important" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--edge)", borderRadius: "6px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "white" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)" },
  ".cm-live": { borderBottom: "1px dotted var(--accent)", cursor: "ew-resize" },
});

export class Editor {
  /** `on`: changed(text), picked(path, value), apply(diagnostic). */
  constructor(parent, schema, on) {
    this.on = on;
    this.schema = schema;
    this.scanned = scan("");
    const live = ViewPlugin.fromClass(
      class {
        constructor(view) { this.decorations = marks(view, scan(view.state.doc.toString())); }
        update(update) {
          if (update.docChanged || update.viewportChanged) this.decorations = marks(update.view, scan(update.state.doc.toString()));
        }
      },
      { decorations: (plugin) => plugin.decorations },
    );
    this.extensions = [
      basicSetup, keymap.of([indentWithTab]), StreamLanguage.define(toml), syntaxHighlighting(colours), look, live, EditorView.lineWrapping,
      autocompletion({ override: [(context) => this.completions(context)], activateOnTyping: true }),
      hoverTooltip((view, position) => this.hover(view, position)),
      EditorView.contentAttributes.of({ "aria-label": "Scenario", spellcheck: "false", autocorrect: "off" }),
      EditorView.updateListener.of((update) => { if (update.docChanged) this.changed(); }),
      EditorView.domEventHandlers({ click: (event, view) => this.clicked(event, view) }),
    ];
    this.view = new EditorView({ parent, state: this.fresh("") });
  }

  fresh(doc) {
    return EditorState.create({ doc, extensions: this.extensions });
  }

  /** Another document: undo does not lead back to the one before. */
  open(text) {
    this.view.setState(this.fresh(text));
    this.changed();
  }

  get text() {
    return this.view.state.doc.toString();
  }

  set text(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, scrollIntoView: false });
  }

  /** One change of the text: undo takes it back like any other. */
  replace(from, to, insert, merge = false) {
    this.view.dispatch({ changes: { from, to, insert }, userEvent: merge ? "input.type.slider" : "input" });
  }

  undo() { undo(this.view); }
  redo() { redo(this.view); }

  changed() {
    this.scanned = scan(this.text);
    this.on.changed(this.text);
  }

  clicked(event, view) {
    if (event.detail !== 1 || !view.state.selection.main.empty) return false;
    const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
    const value = position === null ? null : this.scanned.at(position);
    if (value && quantity(value.raw) && !/(^|\.)(title|name)$/.test(value.path)) this.on.picked(value.path);
    return false;
  }

  completions(context) {
    const word = context.matchBefore(/[\w-]*/);
    if (!context.explicit && (!word || word.from === word.to) && !/["=]\s*$/.test(context.state.sliceDoc(Math.max(0, context.pos - 2), context.pos))) return null;
    const options = this.schema.complete(scan(context.state.doc.toString()), context.pos);
    return options.length === 0 ? null : { from: word ? word.from : context.pos, options, validFor: /^[\w-]*$/ };
  }

  hover(view, position) {
    const line = view.state.doc.lineAt(position);
    const column = position - line.from;
    let [from, to] = [column, column];
    while (from > 0 && /[\w-]/.test(line.text[from - 1])) from--;
    while (to < line.text.length && /[\w-]/.test(line.text[to])) to++;
    const found = from < to ? this.schema.explain(this.scanned, position, line.text.slice(from, to)) : null;
    if (!found) return null;
    return {
      pos: line.from + from, end: line.from + to, above: true,
      create() {
        const dom = document.createElement("div");
        dom.className = "explain";
        const title = document.createElement("b");
        title.textContent = found.title;
        const text = document.createElement("div");
        text.textContent = found.text;
        dom.append(title, text);
        return { dom };
      },
    };
  }

  /** Shows what is wrong with the text; `file` is its name in messages. */
  show(diagnostics, file) {
    const place = places(this.text);
    const marks = diagnostics.filter((d) => d.file === file && d.line > 0).map((d) => {
      const from = place(d.from);
      const to = Math.max(place(d.to), from + 1);
      const actions = this.on.remedy(d) ? [{ name: "apply the hint", apply: () => this.on.apply(d) }] : [];
      const message = [`${d.message}`, d.label, d.hint && `hint: ${d.hint}`].filter(Boolean).join("\n");
      return { from: Math.min(from, this.text.length), to: Math.min(to, this.text.length), severity: "error", message, actions };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  focus(position) {
    this.view.dispatch({ selection: { anchor: position }, scrollIntoView: true });
    this.view.focus();
  }
}

/** From a byte of the text in UTF-8 to its place in the editor. */
export function places(text) {
  if (/^[\x00-\x7f]*$/.test(text)) return (byte) => Math.min(byte, text.length);
  return (byte) => {
    let at = 0, bytes = 0;
    for (const c of text) {
      if (bytes >= byte) break;
      bytes += new TextEncoder().encode(c).length;
      at += c.length;
    }
    return at;
  };
}

function marks(view, scanned) {
  const builder = new RangeSetBuilder();
  const live = scanned.values.filter((v) => (v.kind === "number" || v.kind === "text") && quantity(v.raw) && !/(^|\.)(title|name)$/.test(v.path));
  for (const v of live.sort((a, b) => a.from - b.from)) {
    builder.add(v.from, v.to, Decoration.mark({ class: "cm-live", attributes: { title: "click for a slider" } }));
  }
  return builder.finish();
}
