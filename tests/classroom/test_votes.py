"""The store of votes: several at once, files from anyone, folders that cannot be written."""

from __future__ import annotations

import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from evaltools.classroom.votes import MAX_HANDS, BallotBox, Ballots
from evaltools.errors import ParameterError

if TYPE_CHECKING:
    from pathlib import Path


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


def test_of_voters_nothing_but_the_name_of_their_session_is_kept(store: Ballots):
    store.vote("q", "token", "a")
    with closing(sqlite3.connect(store.path)) as database:
        assert database.execute("select * from votes").fetchall() == [("q", "token", "a")]


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_file_that_is_no_database_has_no_votes(store: Ballots, content: bytes):
    store.path.parent.mkdir()
    store.path.write_bytes(content)
    assert store.counts("q") == {}
    if content:
        with pytest.raises(OSError, match="sqlite"):
            store.vote("q", "me", "a")
        assert store.path.read_bytes() == content


def test_tables_with_something_else_in_them_have_no_votes(store: Ballots):
    store.path.parent.mkdir()
    with closing(sqlite3.connect(store.path)) as database:
        database.executescript(
            "create table votes (question, voter, choice); create table hands (question, choice, number);"
            "insert into votes values (1, 2, 3), ('q', null, 'a'), ('q', 'x', 'z');"
            "insert into hands values ('q', 'b', 'many'), ('q', 'a', -4), ('q', 'equal', 1e9), ('q', 'b', 9999999);"
        )
    assert store.hands_of("q") == {"b": MAX_HANDS}


def test_views_in_the_place_of_tables_are_not_asked(store: Ballots):
    store.path.parent.mkdir()
    with closing(sqlite3.connect(store.path)) as database:
        database.executescript(
            "create view votes as select 'q' as question, 'a' as choice, 'v' as voter; create view hands as select 1;"
        )
    assert store.counts("q") == {}


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


def test_answers_are_kept_while_a_question_is_closed_and_opened_again(store: Ballots):
    store.open("q")
    box = BallotBox(store.path)
    assert box.put("q", "me", "first")
    assert box.put("q", "you", "other")
    assert box.put("q", "me", "last")
    store.close("q")
    store.open("q")
    assert not box.put("q", "late", "x"), "what is closed is opened again only on purpose"
    store.reopen("q")
    assert store.answers("q") == {"me": "last", "you": "other"}
    assert box.put("q", "late", "x")
    assert store.answers("other") == {}
