"""A part of a run: what scoring only these sentences would have made, and the way back to the whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools.errors import ParameterError, RunError
from evaltools.runs import scoring
from evaltools.runs.locations import sample_folder
from evaltools.runs.meta import tables_of
from evaltools.runs.notes import Note, Notes
from evaltools.runs.subset import original_numbers, parse_numbers, subset_of
from tests.pages.tiny import GOLD, WORSE, score_tiny
from tests.runs.dependency_files import NEAR, OTHER, PASSIVE, TREE, conllu
from tests.runs.semantic_files import mrp, saw, sleeps
from tests.runs.test_crossframework import LOVES, RAINS, TAGGED, WRONG, conllu as frames

WAYS_BACK = ["line", "original", "file"]
CONLLU = (conllu(TREE, PASSIVE, TREE), conllu(NEAR, None, OTHER))
GRAPHS = (
    [("a", sleeps()), ("b", saw()), ("c", saw()), ("d", sleeps())],
    [("a", sleeps("_doze_v_1", end=11)), ("b", saw(swapped=True)), ("c", None), ("d", sleeps(tense="past"))],
    [("a", sleeps()), ("b", saw()), ("a", sleeps("_doze_v_1")), ("d", None)],
)


def of_lines(text: str, numbers: list[int]) -> str:
    split = text.splitlines(keepends=True)
    return "".join(split[number - 1] for number in numbers)


def of_blocks(text: str, numbers: list[int]) -> str:
    split = text.strip("\n").split("\n\n")
    return "".join(f"{split[number - 1]}\n\n" for number in numbers)


def of_graphs(text: str, numbers: list[int]) -> str:
    chosen = {GRAPHS[0][number - 1][0] for number in numbers}
    return "".join(line for line in text.splitlines(keepends=True) if json.loads(line)["id"] in chosen)


Texts = dict[str, tuple[str, Callable[[str, list[int]], str]]]
FILES: dict[str, Texts] = {
    "constituency": {"gold": (GOLD, of_lines), "worse": (WORSE, of_lines)},
    "dependency": {"gold": (CONLLU[0], of_blocks), "p": (CONLLU[1], of_blocks)},
    "mrs": {name: (mrp(*items), of_graphs) for name, items in zip(("gold", "one", "two"), GRAPHS, strict=True)},
    "crossframework": {
        "a": (TAGGED, of_lines),
        "b": (frames(LOVES, RAINS), of_blocks),
        "wrong": (frames(WRONG, RAINS), of_blocks),
    },
}
"""The files of a run of each framework, and how some sentences of a file are chosen."""


def scored(kind: str, folder: Path, numbers: list[int] | None = None, **options: Any) -> evaltools.Run:
    """Score the files of a framework, or only some sentences of them."""
    folder.mkdir()
    paths = {}
    for name, (text, few) in FILES[kind].items():
        paths[name] = folder / name
        paths[name].write_text(text if numbers is None else few(text, numbers), "utf-8")
    gold, *parsers = paths.values()
    if kind == "crossframework":
        golds = {name: paths[name] for name in "ab"}
        return evaltools.crossframework(golds, {"wrong": ("b", paths["wrong"])}, out=folder / "run")
    format_name = {"constituency": "ptb", "dependency": "conllu"}.get(kind)
    return evaltools.score(
        gold, {path.name: path for path in parsers}, out=folder / "run", format=format_name, **options
    )


def rows_of(run: evaltools.Run, table: str) -> pd.DataFrame:
    rows = run.query(f"select * from {table}")
    rows = rows.drop(columns=[name for name in WAYS_BACK if name in rows])
    keys = [name for name in ("parser", "theory", "sentence") if name in rows]
    return rows.sort_values(keys, kind="stable", ignore_index=True)


def assert_same(part: evaltools.Run, other: evaltools.Run) -> None:
    for table in tables_of(part.meta):
        if table != "problems" and (
            table != "ranks" or other.query("select * from ranks").size
        ):  # those of lists alone
            pd.testing.assert_frame_equal(rows_of(part, table), rows_of(other, table), check_dtype=False, obj=table)


def counted(run: evaltools.Run) -> list[dict[str, Any]]:
    names = ("name", "scored", "missing", "words_differ", "words_aligned")
    return [{name: entry[name] for name in names} for entry in run.meta["parsers"]]


@pytest.mark.parametrize(
    ("kind", "numbers", "options"),
    [
        ("constituency", [1], {}),
        ("constituency", [2, 4, 7], {}),
        ("constituency", [1, 2, 3, 4, 5, 6, 7], {}),
        ("constituency", [3, 5], {"preset": "collins"}),
        ("constituency", [2, 4, 7], {"metrics": ["e", "t"]}),
        ("dependency", [1, 3], {}),
        ("mrs", [1], {}),
        ("mrs", [2, 3], {}),
        ("mrs", [1, 4], {}),
        ("crossframework", [1], {}),
    ],
)
@pytest.mark.slow
def test_it_is_what_scoring_only_these_sentences_makes(
    tmp_path: Path, kind: str, numbers: list[int], options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", 3)  # some chunks without any of the sentences
    whole, few = scored(kind, tmp_path / "whole", **options), scored(kind, tmp_path / "few", numbers, **options)
    part = evaltools.subset(whole, reversed(numbers), tmp_path / "part")
    assert_same(part, few)
    assert counted(part) == counted(few)
    pd.testing.assert_frame_equal(part.summary(), few.summary())
    own = {"mrs": ("edm_rules", "n_best"), "crossframework": ("overlap",)}.get(kind, ())
    for name in ("sentences", "labels", "metrics", "kind", *own):
        assert part.meta[name] == few.meta[name], name
    found = original_numbers(part)
    assert found is not None
    assert found.tolist() == numbers
    assert evaltools.verify(part).equal


def test_a_part_of_a_part_names_the_whole(tmp_path: Path):
    run = score_tiny(tmp_path)
    part = evaltools.subset(run, [2, 4, 6, 7], tmp_path / "part")
    less = evaltools.subset(part, [2, 4], tmp_path / "less")
    again = evaltools.subset(run, [4, 7], tmp_path / "again")
    numbers = original_numbers(less)
    assert numbers is not None
    assert numbers.tolist() == [4, 7]
    assert less.signature == again.signature
    assert less.signature.startswith(f"{run.signature}|subset:2#")
    assert subset_of(less) == subset_of(part)
    assert (subset_of(part) or {})["of"] == str(run.path.resolve())
    assert subset_of(run) is None
    assert original_numbers(run) is None
    assert_same(less, again)
    assert less.problems().equals(again.problems())
    assert evaltools.verify(less).equal


def test_problems_go_with_their_sentences(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text("(S (A a))\n(S (A b))\n(S (A c))\n")
    (tmp_path / "test.ptb").write_text("(S (A a))\n(S (A b\n(S (A c))\n(S (A d))\n")
    run = evaltools.score(tmp_path / "gold.ptb", {"p": tmp_path / "test.ptb"}, out=tmp_path / "run")
    every = run.problems()
    with_it, without = evaltools.subset(run, [2, 3]), evaltools.subset(run, [3])
    of_all = int(every["sentence"].isna().sum())
    assert of_all >= 1
    assert (every["sentence"] == 2).any()
    assert with_it.problems()["sentence"].dropna().unique().tolist() == [1]
    assert without.problems()["sentence"].dropna().empty
    assert without.meta["problems"] == len(without.problems()) == of_all


@pytest.mark.parametrize(
    ("wanted", "says"), [([], "no sentence is named"), ([0], "no sentence 0"), ([1, 8], "no sentence 8; there are 7")]
)
def test_sentences_that_are_not_there(tmp_path: Path, wanted: list[int], says: str):
    run = score_tiny(tmp_path)
    with pytest.raises(ParameterError, match=says):
        evaltools.subset(run, wanted, tmp_path / "part")
    assert not (tmp_path / "part").exists()


def test_what_is_there_is_replaced_only_if_asked(tmp_path: Path):
    run = score_tiny(tmp_path)
    evaltools.subset(run, [1], tmp_path / "part")
    with pytest.raises(RunError, match="exists"):
        evaltools.subset(run, [2], tmp_path / "part")
    assert evaltools.subset(run, [2, 3], tmp_path / "part", force=True).n_sentences == 2
    (tmp_path / "mine").mkdir()
    with pytest.raises(RunError, match="not a run"):
        evaltools.subset(run, [1], tmp_path / "mine", force=True)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3", [3]),
        ("3,7-9 12", [3, 7, 8, 9, 12]),
        ("3 – 5\n\n7\r\n", [3, 4, 5, 7]),
        ("", []),
        ("\ufeffparser,sentence,words\na,4,10\nb,9,3\n", [4, 9]),
        ("parser,sentence\n\n", []),
    ],
)
def test_lists_of_numbers(text: str, numbers: list[int]):
    assert parse_numbers(text) == numbers


@pytest.mark.parametrize("text", ["a", "3,b", "5-3", "-1", "1.5", "1-99999999999", "1-999999999", "²"])
def test_other_lists_are_refused(text: str):
    with pytest.raises(ParameterError, match="the list has"):
        parse_numbers(text)


@given(st.lists(st.integers(1, 9999)))
def test_written_numbers_are_read_back(numbers: list[int]):
    assert parse_numbers(", ".join(map(str, numbers))) == numbers


def test_bookmarks_and_notes_go_with_their_sentences(tmp_path: Path, fresh_home: Path):
    run = evaltools.score(sample_folder() / "gold.ptb", {"p": sample_folder() / "gold.ptb"}, out=tmp_path / "run")
    kept = {4: Note(True, "odd"), 9: Note(False, "“long”"), 30: Note(True)}
    for sentence, note in kept.items():
        Notes(run).put(sentence, note)
    part = evaltools.subset(run, [30, 4, 5], tmp_path / "part")
    assert Notes(part).all() == {1: kept[4], 3: kept[30]}
    again = evaltools.subset(part, [3])
    assert Notes(again).all() == {1: kept[30]}
    without = evaltools.subset(run, [1, 2], tmp_path / "without")
    assert not Notes(without).path.exists()
    assert evaltools.verify(part).n_differences == 0
