"""The runs that the app knows by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st

from evaltools.app.session import library
from evaltools.app.session.jobs import JobState


@pytest.fixture(autouse=True)
def fresh(fresh_home: Path) -> None:
    st.cache_resource.clear()


def test_the_sample_is_there_in_every_kind():
    known = library.known_runs(())
    assert [one.name for one in known] == list(library.SAMPLES)
    assert [one.name for one in known[:2]] == ["sample", "sample of dependency trees"]
    assert all(one.path.name.startswith("sample-") for one in known)
    assert library.default(()).name == "sample"


def test_the_sample_of_dependency_trees_is_scored_when_it_is_wanted():
    known = library.known_runs(())[1]
    assert not known.path.exists()
    job = library.sample_job(known.origin)
    assert job.finished.wait(120)
    assert job.state is JobState.DONE, job.message
    run = library.open_run(known)
    assert run.kind == "dependency"
    assert run.parsers == ["spanning-tree", "transition"]
    assert run.meta["problems"] == 0
    assert run.summary().set_index(["parser", "metric"]).loc[("transition", "las"), "pooled"] > 0.7


def test_the_sample_of_semantic_graphs_is_scored_when_it_is_wanted():
    known = library.sample_for("mrs")
    job = library.sample_job(known.origin)
    assert job.finished.wait(120)
    assert job.state is JobState.DONE, job.message
    run = library.open_run(known)
    assert run.kind == "mrs"
    assert run.parsers == ["grammar", "grammar-small", "graph-parser"]
    assert run.meta["n_best"] == {"grammar": 10, "grammar-small": 1, "graph-parser": 1}
    figures = run.summary().set_index(["parser", "metric"])["pooled"]
    assert figures["grammar", "edm"] > figures["grammar-small", "edm"] > figures["graph-parser", "edm"] > 0.9
