"""The kernel that reads ten columns, against reading line by line."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from evaltools.corpus import Dependencies, Vocabulary
from evaltools.corpus.dependency_tree import lost_words
from evaltools.formats import Source, conll, reader_strings
from tests.slow.dependencies import random_dependencies
from tests.slow.universal import text_pair

PIECES = [*"\t\n\r #-.019_|é", "\r\n", "\u00a0", "\t\t", "1-2", "# a\n", "01", "_\t"]


def read(data: bytes, notation: str, monkeypatch: pytest.MonkeyPatch, *, with_kernel: bool) -> Dependencies:
    monkeypatch.setattr(conll, "SMALL", 0 if with_kernel else 1 << 60)
    return conll.read_rows(Source("file", data, "", first_line=7, first_sentence=3), Vocabulary(), notation)


def content(corpus: Dependencies) -> dict[str, Any]:
    """Return columns with strings in place of their numbers, and problems."""
    vocabulary = corpus.vocabulary
    tables = {
        **{"form": vocabulary.words, "token": vocabulary.words},
        **dict.fromkeys(("tag", "xtag", "relation"), vocabulary.labels),
        **dict.fromkeys(("lemma", "feats", "deps"), vocabulary.annotations),
    }
    columns = {name: [table[number] for number in getattr(corpus, name)] for name, table in tables.items()}
    arrays = {name: getattr(corpus, name).tolist() for name in ("head", "part", "offsets", "line", "text_start")}
    return {**columns, **arrays, "problems": corpus.problems}


def generated(random: Random) -> str:
    """Return sentences with multiword tokens, features, empty nodes and enhanced dependencies."""
    own = "".join(random_dependencies(random).to_string() + "\n\n" for _ in range(random.randint(0, 3)))
    return own + "".join(text_pair(random)) * random.randint(1, 2)


def damaged(random: Random, text: str) -> str:
    """Return a text with some characters replaced, removed and added."""
    for _ in range(random.randint(0, 6)):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(["", *PIECES]) + text[at + random.randint(0, 2) :]
    return text


@pytest.mark.parametrize("notation", ["conllu", "conllx"])
def test_kernel_and_lines_read_the_same(notation: str, monkeypatch: pytest.MonkeyPatch):
    n_faults = n_words = 0
    for seed in range(400):
        random = Random(seed)
        data = damaged(random, generated(random)).encode()
        if random.random() < 0.2:
            data = data.replace(b"\n", b"\r\n")
        if random.random() < 0.1:
            data = data[: len(data) // 2] + b"\xff\xc3" + data[len(data) // 2 :]
        by_kernel = read(data, notation, monkeypatch, with_kernel=True)
        by_lines = read(data, notation, monkeypatch, with_kernel=False)
        assert content(by_kernel) == content(by_lines), seed
        n_faults += len(by_lines.problems)
        n_words += len(by_lines.form)
    assert n_faults > 100
    assert n_words > 1000


def test_sentences_without_faults_and_empty_nodes_are_read_by_the_kernel_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(conll, "parse_rows", None)
    data = "".join(text_pair(Random(3))).encode()
    assert len(read(data, "conllu", monkeypatch, with_kernel=True).form)


def test_the_table_of_strings_grows(monkeypatch: pytest.MonkeyPatch):
    data = "".join(text_pair(Random(5))).replace("_", "lemma").encode()
    expected = content(read(data, "conllu", monkeypatch, with_kernel=True))
    monkeypatch.setattr(reader_strings, "_FIRST_CAPACITY", 2)
    assert content(read(data, "conllu", monkeypatch, with_kernel=True)) == expected


def test_a_second_file_has_the_numbers_of_the_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(conll, "SMALL", 0)
    vocabulary = Vocabulary()
    sources = [Source(name, text.encode(), "") for name, text in zip("ab", text_pair(Random(7)), strict=True)]
    corpora = [conll.read_rows(source, vocabulary, "conllu") for source in (*sources, sources[0])]
    assert corpora[0].form.tolist() == corpora[2].form.tolist()
    assert content(corpora[1]) == content(conll.read_rows(sources[1], Vocabulary(), "conllu"))


def test_the_tokens_are_those_of_the_rows(monkeypatch: pytest.MonkeyPatch):
    for seed in range(100):
        random = Random(seed)
        data = generated(random).replace("ab", random.choice(["a b", "a\u3000é", "ab"])).encode()
        corpus = read(data, "conllu", monkeypatch, with_kernel=True)
        bounds = zip(corpus.text_start.tolist(), corpus.text_end.tolist(), strict=True)
        assert corpus.tokens() == Dependencies.from_trees([lost_words(data, *pair) for pair in bounds]).tokens()
