"""Bytes from wherever they are."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import sys
from pathlib import Path

import pytest
import zstandard

from evaltools import InputError, read_treebank
from evaltools.formats import Source, open_source

TEXT = "(S (NP (N café)) (VP (V schläft)))\n(S (N 日本))\n"
DATA = TEXT.encode()


def words(data: bytes) -> list[tuple[str, ...]]:
    treebank = read_treebank(io.BytesIO(data))
    return [treebank.tree(i).words for i in range(len(treebank))]


STORED = {
    "plain": DATA,
    "byte order mark": b"\xef\xbb\xbf" + DATA,
    "CR LF": TEXT.replace("\n", "\r\n").encode(),
    "UTF-16": TEXT.encode("utf-16"),
    "UTF-16, big end first": b"\xfe\xff" + TEXT.encode("utf-16-be"),
    "gzip": gzip.compress(DATA),
    "gzip of several members": gzip.compress(DATA[:40]) + gzip.compress(b"") + gzip.compress(DATA[40:]),
    "Zstandard": zstandard.compress(DATA),
    "Zstandard of several frames": zstandard.compress(DATA[:40]) + zstandard.compress(DATA[40:]),
    "Zstandard without its size": zstandard.ZstdCompressor(write_content_size=False).compress(DATA),
    "gzip of UTF-16": gzip.compress(TEXT.encode("utf-16")),
    "no line end at the end": DATA.rstrip(),
}


@pytest.mark.parametrize("name", STORED)
def test_all_these_are_the_same_text(name: str, tmp_path: Path):
    assert words(STORED[name]) == [("café", "schläft"), ("日本",)]
    path = tmp_path / "any.name"
    path.write_bytes(STORED[name])
    source = open_source(path)
    assert source.name == str(path)
    assert source.digest == hashlib.sha256(STORED[name]).hexdigest()
    assert source.problems == []


CUT_OFF, DAMAGED = "a compressed file that is cut off", "a compressed file that is damaged"


@pytest.mark.parametrize(
    ("damaged", "found"),
    [
        (gzip.compress(DATA)[:-6], CUT_OFF),
        (gzip.compress(DATA)[:12], CUT_OFF),
        (gzip.compress(DATA)[:-8] + b"\0" * 8, f"{DAMAGED} (gzip: incorrect data check)"),
        (zstandard.compress(DATA)[:-6], CUT_OFF),
        (zstandard.compress(DATA * 9000)[:-1], CUT_OFF),
        (zstandard.compress(DATA) + zstandard.compress(DATA)[:9], CUT_OFF),
        (b"\x28\xb5\x2f\xfd" + b"\xff" * 30, f"{DAMAGED} (Zstandard: "),
    ],
    ids=("cut", "short", "checksum", "zstd-cut", "zstd-long", "zstd-two", "zstd-bytes"),  # gzip stores the time
)
def test_damaged_compression_is_an_error_and_not_a_shorter_file(damaged: bytes, found: str):
    with pytest.raises(InputError) as error:
        read_treebank(io.BytesIO(damaged))
    problem = error.value.problem
    assert (problem.kind, problem.expected) == ("compression", "a whole compressed file")
    assert problem.found == found or (found.endswith(": ") and problem.found.startswith(found))


def test_standard_input(monkeypatch: pytest.MonkeyPatch):
    class Stdin:
        buffer = io.BytesIO(gzip.compress(DATA))

    monkeypatch.setattr(sys, "stdin", Stdin())
    treebank = read_treebank("-")
    assert treebank.name == "<standard input>"
    assert len(treebank) == 2


def test_an_upload_keeps_its_name():
    upload = io.BytesIO(DATA)
    upload.name = "mine.ptb"
    assert read_treebank(upload).name == "mine.ptb"
    assert open_source(io.BytesIO(DATA), name="yours").name == "yours"
    source = Source.from_bytes(DATA, "given")
    assert open_source(source) is source


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (lambda folder: folder / "none.ptb", "no such file"),
        (lambda folder: folder, "a folder"),
        (lambda folder: folder / "gold.ptb" / "inside", "Not a directory"),
        (lambda folder: str(folder / "a\0b"), "null"),
        (lambda folder: "", "a folder"),
    ],
)
def test_files_that_cannot_be_opened(make: object, found: str, tmp_path: Path):
    (tmp_path / "gold.ptb").write_bytes(DATA)
    with pytest.raises(InputError) as error:
        read_treebank(make(tmp_path))
    assert error.value.problem.kind == "file"
    assert found in error.value.problem.found


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path):
    path = tmp_path / "secret.ptb"
    path.write_bytes(DATA)
    path.chmod(0)
    with pytest.raises(InputError, match="Permission denied"):
        read_treebank(path)


def test_half_a_character_of_utf_16():
    with pytest.raises(InputError) as error:
        read_treebank(io.BytesIO(TEXT.encode("utf-16")[:-1]))
    assert error.value.problem.kind == "encoding"


def test_a_file_whose_name_is_not_utf_8(tmp_path: Path):
    path = tmp_path / os.fsdecode(b"caf\xe9.ptb")
    try:
        path.write_bytes(DATA)
    except OSError:
        pytest.skip("this file system has names in UTF-8 only")
    treebank = read_treebank(path)
    assert len(treebank) == 2
    assert treebank.name.encode("utf-8").endswith(rb"caf\xe9.ptb")
