"""Files with graphs that cannot be read: each is one missing parse, and the others keep their own gold graphs."""

from __future__ import annotations

import evaltools
from tests.runs.semantic_files import data

GRAPHS = [
    '(c / call-01 :ARG1 (t / they) :time "24/7")',
    "(s / sleep-01 :ARG0 (b / boy))",
    "(r / run-02 :ARG0 (g / girl))",
    "(e / eat-01 :ARG0 (d / dog) :ARG1 (b / bone))",
]


def with_ids(*graphs: str) -> str:
    return "".join(f"# ::id {number}\n{graph}\n\n" for number, graph in enumerate(graphs, start=1))


def in_lines(*graphs: str) -> str:
    return "".join(f"{graph}\n" for graph in graphs)


def test_a_blank_line_is_a_missing_parse_where_graphs_are_lines():
    run = evaltools.score(data(in_lines(*GRAPHS)), {"p": data(in_lines(GRAPHS[0], "", *GRAPHS[2:]))}, format="penman")
    assert run.counts("p")["status"].tolist() == ["ok", "missing", "ok", "ok"]
    assert run.summary().set_index("metric").loc["smatch", "pooled"] == 1


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
