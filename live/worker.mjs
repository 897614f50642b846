// Python in a thread of its own: the page stays alive, and can end it.
import { loadPyodide } from "./pyodide.mjs";
import { start } from "./python.mjs";

const folder = new URL("./", import.meta.url).href;
const tell = (kind, text) => postMessage({ kind, text });
let engine = null, bytes = 0;
const progress = new PerformanceObserver((list) => {
  for (const { decodedBodySize } of list.getEntries()) bytes += decodedBodySize;
  tell("bytes", bytes);
});
progress.observe({ type: "resource", buffered: true });

onmessage = async ({ data: { packages, interrupt, code, name } }) => {
  try {
    if (packages) {
      const runner = await (await fetch(`${folder}cellrun.py`)).text();
      engine = await start(loadPyodide, folder, packages, runner);
      progress.disconnect();
      if (interrupt) engine.python.setInterruptBuffer(interrupt);
    } else {
      await engine.run(code, name, tell);
    }
    tell("done");
  } catch (error) {
    tell("broken", error.message);
  }
};
