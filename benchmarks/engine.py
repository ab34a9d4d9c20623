"""All that the benchmark calls in evaltools, in one place."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import evaltools
from evaltools.formats import read_treebank
from evaltools.metrics import bracketing as e_metric
from evaltools.metrics import leaf_ancestor as la_metric
from evaltools.metrics import tree_distance as t_metric
from evaltools.treebank import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.generate import Corpus
    from evaltools.runs import Run
    from evaltools.treebank import Treebank


def score_command(files: Corpus, run: Path) -> list[str]:
    """Return the command that scores the parsers' files against the gold file and writes a run."""
    program = "import sys; from evaltools.cli import main; sys.exit(main())"
    answers = [f"{name}={path}" for name, path in files.parsers.items()]
    return [sys.executable, "-c", program, "score", str(files.gold), *answers, "-o", str(run), "--force"]


def read(files: Corpus) -> tuple[Treebank, dict[str, Treebank]]:
    """Read the gold file and the parsers' files into columns."""
    vocabulary = Vocabulary()
    gold = read_treebank(files.gold, "ptb", vocabulary)
    return gold, {name: read_treebank(path, "ptb", vocabulary) for name, path in files.parsers.items()}


def bracketing(gold: Treebank, test: Treebank) -> object:
    """Count the brackets of every sentence, roof and whole, labelled and not."""
    return e_metric.count(gold, test)


def tree_distance(gold: Treebank, test: Treebank) -> Sequence[int]:
    """Return the tree distance of every sentence, the canonical mapping computed as well."""
    counts = t_metric.count(gold, test)
    return (counts["t_deleted"] + counts["t_inserted"] + counts["t_swapped"]).tolist()


def leaf_ancestor(gold: Treebank, test: Treebank) -> Sequence[float]:
    """Return the strict leaf-ancestor score of every sentence."""
    counts = la_metric.count(gold, test)
    return (counts["la_strict_sum"] / counts["la_words"]).tolist()


def scored(files: Corpus) -> Run:
    """Return a scored run, to be written again."""
    return evaltools.score(files.gold, dict(files.parsers))


def write(run: Run, folder: Path) -> None:
    """Write a run to a folder."""
    run.save(folder, force=True)
