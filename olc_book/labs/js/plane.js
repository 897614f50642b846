// The plane: lay out points, and see every mistake turn the line. Six modes, a chapter each:
// hand (4), perceptron (5), flip (6), margin (14), average (15), classes (17).
(() => {
  const { bounds, classifier, dot, hull, learner, margin } = olcLearners;
  const { END, chart, field, h, handle, join, list, num, player, plural, set, slider, whole } =
    olcLab;
  const { within } = olcLab;
  const ROUNDS = { flip: 600, average: 180 }; // a game is over when nothing has changed in a pass
  const NAMES = { classes: ["circle", "square", "triangle"] };
  const WHO = { margin: "MarginPerceptron" };

  // --- the game -------------------------------------------------------------------------------

  // The largest margin: of a line, or of three vectors for three classes.
  function separator({ mode, points }) {
    const X = points.map((p) => p.slice(0, 2));
    const y = points.map((p) => p[2]);
    if (mode !== "classes") return { X, y, ...margin(X, y) };
    const z = points.flatMap(([a, b, label]) =>
      [0, 1, 2]
        .filter((j) => j !== label)
        .map((j) =>
          [0, 1, 2].flatMap((k) => {
            const sign = (k === label) - (k === j);
            return [sign * a, sign * b];
          }),
        ),
    );
    const found = hull(
      z.map((one) => z.map((other) => one.reduce((sum, v, i) => sum + v * other[i], 0))),
    );
    const u = z[0].map((_, i) => z.reduce((sum, one, j) => sum + found.a[j] * one[i], 0));
    const size = Math.hypot(...u) || 1;
    return { X, y, gamma: found.gamma, u: u.map((v) => v / size) };
  }
  // Pass after pass until one changes nothing, or for so many rounds.
  function rounds({ mode, points, tau }, X, y) {
    const thick = mode === "margin";
    const name = thick ? "MarginPerceptron" : "Perceptron";
    const self = mode === "classes" ? classifier(2, 3) : learner(name, { n: 2, thickness: tau });
    const most = ROUNDS[mode] ?? 2000;
    const steps = [];
    let quiet = 0;
    let t = 0;
    for (; t < most && (quiet < points.length || mode === "average"); t++) {
      const i = t % points.length;
      const before = self.weights;
      const round = self.learn(X[i], y[i]);
      quiet = round.wants ? 0 : quiet + 1;
      if (round.wants) steps.push({ t, i, before, after: self.weights, late: self.late, ...round });
    }
    return { steps, rounds: t, ended: quiet >= points.length };
  }
  const lengthOf = (w) => Math.hypot(...w.flat());
  const marginOf = (w, X, y) => Math.min(...X.map((x, t) => y[t] * dot(w, x))) / (lengthOf(w) || 1);
  const wrongs = (w, X, y) => X.filter((x, t) => y[t] * dot(w, x) <= 0).length;
  const TAUS = Array.from({ length: 31 }, (_, i) => i / 10);
  let kept = {};
  function heavy(state) {
    // what `at` and `angle` do not change
    const { mode, points, tau } = state;
    if (kept.mode === mode && kept.points === points && kept.tau === tau) return kept;
    const best = separator(state);
    const { X, y, u } = best;
    const gamma = best.gamma > 1e-9 ? best.gamma : 0;
    const R = Math.max(0.01, ...X.map((x) => Math.hypot(...x)));
    const thick = mode === "margin" ? tau : 0;
    const bound = !gamma
      ? Infinity
      : mode === "classes"
        ? bounds.multiclass(R, gamma)
        : bounds.perceptron(R, gamma, thick);
    const growth = mode === "classes" ? 2 * R * R : R * R + 2 * thick; // of ‖w‖² at an update
    const played = mode === "hand" ? { steps: [], rounds: 0 } : rounds(state, X, y);
    const same = mode === "margin" && kept.mode === mode && kept.points === points;
    const reach = (tau) => marginOf(rounds({ mode, points, tau }, X, y).steps.at(-1).after, X, y);
    const reached = same
      ? kept.reached
      : mode === "margin" && gamma
        ? TAUS.map((v) => [v, reach(v)])
        : [];
    kept = { mode, points, tau, X, y, gamma, u, R, bound, growth, reached, ...played };
    return kept;
  }
  function game(state) {
    const base = heavy(state);
    const { steps, X, y, mode } = base;
    const last = steps.length;
    const at = Math.min(state.at, last);
    const step = steps[at - 1];
    const self = { ...base, state, last, at, step, mistakes: steps.filter((s) => s.wrong).length };
    const turn = (state.angle * Math.PI) / 180;
    self.w = mode === "hand" ? [Math.cos(turn), Math.sin(turn)] : (step?.after ?? [0, 0]);
    if (mode === "classes") return self;
    self.own = marginOf(self.w, X, y);
    self.wrong = wrongs(self.w, X, y);
    if (mode !== "average") return self;
    self.lines = [
      [0, X.length, X.length],
      ...steps.map((s, i) => {
        const until = steps[i + 1]?.t ?? base.rounds; // the mean while this line lived
        const mean = s.after.map((v, j) => v - s.late[j] / until);
        return [i + 1, wrongs(s.after, X, y), wrongs(mean, X, y), mean, until];
      }),
    ];
    return self;
  }

  // --- words ----------------------------------------------------------------------------------

  const WORDS = {
    hand: {
      title: "Turn the line yourself",
      goal: "separate the points, then find the widest street.",
      question: "How many of the points decide how wide the street can be?",
      answers: ["all", "two", "one"],
      reply: (i) =>
        i === 1
          ? "Yes: two hold it, and the others could move."
          : "Try it: widen the street until nothing helps, and see which points hold it.",
    },
    perceptron: {
      title: "Turn the line with a mistake",
      goal: "make it err 15 times on points that a line separates.",
      question: "Half as wide a street: the bound on the mistakes…",
      answers: ["stays", "doubles", "grows fourfold"],
      reply: (i) =>
        i === 2
          ? "Yes: R²/γ². Narrow the grey street, and see."
          : "Try it: drag a point towards the dashed line, and watch R²/γ².",
    },
    flip: {
      title: "One label is wrong",
      goal: "wait for the end, or make one with a single click.",
      question: "No line separates these points. The length of w…",
      answers: ["grows without limit", "stays bounded", "shrinks to 0"],
      reply: (i) =>
        i === 1
          ? "Yes: every mistake turns w, and few make it longer."
          : "Play to the end, and look at the curve of ‖w‖.",
    },
    margin: {
      title: "A thicker separator",
      goal: "make its street at least 90 % as wide as the widest.",
      question: "However large τ is, the theorem guarantees a street of…",
      answers: ["the widest", "nearly half the widest", "any width"],
      reply: (i) =>
        i === 1
          ? "Yes: γτ/(R² + 2τ) tends to γ/2. What it reaches is often more."
          : "Move τ to the right, and follow the dashed curve.",
    },
    average: {
      title: "The last line and the mean of all",
      goal: "stop it where the last line misjudges three points more than the mean.",
      question: "One label is wrong. Whom does it hurt more?",
      answers: ["the last line", "the mean line", "both alike"],
      reply: (i) =>
        i
          ? "Play, and watch which line jumps."
          : "Yes: the last line jumps at every mistake, the mean hardly moves.",
    },
    classes: {
      title: "Three classes, three vectors",
      goal: "make it err 20 times on points that three vectors tell apart.",
      question: "A circle is taken for a square. The mistake moves…",
      answers: ["one vector", "two vectors", "all three"],
      reply: (i) =>
        i === 1
          ? "Yes: the circle's gains the point, the square's loses it."
          : "Take one step, and count the arrows that move.",
    },
  };
  const cap = (text) => text[0].toUpperCase() + text.slice(1);
  function facts({ mode, gamma, R, bound, state }) {
    if (!gamma)
      return mode === "average"
        ? ""
        : mode === "classes"
          ? "No three vectors tell these points apart: no margin, no bound."
          : "No line through the origin separates these points: no margin, no bound.";
    if (mode === "hand") return `The widest street reaches ${num(gamma, 2)}.`;
    const what = mode === "margin" ? "updates" : "mistakes";
    const least =
      mode === "margin"
        ? `; the final margin is at least ${num(bounds.finalMargin(R, gamma, state.tau), 2)}`
        : "";
    return `Radius ${num(R)}, margin ${num(gamma, 2)}: at most ${num(Math.floor(bound + 1e-9))} ${what}, whatever the order${least}.`;
  }
  function handSays({ own, wrong, X }) {
    if (wrong) return `Your line misjudges ${wrong} of ${plural(X.length, "point")}.`;
    return `All ${X.length} points are on their sides, and your street reaches ${num(own, 2)} to either side.`;
  }
  function says(g) {
    const { mode, steps, at, last, step, mistakes, ended } = g;
    if (mode === "hand") return `${handSays(g)} ${facts(g)}`;
    const noun = mode === "margin" ? "update" : "mistake";
    if (mode === "average" && at) {
      const [, own, mean] = g.lines[at];
      return `After ${plural(at, noun)} the last line misjudges ${plural(own, "point")} of ${g.X.length}, the mean line ${mean}.`;
    }
    let now = "It has not played yet.";
    if (at && at < last) {
      const point = `${cap(noun)} ${at}, in round ${step.t + 1}: point ${step.i + 1}`;
      const name = NAMES.classes[g.y[step.i]];
      const other = NAMES.classes[step.rival];
      const side = step.wrong ? "on the wrong side" : "too near the line";
      now =
        mode === "classes"
          ? `${point} is a ${name}; its vector is added to that of the ${name}s and taken from that of the ${other}s.`
          : `${point} is ${side}; ${g.y[step.i] > 0 ? "it" : "its negative"} is added to w.`;
    } else if (at && ended) {
      const updates = mode === "margin" ? ` and ${plural(last, noun)}` : "";
      now = `It made ${plural(mistakes, "mistake")}${updates} and then none: every point is on its side.`;
      if (mode === "margin")
        now = `It made ${plural(mistakes, "mistake")}${updates}, and reached a margin of ${num(g.own, 2)}.`;
    } else if (at)
      now = `${plural(mistakes, "mistake")} in ${g.rounds} rounds and no end; yet ‖w‖ stays below ${num(Math.max(...steps.map((s) => lengthOf(s.after))) * 1.005)}.`;
    return `${now} ${facts(g)}`.trim();
  }
  function reached(g) {
    const { mode, gamma, own, at, last, mistakes, ended } = g;
    const over = at > 0 && at === last;
    if (mode === "hand")
      return gamma && own >= 0.98 * gamma ? "No street is wider: the ringed points hold it." : "";
    if (mode === "average")
      return at && g.lines[at][1] >= g.lines[at][2] + 3
        ? `The last line misjudges ${g.lines[at][1]}, the mean ${g.lines[at][2]}: a jump, averaged.`
        : "";
    if (!gamma || !over) return "";
    if (mode === "margin")
      return ended && own >= 0.9 * gamma
        ? `${num((100 * own) / gamma, 2)} % of the widest; the theorem promises less than half.`
        : "";
    if (mode === "flip")
      return ended
        ? `It stops after ${plural(mistakes, "mistake")}: now a line separates the points.`
        : "";
    const enough = mode === "classes" ? 20 : 15;
    return mistakes >= enough
      ? `${mistakes} mistakes, with a margin of ${num(gamma, 2)}: only a thin street allows that.`
      : "";
  }
  // The cell that plays what the page shows.
  function python(g) {
    const { mode, state, at, last, step } = g;
    const until =
      mode === "average" && at ? g.lines[at][4] : at && at < last ? step.t + 1 : g.rounds;
    const learners = {
      margin: `olc.MarginPerceptron(2, thickness=${state.tau})`,
      average: "olc.AveragedPerceptron(2)",
      classes: "olc.ConstraintClassifier(olc.Perceptron(2), classes=3)",
    };
    const lines = ["import numpy as np", "import olc", ""];
    lines.push(
      `points = np.array(${JSON.stringify(g.X)})`,
      `labels = np.array(${JSON.stringify(g.y)})`,
    );
    if (mode === "hand")
      lines.push(
        `angle = np.radians(${state.angle})`,
        "w = [np.cos(angle), np.sin(angle)]",
        'print("margin", olc.geometry.margin(w, points, labels))',
      );
    else {
      lines.push(
        `turns = np.arange(${until}) % len(points)`,
        `learner = ${learners[mode] ?? "olc.Perceptron(2)"}`,
      );
      const play = mode === "classes" ? "olc.multiclass.play" : "olc.play";
      lines.push(
        `trace = ${play}(learner, points[turns], labels[turns])`,
        "print(trace)",
        'print("updates", len(trace.update_rounds))',
      );
    }
    if (mode === "average")
      for (const name of ["weights", "average"])
        lines.push(`print("misjudged by ${name}", sum(labels * (points @ learner.${name}) <= 0))`);
    if (mode === "margin" && at === last && last)
      lines.push('print("margin", olc.geometry.margin(learner.weights, points, labels))');
    if (!g.gamma || mode === "classes") return lines.join("\n");
    lines.push(
      "radius = olc.geometry.radius(points)",
      "gamma, u = olc.geometry.maximal_margin(points, labels)",
    );
    lines.push('print("largest margin", gamma)');
    const bound =
      mode === "margin"
        ? `olc.margin_perceptron.mistake_bound(radius, gamma, ${state.tau})`
        : "olc.perceptron.mistake_bound(radius, gamma)";
    if (mode !== "hand" && (mode !== "margin" || state.tau > 0))
      lines.push(`print("bound", ${bound})`);
    return lines.join("\n");
  }

  // --- the pictures ---------------------------------------------------------------------------

  function view(lab) {
    const { mode } = lab.state;
    const many = mode === "classes";
    const plane = field(lab, many ? { labels: [0, 1, 2], names: NAMES.classes } : {});
    const { px, py } = plane;
    const who = WHO[mode] ?? (mode === "hand" ? "Learner" : "Perceptron");
    set(plane.svg, { style: `--c:var(--olc-${who})` });
    const at = ([a, b]) => `${px(a).toFixed(1)},${py(b).toFixed(1)}`;
    const poly = (corners) => corners.map(at).join(" ");
    const across = ([a, b], far = 2) => {
      const size = Math.hypot(a, b);
      const [c, d] = [(-b / size) * far, (a / size) * far];
      return { x1: px(c), y1: py(d), x2: px(-c), y2: py(-d) };
    };
    const segment = (a, b) => ({ x1: px(a[0]), y1: py(a[1]), x2: px(b[0]), y2: py(b[1]) });
    const arrow = (key, [a, b], name) => {
      const size = Math.hypot(a, b) || 1;
      const [e, f] = [a / size, b / size];
      const wing = (side) => [a - 0.07 * e + side * 0.03 * f, b - 0.07 * f - side * 0.03 * e];
      return [
        { key, tag: "line", class: "olc-now", ...segment([0, 0], [a, b]) },
        {
          key: `${key} head`,
          tag: "polygon",
          class: "olc-tip",
          points: poly([[a, b], wing(1), wing(-1)]),
        },
        {
          key: `${key} name`,
          tag: "text",
          class: "olc-label",
          text: name,
          x: px(a + 0.09 * e) - 4,
          y: py(b + 0.09 * f) + 4,
        },
      ];
    };
    const street = ([a, b], half) =>
      poly(
        [
          [2, half],
          [-2, half],
          [-2, -half],
          [2, -half],
        ].map(([s, d]) => [-b * s + a * d, a * s + b * d]),
      );
    // The half of the picture to which w points, or the part in which each of three scores most.
    const side = ([a, b]) =>
      poly(
        [
          [-b, a],
          [2 * a - b, 2 * b + a],
          [2 * a + b, 2 * b - a],
          [b, -a],
        ].map(([c, d]) => {
          const size = Math.hypot(a, b) / 2;
          return [c / size, d / size];
        }),
      );
    function wedges(w) {
      const parts = ["", "", ""];
      const rim = (i) => [3 * Math.cos((i * Math.PI) / 90), 3 * Math.sin((i * Math.PI) / 90)];
      for (let i = 0; i < 180; i++) {
        const scores = w.map((v) => dot(v, rim(i + 0.5)));
        const best = Math.max(...scores);
        if (scores.filter((s) => s === best).length === 1)
          parts[scores.indexOf(best)] += `M${at([0, 0])}L${at(rim(i))}L${at(rim(i + 1))}Z`;
      }
      return parts.map((d, j) => ({ key: `wedge ${j}`, tag: "path", class: `olc-wedge${j}`, d }));
    }
    const mix = (a, b, f) =>
      a.map((v, i) => (Array.isArray(v) ? mix(v, b[i], f) : v + f * (b[i] - v)));
    const ringed = (g) => (i) => {
      if (mode === "hand")
        return g.gamma && g.own > 0.98 * g.gamma && g.y[i] * dot(g.u, g.X[i]) < g.gamma * 1.01
          ? "it holds the street"
          : "";
      return g.step?.i === i ? "it was just misjudged" : "";
    };
    function drawPlane(g) {
      const { step, steps, gamma, u } = g;
      const f = lab.fraction;
      const w = step ? mix(step.before, step.after, f) : g.w;
      const longest = Math.max(
        1e-9,
        ...steps.flatMap((s) => (many ? s.after : [s.after])).map(lengthOf),
      );
      const scale = mode === "hand" ? 1.05 : Math.min(1, 1.1 / longest);
      const lines = [];
      const line = (key, a, name) => lines.push({ key, tag: "line", class: name, ...across(a) });
      const shape = (key, name, points) =>
        lines.unshift({ key, tag: "polygon", class: name, points });
      if (many) {
        if (step)
          lines.push(
            ...wedges(w),
            ...w.flatMap((v, j) =>
              arrow(
                `w${j}`,
                v.map((c) => c * scale),
                `w${"●□△"[j]}`,
              ),
            ),
          );
      } else {
        if (mode === "hand" && g.own > 0) shape("street", "olc-street", street(g.w, g.own));
        else if (mode !== "hand" && gamma > 0) {
          shape("street", "olc-street", street(u, gamma));
          line("target", u, "olc-target");
        }
        if (mode === "margin" && g.own > 0)
          for (const s of [-1, 1]) {
            const { x1, y1, x2, y2 } = across(w);
            const [dx, dy] = [
              155 * s * g.own * (w[0] / lengthOf(w)),
              -155 * s * g.own * (w[1] / lengthOf(w)),
            ];
            lines.push({
              key: `edge ${s}`,
              tag: "line",
              class: "olc-edge",
              x1: x1 + dx,
              y1: y1 + dy,
              x2: x2 + dx,
              y2: y2 + dy,
            });
          }
        const path = [[0, 0], ...steps.slice(0, g.at).map((s) => s.after)].slice(-60);
        lines.push({
          key: "trail",
          tag: "path",
          class: "olc-trail",
          d: `M${path.map((v) => at(v.map((c) => c * scale))).join("L")}`,
        });
        const mean = g.lines?.[g.at][3];
        if (lengthOf(w)) {
          shape("side", "olc-side", side(w));
          line("line", w, "olc-now");
          if (step && f < 1)
            lines.push({
              key: "adds",
              tag: "line",
              class: "olc-adds",
              ...segment(...[step.before, step.after].map((v) => v.map((c) => c * scale))),
            });
          lines.push(
            ...arrow(
              "w",
              w.map((c) => c * scale),
              "w",
            ),
          );
        }
        if (mean) line("mean", mean, "olc-mean");
      }
      join(plane.under, lines);
      plane.draw(lab.state.points, ringed(g));
    }
    if (mode === "hand") {
      const grip = h("circle", {
        class: "olc-grip",
        r: 22,
        role: "slider",
        "aria-label": "Turn the line: arrow keys",
        "aria-valuemin": 0,
        "aria-valuemax": 360,
      });
      const turn = (angle, tag) =>
        lab.change({ angle: Math.round((((angle % 360) + 360) % 360) * 10) / 10 }, tag);
      grip.addEventListener("touchstart", (e) => e.preventDefault(), { passive: false });
      handle(grip, plane.svg, {
        move: (place) => turn((Math.atan2(...plane.to(place).reverse()) * 180) / Math.PI, "turn"),
        key: ({ by }) => {
          if (by) turn(lab.state.angle + 4 * (by[1] - by[0]), "keys");
          return Boolean(by);
        },
      });
      plane.over.append(grip);
      lab.follow(({ w, state }) =>
        set(grip, {
          cx: px(1.05 * w[0]),
          cy: py(1.05 * w[1]),
          "aria-valuenow": state.angle,
          "aria-valuetext": `${num(state.angle)} degrees`,
        }),
      );
    }

    // Mγ ≤ ⟨u, w⟩ ≤ ‖w‖ ≤ R√M, which cross at the bound.
    function drawSqueeze(plot) {
      const { steps, gamma, u, bound, growth, at: n } = lab.game;
      const M = Math.max(8, Math.min(80, Number.isFinite(bound) ? Math.ceil(bound * 1.15) : 60));
      const top = Math.sqrt(growth * M) * 1.12;
      const to = gamma ? Math.min(M, top / gamma) : 0;
      const over = (m) => Math.sqrt(growth * m);
      plot.range([0, M], [0, top], [mode === "margin" ? "updates" : "mistakes M", "length"]);
      const seen = steps
        .slice(0, Math.min(n, M))
        .map((s, i) => [
          i + 1,
          lengthOf(s.after),
          gamma && u.reduce((sum, v, j) => sum + v * s.after.flat()[j], 0),
        ]);
      const [m, size, along] = seen.at(-1) ?? [0, 0, 0];
      const crossed = gamma > 0 && bound < M;
      const end = Math.min(M, top / gamma);
      const never =
        crossed &&
        `${plot.curve(over, bound, M)}L${plot
          .line([
            [end, gamma * end],
            [bound, gamma * bound],
          ])
          .slice(1)}Z`;
      const R = { margin: "√(M(R² + 2τ))", classes: "R√2M" }[mode] ?? "R√M";
      const R2 = { margin: "(R² + 2τ)/γ²", classes: "2R²/γ²" }[mode] ?? "R²/γ²";
      plot.paths([
        never && { key: "never", class: "olc-never", d: never },
        { key: "up", class: "olc-bound", d: plot.curve(over, 0, M) },
        gamma > 0 && {
          key: "low",
          class: "olc-bound",
          d: plot.line([
            [0, 0],
            [to, gamma * to],
          ]),
        },
        gamma > 0 && {
          key: "along",
          class: "olc-thin",
          who: "Halving",
          d: plot.line([[0, 0], ...seen.map((p) => [p[0], p[2]])]),
        },
        { key: "w", who, d: plot.line([[0, 0], ...seen]) },
      ]);
      plot.labels([
        crossed && {
          key: "cross",
          x: plot.x(bound),
          y: plot.y(over(bound)) - 12,
          anchor: bound > M * 0.6 ? "end" : "middle",
          text: `${R2} = ${num(bound)}`,
        },
        { key: "up", x: plot.x(M * 0.3), y: plot.y(over(M * 0.3)) - 8, anchor: "end", text: R },
        gamma > 0 && {
          key: "low",
          x: plot.x(to * 0.62) + 8,
          y: plot.y(gamma * to * 0.62) + 14,
          text: "Mγ",
        },
        m > 0 && { key: "w", who, x: plot.x(m) + 7, y: plot.y(size) - 2, text: "‖w‖" },
        gamma > 0 &&
          m > 0 && {
            key: "along",
            who: "Halving",
            x: plot.x(m) + 7,
            y: plot.y(along) + 8,
            text: "⟨u, w⟩",
          },
      ]);
    }
    // The margin of a line in every direction: yours, and the largest.
    function drawDirections(plot) {
      const { X, y, gamma, own, R, state } = lab.game;
      const of = (degrees) => {
        const a = (degrees * Math.PI) / 180;
        return Math.max(-0.6 * R, marginOf([Math.cos(a), Math.sin(a)], X, y));
      };
      plot.range(
        [0, 360],
        [-0.6 * R, 0.6 * R],
        ["direction of w, in degrees", "least y⟨w, x⟩"],
        [0, 90, 180, 270, 360],
      );
      plot.paths([
        gamma > 0 && {
          key: "best",
          class: "olc-bound",
          d: plot.line([
            [0, gamma],
            [360, gamma],
          ]),
        },
        { key: "all", class: "olc-thin", d: plot.curve(of, 0, 360) },
        {
          key: "here",
          class: "olc-dot",
          d: plot.line([
            [state.angle, of(state.angle)],
            [state.angle + 0.01, of(state.angle)],
          ]),
        },
      ]);
      plot.labels([
        gamma > 0 && {
          key: "best",
          x: plot.width,
          anchor: "end",
          y: plot.y(gamma) - 6,
          text: `largest margin γ = ${num(gamma, 2)}`,
        },
        {
          key: "here",
          x: plot.x(state.angle) + 9,
          y: plot.y(of(state.angle)) - 6,
          text: `yours: ${num(own, 2)}`,
        },
      ]);
    }
    // The margin that is reached at every τ, and the one that is guaranteed.
    function drawReached(plot) {
      const { reached, gamma, R, own, at: n, last, state } = lab.game;
      const top = 1.15 * (gamma || 0.1);
      plot.range([0, 3], [0, top], ["thickness τ", "margin at the end"]);
      const promise = (tau) => bounds.finalMargin(R, gamma, tau);
      const over = n > 0 && n === last && own > 0;
      plot.paths(
        gamma
          ? [
              {
                key: "best",
                class: "olc-bound",
                d: plot.line([
                  [0, gamma],
                  [3, gamma],
                ]),
              },
              {
                key: "half",
                class: "olc-rule",
                d: plot.line([
                  [0, gamma / 2],
                  [3, gamma / 2],
                ]),
              },
              { key: "promise", class: "olc-bound", d: plot.curve(promise, 0, 3) },
              { key: "all", class: "olc-thin olc-faint", who, d: plot.line(reached) },
              over && {
                key: "own",
                class: "olc-dot",
                who,
                d: plot.line([
                  [state.tau, own],
                  [state.tau + 1e-4, own],
                ]),
              },
            ]
          : [],
      );
      plot.labels(
        gamma
          ? [
              {
                key: "best",
                x: plot.x(3),
                anchor: "end",
                y: plot.y(gamma) - 6,
                text: "γ, the widest",
              },
              { key: "half", x: plot.x(0) + 4, y: plot.y(gamma / 2) - 5, text: "γ/2" },
              {
                key: "promise",
                x: plot.x(3),
                anchor: "end",
                y: plot.y(promise(3)) + 16,
                text: "guaranteed",
              },
              over && {
                key: "own",
                who,
                x: plot.x(state.tau) + 9,
                y: plot.y(own) + 4,
                text: "reached",
              },
            ]
          : [],
      );
    }
    // How many points the last line misjudges, and the mean of all so far.
    function drawMisjudged(plot) {
      const { lines, at: n, X } = lab.game;
      plot.range(
        [0, Math.max(8, lines.length - 1)],
        [0, X.length],
        ["mistakes M", "points misjudged"],
      );
      const upTo = (k) => plot.stairs(lines.slice(1, n + 1).map((row) => [row[0], row[k]]));
      plot.paths([
        { key: "own", who, d: upTo(1) },
        { key: "mean", who: "AveragedPerceptron", d: upTo(2) },
      ]);
      const [m, own, mean] = lines[n];
      plot.labels(
        n
          ? [
              { key: "own", who, x: plot.x(m) + 7, y: plot.y(own), text: "last" },
              {
                key: "mean",
                who: "AveragedPerceptron",
                x: plot.x(m) + 7,
                y: plot.y(mean) + 4,
                text: "mean",
              },
            ]
          : [],
      );
    }
    const squeeze = {
      height: 300,
      draw: drawSqueeze,
      label: "The length of w between its bounds, against the number of mistakes",
    };
    const PLOTS = {
      hand: [
        { height: 300, draw: drawDirections, label: "The margin of a line in every direction" },
      ],
      margin: [
        {
          height: 190,
          draw: drawReached,
          label: "The margin reached and the margin guaranteed, against τ",
        },
        { ...squeeze, height: 200 },
      ],
      average: [
        {
          height: 300,
          draw: drawMisjudged,
          label: "Points misjudged by the last line and by the mean line",
        },
      ],
    };
    const plots = (PLOTS[mode] ?? [squeeze]).map(chart);
    const noun = mode === "margin" ? "update" : "mistake";
    const next = ({ at }) => `${at ? "Next" : "First"} ${noun}`;
    const play =
      mode === "hand"
        ? [slider(lab, "angle", { name: "direction", max: 360, step: 0.5 })]
        : player(lab, { noun, next });
    const tau = mode === "margin" && slider(lab, "tau", { name: "τ", max: 3, step: 0.1 });
    return {
      panels: [
        plane.svg,
        h(
          "div",
          { class: "olc-plots" },
          plots.map((plot) => plot.svg),
        ),
      ],
      controls: [play, tau || [], plane.add],
      draw(g) {
        drawPlane(g);
        if (lab.fraction === 1 || lab.fraction === 0) for (const plot of plots) plot.redraw();
      },
    };
  }

  const coordinate = within(-1.25, 1.25);
  const point = (p, { mode }) =>
    Array.isArray(p) &&
    p.length === 3 &&
    p.slice(0, 2).every(coordinate) &&
    (mode === "classes" ? [0, 1, 2] : [-1, 1]).includes(p[2]);
  const valid = {
    points: list(point, 1, 24),
    at: whole(0, END),
    tau: within(0, 3),
    angle: within(0, 360),
  };
  olcLab.define("plane", {
    valid,
    game,
    words: ({ mode }) => WORDS[mode],
    says,
    reached,
    python,
    view,
  });
})();
