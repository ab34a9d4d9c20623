"""What ``meta.json`` says of a part of a run beside its tables: coverage, and what is figured over the whole corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evaltools.metrics.edm_rules import SPANS
from evaltools.metrics.function_columns import FunctionVocabulary
from evaltools.metrics.projectivization import projectivize
from evaltools.metrics.tedeval import overlap_counts
from evaltools.normalize import Status
from evaltools.runs.protocols import conversion_of, read_one
from evaltools.runs.semantic_counts import GoldTriples, pooled_edm, predicates_of, sum_defined
from evaltools.runs.store import Run
from evaltools.runs.theories import convert, enriched
from evaltools.treebank import Dependencies, SemanticGraph, Treebank

__all__ = ["MORE_FIGURES", "coverage_of"]


def coverage_of(rows: pa.Table, parser: str) -> dict[str, int]:
    """Count the sentences of a parser by what became of them.

    Parameters
    ----------
    rows : Table
        ``parser``, ``status`` and ``words_aligned`` of the table ``sentences``.
    parser : str
        The parser.
    """
    own = rows.filter(pc.equal(rows["parser"].cast(pa.string()), parser))
    status = own["status"].cast(pa.string())
    n_ok, missing, differ = (
        int(pc.sum(pc.equal(status, one.label)).as_py() or 0)
        for one in (Status.OK, Status.MISSING, Status.WORDS_DIFFER)
    )
    compared = pc.and_(pc.equal(status, Status.WORDS_DIFFER.label), own["words_aligned"].is_valid())
    aligned = int(pc.sum(compared).as_py() or 0)
    return {"scored": n_ok + aligned, "missing": missing, "words_differ": differ, "words_aligned": aligned}


def _nothing(run: Run, sentences: Sequence[int]) -> dict[str, Any]:
    return {}


def _across_frameworks(run: Run, sentences: Sequence[int]) -> dict[str, Any]:
    """Return what the gold treebanks have in common on some sentences, and how many trees were made projective."""
    rows = run.query(
        "select sentence, theory, tree, notation from golds where sentence in (select unnest(?::integer[]))",
        [list(sentences)],
    )
    conversion = conversion_of(run.meta)
    totals: dict[tuple[str, str], dict[str, Any]] = {}
    projectivized = {"golds": dict.fromkeys(run.theories, 0), "parsers": dict.fromkeys(run.parsers, 0)}
    for _, own in rows.groupby("sentence"):
        vocabulary = FunctionVocabulary()
        native = {
            str(row.theory): read_one(row.tree if isinstance(row.tree, str) else "", str(row.notation))
            for row in own.itertuples()
        }
        for theory, trees in native.items():
            projectivized["golds"][theory] += _is_changed(trees)
        made = {theory: convert(trees, vocabulary, conversion) for theory, trees in native.items()}
        golds = enriched(made, conversion.tl_unify)
        for pair in combinations(run.theories, 2):
            counts = overlap_counts(golds[pair[0]], golds[pair[1]], count_root=conversion.count_root)
            before = totals.setdefault(pair, {})
            for labels, found in counts.items():
                before[labels] = np.add(before.get(labels, (0, 0)), found)
    shares = {
        f"{one}+{other}": {
            labels: 1 - int(different) / int(sizes) if sizes else None for labels, (different, sizes) in counts.items()
        }
        for (one, other), counts in totals.items()
    }
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
        projectivized["parsers"][str(parser)] += _is_changed(read_one(str(tree), str(notation)))
    return {"overlap": shares, "projectivized": projectivized}


def _is_changed(trees: Treebank | Dependencies) -> bool:
    """Return whether the one tree of a corpus is made projective."""
    return isinstance(trees, Dependencies) and bool(projectivize(trees)[1].any())


def _graphs(run: Run, sentences: Sequence[int]) -> dict[str, Any]:
    """Return what is said of semantic graphs: predicates, the longest lists, EDM under both kinds of spans."""
    rows = run.query(
        "select parser, sentence, tree from trees where tree is not null and sentence in (select unnest(?::integer[]))",
        [list(sentences)],
    )
    trees = {
        (None if parser != parser else parser, sentence): SemanticGraph.from_json(tree)
        for parser, sentence, tree in rows.itertuples(index=False)
    }
    gold = GoldTriples([trees.get((None, sentence)) for sentence in sentences], run.edm_rules)
    change: dict[str, dict[str, float | None]] = {}
    for parser in run.parsers:
        tests = [trees.get((parser, sentence)) for sentence in sentences]
        both = np.array([(None, one) in trees and (parser, one) in trees for one in sentences], dtype=np.bool_)
        change[parser] = {spans: pooled_edm(sum_defined(gold.counts(tests, spans)[both])) for spans in SPANS}
    ranks = run.query(
        "select parser, max(rank) as most from ranks where sentence in (select unnest(?::integer[])) group by parser",
        [list(sentences)],
    )
    longest = {parser: min(most, 1) for parser, most in run.meta["n_best"].items()}
    longest |= {parser: int(most) for parser, most in ranks.itertuples(index=False)}
    return {"labels": sorted(predicates_of(trees.values())), "n_best": longest, "spans_change": change}


MORE_FIGURES: Mapping[str, Callable[[Run, Sequence[int]], dict[str, Any]]] = {
    "constituency": _nothing,
    "dependency": _nothing,
    "crossframework": _across_frameworks,
    "semantics": _graphs,
}
"""For each kind of run that parts can be taken of, what else is figured over the sentences of a part."""
