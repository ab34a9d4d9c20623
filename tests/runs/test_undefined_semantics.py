"""Graphs that EDM cannot compare: without spans, of another framework, or with an empty gold graph."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import evaltools
from evaltools.analysis.nbest import nbest
from evaltools.corpus.semantic_graph import SemanticGraph
from evaltools.errors import InputError
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.semantics.alignment import align_graphs
from evaltools.frameworks.semantics.edm_rules import EDM_PRESETS, load_edm_rules
from evaltools.frameworks.semantics.questions import QUESTIONS
from evaltools.frameworks.semantics.reweighting import reweighted, reweighted_sentences
from evaltools.outputs.hotspots import ask
from evaltools.runs.sentences import sentence_counts
from evaltools.runs.sums import sum_sentences
from tests.runs.semantic_files import data, eds, mrp, saw, sleeps
from tests.slow.mtool import f1, mtool_edm

EDM = [name for name in METRICS if METRICS[name].family.id == "edm"]


def bare(graph: SemanticGraph) -> SemanticGraph:
    """Return a graph whose nodes have no spans."""
    return replace(graph, nodes=tuple(replace(node, anchors=()) for node in graph.nodes))


def named(text: str, framework: str | None) -> str:
    """Return lines of MRP that name another framework, or none."""
    graphs = [json.loads(line) for line in text.splitlines()]
    for graph in graphs:
        graph.pop("framework")
    return "".join(json.dumps(one | ({"framework": framework} if framework else {})) + "\n" for one in graphs)


def figure(run: evaltools.Run, metric: str, which: str = "pooled") -> float:
    return float(run.summary().set_index("metric").loc[metric, which])


# ------------------------------------------------------------------------------------------------------- without spans


@pytest.mark.parametrize("preset", sorted(EDM_PRESETS))
def test_edm_of_a_corpus_without_spans_is_undefined_not_100(preset: str):
    gold = mrp(("a", bare(sleeps())), ("b", bare(saw())))
    wrong = mrp(("a", bare(sleeps())), ("b", bare(saw(swapped=True))))
    run = evaltools.score(data(gold), {"p": data(wrong)}, preset=preset)
    summary = run.summary().query("metric.str.startswith('edm')")
    for which in ("pooled", "mean", "pooled_all", "mean_all"):
        assert summary[which].isna().all(), which
    assert summary["n"].tolist() == [0] * len(summary)
    assert run.sentences("p")[EDM].isna().all(axis=None)
    assert run.labels("p").empty
    problems = run.problems().to_dict("records")
    assert [row["kind"] for row in problems] == ["no_spans", "no_spans"]
    assert problems[1]["parser"] == "p"
    assert {row["found"] for row in problems} == {"2 graphs, none of which has a node with a span"}
    assert "EDM is undefined without them" in problems[0]["expected"]


@pytest.mark.parametrize("preset", sorted(EDM_PRESETS))
def test_a_sentence_whose_gold_graph_has_no_spans_is_left_out_of_every_figure(preset: str):
    gold, parses = (("a", bare(sleeps())), ("b", saw())), (("a", sleeps()), ("b", saw(swapped=True)))
    run = evaltools.score(data(mrp(*gold)), {"p": data(mrp(*parses))}, preset=preset)
    only = evaltools.score(data(mrp(*gold[1:])), {"p": data(mrp(*parses[1:]))}, preset=preset)
    assert (run.summary()["n_undefined"] == only.summary()["n_undefined"] + 1).all()
    figures = [one.summary().drop(columns="n_undefined") for one in (run, only)]
    pd.testing.assert_frame_equal(*figures)
    assert run.summary()["n"].tolist() == [1] * len(run.metrics)
    assert math.isnan(run.sentences("p")["edm"][0])
    for over in ("scored", "all"):
        lost, expected = (ask(one, QUESTIONS["role"], "p", options={"over": over}).rows for one in (run, only))
        assert expected["cost"].sum() > 0
        pd.testing.assert_frame_equal(lost, expected)
    (problem,) = run.problems().to_dict("records")
    assert (problem["kind"], problem["sentence"], problem["line"]) == ("no_spans", 1, 1)
    assert problem["found"] == "item a: a graph none of whose nodes has a span"


@pytest.mark.parametrize("preset", sorted(EDM_PRESETS))
def test_over_all_sentences_nothing_of_a_parse_without_spans_is_matched(preset: str):
    gold = mrp(("a", sleeps()), ("b", saw()))
    run = evaltools.score(data(gold), {"p": data(mrp(("a", bare(sleeps())), ("b", saw())))}, preset=preset)
    counts = run.counts("p")
    assert counts["status"].tolist() == ["ok", "ok"]
    for metric in ("edm", "edm_n", "edm_recall", "edm_precision", "edm_exact"):
        assert [figure(run, metric, which) for which in ("pooled", "mean", "n", "mean_all")] == [1, 1, 1, 0.5], metric
        every = sentence_counts(run, "p", metric, "all")
        assert every.mask.tolist() == [True, True]
        assert every.score.tolist() == [0, 1]
        assert sentence_counts(run, "p", metric).mask.tolist() == [False, True]
    matched, sizes = (
        sum(counts[f"edm_{letter}_{what}"].sum() for letter in "napct" for what in names)
        for names in (("matched",), ("gold", "test"))
    )
    assert figure(run, "edm", "pooled_all") == pytest.approx(2 * matched / sizes)
    sums = sum_sentences(run, ["edm"]).of("p")
    assert [sums.n(METRICS["edm"], name) for name in ("mean", "mean_all", "pooled", "pooled_all")] == [1, 2, 1, 2]


def test_other_weights_leave_undefined_what_is_undefined():
    gold = mrp(("a", bare(sleeps())), ("b", saw()), ("c", sleeps()), ("d", saw()))
    parses = mrp(("a", sleeps()), ("b", bare(saw())), ("c", sleeps("_doze_v_1")))
    run = evaltools.score(data(gold), {"p": data(parses)})
    rules = replace(run.edm_rules, classes=replace(run.edm_rules.classes, names=0.5))
    anew = evaltools.score(data(gold), {"p": data(parses)}, preset=rules)
    pd.testing.assert_frame_equal(reweighted(run, rules), anew.summary())
    pd.testing.assert_frame_equal(reweighted(run, run.edm_rules), run.summary())
    assert reweighted_sentences(run, rules)["edm_n_matched"].isna().tolist() == [True, True, False, False]


def test_an_analysis_without_spans_in_a_list_has_no_score():
    lists = mrp(("a", bare(sleeps())), ("a", sleeps()))
    run = evaltools.score(data(mrp(("a", sleeps()))), {"p": data(lists)})
    found = nbest(run.ranks("p"))
    assert found.by_rank.query("metric == 'edm'")[["rank", "mean"]].values.tolist() == [[2, 1.0]]
    (row,) = found.sentences.to_dict("records")
    assert (row["best"], row["rank_of_best"], row["rank_of_exact"]) == (1, 2, 2)


def test_an_alignment_says_why_it_has_no_score():
    a = align_graphs(sleeps(), bare(sleeps()), load_edm_rules())
    assert set(a.scores.values()) == {None}
    assert a.undefined == "no node of the parse graph has a span"
    assert align_graphs(bare(saw()), bare(saw()), load_edm_rules()).undefined.startswith("no node of the gold or parse")
    assert align_graphs(saw(), sleeps(), load_edm_rules()).undefined == ""


def test_a_run_without_spans_is_verified_and_can_be_cut(tmp_path: Path):
    for name, graphs in (("gold", (bare(sleeps()), saw())), ("p", (sleeps(), bare(saw())))):
        (tmp_path / f"{name}.mrp").write_text(mrp(*zip("ab", graphs, strict=True)), "utf-8")
    run = evaltools.score(tmp_path / "gold.mrp", {"p": tmp_path / "p.mrp"}, out=tmp_path / "run")
    assert evaltools.verify(run).equal
    assert evaltools.subset(run, [2]).summary()["n"].tolist() == [0] * len(run.metrics)


# ---------------------------------------------------------------------------------------------------- other frameworks


def test_graphs_of_another_framework_are_refused_and_both_are_named():
    gold, dm = mrp(("a", sleeps())), named(mrp(("a", sleeps())), "dm")
    for text in (gold, eds(sleeps())):
        with pytest.raises(
            InputError, match=r"graphs of framework 'dm'; expected framework 'eds', as in the gold file"
        ):
            evaltools.score(data(text), {"p": data(dm)})
    with pytest.raises(InputError, match="graphs of framework 'eds'; expected framework 'dm'"):
        evaltools.score(data(dm), {"p": data(eds(sleeps()))})
    assert figure(evaltools.score(data(dm), {"p": data(dm)}), "edm") == 1


def test_a_file_that_names_no_framework_and_dmrs_beside_eds_can_be_compared():
    gold = mrp(("a", sleeps()))
    for framework in (None, "EDS", "dmrs"):
        assert figure(evaltools.score(data(gold), {"p": data(named(gold, framework))}), "edm") == 1


# --------------------------------------------------------------------------------------------------------------- mtool


def as_mtool(run: evaltools.Run) -> dict[str, tuple[int, int, int]]:
    """Return the sums over all sentences of a run in the classes of mtool."""
    counts = run.counts("p")
    classes = {"names": "n", "arguments": "a", "properties": "p", "tops": "t", "all": "napt"}
    return {
        name: tuple(
            int(sum(counts[f"edm_{one}_{what}"].sum() for one in letters)) for what in ("gold", "test", "matched")
        )
        for name, letters in classes.items()
    }


def inverted(graph: SemanticGraph) -> SemanticGraph:
    """Return a graph in capitals, or in small letters, with every second edge written from its other end."""
    nodes = tuple(
        replace(
            node,
            predicate=node.predicate.upper(),
            properties=tuple((name.lower(), value.upper()) for name, value in node.properties),
            constant=node.constant and node.constant.upper(),
        )
        for node in graph.nodes
    )
    edges = tuple(
        replace(edge, source=edge.target, role=f"{edge.role}-of", target=edge.source)
        if place % 2
        else replace(edge, role=edge.role.lower())
        for place, edge in enumerate(graph.edges)
    )
    return replace(graph, nodes=nodes, edges=edges)


def test_mtool_folds_case_and_turns_inverted_edges():
    gold, test = mrp(("a", saw())), mrp(("a", inverted(saw())))
    run = evaltools.score(data(gold), {"p": data(test)}, preset="mtool")
    assert {figure(run, metric) for metric in ("edm", "edm_n", "edm_a", "edm_p", "edm_exact")} == {1}
    assert as_mtool(run) == mtool_edm(gold.splitlines(), test.splitlines())
    triples = run.triples("p")
    assert set(triples["status"]) == {"right"}
    assert "_see_v_1" in set(triples["value"])  # as the gold graph writes it
    plain = evaltools.score(data(gold), {"p": data(test)}, preset="pydelphin")
    assert figure(plain, "edm_n") == 0


def test_mtool_counts_what_a_parser_gives_for_an_empty_gold_graph():
    gold = mrp(("a", saw()), ("b", None), ("c", None))
    test = mrp(("a", saw()), ("b", sleeps()), ("c", None))
    run = evaltools.score(data(gold), {"p": data(test)}, preset="mtool")
    assert run.counts("p")["status"].tolist() == ["ok", "ok", "missing"]
    expected = mtool_edm(gold.splitlines(), test.splitlines())
    assert as_mtool(run) == expected
    assert figure(run, "edm") == figure(run, "edm", "pooled_all") == pytest.approx(f1(*expected["all"]))
    assert figure(run, "edm") < 1
    assert [figure(run, "edm_exact", which) for which in ("pooled", "pooled_all")] == [0.5, 0.5]
    assert figure(run, "edm", "n") == 2
    assert run.graphs(2, "p").scores["edm"] == 0
    plain = evaltools.score(data(gold), {"p": data(test)}, preset="pydelphin")
    assert figure(plain, "edm") == 1
    assert figure(plain, "edm", "n") == 1


def test_a_gold_graph_that_cannot_be_read_is_not_an_empty_one():
    gold = mrp(("a", saw())) + '{"id": "b", "framework": "eds", "nodes": [{"label": "x"}]}\n'
    run = evaltools.score(data(gold), {"p": data(mrp(("a", saw()), ("b", sleeps())))}, preset="mtool")
    assert run.counts("p")["status"].tolist() == ["ok", "missing"]
    assert figure(run, "edm") == 1


@pytest.mark.parametrize("system", ["system", "sim"])
def test_real_graphs_have_the_counts_of_mtool(system: str, shared_data: Path):
    files = [shared_data / "data" / "amr" / f"erg-mrs.{side}.mrp" for side in ("gold", system)]
    run = evaltools.score(files[0], {"p": files[1]}, preset="mtool")
    expected = mtool_edm(*(file.read_text("utf-8").splitlines() for file in files))
    assert as_mtool(run) == expected
    assert figure(run, "edm") == pytest.approx(f1(*expected["all"]))


UCCA = (
    '{"id": "1", "flavor": 1, "framework": "%s", "input": "The dog barks.", "tops": [4], "nodes": ['
    '{"id": 0, "anchors": [{"from": 0, "to": 3}]}, {"id": 1, "anchors": [{"from": 4, "to": 7}]}, '
    '{"id": 2, "anchors": [{"from": 8, "to": 13}]}, {"id": 3}, {"id": 4}], "edges": [%s]}\n'
)
RIGHT = (
    '{"source": 4, "target": 3, "label": "A"}, {"source": 3, "target": 0, "label": "E"}, '
    '{"source": 3, "target": 1, "label": "C"}, {"source": 4, "target": 2, "label": "P"}'
)
WRONG = RIGHT.replace('"source": 3, "target": 0', '"source": 4, "target": 0').replace(
    '4, "target": 2', '3, "target": 2'
)


@pytest.mark.parametrize("framework", ["ucca", "ptg", ""])
def test_edm_of_graphs_with_several_nodes_without_a_span_is_undefined(framework: str):
    gold, wrong = (UCCA % (framework, edges) for edges in (RIGHT, WRONG))
    run = evaltools.score(data(gold), {"p": data(wrong)}, format="mrp")
    assert math.isnan(figure(run, "edm"))
    assert math.isnan(figure(run, "edm", "pooled_all"))
    assert figure(run, "smatch") == 0.6  # 5 triples each: 3 of them match
    assert run.problems()["kind"].tolist() == ["no_spans", "no_spans"]
    alignment = run.graphs(1, "p")
    assert alignment.undefined == "several nodes of the gold or parse graph have no span"
    assert "right" not in {row.status for row in alignment.triples}
    itself = evaltools.score(data(gold), {"p": data(gold)}, format="mrp")
    assert (figure(itself, "smatch"), math.isnan(figure(itself, "edm"))) == (1, True)


def test_a_file_of_such_graphs_has_one_problem():
    graphs = "".join((UCCA % ("ucca", RIGHT)).replace('"id": "1"', f'"id": "{number}"') for number in range(5))
    run = evaltools.score(data(graphs), {"p": data(graphs)})
    assert run.problems()["found"].tolist() == ["5 of 5 graphs with several nodes without a span"] * 2
