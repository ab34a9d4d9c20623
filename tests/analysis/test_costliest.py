"""The rows of Hotspots that cost a parser most, with examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from evaltools.analysis.costliest import CostlyRow, costliest_rows, leading_group, name_rows, remainder
from evaltools.frameworks.constituency.groups import TYPES, TreeErrors
from evaltools.frameworks.groups import Part
from tests.pages.dependency_corpus import HOSTILE_PARSER as HOSTILE_DEPENDENCIES
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.tiny import HOSTILE_PARSER, score_tiny

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("kind", ["trees", "dependencies"])
def test_the_rows_are_the_first_informative_ones_of_the_table(tmp_path: Path, kind: str):
    run = score_tiny(tmp_path) if kind == "trees" else score_dependencies(tmp_path)
    parser = HOSTILE_PARSER if kind == "trees" else HOSTILE_DEPENDENCIES
    group = leading_group(run.framework.questions().groups)
    assert group is not None
    assert group.id == ("errors" if kind == "trees" else "heads")
    part = Part(run, run.n_sentences)
    options = group.options()
    rows = group.rows(part, parser, options)
    rows = rows[[not group.uninformative(row, options) for _, row in rows.iterrows()]]
    costliest = costliest_rows(group, part, parser)
    assert [item.keys for item in costliest] == [tuple(row) for row in rows[list(group.keys)].head(3).to_numpy()]
    assert [item.cost for item in costliest] == rows[group.main].head(3).tolist()
    for item, row in zip(costliest, rows.to_dict("records"), strict=False):
        errors = group.errors(part, parser, options, {str(name): value for name, value in row.items()})
        if item.part:
            errors = errors[errors["part"] == item.part]
            assert item.figures.endswith(f"; most often {item.part}")
        assert item.sentence in set(errors["sentence"])
        assert item.marked
        assert max(item.marked) < len(item.words)
    if kind == "trees":
        assert all(item.part for item in costliest)
        assert costliest_rows(group, part, "better") == []


def made_row(title: str, cost: float, share: float) -> CostlyRow:
    return CostlyRow((title,), title, "", cost, share, "", 1, ("w",), frozenset({0}))


def test_rows_in_words(tmp_path: Path):
    group = score_tiny(tmp_path).framework.questions().groups["errors"]
    rows = [made_row("A", 1, 0.5), made_row("B, C", 1200, 0.25)]
    assert name_rows([], group, "p") == "p has no errors."
    assert name_rows(rows, group, "p") == "p loses most brackets at A (1 bracket, 50.0 %); and B, C (1,200, 25.0 %)."


def test_an_uninformative_row_is_told_but_not_named_first():
    class Made(TreeErrors):
        def rows(self, *_: Any) -> pd.DataFrame:
            rows = {"type": ["unclassified", "A", "B"], "cost": [1054, 900, 3], "share": [0.5, 0.4, 0.1]}
            return pd.DataFrame(rows)

    part: Any = None
    named = [made_row("A", 900, 0.4)]
    told = "Another 1,054 brackets, 50.0 %, are unclassified: no rule of error types matches these errors."
    assert remainder(Made(TYPES), part, "p", named) == told
    assert remainder(Made(TYPES), part, "p", [made_row("A", 2000, 0.4)]) == ""
    row = Made(TYPES).rows().iloc[1]
    assert Made(TYPES).share_in_words(row) == "900 of 2,250 wrong brackets (40.0 %)"
