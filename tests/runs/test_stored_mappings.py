"""The mapping of nodes that Smatch has found is kept in the run: what shows a scored pair does not search it again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import evaltools
from evaltools import Run, RunError
from evaltools.frameworks.semantics import alignment, smatch as smatch_pass
from evaltools.frameworks.semantics.smatch_matching import Matching
from evaltools.frameworks.semantics.views import graph_summary
from evaltools.frameworks.views import sentence_of
from evaltools.outputs.html_report import html_report
from tests.commands import call
from tests.resealing import change_column
from tests.runs.semantic_files import data, eds, sleeps

GOLD = "(b / bark-01 :ARG0 (d / dog :quant 1) :ARG1 (c / cat))"
TEST = "(b / bark-01 :ARG0 (c / cat) :ARG1 (d / dog :quant 1))"
POOR = [(0, 0), (1, None), (2, None), (None, 1), (None, 2)]


def pairs(run: Run, sentence: int = 1) -> list[tuple[int | None, int | None]]:
    return [(node.gold, node.test) for node in run.graphs(sentence, "p").nodes]


@pytest.fixture
def no_search(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Give a function from whose call on a search for a mapping is an error."""

    def search(*arguments: Any, **options: Any) -> Matching:
        raise AssertionError("a mapping was searched again")

    def forbid() -> None:
        for module in (alignment, smatch_pass):
            monkeypatch.setattr(module, "best_mapping", search)

    return forbid


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_search: Callable[[], None]) -> Path:
    """Give the folder of a run of two sentences; in the second one a poor mapping was found."""
    find = smatch_pass.best_mapping

    def poor(gold: Any, test: Any, *limits: Any, **options: Any) -> Matching:
        return find(gold, test, *limits, **options) if gold == test else Matching((0, None, None), 2, 5)

    with monkeypatch.context() as patch:
        patch.setattr(smatch_pass, "best_mapping", poor)
        evaltools.score(data(f"{GOLD}\n\n{GOLD}\n"), {"p": data(f"{GOLD}\n\n{TEST}\n")}, out=tmp_path / "run")
    no_search()
    return tmp_path / "run"


def test_a_pair_is_shown_as_it_was_scored(folder: Path):
    run = Run(folder)
    found = run.graphs(2, "p")
    assert pairs(run, 2) == POOR
    assert (found.scores["smatch"], found.gap) == (4 / 14, 3)
    scores, counts = run.sentences("p").iloc[1], run.counts("p").iloc[1]
    assert {name: found.scores[name] for name in run.metrics if found.scores[name] is not None} == {
        name: scores[name] for name in run.metrics if scores[name] == scores[name]
    }
    smatch = {name: value for name, value in found.counts.items() if name.startswith("smatch")}
    assert smatch == {name: counts[name] for name in smatch_pass.COLUMNS}
    assert graph_summary(found, 2, "gold", "p").endswith("another might match up to 3 more triples.")


def test_nothing_that_shows_a_run_searches_again(folder: Path):
    run = Run(folder)
    assert sentence_of(run, 2, "p").alignment.gap == 3
    assert "bark-01" in run.tree(2)._repr_html_()
    assert "bark-01" in html_report(run)
    drawn = call("draw", folder, "--sentence", 2, "--parser", "p")
    assert (drawn.returncode, drawn.stderr) == (0, "")
    assert "bark-01" in drawn.stdout


def test_a_part_keeps_the_mappings(folder: Path):
    assert pairs(evaltools.subset(Run(folder), [2])) == POOR


def test_figures_of_graphs_with_spans_are_not_searched_again(no_search: Callable[[], None]):
    files = data(eds(sleeps())), {"p": data(eds(sleeps("_doze_v_1")))}
    run = evaltools.score(*files, metrics=["edm", "smatch"])
    no_search()
    found, scores = run.graphs(1, "p").scores, run.sentences("p").iloc[0]
    assert {name: found[name] for name in ("edm", "smatch")} == {name: scores[name] for name in ("edm", "smatch")}
    assert 0 < found["smatch"] < 1


def test_two_parsers_are_searched(tmp_path: Path):
    folder = tmp_path / "run"
    evaltools.score(data(GOLD), {"p": data(TEST), "q": data(TEST)}, out=folder)
    two = Run(folder).graphs(1, "q", "p")
    assert [(node.gold, node.test) for node in two.nodes] == [(0, 0), (1, 1), (2, 2)]
    assert two.scores["smatch"] == 1


NO_MAPPINGS = ["", "null", "{}", "[0, 1", "[" * 9999, "[0, true, 2]", '["0", 1, 2]', "[0.5, 1, 2]"]
NOT_OF_THESE = ["[]", "[0, 1]", "[0, 1, 2, null]", "[0, 1, 3]", "[0, 1, -1]", "[0, 1, 1]", f"[0, 1, {'9' * 99}]"]


@pytest.mark.parametrize("mapping", [*NO_MAPPINGS, *NOT_OF_THESE])
def test_a_damaged_mapping_is_an_error(folder: Path, mapping: str):
    change_column(folder, "trees", "mapping", lambda n: pa.array([mapping] * n))
    with pytest.raises(RunError, match="is damaged: sentence 2 of p has a mapping of nodes that "):
        Run(folder).graphs(2, "p")


def test_mappings_of_another_type_are_an_error(folder: Path):
    change_column(folder, "trees", "mapping", lambda n: pa.array([0] * n))
    with pytest.raises(RunError, match=r"column mapping of its table trees: .*, not varchar"):
        Run(folder).summary()
