// What scrolls sideways can be reached with the keyboard, whenever it begins to scroll:
// on a narrower screen, or when the box that holds it is unfolded. A formula that is
// longer than its line is broken at its wide gaps, before its relations, too, if that is
// not enough, and at last before plus and minus; only where a part would still be too
// long does it scroll. The signs that lean out of it do not count.
window.addEventListener("load", async () => {
  await window.MathJax?.startup?.promise;
  const boxes = "pre, .olc-scroll, .pst-scrollable-table-container, span.math, div.math, "
    + "div.math > mjx-container, .toggle";
  const wide = (part) => part?.matches("mjx-mstyle:has(> mjx-mspace)") && part.offsetWidth > 10;
  const sign = (part, space) => part?.matches(`mjx-mo[space="${space}"]`);
  const kinds = [wide, (part) => sign(part, 4), (part) => sign(part, 3)];
  const broken = (formula, room) => {
    const parts = [...formula.firstElementChild.children];
    for (const many of [1, 2, 3]) {
      const here = (part) => kinds.slice(0, many).some((kind) => kind(part));
      const places = parts.filter((part) => here(part) && !here(part.previousElementSibling));
      const { left, right } = formula.firstElementChild.getBoundingClientRect();
      const ends = places.map((part) => part.getBoundingClientRect()[wide(part) ? "right" : "left"]);
      ends.unshift(left);
      ends.push(right);
      if (!places.length || ends.some((end, i) => end - ends[i - 1] > room)) continue;
      for (const place of places) {
        const gap = document.createElement("span");
        gap.className = "olc-gap";
        gap.textContent = " ";
        if (wide(place)) place.after(gap);
        else place.before(gap);
      }
      formula.classList.add("olc-broken");
      return true;
    }
    return false;
  };
  const update = (box) => {
    const inline = box.matches("span.math") && box.firstElementChild;
    const formula = inline || (box.matches("mjx-container") && box);
    if (formula && formula.matches(".olc-broken")) return;
    const width = inline ? inline.offsetWidth - 1 : box.scrollWidth;
    let long = width > box.clientWidth;
    if (long && formula && broken(formula, box.clientWidth)) long = false;
    if (inline) box.classList.toggle("olc-long", long);
    if (long) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  };
  const watcher = new ResizeObserver((changes) => changes.forEach(({ target }) => update(target)));
  document.querySelectorAll(boxes).forEach((box) => watcher.observe(box));
  const unfolded = ({ target }) => target.querySelectorAll(boxes).forEach(update);
  document.addEventListener("toggle", unfolded, true);
});

// A formula keeps the full stop, the comma or the -th that follows it, and the parenthesis
// before it, on its line.
document.addEventListener("DOMContentLoaded", () => {
  const signs = (text, pattern) => (text?.nodeType === Node.TEXT_NODE && text.data.match(pattern)?.[0]) || "";
  for (const formula of document.querySelectorAll("span.math")) {
    const { previousSibling: before, nextSibling: after } = formula;
    const first = signs(before, /[(“]+$/);
    const last = signs(after, /^([.,;:!?)”]+|-[a-z]+)/);
    if (!first && !last) continue;
    const together = document.createElement("span");
    together.className = "olc-together";
    formula.before(together);
    if (first) together.append(before.splitText(before.length - first.length));
    together.append(formula);
    if (last) {
      after.splitText(last.length);
      together.append(after);
    }
  }
});

// Paper is white and does not move: while a page is printed it is light, and a game that
// nobody has stepped through is shown at its end.
{
  const root = document.documentElement;
  const move = (slider, to) => {
    slider.value = to;
    slider.dispatchEvent(new Event("input"));
  };
  let theme, games;
  window.addEventListener("beforeprint", () => {
    theme = root.dataset.theme;
    root.dataset.theme = "light";
    games = [...document.querySelectorAll(".olc-explorer input[value='0']")].filter(
      (slider) => slider.value === "0" && /^(step|rounds)/.test(slider.closest("label").textContent),
    );
    games.forEach((slider) => move(slider, slider.max));
  });
  window.addEventListener("afterprint", () => {
    root.dataset.theme = theme;
    games.forEach((slider) => move(slider, 0));
  });
}

// A button that copies code says which.
window.addEventListener("load", () => {
  for (const button of document.querySelectorAll("button.copybtn")) {
    const [line] = button.previousElementSibling.textContent.trim().split("\n");
    button.setAttribute("aria-label", `Copy the code: ${line.trim()}`);
  }
});
