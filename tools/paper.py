"""The book on paper: python -m tools.paper

All pages of the book become one page, which Chromium prints: its style sheet for paper
is that of the book, so the PDF looks as a printed chapter does. A link to another
chapter leads to its place in the same file, and the outline has every section.
"""

from __future__ import annotations

import io
import posixpath
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

import yaml

from tools import book

NAME = "online-linear-classification"
A4 = {"format": "A4", "outline": True, "tagged": True, "print_background": True}
FOOTER = (
    '<p style="font: 8pt sans-serif; margin: 0; text-align: center; width: 100%">'
    '<span class="pageNumber"></span></p>'
)
KEPT = (  # of the head of a page
    r'<link[^>]*rel="stylesheet"[^>]*>|<script>window\.MathJax.*?</script>'
    r'|<script[^>]*src="[^"]*(?:mathjax/startup|book)\.js[^>]*></script>'
)
# What a screen reader would hear of a formula does not get into a PDF, and takes time.
UNHEARD = "MathJax.options.enableAssistiveMml = false"
STYLE = Path(__file__).with_name("paper.css").read_text(encoding="utf-8")


def main() -> None:
    """Print the edition that stands there."""
    book.update()
    print_pdf(book.SOLUTIONS)


def print_pdf(solutions: bool) -> Path:
    """Print the built book, the package's reference left out, and return the file."""
    path = book.BUILD / f"{NAME}{'' if solutions else '-without-solutions'}.pdf"
    source = path.with_suffix(".html")
    source.write_text(one_page(), encoding="utf-8")
    with book.browsing() as browser:
        tab = browser.new_page()
        tab.set_default_timeout(0)  # thousands of formulas
        tab.goto(source.as_uri())
        tab.evaluate("MathJax.startup.promise.then(() => null)")
        tab.evaluate(
            """solutions => {
              for (const one of document.querySelectorAll("div.solution"))
                if (solutions) one.classList.remove("toggle-hidden"); else one.remove();
            }""",
            solutions,
        )
        printed = A4 | {"path": path, "display_header_footer": True}
        printed |= {"header_template": "<p></p>", "footer_template": FOOTER}
        tab.pdf(**printed)
        # A browser cannot tell on which page a link ends. The print does, and the
        # numbers, printed alone, are laid over its contents.
        tab.evaluate(
            """pages => {
              document.querySelectorAll(".olc-contents a").forEach(
                (link, at) => { link.dataset.page = pages[at]; });
              document.querySelectorAll("article:not(.olc-contents)").forEach(
                chapter => chapter.remove());
              document.body.classList.add("olc-numbers");
            }""",
            chapter_starts(path),
        )
        numbers = tab.pdf(format="A4")
    source.unlink()
    lay_over_contents(path, numbers)
    print(f"{path.relative_to(book.ROOT)}: {path.stat().st_size / 1e6:.1f} MB")
    return path


def lay_over_contents(path: Path, numbers: bytes) -> None:
    """Add the page numbers to the table of contents of a PDF."""
    from pypdf import PdfReader, PdfWriter

    printed = PdfWriter(clone_from=path)
    printed.pages[1].merge_page(PdfReader(io.BytesIO(numbers)).pages[1])
    printed.write(path)


def chapter_starts(path: Path) -> list[int]:
    """Return on which page each chapter of a PDF begins, by its outline."""
    from pypdf import PdfReader

    reader = PdfReader(path)
    chapters = [entry for entry in reader.outline if not isinstance(entry, list)]
    pages = [reader.get_destination_page_number(entry) or 0 for entry in chapters]
    return [page + 1 for page in pages[2:]]  # without the title and the contents


def one_page() -> str:
    """Return the whole book as one page of HTML that stands beside its folder."""
    names = printed_pages()
    texts = [(book.HTML / f"{name}.html").read_text(encoding="utf-8") for name in names]
    kept = re.findall(KEPT, texts[0].partition("</head>")[0])
    pairs = zip(names, texts, strict=True)
    articles = {name: article(name, text, set(names)) for name, text in pairs}
    page = f"""<!DOCTYPE html><html lang="en" data-theme="light"><head>
      <meta charset="utf-8"><title>{escape(config()["title"])}</title>
      <script>const DOCUMENTATION_OPTIONS = {{}};</script>
      {"".join(kept)}<script>{UNHEARD}</script><style>{STYLE}</style></head>
      <body><main class="bd-main"><div class="bd-content">
      <div class="bd-article-container">{"".join(contents(articles))}
      {"".join(articles.values())}</div></div></main></body></html>"""
    return page.replace('="../_', f'="{book.HTML.name}/_')


def printed_pages() -> list[str]:
    """Return the pages of the book without the reference: nobody looks it up there."""
    return [page for page in book.pages() if not page.startswith("book/api")]


def config() -> dict[str, str]:
    """Return the settings of the book."""
    return yaml.safe_load((book.ROOT / "_config.yml").read_text(encoding="utf-8"))


def contents(articles: dict[str, str]) -> Iterator[str]:
    """Yield the title page and the table of contents."""
    yield f"""<div class="olc-title"><h1>{escape(config()["title"])}</h1>
      <p>{escape(config()["author"])}</p></div>
      <article class="bd-article olc-contents"><h1>Contents</h1>"""
    toc = yaml.safe_load((book.ROOT / "_toc.yml").read_text(encoding="utf-8"))
    parts = [{"caption": "", "chapters": [{"file": toc["root"]}]}, *toc["parts"]]
    for part in parts:
        yield f"<p><strong>{escape(part['caption'])}</strong></p><ol>"
        for chapter in part["chapters"]:
            if (name := chapter["file"]) in articles:
                heading = articles[name].partition("<h1>")[2]
                title = re.sub("<[^>]*>", "", heading.partition('<a class="head')[0])
                yield f'<li><a href="#{name}">{title}</a></li>'
        yield "</ol>"
    yield "</article>"


def article(name: str, text: str, names: set[str]) -> str:
    """Return the article of a page; its places and links are those of the whole."""
    content = text.partition('<article class="bd-article">')[2]
    folder = posixpath.dirname(name)

    def link(found: re.Match[str]) -> str:
        path, _, place = found[1].partition("#")
        target = posixpath.normpath(posixpath.join(folder, path)) if path else name
        page = target.removesuffix(".html")
        if page in names:
            return f'href="#{page}/{place}"' if place else f'href="#{page}"'
        # What is not on paper is no link; other sites, and what pictures use, stay.
        return found[0] if ":" in path else ""

    inner = re.sub(
        r'(?<!xlink:)\bhref="([^"]*)"', link, content.rpartition("</article>")[0]
    )
    inner = re.sub(r'\bid="', f'id="{name}/', inner)
    inner = re.sub(r"url\(#", f"url(#{name}/", inner)
    return f'<article class="bd-article" id="{name}">{inner}</article>'


if __name__ == "__main__":
    main()
