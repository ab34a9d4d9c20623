"""The costliest error types of a parser, with examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltools.analysis.costliest_types import CostlyType, costliest_types, describe_types
from evaltools.frameworks.groups import Part
from tests.pages.tiny import HOSTILE_PARSER, score_tiny

if TYPE_CHECKING:
    from pathlib import Path


def test_the_types_are_the_first_of_the_table_of_error_types(tmp_path: Path):
    run = score_tiny(tmp_path)
    types = run.framework.error_types
    assert types is not None
    part = Part(run, run.n_sentences)
    found = costliest_types(types, part, HOSTILE_PARSER, dict.fromkeys(range(1, 8), 5))
    steps = types.steps(part, HOSTILE_PARSER, types.rules.default)
    totals = types.totals(steps)
    expected = totals[totals["type"] != types.residual].head(3)
    assert [item.title for item in found] == expected["type"].tolist()
    assert [item.repaired for item in found] == expected["repaired"].tolist()
    for item in found:
        of_type = steps[steps["type"] == item.title]
        by_part = {name: rows["repaired"].sum() for name, rows in of_type.groupby("part")}
        assert item.part_repaired == by_part[item.part] == max(by_part.values())
        rows = of_type[(of_type["part"] == item.part) & (of_type["sentence"] == item.sentence)]
        assert item.example in rows["story"].tolist()
    assert costliest_types(types, part, "better", {}) == []


def test_types_in_words():
    types = [
        CostlyType(name, n, share, "P", 1, 1, "x")
        for name, n, share in (("A", 1, 0.5), ("B", 1200, 0.25), ("C", 3, 0.1))
    ]
    assert describe_types(types, "p") == (
        "p loses most brackets by A (1 bracket, 50 %), B (1,200, 25 %) and C (3, 10 %)."
    )
    assert describe_types(types[:1], "p", " in the first 9 sentences") == (
        "p loses most brackets by A (1 bracket, 50 %) in the first 9 sentences."
    )
    assert describe_types([], "p") == "p has no error of a known type."
