"""Runs across frameworks as they are stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from evaltools.corpus import Dependencies, Treebank
from evaltools.errors import RunError
from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
from evaltools.frameworks.crossframework.experiments import stored_sources, tedeval_figures
from evaltools.frameworks.crossframework.function_columns import FunctionVocabulary
from evaltools.frameworks.crossframework.function_conversion import corpus_functions
from evaltools.frameworks.crossframework.projectivization import projectivize
from evaltools.frameworks.crossframework.sentence_trees import conversion_of, read_corpus, sentence_trees
from evaltools.frameworks.crossframework.tedeval import Overlaps
from evaltools.frameworks.crossframework.theories import enriched
from evaltools.frameworks.stored import Count, NoteTable, StoredRun, StoredRuns, mismatch

if TYPE_CHECKING:
    from evaltools.corpus import DependencyTree, Tree
    from evaltools.frameworks.constituency.aligned_trees import Alignment
    from evaltools.frameworks.experiments import Figure, Sources
    from evaltools.frameworks.stored import AnyTree
    from evaltools.progress import Progress

__all__ = ["CrossFrameworkRuns"]


class _Options(msgspec.Struct):
    label_map: list[tuple[str, str]]
    tl_unify: list[tuple[str, str]]
    free_labels: list[tuple[str, str]]
    count_root: bool
    projectivize: bool = False  # not in version 0.2.0


class _Theory(msgspec.Struct):
    theory: str


class _Overlap(msgspec.Struct):
    unlabelled: float | None
    labelled: float | None


class _Projectivized(msgspec.Struct):
    golds: dict[str, Count]
    parsers: dict[str, Count]


class _Meta(msgspec.Struct):
    options: _Options
    golds: list[_Theory]
    parsers: list[_Theory]
    overlap: dict[str, _Overlap]
    projectivized: _Projectivized | None = None


class CrossFrameworkRuns(StoredRuns):
    """Runs across frameworks."""

    def meta_problem(self, meta: dict[str, Any]) -> str:
        """Return the first problem with theories, options, overlap, or the numbers of trees made projective."""
        if problem := mismatch(meta, _Meta):
            return problem
        theories = {entry["theory"] for entry in meta["golds"]}
        missing = [entry["theory"] for entry in meta["parsers"] if entry["theory"] not in theories]
        return f"it has no gold treebank of theory {missing[0]!r}" if missing else ""

    def read_tree(self, text: str, notation: str) -> Tree | DependencyTree:
        """Return a tree from its text."""
        return read_corpus(text, notation).tree(0)

    def align(self, run: StoredRun, gold: AnyTree | None, test: AnyTree | None) -> Alignment:
        """Raise an error: trees of several frameworks are compared step by step."""
        raise RunError("a run across frameworks has no alignments; run.protocol() shows a sentence step by step")

    def protocol(
        self, run: StoredRun, sentence: int, parser: str, *, multiple: bool, labelled: bool
    ) -> TedEvalProtocol:
        """Return every step of TedEval on a sentence."""
        return sentence_trees(run, sentence, parser).protocol(multiple=multiple, labelled=labelled)

    def part_figures(self, run: StoredRun, sentences: Sequence[int]) -> dict[str, Any]:
        """Return what the gold treebanks have in common, and how many trees were made projective."""
        rows = run.query(
            "select sentence, theory, tree, notation from golds where sentence in (select unnest(?::integer[]))",
            [list(sentences)],
        )
        conversion = conversion_of(run.meta)
        overlaps = Overlaps(run.theories, count_root=conversion.count_root)
        projectivized = {"golds": dict.fromkeys(run.theories, 0), "parsers": dict.fromkeys(run.parsers, 0)}
        for _, of_sentence in rows.groupby("sentence"):
            vocabulary = FunctionVocabulary()
            golds = {}
            for _, theory, tree, notation in of_sentence.itertuples(index=False):
                trees = read_corpus(tree, notation)
                projectivized["golds"][theory] += _is_changed(trees)
                golds[theory] = corpus_functions(trees, vocabulary, conversion.label_map)
            overlaps.add(enriched(golds, conversion.unified(run.theories)))
        shares = overlaps.shares()
        if "projectivized" not in run.meta:  # a run of version 0.2.0
            return {"overlap": shares}
        if not conversion.projectivize:
            return {"overlap": shares, "projectivized": None}
        parses = run.query(
            "select parser, tree, notation from trees where parser is not null and tree is not null "
            "and notation in ('conllu', 'conllx') and sentence in (select unnest(?::integer[]))",
            [list(sentences)],
        )
        for parser, tree, notation in parses.itertuples(index=False):
            projectivized["parsers"][parser] += _is_changed(read_corpus(tree, notation))
        return {"overlap": shares, "projectivized": projectivized}

    def sources(self, run: StoredRun) -> Sources:
        """Return the trees of all theories and parsers as files."""
        return stored_sources(run)

    def experiments(self, run: StoredRun, sources: Sources, progress: Progress) -> Iterable[Figure]:
        """Compute TedEval against every gold treebank, and against what every two and all have in common."""
        return tedeval_figures(run, sources, progress)

    def note_tables(self, run: StoredRun, parsers: Sequence[str]) -> list[NoteTable]:
        """Return how much the theories have in common."""
        rows: list[tuple[str | float | None, ...]] = [
            (pair, shares["unlabelled"], shares["labelled"]) for pair, shares in run.meta["overlap"].items()
        ]
        headings = ("theories", "unlabeled", "labeled")
        return [NoteTable("Overlap of the theories: 1 − |A △ B| / (|A| + |B|)", headings, rows)] if rows else []


def _is_changed(trees: Treebank | Dependencies) -> bool:
    """Return whether the tree of a corpus of one sentence is made projective."""
    return isinstance(trees, Dependencies) and bool(projectivize(trees)[1].any())
