for (const form of document.querySelectorAll("form.olc-quiz:not([data-ready])")) {
  form.dataset.ready = "";
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    for (const part of form.querySelectorAll("fieldset")) {
      const chosen = part.querySelector("input:checked, input[type=text]");
      const typed = chosen ? chosen.value.trim() : "";
      const said = chosen?.type === "text" ?
        typed.replace(",", ".").replace("−", "-") : typed;
      const near = ([value, , , close]) => chosen.type === "radio" ? said === value :
        Math.abs(Number(said) - value) <= close;
      const found = said && JSON.parse(part.dataset.answers).find(near);
      part.querySelector("output").textContent = !said ? "Not answered yet." :
        found ? (found[1] ? "✓ Right. " : "✗ Not yet: ") + found[2] : "✗ Not yet.";
    }
  });
}
