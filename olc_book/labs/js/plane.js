// The plane: lay out points, and see every mistake turn the line. Six modes, a chapter each:
// hand (4), perceptron (5), flip (6), margin (14), average (15), classes (17).
(() => {
  const { bounds, classifier, dot, hull, learner, margin } = olcLearners;
  const { chart, colour, field, h, handle, join, num, player, plural, set, slider } = olcLab;
  const ROUNDS = { flip: 600, average: 180 }; // else a game ends with a pass that changes nothing
  const CLASSES = ["circle", "square", "triangle"];
  const RIGHT = 180 / Math.PI;

  // --- the game -------------------------------------------------------------------------------

  const lengthOf = (w) => Math.hypot(...w.flat());
  const marginOf = (w, X, y) => Math.min(...X.map((x, t) => y[t] * dot(w, x))) / (lengthOf(w) || 1);
  const wrongs = (w, X, y) => X.filter((x, t) => y[t] * dot(w, x) <= 0).length;
  const direction = (degrees) => [Math.cos(degrees / RIGHT), Math.sin(degrees / RIGHT)];
  // The largest margin of three vectors: the constraints "yours above each other one" have it.
  function separator(X, y) {
    const z = X.flatMap(([a, b], t) =>
      [0, 1, 2]
        .filter((j) => j !== y[t])
        .map((j) => [0, 1, 2].flatMap((k) => [a, b].map((v) => v * ((k === y[t]) - (k === j))))),
    );
    const { a, gamma } = hull(z.map((one) => z.map((other) => dot(one, other))));
    const u = z[0].map((_, i) => z.reduce((sum, one, j) => sum + a[j] * one[i], 0));
    return { gamma, u: u.map((v) => v / (lengthOf(u) || 1)) };
  }
  function played(mode, X, y, thickness) {
    const name = mode === "margin" ? "MarginPerceptron" : "Perceptron";
    const self = mode === "classes" ? classifier(2, 3) : learner(name, { n: 2, thickness });
    const steps = [];
    let quiet = 0;
    let t = 0;
    for (; t < (ROUNDS[mode] ?? 2000) && (quiet < X.length || mode === "average"); t++) {
      const before = self.weights;
      const round = self.learn(X[t % X.length], y[t % X.length]);
      quiet = round.wants ? 0 : quiet + 1;
      if (round.wants)
        steps.push({ ...round, t, i: t % X.length, before, after: self.weights, late: self.late });
    }
    return { steps, rounds: t, ended: quiet >= X.length };
  }
  let kept = {}; // what the moment and the angle do not change
  function wholeGame({ mode, points, tau }) {
    if (kept.mode === mode && kept.points === points && kept.tau === tau) return kept;
    const X = points.map((p) => p.slice(0, 2));
    const y = points.map((p) => p[2]);
    const classes = mode === "classes";
    const best = (classes ? separator : margin)(X, y);
    const gamma = best.gamma > 1e-9 ? best.gamma : 0;
    const R = Math.max(0.01, ...X.map(lengthOf));
    const growth = classes ? 2 * R * R : R * R + (mode === "margin" ? 2 * tau : 0);
    const bound = gamma ? growth / gamma ** 2 : Infinity;
    const game = mode === "hand" ? { steps: [] } : played(mode, X, y, tau);
    const fresh = mode === "margin" && !(kept.mode === mode && kept.points === points);
    const reach = (v) => marginOf(played(mode, X, y, v).steps.at(-1).after, X, y);
    const taus = fresh && gamma ? Array.from({ length: 31 }, (_, i) => i / 10) : [];
    const reaches = fresh ? taus.map((v) => [v, reach(v)]) : kept.reaches;
    kept = { mode, points, tau, X, y, R, gamma, u: best.u, growth, bound, reaches, ...game };
    return kept;
  }
  function game(state) {
    const base = wholeGame(state);
    const { steps, X, y, mode } = base;
    const last = steps.length;
    const at = Math.min(state.at ?? 0, last);
    const step = steps[at - 1];
    const noun = mode === "margin" ? "update" : "mistake";
    const mistakes = steps.filter((s) => s.wrong).length;
    const w = mode === "hand" ? direction(state.angle) : (step?.after ?? [0, 0]);
    const self = { ...base, state, last, at, step, noun, mistakes, w };
    if (mode === "classes") return self;
    self.own = marginOf(w, X, y);
    self.wrong = wrongs(w, X, y);
    if (mode !== "average") return self;
    self.means = steps.map((s, i) => {
      const until = steps[i + 1]?.t ?? base.rounds; // while this line lived
      return s.after.map((v, j) => v - s.late[j] / until);
    });
    self.lines = [[0, X.length, X.length]];
    for (const [i, mean] of self.means.entries())
      self.lines.push([i + 1, wrongs(steps[i].after, X, y), wrongs(mean, X, y)]);
    return self;
  }

  // --- words ----------------------------------------------------------------------------------

  function facts({ mode, gamma, R, bound, noun, state }) {
    if (mode === "hand" && gamma) return `The widest street reaches ${num(gamma, 2)}.`;
    const what = mode === "classes" ? "three vectors tell" : "line through the origin separates";
    if (!gamma)
      return `No ${what} these points${mode === "classes" ? " apart" : ""}: no margin, no bound.`;
    const most = plural(Math.floor(bound + 1e-9), noun);
    const least = num(bounds.finalMargin(R, gamma, state.tau), 2);
    const also = mode === "margin" ? `; the final margin is at least ${least}` : "";
    return `Radius ${num(R)}, margin ${num(gamma, 2)}: at most ${most}, whatever the order${also}.`;
  }
  function now({ mode, steps, rounds, at, last, step, mistakes, ended, noun, own, wrong, X, y }) {
    if (mode === "hand")
      return wrong
        ? `Your line misjudges ${wrong} of ${plural(X.length, "point")}.`
        : `All points are on their sides; your street reaches ${num(own, 2)} to either side.`;
    if (!at) return "The learner has not played yet.";
    if (at < last) {
      const what = `${noun === "update" ? "Update" : "Mistake"} ${at}, in round ${step.t + 1}: point ${step.i + 1}`;
      const [name, other] = [y[step.i], step.rival].map((j) => CLASSES[j]);
      if (mode === "classes")
        return `${what} is added to the vector of the ${name}s, and taken from that of the ${other}s.`;
      const side = step.wrong ? "on the wrong side" : "too near the line";
      return `${what} is ${side}; ${y[step.i] > 0 ? "it" : "its negative"} is added to w.`;
    }
    const made = plural(mistakes, "mistake");
    const longest = Math.max(...steps.map((s) => lengthOf(s.after)));
    if (!ended)
      return `${made} in ${num(rounds)} rounds and no end; yet ‖w‖ stays below ${num(1.005 * longest)}.`;
    if (mode === "margin")
      return `It made ${made} and ${plural(last, noun)}, and reached a margin of ${num(own, 2)}.`;
    return `It made ${made} and then none: every point is on its side.`;
  }
  function says(game) {
    const { mode, at, lines, X } = game;
    if (mode !== "average") return `${now(game)} ${facts(game)}`;
    if (!at) return "One of the labels is wrong. The learner has not played yet.";
    const [, own, mean] = lines[at];
    return `After ${plural(at, "mistake")} the last line misjudges ${own} of ${plural(X.length, "point")}, the mean line ${mean}.`;
  }
  function reached({ mode, gamma, own, at, last, lines, mistakes, ended }) {
    const over = gamma && at && at === last && ended;
    const [, line, mean] = lines?.[at] ?? [];
    if (mode === "hand" && gamma && own >= 0.98 * gamma)
      return "No street is wider: the ringed points hold it.";
    if (mode === "average" && line >= mean + 3)
      return `The last line misjudges ${line}, the mean line ${mean}.`;
    if (mode === "flip" && over)
      return `It stops after ${plural(mistakes, "mistake")}: a line separates the points.`;
    if (mode === "margin" && over && own >= 0.9 * gamma)
      return `${num((100 * own) / gamma, 2)} % of the widest, where less than half is guaranteed.`;
    const wanted = { perceptron: 15, classes: 20 }[mode];
    return over && mistakes >= wanted
      ? `${mistakes} mistakes, with a margin of ${num(gamma, 2)}: only a thin street allows that.`
      : "";
  }

  // --- the pictures ---------------------------------------------------------------------------

  // Mγ ≤ ⟨u, w⟩ ≤ ‖w‖ ≤ R√M, which cross at the bound.
  const NAMES = { margin: ["√(M(R² + 2τ))", "(R² + 2τ)/γ²"], classes: ["R√2M", "2R²/γ²"] };
  function drawSqueeze(plot, { mode, who, steps, at, gamma, u, growth, bound, noun }) {
    const M = Math.max(8, Math.min(80, gamma ? Math.ceil(1.15 * bound) : 60));
    const [over, under] = [(m) => Math.sqrt(growth * m), (m) => gamma * m];
    const top = 1.12 * over(M);
    const end = gamma ? Math.min(M, top / gamma) : 0;
    const flat = [0, ...steps.slice(0, Math.min(at, M)).map((s) => s.after.flat())];
    const sizes = flat.map((w, m) => [m, m && lengthOf(w)]);
    const shadows = flat.map((w, m) => [m, m && dot(w, u)]);
    const crossed = gamma && bound < M;
    const [R, R2] = NAMES[mode] ?? ["R√M", "R²/γ²"];
    const never = () => `${plot.curve(over, bound, M)}L${plot.curve(under, end, bound).slice(1)}Z`;
    plot.range([0, M], [0, top], [`${noun}s M`, "length"]);
    plot.paths([
      crossed && ["olc-never", never()],
      ["olc-bound", plot.curve(over, 0, M)],
      gamma && ["olc-bound", plot.curve(under, 0, end)],
      gamma && ["olc-thin", plot.line(shadows), "Halving"],
      ["olc-line", plot.line(sizes), who],
    ]);
    plot.labels([
      crossed && [`${R2} = ${num(bound)}`, [bound, over(bound)], bound > 0.6 * M ? "nw" : "n"],
      [R, [0.3 * M, over(0.3 * M)], "nw"],
      gamma && ["Mγ", [0.62 * end, under(0.62 * end)], "se"],
      at && ["‖w‖", sizes.at(-1), "ne", who],
      gamma && at && ["⟨u, w⟩", shadows.at(-1), "se", "Halving"],
    ]);
  }
  // The margin of a line in every direction: the reader's, and the largest.
  function drawDirections(plot, { X, y, gamma, own, R, state: { angle } }) {
    const of = (degrees) => Math.max(-0.6 * R, marginOf(direction(degrees), X, y));
    const names = ["direction of w, in degrees", "least y⟨w, x⟩"];
    plot.range([0, 360], [-0.6 * R, 0.6 * R], names, [0, 90, 180, 270, 360]);
    plot.paths([
      gamma && ["olc-bound", plot.level(gamma)],
      ["olc-thin", plot.curve(of, 0, 360)],
      ["olc-dot", plot.dot(angle, of(angle))],
    ]);
    plot.labels([
      gamma && [`the largest: γ = ${num(gamma, 2)}`, [360, gamma], "nw"],
      [`yours: ${num(own, 2)}`, [angle, of(angle)], "ne"],
    ]);
  }
  // The margin that is reached at every τ, and the one that is guaranteed.
  function drawReaches(plot, { who, reaches, gamma, R, own, at, last, state: { tau } }) {
    const promised = (v) => bounds.finalMargin(R, gamma, v);
    const over = at && at === last && own > 0;
    plot.range([0, 3], [0, 1.15 * (gamma || 0.1)], ["thickness τ", "margin at the end"]);
    plot.paths([
      ["olc-bound", plot.level(gamma)],
      ["olc-rule", plot.level(gamma / 2)],
      gamma && ["olc-bound", plot.curve(promised, 0, 3)],
      gamma && ["olc-thin olc-faint", plot.line(reaches), who],
      over && ["olc-dot", plot.dot(tau, own), who],
    ]);
    plot.labels([
      ["γ, the widest", [3, gamma], "nw"],
      ["γ/2", [0, gamma / 2], "ne"],
      gamma && ["guaranteed", [2.2, promised(2.2)], "se"],
      over && ["reached", [tau, own], "e", who],
    ]);
  }
  // How many points the last line misjudges, and the mean of all so far.
  function drawMisjudged(plot, { who, lines, at }) {
    const most = Math.max(4, ...lines.slice(1).map((row) => row[1]));
    const names = ["mistakes M", "points misjudged"];
    plot.range([0, Math.max(8, lines.length - 1)], [0, most + 0.5], names);
    const upTo = (k) => lines.slice(1, at + 1).map((row) => [row[0], row[k]]);
    const [last, mean] = [upTo(1), upTo(2)];
    plot.paths([
      ["olc-thin", plot.stairs(last), who],
      ["olc-line", plot.stairs(mean), "AveragedPerceptron"],
    ]);
    plot.labels([
      at && ["last", last.at(-1), "ne", who],
      at && ["mean", mean.at(-1), "se", "AveragedPerceptron"],
    ]);
  }
  const squeeze = [drawSqueeze, 300, "The length of w between its bounds, mistake by mistake"];
  const PLOTS = {
    hand: [[drawDirections, 300, "The margin of a line in every direction"]],
    margin: [
      [drawReaches, 190, "The margin reached and the margin guaranteed, for every τ"],
      squeeze.with(1, 200),
    ],
    average: [[drawMisjudged, 300, "Points misjudged by the last line and by the mean line"]],
  };

  // What belongs to a direction is drawn for w = (1, 0), and turned.
  const turned = ([x, y], tag, name, given) => {
    const transform = `rotate(${-Math.atan2(y, x) * RIGHT} 200 200)`;
    return { tag, class: name, ...given, transform };
  };
  const across = { x1: 200, x2: 200, y1: -200, y2: 600 };
  const band = (w, name, x, width) => turned(w, "rect", name, { x, width, y: -200, height: 800 });
  const mix = (a, b, f) => a.map((v, i) => (v.length ? mix(v, b[i], f) : v + f * (b[i] - v)));
  const scaled = (w, by) => w.map((v) => v * by);

  function view(lab) {
    const { mode } = lab.state;
    const plane = field(lab, mode === "classes" ? { labels: [0, 1, 2], names: CLASSES } : {});
    const who = { margin: "MarginPerceptron", hand: "Learner" }[mode] ?? "Perceptron";
    set(plane.svg, { style: colour(who) });
    const path = (points) =>
      `M${points.map((v) => plane.at(v).map((c) => c.toFixed(1))).join("L")}`;
    const arrow = (w, name) => {
      const far = 155 * lengthOf(w);
      const [x, y] = plane.at(scaled(w, 1 + 14 / Math.max(far, 1)));
      const tip = `M${200 + far},200l-11,4.6v-9.2Z`;
      return [
        turned(w, "line", "olc-now", { x1: 200, x2: 200 + far, y1: 200, y2: 200 }),
        turned(w, "path", "olc-tip", { d: tip }),
        { tag: "text", class: "olc-label", text: name, x: x - 4, y: y + 4 },
      ];
    };
    // Where each of three vectors scores most.
    const wedges = (w) => {
      const parts = ["", "", ""];
      for (let degrees = 0; degrees < 360; degrees += 2) {
        const scores = w.map((v) => dot(v, direction(degrees + 1)));
        const [best, next] = scores.toSorted((a, b) => b - a);
        const corners = [0, 2].map((d) => scaled(direction(degrees + d), 3));
        if (best > next) parts[scores.indexOf(best)] += `${path([[0, 0], ...corners])}Z`;
      }
      return parts.map((d, j) => ({ tag: "path", class: `olc-wedge${j}`, d }));
    };
    function lines({ step, steps, gamma, u, w: here, own, at: n, means }) {
      const f = lab.fraction;
      const w = step ? mix(step.before, step.after, f) : here;
      const vectors = steps.flatMap((s) => (mode === "classes" ? s.after : [s.after]));
      const longest = Math.max(1e-9, ...vectors.map(lengthOf));
      const scale = mode === "hand" ? 1.05 : Math.min(1, 1.1 / longest);
      if (mode === "classes" && !step) return [];
      if (mode === "classes")
        return [...wedges(w), ...w.flatMap((v, j) => arrow(scaled(v, scale), `w${"●□△"[j]}`))];
      const trail = [[0, 0], ...steps.slice(0, n).map((s) => s.after)].slice(-60);
      const drawn = lengthOf(w) > 0;
      const street = (v, half) => band(v, "olc-street", 200 - 155 * half, 310 * half);
      const yours = mode === "hand" || mode === "margin"; // whose street is shown
      const adds = step && path([step.before, step.after].map((v) => scaled(v, scale)));
      return [
        yours ? own > 0 && f === 1 && street(w, own) : gamma && street(u, gamma),
        mode !== "hand" && gamma && turned(u, "line", "olc-target", across),
        drawn && band(w, "olc-side", 200, 400),
        { tag: "path", class: "olc-trail", d: path(trail.map((v) => scaled(v, scale))) },
        drawn && turned(w, "line", "olc-now", across),
        f < 1 && step && { tag: "path", class: "olc-adds", d: adds },
        ...(drawn ? arrow(scaled(w, scale), "w") : []),
        n && means && turned(means[n - 1], "line", "olc-mean", across),
      ];
    }
    const ringed =
      ({ step, gamma, own, u, X, y }) =>
      (i) => {
        const best = mode === "hand" && gamma && own > 0.98 * gamma;
        if (best && y[i] * dot(u, X[i]) < 1.01 * gamma) return "it holds the street";
        return step?.i === i ? "it was just misjudged" : "";
      };
    const turn = (angle, tag) =>
      lab.change({ angle: (Math.round(10 * angle) / 10 + 720) % 360 }, tag);
    const grip = h("circle", { class: "olc-grip", r: 22, role: "slider" });
    set(grip, { "aria-label": "Turn the line", "aria-valuemin": 0, "aria-valuemax": 360 });
    handle(grip, plane.svg, {
      move: (place, grab) => turn(Math.atan2(...plane.to(place).reverse()) * RIGHT, grab),
      key: ({ by }) => by && turn(lab.state.angle + 4 * (by[1] - by[0]), "keys"),
    });
    if (mode === "hand") plane.over.append(grip);
    const plots = (PLOTS[mode] ?? [squeeze]).map(([draw, height, label]) =>
      chart({ height, label, draw: (plot) => draw(plot, { ...lab.game, who }) }),
    );
    const next = ({ at: n, noun }) => `${n ? "Next" : "First"} ${noun}`;
    const steps = mode !== "hand" && player(lab, { noun: lab.game.noun, next });
    return {
      panels: [plane.svg, h("div", { class: "olc-plots" }, ...plots.map((plot) => plot.svg))],
      controls: [
        steps || slider(lab, "angle", { name: "direction", max: 360, step: 0.5 }),
        mode === "margin" ? slider(lab, "tau", { name: "τ", max: 3, step: 0.1 }) : [],
        plane.add,
      ],
      draw(game) {
        const [cx, cy] = mode === "hand" ? plane.at(scaled(game.w, 1.05)) : [];
        const { angle } = game.state;
        set(grip, { cx, cy, "aria-valuenow": angle, "aria-valuetext": `${num(angle)} degrees` });
        join(plane.under, lines(game));
        plane.draw(game.state.points, ringed(game));
        if (lab.fraction === 0 || lab.fraction === 1) for (const plot of plots) plot.redraw();
      },
    };
  }
  olcLab.define("plane", { game, says, reached, view });
})();
