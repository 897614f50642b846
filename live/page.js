// A page that runs: its cells become editors, and what they give is shown in place.
import { closeBrackets } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python, pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorView, drawSelection, keymap } from "@codemirror/view";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import DOMPurify from "dompurify";

const folder = new URL("./", import.meta.url);
const storage = `olc-live ${location.pathname}`;
// From the press on the browser itself sees to it that no script runs but those of the
// book, and that neither the page nor Python asks another host for anything.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
  + "img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; object-src 'none'; "
  + "frame-src 'none'; base-uri 'none'; form-action 'self'";

const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const text = (cell) => cell.editor.state.doc.toString();

// --- what a cell gives --------------------------------------------------------------

// Outside of links, an address is a part of the output itself.
DOMPurify.addHook("uponSanitizeAttribute", (node, data) => {
  const loads = /^(src|href|xlink:href)$/.test(data.attrName) && node.nodeName !== "A";
  if (loads && !/^(#|data:image\/(png|jpeg|gif);)/.test(data.attrValue)) data.keepAttr = false;
});
const options = { ADD_TAGS: ["use"], FORBID_TAGS: ["style", "form"], FORBID_ATTR: ["srcset"] };
const clean = (html) => DOMPurify.sanitize(html, options);

// An explorer's script is the book's own, whatever script its HTML has.
function safe(html) {
  const output = make("div", { className: "output text_html", innerHTML: clean(html) });
  const given = new DOMParser().parseFromString(html, "text/html");
  const data = given.querySelectorAll("figure.olc-explorer > script[type='application/json']");
  output.querySelectorAll("figure.olc-explorer").forEach((figure, i) => {
    const { parts, frames, alts, labels } = JSON.parse(data[i].textContent);
    const pictures = frames.map((frame) => clean(frame.map((part) => parts[part]).join("")));
    const each = pictures.map((_, j) => [j]);
    const json = JSON.stringify({ parts: pictures, frames: each, alts, labels });
    figure.append(make("script", { type: "application/json", textContent: json }));
    figure.append(make("script", { src: new URL("explorer.js", folder) }));
  });
  return output;
}

function coloured(code) {
  const pre = make("pre");
  const put = (words, classes) => pre.append(make("span", { className: classes }, words));
  highlightCode(code, pythonLanguage.parser.parse(code), classHighlighter, put, () => pre.append("\n"));
  return pre;
}

const plain = (kind) => (words) => make("div", { className: `output ${kind}` }, make("pre", {}, words));
const faces = {
  html: safe,
  text: plain("text_plain"),
  printed: plain("stream"),
  error: plain("olc-error"),
  traceback: (words) => make("details", {}, make("summary", {}, "The whole traceback"), make("pre", {}, words)),
  markdown: (words) => make("div", { className: "output highlight" }, coloured(words.replace(/^```\w*\n|\n```$/g, ""))),
  image: (data) => make("img", { src: `data:image/png;base64,${data}`, alt: "A drawing by this cell" }),
};

function show(cell, kind, words) {
  const { output } = cell;
  if (cell.stale || kind === "clear") output.replaceChildren();
  cell.stale = false;
  if (kind === "clear") return delete cell.box.dataset.state;
  if (kind === "printed" && output.lastChild?.matches?.(".stream")) output.lastChild.remove();
  if (kind === "error") cell.box.dataset.state = "error";
  if (!String(words).trim()) return;
  const face = faces[kind](String(words));
  output.append(face);
  for (const box of [face, ...face.querySelectorAll("pre, .olc-scroll")]) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; // it scrolls: let keys reach it
  }
}

// --- the page -----------------------------------------------------------------------

export function start(bar, { packages, bytes, seconds }) {
  document.head.append(
    make("meta", { httpEquiv: "Content-Security-Policy", content: policy }),
    make("link", { rel: "stylesheet", href: new URL("page.css", folder) }),
  );
  let worker, interrupt, busy = null, ready = false, queue = [];
  const kept = JSON.parse(localStorage.getItem(storage) ?? "{}");
  const status = bar.querySelector("[role=status]"), amount = make("span");
  const say = (words, megabytes = "") => {
    if (status.textContent !== words) status.textContent = words;
    amount.textContent = megabytes;
  };
  const button = (words, press, label = words) => {
    const made = make("button", { type: "button", className: "btn btn-sm", ariaLabel: label }, words);
    made.addEventListener("click", press);
    return made;
  };

  const cells = [...document.querySelectorAll("article.bd-article div.cell:has(.cell_input pre)")].map((box, i) => {
    const input = box.querySelector(".cell_input"), number = i + 1;
    const original = input.querySelector("pre").textContent.trimEnd();
    const output = box.querySelector(":scope > .cell_output, :scope > details > .cell_output")
      ?? box.appendChild(make("div", { className: "cell_output docutils container" }));
    const cell = { box, number, original, output };
    const keep = () => {
      const typed = text(cell);
      reset.hidden = typed === original;
      if (cell.silent) return;
      cell.linked = false;
      if (reset.hidden) delete kept[original];
      else kept[original] = typed;
      localStorage.setItem(storage, JSON.stringify(kept));
    };
    const reset = button("Reset", () => write(cell, original), `Reset cell ${number}`);
    const run = () => {
      cell.linked = false;
      if (cell !== busy && !queue.includes(cell)) queue.unshift(cell);
      next();
      return true;
    };
    const tools = make("div", { className: "olc-tools d-print-none" },
      button("Run", run, `Run cell ${number}`),
      button("Run all above", () => enqueue(cells.slice(0, i)), `Run all above cell ${number}`),
      button("Copy link", () => link(cell), `Copy a link to cell ${number} with its code`),
      reset);
    const holder = make("div", { className: "olc-editor" });
    input.replaceChildren(holder, tools);
    cell.editor = new EditorView({
      parent: holder,
      doc: kept[original] ?? original,
      extensions: [
        history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), python(),
        indentUnit.of("    "), syntaxHighlighting(classHighlighter),
        keymap.of([{ key: "Shift-Enter", run }, { key: "Mod-Enter", run }, ...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ "aria-label": `Code of cell ${number}` }),
        EditorView.updateListener.of((update) => update.docChanged && keep()),
      ],
    });
    reset.hidden = text(cell) === original;
    return cell;
  });
  const write = ({ editor }, code) =>
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: code } });

  const link = async (cell) => {
    const { origin, pathname } = location;
    const address = `${origin}${pathname}#code=${cell.number}:${encodeURIComponent(text(cell))}`;
    window.history.replaceState(null, "", address);
    try {
      await navigator.clipboard.writeText(address);
      say(`The link to cell ${cell.number} is copied.`);
    } catch {
      say("The link is in the address bar.");
    }
  };

  // Code that came with a link waits until the reader runs it, or changes it.
  const enqueue = (wanted) => {
    const stop = wanted.findIndex((cell) => cell.linked);
    queue = stop < 0 ? [...wanted] : wanted.slice(0, stop);
    next();
  };
  const next = () => {
    for (const cell of cells) {
      if (cell === busy || queue.includes(cell)) cell.box.dataset.state = cell === busy ? "runs" : "waits";
      else if (cell.box.dataset.state !== "error") delete cell.box.dataset.state;
    }
    stop.disabled = !busy;
    if (!ready || busy || !queue.length) return;
    busy = queue.shift();
    busy.stale = true;
    delete busy.box.dataset.state;
    say(`Cell ${busy.number} of ${cells.length} runs …`);
    worker.postMessage({ code: text(busy), name: `<cell ${busy.number}>` });
    next();
  };
  const hear = ({ data: { kind, text: words } }) => {
    if (kind === "bytes" && !ready) say("Loading Python …", `${(words / 1e6).toFixed(0)} of ${(bytes / 1e6).toFixed(0)} MB`);
    else if (kind === "broken") say(`Python has failed: ${words} Reload the page to start it again.`);
    else if (kind === "done" && busy) {
      if (busy.stale) busy.output.replaceChildren();
      const failed = busy.box.dataset.state === "error";
      if (failed) queue = [];
      say(failed ? `Cell ${busy.number} has failed: ${busy.output.querySelector(".olc-error").textContent.split("\n")[0]}`
        : queue.length ? status.textContent : "Ready.");
      busy = null;
      next();
    } else if (kind === "done") {
      ready = true;
      say("Python is ready. Change a cell and press Shift+Enter.");
      next();
    } else if (busy) show(busy, kind, words);
  };
  const launch = () => {
    ready = false;
    // A worker made in the page obeys the policy of the page.
    const source = `import ${JSON.stringify(new URL("worker.mjs", folder).href)};`;
    worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { type: "module" });
    worker.onmessage = hear;
    worker.onerror = () => say("Python cannot start in this browser.");
    interrupt = window.crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
    worker.postMessage({ packages: packages.split(" "), interrupt });
  };
  const halt = () => {
    queue = [];
    if (interrupt) return interrupt.fill(2); // the cell ends with KeyboardInterrupt
    worker.terminate();
    show(busy, "error", "Stopped. Python starts again, and has forgotten what the cells made: run those above first.");
    busy = null;
    launch();
    say("Stopped. Python starts again, and has forgotten what the cells made.");
    next();
  };
  const download = async () => {
    const name = location.pathname.split("/").pop().replace(/(\.html)?$/, ".ipynb");
    const notebook = await (await fetch(new URL(`../_sources/book/${name}`, location))).json();
    notebook.cells.filter((cell) => cell.cell_type === "code").forEach((cell, i) =>
      Object.assign(cell, { source: text(cells[i]), outputs: [], execution_count: null }));
    const file = new Blob([JSON.stringify(notebook, null, 1)], { type: "application/x-ipynb+json" });
    make("a", { href: URL.createObjectURL(file), download: name }).click();
  };

  const stop = button("Stop", halt);
  bar.replaceChildren(
    button("Run all cells", () => enqueue(cells)), stop, button("Download as notebook", download),
    status, amount, make("a", { href: new URL("licences.html", folder) }, "Licences"));
  bar.classList.add("olc-running");
  const [, number, code] = location.hash.match(/^#code=(\d+):(.*)$/s) ?? [];
  const linked = cells[number - 1];
  if (linked) {
    linked.silent = true;
    write(linked, decodeURIComponent(code));
    linked.silent = false;
    linked.linked = true;
    linked.box.closest("details")?.setAttribute("open", "");
    linked.box.querySelector("details")?.setAttribute("open", "");
    linked.box.scrollIntoView();
    linked.editor.focus();
  }
  launch();
  enqueue(seconds ? [] : cells);
}
