"""Damaged CoNLL files all the way: what can be scored is scored and drawn, the same for a sentence and for the run."""

from __future__ import annotations

import io
from random import Random

import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools.drawing import draw, languages
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from tests.conftest import few_examples
from tests.pages.dependency_corpus import GOLD, WORSE
from tests.runs.dependency_files import conllu
from tests.slow.trees import randoms

pytestmark = pytest.mark.slow

SIDES = conllu(*GOLD).encode(), conllu(*WORSE).encode()


def damaged(text: bytes, random: Random) -> bytes:
    """Change bytes, leave some out, add separators, repeat stretches."""
    changed = bytearray(text)
    for _ in range(random.randint(0, 6)):
        at = random.randrange(len(changed))
        how = random.randrange(4)
        if how == 0:
            changed[at] = random.randrange(256)
        elif how == 1:
            del changed[at : at + random.randint(1, 30)]
        elif how == 2:
            changed[at:at] = bytes([random.choice(b"\t\n0123-.#_ \r\x00")])
        else:
            start = random.randrange(len(changed))
            changed[at:at] = changed[start : start + random.randint(1, 60)]
    return bytes(changed)


@given(randoms, st.sampled_from([None, "upos", "unicode"]), st.booleans())
@few_examples
def test_damaged_files_are_scored_as_far_as_they_go(random: Random, punctuation: str | None, subtypes: bool):
    gold, test = (io.BytesIO(damaged(side, random)) for side in SIDES)
    try:
        run = evaltools.score(gold, {"p": test}, format="conllu", punctuation=punctuation, subtypes=subtypes)
    except evaltools.InputError:  # nothing is left of the gold file
        return
    assert len(run.summary()) == len(run.metrics)
    assert run.problems()["expected"].notna().all()
    rows = run.sentences("p").set_index("sentence")
    for sentence in range(1, run.n_sentences + 1):
        alignment = run.alignment(sentence, "p")
        assert isinstance(alignment, DependencyAlignment)
        for name in run.metrics:
            score = alignment.scores[name]
            assert rows.loc[sentence, name] == pytest.approx(float("nan") if score is None else score, nan_ok=True)
        for language in languages(alignment):
            assert draw(alignment, language)
