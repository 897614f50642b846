// The button of a live page. Nothing else is asked for until it is pressed.
(() => {
  const { src, dataset } = document.currentScript;
  const title = document.querySelector("article.bd-article h1");
  if (!location.protocol.startsWith("http") || !title) return;
  const bar = document.createElement("div");
  bar.className = "olc-live d-print-none";
  bar.style.marginBlock = "1rem";
  Object.assign(bar.dataset, dataset);
  bar.innerHTML = `<button class="btn btn-sm" style="border-color: currentColor;
    color: var(--pst-color-link)">Run this page</button> <span role="status"></span>`;
  const [button, status] = bar.children;
  const brought = "The link that you followed brings code, which does not run by itself.";
  status.textContent = `${dataset.words} ${location.hash.startsWith("#code=") ? brought : ""}`;
  title.after(bar);
  let tries = 0;
  button.addEventListener("click", async () => {
    button.disabled = true;
    status.textContent = "Loading the editor …";
    // A browser remembers that a script did not come: the next try has another address.
    await import(new URL(tries ? `page.mjs?${tries}` : "page.mjs", src)).catch((error) => {
      tries += 1;
      button.disabled = false;
      status.textContent = `The editor did not come (${error.message}). Try again in a moment.`;
    });
  });
})();
