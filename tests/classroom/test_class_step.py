"""What a class is shown: one step at a time, by one device, from a file that anybody may have damaged."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

import pytest

from evaltools.classroom import votes
from evaltools.classroom.votes import ClassStep, ClassStore

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> ClassStore:
    return ClassStore(tmp_path / "there" / "vote.class.sqlite")


def test_the_last_word_counts(store: ClassStore):
    assert store.now() is None
    store.clear()
    assert not store.path.exists()
    for step in (ClassStep("a", 0, False), ClassStep("a", 3, True), ClassStep("b", 2, False)):
        store.show(step)
        assert store.now() == ClassStore(store.path).now() == step
    store.clear()
    assert store.now() is None


def test_a_lesson_of_yesterday_is_over(store: ClassStore, monkeypatch: pytest.MonkeyPatch):
    store.show(ClassStep("a", 1, True))
    now = votes.time.time()
    monkeypatch.setattr(votes.time, "time", lambda: now + 11 * 3600)
    assert store.now() == ClassStep("a", 1, True)
    for hours in (13, -13):  # a clock may have been set back
        monkeypatch.setattr(votes.time, "time", lambda hours=hours: now + hours * 3600)
        assert store.now() is None


@pytest.mark.parametrize(
    "row", [(1, 1, 1, 1e12), ("a", "x", 1, 1e12), ("a", -1, 1, 1e12), ("a", 1, 1, "x"), ("a", 1, 1, float("inf"))]
)
def test_rows_that_say_nothing_sensible_are_nothing(store: ClassStore, row: tuple[object, ...]):
    store.path.parent.mkdir()
    database = sqlite3.connect(store.path)
    database.execute("create table shown (leader, step, open, at)")
    database.execute("insert into shown values (?, ?, ?, ?)", row)
    database.commit()
    database.close()
    assert store.now() is None


def test_what_is_no_database_is_not_read(store: ClassStore):
    store.path.parent.mkdir()
    store.path.write_bytes(b"no database" * 100)
    assert store.now() is None
    with pytest.raises(OSError, match=r"vote\.class\.sqlite"):
        store.show(ClassStep("a", 1, True))


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_is_neither_read_nor_written(store: ClassStore, tmp_path: Path):
    aim = ClassStore(tmp_path / "aim.sqlite")
    aim.show(ClassStep("a", 1, True))
    store.path.parent.mkdir()
    store.path.symlink_to(aim.path)
    assert store.now() is None
    with pytest.raises(OSError, match="a symbolic link"):
        store.show(ClassStep("b", 2, True))
    assert aim.now() == ClassStep("a", 1, True)
