// A page that runs: its cells become editors, and what they give is shown in place.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { indentUnit, syntaxHighlighting } from "@codemirror/language";
import { drawSelection, EditorView, keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import DOMPurify from "dompurify";

const folder = new URL("./", import.meta.url);
const bar = document.querySelector(".olc-live");
const status = bar.querySelector("[role=status]");
const say = (words) => (status.textContent = words);
const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const button = (words, onclick, ariaLabel = words) =>
  make("button", { type: "button", className: "btn btn-sm", onclick, ariaLabel }, words);

// --- what a cell gives ---------------------------------------------------------------

// From the press on the browser itself sees to it that no script runs but those of the
// book, and that neither the page nor Python asks another host for anything.
const policy = `default-src 'self' data: blob:; script-src 'self' 'wasm-unsafe-eval';
  style-src 'self' 'unsafe-inline'; worker-src 'self' blob:; object-src 'none';
  frame-src 'none'; base-uri 'none'; form-action 'self'`.replace(/\s+/g, " ");
document.head.append(make("meta", { httpEquiv: "Content-Security-Policy", content: policy }));
document.head.append(make("link", { rel: "stylesheet", href: new URL("page.css", folder) }));

// An output brings its pictures along: whatever names another place is refused.
const ALLOWED_URI_REGEXP = /^(?![\\/]{2})([^a-z]|[a-z+.-]+([^a-z+.\-:]|$))/i;
const refused = { FORBID_TAGS: ["style"], FORBID_ATTR: ["srcset", "action", "formaction"] };
const clean = (html) =>
  DOMPurify.sanitize(html, { ADD_TAGS: ["use"], ALLOWED_URI_REGEXP, ...refused });

// The script of an explorer or a quiz is the book's own, whatever script its HTML has.
function safe(html) {
  const output = make("div", { className: "output text_html olc-scroll", innerHTML: clean(html) });
  const own = (name) => make("script", { src: new URL(name, folder) });
  const given = new DOMParser().parseFromString(html, "text/html");
  const data = given.querySelectorAll("figure.olc-explorer > script[type='application/json']");
  for (const [i, figure] of output.querySelectorAll("figure.olc-explorer").entries()) {
    const { parts, frames, ...words } = JSON.parse(data[i].textContent);
    const pictures = frames.map((frame) => clean(frame.map((part) => parts[part]).join("")));
    const json = JSON.stringify({ ...words, parts: pictures, frames: pictures.map((_, j) => [j]) });
    figure.append(make("script", { type: "application/json" }, json), own("explorer.js"));
  }
  if (output.querySelector("form.olc-quiz")) output.append(own("quiz.js"));
  return output;
}

const plain = (kind) => (words) =>
  make("div", { className: `output ${kind}` }, make("pre", {}, words));
const faces = {
  html: safe,
  markdown: (words) => faces.text(words.replace(/^```\w*\n|\n```$/g, "")),
  text: plain("text_plain"),
  printed: plain("stream"),
  error: plain("olc-error"),
};

function show(cell, kind, words) {
  if (cell.stale || kind === "clear") cell.output.replaceChildren();
  cell.stale = false;
  cell.failure = kind === "error" && words.split("\n")[0];
  const stream = kind === "printed" && cell.output.querySelector(".stream:last-child > pre");
  if (stream) stream.append(words);
  else if (kind !== "clear") cell.output.append(faces[kind](words));
  globalThis.olcLab?.begin(); // what is new on the page
  cell.output.dispatchEvent(new Event("toggle")); // the book lets keys reach what scrolls
}

// --- Python ---------------------------------------------------------------------------

let worker, interrupt;
let queue = []; // the cells that wait
let busy = null; // the one that runs, or what else Python does
let finish; // what to call when that is done
const done = () => new Promise((resolve) => (finish = resolve));

async function launch() {
  busy = {};
  // A worker made in the page obeys the policy of the page.
  const source = `import ${JSON.stringify(new URL("worker.mjs", folder))};`;
  const blob = new Blob([source], { type: "text/javascript" });
  worker = new Worker(URL.createObjectURL(blob), { type: "module" });
  worker.onmessage = ({ data: { kind, words } }) => {
    if (kind === "done") finish();
    else if (kind === "bytes") say(`Loading Python: ${words} of ${bar.dataset.megabytes} MB …`);
    else if (kind === "broken") say(`Python has failed: ${words} Reload the page to start again.`);
    else show(busy, kind, words);
  };
  worker.onerror = () => say("Python cannot start in this browser.");
  interrupt = window.crossOriginIsolated && new Uint8Array(new SharedArrayBuffer(1));
  worker.postMessage({ packages: bar.dataset.packages.split(" "), interrupt });
  await done();
  say("Python is ready. Change a cell and press Shift+Enter.");
  busy = null;
  next();
}

launch(); // while the editors are made

// --- the cells ------------------------------------------------------------------------

const [, place, brought] = location.hash.match(/^#code=(\d+):(.*)$/s) ?? [];
const text = ({ editor }) => editor.state.doc.toString();
const boxes = document.querySelectorAll("article.bd-article div.cell:has(.cell_input pre)");
const cells = [...boxes].map((box, i) => {
  const input = box.querySelector(".cell_input");
  const original = input.querySelector("pre").textContent.trimEnd();
  const output = box.querySelector(".cell_output") ?? make("div", { className: "cell_output" });
  const cell = { box, number: i + 1, original, output };
  const run = () => enqueue(cell);
  const tool = (words, press) => button(words, press, `${words}: cell ${i + 1}`);
  const reset = tool("Reset", () => {
    cell.editor.dispatch({ changes: { from: 0, to: text(cell).length, insert: original } });
  });
  const link = make("a", { className: "btn btn-sm", ariaLabel: `Link: cell ${i + 1}` }, "Link");
  const tools = make("div", { className: "olc-tools d-print-none" }, link, reset);
  tools.prepend(
    tool("Run", run),
    tool("Run all above", () => enqueue(...cells.slice(0, i))),
  );
  if (!output.isConnected) box.append(output);
  output.addEventListener("submit", (event) => event.preventDefault());
  const key = `${location.pathname} ${original}`; // what is typed stays in the browser
  const keep = ({ docChanged }) => {
    link.href = `#code=${i + 1}:${encodeURIComponent(text(cell))}`;
    reset.hidden = text(cell) === original;
    if (docChanged && reset.hidden) localStorage.removeItem(key);
    else if (docChanged) localStorage.setItem(key, text(cell));
  };
  const linked = cell.number === Number(place) && decodeURIComponent(brought);
  cell.editor = new EditorView({
    doc: linked || (localStorage.getItem(key) ?? original),
    extensions: [
      keymap.of(["Shift-Enter", "Mod-Enter"].map((key) => ({ key, run }))),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      [history(), drawSelection(), python(), indentUnit.of("    ")],
      syntaxHighlighting(classHighlighter),
      EditorView.contentAttributes.of({ "aria-label": `Code of cell ${i + 1}` }),
      EditorView.updateListener.of(keep),
    ],
  });
  input.replaceChildren(cell.editor.dom, tools);
  keep({});
  return cell;
});

async function download() {
  const links = [...document.querySelectorAll("a[download][href$='.ipynb']")];
  const notebook = await (await fetch(links.at(-1).href)).json(); // with the solutions
  const typed = new Map(cells.map((cell) => [cell.original, text(cell)]));
  for (const cell of notebook.cells.filter((cell) => cell.cell_type === "code")) {
    const source = [cell.source].flat().join("");
    Object.assign(cell, { source: typed.get(source.trimEnd()) ?? source, outputs: [] });
  }
  const href = URL.createObjectURL(new Blob([JSON.stringify(notebook)]));
  make("a", { href, download: links[0].href.split("/").pop() }).click();
}

// --- what runs when -----------------------------------------------------------------

function enqueue(...wanted) {
  queue = [...wanted, ...queue.filter((cell) => !wanted.includes(cell))];
  next();
  return true;
}

// The labs of the page as the reader has left them.
const played = () =>
  JSON.stringify(
    [...document.querySelectorAll("[data-olc-begun]")].map(({ dataset }) => [
      dataset.olcLab,
      JSON.parse(dataset.state),
    ]),
  );

async function next() {
  if (busy || !queue.length) return;
  const cell = queue.shift();
  busy = Object.assign(cell, { stale: true, failure: "" });
  cell.box.dataset.state = "runs";
  say(`Cell ${cell.number} of ${cells.length} runs …`);
  worker.postMessage({ code: text(cell), name: `cell ${cell.number}`, played: played() });
  await done();
  if (cell.stale) cell.output.replaceChildren();
  cell.box.dataset.state = cell.failure ? "error" : "done";
  if (cell.failure) queue = [];
  say(cell.failure ? `Cell ${cell.number} has failed: ${cell.failure}` : "Ready.");
  busy = null;
  if (worker) next();
  else launch(); // it was stopped
}

function stop() {
  queue = [];
  if (busy?.box && interrupt) interrupt.fill(2); // the cell ends with KeyboardInterrupt
  if (!busy?.box || interrupt) return;
  worker.terminate();
  worker = null;
  show(busy, "error", "Stopped. Python has forgotten what the cells made: run those above first.");
  finish();
}

const all = button("Run all cells", () => enqueue(...cells));
bar.replaceChildren(all, button("Stop", stop), button("Download as notebook", download));
bar.append(status, make("a", { href: new URL("licences.html", folder) }, "Licences"));
if (cells[place - 1]) {
  const { box, editor } = cells[place - 1];
  box.querySelector("details")?.setAttribute("open", "");
  editor.contentDOM.focus();
} else if (!bar.dataset.heavy) {
  enqueue(...cells);
}
