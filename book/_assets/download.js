// A browser shows a notebook that is opened from disk as text, whatever its link says.
// There the same file comes as a script, which hands over its text to be saved.
if (location.protocol === "file:") {
  window.olcDownload = (name, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/x-ipynb+json" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[download][href$='.ipynb']");
    if (!link) return;
    event.preventDefault();
    const script = document.createElement("script");
    script.src = `${link.href}.js`;
    document.head.append(script);
  });
}
