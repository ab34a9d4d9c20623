"""Runs of evaltools 0.2.0 (schema 4): ``schema4/`` holds a run of each kind of data over a few sample sentences."""

from pathlib import Path

import pytest

import evaltools
from evaltools.runs.sample import sample_run

RUNS = sorted(path for path in (Path(__file__).parent / "schema4").iterdir())


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.name)
def test_a_run_of_the_version_before_opens_and_keeps_its_figures(path):
    run = evaltools.Run.open(path)
    assert run.meta["schema"] == 4
    assert run.signature.startswith("evaltools:0.2.0|")
    summary = run.summary()
    assert summary["pooled"].notna().any()
    assert set(summary["metric"]) == set(run.metrics)
    assert len(run.sentences()) == run.n_sentences * len(run.parsers)


def test_a_run_of_the_version_before_keeps_its_rules_which_compared_words_before_removing_empty_elements():
    rules = evaltools.Run.open(Path(__file__).parent / "schema4" / "constituency").rules
    assert (rules.name, rules.empty_tags) == ("standard", frozenset())
    assert "-NONE-" in rules.delete_tags
    assert evaltools.align("(S (-NONE- *) (N a))", "(S (N a))", rules).status == "words_differ"


@pytest.mark.slow
def test_a_run_of_the_sample_that_is_damaged_in_the_cache_is_scored_again(fresh_home: Path):
    path = sample_run(kind="semantics").path
    (path / "meta.json").write_text((path / "meta.json").read_text("utf-8").replace("gold.eds", "other.eds"), "utf-8")
    with pytest.raises(evaltools.RunError):
        evaltools.Run.open(path)
    assert sample_run(kind="semantics").summary()["pooled"].notna().any()
