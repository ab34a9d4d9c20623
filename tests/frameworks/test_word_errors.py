"""Confusions of tags and features, and what a parser merged and split, in *Hotspots*."""

from __future__ import annotations

import io
from collections import Counter
from random import Random

import numpy as np
import pandas as pd
import pytest

import evaltools
from evaltools.frameworks.dependency.questions import QUESTIONS
from evaltools.frameworks.dependency.stored import align
from evaltools.frameworks.dependency.universal import feature_values
from evaltools.frameworks.hotspots import Hotspots
from evaltools.frameworks.questions import NONE
from evaltools.outputs.hotspots import ask
from evaltools.runs.store import Run
from tests.slow.universal import text_pair, tokenized


def scored(gold: str, test: str) -> Run:
    sides = [io.BytesIO(text.encode()) for text in (gold, test)]
    return evaltools.score(sides[0], {"p": sides[1]}, format="conllu", metrics=["ud"])


def rows_of(text: str) -> list[list[str]]:
    rows = [line.split("\t") for line in text.split("\n") if line and not line.startswith("#")]
    return [row for row in rows if "-" not in row[0]]


def asked(run: Run, column: str) -> Hotspots:
    return ask(run, QUESTIONS["columns"], "p", options={"column": column})


@pytest.mark.parametrize("seed", range(6))
def test_every_wrong_tag_of_an_aligned_word_is_in_the_table(seed: int):
    run = scored(*text_pair(Random(seed)))
    sums = run.sentences("p")
    for column, figure in (("tag", "upos"), ("xtag", "xpos")):
        table = asked(run, column)
        n_wrong = sums["ud_aligned_words"].sum() - sums[f"ud_right_{figure}"].sum()
        assert table.rows["cost"].sum() == n_wrong
        assert table.matrix is not None
        counts = table.matrix.counts.to_numpy()
        assert counts.sum() == sums["ud_aligned_words"].sum()
        assert counts.sum() - counts.trace() == n_wrong


def test_features_are_compared_value_by_value():
    random = Random(2)
    sides = ["", ""]
    for _ in range(12):
        text = "".join(random.choice("ab") for _ in range(8))
        tokens = tokenized(random, text, enhanced=False)
        # the same tokens with other features
        sides[0] += tokens
        sides[1] += "".join(
            line.replace("Case=Nom", random.choice(["Case=Nom", "Case=Acc", "Style=Arch"])) + "\n"
            for line in tokens.split("\n")[:-1]
        )
    run = scored(*sides)
    expected: Counter[tuple[str, str]] = Counter()
    right: Counter[str] = Counter()
    for gold, test in zip(*map(rows_of, sides), strict=True):
        values = [feature_values(row[5]) for row in (gold, test)]
        for name in {*values[0], *values[1]}:
            own, given = (f"{name}={side[name]}" if name in side else NONE for side in values)
            if own == given:
                right[own] += 1
            else:
                expected[own, given] += 1
    table = asked(run, "feats")
    rows = table.rows
    assert dict(zip(zip(rows["gold"], rows["test"], strict=True), rows["cost"], strict=True)) == expected
    assert all(row["right"] == right[row["gold"]] for _, row in rows.iterrows())
    assert {("Case=Nom", "Case=Acc"), ("Case=Nom", NONE)} <= set(expected)
    for _, row in rows.iterrows():
        errors = table.errors(row)
        assert len(errors) == row["cost"]
        assert errors["sentence"].nunique() == row["sentences"]
        assert errors["remark"].str.endswith(f": {row['test']} instead of {row['gold']}").all()
    assert rows.loc[rows["gold"] == NONE, "of_label"].isna().all()


@pytest.mark.parametrize("seed", range(12))
def test_enhanced_dependencies_are_right_where_the_figure_counts_them(seed: int):
    random = Random(seed)
    text = "".join(random.choice("ab") for _ in range(40))
    gold = tokenized(random, text, enhanced=True)
    lines = gold.split("\n")
    test = "\n".join(line.replace("obl:in", random.choice(["obl:in", "obl:at"])) for line in lines)
    run = scored(gold, test if seed % 2 else tokenized(random, text, enhanced=True))
    sums = run.sentences("p")
    right = {}
    for column, figure in (("deps", "elas"), ("universal_deps", "eulas")):
        matrix = asked(run, column).matrix
        assert matrix is not None
        counts = matrix.counts.drop(index=NONE, errors="ignore").to_numpy()
        names = [name for name in matrix.counts if name != NONE]
        right[column] = int(np.trace(matrix.counts.loc[names, names].to_numpy()))
        # the figure counts an edge that is twice on both sides four times
        assert (right[column] > 0) == (sums[f"ud_right_{figure}"].sum() > 0)
        assert not (column == "universal_deps" and any(":" in name for name in names))
        if seed % 2:
            assert counts.sum() == sums["ud_gold_edges"].sum()
    assert right["universal_deps"] >= right["deps"]
    if seed % 2:  # only subtypes differ
        assert asked(run, "universal_deps").rows.empty


def test_columns_that_a_side_does_not_have_are_not_compared():
    run = scored(*("".join(f"1\ta\t_\tX\t_\t{feats}\t0\troot\t_\t_\n\n" for _ in "ab") for feats in ("Case=Nom", "_")))
    assert asked(run, "feats").rows.empty


# ------------------------------------------------------------------------------------------------ tokens and sentences


def score(gold: str, test: str) -> Run:
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


def segmentation_rows(run: Run) -> list[tuple[str, str, str, int, int]]:
    rows = ask(run, QUESTIONS["segmentation"], "p").rows
    return [tuple(row) for row in rows[["type", "gold", "test", "cost", "errors"]].itertuples(index=False, name=None)]


def test_merged_and_split_words():
    run = score(
        written("we can not go there", "they wentaway ab cd now"),
        written("we cannot go there", "they went away a bcd now"),
    )
    assert sorted(segmentation_rows(run)) == [
        ("divided elsewhere", "ab cd", "a bcd", 3, 1),  # both words, and the word below them
        ("word split", "wentaway", "went away", 1, 1),
        ("words merged", "can not", "cannot", 3, 1),
    ]


def test_merged_and_split_sentences():
    assert segmentation_rows(score(written("a b c d"), written("a b", "c d"))) == [
        ("sentence split", "1 sentence", "2 sentences", 1, 1)  # the gold head of c is in the other sentence
    ]
    found = segmentation_rows(score(written("a b", "c d"), written("a b c d")))
    assert sorted(found) == [
        ("sentences merged", "1 sentence", "with words of the next sentence", 0, 1),
        ("sentences merged", "1 sentence", "with words of the sentence before", 1, 1),  # c is attached to b
    ]


@pytest.mark.slow
def test_lost_words_are_wrong_in_las():
    n_errors = 0
    for seed in range(15):
        run = score(*text_pair(Random(seed)))
        table = ask(run, QUESTIONS["segmentation"], "p")
        rows = table.rows
        alignments = align(run, "p", None, tuple(range(1, run.n_sentences + 1)))
        wrong = pd.Series({n: item.counts["dep_gold"] - item.counts["las_right"] for n, item in alignments.items()})
        errors = run.query("select * from errors where kind = 'segmentation'")
        lost = errors.groupby("sentence")["cost"].sum()
        assert (lost <= wrong.reindex(lost.index)).all(), seed
        assert rows["cost"].sum() == lost.sum()
        words = run.sentences("p").set_index("sentence")["words"]
        for _, row in rows.iterrows():
            errors = table.errors(row)
            assert (len(errors), errors["cost"].sum()) == (row["errors"], row["cost"])
            assert (errors["end"].to_numpy() <= words.loc[errors["sentence"]].to_numpy()).all()
            n_errors += len(errors)
    assert n_errors > 50


def test_a_parser_with_the_gold_tokens_has_no_such_errors():
    run = score(written("a b c"), written("a b c"))
    table = ask(run, QUESTIONS["segmentation"], "p")
    assert table.rows.empty
    assert table.headline == "p has no errors of this kind."
