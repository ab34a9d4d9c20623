"""The rows of Hotspots that cost a parser most, with examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from evaltools.analysis.costliest import CostlyRow, costliest_rows, describe_rows
from evaltools.frameworks.groups import Part
from tests.pages.dependency_corpus import HOSTILE_PARSER as HOSTILE_DEPENDENCIES
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.tiny import HOSTILE_PARSER, score_tiny

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("kind", ["trees", "dependencies"])
def test_the_rows_are_the_first_of_the_table_of_constructions(tmp_path: Path, kind: str):
    run = score_tiny(tmp_path) if kind == "trees" else score_dependencies(tmp_path)
    parser = HOSTILE_PARSER if kind == "trees" else HOSTILE_DEPENDENCIES
    group = next(iter(run.framework.groups.values()))
    assert group.is_construction
    part = Part(run, run.n_sentences)
    rows = group.rows(part, parser, group.options())
    costliest = costliest_rows(group, part, parser)
    assert [item.keys for item in costliest] == [tuple(row) for row in rows[list(group.keys)].head(3).to_numpy()]
    assert [item.cost for item in costliest] == rows[group.main].head(3).tolist()
    for item, row in zip(costliest, rows.to_dict("records"), strict=False):
        errors = group.errors(part, parser, group.options(), {str(name): value for name, value in row.items()})
        assert item.sentence in set(errors["sentence"])
        assert 0 < len(item.example) <= 110
    if kind == "trees":
        assert costliest_rows(group, part, "better") == []


def test_rows_in_words(tmp_path: Path):
    group = next(iter(score_tiny(tmp_path).framework.groups.values()))
    rows = [CostlyRow((name,), name, n, share, "", 1, "") for name, n, share in (("A", 1, 0.5), ("B, C", 1200, 0.25))]
    both = "75.0 % of the wrong brackets of p are at these 2 constructions."
    assert describe_rows(rows, group, "p") == both
    assert describe_rows(rows[1:], group, "p", " in the first 9 sentences") == (
        "25.0 % of the wrong brackets of p in the first 9 sentences are at one construction."
    )
    assert describe_rows([], group, "p") == "p has no errors."
