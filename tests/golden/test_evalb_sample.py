"""Evalb's own sample, and the figures it gives for real parsers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import evaltools
from evaltools.runs.store import Run
from tests.frameworks.test_evalb import rows_of
from tests.slow.evalb import Rules, compare, summary

COUNTS = ("status", "matched", "gold", "test", "crossing", "tags")


@pytest.fixture(scope="module")
def sample(shared_data: Path) -> Path:
    return shared_data / "data" / "evalb"


def published_rows(sample: Path) -> list[dict[str, int]]:
    text = (sample / "sample.rsl").read_text()
    rows = [line.split() for line in text.splitlines() if re.match(r" +\d+ +\d+ +[012] ", line)]
    places = {"length": 1, "status": 2, "matched": 5, "gold": 6, "test": 7, "crossing": 8, "words": 9, "tags": 10}
    return [{name: int(row[place]) for name, place in places.items()} for row in rows]


def sample_rows(sample: Path) -> list:
    run = evaltools.score(
        sample / "sample.gld", {"p": sample / "sample.tst"}, preset=f"evalb:{sample / 'sample.prm'}", metrics=["e"]
    )
    return rows_of(run.sentences("p"))


def test_rows_of_the_sample(sample: Path):
    published = published_rows(sample)
    assert len(published) == 24
    for number, (row, expected) in enumerate(zip(sample_rows(sample), published, strict=True), start=1):
        assert {name: getattr(row, name) for name in COUNTS} == {name: expected[name] for name in COUNTS}, number
        assert row.length == expected["length"]
        if row.status == 0:
            assert row.words == expected["words"]


def test_the_rules_told_again_give_the_rows_of_the_sample(sample: Path):
    rules = Rules(
        delete=["TOP", "-NONE-", ",", ":", "``", "''"],
        not_in_length=["-NONE-"],
        equal_labels=[("T", "TT")],
        equal_words=[("This", "this")],
    )
    gold, test = ((sample / f"sample.{end}").read_text().splitlines() for end in ("gld", "tst"))
    for g, t, expected in zip(gold, test, published_rows(sample), strict=True):
        row = compare(g, t, rules)
        assert {name: getattr(row, name) for name in COUNTS} == {name: expected[name] for name in COUNTS}


def test_the_summaries_of_the_sample(sample: Path):
    blocks = re.findall(r"-- .*? --\n(.*?)(?:\n\n|\Z)", (sample / "sample.rsl").read_text(), re.DOTALL)
    assert len(blocks) == 2
    names = {
        "Number of sentence": "sentences",
        "Number of Error sentence": "errors",
        "Number of Skip  sentence": "skipped",
        "Number of Valid sentence": "valid",
        "Bracketing Recall": "recall",
        "Bracketing Precision": "precision",
        "Complete match": "complete",
        "Average crossing": "average crossing",
        "No crossing": "no crossing",
        "2 or less crossing": "few crossing",
        "Tagging accuracy": "tagging",
    }
    rows = sample_rows(sample)
    for block, chosen in zip(blocks, (rows, [row for row in rows if row.length <= 40]), strict=True):
        published = {key.strip(): float(value) for key, value in (line.split("=") for line in block.splitlines())}
        found = summary(chosen)
        assert {key: round(found[names[key]], 2) for key in names} == published


# ------------------------------------------------------------------------------------------------------ real parsers

FILES = {
    # name: no parse, length unmatched, recall, precision, F, complete match, average crossing, tagging accuracy
    "pcfg-parent-markov": (1, 18, 72.15, 73.20, 72.67, 18.72, 2.92, 92.91),
    "pcfg-plain": (12, 21, 66.49, 70.64, 68.50, 13.52, 3.00, 91.60),
    "seqlab-bilstm": (0, 16, 78.88, 81.57, 80.20, 22.16, 1.62, 95.42),
    "span-bilstm-epoch1": (0, 39, 67.66, 69.86, 68.74, 10.13, 3.03, 88.40),
    "span-bilstm": (0, 8, 85.20, 84.29, 84.74, 25.38, 1.52, 96.32),
}
WITHOUT_ROOT = {
    "pcfg-parent-markov": (70.59, 71.67, 71.12),
    "pcfg-plain": (64.56, 68.84, 66.63),
    "seqlab-bilstm": (77.68, 80.49, 79.06),
    "span-bilstm-epoch1": (65.82, 68.08, 66.93),
    "span-bilstm": (84.37, 83.42, 83.89),
}
METRICS = ("recall", "precision", "f1", "exact", "crossing", "tagging")


def score_gum(shared_data: Path, preset: str, metrics: list[str]) -> Run:
    folder = shared_data / "data" / "gum"
    parsers = {name: folder / "const" / f"{name}.ptb" for name in FILES}
    return evaltools.score(folder / "gold.ptb", parsers, preset=preset, metrics=metrics)


@pytest.fixture(scope="module")
def collins(shared_data: Path) -> Run:
    return score_gum(shared_data, "collins", ["e"])


@pytest.mark.parametrize("parser", FILES)
def test_collins_gives_the_figures_of_evalb(collins: Run, parser: str):
    rows = collins.sentences(parser)
    missing, errors, *figures = FILES[parser]
    assert len(rows) == 1194
    assert (rows["status"] == "missing").sum() == missing
    assert (rows["status"] == "words_differ").sum() == errors
    pooled = collins.summary().set_index(["parser", "metric"])["pooled"].loc[parser]
    shares = [100.0, 100.0, 100.0, 100.0, 1.0, 100.0]
    found = [round(share * pooled[metric], 2) for share, metric in zip(shares, METRICS, strict=True)]
    assert found == figures


def test_collins_without_the_root_bracket(shared_data: Path, tmp_path: Path):
    rules = tmp_path / "collins-root.prm"
    own = evaltools.load_preset("collins").source
    rules.write_text(f"{own}\nDELETE_LABEL ROOT\n", encoding="utf-8")
    pooled = score_gum(shared_data, f"evalb:{rules}", ["e"]).summary().set_index(["parser", "metric"])["pooled"]
    for parser, figures in WITHOUT_ROOT.items():
        assert tuple(round(100 * pooled[parser, metric], 2) for metric in METRICS[:3]) == figures


def test_standard_leaves_no_sentence_out_for_its_tags(shared_data: Path):
    run = score_gum(shared_data, "standard", ["e"])
    for parser, (missing, *_) in FILES.items():
        statuses = run.sentences(parser)["status"].value_counts().to_dict()
        punctuation_only = (run.sentences(parser)["sentences"] == 0).sum()
        assert statuses.get("words_differ", 0) == 0
        assert missing <= statuses.get("missing", 0) <= missing + punctuation_only
