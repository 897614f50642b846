// The forecast: say a number every day, as gradient descent and Vovk, Azoury and Warmuth do (20).
(() => {
  const { words } = olcLearners;
  const { button, chart, colour, h, handle, join, num, set, slider } = olcLab;
  const [DAYS, NOISE] = [15, 0.3];
  const clip = (v) => Math.max(-1, Math.min(1, v));
  const RIVALS = { descent: "GradientDescent", vaw: "VovkAzouryWarmuth", own: "Learner" };

  function daysOf(seed) {
    const next = words(seed);
    const number = () => (2 * next()) / 2 ** 32 - 1;
    const slope = number();
    return Array.from({ length: DAYS }, () => {
      const x = number();
      return { x, y: clip(slope * x + NOISE * number()) };
    });
  }
  function game(state) {
    const { said, eta, seed } = state;
    const days = daysOf(seed);
    let [w, A, b, squares, largest] = [0, 1, 0, 0, 0];
    const at = { own: 0, descent: 0, vaw: 0, bound: 0 };
    const past = [{ ...at }];
    for (const [t, own] of said.entries()) {
      const { x, y } = days[t];
      const miss = y - w * x;
      at.own += (y - own) ** 2;
      at.descent += miss ** 2;
      w += eta * miss * x;
      A += x * x;
      at.vaw += (y - (b / A) * x) ** 2;
      b += y * x;
      squares += y * y;
      largest = Math.max(largest, Math.abs(y));
      at.bound = squares - (b * b) / A + largest ** 2 * Math.log(A); // Lᵤ + a‖u‖² + Y² ln det
      past.push({ ...at });
    }
    return { ...at, state, days, past, t: said.length, w, ridge: b / A };
  }
  function says({ t, own, descent, vaw, bound, days, state }) {
    const last = t ? `Day ${t}: you said ${num(state.said[t - 1], 2)}, it was ${num(days[t - 1].y, 2)}. ` : "";
    const lost = `You have lost ${num(own)}, gradient descent ${num(descent)}`;
    const all = `${last}${lost} and VAW ${num(vaw)} of at most ${num(bound)}.`;
    return t === DAYS ? all : `${all} Tomorrow's reading is ${num(days[t].x, 2)}: move your point.`;
  }
  const reached = ({ t, own, vaw }) =>
    t === DAYS && own < vaw
      ? `You lost ${num(own)}, and VAW ${num(vaw)}: luck, or a good eye.`
      : "";

  function draw(plot, { past, t }) {
    const top = Math.max(0.5, ...past.map((p) => Math.max(p.own, p.vaw, p.bound)));
    plot.range([0, DAYS + 5], [0, 1.15 * top], ["days", "total loss"], [0, 5, 10, DAYS]);
    const along = (key) => plot.line(past.map((p, i) => [i, Math.min(1.15 * top, p[key])]));
    plot.paths([
      ["olc-bound", along("bound")],
      ...Object.entries(RIVALS).map(([key, who]) => ["olc-line", along(key), who]),
    ]);
    const ends = { bound: "bound of VAW", own: "you", descent: "descent", vaw: "VAW" };
    const sorted = Object.entries(ends).toSorted((a, b) => past[t][b[0]] - past[t][a[0]]);
    const above = (i) => 0.085 * (3.5 - i) * top; // the axis, even if all are near 0
    const label = ([key, name], i) => {
      const up = Math.max(above(i), Math.min(1.1 * top, past[t][key]));
      return [name, [t, up], "e", RIVALS[key]];
    };
    plot.labels(sorted.map(label));
  }
  function view(lab) {
    const [marks, grip] = [h("g"), h("g", { class: "olc-grip" })];
    const given = { class: "olc-voters", viewBox: "0 0 400 260", role: "group" };
    const label = "All days so far: the reading to the right, the outcome upwards";
    const svg = h("svg", { ...given, "aria-label": label, style: colour("Learner") }, marks, grip);
    const at = ({ x, y }) => [200 + 180 * x, 130 - 115 * y];
    const say = (v, tag) => lab.change({ now: Math.round(100 * clip(v)) / 100 }, tag);
    grip.append(h("circle", { class: "olc-hit", r: 20 }), h("circle", { class: "olc-disc", r: 8 }));
    handle(grip, svg, {
      move: ([, y], tag) => say((130 - y) / 115, tag),
      key({ by, name }) {
        if (by?.[1]) return say(lab.state.now + by[1] / 20, "keys");
        if (name !== " " && name !== "Enter") return false;
        step.click();
        return true;
      },
    });
    set(grip, { role: "slider", "aria-valuemin": -1, "aria-valuemax": 1, class: "olc-voter" });
    const forward = () => lab.change({ said: [...lab.state.said, lab.state.now] });
    const step = button("Say it", forward, { class: "olc-main" });
    const other = () => lab.change({ seed: (lab.state.seed % 9999) + 1, said: [0, 0] });
    const eta = slider(lab, "eta", { name: "η of descent", min: 0.05, max: 1.9, step: 0.05 });
    const plot = chart({ lab, height: 250, label: "The total losses", draw, beside: true });
    return {
      panels: [svg, plot.svg],
      controls: [step, button("Other days", other), eta],
      draw({ state, days, t, w, ridge }) {
        const over = t === DAYS;
        const { x } = days[Math.min(t, DAYS - 1)];
        const axis = (x1, y1, x2, y2) => ({ tag: "line", class: "olc-axis", x1, y1, x2, y2 });
        const ends = (slope) => [-1, 1].map((v) => at({ x: v, y: slope * v }).join()).join("L");
        const rule = (slope, key) => ({
          ...{ tag: "path", class: "olc-rival", d: `M${ends(slope)}` },
          style: `--c:var(--olc-${RIVALS[key]})`,
        });
        const point = ({ x, y }) => {
          const [cx, cy] = at({ x, y });
          return { tag: "circle", class: "olc-seen", r: 4, cx, cy };
        };
        const [across] = at({ x, y: 0 });
        join(marks, [
          axis(0, 130, 400, 130),
          axis(200, 10, 200, 250),
          !over && { ...axis(across, 15, across, 245), class: "olc-axis olc-today" },
          ...days.slice(0, t).map(point),
          over && rule(w, "descent"),
          over && rule(ridge, "vaw"),
        ]);
        const shown = `Your forecast for a reading of ${num(x, 2)}`;
        const place = `transform:translate(${at({ x, y: state.now }).map((v) => `${v}px`)})`;
        set(grip, { "aria-label": shown, "aria-valuenow": state.now, style: place });
        set(step, { text: over ? "Over" : `Say ${num(state.now, 2)}`, "aria-disabled": over });
      },
    };
  }
  olcLab.define("forecast", { game, says, reached, view });
})();
