"""How fast `olc` is, side by side with its peers: `python -m bench`."""

import tools  # noqa: F401, it gives BLAS one thread, before numpy is imported
