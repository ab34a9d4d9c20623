"""The table of errors: every error of a sentence has a number, and what errors cost adds up to the counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import evaltools
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.tiny import score_tiny


@pytest.mark.parametrize("score", [score_tiny, score_dependencies])
def test_errors_of_a_sentence_are_numbered_from_1(tmp_path: Path, score: Callable[[Path], evaltools.Run]):
    errors = score(tmp_path).query("select parser, sentence, number, kind, cost from errors")
    assert len(errors)
    for _, numbers in errors.groupby(["parser", "sentence"])["number"]:
        assert numbers.tolist() == list(range(1, len(numbers) + 1))
    is_free = errors["kind"] == "rule"  # its brackets are right; those beside it cost
    assert (errors.loc[~is_free, "cost"] > 0).all()
    assert (errors.loc[is_free, "cost"] == 0).all()


def test_repairs_cost_the_wrong_brackets(tmp_path: Path):
    run = score_tiny(tmp_path)
    errors = run.query(
        "select parser, sentence, count(*) as steps, sum(cost)::int as cost from errors "
        "where kind = 'repair' group by all"
    )
    counts = run.counts().query("r_steps > 0")[["parser", "sentence", "r_steps", "r_brackets"]]
    both = counts.merge(errors, on=["parser", "sentence"], how="outer")
    assert both["r_steps"].tolist() == both["steps"].tolist()
    assert both["r_brackets"].tolist() == both["cost"].tolist()


def test_errors_are_written_whatever_metrics_are_chosen(tmp_path: Path):
    gold, test = "(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N dogs)) (X (V bark)))"
    runs = [evaltools.score([gold], {"p": [test]}, metrics=metrics) for metrics in (None, "f1")]
    found = [run.query("select * from errors").to_dict("records") for run in runs]
    assert found[0] == found[1]
    assert (found[0][0]["gold"], found[0][0]["test"], found[0][0]["words"]) == ("VP", "X", "1-2")


def test_a_part_of_a_run_has_the_errors_of_its_sentences(tmp_path: Path):
    run = score_tiny(tmp_path)
    part = evaltools.subset(run, [6, 7])
    names = "number, type, cost, construction, text"
    whole = run.query(f"select sentence - 5 as sentence, {names} from errors where sentence in (6, 7) order by all")
    assert part.query(f"select sentence, {names} from errors order by all").equals(whole)
    assert len(whole)
