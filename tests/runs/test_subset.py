"""A part of a run: what scoring only these sentences would have made, and the way back to the whole."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools.errors import ParameterError, RunError
from evaltools.runs import scoring
from evaltools.runs.locations import sample_folder
from evaltools.runs.notes import Note, Notes
from evaltools.runs.subset import original_numbers, parse_numbers, subset_of
from tests.pages.tiny import GOLD, HOSTILE_PARSER, WORSE, score_tiny
from tests.resealing import reseal, write_meta
from tests.runs.dependency_files import NEAR, OTHER, PASSIVE, TREE, conllu
from tests.runs.semantic_files import mrp, saw, sleeps
from tests.runs.test_crossframework import LOVES, RAINS, TAGGED, WRONG, conllu as frames

if TYPE_CHECKING:
    from pathlib import Path

WAYS_BACK = ["line", "original", "file"]


def rows_of(run: evaltools.Run, table: str) -> pd.DataFrame:
    rows = run.query(f"select * from {table}")
    rows = rows.drop(columns=[name for name in WAYS_BACK if name in rows])
    keys = [name for name in ("parser", "theory", "sentence") if name in rows]
    return rows.sort_values(keys, kind="stable", ignore_index=True)


def assert_same(part: evaltools.Run, other: evaltools.Run, tables: tuple[str, ...]) -> None:
    for table in tables:
        pd.testing.assert_frame_equal(rows_of(part, table), rows_of(other, table), check_dtype=False, obj=table)


def counted(run: evaltools.Run) -> list[dict[str, Any]]:
    names = ("name", "scored", "missing", "words_differ", "words_aligned")
    return [{name: entry[name] for name in names} for entry in run.meta["parsers"]]


def lines(text: str, numbers: list[int]) -> str:
    split = text.splitlines(keepends=True)
    return "".join(split[number - 1] for number in numbers)


@pytest.mark.parametrize(
    ("numbers", "options"),
    [
        ([1], {}),
        ([2, 4, 7], {}),
        ([1, 2, 3, 4, 5, 6, 7], {}),
        ([3, 5], {"preset": "collins"}),
        ([2, 4, 7], {"metrics": ["e", "t"]}),
    ],
)
@pytest.mark.slow
def test_it_is_what_scoring_only_these_sentences_makes(
    tmp_path: Path, numbers: list[int], options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", 3)  # some chunks without any of the sentences
    files = {"gold": GOLD, "worse": WORSE}
    for name, text in files.items():
        (tmp_path / f"{name}.ptb").write_text(text, encoding="utf-8")
        (tmp_path / f"{name}-few.ptb").write_text(lines(text, numbers), encoding="utf-8")
    whole = evaltools.score(
        tmp_path / "gold.ptb", {"w": tmp_path / "worse.ptb"}, out=tmp_path / "run", format="ptb", **options
    )
    part = evaltools.subset(whole, reversed(numbers), tmp_path / "part")
    few = evaltools.score(tmp_path / "gold-few.ptb", {"w": tmp_path / "worse-few.ptb"}, format="ptb", **options)
    assert_same(part, few, ("sentences", "words", "brackets", "trees"))
    assert counted(part) == counted(few)
    for name in ("sentences", "labels", "metrics", "kind"):
        assert part.meta[name] == few.meta[name], name
    pd.testing.assert_frame_equal(part.summary(), few.summary())
    found = original_numbers(part)
    assert found is not None
    assert found.tolist() == numbers
    assert evaltools.verify(part).equal


def test_dependency_trees(tmp_path: Path):
    (tmp_path / "gold.conllu").write_text(conllu(TREE, PASSIVE, TREE), encoding="utf-8")
    (tmp_path / "test.conllu").write_text(conllu(NEAR, None, OTHER), encoding="utf-8")
    run = evaltools.score(tmp_path / "gold.conllu", {"p": tmp_path / "test.conllu"}, out=tmp_path / "run")
    part = evaltools.subset(run, [1, 3])
    assert part.n_sentences == 2
    assert counted(part)[0] | {"name": ""} == {
        "name": "",
        "scored": 2,
        "missing": 0,
        "words_differ": 1,
        "words_aligned": 1,
    }
    assert evaltools.verify(part).equal
    scored = run.sentences()
    scored = scored[scored["sentence"] != 2].reset_index(drop=True).assign(sentence=[1, 2])
    pd.testing.assert_frame_equal(part.sentences()[scored.columns], scored, check_dtype=False)
    relations = {name for side in ("relation", "test_relation") for name in part.words()[side].dropna()}
    assert part.meta["labels"] == sorted(relations)


def test_trees_of_several_frameworks(tmp_path: Path):
    texts = {"tagged": TAGGED, "deps": frames(LOVES, RAINS), "wrong": frames(WRONG, RAINS)}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / f"{name}-1").write_text(text.splitlines()[0] if name == "tagged" else text.split("\n\n")[0])

    def compare(end: str) -> evaltools.Run:
        golds = {"a": tmp_path / f"tagged{end}", "b": tmp_path / f"deps{end}"}
        return evaltools.crossframework(golds, {"p": ("b", tmp_path / f"wrong{end}")}, out=tmp_path / f"run{end}")

    part, few = evaltools.subset(compare(""), [1]), compare("-1")
    assert_same(part, few, ("sentences", "golds"))
    assert part.meta["overlap"] == few.meta["overlap"]
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
    assert_same(less, again, ("sentences", "words", "brackets", "trees", "problems"))
    assert evaltools.verify(less).equal


def test_verify_sees_a_figure_that_was_changed(tmp_path: Path):
    part = evaltools.subset(score_tiny(tmp_path), [2, 7], tmp_path / "part")
    file = part.path / "sentences.parquet"
    rows = pq.read_table(file)
    place = rows.schema.get_field_index("t_gold")
    mine = [parser == "better" for parser in rows["parser"].to_pylist()]
    values = [1 if own else value for own, value in zip(mine, rows["t_gold"].to_pylist(), strict=True)]
    pq.write_table(rows.set_column(place, "t_gold", pa.array(values, rows.schema.field(place).type)), file)
    reseal(part.path)
    found = evaltools.verify(evaltools.Run(part.path))
    assert found.exit_status == 1
    assert {(one.table, one.column, one.sentence) for one in found.differences} == {
        ("sentences", "t_gold", 1),
        ("sentences", "t_gold", 2),
    }


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


@pytest.mark.parametrize("said", [None, 3, [], {}, {"of": 1, "signature": "x", "sentences": 3}, {"of": "x"}])
def test_a_run_that_says_nonsense_of_its_origin_is_a_whole_one(tmp_path: Path, said: Any):
    part = evaltools.subset(score_tiny(tmp_path), [1, 2], tmp_path / "part")
    meta = json.loads((part.path / "meta.json").read_text("utf-8"))
    write_meta(part.path, meta | {"subset": said})
    run = evaltools.Run(part.path)
    assert subset_of(run) is None
    assert original_numbers(run) is None
    assert run.sentences(HOSTILE_PARSER)["sentence"].tolist() == [1, 2]


@pytest.mark.parametrize("numbers", [["x", "y"], [None, None], [2.5, -1.0], ["7", None]])
def test_original_numbers_that_are_none_do_no_harm(tmp_path: Path, numbers: list[Any]):
    part = evaltools.subset(score_tiny(tmp_path), [1, 2], tmp_path / "part")
    file = part.path / "sentences.parquet"
    rows = pq.read_table(file)
    place = rows.schema.get_field_index("original")
    pq.write_table(rows.set_column(place, "original", pa.array(numbers * 2)), file)
    reseal(part.path)
    found = original_numbers(evaltools.Run(part.path))
    assert found is not None
    assert len(found) == 2


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


@pytest.mark.parametrize("numbers", [[1], [2, 3], [1, 4], [1, 2, 3, 4]])
@pytest.mark.slow
def test_parts_of_runs_of_semantic_graphs(tmp_path: Path, numbers: list[int]):
    gold = [("a", sleeps()), ("b", saw()), ("c", saw()), ("d", sleeps())]
    test = [("a", sleeps("_doze_v_1", end=11)), ("b", saw(swapped=True)), ("c", None), ("d", sleeps(tense="past"))]
    other = [("a", sleeps()), ("b", saw()), ("a", sleeps("_doze_v_1")), ("d", None)]
    names = [gold[number - 1][0] for number in numbers]
    for name, items in (("gold", gold), ("one", test), ("two", other)):
        (tmp_path / f"{name}.mrp").write_text(mrp(*items), "utf-8")
        few = [item for item in items if item[0] in names]
        (tmp_path / f"{name}-few.mrp").write_text(mrp(*few), "utf-8")
    whole, few = (
        evaltools.score(tmp_path / f"gold{end}.mrp", {name: tmp_path / f"{name}{end}.mrp" for name in ("one", "two")})
        for end in ("", "-few")
    )
    part = evaltools.subset(whole, numbers)
    assert_same(part, few, ("sentences", "triples", "errors", "trees"))
    if 1 in numbers:
        assert_same(part, few, ("ranks",))
    assert counted(part) == counted(few)
    for name in ("spans_change", "labels", "edm_rules"):
        assert part.meta[name] == few.meta[name]
    assert part.meta["n_best"]["two"] == (2 if 1 in numbers else 1)
    assert evaltools.verify(part).equal


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
