// The search: every section and every box that has all words of the query, the best first,
// with the place where they stand. searchindex.js holds [page, anchor, title, text] for each.
document.addEventListener("DOMContentLoaded", () => {
  const MOST = 40;
  // What other courses say, and what this one calls it.
  const CALLED = {
    "kernel trick": "kernel perceptron",
    "multi-armed bandit": "bandits",
    "multiarmed bandit": "bandits",
    "learning rate": "rate",
    "step size": "rate",
    "support vector machine": "largest margin",
    svm: "largest margin",
    "doubling trick": "doubling",
    hedge: "randomised weighted majority",
    "multiplicative weights": "weighted majority",
    "exponential weights": "weighted majority",
    "linear separability": "separable",
    "online gradient descent": "gradient descent",
    "concept drift": "drift",
    "weight decay": "regularisation",
    "zero-sum game": "minimax",
    "pac learning": "from mistakes to errors",
    glossary: "notation",
    symbols: "notation",
    colab: "run it yourself",
    multiclass: "several classes",
    xor: "exclusive or",
    overfitting: "regularisation",
    sgd: "gradient descent",
    ucb: "bandits",
    gamma: "margin",
    "proof of the perceptron": "perceptron convergence",
    "perceptron proof": "perceptron convergence",
  };
  // What a question is asked with says nothing of what it is about.
  const SMALL = /^(an?|and|are|can|do|does|for|how|i|in|is|it|needs?|of|the|to|what|when|which|why|with)$/;
  const escape = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // The beginning of a word will do, a plural finds the singular, and a z an s.
  const pattern = (word) => {
    if (/^\d/.test(word)) return new RegExp(`(?<![\\d.])${escape(word)}(?!\\d)`, "giu");
    const stem = escape(word.replace(/(?<=\w\w)e?s$/, "")).replace(/i[sz](?=e|a|i)/g, "i[sz]");
    return new RegExp(`(?<![\\p{L}\\p{N}])${stem}`, "giu");
  };

  let vocabulary; // how often each word of the book occurs
  const nearest = (word) => {
    if (!vocabulary) {
      vocabulary = new Map();
      for (const [, , title, text] of Search._index)
        for (const [one] of `${title} ${text}`.toLowerCase().matchAll(/\p{L}{4,}/gu))
          vocabulary.set(one, (vocabulary.get(one) ?? 0) + 1);
    }
    const near = [...vocabulary].filter(([one]) => oneApart(one, word));
    return near.sort(([, one], [, other]) => other - one)[0]?.[0];
  };
  const oneApart = (one, other) => {
    if (Math.abs(one.length - other.length) > 1) return false;
    let same = 0;
    while (same < one.length && one[same] === other[same]) same += 1;
    const rest = (word, skipped) => word.slice(same + skipped);
    const swapped = one[same] === other[same + 1] && one[same + 1] === other[same];
    return rest(one, 1) === rest(other, 1) || rest(one, 1) === rest(other, 0)
      || rest(one, 0) === rest(other, 1) || (swapped && rest(one, 2) === rest(other, 2));
  };

  const excerpt = (text, patterns) => {
    const first = patterns.map((word) => text.search(word)).filter((place) => place >= 0);
    const middle = first.length ? Math.min(...first) : 0;
    const begin = middle < 100 ? 0 : text.indexOf(" ", middle - 90) + 1;
    const end = text.lastIndexOf(" ", begin + 260);
    const said = end > begin + 150 ? text.slice(begin, end) : text.slice(begin, begin + 260);
    const line = document.createElement("p");
    line.className = "context";
    const starts = patterns.map((word) => word.source).join("|");
    const any = new RegExp(`((?:${starts})[\\p{L}\\p{N}]*)`, "giu");
    said.split(any).forEach((piece, place) => {
      if (place % 2 === 0) return line.append(piece);
      line.appendChild(document.createElement("mark")).textContent = piece;
    });
    line.prepend(begin ? "… " : "");
    line.append(begin + said.length < text.length ? " …" : "");
    return line;
  };

  // What is found, the best first, and in which other words it was looked for.
  Search.find = (query) => {
    const notes = [];
    let asked = query.toLowerCase().trim().replace(/\s+/g, " ");
    for (const [theirs, ours] of Object.entries(CALLED)) {
      if (!new RegExp(`\\b${theirs.replace("-", "[- ]")}s?\\b`).test(asked)) continue;
      asked = asked.replace(new RegExp(`\\b${theirs.replace("-", "[- ]")}s?\\b`), ours);
      notes.push(`“${theirs}” was looked for as “${ours}”`);
    }
    const everything = Search._index;
    const all = asked.match(/\d+(?:\.\d+)+|[\p{L}\p{N}_]+/gu) ?? [];
    const large = all.filter((word) => !SMALL.test(word));
    const words = (large.length ? large : all).map((word) => {
      const known = ([, , title, text]) => title.match(pattern(word)) || text.match(pattern(word));
      const other = /^\p{L}{4,}$/u.test(word) && !everything.some(known) && nearest(word);
      if (other) notes.push(`no section has “${word}”; “${other}” was looked for`);
      return other || word;
    });
    const patterns = words.map(pattern);
    const pages = Object.fromEntries(
      everything.filter(([, anchor]) => !anchor).map(([page, , title]) => [page, title]));
    const found = [];
    for (const [page, anchor, title, text] of words.length ? everything : []) {
      // The package has many names, and the chapters say what they mean.
      const weight = /\/(api|errata|sources|bibliography|notation)/.test(page) ? 4 : 12;
      const scores = patterns.map((word) =>
        Math.min((text.match(word) ?? []).length, 4)
        + (title.match(word) ? weight : 0) + (pages[page].match(word) ? weight / 4 : 0));
      const missing = scores.filter((score) => !score).length;
      if (missing === words.length) continue;
      const described = page.includes("/api/");
      const name = described ? `${pages[page]}.${title}` : title; // olc.winnow.proof
      const bare = name.toLowerCase().replace(/^the /, "");
      const had = words.filter((_, place) => scores[place]).join(" ");
      const asks = bare === had || name.toLowerCase() === asked;
      const exact = asks ? 30 : words.includes(bare) ? 3 : 0; // a name among other words
      // A chapter about all of the words comes before those that mention them.
      const whole = !anchor && !described && patterns.every((word) => title.match(word));
      const about = whole ? 2 * weight : 0;
      const score = scores.reduce((sum, one) => sum + one, exact + about);
      found.push({ missing, score, page, anchor, title, text, of: pages[page] });
    }
    // If no section has all of the words, those that have the most of them may do.
    const least = Math.min(...found.map(({ missing }) => missing));
    const best = found.filter(({ missing }) => missing === least);
    best.sort((one, other) => other.score - one.score); // of equals the first of the book
    return { found: best, notes, words, patterns, missing: best.length ? least : 0 };
  };

  Search.query = (query) => {
    const { found, notes, words, patterns, missing } = Search.find(query);
    for (const { page, anchor, title, text, of } of found.slice(0, MOST)) {
      const item = Search.output.appendChild(document.createElement("li"));
      const link = item.appendChild(document.createElement("a"));
      link.href = `${page}.html${anchor && "#"}${anchor}`;
      link.textContent = anchor ? `${of} › ${title}` : title;
      if (text) item.append(excerpt(text, patterns));
    }
    Search.stopPulse();
    Search.title.textContent = "Search results";
    Search.status.role = "status";
    const none = "No section has all of these words";
    const some = missing ? `${words.length - missing} of the ${words.length}` : "all of these words";
    const said =
      found.length === 0 ? none
      : (missing ? `${none}; ` : "")
        + (found.length === 1 ? `One section has ${some}` : `${found.length} sections have ${some}`)
        + (found.length > MOST ? `; here are the best ${MOST}` : "");
    Search.status.textContent = `${[said, ...notes].join("; ")}.`;
    localStorage.setItem("sphinx_highlight_terms", words.join(" "));
  };
});
