// The adversary: experts advise, a learner follows them, and the reader says what was true. Modes:
// halving (1), weighted (2), randomized (3), force (a panel of three decides what is true).
(() => {
  const { bounds, learner } = olcLearners;
  const { button, chart, choice, colour, h, handle, join, num, plural, set, slider } = olcLab;
  const WHO = { weighted: "WeightedMajority", randomized: "RandomizedWeightedMajority" };
  const KINDS = {
    Perceptron: "Perceptron",
    NormalizedWinnow: "normalised Winnow",
    BalancedWinnow: "Balanced Winnow",
  };
  const [PANEL, RATE] = [3, Math.atanh(1 / 3)];
  // What the adversary of the book forces, for N = 4, 5, …: olc.duel(learner, Panel(N, 3)).
  const KNOWN = {
    Perceptron: [9, 9, 12, 12, 21, 22, 24, 24, 33, 34, 34, 34, 46],
    NormalizedWinnow: [3, 3, 6, 6, 9, 12, 12, 15, 18, 18, 18, 21, 24],
    BalancedWinnow: [9, 9, 9, 12, 15, 18, 24, 24, 27, 30, 30, 33, 36],
  };

  // --- the game -------------------------------------------------------------------------------

  const said = (split, n) => Array.from({ length: n }, (_, i) => ((split >> i) & 1 ? 1 : -1));
  const total = (w) => w.reduce((all, v) => all + Math.abs(v), 0);
  function boundOf(mode, who, n, best, eta) {
    if (mode === "halving") return bounds.halving(n);
    if (mode === "weighted") return bounds.weightedMajority(n, best, eta);
    if (mode === "randomized") return bounds.randomized(n, best, eta);
    const wide = who === "BalancedWinnow" ? 2 * n : n;
    if (who === "Perceptron") return bounds.panel.perceptron(n, PANEL);
    return bounds.normalized(wide / PANEL, 1 / PANEL, RATE); // ln(N/k) over the drop
  }
  function game(state) {
    const { mode, rounds, split, n = 8, eta = RATE } = state;
    const who = mode === "halving" ? "Halving" : (WHO[mode] ?? state.learner);
    const self = learner(who, { n, eta });
    const losses = Array(n).fill(0);
    const truth = (x) => Math.sign(x.slice(0, PANEL).reduce((sum, v) => sum + v, 0));
    let M = 0;
    const moment = (round) => {
      const best = Math.min(...losses);
      return { ...round, M, best, total: total(self.weights) };
    };
    const past = [moment({})];
    for (const [mask, told] of rounds) {
      const x = said(mask, n);
      const y = mode === "force" ? truth(x) : told;
      const round = self.learn(x, y);
      x.forEach((v, i) => {
        losses[i] += v !== y;
      });
      M += mode === "randomized" ? round.chance : Number(round.wrong);
      past.push(moment({ ...round, y }));
    }
    const x = said(split, n);
    const score = self.score(x);
    const pulls = self.weights.map((w, i) => w * x[i]);
    const all = total(pulls);
    const up = all ? total(pulls.filter((v) => v > 0)) / all : 0.5; // the share that says +1
    const denial = mode === "force" ? truth(x) : score >= 0 ? -1 : 1;
    const { best } = past.at(-1);
    const bound = boundOf(mode, who, n, best, eta);
    const known = KNOWN[who]?.[n - 4];
    const now = { x, score, up, denial, wrong: Math.sign(score) !== denial };
    const counts = { losses, past, M, best, bound, known, weights: self.weights };
    return { state, mode, who, n, eta, ...counts, ...now };
  }

  // --- words ----------------------------------------------------------------------------------

  const counted = ({ mode, M }) =>
    mode === "randomized" ? `${num(M)} expected mistakes` : plural(M, "mistake");
  const most = ({ mode, bound }) => num(mode === "weighted" ? Math.floor(bound + 1e-9) : bound);
  function says(game) {
    const { mode, past, n, best, weights, known, who, score, up } = game;
    const { wrong, chance, total: left } = past.at(-1);
    const t = past.length - 1;
    const how =
      mode === "randomized"
        ? `a mistake with probability ${num(chance ?? 0, 2)}`
        : `${wrong ? "a" : "no"} mistake`;
    const count = `${counted(game)} of at most ${most(game)}`;
    const facts = {
      halving: `${weights.filter(Boolean).length} of ${n} experts never wrong; ${count}.`,
      force: `${count}; the best known adversary of ${KINDS[who]} forces ${known}.`,
    };
    const others = `${count} while the best expert has ${best}; the total weight is ${num(left)}.`;
    const side = score > 0 ? `+1 with ${num(100 * up, 2)}` : `−1 with ${num(100 - 100 * up, 2)}`;
    const vote = score
      ? `It says ${side} % of the weight.`
      : "The vote is a tie, wrong either way.";
    const last = t ? `Round ${t}: ${how}. ` : "";
    return `${last}${facts[mode] ?? others} ${mode === "halving" && !t ? "Move the experts." : vote}`;
  }
  function reached({ mode, past, M, known, eta }) {
    const got = (mistakes, best) => past.some((p) => p.M >= mistakes && p.best <= best);
    if (mode === "halving" && M >= 3)
      return "3 mistakes. The only expert left must be right, so there is no fourth.";
    if (mode === "weighted" && got(8, 2))
      return `8 mistakes: each took at least ${num(50 * eta, 2)} % of the weight. What the best expert keeps is the limit.`;
    if (mode === "randomized" && got(4.5, 3))
      return "4.5 expected mistakes: whatever you said, the coin had agreed about half of the time.";
    return mode === "force" && M >= 0.75 * known ? `${M} of the ${known} that are known.` : "";
  }

  // --- the pictures ---------------------------------------------------------------------------

  // The total weight falls by a factor at each mistake, and stays above that of the best expert.
  function drawWeight(plot, { mode, who, n, eta, past, best, bound, M }) {
    const rates = { weighted: -Math.log2(1 - eta / 2), randomized: eta / Math.LN2 };
    const each = rates[mode] ?? 1;
    const top = Math.log2(n);
    const floor = mode === "halving" ? 0 : best * Math.log2(1 - eta);
    const end = Math.max(4, 1.45 * bound);
    const low = Math.min(-1, floor - 0.6);
    const out = Math.min(end, (top - low) / each);
    plot.range([0, end], [low, top + 0.4], ["mistakes", "log₂ of the total weight"]);
    const upper = (m) => top - each * m;
    plot.paths([
      ["olc-never", `${plot.curve(upper, bound, out)}H${plot.x(end)}V${plot.y(floor)}Z`],
      ["olc-bound", plot.curve(upper, 0, out)],
      ["olc-bound", plot.level(floor)],
      ["olc-line", plot.line(past.map((p) => [p.M, Math.log2(p.total)])), who],
      ["olc-dot", plot.dot(M, Math.log2(past.at(-1).total)), who],
    ]);
    plot.labels([
      [`bound ${num(bound)}`, [bound, floor], "ne"],
      ["the best expert", [0, floor], "se"],
      [`${num(M)} so far`, [M, Math.log2(past.at(-1).total)], "ne", who],
    ]);
  }
  function drawForced(plot, { who, past, known, bound, M }) {
    const end = Math.max(10, past.length + 2);
    plot.range([0, end], [0, 1.15 * bound], ["rounds", "mistakes"]);
    plot.paths([
      ["olc-bound", plot.level(bound)],
      ["olc-rule", plot.level(known)],
      ["olc-line", plot.stairs(past.map((p, t) => [t, p.M])), who],
    ]);
    plot.labels([
      [`bound ${num(bound)}`, [end, bound], "nw"],
      [`best known ${known}`, [end, known], "nw"],
      [`${M} so far`, [past.length - 1, M], "ne", who],
    ]);
  }
  function view(lab) {
    const { mode } = lab.state;
    const label = "Experts: above the line they say plus, below it minus. Arrow keys move one.";
    const [bars, voters, words] = [h("g"), h("g"), h("g")];
    const middle = h("line", { x1: 0, x2: 356, y1: 125, y2: 125, class: "olc-axis" });
    const layers = [middle, bars, voters, words];
    const given = { class: "olc-voters", viewBox: "0 0 400 250", role: "group" };
    const svg = h("svg", { ...given, "aria-label": label }, layers);
    const put = (i, up, tag) => {
      const { split } = lab.state;
      const moved = up ? split | (1 << i) : split & ~(1 << i);
      if (moved !== split) lab.change({ split: moved }, tag);
    };
    const flip = (i) => put(i, lab.game.x[i] < 0);
    const make = (i) => {
      const rings = ["olc-hit", "olc-ring", "olc-disc"];
      const parts = rings.map((name) => h("circle", { class: name, r: 20 }));
      const node = h("g", { role: "switch", class: "olc-voter" }, parts, h("text", { y: 33 }));
      return handle(node, svg, {
        move: ([, y], grab) => put(i, y < 125, `${i} ${grab}`),
        tap: () => flip(i),
        key: ({ by }) => by?.[1] && [put(i, by[1] > 0)],
      });
    };
    const play = (y) => {
      const { rounds, split } = lab.state;
      if (rounds.length < 300) lab.change({ rounds: [...rounds, [split, y]] });
    };
    const deny = button("", () => play(lab.game.denial), { class: "olc-main" });
    const agree = button("", () => play(-lab.game.denial));
    // The experts, best first, to the lighter of the two sides.
    const even = button("Split evenly", () => {
      const { weights } = lab.game;
      const order = [...weights.keys()].sort((a, b) => weights[b] - weights[a]);
      let [split, balance] = [0, 0];
      for (const i of order) {
        const up = balance <= 0;
        if (up) split |= 1 << i;
        balance += up ? weights[i] : -weights[i];
      }
      lab.change({ split });
    });
    const draw = mode === "force" ? drawForced : drawWeight;
    const name = "Mistakes, the total weight and the bound";
    const plot = chart({ lab, height: 250, label: name, draw, beside: true });
    const tune = () => slider(lab, "eta", { name: "η", min: 0.05, max: 0.95, step: 0.05 });
    const size = () => slider(lab, "n", { name: "N", min: 4, max: 16, step: 1 });
    const controls = {
      halving: () => [deny, agree],
      force: () => [deny, choice(lab, "learner", "Learner", KINDS), size()],
    };
    return {
      panels: [svg, plot.svg],
      controls: (controls[mode] ?? (() => [deny, agree, even, tune()]))(),
      draw(game) {
        const { n, x, weights, losses, up, score, denial, who, wrong } = game;
        const widest = Math.max(...weights.map(Math.abs)) || 1;
        const all = total(weights) || 1;
        const halving = mode === "halving";
        const share = (w) => (halving && !w ? "out" : `${num((100 * w) / all, 2)} %`);
        set(svg, { style: colour(who) });
        const item = (v, i) => {
          const row = n > 8 ? (i < 8 ? -26 : 26) : 0;
          const member = mode === "force" && i < PANEL;
          const name = `Expert ${i + 1}${member ? ", of the panel" : ""}, ${share(weights[i])}`;
          return {
            ...{ key: i, make, "aria-checked": v > 0 },
            class: `olc-voter${member ? " olc-ringed" : ""}${weights[i] < 0 ? " olc-negative" : ""}`,
            "aria-label": `${name}, ${plural(losses[i], "mistake")}: says ${v > 0 ? "plus" : "minus"}`,
            style: `transform:translate(${26 + (i % 8) * 43}px,${(v > 0 ? 64 : 182) + row}px)`,
          };
        };
        join(voters, x.map(item));
        for (const [i, { children, lastChild }] of [...voters.children].entries()) {
          set(children[2], { r: (17 * Math.sqrt(Math.abs(weights[i]) / widest)).toFixed(2) });
          set(lastChild, { text: n > 8 || (halving && weights[i]) ? "" : share(weights[i]) });
        }
        const high = 210 * up;
        const at = { tag: "rect", x: 370, width: 18 };
        join(bars, [
          { ...at, class: "olc-bar", y: 20, height: high },
          { ...at, class: "olc-bar olc-negative", y: 20 + high, height: 210 - high },
        ]);
        const sure = score ? `it says ${score > 0 ? "+1" : "−1"}` : "a tie";
        const verdict = mode === "randomized" ? `+1 with chance ${num(up, 2)}` : sure;
        const word = (text, x, y, end) => ({ tag: "text", text, x, y, "text-anchor": end });
        join(words, [word("say +1", 0, 12), word("say −1", 0, 246), word(verdict, 398, 12, "end")]);
        const nobody = (y) => halving && !weights.some((w, i) => w && x[i] === y);
        const truth = (y) => `It was ${y > 0 ? "+1" : "−1"}`;
        set(deny, {
          text: truth(denial),
          "aria-disabled": nobody(denial) || (mode === "force" && !wrong),
        });
        set(agree, { text: truth(-denial), "aria-disabled": nobody(-denial) });
      },
    };
  }
  olcLab.define("adversary", { game, says, reached, view });
})();
