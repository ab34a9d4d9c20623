"""Reading some sentences at a time gives what reading the whole file gives."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from evaltools.corpus import Treebank, Vocabulary
from evaltools.errors import InputError, ParameterError
from evaltools.formats import Source, corpus_stream, read_treebank
from evaltools.formats.corpus_stream import CorpusStream

LINES = "(S (NP (N dogs)) (VP (V bark)))\n\n(S (X a)\n(())\n(S (NP (N it)))\nstray\n( (S (X y)) )\n"
SPREAD = "(S\n  (NP (N dogs))\n  (VP (V bark)))\n(S (X a))\n\n(S\n  (NP\n    (N it)))\n(())\n(S (X y\n(S\n  (Z z))\n"


def described(treebanks: list[Treebank]) -> list[tuple[object, ...]]:
    return [
        (str(part.tree(i)), int(part.line[i]), part.first_sentence + i) for part in treebanks for i in range(len(part))
    ]


def in_parts(data: bytes, size: int) -> tuple[list[Treebank], CorpusStream]:
    stream = CorpusStream(io.BytesIO(data))
    parts = []
    while len(part := stream.read(size, Vocabulary())):
        parts.append(part)
    return parts, stream


@pytest.mark.parametrize("text", [LINES, SPREAD, SPREAD.replace("\n", "\r\n"), "(S (X a))", "[S a b ]\n[T [U c ] ]\n"])
@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_parts_are_the_whole(text: str, size: int, block: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("evaltools.formats.source._STORED_BLOCK", block)
    monkeypatch.setattr(corpus_stream, "_FIRST_BLOCK", max(block, len(text)))
    whole = read_treebank(io.BytesIO(text.encode()))
    parts, stream = in_parts(text.encode(), size)
    assert described(parts) == described([whole])
    assert [problem for part in parts for problem in part.problems] == whole.problems
    assert all(len(part) == size for part in parts[:-1])
    assert stream.digest == whole.digest
    assert stream.n_read == len(whole)
    assert stream.share_read == 1


def test_blank_lines_at_the_end_can_be_dropped():
    stream = CorpusStream(io.BytesIO(b"(S (X a))\n\n(S (X b))\n\n \n\n"))
    assert len(stream.read(2, Vocabulary(), drop_blank_end=True)) == 2
    assert len(stream.read(2, Vocabulary(), drop_blank_end=True)) == 1
    assert len(stream.read(2, Vocabulary(), drop_blank_end=True)) == 0


def test_what_is_left_is_counted():
    stream = CorpusStream(io.BytesIO(b"(S (X a))\n(S (X b))\n\n(S (X c))\n\n"))
    stream.read(1, Vocabulary())
    assert stream.count_rest() == (4, 2)
    only_blank = CorpusStream(io.BytesIO(b"(S (X a))\n\n\n"))
    only_blank.read(1, Vocabulary())
    assert only_blank.count_rest() == (0, None)


def test_a_blank_file_needs_a_format():
    with pytest.raises(InputError, match="an empty file"):
        CorpusStream(io.BytesIO(b"\n"))
    assert CorpusStream(io.BytesIO(b"\n"), default_format="ptb").format == "ptb"
    with pytest.raises(ParameterError, match="unknown format 'x'"):
        CorpusStream(io.BytesIO(b"\n"), "x")


def test_a_damaged_file_is_found_out_on_the_way(tmp_path: Path):
    stored = gzip.compress(b"(S (X a))\n" * 100_000)
    (tmp_path / "cut.gz").write_bytes(stored[:-20])
    with pytest.raises(InputError, match="compressed file that is cut off"):
        in_parts((tmp_path / "cut.gz").read_bytes(), 50_000)


@pytest.mark.parametrize("position", range(5))
@pytest.mark.parametrize("number", [7, 19, 20])
def test_sentences_that_were_looked_at_ahead_are_read_again(
    position: int, number: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(corpus_stream, "_FIRST_BLOCK", 16)
    data = "".join(f"(S (N w{index}))\n" for index in range(20)).encode()

    def read(looks_ahead: int) -> tuple[list[tuple[str, ...]], list[int], float | None]:
        stream = CorpusStream(Source("trees", data, ""), "ptb")
        words, lines = [], []
        for part in range(10):
            if part == looks_ahead:
                found = stream.holds_later(lambda trees: trees.vocabulary.words.find(f"w{number}") >= 0, 3)
                assert found == (2 * position <= number < 20)
            trees = stream.read(2, Vocabulary())
            words += [trees.tree(index).words for index in range(len(trees))]
            lines += trees.line.tolist()
        return words, lines, stream.share_read

    assert read(position) == read(-1)
