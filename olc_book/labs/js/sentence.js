// The sentence (16): type one, and see which word the chapter's learner would put there. What is
// typed is only read.
(() => {
  const { sum } = olcLearners;
  const { colour, h, join, num, set } = olcLab;
  const WORDS = ["accept", "except"];
  const [WINDOW, THETA, ALPHA] = [10, 1, 1.1];
  const counts = new Map(
    olcSpelling.split("#").flatMap((group) => {
      const [count, ...names] = group.split("~");
      return names.map((name) => [name, Number(count)]);
    }),
  );

  // As olc_book/text.py has them; w is what Python calls a word character.
  const w = "[\\p{L}\\p{N}_]";
  const name = `(?<!${w})${w}*(?:${w}[._]${w}|${w}\\((?!s\\))|[a-z][A-Z])[\\p{L}\\p{N}_.()]*`;
  const TOKEN = new RegExp(
    `([a-z]+)(?= )|(\\p{Nd}(?:[\\p{L}\\p{N}_.]*${w})?)|(\`\`[^\`]+\`\`|\`[^\`]+\`_{0,2}|${name})` +
      "|([\\p{L}\\p{Nl}\\p{No}]+(?:'[\\p{L}\\p{Nl}\\p{No}]+)?)|([.,;:!?()])",
    "gu",
  );
  const ROLE = /(?<![\p{L}\p{N}_:])([\p{L}\p{N}_]*)(:[\p{L}\p{N}_:]+:)(?=`[^`]+`)/gu;
  function tokens(sentence) {
    const blank = (_, word, role) => word + " ".repeat(role.length);
    const plainly = sentence.replaceAll("’", "'").replace(ROLE, blank);
    const read = ([, plain, number, , word, mark]) =>
      plain ?? word?.toLowerCase() ?? mark ?? (number ? "<number>" : "<code>");
    return [...plainly.matchAll(TOKEN)].map(read);
  }
  function features(before, after) {
    const [left, right] = [before.at(-1), after[0]];
    const near = [...before.slice(-WINDOW), ...after.slice(0, WINDOW)];
    const found = ["_", ...near.filter((token) => /^\p{L}/u.test(token))];
    found.push(`${left} _`, `_ ${right}`, `${left} _ ${right}`);
    if (before.length > 1) found.push(`${before.at(-2)} * _`, `${before.at(-2)} ${left} _`);
    if (after.length > 1) found.push(`_ * ${after[1]}`, `_ ${right} ${after[1]}`);
    return [...new Set(found)];
  }
  function game(state) {
    const all = tokens(state.text);
    const at = all.findIndex((token) => WORDS.includes(token));
    if (at < 0) return { state, votes: [] };
    const found = features(["|", ...all.slice(0, at)], [...all.slice(at + 1), "|"]);
    const known = found.filter((one) => counts.has(one)).map((one) => [one, counts.get(one)]);
    const votes = known.map(([one, count]) => [one, ALPHA ** count - ALPHA ** -count]);
    const score = sum(votes.map((vote) => vote[1]));
    const said = WORDS[score >= THETA ? 0 : 1];
    const read = { written: all[at], seen: found.join("~"), many: found.length };
    return { state, votes, score, said, ...read };
  }
  function says({ many, votes, score, written, said }) {
    if (!said) return "Write a sentence with accept or except in it.";
    const verdict = said === written ? "as you did" : `where you wrote ${written}`;
    const known = `It knows ${votes.length} of ${many} features`;
    return `It would put ${said}, ${verdict}: the score is ${num(score)}, and ${THETA} is needed for ${WORDS[0]}. ${known}; it erred 59 times on 432 sentences.`;
  }
  const reached = ({ said, written }) =>
    said !== written ? `It would put ${said}. If your sentence is good English, you win.` : "";

  function view(lab) {
    const given = { class: "olc-text", rows: 2, maxlength: 200, "aria-label": "Your sentence" };
    const oninput = () => lab.change({ text: box.value }, "typing");
    const box = h("textarea", { ...given, oninput });
    const bars = h("div", { class: "olc-votes", role: "img" });
    const [yes, no] = WORDS;
    const half = () => h("i", {}, h("b", { class: "olc-rise" }));
    const make = () => h("p", {}, half(), h("span", { class: "olc-feature" }), half());
    const heads = h("p", {}, `← ${no}`, h("i", {}, "_ is the gap, * any word"), `${yes} →`);
    function draw({ state, votes }) {
      if (box.value !== state.text) box.value = state.text;
      const loud = votes.toSorted((a, b) => Math.abs(b[1]) - Math.abs(a[1])).slice(0, 7);
      const most = Math.max(0.5, ...loud.map((vote) => Math.abs(vote[1])));
      const rows = loud.map((_, key) => ({ key, make }));
      join(bars, rows);
      for (const [i, [one, vote]] of loud.entries()) {
        const [against, label, given] = bars.children[i].children;
        const width = (v) => `width:${(100 * Math.max(0, v)) / most}%`;
        set(against.firstChild, { style: width(-vote) });
        set(given.firstChild, { style: width(vote) });
        set(label, { text: one });
      }
      const told = loud.map(([one, vote]) => `${one}: ${num(vote)}`).join("; ");
      set(bars, { "aria-label": `The loudest votes for ${yes}: ${told}` });
    }
    const style = colour("MarginWinnow");
    const board = h("div", { class: "olc-wide", style }, box, heads, bars);
    return { panels: [board], controls: [], draw };
  }
  olcLab.define("sentence", { game, says, reached, view });
})();
