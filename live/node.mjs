// Pyodide in node: `compile CORE IN OUT`, or `run LIVE NOTEBOOK`, whose last line is JSON.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { start } from "./python.mjs";

const [command, core, ...rest] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(core, "pyodide.mjs")));

if (command === "compile") {
  const python = await loadPyodide({ env: { PYTHONHASHSEED: "0" } });
  python.mountNodeFS("/in", resolve(rest[0]));
  python.mountNodeFS("/out", resolve(rest[1]));
  python.runPython(readFileSync(new URL("compile.py", import.meta.url), "utf8"));
} else {
  const { python, run } = await start(loadPyodide, `${resolve(core)}/`, ["olc"]);
  const { cells } = JSON.parse(readFileSync(rest[0], "utf8"));
  const began = process.cpuUsage();
  const shown = [];
  for (const cell of cells.filter((cell) => cell.cell_type === "code")) {
    let outputs = [];
    const show = (kind, text) => {
      if (kind === "clear") outputs = [];
      else if (kind === "printed" && outputs.at(-1)?.[0] === kind) outputs.at(-1)[1] += text;
      else outputs.push([kind, text]);
    };
    await run([cell.source].flat().join(""), `cell ${shown.length + 1}`, show);
    const faces = outputs.some(([kind]) => kind === "html" || kind === "markdown");
    shown.push({ outputs, text: faces ? python.runPython("repr(_)") : null });
  }
  const spent = ({ user, system }) => (user + system) / 1e6;
  const [seconds, toStart] = [process.cpuUsage(began), began].map(spent);
  const heap = python._module.HEAP8.length;
  const listed = Object.entries(python.lockfile.packages);
  const loaded = listed.filter(([, { name }]) => name in python.loadedPackages);
  const packages = loaded.map(([key]) => key);
  console.log(JSON.stringify({ packages, seconds, toStart, heap, shown }));
}
