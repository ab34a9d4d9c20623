"""Notes on sentences: kept in the run's folder, by several people at once, and nothing trusted that is found there."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Thread

import platformdirs
import pytest

import evaltools
from evaltools.classroom import shelf
from evaltools.runs.notes import Note, Notes
from tests.pages.tiny import score_tiny


@pytest.fixture
def run(tmp_path: Path) -> evaltools.Run:
    return score_tiny(tmp_path)


def test_notes_are_kept_and_removed(run: evaltools.Run, fresh_home: Path):
    notes = Notes(run)
    assert notes.all() == {}
    assert not notes.path.exists()
    notes.put(3, Note(True, "odd"))
    notes.put(1, Note(False, "“quotes” and\nlines"))
    assert notes.path == run.path / "notes.sqlite"
    assert Notes(run).all() == {1: Note(False, "“quotes” and\nlines"), 3: Note(True, "odd")}
    notes.put(3, Note())
    notes.put(1, Note())
    assert Notes(run).all() == {}


def test_notes_of_a_run_that_cannot_be_written_are_kept_elsewhere(
    run: evaltools.Run, fresh_home: Path, monkeypatch: pytest.MonkeyPatch
):
    Notes(run).put(1, Note(True, "of the owner"))
    Notes(run).put(3, Note(True, "of the owner"))
    before = (run.path / "notes.sqlite").read_bytes()
    monkeypatch.setattr(os, "access", lambda *_: False)
    notes = Notes(run)
    notes.put(2, Note(True))
    notes.put(3, Note(False, "mine"))
    assert notes.path.is_relative_to(fresh_home)
    assert Notes(run).all() == {1: Note(True, "of the owner"), 2: Note(True), 3: Note(False, "mine")}
    notes.put(1, Note())
    assert 1 not in Notes(run).all()
    notes.put(2, Note())
    assert Notes(run).all() == {3: Note(False, "mine")}
    assert (run.path / "notes.sqlite").read_bytes() == before


def test_a_user_without_a_home_has_notes_and_lessons_until_the_program_ends(
    run: evaltools.Run, monkeypatch: pytest.MonkeyPatch
):
    def no_home(name: str) -> str:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr(platformdirs, "user_data_dir", no_home)
    monkeypatch.setattr(os, "access", lambda *_: False)
    Notes(run).put(1, Note(True))
    assert Notes(run).all() == {1: Note(True)}
    assert shelf.folder().is_dir()
    assert not shelf.answers_stay()


@pytest.mark.parametrize("content", [b"", b"[1, 2", b"SQLite format 3\0" + b"\0" * 200])
def test_a_file_that_is_no_database_holds_no_notes(run: evaltools.Run, fresh_home: Path, content: bytes):
    (run.path / "notes.sqlite").write_bytes(content)
    notes = Notes(run)
    assert notes.all() == {}
    if content:
        with pytest.raises(OSError, match=r"notes\.sqlite"):
            notes.put(1, Note(True))
        assert (run.path / "notes.sqlite").read_bytes() == content


@pytest.mark.parametrize(
    "statement",
    [
        "create view notes as select 1 as sentence, 1 as marked, 'x' as text",
        "create table notes (a, b)",
        "create table notes (sentence, marked, text)",
    ],
)
def test_other_tables_of_that_name_do_no_harm(run: evaltools.Run, fresh_home: Path, statement: str):
    with closing(sqlite3.connect(run.path / "notes.sqlite")) as database, database:
        database.execute(statement)
        if statement.endswith("marked, text)"):
            database.executemany("insert into notes values (?, ?, ?)", [("x", 1, "a"), (2, 1, b"b"), (3, "y", "c")])
    assert Notes(run).all() == ({3: Note(True, "c")} if statement.endswith("marked, text)") else {})
    with pytest.raises(OSError, match=r"notes\.sqlite"):
        Notes(run).put(1, Note(True))


def test_two_who_write_at_the_same_time_lose_nothing(run: evaltools.Run, fresh_home: Path):
    def write(first: int) -> None:
        for number in range(first, 80, 2):
            Notes(run).put(number, Note(True, f"note {number}"))

    script = (
        "import sys, evaltools; from evaltools.runs.notes import Note, Notes\n"
        "run = evaltools.Run(sys.argv[1])\n"
        "for number in range(100, 140): Notes(run).put(number, Note(True, f'note {number}'))\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(run.path)], cwd=Path(__file__).parents[2]) as other:
        threads = [Thread(target=write, args=(first,)) for first in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert other.wait(60) == 0
    expected = {number: Note(True, f"note {number}") for number in (*range(80), *range(100, 140))}
    assert Notes(run).all() == expected
