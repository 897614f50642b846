// Python in a thread of its own: the page stays alive, and can end it.
import { loadPyodide } from "./pyodide.mjs";
import { start } from "./python.mjs";

const folder = new URL("./", import.meta.url).href;
const tell = (kind, words) => postMessage({ kind, words });
let engine = null;
const progress = new PerformanceObserver(() => {
  const files = performance.getEntriesByType("resource");
  tell("bytes", Math.round(files.reduce((sum, one) => sum + one.decodedBodySize, 0) / 1e6));
});
progress.observe({ type: "resource" });

self.onmessage = async ({ data: { packages, interrupt, code, name, played } }) => {
  try {
    if (packages) {
      engine = await start(loadPyodide, folder, packages);
      progress.disconnect();
      if (interrupt) engine.python.setInterruptBuffer(interrupt);
    } else {
      await engine.run(code, name, tell, played);
    }
    tell("done");
  } catch (error) {
    tell("broken", error.message);
  }
};
