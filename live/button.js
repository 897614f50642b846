// The button of a live page. Nothing else is asked for until it is pressed.
(() => {
  const { src } = document.currentScript;
  const bar = document.querySelector(".olc-live");
  if (!location.protocol.startsWith("http")) {
    bar.remove();
    return;
  }
  const [button, status] = bar.children;
  const brought = "The link that you followed brings code, which does not run by itself.";
  if (location.hash.startsWith("#code=")) status.append(` ${brought}`);
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
