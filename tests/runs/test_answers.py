"""Answers that a long run keeps to what pages ask, against asking its tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import evaltools
from evaltools.errors import RunError
from evaltools.runs.folders.answers import wrong_answers
from evaltools.runs.folders.database import Database
from evaltools.runs.installed import sample_folder
from evaltools.runs.sample import sample_run
from evaltools.runs.sums import length_counts, status_counts, sum_sentences
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
from tests.resealing import reseal

if TYPE_CHECKING:
    from collections.abc import Callable

PARSER = "pcfg-plain"


def scored(out: Path) -> evaltools.Run:
    folder = sample_folder()
    return evaltools.score(folder / "gold.ptb", {PARSER: folder / "parsers" / f"{PARSER}.ptb"}, out=out, metrics=["e"])


@pytest.fixture
def long_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> evaltools.Run:
    monkeypatch.setattr("evaltools.runs.folders.answers.MAX_SINGLE", 200)
    return scored(tmp_path / "it's [long]" / "run")


def answers(run: evaltools.Run) -> list[Path]:
    return sorted((run.path / "answers").glob("*"))


def test_a_short_run_keeps_none(tmp_path: Path):
    run = scored(tmp_path / "run")
    assert not (run.path / "answers").exists()
    assert status_counts(run.answer)["sentences"].sum() == run.n_sentences


def test_kept_answers_are_those_of_the_tables(long_run: evaltools.Run):
    assert len(answers(long_run)) == 4 + 2 * len(long_run.metrics)
    assert wrong_answers(long_run.answer, long_run.columns, long_run.meta) == []


def test_missing_values_of_columns_are_none_among_texts_and_nan_among_numbers(long_run: evaltools.Run):
    columns = long_run.columns("select * from (values (1, 'a'), (null, null)) as t(number, text)")
    assert columns["text"].tolist() == ["a", None]
    assert columns["number"].tolist() == [1.0, pytest.approx(float("nan"), nan_ok=True)]


@pytest.mark.parametrize("make", [score_dependencies, score_graphs, lambda _: sample_run(kind="crossframework")])
@pytest.mark.slow
def test_runs_of_every_kind_keep_theirs(
    make: Callable[[Path], evaltools.Run], fresh_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("evaltools.runs.folders.answers.MAX_SINGLE", 0)
    run = make(tmp_path)
    assert len(answers(run)) == 4 + 2 * len(run.metrics)
    assert wrong_answers(run.answer, run.columns, run.meta) == []


def test_what_is_kept_is_not_asked_again(long_run: evaltools.Run, monkeypatch: pytest.MonkeyPatch):
    asked = []
    ask = Database.columns
    monkeypatch.setattr(Database, "columns", lambda self, sql, *rest: (asked.append(sql), ask(self, sql, *rest))[1])
    whole = sum_sentences(long_run.answer, long_run.metrics, long_run.n_sentences, common=True)
    assert whole.sentences == long_run.n_sentences
    assert all("read_parquet" in sql and "answers" in sql for sql in asked)
    asked.clear()
    sum_sentences(long_run.answer, long_run.metrics, long_run.n_sentences, where="words > 3")
    assert "words > 3" in asked[0]


def test_a_copy_and_a_part_have_answers_of_their_own(long_run: evaltools.Run, tmp_path: Path):
    copy = long_run.save(tmp_path / "copy")
    assert [place.name for place in answers(copy)] == [place.name for place in answers(long_run)]
    part = evaltools.subset(long_run, range(1, 251), tmp_path / "part")
    assert status_counts(part.answer)["sentences"].sum() == 250
    assert answers(part)
    assert wrong_answers(part.answer, part.columns, part.meta) == []


def changed(run: evaltools.Run, column: str) -> None:
    """Add one to the last value of a column of the one answer that has it and nothing but it."""
    for place in answers(run):
        rows = pq.read_table(place)
        if set(rows.column_names) == {column, "sentences"}:
            values = rows["sentences"].to_pylist()
            values[-1] += 1
            wrong = rows.set_column(rows.column_names.index("sentences"), "sentences", pa.array(values))
            pq.write_table(wrong, place)
    reseal(run.path)


@pytest.mark.slow
def test_a_wrong_answer_is_found_when_the_run_is_verified(long_run: evaltools.Run):
    changed(long_run, "words")
    long_run = evaltools.Run(long_run.path)
    assert sum(length_counts(long_run.answer).values()) == sum(length_counts(long_run.query).values()) + 1
    (wrong,) = wrong_answers(long_run.answer, long_run.columns, long_run.meta)
    assert "group by words" in wrong
    found = evaltools.verify(long_run)
    assert not found.equal
    assert [difference.table for difference in found.differences] == ["answers"]


def test_an_answer_to_something_else_is_no_answer(long_run: evaltools.Run):
    for place in answers(long_run):
        rows = pq.read_table(place)
        if "status" in rows.column_names:
            pq.write_table(rows.rename_columns([*rows.column_names[:-1], "more"]), place)
        if set(rows.column_names) == {"words", "sentences"}:
            pq.write_table(rows.set_column(0, "words", pc.cast(rows["words"], pa.string())), place)
        if "place" in rows.column_names:
            pq.write_table(rows.set_column(2, "place", pa.nulls(len(rows), pa.int32())), place)
    reseal(long_run.path)
    long_run = evaltools.Run(long_run.path)
    with pytest.raises(RunError, match="an invalid place"):
        sum_sentences(long_run.answer, long_run.metrics, long_run.n_sentences, common=True)
    for ask in (status_counts, length_counts):
        with pytest.raises(RunError, match=r"an invalid (words_aligned|words)"):
            ask(long_run.answer)


def test_an_answer_that_cannot_be_read_is_a_damage(long_run: evaltools.Run):
    for place in answers(long_run):
        place.write_bytes(b"no parquet")
    reseal(long_run.path)
    long_run = evaltools.Run(long_run.path)
    with pytest.raises(RunError, match="is damaged"):
        status_counts(long_run.answer)


def test_an_answer_elsewhere_is_not_read(long_run: evaltools.Run, tmp_path: Path):
    place = answers(long_run)[0]
    place.rename(tmp_path / place.name)
    place.symlink_to(tmp_path / place.name)
    with pytest.raises(RunError, match="link that leads out of it"):
        status_counts(long_run.answer)


def test_answers_that_cannot_be_written_leave_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(self: Database, sql: str) -> pd.DataFrame:
        raise duckdb.IOException("IO Error: No space left on device")

    monkeypatch.setattr("evaltools.runs.folders.answers.MAX_SINGLE", 200)
    monkeypatch.setattr(Database, "write_answer", full)
    with pytest.raises(RunError, match=r"cannot write to .*No space left on device"):
        scored(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_one_sentence_is_read_from_its_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("evaltools.runs.engine.scoring._SENTENCES_PER_CHUNK", 40)
    run = scored(tmp_path / "it's [in] parts?" / "run")
    words, brackets = run.words(PARSER), run.brackets(PARSER)
    for sentence in (1, 40, 41, 200, run.n_sentences):
        for whole, found in ((words, run.words(PARSER, sentence)), (brackets, run.brackets(PARSER, sentence))):
            expected = whole[whole["sentence"] == sentence].reset_index(drop=True)
            same = (found == expected) | (found.isna() & expected.isna())
            assert same.all(axis=None)
        assert run.text(sentence) == run.texts()["text"].iloc[sentence - 1].split()
