"""The rows of Hotspots that cost a parser most, with examples."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from evaltools.analysis.costliest import CostlyRow, costliest_rows, leading_question, name_rows
from evaltools.frameworks.constituency.questions import TYPES
from evaltools.frameworks.hotspots import Hotspots
from evaltools.frameworks.questions import Scope
from evaltools.outputs.hotspots import ask
from tests.pages.dependency_corpus import HOSTILE_PARSER as HOSTILE_DEPENDENCIES, score_dependencies
from tests.pages.tiny import HOSTILE_PARSER, score_tiny


@pytest.mark.parametrize("kind", ["trees", "dependencies"])
def test_the_rows_are_the_first_informative_ones_of_the_table(tmp_path: Path, kind: str):
    run = score_tiny(tmp_path) if kind == "trees" else score_dependencies(tmp_path)
    parser = HOSTILE_PARSER if kind == "trees" else HOSTILE_DEPENDENCIES
    question = leading_question(run.framework.questions().hotspots)
    assert question is not None
    assert question.id == ("errors" if kind == "trees" else "heads")
    table = ask(run, question, parser)
    rows = table.rows[[not table.uninformative(row) for _, row in table.rows.iterrows()]]
    costliest = costliest_rows(table)
    if kind == "trees":
        last = costliest.pop()
        assert (last.title, last.is_residual, last.part) == ("unclassified", True, "")
        assert last.figures == "6 of 10 wrong brackets (60.0 %); no rule of error types matches these errors"
    assert [item.keys for item in costliest] == [tuple(row) for row in rows[table.keys].head(3).to_numpy()]
    assert [item.cost for item in costliest] == rows["cost"].head(3).tolist()
    for item, row in zip(costliest, rows.to_dict("records"), strict=False):
        errors = table.errors({str(name): value for name, value in row.items()})
        if item.part:
            errors = errors[errors["part"] == item.part]
            assert item.figures.endswith(f"; most often {item.part}")
        assert item.sentence in set(errors["sentence"])
        assert item.marked
        assert max(item.marked) < len(item.words)
    if kind == "trees":
        assert all(item.part for item in costliest)
        assert costliest_rows(ask(run, question, "better")) == []


def made_row(title: str, cost: float, share: float) -> CostlyRow:
    return CostlyRow((title,), title, "", cost, share, "", 1, ("w",), frozenset({0}))


def made(rows: pd.DataFrame, scored: int = 1) -> Hotspots:
    run: Any = SimpleNamespace(meta={"parsers": [{"name": "p", "scored": scored}]})
    table = Hotspots(run, TYPES, "p", "", {}, Scope(1, "sentence <= 1"))
    table.__dict__["rows"] = rows
    return table


def test_rows_in_words():
    rows = [made_row("A", 1, 0.5), made_row("B", 1200, 0.25)]
    table = made(pd.DataFrame())
    assert name_rows([], table) == "p has no errors."
    assert name_rows([], made(pd.DataFrame(), scored=0)) == "No sentence of p is scored, so no errors are known."
    assert name_rows(rows, table) == "Wrong brackets of p by error type: 50.0 % A, 25.0 % B."


def test_an_uninformative_row_is_named_last():
    residual = made_row("unclassified", 2000, 0.5)._replace(is_residual=True)
    table = made(pd.DataFrame({"type": ["A"], "cost": [900], "share": [0.4]}))
    named = name_rows([residual, made_row("A", 900, 0.4)], table)
    assert named == "Wrong brackets of p by error type: 40.0 % A, 50.0 % unclassified."
    assert name_rows([made_row("A", 1200, float("nan"))], table) == "Wrong brackets of p by error type: 1,200 A."
    assert table.share_in_words(table.rows.iloc[0]) == "900 of 2,250 wrong brackets (40.0 %)"
