"""What the address of the repository adds to a page."""

import re
import shutil
import sys

import pytest
from helpers import ROOT, run

ADDRESS = "https://github.com/someone/online-linear-classification"


@pytest.mark.slow
def test_with_an_address_a_page_names_its_source_and_can_be_launched(tmp_path):
    for name in ("book", "tools", "olc", "olc_book"):
        ours = shutil.ignore_patterns("api", "__pycache__")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ours)
    for name in ("LICENSE", "LICENSE-CC-BY-4.0", "README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    config = (ROOT / "_config.yml").read_text("utf-8")
    for old, new in (
        ('url: ""', f"url: {ADDRESS}"),
        ("only_build_toc_files: false", "only_build_toc_files: true"),
        ("execute_notebooks: cache", "execute_notebooks: 'off'"),
    ):
        assert config.count(old) == 1
        config = config.replace(old, new)
    (tmp_path / "_config.yml").write_text(config, "utf-8")
    toc = "format: jb-book\nroot: book/index\nchapters:\n  - file: book/accessibility\n"
    (tmp_path / "_toc.yml").write_text(toc)
    main = "from jupyter_book.cli.main import main; main()"
    command = [sys.executable, "-c", main, "build", "-q", str(tmp_path)]
    run(command)
    page = (tmp_path / "_build/html/book/index.html").read_text("utf-8")
    links = re.findall(r'href="(https:[^"]*)"', page)
    assert links.count(ADDRESS) == 1
    path = ADDRESS.removeprefix("https://github.com/")
    assert (
        f"https://mybinder.org/v2/gh/{path}/main?urlpath=lab/tree/book/index.ipynb"
        in links
    )
    colab = "https://colab.research.google.com/github"
    assert f"{colab}/{path}/blob/main/book/index.ipynb" in links


@pytest.mark.built
def test_without_an_address_it_does_neither(html):
    page = (html / "book" / "index.html").read_text("utf-8")
    assert not re.search("mybinder|colab.research|<dt>Source</dt>", page)
