// Thousands of experts with a hidden panel, and a race on them: a part that several labs share.
(() => {
  const { fsum, softmax, tanhLink, pLink, weigh } = olcLearners;

  // Random words of 32 bits, the same as olc_book.labs.words (xorshift32).
  function words(seed) {
    let state = (Math.imul(seed, 2654435761) | 1) >>> 0;
    const next = () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      state >>>= 0;
      return state;
    };
    for (let i = 0; i < 8; i++) next();
    return next;
  }
  // Experts that toss coins, and a hidden panel of k (odd) that is always right.
  function panel(n, k, rounds, seed) {
    const next = words(seed);
    const members = new Set();
    while (members.size < k) members.add(next() % n);
    const X = new Int8Array(n * rounds);
    const y = new Int8Array(rounds);
    for (let at = 0; at < X.length; ) {
      let word = next();
      for (let j = 0; j < 32 && at < X.length; j++, word >>>= 1) X[at++] = (word & 1) * 2 - 1;
    }
    for (let t = 0; t < rounds; t++) {
      let vote = 0;
      for (const i of members) vote += X[t * n + i];
      y[t] = Math.sign(vote);
    }
    return { X, y, n, rounds, members: [...members].sort((a, b) => a - b) };
  }
  // The mistake rounds on such a panel. States are whole numbers, and equal ones have equal weights:
  // `link(values, many)` gives those of the values, which occur so often; without one, w is s.
  function race({ X, y, n, rounds }, link) {
    const s = new Int16Array(n);
    const mistakes = [];
    let low = 0;
    let votes = new Int32Array(1);
    let weights = link ? link([0], [n]).map(weigh) : [];
    for (let t = 0, at = 0; t < rounds; t++, at += n) {
      let score = 0;
      if (link) {
        votes.fill(0);
        for (let i = 0; i < n; i++) votes[s[i] - low] += X[at + i];
        score = fsum(weights.map((w, j) => w * votes[j]));
      } else for (let i = 0; i < n; i++) score += s[i] * X[at + i];
      if (Math.sign(score) === y[t]) continue;
      mistakes.push(t);
      low = Infinity;
      let high = -Infinity;
      for (let i = 0; i < n; i++) {
        s[i] += y[t] * X[at + i];
        if (s[i] < low) low = s[i];
        if (s[i] > high) high = s[i];
      }
      if (!link) continue;
      const many = Array(high - low + 1).fill(0);
      for (let i = 0; i < n; i++) many[s[i] - low] += 1;
      votes = new Int32Array(many.length);
      const values = many.map((_, j) => j + low);
      weights = link(values, many).map(weigh);
    }
    return mistakes;
  }
  const times = (eta, values) => values.map((v) => eta * v);
  const links = {
    normalized: (eta) => (values, many) => softmax(times(eta, values), many),
    balanced: (eta) => (values, many) => tanhLink(times(eta, values), many),
    pNorm: (p) => (values, many) => pLink(values, p, many),
  };

  Object.assign(olcLearners, { words, panel, race, links });
})();
