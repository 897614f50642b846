// The tree: be the adversary of the standard optimal algorithm on a small class (18).
(() => {
  const { button, chart, choice, colour, h, handle, join, num, plural, set } = olcLab;
  const WHO = "StandardOptimal";
  const PAIRS = [3, 5, 9, 17, 6, 10, 18, 12, 20, 24]; // two of five points, as bits
  const signs = (rows, points, plus) =>
    Array.from({ length: rows }, (_, i) =>
      Array.from({ length: points }, (_, j) => (plus(i, j) ? 1 : -1)),
    );
  const CLASSES = {
    thresholds: signs(8, 7, (i, j) => j >= i),
    singletons: signs(8, 8, (i, j) => i === j),
    pairs: signs(10, 5, (i, j) => (PAIRS[i] >> j) & 1),
  };
  // Littlestone's dimension of some rows of a table, as a function.
  function dimensions(table) {
    const kept = new Map();
    return function dimension(rows) {
      const split = (j) => [1, -1].map((y) => rows.filter((i) => table[i][j] === y));
      const both = (parts) => (parts.every((part) => part.length) ? parts.map(dimension) : [-1]);
      if (rows.length < 2) return rows.length - 1;
      const key = rows.join();
      if (!kept.has(key))
        kept.set(key, 1 + Math.max(...table[0].map((_, j) => Math.min(...both(split(j))))));
      return kept.get(key);
    };
  }
  const LDIM = Object.fromEntries(Object.entries(CLASSES).map(([k, t]) => [k, dimensions(t)]));

  function game(state) {
    const { kind, rounds } = state;
    const [table, ldim] = [CLASSES[kind], LDIM[kind]];
    const point = Math.min(state.point, table[0].length - 1);
    let alive = [...table.keys()];
    let M = 0;
    const ask = (j) => [1, -1].map((y) => ldim(alive.filter((i) => table[i][j] === y)));
    const past = [{ M, left: ldim(alive) }];
    for (const [j, y] of rounds) {
      const [plus, minus] = ask(j);
      const left = alive.filter((i) => table[i][j] === y);
      if (!left.length) continue;
      const wrong = Math.sign(plus - minus) !== y;
      alive = left;
      M += wrong;
      past.push({ M, wrong, left: ldim(alive) });
    }
    const leaves = table[0].map((_, j) => ask(j));
    return { state, table, point, alive, past, M, leaves, bound: past[0].left };
  }
  function says({ past, M, bound, alive, leaves, point }) {
    const t = past.length - 1;
    const [plus, minus] = leaves[point];
    const last = t ? `Round ${t}: ${past[t].wrong ? "a" : "no"} mistake. ` : "";
    const size =
      alive.length === 1 ? "One hypothesis is left." : `${alive.length} hypotheses are left.`;
    const what = `Point ${point + 1}: `;
    const answers = `+1 leaves dimension ${plus}, −1 leaves ${num(minus)}`;
    const verdict =
      plus === minus ? "it is wrong either way" : `it says ${plus > minus ? "+1" : "−1"}`;
    const now = Math.min(plus, minus) < 0 ? "all of them agree" : `${answers}, so ${verdict}`;
    return `${last}${plural(M, "mistake")} of at most ${bound}. ${size} ${what}${now}.`;
  }
  const reached = ({ M, bound }) =>
    bound > 1 && M === bound
      ? `${M} mistakes. Each took one off the dimension, and now it is 0.`
      : "";

  // The mistakes, and above them the dimension that is left: their sum never grows.
  function draw(plot, { past, M, bound }) {
    const end = Math.max(6, past.length);
    plot.range([0, end], [0, bound + 0.8], ["rounds", "mistakes"]);
    const [made, sums] = [(p, t) => [t, p.M], (p, t) => [t, p.M + p.left]].map((f) => past.map(f));
    plot.paths([
      ["olc-bound", plot.line([0, end].map((t) => [t, bound]))],
      ["olc-thin", plot.stairs(sums)],
      ["olc-line", plot.stairs(made), WHO],
      ["olc-dot", plot.dot(...made.at(-1)), WHO],
    ]);
    plot.labels([
      [`bound ${bound}`, [end, bound], "nw"],
      [`${M} so far`, made.at(-1), "ne", WHO],
      ["with the dimension left", sums.at(-1), "se"],
    ]);
  }
  function view(lab) {
    const [columns, cells] = [h("g"), h("g", { class: "olc-cells" })];
    const given = { class: "olc-voters", viewBox: "0 0 400 300", role: "radiogroup" };
    const label = "Points: a column each, with what every hypothesis says there";
    const svg = h("svg", { ...given, "aria-label": label, style: colour(WHO) }, columns, cells);
    const choose = (point) => {
      if (!lab.game.table[0][point]) return;
      lab.change({ point }, "point");
      columns.children[point].focus();
    };
    const make = (j) =>
      handle(h("g", { role: "radio" }, h("rect", { class: "olc-hit" }), h("text")), svg, {
        tap: () => choose(j),
        key: ({ by }) => by && [choose(j + Math.sign(by[0]))],
      });
    const play = (y) => lab.change({ rounds: [...lab.state.rounds, [lab.game.point, y]] });
    const denial = ({ leaves, point }) => (leaves[point][0] > leaves[point][1] ? -1 : 1);
    const deny = button("", () => play(denial(lab.game)), { class: "olc-main" });
    const agree = button("", () => play(-denial(lab.game)));
    const name = "Mistakes and the dimension left";
    const plot = chart({ lab, height: 250, label: name, draw, beside: true });
    const kinds = Object.fromEntries(Object.keys(CLASSES).map((kind) => [kind, kind]));
    const fresh = { rounds: [], point: 1 };
    return {
      panels: [svg, plot.svg],
      controls: [deny, agree, choice(lab, "kind", "Class", kinds, fresh)],
      draw(game) {
        const { table, point, alive, leaves } = game;
        const wide = 400 / table[0].length;
        const x = (j) => (j + 0.5) * wide;
        const left = (dimension) => (dimension < 0 ? "nothing" : `dimension ${dimension}`);
        const column = ([plus, minus], key) => ({
          key,
          make,
          class: key === point ? "olc-voter olc-ringed" : "olc-voter",
          style: `transform:translate(${x(key)}px,0)`,
          "aria-checked": key === point,
          "aria-label": `Point ${key + 1}: plus leaves ${left(plus)}, minus leaves ${left(minus)}`,
        });
        join(columns, leaves.map(column));
        for (const [j, { firstChild, lastChild }] of [...columns.children].entries()) {
          set(firstChild, { x: 3 - wide / 2, y: 2, width: wide - 6, height: 296, rx: 6 });
          set(lastChild, { y: 284, text: leaves[j].map((v) => (v < 0 ? "∅" : v)).join(" | ") });
        }
        const cell = (v, i, j) => ({
          ...{ tag: "circle", cx: x(j), cy: 20 + 25 * i, r: 8 },
          class: `olc-disc${v < 0 ? " olc-negative" : ""}${alive.includes(i) ? "" : " olc-out"}`,
        });
        const row = (signs, i) => signs.map((v, j) => cell(v, i, j));
        join(cells, table.flatMap(row));
        const one = (y) => leaves[point][y > 0 ? 0 : 1] < 0;
        const truth = (y) => ({ text: `It is ${y > 0 ? "+1" : "−1"}`, "aria-disabled": one(y) });
        set(deny, truth(denial(game)));
        set(agree, truth(-denial(game)));
      },
    };
  }
  olcLab.define("tree", { game, says, reached, view });
})();
