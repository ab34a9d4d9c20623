"""``evaltools subset``, called as other programs call it."""

from __future__ import annotations

from pathlib import Path

import pytest

import evaltools
from evaltools.runs.subset import original_numbers
from tests.commands import call, check_refused
from tests.pages.tiny import score_tiny


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    score_tiny(tmp_path)
    (tmp_path / "list.txt").write_text("7\n2-4\n", "utf-8")
    (tmp_path / "table.csv").write_text("parser,sentence,words\nx,7,9\nx,2,5\nx,3,1\nx,4,1\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize("said", ["2-4,7", "list.txt", "table.csv", "-"])
def test_a_list_a_file_a_table_and_standard_input_say_which(folder: Path, said: str):
    said = said if not said.endswith(("txt", "csv")) else str(folder / said)
    done = call("subset", folder / "tiny.run", "--sentences", said, "-o", folder / "part", given="7 2–4")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    numbers = original_numbers(evaltools.Run(folder / "part"))
    assert numbers is not None
    assert numbers.tolist() == [2, 3, 4, 7]


def test_verify_scores_the_whole_again_and_says_so(folder: Path):
    call("subset", folder / "tiny.run", "--sentences", "2,7", "-o", folder / "part")
    done = call("verify", folder / "part")
    assert done.returncode == 0
    assert done.stdout.startswith("equal: ")
    assert "a part: 2 of 7 sentences, which are all scored again" in done.stderr


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ("1,8", "no sentence 8; there are 7, counted from 1"),
        ("5-3", "--sentences has '5-3'; expected numbers of sentences, such as 3, 7-10"),
        ("nowhere.txt", "neither a list such as 3,7-10 nor a file (No such file or directory)"),
        (" ", "no sentence is named"),
    ],
)
def test_one_line_says_what_is_wrong(folder: Path, said: str, says: str):
    check_refused(says, "subset", folder / "tiny.run", "--sentences", said, "-o", folder / "part")
    assert not (folder / "part").exists()


def test_what_is_there_is_replaced_only_with_force(folder: Path):
    first = ("subset", folder / "tiny.run", "-o", folder / "part", "--sentences")
    assert call(*first, "1").returncode == 0
    assert call(*first, "2").returncode == 2
    assert call(*first, "2,3", "--force").returncode == 0
    assert evaltools.Run(folder / "part").n_sentences == 2
