"""Damaged files of semantic graphs all the way: what can be scored is scored and drawn, a sentence as in its run."""

from __future__ import annotations

import io
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaltools
from evaltools.drawing import draw, languages
from evaltools.frameworks.semantics import edm
from evaltools.frameworks.semantics.edm.reweighting import reweighted
from tests.conftest import few_examples
from tests.robustness.test_dependency_fuzz import damaged
from tests.runs.semantic_files import eds, mrp, saw, sleeps
from tests.slow.trees import randoms

pytestmark = pytest.mark.slow

GOLD, TEST = [sleeps(), saw(), sleeps()], [sleeps("_doze_v_1", end=11), saw(swapped=True), None]
SIDES = {
    "eds": (eds(*GOLD).encode(), eds(*TEST).encode()),
    "mrp": tuple(mrp(*zip("abc", graphs, strict=True)).encode() for graphs in (GOLD, TEST)),
}


@given(randoms, st.sampled_from(list(SIDES)), st.sampled_from(["dridan-oepen-2011", "pydelphin", "mtool"]))
@few_examples
def test_damaged_files_are_scored_as_far_as_they_go(random: Random, notation: str, preset: str):
    gold, test = (io.BytesIO(damaged(side, random)) for side in SIDES[notation])
    try:
        run = evaltools.score(gold, {"p": test}, format=notation, preset=preset)
    except evaltools.InputError:  # nothing is left of the gold file
        return
    assert run.problems()["expected"].notna().all()
    counts = run.counts("p").set_index("sentence")
    for sentence in range(1, run.n_sentences + 1):
        alignment = run.graphs(sentence, "p")
        for name in edm.COLUMNS:
            assert counts.loc[sentence, name] == pytest.approx(alignment.counts[name]), name
        for language in languages(alignment):
            assert draw(alignment, language).encode()
    assert reweighted(run, run.edm_rules).equals(run.summary())
