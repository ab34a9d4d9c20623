"""The table of errors, whose costs add up to the counts, and the number of errors of each sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import evaltools
from evaltools.runs.sample import sample_run
from evaltools.runs.sentences import error_counts
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


@pytest.mark.parametrize(
    ("kind", "parts", "matched"),
    [
        ("constituency", ("e_gold_roof", "e_test_roof"), ("e_matched_roof", "e_matched_roof")),
        ("dependency", ("dep_gold",), ("las_right",)),
        (
            "mrs",
            tuple(f"edm_{letter}_{side}" for letter in "napct" for side in ("gold", "test")),
            tuple(f"edm_{letter}_matched" for letter in "napct" for _ in range(2)),
        ),
        ("crossframework", ("tedeval_multiple_error_unlabeled",), ()),
    ],
)
def test_errors_are_what_is_not_matched(kind: str, parts: tuple[str, ...], matched: tuple[str, ...]):
    run = sample_run(kind=kind)
    for parser in run.parsers:
        errors = error_counts(run, parser)
        assert errors is not None
        counts = run.counts(parser).set_index("sentence")
        scores = run.sentences(parser).set_index("sentence")[run.framework.figures.main]
        expected = counts[list(parts)].sum(axis=1) - counts[list(matched)].sum(axis=1)
        assert len(errors) == run.n_sentences
        scored = scores.dropna().index
        assert np.array_equal(errors[scored - 1], expected[scored].to_numpy(dtype=float))
        # nothing wrong is a perfect score
        perfect = scores[scored] == 1
        assert (errors[scored - 1][~perfect] > 0).all()


def test_a_run_without_the_counts_has_no_errors(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text("(S (A a) (B b))\n")
    run = evaltools.score(tmp_path / "gold.ptb", {"same": tmp_path / "gold.ptb"}, metrics=["ted"])
    assert error_counts(run, "same") is None
