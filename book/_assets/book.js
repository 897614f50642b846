// What scrolls sideways can be reached with the keyboard, whenever it begins to scroll:
// on a narrower screen, or when the box that holds it is unfolded. A formula in the text
// scrolls when it is longer than its line; the signs that lean out of it do not count.
window.addEventListener("load", async () => {
  await window.MathJax?.startup?.promise;
  const boxes = "pre, .olc-scroll, .pst-scrollable-table-container, span.math, div.math, "
    + "div.math > mjx-container, .toggle";
  const update = (box) => {
    const formula = box.matches("span.math") && box.firstElementChild;
    const width = formula ? formula.offsetWidth - 1 : box.scrollWidth;
    if (formula) box.classList.toggle("olc-long", width > box.clientWidth);
    if (width > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  };
  const watcher = new ResizeObserver((changes) => changes.forEach(({ target }) => update(target)));
  document.querySelectorAll(boxes).forEach((box) => watcher.observe(box));
  const unfolded = ({ target }) => target.querySelectorAll(boxes).forEach(update);
  document.addEventListener("toggle", unfolded, true);
});

// A formula keeps the full stop or the comma that follows it on its line.
document.addEventListener("DOMContentLoaded", () => {
  for (const formula of document.querySelectorAll("span.math")) {
    const text = formula.nextSibling;
    const signs = text?.nodeType === Node.TEXT_NODE && text.data.match(/^[.,;:!?)]+/);
    if (!signs) continue;
    const together = document.createElement("span");
    together.className = "olc-together";
    formula.before(together);
    text.splitText(signs[0].length);
    together.append(formula, text);
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
