"""Comparing parsers of different theories and frameworks: gold treebanks and parser outputs in, a run out."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import evaltools
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.metrics import metrics_of
from evaltools.metrics.function_columns import FunctionColumns, FunctionVocabulary
from evaltools.metrics.projectivization import projectivize as projectivize_trees
from evaltools.metrics.tedeval import TedEval, overlap_counts
from evaltools.metrics.tedeval2011 import TedEval2011
from evaltools.runs.crossframework_tables import Refusals, chunk_tables, golds_table, tree_rows
from evaltools.runs.kinds import SCHEMA
from evaltools.runs.paired_stream import GoldIds, PairedStream
from evaltools.runs.pairing_lines import pairing_lines
from evaltools.runs.parts import part_name
from evaltools.runs.passes import Progress
from evaltools.runs.projectivized import Projectivized
from evaltools.runs.provenance import source_entry
from evaltools.runs.store import Run
from evaltools.runs.tables import problems_table
from evaltools.runs.theories import AnySource, Conversion, TheoryStream, convert, enriched
from evaltools.runs.writer import RunWriter
from evaltools.treebank import Dependencies, Treebank, Vocabulary

__all__ = ["crossframework"]

_SENTENCES_PER_CHUNK = 4096
_RULES = """\
Every tree becomes a function tree: a dependency's words with their relation, and the head by itself as hd; a
constituent with its functions (NP-SBJ: SBJ), or without any. Chains over the same words become one node with all their
functions. Single: against the parser's own gold. Multiple: against what all gold treebanks have in common."""


def crossframework(
    golds: Mapping[str, AnySource],
    parsers: Mapping[str, tuple[str, AnySource]],
    *,
    out: str | os.PathLike[str] | None = None,
    label_map: Mapping[str, str] | None = None,
    tl_unify: Sequence[tuple[str, str]] = (),
    count_root: bool = True,
    free_labels: Iterable[tuple[str, str]] = (),
    projectivize: bool = True,
    force: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Compare parsers of different theories and frameworks on the same sentences by TedEval.

    Parameters
    ----------
    golds : mapping of str to path or binary file
        A gold treebank for each theory, of any format. Files of CoNLL-U whose sentences all have ids (``# sent_id``)
        are paired by them; else sentence i is the same in all.
    parsers : mapping of str to (str, path or binary file)
        For each parser's name the theory it follows and its output, paired with the gold sentences in the same way.
    out : path, optional
        Folder of the run; a temporary one if not given, which goes with the returned object.
    label_map : mapping of str to str, optional
        Labels to put in the place of others, in all trees.
    tl_unify : sequence of (str, str)
        Pairs of theories: gold trees of the first get the labels of gold trees of the second over the same words.
    count_root : bool
        Whether the node over the whole sentence counts (2012; in the figures of 2011 it never does).
    free_labels : iterable of (str, str)
        Pairs of labels that the figures of 2011 take for the same, in either order.
    projectivize : bool
        Whether dependency trees are made projective for the figures of 2011 (Nivre and Nilsson 2005: the shortest
        non-projective arc is lifted until there is none). If not, these are undefined where a tree is not projective.
        The figures of 2012 take all trees as they are.
    force : bool
        Whether to replace an older run at `out`.
    progress : Progress, optional
        Is told how far the work is, and can stop it.

    Returns
    -------
    Run
        Of kind ``"crossframework"``. Parsers whose trees carry no functions have no labelled figures.

    Raises
    ------
    InputError
        If a file cannot be read, or the first gold file has no trees.
    ParameterError
        If a parser follows a theory without gold, or `tl_unify` names one.
    RunError
        If the run cannot be written.

    References
    ----------
    R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012.
    """
    _check(golds, parsers, tl_unify)
    free = tuple(sorted((one, other) for one, other in free_labels))
    conversion = Conversion(dict(label_map or {}), tuple(tl_unify), count_root, free, projectivize)
    progress = progress or Progress()
    temporary = tempfile.TemporaryDirectory(prefix="evaltools-") if out is None else None
    place = Path(temporary.name) / "run" if temporary is not None else Path(os.fspath(out or ""))
    writer = RunWriter(place, force=force)
    try:
        sides = [TheoryStream.open(theory, theory, source) for theory, source in golds.items()]
        tests = [TheoryStream.open(name, theory, source) for name, (theory, source) in parsers.items()]
        work = _Work(sides, tests, conversion, writer, progress)
        writer.finish(work.run())
    except BaseException:
        writer.abandon()
        raise
    return Run(place, temporary)


def _check(
    golds: Mapping[str, AnySource], parsers: Mapping[str, tuple[str, AnySource]], tl_unify: Sequence[tuple[str, str]]
) -> None:
    if not golds:
        raise ParameterError("no gold treebank given; at least one is needed, as THEORY=FILE")
    if not parsers:
        raise ParameterError("no parser given; at least one output is needed, as NAME:THEORY=FILE")
    for name in (*golds, *parsers):
        if not name or not name.isprintable():
            raise ParameterError(f"a name must be printable text: {name!r}")
    for theory in (*(theory for theory, _ in parsers.values()), *(one for pair in tl_unify for one in pair)):
        if theory not in golds:
            raise ParameterError.unknown("theory", theory, golds)
    for one, other in tl_unify:
        if one == other:
            raise ParameterError(f"{one} cannot be unified with itself")


class _Work:
    def __init__(
        self,
        golds: Sequence[TheoryStream],
        parsers: Sequence[TheoryStream],
        conversion: Conversion,
        writer: RunWriter,
        progress: Progress,
    ) -> None:
        self.golds, self.parsers, self.conversion = golds, parsers, conversion
        self.writer, self.progress = writer, progress
        self.gold_ids = GoldIds()
        first = golds[0].stream
        self.gold_readers = {gold.theory: PairedStream(gold.stream, first, self.gold_ids) for gold in golds[1:]}
        self.readers = {parser.name: PairedStream(parser.stream, first, self.gold_ids) for parser in parsers}
        self.theories = [gold.theory for gold in golds]
        self.statuses = {parser.name: np.zeros(4, dtype=np.int64) for parser in parsers}
        self.labelled: dict[str, bool] = {}
        self.refused_golds = [Refusals(gold.stream.name, None) for gold in golds]
        self.refused = {parser.name: Refusals(parser.stream.name, parser.name) for parser in parsers}
        self.projectivized: Projectivized = {
            "golds": dict.fromkeys(self.theories, 0),
            "parsers": {parser.name: 0 for parser in parsers},
        }
        self.overlaps: dict[tuple[str, str], dict[str, tuple[int, int]]] = {}
        self.n_problems = 0

    def run(self) -> dict[str, Any]:
        """Read, score and write chunk by chunk; return what ``meta.json`` says."""
        first = self.golds[0]
        number, any_words = 0, False
        while True:
            self.progress.at("reading")
            trees = first.stream.read(_SENTENCES_PER_CHUNK, Vocabulary(), drop_blank_end=True)
            if not len(trees):
                break
            any_words = any_words or bool((trees.n_words > 0).any())
            share = first.stream.share_read
            if share:
                self.progress.total = round(first.stream.n_read * len(self.parsers) / share)
            self._chunk(number, trees)
            number += 1
        if not any_words:
            raise InputError(
                Problem("empty", first.stream.name, None, None, "no tree", "a gold file with at least one tree")
            )
        self.progress.at("writing")
        problems = [problem for reader in self.gold_readers.values() for problem in reader.finish(None)]
        problems += [problem for name, reader in self.readers.items() for problem in reader.finish(name)]
        if any(reader.has_ids for reader in (*self.gold_readers.values(), *self.readers.values())):
            problems += self.gold_ids.problems()
        problems += [problem for one in (*self.refused_golds, *self.refused.values()) for problem in one.problems()]
        problems += [self._no_functions(parser) for parser in self.parsers if not self.labelled[parser.name]]
        self.writer.write("problems", "files", problems_table(problems))
        meta = self._meta(self.n_problems + len(problems))
        if self.progress.note is not None:
            for line in pairing_lines(meta):
                self.progress.note(line)
        return meta

    def _chunk(self, number: int, trees: Treebank | Dependencies) -> None:
        n = len(trees)
        vocabulary = FunctionVocabulary()
        native = {self.theories[0]: trees}
        self.gold_ids.note(self.golds[0].stream, trees)
        native |= {theory: reader.read(n, Vocabulary(), is_gold=True) for theory, reader in self.gold_readers.items()}
        golds = self._converted(native, vocabulary)
        stars = self._converted(native, vocabulary, wildcard=True)
        refused: NDArray[np.uint8] | None = None
        for one, other in combinations(self.theories, 2):
            counts = overlap_counts(golds[one], golds[other], count_root=self.conversion.count_root)
            before = self.overlaps.get((one, other), {})
            self.overlaps[one, other] = {
                labels: tuple(np.add(before.get(labels, (0, 0)), found).tolist()) for labels, found in counts.items()
            }
        name = part_name(number)
        self._write("trees", name, tree_rows(None, trees))
        self._write("golds", name, golds_table(native))
        self._problems(name, [problem for one in native.values() for problem in one.problems])
        for place, parser in enumerate(self.parsers):
            test = self.readers[parser.name].read(n, Vocabulary())
            refused = self._parser(part_name(number, place), parser, test, golds, stars, vocabulary)
            self.progress.at("scoring", n)
        if refused is not None:
            for of_gold, gold, reasons in zip(self.refused_golds, native.values(), refused, strict=True):
                of_gold.add(gold, reasons)

    def _converted(
        self,
        native: Mapping[str, Treebank | Dependencies],
        vocabulary: FunctionVocabulary,
        *,
        wildcard: bool = False,
    ) -> dict[str, FunctionColumns]:
        made = {
            theory: self._converted_one(trees, vocabulary, "golds", theory, wildcard=wildcard)
            for theory, trees in native.items()
        }
        return enriched(made, self.conversion.tl_unify)

    def _converted_one(
        self,
        trees: Treebank | Dependencies,
        vocabulary: FunctionVocabulary,
        group: str,
        name: str,
        *,
        wildcard: bool = False,
    ) -> FunctionColumns:
        """Turn trees into function trees; those for the figures of 2011 are made projective, which is counted."""
        if wildcard and self.conversion.projectivize and isinstance(trees, Dependencies):
            trees, changed = projectivize_trees(trees)
            self.projectivized[group][name] += int(np.count_nonzero(changed))
        return convert(trees, vocabulary, self.conversion, wildcard=wildcard)

    def _parser(
        self,
        part: str,
        parser: TheoryStream,
        trees: Treebank | Dependencies,
        golds: Mapping[str, FunctionColumns],
        stars: Mapping[str, FunctionColumns],
        vocabulary: FunctionVocabulary,
    ) -> NDArray[np.uint8]:
        """Score and write a parser's trees; return which of the gold trees TedEval of 2011 refuses."""
        own = self.theories.index(parser.theory)
        parse = self._converted_one(trees, vocabulary, "parsers", parser.name)
        star = self._converted_one(trees, vocabulary, "parsers", parser.name, wildcard=True)
        labelled = self.labelled.setdefault(parser.name, parse.has_labels)
        ted = TedEval(parse, list(golds.values()), own, count_root=self.conversion.count_root)
        ted2011 = TedEval2011(star, list(stars.values()), own, free=self.conversion.free_labels)
        made, statuses, problems = chunk_tables(parser, trees, golds[parser.theory], ted, ted2011, labelled=labelled)
        for table, rows in made.items():
            self._write(table, part, rows)
        self.statuses[parser.name] += statuses
        self.refused[parser.name].add(trees, ted2011.refused_trees[0])
        self._problems(part, problems)
        return ted2011.refused_trees[1:]

    def _write(self, table: str, part: str, rows: Any) -> None:
        self.writer.write(table, part, rows)

    def _problems(self, part: str, problems: list[Problem]) -> None:
        if problems:
            self._write("problems", part, problems_table(problems))
            self.n_problems += len(problems)

    def _no_functions(self, parser: TheoryStream) -> Problem:
        found = "trees without functions; no labelled figures"
        expected = "functions, such as NP-SBJ, or relations, for labelled figures"
        return Problem("no_functions", parser.stream.name, None, None, found, expected, parser=parser.name)

    def _meta(self, n_problems: int) -> dict[str, Any]:
        conversion = self.conversion
        entries = []
        for parser in self.parsers:
            scored, missing, words_differ, words_aligned = self.statuses[parser.name].tolist()
            entries.append(
                source_entry(parser.stream)
                | {"name": parser.name, "theory": parser.theory, "labelled": self.labelled[parser.name]}
                | {"scored": scored + words_aligned, "missing": missing}
                | {"words_differ": words_differ, "words_aligned": words_aligned}
                | self.readers[parser.name].entry
            )
        golds = [
            source_entry(gold.stream)
            | {"theory": gold.theory}
            | (self.gold_readers[gold.theory].entry if gold.theory in self.gold_readers else {})
            for gold in self.golds
        ]
        overlap = {
            f"{one}+{other}": {
                labels: 1 - different / sizes if sizes else None for labels, (different, sizes) in counts.items()
            }
            for (one, other), counts in self.overlaps.items()
        }
        return {
            "schema": SCHEMA,
            "evaltools": evaltools.__version__,
            "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            "kind": "crossframework",
            "signature": _signature(conversion, golds, entries),
            "preset": "none",
            "preset_rules": _RULES,
            "preset_source": None,
            "preset_fields": None,
            "options": {
                "la_preterminals": False,
                "la_table": None,
                "engine": "banded",
                "format": None,
                "label_map": [list(pair) for pair in conversion.label_map.items()],
                "tl_unify": [list(pair) for pair in conversion.tl_unify],
                "count_root": conversion.count_root,
                "free_labels": [list(pair) for pair in conversion.free_labels],
                "projectivize": conversion.projectivize,
            },
            "sentences": self.golds[0].stream.n_read,
            "gold": golds[0],
            "golds": golds,
            "overlap": overlap,
            "projectivized": self.projectivized if conversion.projectivize else None,
            "parsers": entries,
            "labels": [],
            "problems": n_problems,
            "metrics": metrics_of("crossframework"),
        }


def _signature(conversion: Conversion, golds: list[dict[str, Any]], parsers: list[dict[str, Any]]) -> str:
    """Say in one line how the figures came about."""
    parts = [f"evaltools:{evaltools.__version__}", "crossframework"]
    if conversion.label_map:
        text = json.dumps(sorted(conversion.label_map.items()))
        parts.append(f"label_map:{hashlib.sha256(text.encode()).hexdigest()[:8]}")
    if conversion.free_labels:
        text = json.dumps(conversion.free_labels)
        parts.append(f"free_labels:{hashlib.sha256(text.encode()).hexdigest()[:8]}")
    parts += [f"tl_unify:{one}+{other}" for one, other in conversion.tl_unify]
    if not conversion.count_root:
        parts.append("root:not_counted")
    if not conversion.projectivize:
        parts.append("projectivize:no")
    parts += [f"gold:{gold['theory']}:{gold['sha256'][:12]}" for gold in golds]
    parts += [f"{entry['name']}:{entry['theory']}:{entry['sha256'][:12]}" for entry in parsers]
    return "|".join(parts)
