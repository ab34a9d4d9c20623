"""Files with graphs that cannot be read: each is one missing parse, and the others keep their own gold graphs."""

from __future__ import annotations

import pytest

import evaltools
from tests.runs.semantic_files import data

GRAPHS = [
    '(c / call-01 :ARG1 (t / they) :time "24/7")',
    "(s / sleep-01 :ARG0 (b / boy))",
    "(r / run-02 :ARG0 (g / girl))",
    "(e / eat-01 :ARG0 (d / dog) :ARG1 (b / bone))",
]
TOO_MANY, TOO_FEW = "(s / sleep-01) :ARG0 (b / boy))", "s / sleep-01 :ARG0 (b / boy))"


def with_ids(*graphs: str) -> str:
    return "".join(f"# ::id {number}\n{graph}\n\n" for number, graph in enumerate(graphs, start=1))


def in_lines(*graphs: str) -> str:
    return "".join(f"{graph}\n" for graph in graphs)


def apart(*graphs: str) -> str:
    return "".join(f"{graph}\n\n" for graph in graphs)


@pytest.mark.parametrize("layout", [with_ids, in_lines, apart])
@pytest.mark.parametrize("broken", [TOO_MANY, TOO_FEW, "(s / sleep-01 :ARG0 (b / boy)"])
def test_a_broken_parse_is_one_missing_parse(layout, broken: str):
    gold, test = layout(*GRAPHS), layout(GRAPHS[0], broken, *GRAPHS[2:])
    run = evaltools.score(data(gold), {"p": data(test)}, format="penman")
    counts = run.counts("p")
    assert counts["status"].tolist() == ["ok", "missing", "ok", "ok"]
    figures = run.summary().set_index("metric").loc["smatch"]
    assert (figures["pooled"], round(figures["pooled_all"], 4)) == (1, 0.8824)  # 2 × 15 / (19 + 15)
    assert run.problems()[["sentence", "kind"]].to_numpy().tolist() == [[2, "graph"]]
    itself = evaltools.score(data(test), {"p": data(test)}, format="penman").summary().set_index("metric")
    assert itself.loc["smatch", ["pooled", "pooled_all"]].tolist() == [1, 1]


def test_a_blank_line_is_a_missing_parse_where_graphs_are_lines():
    run = evaltools.score(data(in_lines(*GRAPHS)), {"p": data(in_lines(GRAPHS[0], "", *GRAPHS[2:]))}, format="penman")
    assert run.counts("p")["status"].tolist() == ["ok", "missing", "ok", "ok"]
    assert run.summary().set_index("metric").loc["smatch", "pooled"] == 1


@pytest.mark.parametrize("gold", [in_lines(*GRAPHS), "Loading the model\n" + in_lines(*GRAPHS)])
@pytest.mark.parametrize("first", ["", "\n", "Loading the model\nOf 2024\n"])
def test_text_before_the_first_graph_shifts_nothing(gold: str, first: str):
    run = evaltools.score(data(gold), {"p": data(first + in_lines(*GRAPHS))}, format="penman")
    scored = run.counts("p").query("status == 'ok'")
    assert len(scored) == 4
    assert run.summary().set_index("metric").loc["smatch", "pooled"] == 1


def test_text_in_place_of_the_first_graph_is_its_missing_parse():
    test = in_lines("I cannot parse this.", *GRAPHS[1:])
    run = evaltools.score(data(in_lines(*GRAPHS)), {"p": data(test)}, format="penman")
    assert run.counts("p")["status"].tolist() == ["missing", "ok", "ok", "ok"]


def test_an_item_without_an_id_costs_no_other_item():
    gold = with_ids(*GRAPHS)
    test = gold.replace("# ::id 3\n", "").replace(f"# ::id 1\n{GRAPHS[0]}\n\n", "")
    run = evaltools.score(data(gold), {"p": data(test)}, format="penman")
    assert run.counts("p")["status"].tolist() == ["missing", "ok", "missing", "ok"]
    assert run.summary().set_index("metric").loc["smatch", "pooled"] == 1
    itself = evaltools.score(data(test), {"p": data(test)}, format="penman")
    assert itself.counts("p")["status"].tolist() == ["ok", "ok", "ok"]
    gold = with_ids(*GRAPHS, *GRAPHS)
    run = evaltools.score(data(gold), {"p": data(gold.replace("# ::id 3\n", ""))}, format="penman")
    assert run.counts("p")["status"].tolist() == ["ok", "ok", "missing", *(["ok"] * 5)]
