"""A Sphinx extension: what surrounds every page, its footer and its launch buttons.

The address of the repository is one setting, `repository: url:` in _config.yml. Without
it the footer names no source, and nothing can be launched from a page.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import olc

ROOT = Path(__file__).resolve().parent.parent


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    app.connect("config-inited", _configure)
    app.connect("build-finished", _copy_licences)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _configure(app: Any, config: Any) -> None:
    config.version = config.release = olc.__version__
    config.mathjax_path = "mathjax/startup.js"  # loads what _config.yml names
    if not config.html_theme_options.get("repository_url"):
        config.html_theme_options["launch_buttons"] = {}


def _copy_licences(app: Any, failure: Exception | None) -> None:
    for name in ("LICENSE", "LICENSE-CC-BY-4.0"):
        shutil.copy(ROOT / name, Path(app.outdir) / f"{name}.txt")
