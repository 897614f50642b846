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

// A formula has its room before it is set; if it cannot be set, it is read as written.
window.addEventListener("load", async () => {
  const late = new Promise((done) => setTimeout(done, 10000));
  await Promise.race([window.MathJax?.startup?.promise, late]);
  document.documentElement.classList.remove("olc-waiting");
});

// The next page has more formulas than this one, perhaps: its letters are fetched ahead,
// where a page may fetch, when this one has all that it needs.
{
  const { src } = document.currentScript;
  const fonts = ["Main-Regular", "Math-Italic", "AMS-Regular", "Size1-Regular", "Size2-Regular"];
  window.addEventListener("load", async () => {
    await window.MathJax?.startup?.promise;
    if (!location.protocol.startsWith("http")) return;
    for (const font of fonts)
      fetch(new URL(`mathjax/output/chtml/fonts/woff-v2/MathJax_${font}.woff`, src)).catch(() => {});
  });
}

// Code can be copied with the mouse, and by hand: no stops of the tab key for it.
window.addEventListener("load", () => {
  for (const button of document.querySelectorAll("button.copybtn")) button.tabIndex = -1;
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

// Paper is white: while a page is printed it is light.
{
  const root = document.documentElement;
  let theme;
  window.addEventListener("beforeprint", () => {
    theme = root.dataset.theme;
    root.dataset.theme = "light";
  });
  window.addEventListener("afterprint", () => {
    root.dataset.theme = theme;
  });
}

// A picture is saved as it is seen, in the colours of the page, panels beside each other.
document.addEventListener("DOMContentLoaded", () => {
  const space = "http://www.w3.org/2000/svg";
  const save = (figure) => {
    const drawn = [...figure.querySelectorAll(".olc-panels svg")].filter((svg) => svg.clientWidth);
    const whole = document.createElementNS(space, "svg");
    const { color } = getComputedStyle(figure);
    let across = 0;
    let high = 0;
    for (const svg of drawn) {
      const { width, height } = svg.viewBox.baseVal;
      const part = svg.cloneNode(true);
      for (const [name, value] of Object.entries({ x: across, width, height })) part.setAttribute(name, value);
      for (const [i, text] of svg.querySelectorAll("text").entries())
        part.querySelectorAll("text")[i].style.fill = getComputedStyle(text).fill;
      whole.append(part);
      across += width;
      high = Math.max(high, height);
    }
    const { backgroundColor } = getComputedStyle(document.body);
    whole.setAttribute("viewBox", `0 0 ${across} ${high}`);
    whole.setAttribute("width", (across * 4) / 3);
    whole.setAttribute("style", `color:${color};background:${backgroundColor};font-family:sans-serif`);
    const text = new XMLSerializer().serializeToString(whole);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    link.download = `${figure.closest("[id^='fig-']")?.id ?? "figure"}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  for (const figure of document.querySelectorAll(".cell_output figure.olc-figure:not(.olc-lab)")) {
    const button = document.createElement("button");
    button.className = "olc-save";
    button.textContent = "save";
    button.setAttribute("aria-label", "save this picture as SVG");
    button.addEventListener("click", () => save(figure));
    figure.closest(".cell")?.append(button); // a slide has none
  }
});

// A button that copies code says which.
window.addEventListener("load", () => {
  for (const button of document.querySelectorAll("button.copybtn")) {
    const [line] = button.previousElementSibling.textContent.trim().split("\n");
    button.setAttribute("aria-label", `Copy the code: ${line.trim()}`);
  }
});
