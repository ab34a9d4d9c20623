"""Elementary dependency match: the triples that the paper prints, and PyDelphin's figures on real profiles."""

from __future__ import annotations

import csv
import functools
from collections import Counter
from pathlib import Path

from delphin import itsdb
from delphin.codecs import eds, simplemrs
from delphin.eds import EDS, from_mrs

from evaltools.corpus.semantic_graph import Anchors
from evaltools.formats import read_semantics
from evaltools.frameworks.semantics.alignment import align_graphs
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
