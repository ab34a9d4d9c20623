"""A gold sentence that cannot be used: it is left out on both sides, and costs no other sentence anything."""

from __future__ import annotations

import io
from random import Random

import pandas as pd
import pytest

import evaltools
from evaltools.runs.store import Run
from tests.slow.universal import text_pair


def scored(gold: str, test: str) -> Run:
    sides = [io.BytesIO(text.encode()) for text in (gold, test)]
    return evaltools.score(sides[0], {"p": sides[1]}, format="conllu")


def counts(run: Run) -> pd.DataFrame:
    names = [name for name in run.counts().columns if name.startswith(("ud_", "uas_", "las_", "dep_"))]
    return run.query(f"select {', '.join(names)} from sentences order by sentence")


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
