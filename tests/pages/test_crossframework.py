"""The page Cross-framework, without a browser."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.analysis.experiments import experiments
from evaltools.app.session import library
from evaltools.app.widgets import saving
from evaltools.outputs.experiments import experiments_report
from tests.pages.shown import blocks, said

Open = Callable[..., AppTest]

PHRASES = "(S (NP-SBJ (NN Kim)) (VP (V saw) (NP-OBJ (NN <b>Sandy</b>)) (NP-TMP (NN today))))\n" * 3
BARE = "(S (NP (NN Kim)) (VP (V saw) (NP (NN <b>Sandy</b>)) (NP (NN today))))\n" * 3
ROWS = (("Kim", 2, "SBJ"), ("saw", 0, "root"), ("<b>Sandy</b>", 2, "OBJ"), ("today", 2, "TMP"))
WRONG = (("Kim", 2, "SBJ"), ("saw", 0, "root"), ("<b>Sandy</b>", 2, "OBJ"), ("today", 3, "$x$"))


def block(rows: tuple[tuple[str, int, str], ...]) -> str:
    lines = [f"{place}\t{form}\t_\t_\t_\t_\t{head}\t{name}\t_\t_" for place, (form, head, name) in enumerate(rows, 1)]
    return "\n".join(lines) + "\n\n"


def score_frameworks(folder: Path) -> evaltools.Run:
    for name, text in {"p": PHRASES, "b": BARE, "d": block(ROWS) * 3, "w": block(WRONG) + block(ROWS) * 2}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return evaltools.crossframework(
        {"phrases": folder / "p", "words": folder / "d"},
        {
            "<i>right</i>": ("words", folder / "d"),
            "wrong": ("words", folder / "w"),
            "bare": ("phrases", folder / "b"),
        },
        out=folder / "frameworks.run",
    )


@pytest.fixture
def open_frameworks(open_on: Callable[..., Open]) -> Open:
    return open_on(score_frameworks)


def test_the_page_has_the_leaderboard_and_the_significance(open_frameworks: Open):
    app = open_frameworks("crossframework")
    board, pairs = (one.value for one in app.main.dataframe[:2])
    assert set(board["parser"]) == {"<i>right</i>", "wrong", "bare"}
    assert dict(zip(board["parser"], board["theory"], strict=True))["bare"] == "phrases"
    assert board.set_index("parser")["tedeval_multiple_labeled"].isna().to_dict()["bare"]
    assert len(pairs) == 3
    assert (pairs["difference"] >= 0).all()
    assert pairs["p"].between(0, 1).all()


def test_a_metric_and_a_sentence_are_chosen_and_stand_in_the_link(open_frameworks: Open):
    app = open_frameworks("crossframework", parser="wrong", sentence="1")
    app.selectbox(key="url_metric").set_value("tedeval_single_labeled").run()
    assert app.query_params["metric"] == "tedeval_single_labeled"
    assert len(app.main.dataframe[1].value) == 1  # one parser has no functions
    app.number_input(key="url_sentence").set_value(2).run()
    assert app.query_params["sentence"] == "2"


def test_the_answers_and_the_steps_follow_the_link_and_the_parser(open_frameworks: Open):
    app = open_frameworks("crossframework", parser="wrong", sentence="1", what="unlabeled")
    first, *_, last = said(app, "answer")
    assert first == "100.00 % TedEval, all golds, unlabeled: the same for <i>right</i> (words) and bare (phrases)."
    assert last.startswith("Sentence 1, wrong: ")
    assert blocks(app, "steps")
    app.selectbox(key="url_parser").select("<i>right</i>").run()
    assert app.query_params["parser"] == "<i>right</i>"
    assert not blocks(app, "steps")
    assert "No operations: the trees are equal." in said(app, "note")


def test_the_steps_of_2011_are_one_click_away(open_frameworks: Open):
    app = open_frameworks("crossframework", parser="wrong", sentence="1")
    app.segmented_control(key="url_measure").set_value("2011").run()
    assert app.query_params["measure"] == "2011"
    assert "a head, which matches every function" in " ".join(said(app, "note"))
    assert blocks(app, "steps")


def test_experiments_are_a_section_of_overview_whose_files_are_those_of_the_command(
    open_frameworks: Open, scored: Callable[..., evaltools.Run], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(saving, "_save", saving._file_buttons)
    files: dict[str, Callable[[], bytes]] = {}
    monkeypatch.setattr(st, "download_button", lambda _, data, name, *rest, **options: files.update({name: data}))
    app = open_frameworks("overview", open="experiments")
    assert any(title.startswith("Parsers against gold treebanks") for title in said(app, "note"))
    run = scored(score_frameworks)
    for ending, kind in (("csv", "csv"), ("tex", "latex")):
        written = experiments_report(run, experiments(run), kind)
        assert any(data().startswith(written.encode()) for name, data in files.items() if name.endswith(ending))


def test_other_runs_are_told_what_the_page_needs_and_a_sample_is_one_click_away(
    open_app: Open, scored: Callable[..., evaltools.Run], monkeypatch: pytest.MonkeyPatch
):
    known = library.add(scored(score_frameworks).path, "opened")
    sample = replace(known, origin="sample across frameworks")
    monkeypatch.setattr(library, "sample_for", {"crossframework": sample}.__getitem__)
    app = open_app("crossframework")
    assert app.button(key="crossframework_sample").label == "Open the sample across frameworks"
    app.button(key="crossframework_sample").click().run()
    assert app.query_params["run"] == sample.id
    assert blocks(app, "steps")[0]["rows"]
    next(button for button in app.main.button if button.label == "Next").click().run()
    assert app.query_params["sentence"] == "2"
    app.segmented_control(key="url_against").set_value("single").run()
    assert app.query_params["against"] == "single"
    assert "|gold|" in str(blocks(app, "formulas")[-1])


def test_a_parser_that_fails_everywhere_is_the_last(open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name, text in {"p": BARE, "n": "(())\n" * 3}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    parsers = {"some": ("phrases", tmp_path / "p"), "fails": ("phrases", tmp_path / "n")}
    evaltools.crossframework({"phrases": tmp_path / "p"}, parsers, out=tmp_path / "f.run")
    monkeypatch.setattr(sys, "argv", ["app.py", str(tmp_path / "f.run")])
    app = open_app("crossframework", parser="fails")
    first, *_, last = said(app, "answer")
    assert ": some (phrases) has the highest" in first
    assert "is not significant" in first
    assert last.startswith("Sentence 1 of fails has no score")
