// The order (tightness): show the points of a fixed pool in the worst order for the Perceptron.
(() => {
  const { dot } = olcLearners;
  const { button, chart, num, place, plural, set } = olcLab;
  const [PLACES, TARGET, ...POINTS] = olcPool; // the points are y·x, none longer than 1
  const [GREEDY, BEST, BOUND, GAMMA] = [58, 76, 93, 0.10363539819104185]; // a test computes them
  const lessons = POINTS.map((z) => dot(z, TARGET));
  const WIDE = [Math.min(...lessons) - 0.02, Math.max(...lessons) + 0.02];

  function game(state) {
    let w = TARGET.map(() => 0);
    const lengths = [0];
    for (const number of state.order) {
      const z = POINTS[PLACES.indexOf(number)];
      if (dot(w, z) > 0) continue; // it would be judged right
      w = w.map((v, i) => v + z[i]);
      lengths.push(Math.hypot(...w));
    }
    const scores = POINTS.map((z) => dot(w, z));
    const mistakes = lengths.length - 1;
    // what WorstOrder shows: a large score that teaches little
    const worth = scores.map((s, i) => s - lessons[i] * Math.sqrt(mistakes + 1));
    const open = scores.flatMap((s, i) => (s > 0 ? [] : [i])).sort((a, b) => worth[b] - worth[a]);
    const [left, next] = [open.length, open[state.ring % open.length]];
    return { state, scores, lengths, mistakes, left, next, number: PLACES[next] };
  }
  function says({ scores, mistakes, left, next, lengths }) {
    const made = `${plural(mistakes, "mistake")}, and ‖w‖ = ${num(lengths.at(-1))}`;
    const known = `A greedy order makes ${GREEDY}, the best that is known ${BEST}, none more than ${BOUND}`;
    const more = `${plural(left, "point")} would be misjudged now; the marked one, number ${PLACES[next]}, has score ${num(scores[next], 2)} and adds ${num(lessons[next], 2)} along u.`;
    return `${made}. ${known}. ${left ? more : "No point is misjudged any more."}`;
  }
  function reached({ mistakes }) {
    if (mistakes > BEST) return `${mistakes}: you know more than we do. Please tell us.`;
    const known = `${mistakes} is more than ${GREEDY}. The best that is known is ${BEST}.`;
    return mistakes > GREEDY ? known : "";
  }

  // Every point, by what it teaches and by its score; from 0 on it is judged right.
  function drawPoints(plot, { scores, next, left }) {
    const names = ["⟨u, yx⟩: what it teaches", "score y⟨w, x⟩"];
    plot.range(WIDE, [1.05 * Math.min(-0.5, ...scores), 1], names);
    const kind = (s) => `olc-dot${s > 0 ? " olc-faint" : ""}`;
    const dot = (s, i) => [kind(s), plot.dot(lessons[i], Math.min(1, s)), "Perceptron"];
    const ring = left > 0 && ["olc-dot", plot.dot(lessons[next], scores[next])];
    plot.paths([...scores.map(dot), ring]);
    plot.labels([["below: misjudged", [WIDE[1], 0], "nw"]]);
  }
  function drawLength(plot, { lengths, mistakes }) {
    plot.range([0, 100], [0, 10.5], ["mistakes M", "length of w"]);
    const marks = [GREEDY, BEST, BOUND];
    const rule = (m) => plot.curve((v) => (v - m) * 1e3, m, m + Math.sqrt(m) / 1e3);
    plot.paths([
      ...marks.map((m) => ["olc-rule", rule(m)]),
      ["olc-bound", plot.curve(Math.sqrt, 0, 100)],
      ["olc-bound", plot.curve((m) => GAMMA * m, 0, 100)],
      ["olc-line", plot.line(lengths.map((v, m) => [m, v])), "Perceptron"],
    ]);
    const last = [num(mistakes), [mistakes, lengths.at(-1)], "se", "Perceptron"];
    const ends = [
      ["R√M", [20, Math.sqrt(20)], "nw"],
      ["Mγ", [45, 45 * GAMMA], "se"],
    ];
    plot.labels([...marks.map((m) => [num(m), [m, 0.1], "ne"]), ...ends, last]);
  }
  function view(lab) {
    const [known, label] = ["The points, by what they teach and by their score", "The length of w"];
    const left = chart({ lab, height: 320, label: known, draw: drawPoints });
    const right = chart({ lab, height: 320, label, draw: drawLength, beside: true });
    const show = (i) => lab.change({ order: [...lab.state.order, PLACES[i]], ring: 0 });
    // the misjudged point that is nearest to the finger
    set(left.svg, {
      onclick(e) {
        const [x, y] = place(left.svg, e);
        const { scores } = lab.game;
        const away = (i) => Math.hypot(left.x(lessons[i]) - x, left.y(scores[i]) - y);
        const open = scores.flatMap((s, i) => (s > 0 ? [] : [[away(i), i]]));
        const [far, i] = open.sort((a, b) => a[0] - b[0])[0] ?? [Infinity];
        if (far < 24) show(i);
      },
    });
    const send = button("Show the marked point", () => show(lab.game.next), { class: "olc-main" });
    const other = button("Another one", () => lab.change({ ring: lab.state.ring + 1 }, "ring"));
    const finish = button("Greedy to the end", () => {
      let [order, now] = [lab.state.order, game({ ...lab.state, ring: 0 })];
      for (; now.left; now = game({ order, ring: 0 })) order = [...order, PLACES[now.next]];
      lab.change({ order, ring: 0 });
    });
    lab.follow(({ left }) => {
      for (const one of [send, other, finish]) set(one, { "aria-disabled": !left });
    });
    return { panels: [left.svg, right.svg], controls: [send, other, finish] };
  }
  olcLab.define("order", { game, says, reached, view });
})();
