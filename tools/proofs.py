"""The theorems that a machine has checked: `make proofs`, and their boxes in the pages.

In proofs/ a comment before a theorem says which box of the book it proves, such as
[thm-perceptron]. The command lets Coq check all files, and stores in checked.json
on which axioms each theorem rests; unchecked.txt says of all other boxes why they are
not there. As an extension of Sphinx this puts a folded box below each theorem that is
checked, with the statement as it stands in the file and all that it is made of.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "proofs"
STORED = FOLDER / "checked.json"
THEOREM = re.compile(r"^(Theorem|Corollary|Lemma) (\w+)(.*?)(?=^Proof\.)", re.M | re.S)
LABEL = re.compile(r"\[((?:thm|lem|cor)-[\w-]+)\]")
REQUIRED = re.compile(r"^From OLC Require \w+ (.*)\.", re.M)
SECTION = re.compile(r"^(Section|End) \w+\.$", re.M)
DEFINED = {"Definition", "Fixpoint", "Record"}
TERM = re.compile(
    r"^(Definition|Fixpoint|Record|Notation|Context|Variables|Hypothesis) (\w*).*?\.$",
    re.M | re.S,
)
MISSING = """\
coqc is not installed, so the proofs were not checked. On Debian and Ubuntu
apt-get install coq brings it, on a Mac brew install coq. Nothing else needs it."""
AXIOMS = ", axioms of Coq's real numbers and of classical logic"
ABOUT = """\
It is about the algorithm in the box, in real numbers; that olc plays this algorithm is
what the ledgers and tests check. """


class Statement(NamedTuple):
    """A theorem of a file, and the box that it proves."""

    file: str
    label: str
    name: str
    text: str


def statements() -> list[Statement]:
    """Return what the files prove: a label holds until a section or another label."""
    found = []
    for path in sorted(FOLDER.glob("*.v")):
        text = path.read_text("utf-8")
        for label in LABEL.finditer(text):
            rest = re.split(r"\[(?:thm|lem|cor)-|\(\*\* \*", text[label.end() :])[0]
            here = THEOREM.findall(rest)
            lemma = label[1].startswith("lem-")
            for kind, name, said in here[:1] if lemma else here:
                if lemma or kind != "Lemma":
                    said = f"{kind} {name}{said}".strip()
                    found.append(Statement(path.name, label[1], name, said))
    return found


def unchecked() -> dict[str, str]:
    """Return why a box is not checked, or which part of it is not."""
    lines = (FOLDER / "unchecked.txt").read_text("utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if line and line[0] != "#")


def definitions(one: Statement) -> list[str]:
    """Return what a statement says with, beyond the words of game.v, in their order.

    These are the definitions it names, those that they name, and of a section that is
    open what it takes as given.
    """
    files, found = order(), dict[tuple[int, int], str]()
    stem = one.file.removesuffix(".v")
    todo = [(stem, _read(stem).index(one.text), one.text)]
    while todo:
        file, at, text = todo.pop()
        for other in {file, *_required(file)} - {"facts", "game"}:
            for term in TERM.finditer(_read(other)):
                kind, name = term.groups()
                place = files.index(other), term.start()
                before = other == file and term.start() < at
                open_still = before and _open(file, term.start()) <= _open(file, at)
                if kind in DEFINED:
                    wanted = before or other != file
                else:
                    wanted = open_still and (kind != "Hypothesis" or text == one.text)
                if kind in {*DEFINED, "Notation"}:
                    wanted &= name in re.findall(r"\w+", text)
                if wanted and place not in found:
                    found[place] = term[0]
                    todo.append((other, term.start(), term[0]))
    return [found[place] for place in sorted(found)]


def _read(stem: str) -> str:
    return (FOLDER / f"{stem}.v").read_text("utf-8")


def _required(stem: str) -> list[str]:
    return " ".join(REQUIRED.findall(_read(stem))).split()


def _open(stem: str, at: int) -> set[int]:
    """Return where the sections begin that are open at this place of a file."""
    stack: list[int] = []
    for mark in SECTION.finditer(_read(stem), 0, at):
        stack.append(mark.start()) if mark[1] == "Section" else stack.pop()
    return {*stack}


def boxes() -> dict[str, str]:
    """Return the chapter of every theorem, lemma and corollary of the book."""
    box = re.compile(r"\{prf:(?:theorem|lemma|corollary)\}[^\n]*\n:label: *(\S+)")
    return {
        label: path.stem
        for path in sorted((ROOT / "book").glob("*.ipynb"))
        for cell in json.loads(path.read_text("utf-8"))["cells"]
        for label in box.findall("".join(cell["source"]))
    }


# --- the command ----------------------------------------------------------------------


def order() -> list[str]:
    """Return the files so that each comes after those that it requires."""
    needs = {path.stem: {*_required(path.stem)} for path in sorted(FOLDER.glob("*.v"))}
    done: list[str] = []
    while len(done) < len(needs):
        done += [one for one in needs if one not in done and needs[one] <= {*done}]
    return done


def coq(command: str, folder: Path, *given: str, text: str = "") -> Any:
    """Run a command of Coq in a folder that holds the files."""
    call = [command, "-q", "-Q", ".", "OLC", *given]
    return subprocess.run(call, cwd=folder, input=text, capture_output=True, text=True)


def axioms(file: str, names: list[str], folder: Path) -> list[list[str]]:
    """Return on which axioms each of these theorems of a file rests."""
    asked = "".join(f"Print Assumptions {name}.\n" for name in names)
    text = f"From OLC Require Import {Path(file).stem}.\n{asked}"
    said = coq("coqtop", folder, "-quiet", text=text).stdout
    answers = re.split(r"^(?=Axioms:|Closed under)", said, flags=re.M)[1:]
    named = [re.findall(r"^([\w.]+)\s*:", one, re.M) for one in answers]
    return [
        sorted({one.rpartition(".")[2] for one in some} - {"Axioms"}) for some in named
    ]


def check(folder: Path) -> dict[str, Any]:
    """Check all files in a copy; return each theorem's box, file and axioms."""
    shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
    known, table, total = statements(), {}, 0.0
    for name in order():
        begun = time.perf_counter()
        ran = coq("coqc", folder, f"{name}.v")
        if ran.returncode:
            sys.exit(f"Coq does not accept proofs/{name}.v:\n{ran.stderr}")
        total += (seconds := time.perf_counter() - begun)
        here = [one for one in known if one.file == f"{name}.v"]
        print(f"{name}.v, {seconds:.1f} s")
        rests = axioms(name, [one.name for one in here], folder)
        for one, axiom in zip(here, rests, strict=True):
            table[one.name] = {"box": one.label, "file": one.file, "axioms": axiom}
            print(f"  {one.name:34} {one.label:33} {', '.join(axiom)}")
    print(f"{len(table)} theorems in {total:.0f} s")
    return table


def main() -> None:
    """Check the proofs, store on what they rest, and say what is not checked."""
    if not shutil.which("coqc"):
        sys.exit(MISSING)
    STORED.write_text(json.dumps(check(ROOT / "build" / "proofs"), indent=1) + "\n")
    rest = boxes().keys() - {one.label for one in statements()}
    print(f"{len(rest)} boxes are not checked: proofs/unchecked.txt says why")


# --- the pages ------------------------------------------------------------------------


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", _list)
    app.connect("doctree-read", _add_boxes)
    app.connect("doctree-resolved", _mark)
    app.connect("build-finished", _publish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _by_box() -> dict[str, list[Statement]]:
    found: dict[str, list[Statement]] = {}
    for one in statements():
        found.setdefault(one.label, []).append(one)
    return found


def _add_boxes(app: Any, doctree: Any) -> None:
    from docutils import nodes

    known = _by_box()
    for box in list(doctree.findall(nodes.Element)):
        found = known.get(box.get("label", "")) if "realtype" in box else None
        if found:
            up = "../" * app.env.docname.count("/")
            box.parent.insert(box.parent.index(box) + 1, _box(found, up))


def _box(found: list[Statement], up: str) -> Any:
    from docutils import nodes

    file, label = found[0].file, found[0].label
    parts = dict.fromkeys(term for one in found for term in definitions(one))
    text = "\n\n".join([*parts, *(one.text for one in found)])
    stored = json.loads(STORED.read_text("utf-8"))
    rests = sorted({axiom for one in found for axiom in stored[one.name]["axioms"]})
    on = f"{', '.join(rests)}{AXIOMS}" if rests else "no axiom at all"
    words = nodes.paragraph("", f"It rests on {on}. ")
    if "mistakes" in text and "State : Type" not in text:
        words += nodes.Text(ABOUT)
    if part := unchecked().get(label):
        words += nodes.Text(f"Left out: {part}. ")
    words += nodes.Text("The whole file: ")
    address = f"{up}_static/proofs/{file}.txt"
    words += nodes.reference("", file, refuri=address, internal=True)
    title = nodes.title("", "Checked by machine")
    code = nodes.literal_block(text, text, language="coq")
    return nodes.admonition("", title, code, words, classes=["dropdown", "olc-checked"])


def _mark(app: Any, doctree: Any, page: str) -> None:
    """Mark what is checked on the pages that compare all theorems."""
    from docutils import nodes

    known = _by_box() if page.endswith(("tightness", "family_tree")) else {}
    for link in list(doctree.findall(nodes.reference)):
        if link.get("refuri", "").rpartition("#")[2] in known:
            mark = nodes.inline("", "\N{NO-BREAK SPACE}✓", classes=["olc-mark"])
            link.parent.insert(link.parent.index(link) + 1, mark)


def _list(app: Any, page: str, source: list[str]) -> None:
    """Fill in the tables of the page about proofs."""
    if not page.endswith("/proofs"):
        return
    known, here, left_out = _by_box(), boxes(), unchecked()
    order = re.findall(r"file: book/(\w+)", (ROOT / "_toc.yml").read_text("utf-8"))
    in_order = sorted(here, key=lambda label: order.index(here[label]))
    partly = len(known.keys() & left_out.keys())
    checked = [
        f"Of the {len(here)} theorems, lemmas and corollaries of the book "
        f"{len(known) - partly} are checked in full and {partly} in part.",
        "",
        "| theorem | in the file | as |",
        "| --- | --- | --- |",
    ]
    rest = ["| theorem | what is not checked |", "| --- | --- |"]
    for label in in_order:
        if found := known.get(label):
            names = ", ".join(f"`{one.name}`" for one in found)
            checked.append(f"| {{prf:ref}}`{label}` | `{found[0].file}` | {names} |")
        if label in left_out:
            rest.append(f"| {{prf:ref}}`{label}` | {left_out[label]} |")
    source[0] = source[0].replace("%CHECKED%", "\n".join(checked))
    source[0] = source[0].replace("%UNCHECKED%", "\n".join(rest))


def _publish(app: Any, failure: Exception | None) -> None:
    folder = Path(app.outdir) / "_static" / "proofs"
    folder.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.glob("*.v"):
        shutil.copy(path, folder / f"{path.name}.txt")


if __name__ == "__main__":
    main()
