"""Databases of votes and of a class with damaged bytes: nothing is shown, or one line says so."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from evaltools.classroom.votes import BallotBox, Ballots, ClassState, ClassStore

QUESTION = "größer"


def votes(path: Path) -> Ballots:
    store = Ballots(path)
    for voter in range(20):
        store.vote(QUESTION, f"wähler {voter}", "a")
    store.open(QUESTION)
    store.hands(QUESTION, {"a": 1, "b": 2})
    BallotBox(path).put(QUESTION, "wähler", "an answer")
    return store


def a_class(path: Path) -> ClassStore:
    store = ClassStore(path)
    store.show(ClassState("Größe", "votes.sqlite"))
    return store


def uses_of_votes(path: Path) -> list[Callable[[], object]]:
    store, box = Ballots(path), BallotBox(path)
    reading = [store.answers, store.counts, store.hands_of, store.is_open]
    writing = [store.open, store.close, store.reopen]
    return [
        *(lambda use=use: use(QUESTION) for use in (*reading, *writing)),  # type: ignore[misc]
        store.numbers,
        store.total,
        lambda: store.vote(QUESTION, "another", "b"),
        lambda: (box.is_open(QUESTION), box.answer_of(QUESTION, "wähler"), box.number_of("wähler")),
        lambda: box.put(QUESTION, "wähler", "b"),
        lambda: box.join("another"),
    ]


def uses_of_a_class(path: Path) -> list[Callable[[], object]]:
    store = ClassStore(path)
    return [
        store.now,
        lambda: store.show(ClassState("", "")),
    ]


def test_a_schema_that_is_no_utf_8(tmp_path: Path):
    path = tmp_path / "class.sqlite"
    data = a_class(path).path.read_bytes()
    assert data.count(b"tablestatestate") == 1
    path.write_bytes(data.replace(b"tablestatestate", b"tablest\xffestate"))
    assert ClassStore(path).now() is None
    with pytest.raises(OSError, match=r"^\[Errno 0\] class\.sqlite: ") as error:
        ClassStore(path).show(ClassState("", ""))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("make", "uses"), [(votes, uses_of_votes), (a_class, uses_of_a_class)])
def test_bytes_anywhere(
    make: Callable[[Path], object], uses: Callable[[Path], list[Callable[[], object]]], tmp_path: Path
):
    path, chance = tmp_path / "whole.sqlite", random.Random(0)
    make(path)
    whole, damaged = path.read_bytes(), tmp_path / "damaged.sqlite"
    text = [index for index, byte in enumerate(whole) if byte]
    for _ in range(60):
        data = bytearray(whole)
        for index in chance.sample(text, 8):
            data[index] = chance.choice((0, 0x80, 0xC3, 0xFF))
        damaged.write_bytes(data)
        for use in uses(damaged):
            with suppress(OSError):  # one line in the app; other errors fail here
                use()
