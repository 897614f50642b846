// The button of a live page. Nothing else is asked for until it is pressed.
(() => {
  const { src, dataset } = document.currentScript;
  const title = document.querySelector("article.bd-article h1");
  if (!location.protocol.startsWith("http") || !title) return;
  const { megabytes, seconds, memory } = dataset;
  const bar = document.createElement("div");
  const make = (tag, words) => {
    bar.append(Object.assign(document.createElement(tag), { textContent: words }), " ");
    return bar.lastElementChild;
  };
  bar.className = "olc-live d-print-none";
  const button = make("button", "Run this page");
  button.className = "btn btn-sm";
  button.style.cssText = "border-color: currentColor; color: var(--pst-color-link)";
  const status = make("span", `Python runs in your browser, after a download of ${megabytes} MB.`);
  status.setAttribute("role", "status");
  if (seconds) make("span", `This chapter is heavy: all of it takes ${seconds} seconds or more, and ${memory} MB of memory.`);
  if (location.hash.startsWith("#code=")) make("span", "The link that you followed brings code for a cell. It is shown after you press the button, and it does not run by itself.");
  title.after(bar);
  button.addEventListener("click", async () => {
    button.disabled = true;
    status.textContent = "Loading the editor …";
    try {
      const page = await import(new URL("page.mjs", src));
      page.start(bar, dataset);
    } catch (error) {
      button.disabled = false;
      status.textContent = `This page cannot run here: ${error.message}`;
    }
  });
})();
