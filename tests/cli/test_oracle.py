"""``evaltools oracle``, called as other programs call it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import evaltools
from tests import commands
from tests.commands import json_of, rows_of
from tests.runs.test_nbest_trees import GOLD, LISTS

call = partial(commands.call, "oracle")


@pytest.fixture
def given(tmp_path: Path) -> tuple[Path, str]:
    (tmp_path / "gold.ptb").write_text(GOLD)
    (tmp_path / "list.tsv").write_text(LISTS)
    return tmp_path / "gold.ptb", f"p={tmp_path / 'list.tsv'}"


def test_text_has_a_line_and_a_table(given: tuple[Path, str]):
    done = call(*given)
    assert (done.returncode, done.stderr) == (0, "")
    first, *rest = done.stdout.splitlines()
    assert first.startswith("p: the first analyses reach Bracketing F1 ")
    assert "of 3 sentences 67 % have their best analysis first." in first
    assert any(line.split()[:2] == ["3", "1"] for line in rest)


def test_json_and_csv_say_the_same(given: tuple[Path, str]):
    content = json_of("oracle", *given)
    rows = rows_of("oracle", *given)
    (lists,) = content["lists"]
    assert [float(row["pooled"]) for row in rows] == pytest.approx([row["pooled"] for row in lists["curve"]])
    assert lists["rank_of_best"] == {"1": 1, "2": 1, "3": 3}
    assert [row["rank"] for row in rows] == ["1", "2", "3"]


def test_a_run_is_kept_if_it_has_a_name(given: tuple[Path, str], tmp_path: Path):
    assert call(*given, "-o", tmp_path / "run", "--metric", "ted").returncode == 0
    run = evaltools.Run(tmp_path / "run")
    assert run.parsers == ["p", "best of 3: p"]
    assert run.meta["nbest"]["metric"] == "ted"
    assert call(*given, "-o", tmp_path / "run").returncode == 2
    assert call(*given, "-o", tmp_path / "run", "--force").returncode == 0


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--metric", "las"], "unknown metric 'las'"),
        (["--format", "xml"], "unknown format 'xml'"),
        (["--input-format", "eds"], "EDS; expected constituency or dependency trees"),
        (["--subtypes", "yes"], "unknown subtypes 'yes'"),
        (["p="], "a parser is given as [NAME=]FILE, not 'p='"),
        (["q"], "q: no such file"),
        (["q=nowhere"], "nowhere"),
    ],
)
def test_one_line_says_what_is_wrong(given: tuple[Path, str], more: list[str], says: str):
    done = call(*given, *more)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_of_one_kind_a_hundred_problems_are_told_and_the_others_counted(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text("(S (A a))\n" * 150)
    rows = "".join(f"{number}\t1\t0\t(S (A a)\n" for number in range(1, 151))
    (tmp_path / "list.tsv").write_text(f"sent_id\trank\tlogprob\ttree\n{rows}")
    arguments = tmp_path / "gold.ptb", f"p={tmp_path / 'list.tsv'}"
    told = call(*arguments)
    assert told.returncode == 0
    assert len(told.stderr.splitlines()) == 101
    assert told.stderr.splitlines()[100] == f"{tmp_path / 'list.tsv'}: 50 more problems of this kind; expected none"
    kept = call(*arguments, "-o", tmp_path / "kept.run").stderr.splitlines()
    assert kept[:10] == told.stderr.splitlines()[:10]
    assert kept[10:] == [f"… and 140 more: evaltools report {tmp_path / 'kept.run'} --problems"]
