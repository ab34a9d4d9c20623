"""Links that name what a run does not have, and what stays of the address."""

from __future__ import annotations

from pathlib import Path

from evaltools.app.frame import faults
from tests.pages.tiny import score_tiny


def test_each_wrong_value_has_a_sentence(tmp_path: Path):
    run = score_tiny(tmp_path)
    right = {"sentence": str(run.n_sentences), "parser": run.parsers[0], "other": "", "metric": run.metrics[0]}
    assert faults(run, right) == {}
    assert faults(run, {}) == {}
    for number in ("0", "8", "-1", "x", "1.5", "9" * 5000):
        assert list(faults(run, {"sentence": number})) == ["sentence"]
    wrong = faults(run, {"parser": "p", "other": "q", "metric": "m", "q": "dogs"})
    assert list(wrong) == ["parser", "other", "metric"]
    more = faults(run, {"view": "v", "metric2": "m", "key": "genre", "value": "x", "label": "XX"})
    assert list(more) == ["metric2", "view", "key", "label"]
    assert faults(run, {"label": "NP"}) == {}
    assert more["view"].startswith("This run has no view of hotspots “v”; it has: ")
    assert more["key"] == "This run has no metadata “genre”; it has: none."
    assert wrong["metric"].startswith("This run has no metric “m”; it has: recall, precision, f1")
