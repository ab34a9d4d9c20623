"""The number of errors of each sentence, as the framework of a run counts them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import evaltools
from evaltools.runs.sample import sample_run
from evaltools.runs.sentences import error_counts


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
