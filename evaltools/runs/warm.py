"""Preparation after installation: compile the kernels and score the sample, so that later starts are fast.

Run as ``python -m evaltools.runs.warm``.
"""

from __future__ import annotations

from evaltools.runs.compilation import warm_kernels


def main() -> None:
    """Compile the kernels and score the sample."""
    # not among the others, because few users need them
    from evaltools.kernels.sentence_alignment import extend, fill_gaps, longest_increasing, slide
    from evaltools.kernels.sentence_sketches import describe_sentences, weights
    from evaltools.kernels.trees.span_trees import build_span_trees
    from evaltools.kernels.trees.yields import find_yields, split_yields
    from evaltools.runs.sample import sample_run

    warm_kernels()
    alignment = [longest_increasing, extend, fill_gaps, slide, describe_sentences, weights]
    for kernel in [*alignment, build_span_trees, find_yields, split_yields]:
        kernel.load()
    sample_run()


if __name__ == "__main__":
    main()
