"""Scoring semantic graphs by Elementary Dependency Match: a gold file and parsers' files in, a run out."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import evaltools
from evaltools.errors import InputError, Problem
from evaltools.formats.locations import is_url, without_file_scheme
from evaltools.formats.semantics import SemanticBank
from evaltools.metrics import edm
from evaltools.metrics.edm_alignment import GraphAlignment, align_graphs
from evaltools.metrics.edm_rules import EDM_PRESETS, SPANS, EdmRules, load_edm_rules
from evaltools.normalize import Status
from evaltools.runs.choices import select_metrics
from evaltools.runs.kinds import SCHEMA
from evaltools.runs.parts import part_name
from evaltools.runs.passes import Progress
from evaltools.runs.remote import UrlWriter
from evaltools.runs.semantic_counts import GoldTriples, pooled_edm, predicates_of, sum_defined
from evaltools.runs.semantic_inputs import bank_entry, read_bank
from evaltools.runs.semantic_pairs import (
    PairedItems,
    first_graph,
    framework_problem,
    gold_graph,
    gold_problems,
    pair_items,
)
from evaltools.runs.semantic_tables import (
    GoldItems,
    detail_tables,
    ranks_table,
    sentences_table,
    statuses,
    trees_table,
)
from evaltools.runs.store import Run
from evaltools.runs.tables import problems_table
from evaltools.runs.writer import RunWriter
from evaltools.treebank.semantic_graph import SemanticGraph

__all__ = ["score_semantics"]

_ITEMS_PER_CHUNK = 4096


def score_semantics(
    gold: Any,
    parsers: Mapping[str, Any],
    *,
    rules: EdmRules,
    format: str | None = None,  # noqa: A002 - the word users know
    metrics: Iterable[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Score files of semantic graphs; :func:`evaltools.score` calls it for those.

    Parameters
    ----------
    gold : path, binary file or SemanticBank
        The gold graphs: a file of any format in :data:`evaltools.formats.semantics.SEMANTIC_FORMATS`, or the folder of
        a profile.
    parsers : mapping of str to path, binary file or SemanticBank
        Each parser's output by name. Items belong together by id if both files have ids, else by place.
    rules : EdmRules
        What counts, and how much.
    format : str, optional
        Format of all files; guessed from the content of each if not given.
    metrics : iterable of str, optional
        Ids of metrics; all if not given.
    out : path, optional
        Folder of the run, or a URL; a temporary one if not given, which goes with the returned object.
    force : bool
        Whether to replace an older run at `out`.
    progress : Progress, optional
        Is told how far the work is, and can stop it.

    Returns
    -------
    Run
        Of kind ``"semantics"``. Where an item has several results, the first one is scored, and each one by its rank in
        the table ``ranks``.

    Raises
    ------
    InputError
        If a file cannot be read, the gold file has no graph, or a file is of another framework than the gold file.
    RunError
        If the run cannot be written.

    References
    ----------
    R. Dridan and S. Oepen (2011). Parser evaluation using elementary dependency matching. IWPT 2011, 225-230.
    """
    chosen = select_metrics(metrics, kind="semantics")
    progress = progress or Progress()
    temporary = tempfile.TemporaryDirectory(prefix="evaltools-") if out is None else None
    place: str | Path = Path(temporary.name) / "run" if temporary is not None else str(without_file_scheme(out or ""))
    writer: RunWriter | UrlWriter
    writer = UrlWriter(str(place), force=force) if is_url(place) else RunWriter(Path(place), force=force)
    try:
        progress.at("reading")
        gold_bank = read_bank(gold, format)
        if not any(first_graph(item) is not None for item in gold_bank.items):
            found = str(gold_bank.problems[0]) if gold_bank.problems else "no graph"
            raise InputError(Problem("empty", gold_bank.name, None, None, found, "a gold file with at least one graph"))
        banks = {}
        for name, source in parsers.items():
            progress.at("reading")
            banks[name] = read_bank(source, format, name)
            if (problem := framework_problem(gold_bank, banks[name], name)) is not None:
                raise InputError(problem)
        meta = _Work(gold_bank, banks, rules, format, writer, progress).run()
        writer.finish(meta | {"metrics": chosen})
    except BaseException:
        writer.abandon()
        raise
    return Run(place, temporary)


class _Work:
    def __init__(
        self,
        gold: SemanticBank,
        banks: Mapping[str, SemanticBank],
        rules: EdmRules,
        format_name: str | None,
        writer: RunWriter | UrlWriter,
        progress: Progress,
    ) -> None:
        self.gold, self.banks, self.rules, self.format = gold, banks, rules, format_name
        self.writer, self.progress = writer, progress
        self.paired = {name: pair_items(gold, bank, name) for name, bank in banks.items()}
        self.statuses = {name: np.zeros(len(Status), dtype=np.int64) for name in banks}
        # the sums over scored items under exact and under trimmed spans
        self.spans = {name: dict.fromkeys(SPANS, np.zeros(len(edm.COLUMNS))) for name in banks}
        self.predicates: set[str] = set()

    def run(self) -> dict[str, Any]:
        """Score and write the items, chunk by chunk; return what ``meta.json`` says."""
        n = len(self.gold.items)
        self.progress.total = n * len(self.banks)
        for name, paired in self.paired.items():
            if self.progress.note is not None:
                how = "their ids" if paired.by == "id" else "their places, for want of ids in both files"
                self.progress.note(f"{name}: items are paired by {how}")
        for number, first in enumerate(range(0, n, _ITEMS_PER_CHUNK)):
            self._chunk(number, first, min(first + _ITEMS_PER_CHUNK, n))
        self.progress.at("writing")
        problems = [
            *gold_problems(self.gold, [paired.items for paired in self.paired.values()]),
            *(one for paired in self.paired.values() for one in paired.problems),
        ]
        self.writer.write("problems", "files", problems_table(problems))
        return self._meta(len(problems))

    def _chunk(self, number: int, first: int, last: int) -> None:
        items = self.gold.items[first:last]
        graphs = tuple(gold_graph(item, self.rules) for item in items)
        gold = GoldItems(items, first, self._texts(first, last), graphs)
        columns = GoldTriples(gold.graphs, self.rules)
        self._write("trees", part_name(number), trees_table(None, gold, items))
        self.predicates |= predicates_of(gold.graphs)
        for place, (name, paired) in enumerate(self.paired.items()):
            self._parser(part_name(number, place), name, paired, gold, columns)

    def _texts(self, first: int, last: int) -> tuple[str, ...]:
        """Return the sentences, as the gold file, or else the first parser's that has them, says."""
        texts = []
        for place in range(first, last):
            items = [self.gold.items[place], *(paired.items[place] for paired in self.paired.values())]
            known = (item.text or getattr(first_graph(item), "text", "") for item in items if item is not None)
            texts.append(next(filter(None, known), ""))
        return tuple(texts)

    def _parser(self, part: str, name: str, paired: PairedItems, gold: GoldItems, columns: GoldTriples) -> None:
        chosen = slice(gold.first, gold.first + len(gold.items))
        items = paired.items[chosen]
        tests = [first_graph(item) for item in items]
        found = statuses(gold.graphs, tests)
        counts = columns.counts(tests)
        self._write("sentences", part, sentences_table(name, gold, items, counts))
        self._write("trees", part, trees_table(name, gold, items))
        alignments = self._aligned(gold, tests)
        for table, rows in detail_tables(name, alignments).items():
            self._write(table, part, rows)
        self._write("ranks", part, self._ranks(name, paired, gold, columns))
        self.statuses[name] += np.bincount(found, minlength=len(Status))
        for spans in SPANS:
            under = counts if spans == self.rules.spans else columns.counts(tests, spans)
            self.spans[name][spans] = self.spans[name][spans] + sum_defined(under[found == Status.OK])
        self.predicates |= predicates_of(tests)

    def _aligned(self, gold: GoldItems, tests: Sequence[SemanticGraph | None]) -> Iterator[tuple[int, GraphAlignment]]:
        for number, graph, test in zip(gold.numbers.tolist(), gold.graphs, tests, strict=True):
            if graph is not None or test is not None:
                yield number, align_graphs(graph, test, self.rules)
            self.progress.at("scoring", 1)

    def _ranks(self, name: str, paired: PairedItems, gold: GoldItems, columns: GoldTriples) -> pa.Table:
        """Score every result of a parser that gives several."""
        if paired.most_results < 2:
            return ranks_table(name, gold.numbers[:0], 1, np.zeros((0, len(edm.COLUMNS))))
        parts = []
        chosen = slice(gold.first, gold.first + len(gold.items))
        items = paired.items[chosen]
        for rank in range(1, paired.most_results + 1):
            self.progress.at("scoring")
            there = np.array([item is not None and len(item.results) >= rank for item in items], dtype=np.bool_)
            there &= np.array([graph is not None for graph in gold.graphs], dtype=np.bool_)
            counts = columns.counts(paired.graphs(rank)[chosen])
            parts.append(ranks_table(name, gold.numbers[there], rank, counts[there]))
        return pa.concat_tables(parts).unify_dictionaries()

    def _write(self, table: str, part: str, rows: pa.Table) -> None:
        self.writer.write(table, part, rows)

    def _meta(self, n_problems: int) -> dict[str, Any]:
        entries = []
        for name, bank in self.banks.items():
            scored, missing, differ = self.statuses[name].tolist()
            entries.append(
                bank_entry(bank)
                | {"name": name, "paired": self.paired[name].by, "scored": scored, "missing": missing}
                | {"words_differ": differ, "words_aligned": 0}
            )
        gold = bank_entry(self.gold)
        return {
            "schema": SCHEMA,
            "evaltools": evaltools.__version__,
            "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            "kind": "semantics",
            "signature": _signature(self.rules, self.format, gold, entries),
            "preset": self.rules.name,
            "preset_rules": self.rules.describe(),
            "preset_source": None,
            "preset_fields": None,
            "edm_rules": self.rules.to_dict(),
            "options": {"la_preterminals": False, "la_table": None, "engine": "banded", "format": self.format},
            "sentences": len(self.gold.items),
            "gold": gold,
            "parsers": entries,
            "spans_change": {
                name: {spans: pooled_edm(sums) for spans, sums in under.items()} for name, under in self.spans.items()
            },
            "n_best": {name: paired.most_results for name, paired in self.paired.items()},
            "labels": sorted(self.predicates),
            "problems": n_problems,
        }


def _signature(rules: EdmRules, format_name: str | None, gold: dict[str, Any], parsers: list[dict[str, Any]]) -> str:
    """Say in one line how the figures came about: version, rules, pairing, digests of the inputs."""
    usual = load_edm_rules(rules.name) if rules.name in EDM_PRESETS else None
    own = ""
    if usual is None or replace(usual, spans=rules.spans) != rules:
        own = "#" + hashlib.sha256(json.dumps(rules.to_dict(), sort_keys=True).encode()).hexdigest()[:8]
    parts = [f"evaltools:{evaltools.__version__}", f"edm:{rules.name}{own}", f"spans:{rules.spans}"]
    if format_name:
        parts.append(f"format:{format_name}")
    parts.append(f"gold:{gold['sha256'][:12]}")
    parts += [f"{entry['name']}:{entry['sha256'][:12]}:by_{entry['paired']}" for entry in parsers]
    return "|".join(parts)
