"""Pages on a run that was written before a metric existed: its cells are empty, and it cannot be chosen."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evaltools import Run
from evaltools.frameworks.registry import METRICS
from tests.pages.shown import blocks, said
from tests.runs.test_newer_metrics import NEWER, change_meta, drop

Open = Callable[..., AppTest]


@pytest.fixture
def open_older(open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Give a function that opens a page on a run of trees whose tables have no columns of tree-edit similarity."""
    newer = NEWER["constituency"]
    folder = shutil.copytree(Path(__file__).parents[1] / "runs" / "schema4" / "constituency", tmp_path / "older.run")
    kept = [name for name in Run(folder).metrics if name not in newer]
    of_newer, of_kept = ({column for name in names for column in METRICS[name].all_columns} for names in (newer, kept))
    drop(folder, of_newer - of_kept - {"sentences"})
    change_meta(folder, lambda meta: meta.update(metrics=kept))
    monkeypatch.setattr(sys, "argv", ["app.py", str(folder)])
    return open_app


def metrics_offered(app: AppTest, key: str) -> list[str]:
    return list(app.selectbox(key=key).options)


def test_overview_falls_back_to_a_metric_of_the_run(open_older: Open):
    app = open_older("overview", metric="t_dice", columns="t_dice,e_dice_roof")
    assert not app.exception
    assert not app.error
    shown = ["parser", "e_dice_roof", "t_dice", "scored", "words_differ", "missing"]
    assert app.dataframe[0].value.columns.tolist() == shown
    assert app.dataframe[0].value["e_dice_roof"].notna().all()
    assert app.dataframe[0].value["t_dice"].isna().all()
    title = METRICS["t_dice"].title
    assert f"–: this run was written before evaltools had {title}; score the files again to compute it." in said(
        app, "note"
    )
    assert METRICS["t_dice"].title not in metrics_offered(app, "url_metric")
    assert blocks(app, "formulas")[0]["heading"].startswith(METRICS["e_dice_roof"].title)


def test_overview_shows_newer_headline_metrics_without_being_asked(open_older: Open):
    shown = open_older("overview").dataframe[0].value
    assert METRICS["t_dice"].headline
    assert shown["t_dice"].isna().all()
    assert shown["e_dice_roof"].notna().all()


def test_worst_parses_falls_back_to_a_metric_of_the_run(open_older: Open):
    app = open_older("worst_parses", metric="t_dice", metric2="t_jaccard")
    assert not app.exception
    assert not app.error
    assert said(app, "answer")[0].startswith("Sentence 2 has the most wrong brackets, 42 in 74 words")
    assert [name for name in app.dataframe[0].value.columns if name in METRICS] == [
        "e_dice_roof",
        "la_partial",
        "t_dice",
    ]
    assert app.dataframe[0].value["t_dice"].isna().all()
    assert app.dataframe[0].value["e_dice_roof"].notna().all()
    assert METRICS["t_dice"].title not in metrics_offered(app, "url_metric")


def test_sentence_aligns_anew_and_so_has_every_score(open_older: Open):
    app = open_older("sentence", sentence="1", metric="t_dice")
    assert not app.exception
    assert not app.error
    assert f"{METRICS['t_dice'].heading} 0.981" in said(app, "answer")[0]
