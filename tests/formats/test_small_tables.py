"""Maps of labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaltools import InputError, read_label_map
from evaltools.formats.small_tables import read_label_pairs


def test_a_label_map(tmp_path: Path):
    file = tmp_path / "labels.txt"
    file.write_bytes("\ufeff# ours\tUD\r\nSBJ nsubj\r\n\r\n  OBJ\tobj  # the object\r\nC# x\r\nSBJ nsubj\r\n".encode())
    assert read_label_map(file) == {"SBJ": "nsubj", "OBJ": "obj", "C#": "x"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a b\nc\n", r":2:1: c; expected two labels"),
        (b"a b c\n", r":1:1: a b c; expected two labels"),
        (b"a b\n\na c\n", r":3:1: label a mapped to c; expected b as on line 1"),
        (b"a b\nc \xff\n", r":2:3: bytes ff that are not UTF-8; expected UTF-8 text"),
    ],
)
def test_what_is_no_label_map(tmp_path: Path, content: bytes, message: str):
    file = tmp_path / "labels.txt"
    file.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_label_map(file)


def test_a_label_map_that_is_not_there(tmp_path: Path):
    with pytest.raises(InputError, match="a map of labels"):
        read_label_map(tmp_path / "none.txt")


def test_pairs_of_labels(tmp_path: Path):
    file = tmp_path / "pairs.txt"
    file.write_text("SUB SBJ # subjects\nSUB nsubj\n", encoding="utf-8")
    assert read_label_pairs(file) == {("SUB", "SBJ"), ("SUB", "nsubj")}
    file.write_text("SUB\n", encoding="utf-8")
    with pytest.raises(InputError, match=":1:1: SUB; expected two labels"):
        read_label_pairs(file)
