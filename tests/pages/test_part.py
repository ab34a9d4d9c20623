"""Pages on a part of a run: each sentence says which one it is in the whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.app.session import jobs, library
from evaltools.app.session.jobs import JOB, Job, JobState
from tests.pages.shown import blocks, said
from tests.pages.tiny import HOSTILE_PARSER

Open = Callable[..., AppTest]


@pytest.fixture
def opened(open_app: Open, tiny_run: evaltools.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    part = evaltools.subset(tiny_run, [2, 6, 7], tmp_path / "part")
    monkeypatch.setattr("sys.argv", ["app.py", str(part.path), str(tiny_run.path)])
    return open_app


@pytest.mark.parametrize("page", ["worst_parses", "sentence"])
def test_a_sentence_leads_back_to_the_whole(opened: Open, page: str):
    app = opened(page, parser=HOSTILE_PARSER, sentence="3")
    assert "This is sentence 7 of 7 in tiny.run." in said(app, "note")
    key = "detail_origin_go" if page == "worst_parses" else "sentence_origin_go"
    app.button(key=key).click().run()
    assert app.query_params["sentence"] == "7"
    assert app.query_params["parser"] == HOSTILE_PARSER
    assert not any("of 7 in" in text for text in said(app, "note"))


def test_the_list_has_the_numbers_of_the_whole(opened: Open):
    app = opened("worst_parses", parser=HOSTILE_PARSER, order="file")
    assert app.main.dataframe[-1].value["original"].tolist() == [2, 6, 7]
    facts = [row for block in blocks(app, "facts") for row in block["rows"]]
    assert ["part of", "tiny.run", "7"] in facts


def test_a_part_opens_when_it_is_scored_without_the_choices_of_the_other_run(
    open_app: Open, tiny_run: evaltools.Run, tmp_path: Path
):
    part = evaltools.subset(tiny_run, [2, 6, 7], tmp_path / "part")
    app = open_app("worst_parses", parser=HOSTILE_PARSER, q="saw")
    jobs._jobs()["part"] = Job("part", "3 of it", lambda _: part, JobState.DONE, part.path)
    app.session_state[JOB] = "part"
    app.run()
    assert [toast.value for toast in app.toast] == ["The new run is open."]
    assert app.query_params["run"] == library.id_of(part.path)
    assert app.query_params["parser"] == HOSTILE_PARSER
    assert "q" not in app.query_params
    next(box for box in app.selectbox if box.label == "Run").set_value(library.id_of(tiny_run.path)).run()
    assert app.query_params["run"] == library.id_of(tiny_run.path)


def test_what_is_listed_is_opened_as_a_run(open_app: Open):
    app = open_app("worst_parses", parser=HOSTILE_PARSER, q="saw")
    app.button(key="subset_run").click().run()
    job = jobs.job_by_id(app.session_state[JOB])
    assert job is not None
    assert job.finished.wait(60)
    app.run()
    assert app.main.dataframe[-1].value["original"].tolist() == [7, 4]
    assert app.query_params["run"] == library.id_of(job.path or Path())


def test_a_run_is_opened_although_a_click_began_the_page_again_while_it_was_opened(
    open_app: Open, tiny_run: evaltools.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    part = evaltools.subset(tiny_run, [2, 6, 7], tmp_path / "part")
    app = open_app("worst_parses", parser=HOSTILE_PARSER)
    jobs._jobs()["part"] = Job("part", "3 of it", lambda _: part, JobState.DONE, part.path)
    app.session_state[JOB] = "part"
    with monkeypatch.context() as clicked:
        clicked.setattr("streamlit.rerun", st.stop)
        app.run()
    app.query_params["run"] = library.id_of(tiny_run.path)  # where the click was done
    app.run()
    assert app.query_params["run"] == library.id_of(part.path)
    assert app.query_params["parser"] == HOSTILE_PARSER
    assert JOB not in app.session_state
