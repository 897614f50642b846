"""Right and wrong uses of the public names, which `test_typing` gives to mypy.

Where a line is wrong, it says so: what follows ``# error:`` is in mypy's own words.
"""

from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import olc
from olc import Linear, above, parameter
from olc.core.learner import hints

stream = olc.Stream([[1.0, 2.0]], [1])

assert_type(olc.Perceptron(3), olc.Perceptron)
assert_type(olc.Perceptron(n=3, rate=0.5).rate, float)
assert_type(olc.play(olc.Winnow(4, alpha=2, threshold=3), stream), olc.Trace)
assert_type(olc.play(olc.PNormPerceptron(2), stream).mistakes, int)
assert_type(olc.MarginPerceptron(2, thickness=1).replaced(n=3), olc.MarginPerceptron)
assert_type(olc.KernelPerceptron().rounds, int)
assert_type(olc.RandomizedWeightedMajority(3, eta=0.1, seed=1).seed, int)
olc.duel(olc.Perceptron(1), lambda learner: ([1.0], -1), rounds=3)

olc.Perceptron("three")  # error: incompatible type "str"; expected "int"
olc.Perceptron(3, rat=1)  # error: argument "rat" for "Perceptron"; did you mean "rate"?
olc.Perceptron(3, 0.5)  # error: Too many positional arguments for "Perceptron"
olc.Perceptron(3, rounds=7)  # error: Unexpected keyword argument "rounds"
olc.Perceptron(3, threshold=7)  # error: Unexpected keyword argument "threshold"
olc.Winnow(4, alfa=2)  # error: Unexpected keyword argument "alfa" for "Winnow"
olc.MarginPerceptron(3)  # error: Missing named argument "thickness"
olc.WeightedMajority(eta=0.5)  # error: Missing positional argument "n"
olc.play(olc.Perceptron, stream)  # error: incompatible type "type[Perceptron]"
print(olc.play(olc.Perceptron(2), stream).rounds)  # error: no attribute "rounds"


class Forget(Linear):
    """A learner of one's own, with a parameter."""

    keep: float = parameter(above(0), default=1.0)

    def step(self, w: NDArray[np.float64], x: NDArray[np.float64], y: int) -> object:
        """Return the weights after a mistake."""
        return self.keep * w + y * x


@hints(coordinatewise=True)
class Hinted(Forget):
    """One that says how it moves."""


assert_type(Hinted(3, keep=0.5), Hinted)
Forget(3, kep=0.5)  # error: "kep" for "Forget"; did you mean "keep"?
Hinted()  # error: Missing positional argument "n" in call to "Hinted"
hints(coordinatewise="yes")  # error: incompatible type "str"; expected "bool"
