// The arms: pull one of four in every round, against Exp3 on the same losses (19).
(() => {
  const { softmax, shares, words } = olcLearners;
  const { button, chart, colour, h, handle, join, num, plural, set } = olcLab;
  const [ARMS, ROUNDS, RUNS, GOOD, BAD] = [4, 60, 20, 0.3, 0.6];
  const ETA = Math.sqrt((2 * Math.log(ARMS)) / (ARMS * ROUNDS));
  const each = (n, f) => Array.from({ length: n }, (_, i) => f(i));

  // What every arm loses in every round, with one arm that is better.
  function table(seed) {
    const next = words(seed);
    const good = next() % ARMS;
    const loses = (i) => Number(next() / 2 ** 32 < (i === good ? GOOD : BAD));
    return each(ROUNDS, () => each(ARMS, loses));
  }
  // To 24 binary digits, never 0, with the sum 1, as olc.bandits.rounded.
  const split = (v) => v * (2 ** 29 + 1) - (v * (2 ** 29 + 1) - v);
  const rounded = (chances) => shares(chances.map((v) => split(Math.max(v, 1e-300))));
  function exp3(losses, run) {
    const next = words(10000 + 97 * run);
    const logs = Array(ARMS).fill(0);
    return losses.map((row) => {
      const chances = rounded(softmax(logs));
      const upTo = running(chances).slice(1);
      const coin = (next() / 2 ** 32) * upTo.at(-1);
      const arm = upTo.slice(0, -1).filter((v) => coin >= v).length;
      logs[arm] -= (ETA * row[arm]) / chances[arm];
      return row[arm];
    });
  }
  const running = (values) => {
    let sum = 0;
    return [0, ...values.map((v) => (sum += v))];
  };
  let kept = {}; // what the pulls do not change
  function wholeGame(seed) {
    if (kept.seed === seed) return kept;
    const losses = table(seed);
    const runs = each(RUNS, (run) => exp3(losses, run));
    const arms = each(ARMS, (i) => running(losses.map((row) => row[i])));
    const bests = each(ROUNDS + 1, (t) => Math.min(...arms.map((arm) => arm[t])));
    const mean = running(losses.map((_, t) => runs.reduce((sum, run) => sum + run[t], 0) / RUNS));
    kept = { seed, losses, arms, bests, mean };
    return kept;
  }
  function game(state) {
    const base = wholeGame(state.seed);
    const t = state.pulls.length;
    const owns = running(state.pulls.map((arm, i) => base.losses[i][arm]));
    const regret = (lost) => lost.slice(0, t + 1).map((v, i) => v - base.bests[i]);
    const bound = t ? Math.log(ARMS) / ETA + (ETA / 2) * ARMS * t : 0;
    const numbers = { own: owns[t], best: base.bests[t], exp3: base.mean[t], bound };
    return { ...base, ...numbers, state, t, mine: regret(owns), its: regret(base.mean) };
  }
  function says({ t, own, best, exp3, bound }) {
    const so = `${plural(t, "round")}: you lost ${own}, Exp3 ${num(exp3)} on average, the best arm ${best}.`;
    const next = t < ROUNDS ? " Pull an arm." : "";
    return `${so} You regret ${num(own - best)}, and Exp3 ${num(exp3 - best)} of at most ${num(bound)}.${next}`;
  }
  const reached = ({ t, own, best }) =>
    t === ROUNDS && own - best <= 5
      ? `A regret of ${num(own - best)}. Whoever explores less may stay with the wrong arm.`
      : "";

  function draw(plot, { t, mine, its }) {
    const bound = (at) => Math.log(ARMS) / ETA + (ETA / 2) * ARMS * at;
    const low = Math.min(0, ...mine, ...its);
    plot.range([0, 1.2 * ROUNDS], [low, 1.1 * bound(ROUNDS)], ["rounds", "regret"]);
    const along = (values) => values.map((v, i) => [i, v]);
    plot.paths([
      ["olc-bound", plot.curve(bound, 0, ROUNDS)],
      ["olc-line", plot.line(along(its)), "Exp3"],
      ["olc-line", plot.line(along(mine)), "Learner"],
    ]);
    plot.labels([
      ["bound of Exp3", [ROUNDS, bound(ROUNDS)], "nw"],
      ["you", [t, mine[t]], "e", "Learner"],
      ["Exp3", [t, its[t]], "e", "Exp3"],
    ]);
  }
  function view(lab) {
    const arms = h("g");
    const given = { class: "olc-voters", viewBox: "0 0 400 240", role: "group" };
    const svg = h("svg", { ...given, "aria-label": "Four arms: press one to pull it" }, arms);
    set(svg, { style: colour("Learner") });
    const pull = (arm) => {
      const { pulls } = lab.state;
      if (pulls.length < ROUNDS) lab.change({ pulls: [...pulls, arm] });
    };
    const make = (i) => {
      const parts = [h("rect", { class: "olc-hit" }), h("g"), h("text", { y: 226 })];
      const node = h("g", { role: "button", class: "olc-voter" }, parts);
      return handle(node, svg, { tap: () => pull(i) });
    };
    const plot = chart({ lab, height: 250, label: "The regret of both", draw, beside: true });
    const other = () => lab.change({ seed: (lab.state.seed % 9999) + 1, pulls: [] });
    return {
      panels: [svg, plot.svg],
      controls: [button("Other arms", other)],
      draw({ state: { pulls }, losses, arms: totals, t }) {
        const over = t === ROUNDS;
        const own = (i) => pulls.flatMap((arm, at) => (arm === i ? [losses[at][i]] : []));
        const seen = each(ARMS, own);
        const lost = (some) => `lost ${some.filter(Boolean).length} of ${some.length}`;
        const facts = seen.map((some, i) => (over ? `loses ${totals[i][t]} of ${t}` : lost(some)));
        const item = (fact, key) => ({
          ...{ key, make, "aria-label": `Arm ${"ABCD"[key]}: ${fact}` },
          style: `transform:translate(${50 + 100 * key}px,0)`,
        });
        join(arms, facts.map(item));
        for (const [i, node] of [...arms.children].entries()) {
          const [box, dots, text] = node.children;
          set(box, { x: -46, y: 2, width: 92, height: 236, rx: 8 });
          set(text, { text: facts[i] });
          const dot = (loss, at) => ({
            ...{ tag: "circle", r: 5, cx: 14 * (at % 6) - 35, cy: 200 - 17 * Math.floor(at / 6) },
            class: loss ? "olc-disc" : "olc-disc olc-negative",
          });
          join(dots, seen[i].map(dot));
        }
      },
    };
  }
  olcLab.define("arms", { game, says, reached, view });
})();
