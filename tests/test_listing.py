"""The code that the chapters show: it is the source, without its docstrings."""

import ast
import inspect
import textwrap

import pytest

import olc
from olc.listing import Listing


def test_a_listing_is_the_source_without_docstrings():
    code = str(Listing(olc.Perceptron))
    assert ast.get_docstring(ast.parse(code).body[0]) is None
    assert "return state + self.rate * y * x" in code
    assert '"""' not in code


@pytest.mark.parametrize("thing", [olc.Winnow, olc.perceptron.mistake_bound, olc.play])
def test_nothing_but_the_docstrings_is_left_out(thing):
    def bare(source):
        tree = ast.parse(textwrap.dedent(source))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                node.body = node.body[ast.get_docstring(node) is not None :]
        return ast.dump(tree)

    assert bare(str(Listing(thing))) == bare(inspect.getsource(thing))


def test_a_body_that_is_only_a_docstring_keeps_it():
    def nothing():
        """Do nothing."""

    assert str(Listing(nothing)) == 'def nothing():\n    """Do nothing."""'


def test_several_things_stand_two_lines_apart_as_one_block_of_python():
    both = Listing(olc.Perceptron._step, olc.NormalizedWinnow._step)
    assert str(both).count("def _step") == 2
    assert "\n\n\ndef _step" in str(both)
    assert both._repr_markdown_() == f"```python\n{both}\n```"
