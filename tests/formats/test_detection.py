"""The format of a file: by the gold file, the suffix, and the first items, of which the first alone decides nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import evaltools
from evaltools import InputError
from evaltools.formats import Source, guess_format
from tests.commands import call

AMRS = ("(c / call-01 :ARG1 (t / they))", "(s / sleep-01\n   :ARG0 (b / boy))")
EDS = ("{e2: e2:_rain_v_1<3:8>{e TENSE pres}[]}", "{e2: e2:_snow_v_1<3:8>{e TENSE pres}[]}")
DISCONTINUOUS = ("(S (VP (V 0=is) (A 2=rich)) (N 1=John))", "(S (N 0=dogs) (V 1=bark))")
TREES = ("(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N cats)) (VP (V nap)))")
WITHOUT_INDEX = "(S (VP (V is) (A 2=rich)) (N 1=John))"


@pytest.mark.parametrize(
    ("first", "others", "name"),
    [
        ("Parsed with X", AMRS, "penman"),
        ("()", AMRS, "penman"),
        ("(a)", AMRS, "penman"),
        ("# by a parser", AMRS, "penman"),
        ("# by a parser", EDS, "eds"),
        ("Loading the model …", EDS, "eds"),
        ("()", TREES, "ptb"),
        ("[INFO] 2 sentences", TREES, "ptb"),
        ("Loading the model …", TREES, "ptb"),
        (WITHOUT_INDEX, DISCONTINUOUS, "discbracket"),
        ("(b / boy)", TREES, "ptb"),
    ],
)
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_the_first_item_alone_decides_nothing(first: str, others: tuple[str, ...], name: str, between: str):
    source = Source.from_bytes(between.join((first, *others, "")).encode(), "a file")
    assert guess_format(source) == name


def figures(tmp_path: Path, gold: str, test: str, suffix: str, metric: str) -> tuple[Any, Any, int]:
    """Return the figure over the scored sentences and over all, and the number of missing parses."""
    paths = [tmp_path / f"gold{suffix}", tmp_path / f"parser{suffix}"]
    for path, text in zip(paths, (gold, test), strict=True):
        path.write_text(text, "utf-8")
    run = evaltools.score(paths[0], paths[1])
    row = run.summary().set_index("metric").loc[metric]
    return float(row["pooled"]), float(row["pooled_all"]), int(run.meta["parsers"][0]["missing"])


@pytest.mark.parametrize(
    ("gold", "test", "suffix", "metric", "expected"),
    [
        ("\n\n".join(AMRS), f"()\n\n{AMRS[1]}", ".amr", "smatch", (1, 2 / 3, 1)),
        ("\n\n".join(AMRS), f"()\n\n{AMRS[1]}", "", "smatch", (1, 2 / 3, 1)),
        ("\n".join(EDS), "# by a parser\n" + "\n".join(EDS), ".eds", "edm", (1, 1, 0)),
        (f"log\n{AMRS[0]}\n", f"log\n{AMRS[0]}\n", "", "smatch", (1, 1, 0)),
        ("\n".join(DISCONTINUOUS), f"{WITHOUT_INDEX}\n{DISCONTINUOUS[1]}\n", ".dbr", "f1", (1, 0.5, 1)),
        ("\n".join(TREES), f"(root {TREES[0]})\n{TREES[1]}\n", ".txt", "recall", (1, 1, 0)),
        ("\n".join(AMRS[:1]), "", ".amr", "smatch", (None, 0, 1)),
        ("\n".join(TREES), "", ".txt", "f1", (None, 0, 2)),
    ],
)
def test_one_odd_item_costs_one_item(
    tmp_path: Path, gold: str, test: str, suffix: str, metric: str, expected: tuple[float | None, float, int]
):
    pooled, over_all, missing = figures(tmp_path, gold, test, suffix, metric)
    assert (None if pooled != pooled else pooled, over_all, missing) == pytest.approx(expected)


def test_a_file_of_another_kind_names_the_option(tmp_path: Path):
    (tmp_path / "gold.txt").write_text(TREES[0])
    (tmp_path / "parser.txt").write_text(EDS[0])
    (tmp_path / "prose.ptb").write_text("Nothing was parsed.\n")
    with pytest.raises(
        InputError, match="semantic graphs; expected trees, as in the gold file; --input-format ptb reads"
    ):
        evaltools.score(tmp_path / "gold.txt", tmp_path / "parser.txt")
    with pytest.raises(
        InputError, match=r"unknown format: 'Nothing was parsed\.'; .*; --input-format ptb reads it as Penn"
    ):
        evaltools.score(tmp_path / "gold.txt", tmp_path / "prose.ptb")


@pytest.mark.parametrize(
    "command", [("score", "log.txt", "log.txt", "-o", "run"), ("convert", "log.txt", "out.conllu")]
)
def test_a_file_of_no_known_format_names_the_option(command: tuple[str, ...], tmp_path: Path):
    (tmp_path / "log.txt").write_text("INFO loading the model\nINFO parsing 2 sentences\n")
    done = call(*command, cwd=tmp_path)
    assert done.returncode == 2
    assert "or Penn Treebank brackets; if it is one of these, name it with --input-format" in done.stderr


def test_convert_takes_the_format_as_score_does(tmp_path: Path):
    (tmp_path / "trees.txt").write_text("Now the trees:\nThere are two.\n" + TREES[0])
    done = call("convert", "trees.txt", "out.ptb", "--input-format", "ptb", cwd=tmp_path)
    assert (done.returncode, TREES[0].split("\n")[0] in (tmp_path / "out.ptb").read_text()) == (0, True)
