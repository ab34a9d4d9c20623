"""What a class is shown: one step at a time, by one browser, from a file that anybody may have damaged."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from evaltools.classroom.class_state import (
    CLASS_FILE,
    CODE_DAYS,
    ClassState,
    ClassStore,
    class_codes,
    class_store,
    code_secret,
)

if TYPE_CHECKING:
    from pathlib import Path

STATE = ClassState("teacher", "Attachment", "votes.sqlite")


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


def test_a_printed_sheet_works_after_a_restart_until_its_days_are_over(tmp_path: Path):
    file, evening = tmp_path / "codes.json", datetime(2026, 3, 1, 20, tzinfo=UTC)
    printed = code_secret(file, evening)
    assert class_codes(code_secret(file, evening + timedelta(hours=12)).secret, 3) == class_codes(printed.secret, 3)
    last = evening + timedelta(days=CODE_DAYS)
    assert printed.until == last
    assert code_secret(file, last - timedelta(seconds=1)) == printed
    later = code_secret(file, last)
    assert later.secret != printed.secret
    assert code_secret(file, last, renew=True).secret != later.secret
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b'{"secret": "", "made": "2026-03-01T20:00:00Z"}', b"[]"])
def test_a_damaged_file_of_codes_is_replaced(tmp_path: Path, data: bytes):
    file, now = tmp_path / "codes.json", datetime(2026, 3, 1, 21, tzinfo=UTC)
    file.write_bytes(data)
    made = code_secret(file, now)
    assert len(made.secret) >= 24
    assert code_secret(file, now) == made


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_codes_are_not_read_from_a_link(tmp_path: Path):
    now = datetime(2026, 3, 1, tzinfo=UTC)
    aim = code_secret(tmp_path / "aim.json", now)
    (tmp_path / "codes.json").symlink_to(tmp_path / "aim.json")
    assert code_secret(tmp_path / "codes.json", now).secret != aim.secret
    assert code_secret(tmp_path / "aim.json", now) == aim
