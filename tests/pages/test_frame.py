"""The frame without a browser: which run, which page."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.app.session import library
from evaltools.hosts import CLASS_FILE

Open = Callable[..., AppTest]


def test_while_a_class_is_on_there_is_no_run(open_app: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    assert "score_files" in {button.key for button in open_app("lessons").sidebar.button}
    monkeypatch.setenv(CLASS_FILE, str(tmp_path / "class.sqlite"))
    for page in ("lessons", "lab", "about"):
        app = open_app(page)
        assert not app.sidebar.button


@pytest.mark.parametrize("metrics", [["t"], ["crossing"], ["la"]])
def test_runs_of_a_few_metrics_can_be_shown(
    open_app: Open, tiny_run: evaltools.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, metrics: list[str]
):
    folder = tiny_run.path.parent
    out = tmp_path / "few.run"
    evaltools.score(folder / "gold.ptb", {"worse": folder / "worse.ptb"}, out=out, metrics=metrics)
    monkeypatch.setattr(sys, "argv", ["app.py", str(out)])
    for page in ("worst_parses", "sentence"):
        app = open_app(page, metric="f1", metric2="ted")
        assert not app.error


def test_values_of_a_link_that_the_run_does_not_have_are_named(open_app: Open):
    app = open_app("sentence", sentence="99", parser="nobody")
    (remark,) = [text.value for text in app.text if "This run has no" in text.value]
    assert "no sentence “99”; its sentences are 1 to 7." in remark
    assert "no parser “nobody”; it has: " in remark
    app.button(key="link_faults_dismiss").click().run()
    assert "sentence" not in app.query_params
    assert "parser" not in app.query_params
    assert not [text for text in app.text if "This run has no" in text.value]


@pytest.mark.parametrize("run", ["/etc", "../../etc", "..%2f..%2fetc", "<img src=x onerror=alert(1)>"])
def test_a_run_in_the_link_must_be_known(open_app: Open, tiny_run: evaltools.Run, run: str):
    app = open_app("sentence", run=run)
    assert [one.value for one in app.subheader] == ["No run is open"]
    assert "The run in the link is not open here." in [one.value for one in app.text]
    assert app.selectbox(key="url_run").value is None
    known = library.add(tiny_run.path, "opened")
    assert open_app("sentence", run=known.id).selectbox(key="url_run").value == known.id


@pytest.mark.parametrize("page", ["lessons", "lab", "about"])
def test_pages_that_are_not_about_a_run_need_none(open_app: Open, page: str):
    app = open_app(page, run="0123456789")
    assert not app.subheader or app.subheader[0].value != "No run is open"
    assert app.header


def test_a_run_that_is_deleted_while_it_is_shown_is_one_line(open_app: Open, own_run: evaltools.Run):
    app = open_app("overview")
    shutil.rmtree(own_run.path)
    app.run()
    assert [one.value for one in app.subheader] == ["No run is open"]
    assert f"{own_run.path} holds no run any more" in [one.value for one in app.text]


def test_a_run_that_was_just_opened_stays_open(open_app: Open, tiny_run: evaltools.Run, tmp_path: Path):
    app = open_app("sentence")
    (before,) = (one for one in app.selectbox if one.label == "Run")
    first, asked = before.value, app._tree.get_widget_states()
    copy = library.add(shutil.copytree(tiny_run.path, tmp_path / "copy.run"), "scored")
    app.query_params["run"] = copy.id  # as the end of scoring does
    app.run()
    app._run(asked)  # what the browser had asked for before it knew
    (after,) = (one for one in app.selectbox if one.label == "Run")
    assert (after.value, app.query_params["run"]) == (copy.id, copy.id)
    after.set_value(first).run()
    (last,) = (one for one in app.selectbox if one.label == "Run")
    assert (last.key, last.value) == (after.key, first)
    assert app.query_params["run"] == first


def test_runs_of_the_command_line_that_are_none_are_named(
    open_app: Open, tiny_run: evaltools.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "argv", ["app.py", str(tmp_path / "nowhere"), str(tiny_run.path)])
    app = open_app("sentence")
    assert any("nowhere" in one.value for one in app.code)
    assert app.header[0].value == "Sentence"


def test_the_sample_is_introduced_until_its_line_is_dismissed(
    open_app: Open, tiny_run: evaltools.Run, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "argv", ["app.py"])
    known = library.add(tiny_run.path, next(iter(library.SAMPLES)))
    app = open_app("overview", run=known.id)
    line = "This is the bundled sample: 7 sentences with constituency trees, and the outputs of 2 parsers."
    assert line in [text.value for text in app.text]
    assert line not in [text.value for text in open_app("lessons", run=known.id).text]  # which is not about the run
    app.button(key="sample_score").click().run()
    assert list(app.main.get("dialog") or app.get("dialog"))
    app.button(key="sample_dismiss").click().run()
    assert line not in [text.value for text in app.text]


def test_a_run_of_ones_own_has_no_line_about_the_sample(open_app: Open):
    assert not [text for text in open_app("overview").text if "bundled sample" in text.value]
