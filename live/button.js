// The button of a live page. Nothing else is asked for until it is pressed.
(() => {
  const { src, dataset } = document.currentScript;
  const title = document.querySelector("article.bd-article h1");
  if (!location.protocol.startsWith("http") || !title) return;
  const bar = document.createElement("div");
  bar.className = "olc-live d-print-none";
  Object.assign(bar.dataset, dataset);
  bar.innerHTML = `<button class="btn btn-sm" style="border-color: currentColor;
    color: var(--pst-color-link)">Run this page</button> <span role="status"></span>`;
  const [button, status] = bar.children;
  const brought = "The link that you followed brings code, which does not run by itself.";
  status.textContent = `${dataset.words} ${location.hash.startsWith("#code=") ? brought : ""}`;
  title.after(bar);
  button.addEventListener("click", async () => {
    button.disabled = true;
    status.textContent = "Loading the editor …";
    await import(new URL("page.mjs", src)).catch((error) => {
      button.disabled = false;
      status.textContent = `This page cannot run here: ${error.message}`;
    });
  });
})();
