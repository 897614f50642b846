// The learners of the book as its Python plays them: the same sums, the same rounding of weights,
// the same ties. tests/test_labs.py plays thousands of games on both sides.
(() => {
  // --- numbers ------------------------------------------------------------------------------

  // The sum, rounded once (Shewchuk), as math.fsum does: no order of the terms breaks a tie.
  function fsum(terms) {
    const parts = [];
    for (let x of terms) {
      let kept = 0;
      for (let y of parts) {
        if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
        const high = x + y;
        const low = y - (high - x);
        if (low) parts[kept++] = low;
        x = high;
      }
      parts.length = kept;
      parts.push(x);
    }
    let n = parts.length;
    let high = n ? parts[--n] : 0;
    let low = 0;
    while (n > 0 && !low) {
      const x = high;
      const y = parts[--n];
      high = x + y;
      low = y - (high - x);
    }
    if (n > 0 && low && low < 0 === parts[n - 1] < 0) {
      const y = low * 2; // halfway between two numbers: what is further down decides
      const x = high + y;
      if (y === x - high) high = x;
    }
    return high;
  }
  const dot = (a, b) => {
    if (a.length === 2) return a[0] * b[0] + a[1] * b[1]; // one sum is rounded once
    return fsum(a.map((v, i) => v * b[i]));
  };
  // The same without its care, in the order of the terms.
  const inner = (a, b) => a.reduce((total, v, i) => total + v * b[i], 0);
  // The sum in the order in which numpy takes up to 128 numbers.
  function sum(a) {
    if (a.length < 8) return a.reduce((total, v) => total + v, 0);
    const r = a.slice(0, 8);
    const whole = a.length - (a.length % 8);
    for (let i = 8; i < whole; i++) r[i % 8] += a[i];
    const total = r[0] + r[1] + (r[2] + r[3]) + (r[4] + r[5] + (r[6] + r[7]));
    return a.slice(whole).reduce((so, v) => so + v, total);
  }
  // To 32 binary digits, in which the powers of two processors agree (Linear.weigh).
  const weigh = (w) => {
    const top = w * (2 ** 21 + 1);
    return top - (top - w);
  };
  // Divided by their sum, from the first to the last; `many` says how often each occurs.
  function shares(w, many) {
    const total = w.reduce((so, v, i) => so + v * (many ? many[i] : 1), 0);
    return w.map((v) => v / total);
  }
  const logCosh2 = (v) => Math.abs(v) + Math.log1p(Math.exp(-2 * Math.abs(v))); // ln(eᵛ + e⁻ᵛ)
  // Shares in proportion to eᵛ.
  function softmax(logs, many) {
    let most = -Infinity;
    logs.forEach((v, i) => {
      if (v > most && (!many || many[i])) most = v;
    });
    const powers = logs.map((v, i) => (!many || many[i] ? Math.exp(v - most) : 0));
    return shares(powers, many);
  }
  function pLink(s, p, many) {
    const top = Math.max(...s.map((v, i) => (!many || many[i] ? Math.abs(v) : 0))) || 1;
    const powers = s.map((v, i) => (Math.abs(v) / top) ** p * (many ? many[i] : 1));
    const size = top * sum(powers) ** (1 / p) || 1;
    return s.map((v) => size * Math.sign(v) * (Math.abs(v) / size) ** (p - 1));
  }
  const tanhLink = (logs, many) => {
    const shares = softmax(logs.map(logCosh2), many);
    return logs.map((v, i) => Math.tanh(v) * shares[i]);
  };

  // --- learners -----------------------------------------------------------------------------

  const add = (s, x, y) => s.map((v, i) => v + y * x[i]);
  const reaches = (threshold) => (score) => (score >= threshold ? 1 : -1);
  const power = (alpha) => (count) => count.map((c) => alpha ** c);
  // What differs from the Perceptron; the others have defaults below.
  const kinds = {
    Perceptron: ({ rate = 1 }) => ({ step: (w, x, y) => w.map((v, i) => v + rate * y * x[i]) }),
    MarginPerceptron: ({ rate = 1, thickness }) => ({
      step: kinds.Perceptron({ rate }).step,
      wants: (score, y) => y * score <= thickness,
    }),
    Winnow: ({ n, alpha = 2, threshold = n }) => ({
      decide: reaches(threshold),
      step: add,
      link: power(alpha),
    }),
    WinnowR: ({ n, alpha = 2, threshold = n }) => ({
      decide: reaches(threshold),
      step: (c, x, y) => add(c, x, y).map((v) => Math.max(v, -1)),
      link: power(alpha),
    }),
    NormalizedWinnow: ({ eta }) => ({
      step: add,
      link: (s) => softmax(s.map((v) => eta * v)),
      weigh: (w) => shares(w.map(weigh)),
    }),
    BalancedWinnow: ({ eta }) => ({ step: add, link: (s) => tanhLink(s.map((v) => eta * v)) }),
    PNormPerceptron: ({ p }) => ({ step: add, link: (s) => pLink(s, p) }),
    WeightedMajority: ({ eta }) => ({
      step: (losses, x, y) => losses.map((v, i) => v + (x[i] !== y)),
      link(losses) {
        const best = Math.min(...losses); // in larger units whenever all would vanish
        const most = Math.max(1, Math.trunc(460 / Math.max(-Math.log1p(-eta), 1e-300)));
        return losses.map((v) => (1 - eta) ** (v - best + (best % most)));
      },
      score: (x, w) => sum(x.map((v, i) => v * w[i])) / sum(w),
      wants: () => true,
      chance: (score, y) => (1 - y * score) / 2, // of the randomised one's mistake
    }),
    Halving: () => ({
      start: (n) => Array(n).fill(1),
      step: (alive, x, y) => alive.map((v, i) => (v && x[i] === y ? 1 : 0)),
      wants: () => true,
    }),
  };
  kinds.RandomizedWeightedMajority = kinds.WeightedMajority;

  // A learner: `weights`, `state`, score(x), decide(score) and learn(x, y), which returns
  // {score, said, wrong, wants, chance}. `late` makes the average: weights - late / rounds.
  function learner(name, options) {
    const kind = {
      start: (n) => Array(n).fill(0),
      score: dot,
      decide: Math.sign,
      weigh: (w) => w.map(weigh),
      ...kinds[name](options),
    };
    const self = { name, rounds: 0, late: kind.start(options.n), decide: kind.decide };
    const { rate = 1 } = options;
    const move = (state) => {
      self.state = state;
      self.weights = kind.link ? kind.weigh(kind.link(state)) : state;
    };
    self.score = (x) => kind.score(x, self.weights);
    self.learn = (x, y) => {
      const score = self.score(x);
      const said = kind.decide(score);
      const wrong = said !== y;
      const wants = kind.wants ? kind.wants(score, y) : wrong;
      self.rounds += 1;
      if (wants) {
        move(kind.step(self.state, x, y));
        self.late = self.late.map((v, i) => v + self.rounds * rate * y * x[i]);
      }
      return { score, said, wrong, wants, chance: kind.chance?.(score, y) };
    };
    self.average = () => self.weights.map((v, i) => v - self.late[i] / Math.max(self.rounds, 1));
    move(kind.start(options.n));
    return self;
  }
  // ConstraintClassifier(Perceptron(n)): at a mistake the right class gains x, its rival loses it.
  function classifier(n, classes) {
    const self = { weights: Array.from({ length: classes }, () => Array(n).fill(0)) };
    self.scores = (x) => self.weights.map((w) => inner(w, x));
    self.learn = (x, y) => {
      const scores = self.scores(x);
      let rival = -1;
      scores.forEach((s, j) => {
        if (j !== y && (rival < 0 || s > scores[rival])) rival = j;
      });
      const wants = scores[y] - scores[rival] <= 0;
      const others = scores.filter((_, j) => j !== rival);
      const tie = scores[rival] === Math.max(...others); // nobody alone is the highest
      const said = wants ? (tie ? -1 : rival) : y;
      if (wants) self.weights = self.weights.map((w, j) => add(w, x, (j === y) - (j === rival)));
      return { scores, said, wrong: said !== y, wants, rival };
    };
    return self;
  }
  const kernels = {
    polynomial:
      ({ degree }) =>
      (a, b) =>
        (inner(a, b) + 1) ** degree,
    radial:
      ({ width }) =>
      (a, b) =>
        Math.exp(-0.5 * sum(a.map((v, i) => ((b[i] - v) / width) ** 2))),
  };
  function kernelPerceptron(kernel) {
    const self = { support: [], decide: Math.sign };
    self.score = (x) => self.support.reduce((total, s) => total + s.y * kernel(x, s.x), 0);
    self.learn = (x, y) => {
      const score = self.score(x);
      const said = Math.sign(score);
      if (said !== y) self.support = [...self.support, { x, y }];
      return { score, said, wrong: said !== y, wants: said !== y };
    };
    return self;
  }
  // All rounds of a game: what every learn returned.
  const play = (self, X, y) => X.map((x, t) => self.learn(x, y[t]));

  // --- margins and bounds -------------------------------------------------------------------

  // The largest margin of a line through 0, negative if none separates: two of the y·x decide it.
  function margin(X, y) {
    const rows = X.map(([a, b], t) => [y[t] * a, y[t] * b]);
    let best = { gamma: -Infinity, u: [1, 0] };
    const attempt = (a, b) => {
      const size = Math.hypot(a, b);
      if (size < 1e-9) return;
      const u = [a / size, b / size];
      const gamma = Math.min(...rows.map((r) => dot(r, u)));
      if (gamma > best.gamma) best = { gamma, u };
    };
    rows.forEach((a, i) => {
      attempt(...a);
      for (const b of rows.slice(i + 1)) {
        attempt(a[1] - b[1], b[0] - a[0]);
        attempt(b[1] - a[1], a[0] - b[0]);
      }
    });
    return best;
  }
  // Coefficients of the point nearest to 0 in the hull of vectors with these inner products, and
  // the margin of its direction (0: not separable, as far as `steps` steps can tell).
  function hull(products, steps = 4000) {
    const a = products.map((_, i) => (i ? 0 : 1));
    const scores = products.map((row) => row[0]);
    for (let step = 0; step < steps; step++) {
      let low = 0;
      let high = -1;
      scores.forEach((s, i) => {
        if (s < scores[low]) low = i;
        if (a[i] > 0 && (high < 0 || s > scores[high])) high = i;
      });
      const gap = scores[high] - scores[low];
      if (gap <= 1e-12 * products[high][high]) break;
      const curve = products[low][low] + products[high][high] - 2 * products[low][high];
      const by = Math.min(a[high], gap / curve);
      a[low] += by;
      a[high] -= by;
      scores.forEach((_, i) => {
        scores[i] += by * (products[i][low] - products[i][high]);
      });
    }
    const size = Math.sqrt(sum(a.map((v, i) => v * scores[i])));
    return { a, gamma: size > 1e-9 ? Math.max(0, Math.min(...scores) / size) : 0 };
  }

  const promotions = (n) => {
    let times = 0;
    while (2 ** times < n) times += 1;
    return times;
  };
  // By chapter, with the names of olc: a table that olc writes is compared with them.
  const bounds = {
    perceptron: (radius, gamma, tau = 0) => (radius ** 2 + 2 * tau) / gamma ** 2,
    finalMargin: (radius, gamma, tau) => (gamma * tau) / (radius ** 2 + 2 * tau),
    multiclass: (radius, gamma) => 2 * (radius / gamma) ** 2,
    halving: (n) => promotions(n + 1) - 1,
    weightedMajority: (n, best, eta) =>
      (Math.log(n) - best * Math.log1p(-eta)) / -Math.log1p(-eta / 2),
    randomized: (n, best, eta) => (Math.log(n) - best * Math.log1p(-eta)) / eta,
    winnow(n, k) {
      const each = promotions(n);
      const mass = 2 * (n - k + k * (each * n - 2 ** each + 1)) - n;
      return k * each + Math.max(0, each ? Math.ceil(mass / n) - 1 : Math.floor(mass / n));
    },
    winnowR: (n, additions, errors = 0) => 5 * (additions * (promotions(n) + 1) + errors) + 1,
    normalized: (n, gamma, eta, radius = 1) => {
      const drop = eta * gamma - (logCosh2(eta * radius) - Math.LN2);
      return drop > 0 ? Math.log(n) / drop : Infinity;
    },
    panel: {
      perceptron: (n, k) => n * k,
      normalized: (n, k) => 2 * k * k * Math.log(n),
      balanced: (n, k) => 2 * k * k * Math.log(2 * n),
      pNorm: (n, k, p) => (p - 1) * k * k * (n / k) ** (2 / p),
    },
  };

  globalThis.olcLearners = {
    ...{ fsum, dot, sum, shares, weigh, softmax, tanhLink, pLink },
    ...{ learner, classifier, kernels, kernelPerceptron, play, margin, hull, promotions, bounds },
  };
})();
