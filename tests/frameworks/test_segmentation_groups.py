"""What a parser merged and split, and the words that it cost, in *Hotspots*."""

from __future__ import annotations

import io
from random import Random

import pandas as pd
import pytest

import evaltools
from evaltools.frameworks.dependency.word_errors import Segmentations
from evaltools.frameworks.groups import Part
from evaltools.frameworks.stored import alignments_of
from evaltools.runs.store import Run
from tests.slow.universal import text_pair


def scored(gold: str, test: str) -> Run:
    sides = [io.BytesIO(text.encode()) for text in (gold, test)]
    return evaltools.score(sides[0], {"p": sides[1]}, format="conllu")


def written(*sentences: str) -> str:
    """Return sentences as CoNLL-U, each word attached to the one before it."""
    blocks = []
    for sentence in sentences:
        rows = [
            "\t".join((str(at), word, "_", "X", "_", "_", str(at - 1), "dep" if at > 1 else "root", "_", "_"))
            for at, word in enumerate(sentence.split(), start=1)
        ]
        blocks.append("\n".join(rows) + "\n\n")
    return "".join(blocks)


def rows_of(run: Run) -> list[tuple[str, str, str, int, int]]:
    rows = Segmentations().rows(Part(run, run.n_sentences), "p", {})
    return [tuple(row) for row in rows[["kind", "gold", "test", "cost", "count"]].itertuples(index=False, name=None)]


def test_merged_and_split_words():
    run = scored(
        written("we can not go there", "they wentaway ab cd now"),
        written("we cannot go there", "they went away a bcd now"),
    )
    assert sorted(rows_of(run)) == [
        ("divided elsewhere", "ab cd", "a bcd", 3, 1),  # both words, and the word below them
        ("word split", "wentaway", "went away", 1, 1),
        ("words merged", "can not", "cannot", 3, 1),
    ]


def test_merged_and_split_sentences():
    assert rows_of(scored(written("a b c d"), written("a b", "c d"))) == [
        ("sentence split", "1 sentence", "2 sentences", 1, 1)  # the gold head of c is in the other sentence
    ]
    found = rows_of(scored(written("a b", "c d"), written("a b c d")))
    assert sorted(found) == [
        ("sentences merged", "1 sentence", "with words of the next sentence", 0, 1),
        ("sentences merged", "1 sentence", "with words of the sentence before", 1, 1),  # c is attached to b
    ]


@pytest.mark.slow
def test_lost_words_are_wrong_in_las():
    n_errors = 0
    for seed in range(15):
        run = scored(*text_pair(Random(seed)))
        part = Part(run, run.n_sentences)
        rows = Segmentations().rows(part, "p", {})
        alignments = alignments_of(run, "p", tuple(range(1, run.n_sentences + 1)))
        wrong = pd.Series({n: item.counts["dep_gold"] - item.counts["las_right"] for n, item in alignments.items()})
        values = Segmentations().by_sentence(part, "p", {})
        lost = values.groupby("sentence")["value"].sum()
        assert (lost <= wrong.reindex(lost.index)).all(), seed
        assert rows["cost"].sum() == lost.sum()
        words = run.sentences("p").set_index("sentence")["words"]
        for _, row in rows.iterrows():
            errors = Segmentations().errors(part, "p", {}, row)
            assert (len(errors), errors["cost"].sum()) == (row["count"], row["cost"])
            assert (errors["end"].to_numpy() <= words.loc[errors["sentence"]].to_numpy()).all()
            n_errors += len(errors)
    assert n_errors > 50


def test_a_parser_with_the_gold_tokens_has_no_such_errors():
    run = scored(written("a b c"), written("a b c"))
    rows = Segmentations().rows(Part(run, 1), "p", {})
    assert rows.empty
    assert Segmentations().answer(rows, "p", {}) == "p has no errors of this kind."
