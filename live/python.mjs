// Python in a worker or in node: start it with some packages, and run cells.
export async function start(loadPyodide, folder, packages) {
  const python = await loadPyodide({
    indexURL: folder,
    packageBaseUrl: folder,
    packages,
    // There is no thread that could watch a bar of tqdm, and no file of time zones: both
    // would be warned of.
    env: {
      MPLBACKEND: "module://inline",
      TQDM_DISABLE: "1",
      PYTHONWARNINGS: "ignore:tqdm,ignore:I/O error",
    },
  });
  // Pyodide goes on without what did not come.
  const named = packages.map((key) => python.lockfile.packages[key].name);
  const away = named.filter((name) => !(name in python.loadedPackages));
  if (away.length) throw new Error(`${away.join(", ")} did not come.`);
  const cellrun = python.pyimport("cellrun");
  // A module that is missing is loaded if the lock has it, and the cell runs once more.
  const run = async (code, name, show, played = "[]") => {
    const missing = cellrun.run(code, name, show, played);
    if (!missing) return;
    const loaded = await python.loadPackagesFromImports(`import ${missing}`);
    if (!loaded.length) return; // nobody has it
    cellrun.forget(missing);
    show("clear", "");
    await run(code, name, show, played);
  };
  return { python, run };
}
