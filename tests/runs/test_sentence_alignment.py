"""Sentences that are missing, extra or shifted in a parser's file are found again by their words."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from random import Random
from string import ascii_lowercase
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools import read_treebank
from evaltools.corpus.folding import folded
from evaltools.formats import Source
from evaltools.frameworks.pairing.aligned_stream import align_sentences
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection
from evaltools.runs import scoring
from tests.slow.trees import randoms

COMMON = ("the", "of", "and", "he", "she", "was", "in", "to", ",", ".")


def test_a_sentence_is_known_by_its_words_in_their_order_without_traces():
    data = b"(S (VP (V 0=a) (NP 2=c)) (ADV 1=b))\n(S (V 0=a) (ADV 1=b) (-NONE- 2=*) (NP 3=c))\n"
    assert read_treebank(Source.from_bytes(data, "it"), "discbracket").tokens() == ["a\tb\tc\t"] * 2


def partners(*sides: list[str]) -> list[int]:
    """Align sentences given by their words, separated by blanks."""
    gold, test = (["".join(f"{folded(word)}\t" for word in line.split()) for line in side] for side in sides)
    return align_sentences(gold, test).tolist()


def corpus(random: Random, n: int) -> list[str]:
    """Make sentences with common words and more of their own, which look like no others."""
    made = []
    for _ in range(n):
        own = ["".join(random.choices(ascii_lowercase, k=6)) for _ in range(random.randint(3, 8))]
        words = own + random.choices(COMMON, k=random.randint(0, len(own) - 1))
        random.shuffle(words)
        made.append(" ".join(words))
    return made


# --------------------------------------------------------------------------------------------------------- properties


@given(randoms, st.integers(1, 60))
def test_lines_left_out_and_put_in_are_found(random: Random, n: int):
    known = corpus(random, n + 30)
    gold, others = known[:n], known[n:]
    test: list[str] = []
    expected = []
    chance = random.choice((0.02, 0.2, 0.6))
    for sentence in gold:
        while others and random.random() < chance:
            test.append(others.pop())
        if random.random() < chance:
            expected.append(-1)
        else:
            expected.append(len(test))
            test.append(sentence)
    assert partners(gold, test) == expected


@given(randoms, st.integers(1, 60))
def test_other_tokenisation_and_a_changed_word_do_not_matter(random: Random, n: int):
    known = corpus(random, n + 10)
    gold, others = known[:n], known[n:]
    test: list[str] = []
    expected = []
    for sentence in gold:
        if others and random.random() < 0.1:
            test.append(others.pop())
        if random.random() < 0.1:
            expected.append(-1)
            continue
        words = sentence.split()
        match random.randrange(4):
            case 0:
                words = [part for word in words for part in (word[:1], word[1:]) if part]
            case 1:
                words[words.index(min(words))] = "other"
            case 2:
                words = [word.upper() for word in words]
        expected.append(len(test))
        test.append(" ".join(words))
    assert partners(gold, test) == expected


@given(st.lists(st.sampled_from(("Yes .", "No .", "", "a b", "a c")), max_size=12), st.randoms())
def test_partners_grow_and_are_always_the_same(gold: list[str], random: Random):
    test = [sentence for sentence in gold if random.random() < 0.8]
    found = partners(gold, test)
    there = [place for place in found if place >= 0]
    assert there == sorted(set(there))
    assert found == partners(gold, test)
    if test == gold:
        assert found == list(range(len(gold)))


# ------------------------------------------------------------------------------------------------------- single cases


def test_repeated_short_sentences_stay_with_their_neighbours():
    gold = ["Yes .", "he left", "Yes .", "she came", "Yes .", "it rained"]
    assert partners(gold, gold[2:]) == [-1, -1, 0, 1, 2, 3]
    assert partners(gold, [*gold[:2], *gold[3:]]) == [0, 1, -1, 2, 3, 4]
    assert partners(gold, [*gold[:2], *gold[4:]]) == [0, 1, 2, -1, -1, 3]  # either "Yes ." may be the one
    assert partners(gold, gold[:4]) == [0, 1, 2, 3, -1, -1]
    assert partners(["Yes ."] * 5, ["Yes ."] * 3) == [0, 1, 2, -1, -1]
    assert partners(["Yes ."] * 3, ["Yes ."] * 5) == [0, 1, 2]


def test_short_sentences_are_told_apart_by_their_words():
    assert partners(["a b", "Yes .", "c d"], ["a b", "No .", "c d"]) == [0, -1, 2]
    assert partners(["a b", "He left .", "c d"], ["a b", "He leaves .", "c d"]) == [0, 1, 2]
    assert partners(["I can not !"], ["I cannot ."]) == [0]


def test_a_missing_parse_takes_the_place_of_what_has_no_partner():
    gold = ["a b", "c d", "e f", "g h"]
    assert partners(gold, ["a b", "", "e f", "g h"]) == [0, 1, 2, 3]
    assert partners(gold, ["a b", "", "c d", "", "e f", "", "g h", ""]) == [0, 2, 4, 6]
    assert partners(["a b", "", "c d"], ["a b", "x y", "c d"]) == [0, 1, 2]
    assert partners(gold, []) == [-1] * 4
    assert partners([], gold) == []


def test_many_sentences():
    """Half of them stand once, the others often; some are missing, some extra, and one block is long."""
    random = np.random.default_rng(3)
    n = 100_000
    numbers = np.where(random.random(n) < 0.5, np.arange(n) + 1000, random.integers(1, 1000, n))
    left = random.random(n) > 0.001
    left[40_000:43_000] = False
    test = np.insert(numbers[left], random.integers(0, left.sum(), 50), np.arange(50) + 5_000_000)
    partner = align_sentences(*([f"{number}\t" for number in side.tolist()] for side in (numbers, test)))
    pairs = np.flatnonzero(partner >= 0)
    assert (np.diff(partner[pairs]) > 0).all()
    assert (numbers[pairs] == test[partner[pairs]]).all()
    assert len(pairs) == left.sum()  # nothing that could be paired is left out


@pytest.mark.parametrize(
    ("one", "other"),
    [("-LRB-", "("), ("``", '"'), ("''", "\u201d"), ("\u2019s", "'s"), (r"1\/2", "1/2"), ("Straße", "STRASSE")],
)
def test_what_tokenisers_change_is_folded(one: str, other: str):
    assert folded(one) == folded(other)


# --------------------------------------------------------------------------------------------------------------- runs

N = 40
GOLD = [f"(S (NP (DT the) (NN n{i})) (VP (VBZ v{i}) (NP (NN x{i}))) (. .))" for i in range(1, N + 1)]
EXTRA = "(S (NP (NN extra)) (VP (VBZ sentence)))"
# two extra before the fifth, three missing from the twelfth on, one with another word, one unreadable
TEST = [*GOLD[:4], EXTRA, "(S (X extra)", *GOLD[4:11], *GOLD[14:19], GOLD[19].replace("n20", "m"), *GOLD[20:29]]
TEST += ["(S (X y)", *GOLD[30:], EXTRA, ""]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    for name, lines in (("gold", GOLD), ("shifted", TEST), ("same", GOLD)):
        (tmp_path / f"{name}.ptb").write_text("".join(f"{line}\n" for line in lines))
    return {name: tmp_path / f"{name}.ptb" for name in ("gold", "shifted", "same")}


def scored(files: dict[str, Any], **options: Any) -> evaltools.Run:
    parsers = {name: source for name, source in files.items() if name != "gold"}
    return evaltools.score(files["gold"], parsers, align_sentences=True, **options)


def check(run: evaltools.Run) -> None:
    rows = run.sentences("shifted").set_index("sentence")
    assert rows.index[rows["status"] == "missing"].tolist() == [12, 13, 14, 30]
    whole = rows.drop([12, 13, 14, 20, 30])
    assert set(whole["f1"]) == {1.0}
    assert rows.loc[5, "line"] == 7
    assert rows.loc[15, "line"] == 14
    assert run.tree(15, "shifted") == run.tree(15)
    assert run.tree(12, "shifted") is None
    shifted, same = run.meta["parsers"]
    assert shifted["aligned"] == {"shifted": N - 4 - 3, "without_partner": 3, "left_out": 3}
    assert same["aligned"] == {"shifted": 0, "without_partner": 0, "left_out": 0}
    assert (shifted["sentences"], same["sentences"]) == (N, N)
    assert "|align:sentences|" in run.signature
    assert run.meta["options"]["align_sentences"] is True


def said(run: evaltools.Run) -> list[tuple[Any, ...]]:
    rows = run.problems().sort_values(["line", "kind"])
    rows = rows[~rows["kind"].isin(["words_differ"])].astype(object)
    rows = rows.where(rows.notna(), None)
    return [(row.kind, row.line, row.sentence, row.found) for row in rows.itertuples()]


def test_a_run_of_aligned_sentences(files: dict[str, Path]):
    run = scored(files)
    check(run)
    assert said(run) == [
        ("left_out", 5, None, "sentences 5 to 6 (lines 5 to 6), with the words of no gold sentence; left out"),
        ("unbalanced", 6, None, "'(' that is never closed"),
        ("shifted", 7, 5, "from gold sentence 5 (line 5) to 11, sentence 7 (line 7) and those after it are taken"),
        (
            "no_partner",
            14,
            12,
            "no sentence with the words of gold sentences 12 to 14 (lines 12 to 14); they count as missing",
        ),
        (
            "shifted",
            14,
            15,
            "from gold sentence 15 (line 15) to 40, sentence 14 (line 14) and those after it are taken",
        ),
        ("unbalanced", 29, 30, "'(' that is never closed"),
        ("left_out", 40, None, "sentence 40 (line 40), with the words of no gold sentence; left out"),
    ]
    text = REPORTS["text"](run, Selection())
    assert "shifted: sentences aligned by their words: 33 shifted, 3 left out, 3 gold sentences without partner" in text


@pytest.mark.slow
@pytest.mark.parametrize("chunk", [1, 3, 7])
def test_parts_do_not_matter(files: dict[str, Path], chunk: int, monkeypatch: pytest.MonkeyPatch):
    whole = scored(files)
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", chunk)
    run = scored(files)
    check(run)
    assert said(run) == said(whole)
    assert run.sentences().equals(whole.sentences())
    assert run.brackets("shifted").equals(whole.brackets("shifted"))


@pytest.mark.parametrize("how", ["gzip", "pipe", "source", "text over lines"])
def test_whatever_can_be_read(files: dict[str, Path], how: str):
    data = {name: path.read_bytes() for name, path in files.items()}
    if how == "text over lines":
        data = {name: one.replace(b" (VP", b"\n  (VP") for name, one in data.items()}
        run = scored({name: Source.from_bytes(one, name) for name, one in data.items()})
        rows = run.sentences("shifted").set_index("sentence")
        assert rows.index[rows["status"] == "missing"].tolist()[:3] == [12, 13, 14]
        return
    made: dict[str, Any] = {}
    for name, one in data.items():
        if how == "gzip":
            made[name] = files[name].with_suffix(".packed")
            made[name].write_bytes(gzip.compress(one))
        elif how == "pipe":
            made[name] = Unseekable(one)
        else:
            made[name] = Source.from_bytes(one, name)
    check(scored(made))


class Unseekable(io.BytesIO):
    def seekable(self) -> bool:
        return False


def test_the_run_can_be_verified(files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", 5)
    assert evaltools.verify(scored(files, out=tmp_path / "whole")).equal
