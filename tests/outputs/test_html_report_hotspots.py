"""The tables of Hotspots in reports are the first rows that the app shows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import evaltools
from evaltools.blocks import Table
from evaltools.outputs.hotspots import ask
from evaltools.outputs.sections import Report, hotspots
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
from tests.pages.tiny import score_tiny

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize("score", [score_tiny, score_dependencies, score_graphs])
def test_the_first_rows_of_some_questions(tmp_path: Path, score: Callable[[Path], evaltools.Run]):
    run = score(tmp_path)
    questions = {run.framework.questions().hotspots[name].title: name for name in run.framework.questions().excerpts}
    n_tables = 0
    for parser in run.parsers:
        for block in hotspots(replace(Report.of(run), parser=parser)):
            if not isinstance(block, Table):
                continue
            n_tables += 1
            table = ask(run, run.framework.questions().hotspots[questions[block.title]], parser)
            assert 0 < len(block.rows) <= 8
            assert set(block.columns) <= set(table.columns)
            for row, own in zip(block.rows, table.rows.to_dict("records"), strict=False):
                assert repr(row) == repr([own[column.name] for column in block.columns])
    assert n_tables


def test_a_run_of_part_of_the_metrics_has_what_it_can(tmp_path: Path):
    (tmp_path / "g").write_text("(S (A a) (B b))\n")
    run = evaltools.score(tmp_path / "g", {"same": tmp_path / "g"}, metrics=["f1"], out=tmp_path / "r")
    assert hotspots(Report.of(run)) == []
