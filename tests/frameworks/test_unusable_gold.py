"""A gold sentence that cannot be used: it is left out on both sides, and costs no other sentence anything."""

from __future__ import annotations

import io
from random import Random

import pandas as pd
import pytest

import evaltools
from evaltools.runs.store import Run
from tests.slow.universal import text_pair


def block(words: str, *heads: str, n_columns: int = 10) -> str:
    rows = []
    for at, (word, head) in enumerate(zip(words.split(), heads, strict=True), start=1):
        columns = [str(at), word, word.lower(), "X", "_", "_", head, "root" if head == "0" else "dep", "_", "_"]
        rows.append("\t".join(columns[:5] + columns[15 - n_columns :]))
    return "\n".join(rows) + "\n\n"


OWLS = block("Owls hunt mice", "2", "0", "2")
BEES = block("Bees hum", "2", "0")
CATS = block("Cats nap", "2", "0")
DOGS = block("Dogs bark", "2", "0")
TEST = OWLS + BEES + CATS + DOGS

UNUSABLE = {
    "head _": block("Bees hum", "_", "_"),
    "cycle": block("Bees hum", "2", "1"),
    "head out of range": block("Bees hum", "2", "7"),
    "nine columns": BEES.replace("bees\t", "").replace("hum\thum", "hum"),
    "two words 1": BEES.replace("2\thum", "1\thum"),
    "no parse": "# no parse\n\n",
    "only a text": "# text = Bees hum\n\n",
}


def scored(gold: str, test: str) -> Run:
    sides = [io.BytesIO(text.encode()) for text in (gold, test)]
    return evaltools.score(sides[0], {"p": sides[1]}, format="conllu")


def counts(run: Run) -> pd.DataFrame:
    names = [name for name in run.counts().columns if name.startswith(("ud_", "uas_", "las_", "dep_"))]
    return run.query(f"select {', '.join(names)} from sentences order by sentence")


@pytest.mark.parametrize("gold", UNUSABLE.values(), ids=UNUSABLE)
@pytest.mark.parametrize("at", range(4))
def test_the_rest_scores_100(gold: str, at: int):
    blocks = [OWLS, CATS, DOGS]
    blocks.insert(at, gold)
    parse = [OWLS, CATS, DOGS]
    parse.insert(at, BEES)
    run = scored("".join(blocks), "".join(parse))
    summary = run.summary().set_index("metric")
    names = ["ud_tokens", "ud_sentences", "ud_words", "lemmas", "ud_uas", "mlas"]
    for name in ["uas", "las", "la_exact", *names]:
        row = summary.loc[name]
        assert (row.pooled, row["mean"], row.pooled_all, row.mean_all) == (1, 1, 1, 1), name
        assert row.n == 3
    entry = run.meta["parsers"][0]
    assert (entry["missing"], entry["words_differ"]) == (0, 0)
    sums = counts(run).sum()
    assert sums["ud_gold_words"] == sums["ud_test_words"] == 7
    assert sums["ud_gold_sentences"] == sums["ud_test_sentences"] == 3


def test_none_in_a_list_of_gold_sentences():
    gold, test = [OWLS, None, CATS, DOGS], [OWLS, BEES, CATS, DOGS]
    figures = evaltools.evaluate(gold, test, metrics=["ud_words", "uas"])
    assert (figures["ud_words"], figures["uas"], figures["missing"]) == (1, 1, 0)


@pytest.mark.parametrize("seed", range(1, 13))
def test_it_changes_no_count_of_another_sentence(seed: int):
    """Whatever the tokens and sentences of the parser, and wherever the gold sentence stands."""
    rng = Random(seed)
    gold, test = text_pair(rng)
    blocks = gold.strip("\n").split("\n\n")
    chosen = rng.randrange(len(blocks))
    if len(blocks) == 1:
        return
    lines = blocks[chosen].split("\n")
    rows = [line.split("\t") for line in lines]
    broken = ["\t".join([*row[:6], "_", *row[7:]]) if row[0].isdigit() else "\t".join(row) for row in rows]
    other = "\n\n".join([*blocks[:chosen], "\n".join(broken), *blocks[chosen + 1 :]]) + "\n\n"
    whole, rest = counts(scored(gold, test)), counts(scored(other, test))
    assert not rest.iloc[chosen].any()
    pd.testing.assert_frame_equal(rest.drop(index=chosen), whole.drop(index=chosen))
