// The triangle (10): the weights of three experts are one point, and every mistake moves it.
(() => {
  const { bounds, dot, learner } = olcLearners;
  const { button, chart, choice, colour, h, join, num, plural, set, slider } = olcLab;
  const WHO = "NormalizedWinnow";
  const [LEFT, TOP] = ["200 40 360", "30 300 300"].map((text) => text.split(" ").map(Number));
  const CORNERS = LEFT.map((x, i) => [x, TOP[i]]);
  const at = (w) => [dot(w, LEFT), dot(w, TOP)];
  const opinions = (mask) => [0, 1, 2].map((i) => 2 * ((mask >> i) & 1) - 1);
  const sign = (v) => (v > 0 ? "+" : v < 0 ? "−" : "nothing");

  function game(state) {
    const { eta, sent } = state;
    const right = Number(state.right) - 1;
    const one = learner(WHO, { n: 3, eta });
    const path = [one.weights];
    let since = 0; // how many mistakes were made for another expert
    for (const [mask, whose] of sent) {
      const x = opinions(mask);
      if (one.learn(x, x[whose - 1]).wrong) path.push(one.weights);
      if (whose - 1 !== right) since = path.length - 1;
    }
    const drop = 1 / bounds.normalized(Math.E, 1, eta);
    const x = opinions(state.opinions);
    const entropies = path.map((w) => -Math.log(w[right]));
    const left = entropies.at(-1) / drop;
    const now = { x, y: x[right], said: Math.sign(one.score(x)), share: path.at(-1)[right], left };
    return { state, right, path, mistakes: path.length - 1, since, entropies, drop, ...now };
  }
  function says({ right, path, mistakes, said, y, left }) {
    const shares = path.at(-1).map((v) => num(v, 2));
    const more = `Expert ${right + 1} goes on being right: at most ${num(Math.floor(left + 1e-9))} more`;
    const now = `Now it says ${sign(said)}${said === y ? ": nothing will move" : `, and ${sign(y)} is true`}`;
    const alone = path.at(-1)[right] > 0.5 && path.at(-1)[right] < 0.95;
    const hint = alone ? ` It decides alone now: only a larger η would have taken it farther.` : "";
    return `${plural(mistakes, "mistake")}, weights ${shares.join(", ")}. ${more} (RE/C = ${num(left)}). ${now}.${hint}`;
  }
  const reached = ({ share, right, state }) =>
    share >= 0.95 && right === 0
      ? `${num(100 * share)} % at η = ${num(state.eta)}. Above one half it decides alone, and nothing moves.`
      : "";

  // The relative entropy to the corner, and where it must be after every mistake at the latest.
  function drawEntropy(plot, { entropies, since, drop, mistakes }) {
    const start = entropies[since];
    const end = since + start / drop;
    const far = Math.max(8, Math.ceil(end), mistakes + 1);
    plot.range([0, far], [0, 1.1 * Math.max(...entropies)], ["mistakes M", "RE(u‖w)"]);
    plot.paths([
      ["olc-bound", plot.curve((m) => start - drop * (m - since), since, end)],
      ["olc-line", plot.line(entropies.map((v, m) => [m, v])), WHO],
      ["olc-dot", plot.dot(mistakes, entropies.at(-1)), WHO],
    ]);
    plot.labels([
      ["falls by C at least", [(since + end) / 2, start / 2], "ne"],
      [num(entropies.at(-1)), [mistakes, entropies.at(-1)], "ne", WHO],
    ]);
  }
  // Where the weighted vote is positive: corners, and middles of the edges between two opinions.
  const positive = (x) =>
    CORNERS.flatMap((corner, i) => {
      const next = (i + 1) % 3;
      const middle = at([0, 1, 2].map((j) => (j === i || j === next ? 0.5 : 0)));
      return [...(x[i] > 0 ? [corner] : []), ...(x[i] !== x[next] ? [middle] : [])];
    });
  function view(lab) {
    const shapes = h("g");
    const given = { class: "olc-triangle", role: "img", style: colour(WHO) };
    const label = "Each corner is an expert with all the weight, the point is the learner";
    const svg = h("svg", { viewBox: "0 0 400 330", "aria-label": label, ...given }, shapes);
    const fall = "The relative entropy to the corner, mistake by mistake";
    const plot = chart({ lab, height: 280, label: fall, draw: drawEntropy, beside: true });
    const flip = (i) => () => lab.change({ opinions: lab.state.opinions ^ (1 << i) });
    const experts = [0, 1, 2].map((i) => button("", flip(i)));
    const push = ({ opinions, right, sent }) =>
      lab.change({ sent: [...sent, [opinions, Number(right)]] });
    const send = button("", () => push(lab.state), { class: "olc-main" });
    const names = { 1: "1 is right", 2: "2 is right", 3: "3 is right" };
    const who = choice(lab, "right", "who is right", names);
    const eta = slider(lab, "eta", { name: "η", min: 0.1, max: 2.5, step: 0.05 });
    const text = (i) => ({
      ...{ tag: "text", x: [200, 4, 396][i], y: i ? 322 : 16, class: "olc-label" },
      ...{ "text-anchor": ["middle", "start", "end"][i], text: `expert ${i + 1}` },
    });
    function draw({ x, y, path, state }) {
      const [left, top] = at(path.at(-1));
      join(shapes, [
        { tag: "polygon", class: "olc-street", points: positive(x).join(" ") },
        { tag: "polygon", class: "olc-edge", points: CORNERS.join(" ") },
        { tag: "path", class: "olc-trail", d: `M${path.map(at).join("L")}` },
        { tag: "circle", class: "olc-tip", r: 8, style: `translate:${left}px ${top}px` },
        ...[0, 1, 2].map(text),
      ]);
      for (const [i, one] of experts.entries()) set(one, { text: `${i + 1} says ${sign(x[i])}` });
      set(send, { text: `Send: label ${sign(y)}`, "aria-disabled": state.sent.length >= 300 });
    }
    return { panels: [svg, plot.svg], controls: [send, experts, who, eta], draw };
  }
  olcLab.define("triangle", { game, says, reached, view });
})();
