"""Runs that another version wrote, and damaged runs of the sample in the cache."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import evaltools
from evaltools.errors import RunError
from evaltools.runs.sample import sample_run

if TYPE_CHECKING:
    from pathlib import Path


def test_a_run_of_another_version_names_it_and_the_command_that_scores_again(tmp_path: Path):
    (tmp_path / "gold file.ptb").write_text("(S (A a))\n")
    run = evaltools.score(tmp_path / "gold file.ptb", {"a": tmp_path / "gold file.ptb"}, out=tmp_path / "run")
    meta = json.loads((run.path / "meta.json").read_text())
    (run.path / "meta.json").write_text(json.dumps(meta | {"schema": 5, "evaltools": "0.3.0"}))
    with pytest.raises(RunError) as error:
        evaltools.Run(run.path)
    gold = f"'{tmp_path}/gold file.ptb'"
    again = f"evaltools score {gold} 'a={tmp_path}/gold file.ptb' -o RUN"
    assert str(error.value) == (
        f"{run.path} is a run of evaltools 0.3.0; this version reads only its own runs: score its files again: {again}"
    )


@pytest.mark.slow
def test_a_run_of_the_sample_that_is_damaged_in_the_cache_is_scored_again(fresh_home: Path):
    path = sample_run(kind="mrs").path
    (path / "meta.json").write_text((path / "meta.json").read_text("utf-8").replace('"tables"', '"files"'), "utf-8")
    with pytest.raises(evaltools.RunError):
        evaltools.Run.open(path)
    assert sample_run(kind="mrs").summary()["pooled"].notna().any()
