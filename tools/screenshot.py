"""Record the picture of the README: python -m tools.screenshot

The lab of the first page plays, and each of its mistakes is a frame of a GIF. The GIF
also has a hash of what the lab was made of, so that a test knows when it is old.
"""

from __future__ import annotations

import hashlib
import io
import json

from PIL import Image

import olc
from olc_book import labs
from tools import book

LAB = olc.lab("plane", mode="perceptron")
PICTURE = book.ROOT / ".github" / "lab.gif"
ROOM = {"width": 760, "height": 720}
COLOURS = 128
MILLISECONDS = 1200  # a mistake is shown


def main() -> None:
    """Record the picture."""
    frames = record()
    times = [MILLISECONDS] * (len(frames) - 1) + [3 * MILLISECONDS]
    first, *rest = (frame.quantize(COLOURS) for frame in frames)
    first.save(PICTURE, append_images=rest, duration=times, loop=0, comment=made_of())
    name = PICTURE.relative_to(book.ROOT)
    print(f"{name}: {len(frames)} frames, {PICTURE.stat().st_size / 1e3:.0f} kB")


def made_of() -> bytes:
    """Return a hash of the lab: its words, its state, its script and its style."""
    told = json.dumps([LAB.words, LAB.state]) + labs.script(LAB.name) + labs.styles()
    return hashlib.sha256(told.encode()).hexdigest().encode()


def record() -> list[Image.Image]:
    """Return the lab before its first mistake and after each one."""
    body = f"<body style='background: white; margin: 1rem'>{LAB._repr_html_()}</body>"
    with book.browsing(args=["--no-sandbox"]) as browser:
        page = browser.new_page(viewport=ROOM, reduced_motion="reduce")
        page.set_content(f"<!doctype html>{body}")
        lab = page.locator("figure.olc-lab")
        slider, frames = lab.locator("input[type=range]"), []
        for mistakes in range(int(slider.get_attribute("max") or 0) + 1):
            slider.fill(str(mistakes))
            slider.blur()
            page.wait_for_timeout(700)  # the sentence comes a little later
            frames.append(lab.screenshot())
    return [Image.open(io.BytesIO(frame)).convert("RGB") for frame in frames]


if __name__ == "__main__":
    main()
