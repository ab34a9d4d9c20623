"""Getting ready: compile the kernels and score the sample, so that later starts are quick.

Run as ``python -m evaltools.runs.warm``.
"""

from __future__ import annotations

__all__ = ["warm_kernels"]


def warm_kernels() -> None:
    """Compile the kernels, or load them from the cache; seconds the first time, half a second later."""
    from evaltools.kernels import (  # noqa: F401 - importing compiles
        bracket_lines,
        bracket_reader,
        brackets,
        filtering,
        lineages,
        moves,
        rankings,
        relation_lineages,
        repair,
        tree_distance,
        word_alignment,
        word_places,
    )


def main() -> None:
    """Warm everything."""
    from evaltools.kernels import (  # noqa: F401 - of use to some only, so they are not among the others
        sentence_alignment,
        span_trees,
        yields,
    )
    from evaltools.runs.sample import sample_run

    warm_kernels()
    sample_run()


if __name__ == "__main__":
    main()
