// The race: a hidden panel among thousands of experts, and three learners on one stream. Modes:
// panel (12), the Perceptron against two Winnows; norm (13), the p-norm Perceptron between them.
(() => {
  const { bounds, links, panel, race } = olcLearners;
  const { button, chart, num, slider } = olcLab;
  const of = bounds.panel;

  // 2k² ln N holds as long as a mistake lowers the potential by 1/2k².
  const winnow = (n, { k, eta }) => Math.max(of.normalized(n, k), bounds.normalized(n, 1 / k, eta));
  const PLAYERS = {
    Perceptron: ["Perceptron", () => null, (n, { k }) => of.perceptron(n, k)],
    PNormPerceptron: ["p-norm", ({ p }) => links.pNorm(p), (n, { k, p }) => of.pNorm(n, k, p)],
    NormalizedWinnow: ["normalised Winnow", ({ eta }) => links.normalized(eta), winnow],
    BalancedWinnow: [
      "Balanced Winnow",
      ({ eta }) => links.balanced(eta),
      (n, g) => winnow(2 * n, g),
    ],
  };
  const MODES = {
    panel: ["Perceptron", "NormalizedWinnow", "BalancedWinnow"],
    norm: ["Perceptron", "PNormPerceptron", "NormalizedWinnow"],
  };
  let kept = {}; // a stream, and the races that were run on it
  function game(state) {
    const { mode, size, k, rounds, seed, tune = 1, along = 0 } = state;
    const n = Math.round(2 ** size);
    const last = 2 * Math.log(n);
    const p = Math.floor(100 * (2 + along * (last - 2)) + 0.5) / 100;
    const rates = { k, eta: tune / k, p };
    const key = [n, k, rounds, seed].join();
    if (kept.key !== key) kept = { key, stream: panel(n, k, rounds, seed) };
    const made = MODES[mode].map((who) => {
      const [name, link, bound] = PLAYERS[who];
      const at = who + ({ Perceptron: "", PNormPerceptron: p }[who] ?? rates.eta);
      kept[at] ??= race(kept.stream, link(rates));
      return { who, name, lost: kept[at], count: kept[at].length, most: bound(n, rates) };
    });
    const [first, second, third] = made.map(({ count }) => count);
    return { state, n, last, ...rates, made, first, second, third };
  }

  function says({ state, n, k, eta, p, made }) {
    const above = (most) => (Number.isFinite(most) ? `of at most ${num(most)}` : "with no bound");
    const told = made.map(({ name, count, most }) => `${name} ${num(count)} ${above(most)}`);
    const rate = state.mode === "norm" ? `p = ${num(p)}` : `η = ${num(eta)}`;
    const all = `${num(n)} experts, a hidden panel of ${k}, ${num(state.rounds)} rounds, ${rate}`;
    return `${all}. Mistakes: ${told.join(", ")}.`;
  }
  function reached({ state, n, k, eta, p, last, first, second, made }) {
    const won = `${first} against ${second} at η = ${num(eta)}: the Perceptron has no rate to get wrong.`;
    if (state.mode === "panel") return first < second ? won : "";
    const bound = (i) => of.pNorm(n, k, 2 + (i / 200) * (last - 2));
    const least = Math.min(...Array.from({ length: 201 }, (_, i) => bound(i)));
    if (made[1].most > 1.001 * least) return "";
    return `p = ${num(p)}; at 2 ln N = ${num(last)} the bound is ${num(bound(200) / least)} times that.`;
  }

  function drawRace(plot, { state: { rounds }, made }) {
    const top = Math.max(...made.map(({ count }) => count));
    const near = made.filter(({ most }) => most < 1.5 * top);
    const high = 1.12 * Math.max(top, ...near.map(({ most }) => most));
    plot.range([0, rounds], [0, high], ["rounds", "mistakes so far"]);
    const steps = (lost) => [[0, 0], ...lost.map((t, i) => [t + 1, i + 1]), [rounds, lost.length]];
    plot.paths([
      ...near.map(({ who, most }) => ["olc-bound", plot.level(most), who]),
      ...made.map(({ who, lost }) => ["olc-line", plot.stairs(steps(lost)), who]),
    ]);
    const ends = made.toSorted((a, b) => b.count - a.count);
    plot.labels([
      ...ends.map(({ who, name, count }, i) => [name, [rounds, count], i < 2 ? "nw" : "sw", who]),
      ...near.map(({ who, most }) => [`at most ${num(most)}`, [0, most], "ne", who]),
    ]);
  }
  // The bounds against N, or against p, and what this game has cost beside them.
  function drawBounds(plot, { state, n, p, last, made, ...rates }) {
    const panels = state.mode === "panel";
    const [from, to, at] = panels ? [4, 12, Array(3).fill(state.size)] : [2, last, [2, p, last]];
    const [name, marks, show] = panels ? ["experts N", [4, 6, 8, 10, 12], (v) => 2 ** v] : ["p"];
    plot.range([from, to], [0, 5], [name, "mistakes"], marks, [show, (v) => 10 ** v]);
    const log = (v) => Math.log10(Math.max(1, v));
    const bound = ({ who }, v) =>
      log(PLAYERS[who][2](panels ? 2 ** v : n, { ...rates, p: panels ? p : v }));
    const drawn = made.filter(({ most }, i) => Number.isFinite(most) && (panels || i === 1));
    const dashed = (one) => ["olc-bound", plot.curve((v) => bound(one, v), from, to), one.who];
    const dot = ({ who, count }, i) => ["olc-dot", plot.dot(at[i], log(count)), who];
    plot.paths([...drawn.map(dashed), ...made.map(dot)]);
    const words = panels ? ["Nk", "2k² ln N"] : ["bound"];
    const x = from + 0.75 * (to - from);
    const called = (one, i) => [words[i], [x, bound(one, x)], i ? "ne" : "nw", one.who];
    const counted = ({ who, count }, i) => [count, num(count), [at[i], log(count)], "se", who];
    const counts = made.map(counted).toSorted((a, b) => b[0] - a[0]).map((one) => one.slice(1));
    plot.labels([...drawn.slice(0, words.length).map(called), ...counts]);
  }
  function view(lab) {
    const plot = (label, draw, beside) => chart({ lab, height: 260, label, draw, beside });
    const left = plot("Mistakes of three learners, round by round", drawRace);
    const right = plot("Their bounds, and the mistakes of this game", drawBounds, true);
    const eta = { name: "η", min: 0.05, max: 4, step: 0.05, show: (v) => `${num(v)}/k = ${num(v / lab.state.k, 2)}` };
    const p = { name: "p", step: 0.01, show: () => num(lab.game.p) };
    const size = { name: "experts N", min: 4, max: 12, step: 0.25, show: () => num(lab.game.n) };
    const next = () => lab.change({ seed: (lab.state.seed % 9999) + 1 });
    const controls = [
      slider(lab, "size", size),
      slider(lab, "k", { name: "panel k", min: 1, max: 15, step: 2 }),
      lab.state.mode === "panel" ? slider(lab, "tune", eta) : slider(lab, "along", p),
      slider(lab, "rounds", { name: "rounds", min: 100, max: 2000, step: 100 }),
      button("Another stream", next),
    ];
    return { panels: [left.svg, right.svg], controls };
  }
  olcLab.define("race", { game, says, reached, view });
})();
