"""Every format on whatever bytes, whole and in parts: sentences, problems or one clear error; nothing is lost."""

from __future__ import annotations

import codecs
import io
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from evaltools import FORMATS, Dependencies, InputError, Tree, read_treebank
from evaltools.corpus import Vocabulary
from evaltools.formats import corpus_stream
from evaltools.formats.corpus_stream import CorpusStream
from tests.robustness.mutations import FRAGMENTS, mutated
from tests.robustness.reading import BRACKETS, check_reading, read
from tests.slow.dependencies import random_dependencies
from tests.slow.discontinuous import random_discontinuous

TIGER = (
    *b"<s> </s> <graph> </graph> <terminals> </nonterminals> </nt> &amp; &lt; &#0; &#x110000; &x;".split(),
    *(b'<s id="s1">', b'<graph root="s1_500">', b'<t id="s1_1" word="x" pos="N"/>', b'<nt id="s1_500" cat="X">'),
    *(b'<edge label="--" idref="s1_1"/>', b'<edge label="--" idref="s9_9"/>', b'<edge idref="s1_500"/>'),
    *(b"<!DOCTYPE x [", *b"<!-- --> <![CDATA[ ]]> <?xml ?> < > \" ' />".split()),
)
"""Fragments of TIGER-XML."""
NEW = ("conllu", "conllx", "export", "tigerxml", "discbracket", "functions", "rr")
MUTATIONS = 400


def seed_file(name: str, seed: int = 1) -> bytes:
    """Make a file of a format."""
    random = Random(seed)
    trees: list[Any] = []
    for _ in range(12):
        if name in ("conllu", "conllx"):
            trees.append(random_dependencies(random, plain=name == "conllx"))
        elif name in ("export", "tigerxml", "discbracket"):
            trees.append(random_discontinuous(random, functions=name == "export")[0])
        else:
            text = (
                "(root (sbj (hd a) ({} b)) (* c))" if name == "functions" else "(S ({hd,sbj} (hd (V a)) (sbj (NP b))))"
            )
            trees.append(Tree.from_string(text, "functions" if name == "functions" else "ptb"))
    trees[3] = None
    text: str = FORMATS[name].write(trees)
    return (text.replace("NOUN", "N").replace("VERB", "V") if name == "conllx" else text).encode()


@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize("size", [1, 5, 100])
def test_parts_are_the_whole(name: str, size: int, monkeypatch: pytest.MonkeyPatch):
    for block in (1, 50):
        monkeypatch.setattr("evaltools.formats.source._STORED_BLOCK", block)
        monkeypatch.setattr(corpus_stream, "_FIRST_BLOCK", 3000)
        for end in (b"\n", b"\r\n"):
            data = seed_file(name).replace(b"\n", end)
            whole = check_reading(data, size, None)
            assert not isinstance(whole, InputError)
            assert whole.format == name
            assert len(whole) == 12
            assert whole.problems == []
            assert [i for i in range(12) if not len(whole.tree(i))] == [3]


@pytest.mark.parametrize("name", NEW)
def test_a_long_file_is_read_in_little_memory(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("evaltools.formats.source._STORED_BLOCK", 100)
    monkeypatch.setattr(corpus_stream, "_FIRST_BLOCK", 4000)
    data = b"".join(seed_file(name, seed).replace(b"#FORMAT 3\n", b"") for seed in range(40))
    stream = CorpusStream(io.BytesIO(data), name)
    n_read = 0
    while len(part := stream.read(2, Vocabulary())):
        n_read += len(part)
        assert len(stream._buffer) < 16_000
    assert n_read == 480
    assert stream.count_rest() == (0, None)


@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_line_ends_and_byte_order_marks(name: str, end: bytes, mark: bytes):
    plain = read(seed_file(name), None)
    other = check_reading(mark + seed_file(name).replace(b"\n", end), 3, None)
    assert not isinstance(plain, InputError)
    assert not isinstance(other, InputError)
    assert other.problems == []
    assert [other.tree(i) for i in range(12)] == [plain.tree(i) for i in range(12)]


@pytest.mark.slow
@pytest.mark.parametrize("name", NEW)
def test_mutated_files(name: str):
    random = Random(name)
    originals = [seed_file(name, seed) for seed in range(5)]
    others = [seed_file(other) for other in NEW]
    marks = (
        *(b"\t", b"#BOS 9\n", b"#EOS 9\n", b"\t0\t", *b"1-2 3.1 # #500 %% 0= { _".split()),
        *FRAGMENTS,
        *(TIGER if name == "tigerxml" else ()),
    )
    kinds: dict[str, int] = {}
    for number in range(MUTATIONS):
        data = mutated(random.choice(originals), random, random.choice(others))
        if number % 3:
            at = random.randint(0, len(data))
            data = data[:at] + random.choice(marks) + data[at:]
        try:
            result = check_reading(data, random.randint(1, 7), name if number % 2 else None)
        except Exception as error:
            error.add_note(f"mutation {number}: {data!r}")
            raise
        found = {result.problem.kind} if isinstance(result, InputError) else {one.kind for one in result.problems}
        for kind in found or {"none"}:
            kinds[kind] = kinds.get(kind, 0) + 1
    expected = {
        "conllu": {"columns", "head", "ids", "encoding", "nul"},
        "conllx": {"columns", "head", "ids", "encoding", "nul"},
        "export": {"columns", "parent", "unbalanced", "text", "unknown_node"},
        "tigerxml": {"text", "unbalanced", "unknown_node"},
        "discbracket": {"index", "unbalanced"},
        "functions": {"unbalanced", "text"},
        "rr": {"unbalanced", "text"},
    }
    assert expected[name] <= set(kinds)


TOKENS = st.sampled_from(
    "1 2 1-2 0.1 1.1 0 3 _ # \t \t _\t_\t_ \n \n\n \r\n #BOS #EOS #500 500 %% -- ( ) [ 0=a 1=b {x} é \0 \ufeff".split(
        " "
    )
).map(str.encode) | st.binary(max_size=3)
ROWS = st.lists(st.sampled_from("1 2 3 1-2 1.1 _ 0 x".split()), min_size=9, max_size=11).map("\t".join).map(str.encode)
ANYTHING = st.lists(TOKENS | ROWS, max_size=40).map(b"".join) | st.lists(ROWS, max_size=8).map(b"\n".join)


@given(ANYTHING, st.sampled_from([*NEW, *BRACKETS, None]), st.integers(1, 4))
@example(b"\n(S (N a)\r\n\0)", "ptb", 1)
@example("(S (N a\ud800))\n(T b)".encode("utf-16", "surrogatepass"), None, 1)
@example(b"(S (N a))\r(S (N b)\r(S (N c))\r", None, 1)
@example(b"\xff\xfe(", "sampson", 1)
@example(b"# sent_id = 1", "conllu", 1)
@example(b"#BOS", "export", 1)
@example(b"#BOS 1\n#BOS 2\n#EOS 2", "export", 1)
@example(b"\n#EOS 1\nx\n#BOS", "export", 2)
@example(b"1\t_", "conllx", 1)
@example(b"(S 0=a)\r\n(S 1=b)", "discbracket", 1)
@example(b"", "conllu", 1)
@example(b"", "export", 1)
def test_any_bytes(data: bytes, format_name: str | None, size: int):
    check_reading(data, size, format_name)


@pytest.mark.parametrize("text", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_empty_files(text: bytes):
    with pytest.raises(InputError, match="an empty file"):
        read_treebank(io.BytesIO(text))
    for name in NEW:
        assert int(read_treebank(io.BytesIO(text), name).n_words.sum()) == 0


# ----------------------------------------------------------------------------------------------------------- long, deep


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["flat", "chain", "ring"])
def test_a_sentence_of_100_000_words(shape: str):
    n = 100_000
    heads = {"flat": [1] * (n - 1), "chain": range(1, n), "ring": [n, *range(2, n)]}[shape]
    rows = ["1\tw\t_\t_\t_\t_\t0\troot\t_\t_", *(f"{i}\tw\t_\t_\t_\t_\t{h}\tx\t_\t_" for i, h in enumerate(heads, 2))]
    corpus = read_treebank(io.BytesIO("\n".join([*rows, "", rows[0], ""]).encode()), "conllu")
    assert isinstance(corpus, Dependencies)
    if shape == "ring":
        assert corpus.n_words.tolist() == [0, 1]
        assert [one.kind for one in corpus.problems] == ["cycle"]
        assert len(corpus.problems[0].found) < 100
        return
    assert corpus.n_words.tolist() == [n, 1]
    tree = corpus.tree(0)
    assert len(tree.yield_(0)) == n
    assert FORMATS["conllu"].write([tree]).count("\n") == n + 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["export", "tigerxml", "discbracket"])
def test_deep_and_wide_trees(name: str):
    depth = 5000
    deep = Tree.from_string("(A " * depth + "(N a) (N b)" + ")" * depth)
    wide = Tree.from_string("(S " + "(N a) " * 50_000 + ")")
    treebank = read_treebank(io.BytesIO(FORMATS[name].write([deep, wide]).encode()), name)
    assert [treebank.tree(i) for i in range(2)] == [deep, wide]
    assert treebank.problems == []


def test_long_fields_are_cut_in_messages():
    long = "x" * 1_000_000
    row = f"{long}\t{long}\t_\t_\t_\t_\t{long}\t_\t_\t_\n"
    for name, text in (("conllu", row), ("export", f"#BOS 1\na\tb\t--\t--\t{long}\n#EOS {long}\n{long}\n")):
        problems = read_treebank(io.BytesIO(text.encode()), name).problems
        assert problems
        assert all(len(one.found) + len(one.expected) < 250 for one in problems)
    bracket = f"(S (N 0={long}) (N 0={long}))\n"
    (problem,) = read_treebank(io.BytesIO(bracket.encode()), "discbracket").problems
    assert len(problem.found) < 120
