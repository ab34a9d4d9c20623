"""A run that is not what was written is refused before a figure is shown, and `verify` names what was changed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import evaltools
from evaltools.errors import ResourceError, RunError
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.runs.meta import SCHEMA, tables_of
from evaltools.runs.notes import Note, Notes
from evaltools.runs.sample import sample_run
from tests.commands import call
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
from tests.resealing import change_table, reseal, table_of

N = 6
GOLD = "".join(f"(S (NP (DT the) (NN n{i})) (VP (VBZ v) (NP (NN x{i}))) (. .))\n" for i in range(N))
FLAT = "".join(f"(S (NP (DT the) (NN n{i})) (VP (VBZ v)) (NP (NN x{i})) (. .))\n" for i in range(N))
TABLES = ("sentences", "words", "brackets", "errors", "trees")


def scored(folder: Path, a: str = FLAT, b: str = GOLD, out: str = "run") -> evaltools.Run:
    for name, text in (("gold", GOLD), ("a", a), ("b", b)):
        (folder / f"{name}.ptb").write_text(text)
    parsers = {name: folder / f"{name}.ptb" for name in "ab"}
    return evaltools.score(folder / "gold.ptb", parsers, out=folder / out, metrics=["e"])


@pytest.fixture
def run(tmp_path: Path) -> evaltools.Run:
    return scored(tmp_path)


@pytest.fixture
def second(tmp_path: Path) -> evaltools.Run:
    (tmp_path / "second").mkdir()
    return scored(tmp_path / "second", a=GOLD.replace("x3", "y3"))


def refused(run: evaltools.Run, table: str) -> None:
    """Assert that no figure can be had, that the error is one line, and that it and `verify` name the table."""
    for figure in (evaltools.Run.summary, evaltools.Run.sentences, evaltools.Run.problems, evaltools.Run.labels):
        with pytest.raises(RunError) as error:
            figure(evaltools.Run(run.path))
        assert f"{run.path} is damaged: its table {table} " in str(error.value)
        assert "\n" not in str(error.value)


def is_named(run: evaltools.Run, table: str) -> bool:
    return table in [one.table for one in evaltools.verify(evaltools.Run(run.path)).differences]


@pytest.mark.parametrize("table", TABLES)
def test_a_table_of_another_run_is_refused(table: str, run: evaltools.Run, second: evaltools.Run):
    shutil.copyfile(table_of(second, table), table_of(run, table))
    refused(run, table)
    assert is_named(run, table)


def test_meta_of_another_run_is_refused(run: evaltools.Run, second: evaltools.Run):
    shutil.copyfile(second.path / "meta.json", run.path / "meta.json")
    refused(run, "sentences")


@pytest.mark.parametrize("table", TABLES)
def test_a_table_that_was_written_anew_is_refused(table: str, run: evaltools.Run):
    def swapped(rows: pa.Table) -> pa.Table:
        place = rows.schema.get_field_index("parser")
        names = [{"a": "b", "b": "a"}.get(name) for name in rows["parser"].to_pylist()]
        return rows.set_column(place, "parser", pa.array(names).dictionary_encode())

    change_table(run, table, swapped)
    refused(run, table)
    assert is_named(run, table)


def test_a_table_of_the_same_size_is_compared_where_it_is_newer_than_the_run(run: evaltools.Run):
    file = table_of(run, "trees")
    stored = bytearray(file.read_bytes())
    stored[40] ^= 1
    file.write_bytes(stored)
    refused(run, "trees")
    long_ago = (run.path / "meta.json").stat().st_mtime_ns - 1
    os.utime(file, ns=(long_ago, long_ago))
    evaltools.Run(run.path).check()  # nobody wrote it since, so that it is not read whole
    assert is_named(run, "trees")  # verify reads everything


def test_a_copied_run_is_the_same(run: evaltools.Run, tmp_path: Path):
    shutil.copytree(run.path, tmp_path / "copy", copy_function=shutil.copyfile)
    for table in TABLES:
        os.utime(tmp_path / "copy" / f"{table}.parquet")
    assert evaltools.Run(tmp_path / "copy").summary().equals(run.summary())


@pytest.mark.parametrize("key", ["sha256", "bytes", "rows"])
def test_sizes_and_digests_cannot_be_left_out(key: str, run: evaltools.Run):
    meta = json.loads((run.path / "meta.json").read_text())
    del meta["tables"]["words"][key]
    (run.path / "meta.json").write_text(json.dumps(meta))
    with pytest.raises(RunError, match=f"required field `{key}`"):
        evaltools.Run(run.path)


def test_a_damaged_run_is_not_copied(run: evaltools.Run, second: evaltools.Run, tmp_path: Path):
    opened = evaltools.Run(run.path)
    shutil.copyfile(table_of(second, "words"), table_of(run, "words"))
    with pytest.raises(RunError, match=r"cannot copy .*words: another content"):
        opened.save(tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize("make", [score_dependencies, score_graphs])
def test_every_kind_of_run_has_digests_of_all_its_tables(
    make: Callable[[Path], evaltools.Run], fresh_home: Path, tmp_path: Path
):
    run = make(tmp_path)
    for one in (run, evaltools.subset(run, [1, 2]), run.save(tmp_path / "copy")):
        assert {f"{table}.parquet" for table in one.meta["tables"]} == {
            path.name for path in one.path.glob("*.parquet")
        }
        assert len(evaltools.Run(one.path).summary())


def test_notes_are_no_part_of_the_run(run: evaltools.Run):
    Notes(run).put(2, Note(marked=True, text="mine"))
    again = evaltools.Run(run.path)
    assert len(again.summary())
    assert evaltools.verify(again).equal
    assert (run.path / "notes.sqlite").is_file()


def test_too_many_open_files_are_no_damage(run: evaltools.Run, monkeypatch: pytest.MonkeyPatch):
    def open_nothing(*arguments: object, **options: object) -> None:
        raise OSError(24, "Too many open files")

    opened = evaltools.Run(run.path)
    monkeypatch.setattr(Path, "open", open_nothing)
    with pytest.raises(ResourceError, match=r"^too many open files"):
        opened.summary()


@pytest.mark.parametrize("edit", ["no number", "1", "2 0 99 1 -1 -1 -1 -1"])
def test_a_repair_that_was_resealed_must_match_its_tree(edit: str, run: evaltools.Run):
    def changed(rows: pa.Table) -> pa.Table:
        return rows.set_column(rows.schema.get_field_index("edit"), "edit", pa.array([edit] * len(rows)))

    change_table(run, "errors", changed)
    reseal(run.path)
    drawn = call("draw", run.path, "--sentence", 1, "--parser", "a", "--mapping", "marked", "--as", "text")
    assert "does not match its tree" in drawn.stderr
    assert drawn.returncode == 2


def test_a_long_run_has_one_file_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    whole = scored(tmp_path, out="whole")
    monkeypatch.setattr("evaltools.runs.scoring._SENTENCES_PER_CHUNK", 2)
    monkeypatch.setattr("evaltools.runs.writer._ROWS_PER_PART", 3)
    run = scored(tmp_path)
    names = {"meta.json", "problems.parquet", *(f"{table}.parquet" for table in TABLES)}
    assert {path.name for path in run.path.iterdir()} == names
    for table in TABLES:
        sides: list[Any] = [one.query(f"select * from {table} order by all") for one in (run, whole)]
        assert sides[0].equals(sides[1])


def test_tables_in_the_order_of_meta():
    names = {kind: tables_of({"kind": kind}) for kind in FRAMEWORKS}
    assert names["constituency"] == ("sentences", "words", "brackets", "errors", "trees", "problems")
    assert names["dependency"] == ("sentences", "words", "errors", "trees", "problems")
    assert names["crossframework"] == ("sentences", "trees", "golds", "problems")
    assert names["mrs"] == ("sentences", "triples", "errors", "ranks", "trees", "problems")
    assert tables_of({"metadata": {"keys": ["genre"]}}) == (*names["constituency"], "metadata")
    assert tables_of({"metadata": {"keys": []}}) == names["constituency"]
    assert tables_of({}) == names["constituency"]


def test_a_run_of_another_version_names_it_and_the_command_that_scores_again(tmp_path: Path):
    (tmp_path / "gold file.ptb").write_text("(S (A a))\n")
    run = evaltools.score(tmp_path / "gold file.ptb", {"a": tmp_path / "gold file.ptb"}, out=tmp_path / "run")
    meta = json.loads((run.path / "meta.json").read_text())
    (run.path / "meta.json").write_text(json.dumps(meta | {"schema": 5, "evaltools": "0.3.0"}))
    with pytest.raises(RunError) as error:
        evaltools.Run(run.path)
    gold = f"'{tmp_path}/gold file.ptb'"
    again = f"evaltools score {gold} 'a={tmp_path}/gold file.ptb' -o RUN"
    assert str(error.value) == (
        f"{run.path} is a run of evaltools 0.3.0; this version reads only its own runs: score its files again: {again}"
    )


def _names_in(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _names_in(one) for name, one in value.items()}
    return [_names_in(one) for one in value] if isinstance(value, list) else None


def test_runs_that_hold_something_else_have_another_schema():
    """Otherwise runs from before a change, such as those of the sample in a cache, are taken for runs after it."""
    row = "1\tHi\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n"
    digest = hashlib.sha256()
    for text in (GOLD, row, "(w / want-01 :ARG0 (b / boy))"):
        meta = evaltools.score([text], {"a": [text]}).meta
        columns = [table["columns"] for table in meta["tables"].values()]
        digest.update(json.dumps([_names_in(meta), columns], sort_keys=True).encode())
    assert (SCHEMA, digest.hexdigest()[:12]) == (21, "1c434106927f"), "raise SCHEMA, and put it and the digest here"


@pytest.mark.slow
def test_a_run_of_the_sample_that_is_damaged_in_the_cache_is_scored_again(fresh_home: Path):
    path = sample_run(kind="mrs").path
    (path / "meta.json").write_text((path / "meta.json").read_text("utf-8").replace('"tables"', '"files"'), "utf-8")
    with pytest.raises(evaltools.RunError):
        evaltools.Run(path)
    assert sample_run(kind="mrs").summary()["pooled"].notna().any()
