// Formulas are set before a slide is shown. What is too tall is made smaller, and of a
// proof that would become too small the rest goes on the next slide.
const isTall = (slide, zoom) => {
  slide.firstChild.style.zoom = zoom;
  return slide.offsetHeight > 700;
};
const fit = (slide) => {
  for (let zoom = 1; zoom > 0.5 && isTall(slide, zoom); ) zoom -= 0.02;
};
const divide = (slide) => {
  const rest = slide.cloneNode(true), parts = [...slide.querySelectorAll(".part")];
  let last;
  do (last = parts.pop()).remove();
  while (parts.length > 1 && (isTall(slide, 0.8) || last.matches(".math")));
  rest.querySelectorAll(".part").forEach((part, at) => {
    if (at < parts.length) part.remove();
  });
  rest.querySelector(".part").classList.remove("fragment");
  slide.querySelector(".proof").classList.add("begun");
  rest.querySelector(".proof").classList.add("continued");
  rest.querySelector(".proof").removeAttribute("id");
  rest.querySelector("h2").append(", continued");
  slide.after(rest);
};
window.addEventListener("load", async () => {
  await MathJax.startup.promise;
  let slide = document.querySelector(".slides > section");
  for (; slide; slide = slide.nextElementSibling) {
    slide.style.display = "block";
    const parts = slide.querySelectorAll(".part").length;
    if (parts > 1 && isTall(slide, 0.8)) divide(slide);
    fit(slide);
    slide.style.display = "";
  }
  Reveal.initialize({ width: 1280, height: 720, margin: 0, center: false,
    hash: true,
    slideNumber: "c/t", transition: "none" });
  // A lab begins when it is seen, and only then is as tall as it is.
  const seen = ({ currentSlide: now }) =>
    now.querySelector(".olc-lab") && setTimeout(fit, 300, now);
  Reveal.on("ready", seen);
  Reveal.on("slidechanged", seen);
});
