// What scrolls sideways can be reached with the keyboard. The theme does this for code
// and outputs; these are the others.
(() => {
  const boxes = ".olc-scroll, .pst-scrollable-table-container, span.math, .toggle, div.math";
  const update = () => {
    for (const box of document.querySelectorAll(boxes)) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  window.addEventListener("load", async () => {
    await window.MathJax?.startup?.promise;
    update();
  });
  window.addEventListener("resize", update);
  document.addEventListener("toggle", update, true); // a <details> that opens
})();

// A page opened from disk may not read its neighbours, so a search there has no excerpts.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
