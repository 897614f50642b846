// The search: every section that has all words of the query, the best first, with the
// place where they stand. searchindex.js holds [page, anchor, title, text] for each.
document.addEventListener("DOMContentLoaded", () => {
  const MOST = 40;
  const escape = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // The beginning of a word will do, and a plural finds the singular.
  const pattern = (word) =>
    new RegExp(`(?<![\\p{L}\\p{N}])${escape(word.replace(/(?<=\w\w)e?s$/, ""))}`, "giu");

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

  Search.query = (query) => {
    const words = query.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
    const patterns = words.map(pattern);
    const pages = Object.fromEntries(
      Search._index.filter(([, anchor]) => !anchor).map(([page, , title]) => [page, title]));
    const found = [];
    for (const [page, anchor, title, text] of words.length ? Search._index : []) {
      // The package has many names, and the chapters say what they mean.
      const weight = page.includes("/api/") ? 4 : 12;
      const scores = patterns.map((word) =>
        Math.min((text.match(word) ?? []).length, 4)
        + (title.match(word) ? weight : 0) + (pages[page].match(word) ? weight / 4 : 0));
      if (scores.some((score) => !score)) continue;
      const name = weight === 4 ? `${pages[page]}.${title}` : title; // olc.winnow.proof
      const exact = name.toLowerCase() === query.toLowerCase().trim() ? 30 : 0;
      found.push([exact + scores.reduce((sum, score) => sum + score), page, anchor, title, text]);
    }
    found.sort(([one], [other]) => other - one); // of equals the first of the book
    for (const [, page, anchor, title, text] of found.slice(0, MOST)) {
      const item = Search.output.appendChild(document.createElement("li"));
      const link = item.appendChild(document.createElement("a"));
      link.href = `${page}.html${anchor && "#"}${anchor}`;
      link.textContent = anchor ? `${pages[page]} › ${title}` : title;
      if (text) item.append(excerpt(text, patterns));
    }
    Search.stopPulse();
    Search.title.textContent = "Search results";
    Search.status.role = "status";
    Search.status.textContent =
      found.length === 0 ? "No section has all of these words."
      : found.length === 1 ? "One section has all of these words."
      : `${found.length} sections have all of these words`
        + (found.length > MOST ? `; here are the best ${MOST}.` : ".");
    localStorage.setItem("sphinx_highlight_terms", words.join(" "));
  };
});
