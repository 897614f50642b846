// Bits: the reader chooses what is on, and two learners must say the label. Modes: winnow (8),
// beside the Perceptron; drift (9), Winnow-R and Winnow; balanced (11), two weights for each bit.
(() => {
  const { bounds, learner, sum } = olcLearners;
  const { button, chart, colour, h, num, plural, set } = olcLab;
  const N = 16;
  const CONSTANT = 2 ** 15; // the last bit is always on for the Perceptron, and so for Winnow
  const RELEVANT = [2, 9]; // for Winnow and the Perceptron, as in bits.toml
  const MOST = bounds.normalized(2 * N, 1, 1);
  const coshes = (s) => sum(s.map((v) => 2 * Math.cosh(v)));

  // Who plays, and with what bounds; the potential of the first, and the bounds of its proof.
  const MODES = {
    winnow: {
      ...{ who: ["Winnow", "Perceptron"], theta: [4], name: "potential Φ", lower: 2.5 * N },
      bars: ["log₂ w", "w"],
      most: () => [bounds.winnow(N, 2), bounds.perceptron(4, 1 / 3)],
      // the weights, and θ for every promotion that a relevant one has ahead
      potential: ({ weights, state }) =>
        sum([...weights, ...RELEVANT.map((i) => N * Math.max(0, 4 - state[i]))]),
      upper: (_, down) => 9 * N - (N / 2) * down,
      won: (first) => first >= 17 && "A relevant weight doubles four times at most: 20 is the end.",
    },
    drift: {
      ...{ who: ["WinnowR", "Winnow"], theta: [4, 4], name: "total weight", lower: N / 2 },
      bars: ["log₂ w", "log₂ w"],
      most: (additions) => [bounds.winnowR(N, additions), Infinity],
      potential: ({ weights }) => sum(weights),
      upper: (up, down) => N + N * up - (N / 4) * down,
      won: (first, second) =>
        second >= first + 4 &&
        "Winnow had to climb back all that it had sunk; Winnow-R has a floor.",
    },
    balanced: {
      ...{ who: ["BalancedWinnow", "NormalizedWinnow"], theta: [], name: "RE(u‖w)", lower: 0 },
      bars: ["ln w⁺", "ln w⁻"],
      most: () => [MOST, Infinity],
      potential: ({ state }, i) => state[i] + Math.log(coshes(state)),
      upper: (up, down) => Math.log(2 * N) * (1 - (up + down) / MOST),
      won: (first) =>
        first >= 5 &&
        "Each mistake takes C or more from the relative entropy, which is nearly used up.",
    },
  };
  const NAMES = { WinnowR: "Winnow-R", BalancedWinnow: "Balanced Winnow" };
  const named = (who) => NAMES[who] ?? who.replace("NormalizedW", "normalised W");
  const sign = (v) => (v > 0 ? "+" : v < 0 ? "−" : "nothing");
  const isOn = (mask, i) => (mask >> i) & 1;
  function game(state) {
    const { mode, bits, target, sent } = state;
    const { who, ...theory } = MODES[mode];
    const signed = mode === "balanced";
    const example = (mask) =>
      Array.from({ length: N }, (_, i) => (signed ? 2 * isOn(mask, i) - 1 : isOn(mask, i)));
    const label = (mask, aim) => (((mask & aim) !== 0) === signed ? -1 : 1);
    const players = who.map((name) => learner(name, { n: N, eta: 1 }));
    const [one, other] = players;
    const held = () => theory.potential(one, Math.log2(target));
    const path = [[held(), theory.upper(0, 0)]];
    let [first, second, up, additions] = [0, 0, 0, 1];
    for (const [t, [mask, aim]] of sent.entries()) {
      const y = label(mask, aim);
      const [wrong, also] = players.map((each) => each.learn(example(mask), y).wrong);
      additions += aim !== (sent[t + 1]?.[1] ?? target);
      first += wrong;
      second += also;
      up += wrong && y > 0;
      if (wrong) path.push([held(), theory.upper(up, first - up)]);
    }
    const scores = players.map((each) => each.score(example(bits)));
    const said = players.map((each, i) => each.decide(scores[i]));
    const rows = [one.state, signed ? one.state.map((v) => -v) : other.state];
    const halves = rows.map((row) => row.map((v) => Math.exp(v) / coshes(one.state)));
    const weights = signed ? halves : players.map((each) => each.weights);
    const [potential, upper] = path.at(-1);
    const now = { path, potential, upper, scores, said, rows, weights, y: label(bits, target) };
    return { state, who, first, second, bound: theory.most(additions), ...now };
  }

  function made({ who, first, second, bound }, i) {
    const most = Number.isFinite(bound[i]) ? `of at most ${num(Math.floor(bound[i] + 1e-9))}` : "";
    return `${named(who[i])}: ${plural(i ? second : first, "mistake")} ${most || "and no bound"}`;
  }
  function says(game) {
    const of = MODES[game.state.mode].theta.map(() => " of θ = 16");
    const told = ({ who, scores, said }, i) =>
      `${named(who[i])} scores ${num(scores[i])}${of[i] ?? ""} and says ${sign(said[i])}`;
    const now = `On these bits, with label ${sign(game.y)}, ${told(game, 0)}; ${told(game, 1)}`;
    return `${made(game, 0)}; ${made(game, 1)}. ${now}.`;
  }
  const reached = ({ state, first, second }) => MODES[state.mode].won(first, second) || "";

  // The potential of the first learner between the bounds of its proof, mistake by mistake.
  function drawPotential(plot, { state, who, path }) {
    const { lower, name } = MODES[state.mode];
    const [last, far] = [path.length - 1, Math.max(8, path.length)];
    plot.range([0, far], [0, 1.1 * Math.max(...path.flat())], ["mistakes M", name]);
    const line = (k) => plot.line(path.map((both, m) => [m, both[k]]));
    const bounds = [line(1), plot.level(lower)].map((d) => ["olc-bound", d]);
    plot.paths([...bounds, ["olc-line", line(0), who[0]]]);
    const [held, upper] = path[last];
    const limit = (text, x, y) => [text, [x, y], "ne"];
    const limits = [limit("at most", last, upper), limit("at least", 0.7 * far, lower)];
    plot.labels([...limits, [num(held), [last, held], "e", who[0]]]);
  }
  function view(lab) {
    const { mode } = lab.state;
    const [star, signs] = mode === "balanced" ? ["¬", ["w⁺", "w⁻"]] : ["★", []];
    const { bars: shown } = MODES[mode];
    const styles = lab.game.who.map((who, _, all) => colour(mode === "balanced" ? all[0] : who));
    const columns = Array.from({ length: N }, (_, i) => {
      const flip = () => lab.change({ bits: lab.state.bits ^ (2 ** i) });
      const disabled = mode === "winnow" && 2 ** i === CONSTANT;
      const bit = button("", flip, { role: "switch", disabled });
      const bars = styles.map(() => h("b", { class: "olc-rise" }));
      const [up, down] = bars.map((bar) => h("span", { class: "olc-track" }, bar));
      return { bit, bars, node: h("div", {}, up, bit, down) };
    });
    const names = styles.map((style) => h("p", { class: "olc-name", style }, h("span"), h("span")));
    const nodes = [names[0], columns.map(({ node }) => node), names[1]];
    const board = h("div", { class: "olc-bits" }, nodes);
    const label = "The potential between the bounds of the proof";
    const plot = chart({ lab, height: 300, label, draw: drawPotential, beside: true });
    const push = ({ bits, target, sent }) => lab.change({ sent: [...sent, [bits, target]] });
    const send = button("", () => push(lab.state), { class: "olc-main" });
    const random = () => columns.reduce((mask, _, i) => mask + (Math.random() < 0.3) * 2 ** i, 0);
    const fresh = () => lab.change({ bits: mode === "winnow" ? random() | CONSTANT : random() });
    const sunk = (counts) => 2 ** counts.indexOf(Math.min(...counts)); // Winnow's least weight
    const move = () => lab.change({ target: sunk(lab.game.rows[1]) });
    const moves = mode === "drift" ? [button("Move the target", move)] : [];
    function draw(game) {
      const { rows, weights, who, y, said, state } = game;
      const verdict = said[0] === y ? "right" : "a mistake";
      const text = `Send: label ${sign(y)}, it says ${sign(said[0])}, ${verdict}`;
      set(send, { text, "aria-disabled": state.sent.length >= 300 });
      for (const [k, row] of rows.entries()) {
        const theta = MODES[mode].theta[k];
        const [low, high] = [Math.min(-2, ...row), Math.max(theta ?? 2, ...row) + 0.2];
        const at = (v) => `${(100 * v) / (high - low)}%`;
        const lines = `--base:${at(high)};--theta:${at(theta ? high - theta : -1)}`;
        for (const [i, { bars }] of columns.entries()) {
          const [bar, v] = [bars[k], row[i]];
          set(bar, { style: `top:${at(high - Math.max(v, 0))};height:${at(Math.abs(v))}` });
          set(bar.parentNode, { style: `${styles[k]};${lines}` });
        }
        set(names[k].firstChild, { text: k && signs[k] ? "" : made(game, k) });
        set(names[k].lastChild, { text: shown[k] });
      }
      for (const [i, { bit, node }] of columns.entries()) {
        const [on, aim] = [isOn(state.bits, i), isOn(state.target, i)];
        const held = weights.map((w, k) => `${signs[k] ?? named(who[k])} ${num(w[i])}`).join(", ");
        const label = `Bit ${i + 1}${aim ? ", marked" : ""}; weights: ${held}`;
        set(bit, { text: on + (aim ? star : ""), "aria-checked": on === 1, "aria-label": label });
        set(node, { class: on === 1 && "olc-on" });
      }
    }
    return { panels: [board, plot.svg], controls: [send, button("Draw bits", fresh), moves], draw };
  }
  olcLab.define("bits", { game, says, reached, view });
})();
