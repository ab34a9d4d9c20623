"""Labels and words that a preset equates: what is equal follows from the preset alone, and nodes keep their labels."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest

import evaltools
from evaltools import CostTable, align
from evaltools.drawing import draw
from evaltools.frameworks.common.lineages import lineage_table
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.frameworks.presets import Preset, load_preset, preset_from_parameters
from tests.slow.edits import error_steps

COLLINS = load_preset("collins")
CHAIN = preset_from_parameters("chain", "EQ_LABEL A B\nEQ_LABEL B C\nEQ_WORD x y\nEQ_WORD y z\n", "chain.prm")
COSTS = CostTable({("PP", "PRT"): 0.25, ("PP", "ADVP"): 1.5})

Pair = tuple[str, str]


def scored(preset: Preset, *pairs: Pair, **options: object) -> evaltools.Run:
    gold, test = (io.BytesIO("".join(f"{tree}\n" for tree in side).encode()) for side in zip(*pairs, strict=True))
    return evaltools.score(gold, {"p": test}, preset=preset, format="ptb", **options)


# the pairs in front have another label of a class, or the link between two others
@pytest.mark.parametrize(
    "before",
    [
        (),
        [("(S (ADVP (N a)))", "(S (ADVP (N a)))")],
        [("(S (PRT (N a)))", "(S (PRT (N a)))")],
        [("(S (B (N y)))", "(S (B (N y)))"), ("(S (PRT (N a)))", "(S (ADVP (N a)))")],
    ],
)
@pytest.mark.parametrize(
    ("preset", "gold", "test", "expected"),
    [
        # PP and PRT begin with the same letter, PP and ADVP do not
        (COLLINS, "(S (PP (N a)))", "(S (PRT (N a)))", {"la": 1 - 0.5 / 8, "la_costs": 1 - 0.25 / 8}),
        (COLLINS, "(S (PP (N a)))", "(S (ADVP (N a)))", {"la": 1 - 2 / 8, "la_costs": 1 - 1.5 / 8}),
        (COLLINS, "(S (ADVP (N a)))", "(S (PRT (N a)))", {"la": 1, "la_costs": 1, "f1": 1}),
        # A and C are equal through B, but not to evalb
        (CHAIN, "(S (A (N a)))", "(S (C (N a)))", {"f1": 0.5, "ted": 1, "la_exact": 1, "errors": 0}),
        (CHAIN, "(S (A (N a)))", "(S (B (N a)))", {"f1": 1, "ted": 1, "la_exact": 1, "errors": 0}),
        (CHAIN, "(S (A (N a)))", "(S (D (N a)))", {"f1": 0.5, "ted": 1 - 1 / 6, "la_exact": 0.75}),
        (CHAIN, "(S (N x))", "(S (N z))", {"ted": 1}),
    ],
)
def test_what_is_equal_follows_from_the_preset_alone(
    preset: Preset, gold: str, test: str, expected: dict[str, float], before: Sequence[Pair]
):
    scores = scored(preset, *before, (gold, test), la_table=COSTS).sentences().iloc[-1]
    assert scores[list(expected)].to_dict() == pytest.approx(expected)
    own = align(gold, test, preset, la_table=COSTS).scores
    assert {metric: own[metric] for metric in expected} == pytest.approx(expected)


SWAPPED = ("(S (PRT (N a)) (ADVP (N b)))", "(S (ADVP (N a)) (PRT (N b)))")
ATTACHMENT = ("(S (NP (N a)) (VP (V b) (ADVP (R c) (R d))))", "(S (NP (N a)) (VP (V b)) (ADVP (R c) (R d)))")
PARTICLE = ("(S (VP (V b) (PRT (R c) (R d))))", "(S (VP (V b)) (ADVP (R c) (R d)))")


@pytest.mark.parametrize("before", [(), [SWAPPED], [SWAPPED[::-1]]])
@pytest.mark.parametrize(
    ("pair", "kind", "text"),
    [
        (ATTACHMENT, "modifier attachment", "ADVP “c d” is in S “a b c d”, belongs in VP “b”"),
        # what moves is a node of the parse
        (PARTICLE, "modifier attachment", "ADVP “c d” is in S “b c d”, belongs in VP “b”"),
        (PARTICLE[::-1], "unclassified", "PRT “c d” is in VP “b c d”, belongs in S “b c d”"),
        (("(S (R a) (R b))", "(S (PRT (R a) (R b)))"), "unary", "PRT “a b” is spurious"),
    ],
)
def test_a_repair_names_a_bracket_by_its_own_label(pair: Pair, kind: str, text: str, before: Sequence[Pair]):
    run = scored(COLLINS, *before, pair)
    number = len(before) + 1
    rows = run.query("select type, text from errors where kind = 'repair' and sentence = ?", [number])
    assert rows.to_numpy().tolist() == [[kind, text]]
    alignment = run.alignment(number, "p")
    typed = error_steps(alignment.gold, alignment.test, preset=COLLINS)
    assert [(step.type.title, step.text) for step in typed] == [(kind, text)]


def test_of_equal_brackets_over_the_same_words_the_missing_one_is_named():
    gold, test = "(S (ADVP (PRT (R a) (R b))) (V c))", "(S (PRT (R a) (R b)) (V c))"
    alignment = align(gold, test, COLLINS)
    (missing,) = marked_sentence(alignment).repairs
    assert (missing.phrase, missing.verdict) == ("PRT “a b”", "is missing")
    (mark,) = (mark for mark in marked_sentence(alignment).marks if mark.status != "right")
    assert (mark.text, mark.node) == ("PRT", 4)


def test_the_costs_of_a_lineage_that_are_drawn_are_those_of_the_score():
    (word,) = align("(S (ADVP (N a)))", "(PP (PRT (N a)))", COLLINS, la_table=COSTS).words
    for scheme in ("la_exact", "la", "la_costs"):
        table = lineage_table(word.gold, word.test or (), scheme, COSTS, word.label_classes)
        assert table.similarity == pytest.approx(word.scores[scheme]) == 1 - 2 / 8
    assert "1 − 2 / (4 + 4) = 75.00 %" in draw(word)
