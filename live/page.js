// A page that runs: its cells become editors, and what they give is shown in place.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { indentUnit, syntaxHighlighting } from "@codemirror/language";
import { drawSelection, EditorView, keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import DOMPurify from "dompurify";

const SILENCE = 8000; // milliseconds after which a download looks broken
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

// What is printed comes in many small parts, which are shown together.
let printed = "";

function show(cell, kind, words) {
  if (kind !== "printed") showPrinted(cell);
  else if (!printed) setTimeout(showPrinted, 50, cell);
  if (kind === "printed") printed += words;
  else put(cell, kind, words);
}

function showPrinted(cell) {
  if (printed) put(cell, "printed", printed);
  printed = "";
}

function put(cell, kind, words) {
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

// A download that is broken is told apart from a slow one by the reader, who may wait.
const again = button("Try again", () => launch());
again.hidden = true;
let patience;
function expectMore() {
  clearTimeout(patience);
  again.hidden = true;
  patience = setTimeout(() => {
    again.hidden = false;
    say(
      `${status.textContent} Nothing has come for ${SILENCE / 1000} seconds. Is the network gone?`,
    );
  }, SILENCE);
}

function loading(megabytes) {
  const all = Number(bar.dataset.megabytes);
  const here = megabytes < all - 1;
  say(here ? `Loading Python: ${megabytes} of ${all} MB …` : "Starting Python …");
  expectMore();
  if (!here) clearTimeout(patience); // what is left needs no network
}

function broken(words) {
  clearTimeout(patience);
  if (busy.box) {
    busy.box.dataset.state = "error";
    queue = []; // what the cells made is lost
  }
  again.hidden = false;
  say(`Python has failed: ${words}`);
}

async function launch() {
  worker?.terminate();
  busy = {};
  loading(0);
  // A worker made in the page obeys the policy of the page.
  const source = `import ${JSON.stringify(new URL("worker.mjs", folder))};`;
  const blob = new Blob([source], { type: "text/javascript" });
  worker = new Worker(URL.createObjectURL(blob), { type: "module" });
  worker.onmessage = ({ data: { kind, words } }) => {
    if (kind === "done") finish();
    else if (kind === "bytes") loading(words);
    else if (kind === "broken") broken(words);
    else show(busy, kind, words);
  };
  worker.onerror = () => broken("its files did not come, or this browser cannot run them.");
  interrupt = window.crossOriginIsolated && new Uint8Array(new SharedArrayBuffer(1));
  worker.postMessage({ packages: bar.dataset.packages.split(" "), interrupt });
  await done();
  clearTimeout(patience);
  again.hidden = true;
  say("Python is ready. Change a cell and press Shift+Enter.");
  busy = null;
  next();
}

// The script that keeps the page for a time without a network, where the browser lets it.
async function keepPage() {
  const root = new URL("../../", folder);
  const workers = navigator.serviceWorker;
  await workers.register(new URL("sw.js", root), { scope: root.pathname });
  const { active } = await workers.ready;
  const files = performance.getEntriesByType("resource").map(({ name }) => name);
  active.postMessage([location.href.split("#")[0], ...files]);
  if (!workers.controller)
    await new Promise((resolve) => workers.addEventListener("controllerchange", resolve));
}

// Python starts while the editors are made; what it asks for should be kept, too.
const soon = new Promise((resolve) => setTimeout(resolve, 1000));
busy = {};
loading(0);
Promise.race([navigator.serviceWorker && keepPage().catch(() => {}), soon]).then(launch);

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
  showPrinted(cell);
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
bar.append(again, status, make("a", { href: new URL("licences.html", folder) }, "Licences"));
if (cells[place - 1]) {
  const code = cells[place - 1].editor.contentDOM;
  const folds = [...document.querySelectorAll("details")];
  for (const fold of folds.filter((each) => each.contains(code))) fold.open = true;
  code.focus();
} else if (!bar.dataset.heavy) {
  enqueue(...cells);
}
