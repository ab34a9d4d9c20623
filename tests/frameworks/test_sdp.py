"""Dependencies of bilexical graphs against their definition."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given

import evaltools
from evaltools.corpus.semantic_graph import SemanticEdge, SemanticGraph, SemanticNode
from evaltools.formats import SemanticItem, write_mrp
from evaltools.frameworks.semantics.sdp import COLUMNS, dependencies
from tests.conftest import few_examples
from tests.formats.test_sdp import SDP_2015
from tests.runs.semantic_files import data
from tests.slow import sdp as slow
from tests.slow.trees import randoms


def random_graph(random) -> SemanticGraph:
    n = random.randint(1, 5)
    nodes = tuple(SemanticNode(str(index), "w", ((2 * index, 2 * index + 1),)) for index in range(n))
    edges = [SemanticEdge(random.randrange(n), random.choice(["a", "b"]), random.randrange(n)) for _ in range(5)]
    return SemanticGraph(nodes, tuple(edges), tuple({random.randrange(n) for _ in range(2)}), "w w w w w", "dm")


@given(randoms)
@few_examples
def test_the_counts_are_those_of_the_definition(random):
    sides = [
        write_mrp([SemanticItem(name, 1, "", (random_graph(random),)) for name in ("a", "b", "c")]) for _ in range(2)
    ]
    run = evaltools.score(data(sides[0]), {"p": data(sides[1])})
    sums = run.counts("p")[list(COLUMNS)].sum().astype(int).tolist()
    lines = [side.splitlines() for side in sides]
    assert sums == [number for labeled in (True, False) for number in slow.counts(*lines, labeled=labeled)]


def test_a_label_a_direction_and_a_top_make_a_difference():
    wrong = SDP_2015.replace("ARG2", "ARG3").replace("1\tYes\tyes\tUH\t-", "1\tYes\tyes\tUH\t+")
    run = evaltools.score(data(SDP_2015), {"p": data(wrong)})
    figures = run.summary().set_index("metric")["pooled"]
    assert figures[["sdp", "sdp_precision", "sdp_recall", "sdp_exact"]].tolist() == [6 / 9, 3 / 5, 3 / 4, 0]
    assert figures[["sdp_unlabeled", "sdp_unlabeled_precision", "sdp_unlabeled_recall"]].tolist() == [
        8 / 9,
        4 / 5,
        1,
    ]
    assert figures["sdp_unlabeled_exact"] == 0.5


def test_an_alignment_has_the_counts_and_scores_of_its_run():
    run = evaltools.score(data(SDP_2015), {"p": data(SDP_2015.replace("ARG2", "ARG3"))})
    counts, scores = run.counts("p"), run.sentences("p")
    for number in (1, 2):
        alignment = run.graphs(number, "p")
        assert [alignment.counts[name] for name in COLUMNS] == counts[list(COLUMNS)].iloc[number - 1].tolist()
        for name in run.metrics:
            assert alignment.scores[name] == pytest.approx(scores[name][number - 1], nan_ok=True) or (
                alignment.scores[name] is None and math.isnan(scores[name][number - 1])
            )


def test_a_missing_graph_has_nothing_matched():
    run = evaltools.score(data(SDP_2015), {"p": data(SDP_2015.partition("\n\n")[0])})
    figures = run.summary().set_index("metric").loc["sdp_exact"]
    assert figures[["pooled", "pooled_all"]].tolist() == [1, 1]  # there is nothing to find in the other sentence


def test_graphs_of_two_parallel_dependencies():
    words = tuple(SemanticNode(name, name, ((start, start + 1),)) for name, start in (("a", 0), ("b", 2)))
    graph = SemanticGraph(words, (SemanticEdge(0, "x", 1), SemanticEdge(0, "y", 1), SemanticEdge(0, "x", 1)), (0,))
    assert len(dependencies(graph)) == 3
    assert dependencies(None) == set()


def test_other_graphs_have_the_figures_on_request_only(shared_data: Path):
    folder = shared_data / "data" / "amr"
    gold, system = folder / "erg-mrs.gold.mrp", folder / "erg-mrs.sim.mrp"
    assert not [name for name in evaltools.score(gold, {"p": system}).metrics if name.startswith("sdp")]
    asked = evaltools.score(gold, {"p": system}, metrics=["sdp"])
    assert 0 < asked.summary()["pooled"][0] < 1


def test_without_spans_the_figures_are_undefined(shared_data: Path):
    folder = shared_data / "data" / "amr"
    run = evaltools.score(folder / "qald.gold.mrp", {"p": folder / "qald.sim-weak.mrp"}, metrics=["sdp"])
    assert run.summary().query("metric.str.startswith('sdp')")[["pooled", "pooled_all"]].isna().all(axis=None)


def test_enhanced_dependencies_have_the_counts_of_the_definition(shared_data: Path):
    files = [shared_data / "data" / "amr" / f"gum-eud.{side}.mrp" for side in ("gold", "system")]
    run = evaltools.score(files[0], {"udpipe": files[1]})
    sums = run.counts("udpipe")[list(COLUMNS)].sum().astype(int).tolist()
    assert sums == [2747, 2719, 1690, 8, 2741, 2712, 2131, 19]
    lines = [file.read_text(encoding="utf-8").splitlines() for file in files]
    assert sums == [number for labeled in (True, False) for number in slow.counts(*lines, labeled=labeled)]
    figures = run.summary().set_index("metric")["pooled"]
    assert figures["sdp"] == pytest.approx(2 * 1690 / (2747 + 2719))
    assert figures["sdp_exact"] == pytest.approx(8 / 126)
