"""Compilation of the kernels ahead, after installation.

``python -m evaltools.runs.warm`` does that, and scores the sample.
"""

from __future__ import annotations

import io

import numpy as np

_GOLD = ["(S (NP (N dogs)) (VP (V bark) (ADV loudly)))", "(S (N cats) (V can) (V not))"]
_TEST = ["(S (NP (N dogs) (V bark)) (ADV loudly))", "(S (N cats) (V cannot))"]

_DEPENDENCIES = b"1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def warm() -> None:
    """Compile the kernels that most runs and pages need, or load them."""
    from evaltools.kernels.rankings import count_inversions
    from evaltools.runs.scoring import evaluate

    evaluate(_GOLD, _TEST)
    dependencies = 2_000 * _DEPENDENCIES  # only a large file is read by a kernel
    evaluate(io.BytesIO(dependencies), io.BytesIO(dependencies))
    count_inversions(np.array([1, 0]), 2)


def main() -> None:
    """Compile the kernels and score the sample."""
    from evaltools.runs.sample import sample_run

    warm()
    sample_run()


if __name__ == "__main__":
    main()
