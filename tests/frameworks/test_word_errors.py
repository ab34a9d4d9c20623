"""Confusions of tags and features, and what a parser merged and split, in *Hotspots*."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from random import Random

import pandas as pd
import pytest

import evaltools
from evaltools.frameworks.dependency.groups import GROUPS
from evaltools.frameworks.dependency.stored import align
from evaltools.frameworks.dependency.universal import feature_values
from evaltools.frameworks.dependency.word_errors import NONE, Columns, column_pairs
from evaltools.frameworks.groups import Part
from evaltools.runs.store import Run
from tests.slow.universal import text_pair, tokenized


def scored(gold: str, test: str) -> Run:
    sides = [io.BytesIO(text.encode()) for text in (gold, test)]
    return evaltools.score(sides[0], {"p": sides[1]}, format="conllu", metrics=["ud"])


def rows_of(text: str) -> list[list[str]]:
    rows = [line.split("\t") for line in text.split("\n") if line and not line.startswith("#")]
    return [row for row in rows if "-" not in row[0]]


@pytest.mark.parametrize("seed", range(6))
def test_every_wrong_tag_of_an_aligned_word_is_in_the_table(seed: int):
    run = scored(*text_pair(Random(seed)))
    part, sums = Part(run, run.n_sentences), run.sentences("p")
    for column, figure in (("tag", "upos"), ("xtag", "xpos")):
        options = Columns().options(column=column)
        rows = Columns().rows(part, "p", options)
        n_wrong = sums["ud_aligned_words"].sum() - sums[f"ud_right_{figure}"].sum()
        assert rows["count"].sum() == n_wrong
        assert len(Columns().by_sentence(part, "p", options)) == n_wrong
        counts = Columns().matrix(part, "p", options).counts.to_numpy()
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
    for gold, test in zip(*map(rows_of, sides), strict=True):
        values = [feature_values(row[5]) for row in (gold, test)]
        for name in {*values[0], *values[1]}:
            expected[tuple(f"{name}={side[name]}" if name in side else NONE for side in values)] += 1
    pairs = column_pairs(Part(run, run.n_sentences), "p", "feats")
    assert Counter(zip(pairs["gold"], pairs["test"], strict=True)) == expected
    options = Columns().options(column="feats")
    part = Part(run, run.n_sentences)
    rows = Columns().rows(part, "p", options)
    assert {("Case=Nom", "Case=Acc"), ("Case=Nom", NONE)} <= {*zip(rows["gold"], rows["test"], strict=True)}
    for _, row in rows.iterrows():
        errors = Columns().errors(part, "p", options, row)
        assert len(errors) == row["count"]
        assert errors["sentence"].nunique() == row["sentences"]
        assert errors["remark"].str.endswith(f": {row['test']} instead of {row['gold']}").all()
    assert rows.loc[rows["gold"] == NONE, "of_label"].isna().all()


def test_the_tables_of_a_parser_of_raw_text_add_up_to_its_figures(shared_data: Path):
    folder = shared_data / "data" / "ud" / "portuguese"
    run = evaltools.score(folder / "gold.conllu", {"p": folder / "udpipe-weak.conllu"}, metrics=["ud"])
    part, sums = Part(run, run.n_sentences), run.sentences("p")
    rows = Columns().rows(part, "p", Columns().options())
    assert rows["count"].sum() == sums["ud_aligned_words"].sum() - sums["ud_right_upos"].sum()


@pytest.mark.parametrize("seed", range(12))
def test_enhanced_dependencies_are_right_where_the_figure_counts_them(seed: int):
    random = Random(seed)
    text = "".join(random.choice("ab") for _ in range(40))
    gold = tokenized(random, text, enhanced=True)
    lines = gold.split("\n")
    test = "\n".join(line.replace("obl:in", random.choice(["obl:in", "obl:at"])) for line in lines)
    run = scored(gold, test if seed % 2 else tokenized(random, text, enhanced=True))
    part, sums = Part(run, run.n_sentences), run.sentences("p")
    pairs = column_pairs(part, "p", "deps")
    distinct = pairs[(pairs["gold"] == pairs["test"])]
    n_right = sums["ud_right_elas"].sum()
    # the figure counts an edge that is twice on both sides four times
    assert (len(distinct) > 0) == (n_right > 0)
    if seed % 2:
        assert len(pairs) == sums["ud_gold_edges"].sum()
        assert len(distinct) <= n_right
    rows = Columns().rows(part, "p", Columns().options(column="deps"))
    assert rows["count"].sum() == (pairs["gold"] != pairs["test"]).sum()
    universal = column_pairs(part, "p", "universal_deps")
    n_equal = (universal["gold"] == universal["test"]).sum()
    assert n_equal >= len(distinct)
    assert (n_equal > 0) == (sums["ud_right_eulas"].sum() > 0)
    assert not universal["gold"].str.contains(":").any()
    if seed % 2:  # only subtypes differ
        assert n_equal == len(universal)


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
    rows = GROUPS["segmentation"].rows(Part(run, run.n_sentences), "p", {})
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
        part = Part(run, run.n_sentences)
        rows = GROUPS["segmentation"].rows(part, "p", {})
        alignments = align(run, "p", None, tuple(range(1, run.n_sentences + 1)))
        wrong = pd.Series({n: item.counts["dep_gold"] - item.counts["las_right"] for n, item in alignments.items()})
        values = GROUPS["segmentation"].by_sentence(part, "p", {})
        lost = values.groupby("sentence")["value"].sum()
        assert (lost <= wrong.reindex(lost.index)).all(), seed
        assert rows["cost"].sum() == lost.sum()
        words = run.sentences("p").set_index("sentence")["words"]
        for _, row in rows.iterrows():
            errors = GROUPS["segmentation"].errors(part, "p", {}, row)
            assert (len(errors), errors["cost"].sum()) == (row["errors"], row["cost"])
            assert (errors["end"].to_numpy() <= words.loc[errors["sentence"]].to_numpy()).all()
            n_errors += len(errors)
    assert n_errors > 50


def test_a_parser_with_the_gold_tokens_has_no_such_errors():
    run = score(written("a b c"), written("a b c"))
    rows = GROUPS["segmentation"].rows(Part(run, 1), "p", {})
    assert rows.empty
    assert GROUPS["segmentation"].answer(rows, "p", {}) == "p has no errors of this kind."
