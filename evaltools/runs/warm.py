"""Preparation after installation: compile the kernels and score the sample, so that later starts are fast.

Run as ``python -m evaltools.runs.warm``.
"""

from __future__ import annotations

__all__ = ["warm_kernels"]


def warm_kernels() -> None:
    """Compile the kernels, or load them from the cache; seconds the first time, half a second later."""
    import evaltools.kernels.bracket_lines
    import evaltools.kernels.bracket_reader
    import evaltools.kernels.brackets
    import evaltools.kernels.filtering
    import evaltools.kernels.rankings
    import evaltools.kernels.repairs.moves
    import evaltools.kernels.repairs.repair
    import evaltools.kernels.repairs.repair_counts
    import evaltools.kernels.trees.lineages
    import evaltools.kernels.trees.tree_distance
    import evaltools.kernels.word_alignment
    import evaltools.kernels.word_places  # noqa: F401 - importing a kernel compiles it


def main() -> None:
    """Compile the kernels and score the sample."""
    # not among the others, because few users need them
    import evaltools.kernels.sentence_alignment
    import evaltools.kernels.trees.span_trees
    import evaltools.kernels.trees.yields  # noqa: F401 - importing a kernel compiles it
    from evaltools.runs.sample import sample_run

    warm_kernels()
    sample_run()


if __name__ == "__main__":
    main()
