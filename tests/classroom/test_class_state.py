"""What a class is shown: one step at a time, by one browser, from a file that anybody may have damaged."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from evaltools.classroom.votes import ClassState, ClassStore, class_store
from evaltools.hosts import CLASS_FILE

if TYPE_CHECKING:
    from pathlib import Path

STATE = ClassState("Attachment", "votes.sqlite")


@pytest.fixture
def store(tmp_path: Path) -> ClassStore:
    return ClassStore(tmp_path / "there" / "class.sqlite")


def test_what_is_no_database_is_not_read(store: ClassStore):
    store.path.parent.mkdir()
    store.path.write_bytes(b"no database" * 100)
    assert store.now() is None
    with pytest.raises(OSError, match=r"class\.sqlite"):
        store.show(STATE)


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_is_neither_read_nor_written(store: ClassStore, tmp_path: Path):
    aim = ClassStore(tmp_path / "aim.sqlite")
    aim.show(STATE)
    store.path.parent.mkdir()
    store.path.symlink_to(aim.path)
    assert store.now() is None
    with pytest.raises(OSError, match="a symbolic link"):
        store.show(STATE)
    assert aim.now() == STATE


def test_an_app_without_phones_has_no_class(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv(CLASS_FILE, raising=False)
    assert class_store() is None
    monkeypatch.setenv(CLASS_FILE, str(tmp_path / "class.sqlite"))
    store = class_store()
    assert store is not None
    store.show(STATE)
    assert store.now() == STATE
