"""The theorems that Coq checks: which they are, and that mistakes are noticed."""

import json
import re
import shutil

import pytest

from tools import proofs

FILES = sorted(proofs.FOLDER.glob("*.v"))
AXIOMS = {
    "classic",
    "functional_extensionality_dep",
    "sig_forall_dec",
    "sig_not_dec",
}
needs_coq = pytest.mark.skipif(not shutil.which("coqc"), reason=proofs.MISSING)


def test_every_theorem_of_the_book_is_checked_or_listed_with_the_reason():
    checked = {one.label for one in proofs.statements()}
    assert proofs.boxes().keys() == checked | proofs.unchecked().keys()


def test_what_is_not_checked_of_a_checked_box_is_said_as_a_part():
    for label in {one.label for one in proofs.statements()} & proofs.unchecked().keys():
        assert not proofs.unchecked()[label].startswith("all of it")


def test_a_file_has_the_name_of_the_chapter_of_its_theorems():
    chapter = proofs.boxes()
    wrong = [
        one for one in proofs.statements() if one.file != f"{chapter[one.label]}.v"
    ]
    assert not wrong


def test_a_box_defines_the_words_of_its_statement():
    shown = {one.name: proofs.definitions(one) for one in proofs.statements()}
    for name, begins in {
        "halving_bound": "Definition halving ",
        "no_regret": "Fixpoint expected_mistakes ",  # in a section that is closed
        "winnow_r_attribute_errors": "Definition attribute_errors ",  # of another file
        "without_a_margin": "Definition point ",
        "kernel_perceptron_convergence": "Hypothesis inner_product ",  # assumed there
    }.items():
        assert any(one.startswith(begins) for one in shown[name]), name
    assert not any(
        one.startswith("Definition consistent") for one in shown["halving_bound"]
    )
    assert not any("penalty" in one for one in shown["no_regret"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_proof_leaves_nothing_out_and_fits_the_page(path):
    text = path.read_text("utf-8")
    assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Abort)\b", text)
    assert max(map(len, text.splitlines())) <= 100


def test_what_is_stored_of_the_theorems_is_what_stands_in_the_files():
    stored = json.loads(proofs.STORED.read_text("utf-8"))
    found = {one.name: (one.label, one.file) for one in proofs.statements()}
    assert {name: (one["box"], one["file"]) for name, one in stored.items()} == found
    assert {axiom for one in stored.values() for axiom in one["axioms"]} <= AXIOMS


# --- with Coq -------------------------------------------------------------------------

PLANTED = {
    "game": [("plus => 1 | minus => -1", "plus => 1 | minus => -2")],
    "facts": [("z + z ^ 2.", "z + z ^ 3.")],
    "online_game": [
        ("<= n - 1)%nat", "<= n - 2)%nat"),
        ("Nat.log2 n)", "Nat.log2 n - 1)"),
    ],
    "weighted_majority": [
        ("1 - eta * loses (x i) y", "1 - eta * (1 - loses (x i) y)"),
        ("<= 2 * (1 + eta) * m +", "<= (1 + eta) * m +"),
    ],
    "randomized_weighted_majority": [
        ("+ ln (INR n)) / eta\n", "+ ln (INR n)) / 2 / eta\n")
    ],
    "linear_classifiers": [("xorb x1 x2", "orb x1 x2")],
    "perceptron": [
        ("then add w (rate * y) x", "then add w (- rate * y) x"),
        ("<= radius ^ 2 / margin ^ 2.", "<= radius ^ 2 / margin ^ 2 / 2."),
    ],
    "nonseparable": [
        ("((radius + sqrt D2) / margin) ^ 2.", "(radius / margin) ^ 2."),
        ("0 < y * (a - theta) ->", "0 < y * (theta - a) ->"),
    ],
    "kernel_perceptron": [("(number y, x) :: kept", "(- number y, x) :: kept")],
    "winnow": [
        ("minus, true => 1 / 2", "minus, true => 1 / 3"),
        ("3 * k * L - 2 * k.", "3 * k * L - 2 * k - 1."),
        ("Rle_dec theta s", "Rlt_dec theta s"),
        ("3 * (k * L + A) - 2 * k.", "3 * (k * L + A) - 2 * k - 1."),
        ("INR a - INR b) - k - 2.", "INR a - INR b) - k - 3."),
    ],
    "winnow_r": [("(1 / 2)\n    else w", "(1 / 4)\n    else w")],
    "normalized_winnow": [
        ("1 / INR n;", "1;"),
        ("<= 2 * k ^ 2 * ln (INR n / k).", "<= k ^ 2 * ln (INR n / k)."),
    ],
    "balanced_winnow": [("exp (- (eta * (y * x i))) / Z", "exp (eta * (y * x i)) / Z")],
    "perceptron_vs_winnow": [("<= INR n * k.", "<= INR n.")],
    "one_proof": [("<= M * c\n", "<= M * c / 2\n")],
    "thick_separator": [
        ("(8 * thickness * margin ^ 2)).", "(9 * thickness * margin ^ 2)).")
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A folder in which all files have been checked."""
    folder = tmp_path_factory.mktemp("proofs")
    fresh = proofs.check(folder)
    return folder, fresh


@needs_coq
@pytest.mark.slow
def test_coq_accepts_every_file_and_the_axioms_are_those_stored(compiled):
    assert compiled[1] == json.loads(proofs.STORED.read_text("utf-8"))


def test_a_mistake_is_planted_in_every_file():
    assert PLANTED.keys() == {path.stem for path in FILES}


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [(name, *pair) for name, pairs in PLANTED.items() for pair in pairs],
)
def test_a_planted_mistake_is_rejected(name, old, new, compiled, tmp_path):
    folder = shutil.copytree(compiled[0], tmp_path / "proofs")
    text = (folder / f"{name}.v").read_text("utf-8")
    assert old in text
    (folder / f"{name}.v").write_text(text.replace(old, new, 1), "utf-8")
    later = proofs.order()[proofs.order().index(name) :] if name == "game" else [name]
    said = "".join(proofs.coq("coqc", folder, f"{one}.v").stderr for one in later)
    assert "Error" in said
    assert "Syntax error" not in said
