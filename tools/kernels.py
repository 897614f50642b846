"""Compile the kernels that games ask for, so that no reader waits for them."""

from __future__ import annotations

import os
from importlib.util import find_spec

import numpy as np
from scipy.sparse import csr_array

import olc


def main() -> None:
    """Play a small game for each kind of examples."""
    os.environ["OLC_GEAR"] = "compiled"
    for kind in (np.int8, np.uint8, np.int64, np.float32, np.float64):
        rows = np.ones((2, 2), kind)
        olc.play(olc.Perceptron(2), rows, [1, 1])
        olc.play(olc.Perceptron(2), csr_array(rows), [1, 1])
    olc.play(olc.WeightedMajority(2, eta=0.5), rows, [1, 1])


if __name__ == "__main__" and find_spec("numba"):  # which not every machine has
    main()
