"""Bytes that are hard to read: line ends, encodings, compression, size, depth; each with what is said about it."""

from __future__ import annotations

import codecs
import gzip
import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import zstandard

from evaltools import InputError, Tree, Treebank, align, read_treebank, score
from evaltools.corpus import Vocabulary
from evaltools.drawing import MAX_NODES, draw
from evaltools.errors import Problem
from evaltools.formats import Source, corpus_stream
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.formats.source import open_bytes
from evaltools.frameworks.common.tree_options import read_cost_table
from evaltools.frameworks.presets import load_preset
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection
from evaltools.text import printable

A, B, C = b"(S (NP (N a)))", b"(S (NP (N b)))", b"(S (NP (N c)))"
DEPTH = 10_000


def read(data: bytes) -> Treebank:
    return read_treebank(io.BytesIO(data))


def said(data: bytes) -> list[str]:
    return [str(problem) for problem in read(data).problems]


def words(treebank: Treebank) -> list[tuple[str, ...]]:
    return [treebank.tree(i).words for i in range(len(treebank))]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_line_ends_and_byte_order_marks(end: bytes, mark: bytes):
    treebank = read(mark + A + end + b"(S (N x)" + end + end + C + end)
    assert words(treebank) == [("a",), (), (), ("c",)]
    assert [str(problem) for problem in treebank.problems] == ["<upload>:2:1: '(' that is never closed; expected ')'"]


def test_brackets_left_over_after_the_last_tree_are_listed(tmp_path: Path):
    (tmp_path / "gold.ptb").write_bytes(b"(S\n (N a))\n(S\n (N b))\n")
    (tmp_path / "more.ptb").write_bytes(b"(S\n (N a))\n(S\n (N b))\n) )\n")
    run = score(tmp_path / "gold.ptb", {"more": tmp_path / "more.ptb"})
    assert run.problems()[["line", "column"]].to_numpy().tolist() == [[5, 1], [5, 3]]


def test_columns_of_sentences_that_stand_on_one_line():
    """Reading in parts begins within a line; places are still those of the file."""
    data = b"(S\n (N a)) (S (N \xffb)) (S (N c)) ) (S (N d\xff)) (S (N e"
    whole = read(data)
    stream = CorpusStream(io.BytesIO(data))
    parts = [stream.read(1, Vocabulary()) for _ in range(6)]
    listed = [(one.kind, one.line, one.column) for part in parts for one in part.problems]
    assert sorted(listed) == sorted((one.kind, one.line, one.column) for one in whole.problems)
    assert sorted(listed) == [("encoding", 2, 15), ("unbalanced", 2, 30), ("unbalanced", 2, 46)]


def test_problems_of_a_source_in_many_parts_are_listed_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("evaltools.runs.scoring._SENTENCES_PER_CHUNK", 2)
    data = b"(S (N a))\n(S (N b))\n(S (N c))\n(S (N \xffd))\n(S (N e\0))\n"
    run = score(Source.from_bytes(data, "gold"), {"same": Source.from_bytes(data, "same")})
    rows = run.problems().sort_values(["file", "line"])
    assert rows[["file", "kind", "line"]].to_numpy().tolist() == [
        [file, kind, line] for file in ("gold", "same") for kind, line in (("encoding", 4), ("nul", 5))
    ]


def test_a_source_is_cut_as_a_file_is(monkeypatch: pytest.MonkeyPatch):
    """The rest of a long upload is not copied and searched for every part."""
    monkeypatch.setattr(corpus_stream, "_FIRST_BLOCK", 64)
    stream = CorpusStream(Source.from_bytes((A + b"\n") * 100, "upload"))
    shares = []
    for _ in range(100):
        assert len(stream.read(1, Vocabulary())) == 1
        assert len(stream._buffer) < 4 * 64
        shares.append(stream.share_read)
    assert shares == sorted(shares)
    assert shares[-1] == 1


# --------------------------------------------------------------------------------------------------------- long, wide


def test_white_space_before_the_first_tree():
    assert read(b"\n" * 70_000 + A).line.tolist()[-1] == 70_001
    with pytest.raises(InputError, match=r":1:1: only white space in the first 4,194,304 bytes; expected a tree"):
        CorpusStream(io.BytesIO(b" " * 5_000_000 + A))


@pytest.mark.slow
def test_one_line_of_five_megabytes(tmp_path: Path):
    data = b"(S " + b"(N dog) " * 650_000 + b")\n" + A + b"\n"
    assert len(data) > 5_000_000
    treebank = read(data)
    assert [len(treebank.tree(i).words) for i in range(len(treebank))] == [650_000, 1]
    assert treebank.problems == []
    broken = data.replace(b")\n", b"\n", 1)
    assert said(broken) == ["<upload>:1:1: '(' that is never closed; expected ')'"]


def test_a_word_of_five_megabytes(tmp_path: Path):
    """It is a word; messages show its ends."""
    long = b"a" * 5_000_000
    (tmp_path / "gold.ptb").write_bytes(b"(S (N " + long + b"))\n(S (N b))\n")
    (tmp_path / "test.ptb").write_bytes(b"(S (N b))\n(S (" + long + b") (N " + long + b"))\n")
    run = score(tmp_path / "gold.ptb", {"same": tmp_path / "gold.ptb", "other": tmp_path / "test.ptb"})
    assert run.sentences("same")["status"].tolist() == ["ok", "ok"]
    assert run.sentences("other")["status"].tolist() == ["words_differ", "words_differ"]
    assert run.problems()["kind"].tolist() == ["empty_bracket", "words_differ", "words_differ"]
    assert max(len(text) for column in ("found", "expected") for text in run.problems()[column]) < 250
    assert run.problems()["expected"].tolist()[1].startswith("word 1 '" + "a" * 30 + "…" + "a" * 29 + "', as in ")
    (tmp_path / "own.prm").write_bytes(long + b" x\nCUTOFF_LEN " + b"9" * 5000 + b"\n")
    for problem in load_preset(f"evalb:{tmp_path / 'own.prm'}").evalb.problems:
        assert len(problem.found) < 100
    (tmp_path / "costs.txt").write_bytes(long + b" B " + long + b"\n")
    with pytest.raises(InputError) as error:
        read_cost_table(tmp_path / "costs.txt")
    assert len(error.value.problem.found) < 100


@pytest.mark.slow
def test_a_node_with_100_000_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "evaltools.frameworks.constituency.repair.MAX_WORK", 1_000_000
    )  # is given up in any case, after 20 seconds
    (tmp_path / "wide.ptb").write_bytes(b"(S " + b"(N a) " * 100_000 + b")\n")
    (tmp_path / "other.ptb").write_bytes(b"(S (X " + b"(N a) " * 99_999 + b") (N a))\n")
    run = score(tmp_path / "wide.ptb", {"same": tmp_path / "wide.ptb", "other": tmp_path / "other.ptb"})
    rows = run.sentences().set_index("parser")
    assert rows.loc["same", ["f1", "ted", "la_exact"]].tolist() == [1, 1, 1]
    assert rows.loc["other", "f1"] == pytest.approx(2 / 3)
    tree = run.tree(1)
    assert tree is not None
    assert len(tree.children(tree.roots[0])) == 100_000


# --------------------------------------------------------------------------------------------------------------- deep


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Give a run of trees 10,000 brackets deep: one parser the same, one with other labels half way."""
    folder = tmp_path_factory.mktemp("deep")
    (folder / "gold.ptb").write_text("(A " * DEPTH + "(N a)" + ")" * DEPTH + "\n")
    (folder / "other.ptb").write_text(
        "(B " * (DEPTH // 2) + "(A " * (DEPTH // 2) + "(N a)" + ")" * DEPTH + "\n", encoding="ascii"
    )
    return score(folder / "gold.ptb", {"same": folder / "gold.ptb", "other": folder / "other.ptb"})


@pytest.mark.slow
def test_deep_trees_are_scored(deep: Any):
    rows = deep.sentences().set_index("parser")
    assert rows.loc["same", ["f1", "exact", "ted", "la_exact"]].tolist() == [1, 1, 1, 1]
    assert rows.loc["other", "f1"] == pytest.approx(0.5)
    assert rows.loc["other", "la_exact"] == pytest.approx(0.5, abs=1e-3)
    listed = deep.problems()
    assert listed["kind"].tolist() == ["too_large"]
    assert listed["expected"].tolist() == ["trees small enough for tree distance; the sentence has no T score"]


@pytest.mark.slow
@pytest.mark.parametrize("form", [form for form in REPORTS if form != "conll18"])
def test_deep_trees_are_reported(deep: Any, form: str):
    assert REPORTS[form](deep, Selection("figures" if form == "latex" else "sentences"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mapping", "language"), [("t", "text"), ("t", "svg"), ("t", "dot"), ("t", "latex"), ("t", "json"), ("e", "svg")]
)
def test_deep_trees_are_drawn(language: str, mapping: str):
    """Without recursion, and not in a text that grows with the square of the depth."""
    depth = MAX_NODES // 2 - 2
    tree = Tree.from_string("(A " * depth + "(N a)" + ")" * depth)
    drawn = draw(align(tree, tree, "none"), language, mapping=mapping)
    assert len(drawn) < 20_000_000
    assert drawn.count("A") >= depth


def test_guides_of_deep_trees_are_cut_at_the_left():
    depth = 150
    tree = Tree.from_string("(A " * depth + "(N a) (N b)" + ")" * depth)
    lines = draw(align(tree, tree, "none"), "text", mapping="t").split("\n")
    assert max(map(len, lines)) < 320
    assert any(line.startswith("⋯") and line.endswith("└─ N  b") for line in lines)


@pytest.mark.slow
def test_brackets_inside_a_million_others_are_listed():
    many = 2**20 + 3
    deep = b"(A " * many + b"(N a)" + b")" * many
    listed = "more than a million brackets open at one time; expected a tree that is less deep"
    treebank = read(A + b"\n" + deep + b"\n" + B + b"\n")
    assert words(treebank) == [("a",), (), ("b",)]
    assert said(A + b"\n" + deep + b"\n" + B + b"\n") == [f"<upload>:2:{3 * 2**20 + 1}: {listed}"]
    spread = A.replace(b" (NP", b"\n (NP") + b"\n" + deep + b"\n" + B.replace(b" (NP", b"\n (NP") + b"\n"
    assert words(read(spread)) == [("a",), (), ("b",)]
    assert said(spread) == [f"<upload>:3:{3 * 2**20 + 1}: {listed}"]
    assert said(A + b"\n" + deep[: -many - 5] + b"\n")[0] == f"<upload>:2:{3 * 2**20 + 1}: {listed}"
    below = b"(A " * 100_000 + b"(N a)" + b")" * 100_000
    assert [len(tree) for tree in words(read(below + b"\n"))] == [1]


MEASURE_READING = """\
import io, resource, sys
from evaltools import read_treebank
read_treebank(io.BytesIO(b"(S (N a))\\n"))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
treebank = read_treebank(io.BytesIO(b"(S (N a))\\n" + sys.argv[1].encode() * 20_000_000), "ptb")
print(len(treebank.problems), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("sign", "listed"), [("(", 2), (")", 1), ("a", 1), (" ", 0)])
def test_a_long_line_of_one_sign_takes_little_memory(sign: str, listed: int):
    command = [sys.executable, "-c", MEASURE_READING, sign]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    problems, kilobytes = map(int, done.stdout.split())
    assert problems == listed
    assert kilobytes < 400_000


# --------------------------------------------------------------------------------------------------------- compressed

MEASURE = """\
import gzip, resource, sys
from evaltools.formats.source import open_bytes
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
stream = open_bytes(sys.argv[1])
size = 0
while block := stream.read_block():
    size += len(block)
print(size, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize("method", ["gzip", "zstd"])
def test_a_small_file_that_becomes_200_megabytes(method: str, tmp_path: Path):
    """Blanks without end are an error at once, and decompressing takes no more memory than a block."""
    path = tmp_path / "bomb"
    blanks = b" " * 200_000_000
    path.write_bytes(gzip.compress(blanks, 1) if method == "gzip" else zstandard.compress(blanks))
    assert path.stat().st_size < 1_000_000
    with pytest.raises(InputError, match="only white space in the first"):
        score(path, {"same": path})
    done = subprocess.run([sys.executable, "-c", MEASURE, path], capture_output=True, text=True, check=True)
    size, kilobytes = map(int, done.stdout.split())
    assert size == 200_000_000
    assert kilobytes < 150_000


def test_many_empty_members():
    """A file of nothing but headers takes time in proportion to its length."""
    stored = gzip.compress(b"") * 20_000 + gzip.compress(A + b"\n")
    assert words(read(stored)) == [("a",)]
    assert words(read(zstandard.compress(b"") * 20_000 + zstandard.compress(A))) == [("a",)]
    assert open_bytes(io.BytesIO(gzip.compress(A) + b"\0" * 5000)).read_all() == A


# ---------------------------------------------------------------------------------------------------------- terminals


def test_control_characters_are_shown_and_not_sent_to_the_terminal():
    every = "".join(map(chr, [*range(0x20), 0x7F, *range(0x80, 0xA0), 0x200E, 0x202E, 0x2028, 0x2066, 0xD800]))
    shown = printable(every)
    assert shown.isprintable()
    assert shown.startswith("␀␁␂")
    assert shown.endswith(r"\u200e\u202e\u2028\u2066\ud800")
    assert printable("naïve 日本 (S – …) 😀") == "naïve 日本 (S – …) 😀"
    problem = Problem("x", "a\x1b[31m.ptb", 1, None, "bad\nnews \x9b2J", "good")
    assert str(problem) == r"a␛[31m.ptb:1: bad␊news \u009b2J; expected good"
