// The kernel Perceptron (7): lay out points, choose a kernel, and see what it can tell apart.
(() => {
  const { hull, kernelPerceptron, kernels } = olcLearners;
  const { chart, choice, field, h, num, plural, set, slider } = olcLab;
  const KERNELS = { 1: "a line", 2: "degree 2", 3: "degree 3", radial: "Gaussian" };
  const PASSES = 20; // as in kernel.py
  const [BOXES, FINE] = [48, 5]; // along a side of the picture, and pixels along a box

  const mix = (a, b, f) => a + f * (b - a);
  const made = ({ kernel, width }) =>
    kernel === "radial" ? kernels.radial({ width }) : kernels.polynomial({ degree: +kernel });
  const marginOf = (kernel, X, y) =>
    hull(X.map((a, i) => X.map((b, j) => y[i] * y[j] * kernel(a, b)))).gamma;
  function game(state) {
    const X = state.points.map((p) => p.slice(0, 2));
    const y = state.points.map((p) => p[2]);
    const kernel = made(state);
    const one = kernelPerceptron(kernel);
    const squares = X.map((x) => kernel(x, x));
    const kept = X.map(() => 0);
    const lengths = [0];
    let [rounds, quiet] = [0, 0];
    for (; quiet < X.length && rounds < PASSES * X.length; rounds++) {
      const i = rounds % X.length;
      const { score, wrong } = one.learn(X[i], y[i]);
      quiet = wrong ? 0 : quiet + 1;
      if (!wrong) continue;
      kept[i] += 1;
      lengths.push(lengths.at(-1) + 2 * y[i] * score + squares[i]);
    }
    const [gamma, growth] = [marginOf(kernel, X, y), Math.max(...squares)];
    const plain = marginOf(made({ kernel: "2" }), X, y);
    const bound = gamma ? growth / gamma ** 2 : Infinity;
    const [mistakes, held] = [lengths.length - 1, kept.filter(Boolean).length];
    const counts = { mistakes, held, rounds, bound, ended: quiet >= X.length };
    return { state, X, y, kernel, kept, lengths, gamma, growth, plain, ...counts };
  }

  function says({ state, X, mistakes, held, rounds, bound, ended }) {
    const name = KERNELS[state.kernel].replace(/^[ad]/, (letter) => letter.toUpperCase());
    const all = `${plural(mistakes, "mistake")} in ${plural(rounds, "round")}`;
    const most = Number.isFinite(bound)
      ? `at most ${num(bound)} are possible`
      : "there is no bound";
    const what = ended ? "and then none" : Number.isFinite(bound) ? "so far" : "and no end";
    return `${name}: ${all} ${what}; ${most}. It keeps ${held} of ${plural(X.length, "point")} (ringed).`;
  }
  const reached = ({ state, ended, plain, mistakes }) =>
    state.kernel === "3" && ended && !plain
      ? `No curve of degree 2 does, and degree 3 made ${plural(mistakes, "mistake")}.`
      : "";

  // The length of w in the feature space, between Mγ and R√M.
  function drawLength(plot, { lengths, gamma, growth, bound, mistakes }) {
    const far = Math.max(8, Math.min(1.15 * bound, 2 * mistakes));
    const top = 1.1 * Math.sqrt(growth * far);
    const end = gamma ? Math.min(far, top / gamma) : 0;
    plot.range([0, far], [0, top], ["mistakes M", "length of w"]);
    const over = (m) => Math.sqrt(growth * m);
    plot.paths([
      ["olc-bound", plot.curve(over, 0, far)],
      gamma && ["olc-bound", plot.curve((m) => gamma * m, 0, end)],
      ["olc-line", plot.line(lengths.map((v, m) => [m, Math.sqrt(v)])), "KernelPerceptron"],
    ]);
    plot.labels([
      ["R√M", [0.3 * far, over(0.3 * far)], "nw"],
      gamma && ["Mγ", [0.6 * end, gamma * 0.6 * end], "se"],
      ["‖w‖", [mistakes, Math.sqrt(lengths.at(-1))], "ne", "KernelPerceptron"],
      bound < far && [`R²/γ² = ${num(bound)}`, [bound, over(bound)], "nw"],
    ]);
  }
  function view(lab) {
    const plane = field(lab, {});
    const side = BOXES * FINE;
    const canvas = h("canvas", { width: side, height: side });
    const label = "The length of w in the feature space, between its bounds";
    const plot = chart({ lab, height: 300, label, draw: drawLength, beside: true });
    const width = slider(lab, "width", { name: "width", min: 0.1, max: 1.5, step: 0.01 });
    function paint({ X, y, kernel, kept }) {
      const pen = canvas.getContext("2d");
      const image = pen.createImageData(side, side);
      const used = X.map((x, i) => [x, kept[i] * y[i]]).filter(([, c]) => c);
      const corners = Array.from({ length: (BOXES + 1) ** 2 }, (_, at) => {
        const spot = [at % (BOXES + 1), Math.floor(at / (BOXES + 1))].map((v) => (400 * v) / BOXES);
        return used.reduce((sum, [x, c]) => sum + c * kernel(x, plane.to(spot)), 0);
      });
      // between the corners of a box the score is nearly straight
      const [row, ink] = [BOXES + 1, [90, 98, 214, 70]];
      for (let box = 0; box < BOXES ** 2; box++) {
        const [i, j] = [box % BOXES, Math.floor(box / BOXES)];
        const at = i + j * row;
        const [a, b, c, d] = [
          corners[at],
          corners[at + 1],
          corners[at + row],
          corners[at + row + 1],
        ];
        for (let v = 0; v < FINE; v++)
          for (let u = 0; u < FINE; u++)
            if (mix(mix(a, b, u / FINE), mix(c, d, u / FINE), v / FINE) > 0)
              image.data.set(ink, 4 * ((j * FINE + v) * side + i * FINE + u));
      }
      pen.putImageData(image, 0, 0);
    }
    function draw(game) {
      paint(game);
      const ring = (many) => (many ? `kept, after ${plural(many, "mistake")}` : "");
      plane.draw(game.state.points, (i) => ring(game.kept[i]));
      set(width, { style: game.state.kernel === "radial" ? "" : "display:none" });
    }
    const board = h("div", { class: "olc-stack" }, canvas, plane.svg);
    const kernel = choice(lab, "kernel", "kernel", KERNELS);
    return { panels: [board, plot.svg], controls: [kernel, width, plane.add], draw };
  }
  olcLab.define("kernel", { game, says, reached, view });
})();
