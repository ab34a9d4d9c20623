"""Compilation of the kernels: those that are needed together are compiled together, on two processors."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from evaltools.kernels.compiling import Kernel, compiling_with

__all__ = ["compile_second_half", "compiling_together", "not_kept", "warm_kernels"]

_NOTE = "compiling the kernels, once after installation: about {} seconds"
_PROGRAM = (
    "import sys; sys.path.append(sys.argv[1]);"
    "from evaltools.runs import compilation as c; c.compile_second_half(sys.argv[2] == 'trees')"
)


def _tree_kernels() -> tuple[list[Kernel], list[Kernel]]:
    """Return the kernels that most scoring of constituency trees needs, in halves that take equally long to compile."""
    from evaltools.kernels.bracket_lines import cut_sentences, measure_lines
    from evaltools.kernels.bracket_reader import read_brackets
    from evaltools.kernels.brackets import match_brackets
    from evaltools.kernels.filtering import filter_nodes, same_words
    from evaltools.kernels.repairs.moves import find_moves
    from evaltools.kernels.repairs.repair_counts import count_repairs
    from evaltools.kernels.string_table import rehash
    from evaltools.kernels.trees.lineages import compare_lineages
    from evaltools.kernels.trees.tree_distance import align_trees

    reading = [read_brackets, measure_lines, cut_sentences, rehash, filter_nodes, same_words]
    return [count_repairs, match_brackets, find_moves], [*reading, align_trees, compare_lineages]


def _usual_kernels() -> tuple[list[Kernel], list[Kernel]]:
    """Return the kernels that most runs and pages need, in halves."""
    from evaltools.kernels.dependency_reader import read_dependencies
    from evaltools.kernels.graph_matching import match_nodes
    from evaltools.kernels.rankings import code_values, count_inversions, place_codes
    from evaltools.kernels.repairs.repair import repair_steps
    from evaltools.kernels.string_table import number_strings
    from evaltools.kernels.trees.lineages import compare_relation_lineages
    from evaltools.kernels.universal_words import align_left_words, align_universal_words
    from evaltools.kernels.word_alignment import align_symbols, align_words
    from evaltools.kernels.word_places import place_words

    first, second = _tree_kernels()
    words = [align_words, align_symbols, place_words, align_universal_words, align_left_words]
    dependencies = [read_dependencies, number_strings, compare_relation_lineages]
    rankings = [code_values, count_inversions, place_codes]
    return [*first, repair_steps, match_nodes], [*second, *words, *dependencies, *rankings]


def warm_kernels() -> None:
    """Compile the kernels that most runs and pages need, or load them; seconds the first time, half a second later."""
    _compile(trees_only=False)


def compile_second_half(trees_only: bool) -> None:
    """Compile the kernels of the second half, in a process of its own."""
    _, second = _tree_kernels() if trees_only else _usual_kernels()
    for kernel in second:
        kernel.load()


def _compile(trees_only: bool) -> None:
    first, second = _tree_kernels() if trees_only else _usual_kernels()
    with _other_processor(second, trees_only):
        for kernel in first:
            kernel.load()
    for kernel in second:
        kernel.load()


@contextmanager
def _other_processor(kernels: list[Kernel], trees_only: bool) -> Iterator[None]:
    """Compile kernels in another process if they are not in the cache, and wait for it at the end."""
    if (os.cpu_count() or 1) < 2 or all(kernel.is_cached() for kernel in kernels):
        yield
        return
    folder = str(Path(__file__).parents[2])
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM, folder, "trees" if trees_only else "usual"],
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
    """If a kernel is compiled meanwhile, note it, and compile all that trees need if it is one of those."""
    compiled: list[Kernel] = []

    def compile_others(kernel: Kernel) -> None:
        compiled.append(kernel)
        first, second = _tree_kernels()
        for_trees = kernel in first or kernel in second
        if note is not None:
            note(_NOTE.format(10 if for_trees else 5))
        if for_trees:
            _compile(trees_only=True)

    with compiling_with(compile_others):
        yield
    if compiled and note is not None:
        from evaltools.kernels.machine_code import obstacles  # loads numba

        for line in not_kept(obstacles):
            note(line)


def not_kept(obstacles: Mapping[str, str]) -> list[str]:
    """Return a line for each reason why machine code could not be kept in folders, with what they are in.

    Examples
    --------
    >>> not_kept({"cache/a": "disk full", "cache/b": "disk full"})
    ['the compiled kernels are not kept: cache: disk full']
    """
    folders: dict[str, list[str]] = {}
    for folder, reason in obstacles.items():
        folders.setdefault(reason, []).append(folder)
    return [
        f"the compiled kernels are not kept: {os.path.commonpath(names)}: {reason}" for reason, names in folders.items()
    ]
