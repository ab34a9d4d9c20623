"""Elementary dependency match: the triples that the paper prints, and PyDelphin's figures on real profiles."""

from __future__ import annotations

import csv
import functools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from delphin import edm as pydelphin, itsdb
from delphin.codecs import eds, simplemrs
from delphin.eds import EDS, from_mrs

from evaltools.corpus.semantic_graph import Anchors
from evaltools.formats import read_semantics
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.semantics import edm
from evaltools.frameworks.semantics.alignment import align_graphs
from evaltools.frameworks.semantics.edm import TripleCounter
from evaltools.frameworks.semantics.edm_rules import load_edm_rules

EXAMPLES = Path(__file__).resolve().parents[2] / "sample_data" / "worked-examples"


def only_range(anchors: Anchors) -> str:
    ((start, end),) = anchors
    return f"{start}:{end}"


def test_figure_1_of_the_paper_has_the_triples_of_its_figure_2():
    (item,) = read_semantics(EXAMPLES / "dridan-oepen-figure-1.mrs").items
    (graph,) = item.results
    a = align_graphs(graph, graph, load_edm_rules("dridan-oepen-2011"))
    found = Counter(
        (row.kind, only_range(row.span), row.label, only_range(row.target) if row.target else row.value)
        for row in a.triples
        if row.weight
    )
    with (EXAMPLES / "dridan-oepen-figure-2.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    printed = Counter((row["kind"], f"{row['start']}:{row['end']}", row["label"], row["value"]) for row in rows)
    assert found == printed
    assert [a.counts[f"edm_{letter}_gold"] for letter in "anp"] == [6, 6, 12]
    assert printed.total() == 24


@functools.cache
@functools.cache
def converted(folder: Path) -> dict[str, EDS]:
    """Read a profile with PyDelphin: the first analysis of each item, by the item's id."""
    items = itsdb.TestSuite(folder).processed_items()
    return {str(item["i-id"]): from_mrs(simplemrs.decode(item.result(0)["mrs"])) for item in items if item["results"]}


@functools.cache
def by_pydelphin(folder: Path) -> list[EDS]:
    """Read a profile; what is converted is written and read once more, so that roles to quantifiers count.

    PyDelphin gives the nodes of a converted graph new names and goes on looking them up under the old ones.
    """
    return [eds.decode(eds.encode(graph)) for graph in converted(folder).values()]


def test_two_releases_of_a_grammar_score_as_pydelphin_says(shared_data: Path):
    """Without a run; runs of this and of a larger profile are in ``test_erg.py``."""
    folders = [shared_data / "data" / "erg" / release / "mrs" for release in ("2024", "2025")]
    theirs = pydelphin.compute(*map(by_pydelphin, folders))
    banks = [read_semantics(folder) for folder in folders]
    sides = [[item.results[0] for item in bank.items if item.results] for bank in banks]
    rows = [[*TripleCounter(load_edm_rules("pydelphin")).counts(*pair).values()] for pair in zip(*sides, strict=True)]
    assert len(rows) == 107
    columns = dict(zip(edm.COLUMNS, np.sum(rows, axis=0, keepdims=True).T, strict=True))
    ours = [float(METRICS[name].score(columns)[0]) for name in ("edm_precision", "edm_recall", "edm")]
    assert ours[:2] == list(theirs[:2])
    assert ours[2] == pytest.approx(theirs[2], abs=1e-12)
    assert 0.99 < ours[2] < 1
    assert not np.isnan(ours).any()
