// Python in a worker or in node: start it with some packages, and run cells.
export async function start(loadPyodide, folder, packages, runner, options) {
  const python = await loadPyodide({
    indexURL: folder,
    lockFileURL: `${folder}pyodide-lock.json`,
    packageBaseUrl: folder,
    packages,
    env: { HOME: "/reader", MPLBACKEND: "agg" },
    ...options,
  });
  python.FS.writeFile("/reader/cellrun.py", runner);
  const cellrun = python.pyimport("cellrun");
  const owners = new Map();
  for (const [name, { imports }] of Object.entries(python.lockfile.packages)) {
    for (const module of imports) owners.set(module, name);
  }
  const load = async (module) => {
    const name = owners.get(module);
    if (!name || name in python.loadedPackages) return false;
    await python.loadPackage(name, { messageCallback: () => {} });
    return true;
  };
  // A module that is missing is loaded if the lock has it, and the cell runs once more.
  const run = async (code, name, show) => {
    const missing = cellrun.run(code, name, show);
    if (!missing || !(await load(missing))) return;
    cellrun.forget(missing);
    show("clear", "");
    await run(code, name, show);
  };
  return { python, run };
}
