"""Folders of runs of semantic graphs that are damaged, or that someone has written by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import evaltools
from evaltools import Run, RunError
from evaltools.analysis.nbest import nbest
from evaltools.frameworks.semantics.reweighting import reweighted
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection
from evaltools.runs.sentences import with_label
from tests.resealing import change_column, change_meta
from tests.runs.semantic_files import data, mrp, saw, sleeps


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    test = mrp(("a", sleeps("_doze_v_1")), ("a", sleeps()), ("b", saw(swapped=True)))
    evaltools.score(data(mrp(("a", sleeps()), ("b", saw()))), {"p": data(test)}, out=tmp_path / "run")
    return tmp_path / "run"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda meta: meta.pop("edm_rules"), "required field `edm_rules`"),
        (lambda meta: meta.update(edm_rules=[]), r"at `\$\.edm_rules`"),
        (lambda meta: meta["edm_rules"].update(spans="wide"), "edm_rules"),
        (lambda meta: meta["edm_rules"].update(name=3), r"at `\$\.edm_rules\.name`"),
        (lambda meta: meta["edm_rules"].update(multiset="yes"), r"at `\$\.edm_rules\.multiset`"),
        (lambda meta: meta["edm_rules"].update(roles=[["ARG*"]]), "edm_rules"),
        (lambda meta: meta["edm_rules"].update(roles=[["ARG*", "x"]]), "edm_rules"),
        (lambda meta: meta["edm_rules"].update(roles=[["ARG*", -1]]), "edm_rules"),
        (lambda meta: meta["edm_rules"].update(classes=1), "edm_rules"),
        (lambda meta: meta["edm_rules"]["classes"].update(names="x"), "edm_rules"),
        (lambda meta: meta["edm_rules"]["classes"].update(names=-1), "edm_rules"),
        (lambda meta: meta["edm_rules"]["classes"].update(names=float("nan")), "edm_rules"),
        (lambda meta: meta["parsers"][0]["signs"].update(name=-1), r"Expected `int` >= 0 - at `\$\.parsers"),
        (lambda meta: meta["n_best"].update(p=-1), r"Expected `int` >= 0 - at `\$\.n_best"),
        (lambda meta: meta["n_best"].pop("p"), "no 'p'"),
        (lambda meta: meta["parsers"][0].pop("paired"), "paired"),
        (lambda meta: meta["parsers"][0].update(paired=["id"]), "paired"),
        (lambda meta: meta["tables"].pop("triples"), "no 'triples'"),
        (lambda meta: meta.update(metrics=["las"]), "unknown metric 'las'"),
        (lambda meta: meta.update(kind="crossframework"), "golds|unknown metric"),
        (lambda meta: meta.update(kind="dependency"), "words"),
    ],
)
def test_meta_is_checked(folder: Path, change: Callable[[dict[str, Any]], object], says: str):
    change_meta(folder, change)
    with pytest.raises(RunError, match=says):
        Run(folder).summary()


def graph_with(**content: object) -> str:
    usual: dict[str, object] = {"nodes": [], "edges": [], "tops": [], "text": "", "framework": "eds"}
    return json.dumps(usual | content)


NODE = ["x", "p", [[0, 3]], [], None, "x", False]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        "{" * 100_000,
        "[" * 100_000,
        graph_with(nodes=3),
        graph_with(nodes=[["x"]]),
        graph_with(nodes=[["x", "p", [[0]], [], None, "x", False]]),
        graph_with(nodes=[["x", "p", [["a", "b"]], [], None, "x", False]]),
        graph_with(nodes=[["x", "p", [[0, float("inf")]], [], None, "x", False]]),
        graph_with(nodes=[NODE], edges=[[0, "ARG1", 1]]),
        graph_with(nodes=[NODE], edges=[[-1, "ARG1", 0]]),
        graph_with(nodes=[NODE], edges=[[0, "ARG1", float("nan")]]),
        graph_with(nodes=[NODE], tops=[7]),
        graph_with(nodes=[NODE], tops=3),
        graph_with(nodes=[["x", "\ud800", [[0, 3]], [], None, "x", False]]),
        graph_with(text="\ud800"),
        '{"nodes": ' + "9" * 5000 + "}",
    ],
)
def test_a_graph_that_is_none_is_an_error_of_its_own(folder: Path, text: str):
    run = Run(folder)
    rows = run.query("select sentence, tree from trees")
    trees = rows["tree"].mask(rows["sentence"] == 1, text).tolist()
    whole = run.graphs(2, "p")
    change_column(folder, "trees", "tree", lambda n: pa.array(trees))
    run = Run(folder)
    for ask in (lambda: run.graphs(1, "p"), lambda: run.tree(1), lambda: run.tree(1, "p")):
        with pytest.raises(RunError, match=r"is damaged: a tree of sentence 1 cannot be read: "):
            ask()
    assert run.graphs(2, "p") == whole


def test_graphs_of_odd_numbers_and_odd_text_can_be_compared(folder: Path):
    odd = [
        graph_with(nodes=[NODE, NODE], edges=[[0, "R", 1], [0, "R", 1], [1, "R", 1]], tops=[0, 0], text="\x00"),
        graph_with(nodes=[["x", "\x00", [[10**30, -5]], [["", ""]], "", "", False]], text="a"),
        graph_with(nodes=[["x", "", [[5, 2]] * 50, [], None, "x", False]] * 20),
    ]
    for text in odd:
        change_column(folder, "trees", "tree", lambda n, text=text: pa.array([text] * n))
        alignment = Run(folder).graphs(1, "p")
        assert alignment.counts["sentences"] == 1
        assert all(node.predicate.encode() is not None for node in alignment.gold.nodes)
        assert alignment.text.encode() is not None


def test_tables_that_say_nonsense_do_no_harm(folder: Path):
    for column, value in (("kind", "x"), ("status", "y"), ("label", None), ("value", None)):
        change_column(folder, "triples", column, lambda n, value=value: pa.array([value] * n, pa.string()))
    change_column(folder, "triples", "sentence", lambda n: pa.array([2**31 - 1] * n, pa.int32()))
    change_column(folder, "ranks", "rank", lambda n: pa.array([-7] * n, pa.int32()))
    run = Run(folder)
    assert reweighted(run, run.edm_rules)["pooled"].isna().any()
    assert not with_label(run, "p", "named").any()
    assert nbest(run.ranks("p")).longest == 2
    for report in ("text", "json", "csv"):
        for selection in (Selection(), Selection("labels"), Selection("sentences")):
            assert REPORTS[report](run, selection)
