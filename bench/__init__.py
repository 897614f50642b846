"""How fast `olc` is, side by side with its peers: `make bench`, or `python -m bench`.

CPU time with one BLAS thread; the contestants of a case take turns, and the best of
several turns counts. `RESULTS.md` holds the last full run.
"""

import os

# Before numpy is imported: BLAS reads these once.
for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
