// The controls of an explorer (olc.widgets), inlined after its figure.
(() => {
  const figure = document.currentScript.parentElement;
  const find = (what) => figure.querySelector(what);
  const panels = find(".olc-panels"), says = find(".olc-says");
  const controls = [...figure.querySelectorAll("input, select")];
  const button = find("button");
  let data = null, timer = 0;
  const show = () => {
    data ??= JSON.parse(find("script").textContent);
    let at = 0;
    for (const control of controls) {
      const labels = JSON.parse(control.dataset.labels ?? "null");
      const index = labels ? Number(control.value) : control.selectedIndex;
      at = at * (labels ?? control.options).length + index;
      if (labels) {
        control.setAttribute("aria-valuetext", labels[index]);
        control.closest("div").querySelector("output").value = labels[index];
      }
    }
    panels.innerHTML = data.frames[at].map((part) => data.parts[part]).join("");
    panels.setAttribute("aria-label", data.labels[at]);
    says.textContent = data.alts[at];
  };
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    button.textContent = "Play";
    says.setAttribute("aria-live", "polite");
  };
  const advance = () => {
    const slider = controls[0];
    if (slider.value === slider.max) return pause();
    slider.value = Number(slider.value) + 1;
    show();
  };
  for (const control of controls) {
    control.addEventListener("input", () => { if (timer) pause(); show(); });
  }
  button?.addEventListener("click", () => {
    if (timer) return pause();
    if (controls[0].value === controls[0].max) { controls[0].value = 0; show(); }
    button.textContent = "Pause";
    says.setAttribute("aria-live", "off");
    timer = setInterval(advance, 900);
  });
  if (button) button.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
  find(".olc-controls").hidden = false;
})();
