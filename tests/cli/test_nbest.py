"""``evaltools nbest``, called as other programs call it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import call, check_refused, json_of, rows_of
from tests.pages.semantic_corpus import HOSTILE_PARSER, score_graphs


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return score_graphs(tmp_path_factory.mktemp("nbest")).path


def test_json_has_the_ranks_the_oracle_and_the_sentences(run: Path):
    found = json_of("nbest", run, "lists")
    assert (found["n"], found["longest"]) == (5, 3)
    edm = [row for row in found["by_rank"] if row["metric"] == "edm"]
    # the first and the third analysis are the worse one, the second equals gold; one sentence has gold alone
    assert [row["n"] for row in edm] == [5, 4, 4]
    assert edm[1]["mean"] == 1
    oracle = [row for row in found["oracle"] if row["metric"] == "edm"]
    assert [row["mean"] for row in oracle[1:]] == [1, 1]
    assert oracle[0]["mean"] == edm[0]["mean"]
    assert [row["rank_of_exact"] for row in found["sentences"]] == [2, 2, 1, 2, 2]
    assert {row["place_of_first"] for row in found["sentences"]} == {1, 2}


def test_csv_and_text_say_the_same(run: Path):
    rows = rows_of("nbest", run, "lists")
    assert [row["rank"] for row in rows if row["metric"] == "edm_na"] == ["1", "2", "3"]
    text = call("nbest", run, "lists", "--least", 2).stdout
    assert text.startswith("4 sentences of lists with up to 3 analyses")
    assert "best analysis of each list (oracle): EDM 100.00" in text
    assert "rank of the first analysis equal to gold: median 2, mean 2.00, in 4 of 4 sentences" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("better",), "better has no sentence with several analyses"),
        (("lists", "--least", "4"), "lists has no sentence with 4 analyses"),
        ((HOSTILE_PARSER,), "has no sentence with several analyses"),
        (("nobody",), "unknown parser 'nobody'"),
    ],
)
def test_what_cannot_be_shown_is_said_in_one_line(run: Path, arguments: tuple[str, ...], said: str):
    check_refused(said, "nbest", run, *arguments)
