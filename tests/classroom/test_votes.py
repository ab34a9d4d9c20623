"""The store of votes: several at once, files from anyone, folders that cannot be written."""

from __future__ import annotations

import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from evaltools.classroom.votes import MAX_HANDS, Ballots, ClassState, ClassStore, class_store
from evaltools.errors import ParameterError
from evaltools.hosts import CLASS_FILE


@pytest.fixture
def store(tmp_path: Path) -> Ballots:
    return Ballots(tmp_path / "folder" / "votes.sqlite")


def test_nothing_is_made_before_somebody_votes(store: Ballots):
    assert store.counts("q") == store.answers("q") == {}
    assert store.total() == 0
    assert not store.path.parent.exists()


def test_an_answer_can_be_changed_and_hands_are_added(store: Ballots):
    for choice in ("a", "b", "equal", "b"):
        store.vote("q", "me", choice)
    store.vote("q", "you", "a")
    store.vote("p", "me", "equal")
    assert store.counts("q") == {"a": 1, "b": 1}
    assert store.total() == 3
    with closing(sqlite3.connect(store.path)) as database:
        rows = database.execute("select * from votes").fetchall()
    assert sorted(rows) == [("p", "me", "equal"), ("q", "me", "b"), ("q", "you", "a")], "nothing else is stored"
    store.hands("q", {"a": 5, "b": 5, "equal": 5})
    store.hands("q", {"a": 0, "b": 7, "equal": 1})
    assert store.hands_of("q") == {"b": 7, "equal": 1}
    assert store.counts("q") == {"a": 1, "b": 8, "equal": 1}
    for wrong in (-1, MAX_HANDS + 1):
        with pytest.raises(ParameterError, match="numbers from 0"):
            store.hands("q", {"a": wrong})


def test_many_vote_at_once(store: Ballots):
    def vote(number: int) -> None:
        Ballots(store.path).vote("q", f"voter {number % 40}", "ab"[number % 2])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(vote, range(120)))
    assert store.counts("q") == {"a": 20, "b": 20}


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_file_that_is_no_database_has_no_votes(store: Ballots, content: bytes):
    store.path.parent.mkdir()
    store.path.write_bytes(content)
    assert store.counts("q") == {}
    if content:
        with pytest.raises(OSError, match="sqlite"):
            store.vote("q", "me", "a")
        assert store.path.read_bytes() == content


@pytest.mark.parametrize(
    ("script", "hands"),
    [
        (
            "create table votes (question, voter, choice); create table hands (question, choice, number);"
            "insert into votes values (1, 2, 3), ('q', null, 'a'), ('q', 'x', 'z');"
            "insert into hands values ('q', 'b', 'many'), ('q', 'a', -4), ('q', 'equal', 1e9), ('q', 'b', 9999999);",
            {"b": MAX_HANDS},
        ),
        ("create view votes as select 'q' as question, 'a' as choice; create view hands as select 1;", {}),
    ],
    ids=["values", "views"],
)
def test_what_others_have_put_into_a_database_is_not_counted(store: Ballots, script: str, hands: dict[str, int]):
    store.path.parent.mkdir()
    with closing(sqlite3.connect(store.path)) as database:
        database.executescript(script)
    assert store.hands_of("q") == hands


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_links_are_neither_read_nor_written(store: Ballots, tmp_path: Path):
    other = Ballots(tmp_path / "other.sqlite")
    other.vote("q", "me", "a")
    store.path.parent.mkdir()
    store.path.symlink_to(other.path)
    assert store.counts("q") == {}
    with pytest.raises(OSError, match="link"):
        store.vote("q", "me", "b")
    assert other.counts("q") == {"a": 1}


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_cannot_be_written_is_said_so(store: Ballots, tmp_path: Path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(OSError):
            store.vote("q", "me", "a")
    finally:
        tmp_path.chmod(0o700)


def test_an_app_without_phones_has_no_class(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv(CLASS_FILE, raising=False)
    assert class_store() is None
    monkeypatch.setenv(CLASS_FILE, str(tmp_path / "class.sqlite"))
    store = class_store()
    assert store is not None
    for step in ("one", "two"):
        state = ClassState(step, "votes.sqlite")
        store.show(state)
        assert store.now() == ClassStore(store.path).now() == state
