"""Compilation of the kernels: those that most runs need are compiled together, on two processors."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from evaltools.kernels.compiling import Kernel, compiling_with

__all__ = ["compile_second_half", "compiling_together", "warm_kernels"]

_NOTE = "compiling the kernels, once after installation: about 20 seconds"
_PROGRAM = (
    "import sys; sys.path.append(sys.argv[1]); from evaltools.runs import compilation as c; c.compile_second_half()"
)


def _first_half() -> list[Kernel]:
    """Return half of the kernels that most runs need: what takes as long to compile as the others."""
    from evaltools.kernels.bracket_lines import cut_sentences, measure_lines
    from evaltools.kernels.bracket_reader import read_brackets
    from evaltools.kernels.brackets import match_brackets
    from evaltools.kernels.repairs.repair_counts import count_repairs
    from evaltools.kernels.string_table import rehash

    return [count_repairs, read_brackets, rehash, match_brackets, cut_sentences, measure_lines]


def _second_half() -> list[Kernel]:
    """Return the other half."""
    from evaltools.kernels.dependency_reader import read_dependencies
    from evaltools.kernels.filtering import filter_nodes, same_words
    from evaltools.kernels.graph_matching import match_nodes
    from evaltools.kernels.rankings import code_values, count_inversions, place_codes
    from evaltools.kernels.repairs.moves import find_moves
    from evaltools.kernels.string_table import number_strings
    from evaltools.kernels.trees.lineages import compare_lineages, compare_relation_lineages
    from evaltools.kernels.trees.tree_distance import align_trees
    from evaltools.kernels.universal_words import align_universal_words
    from evaltools.kernels.word_alignment import align_symbols, align_words
    from evaltools.kernels.word_places import place_words

    trees = [align_trees, align_words, align_symbols, find_moves, compare_lineages, compare_relation_lineages]
    return [
        *trees,
        read_dependencies,
        number_strings,
        align_universal_words,
        filter_nodes,
        same_words,
        place_words,
        code_values,
        count_inversions,
        place_codes,
        match_nodes,
    ]


def warm_kernels() -> None:
    """Compile the kernels that most runs need, or load them; seconds the first time, half a second later."""
    first, second = _first_half(), _second_half()
    with _other_processor(second):
        for kernel in first:
            kernel.load()
    for kernel in second:
        kernel.load()


def compile_second_half() -> None:
    """Compile the kernels of the second half, in a process of its own."""
    for kernel in _second_half():
        kernel.load()


@contextmanager
def _other_processor(kernels: list[Kernel]) -> Iterator[None]:
    """Compile kernels in another process if they are not in the cache, and wait for it at the end."""
    if (os.cpu_count() or 1) < 2 or all(kernel.is_cached() for kernel in kernels):
        yield
        return
    folder = str(Path(__file__).parents[2])
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM, folder],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:  # no further process can be started; this one compiles all
        yield
        return
    try:
        yield
        process.wait()
    finally:
        process.kill()
        process.wait()


@contextmanager
def compiling_together(note: Callable[[str], None] | None) -> Iterator[None]:
    """If a kernel is compiled meanwhile, note it, and compile all that most runs need, unless they are cached."""

    def compile_all(_: Kernel) -> None:
        if all(kernel.is_cached() for kernel in [*_first_half(), *_second_half()]):
            return
        if note is not None:
            note(_NOTE)
        warm_kernels()

    with compiling_with(compile_all):
        yield
