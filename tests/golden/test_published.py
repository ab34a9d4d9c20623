"""The numbers that the papers print, and those that were computed independently of this program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import evaltools
from evaltools import Tree, align, lineage_alignment, load_preset
from evaltools.frameworks.constituency.aligned_trees import Alignment

EXAMPLES = Path(__file__).resolve().parents[2] / "sample_data" / "worked-examples"
ERRATUM = "[S and reduce", "[VP and reduce"


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


def sampson(text: str) -> Tree:
    return Tree.from_string(text, notation="sampson")


def example(number: int) -> Alignment:
    return align(*(sampson(lines(f"sampson-{side}.txt")[number - 1]) for side in ("gold", "candidate")))


# --------------------------------------------------------------------------------------------- three pairs of trees

FIGURES = "(S (VP (NP (D the) (N dog)) (V barks)))", "(S (AP (PP (A the)) (N dog)) (V barks))"
ATTACHMENT = "(A (B v (C w (D y))) x)", "(A (B v (C w (D y x))))"
REVERSED = "(S (exists (not (P a) (Q b))))", "(S (not (exists (P a) (Q b))))"


def counts(a: Alignment, part: str) -> tuple[float, ...]:
    return tuple(a.counts[f"e_{name}_{part}"] for name in ("gold", "test", "matched"))


def edits(a: Alignment) -> tuple[float, ...]:
    return tuple(a.counts[f"t_{name}"] for name in ("deleted", "inserted", "swapped"))


def rounded(a: Alignment, *ids: str) -> list[float]:
    return [round(a.scores[one] or 0.0, 3) for one in ids]


def test_the_trees_are_those_of_the_sample():
    pairs = list(zip(lines("emms-gold.ptb"), lines("emms-test.ptb"), strict=True))
    assert pairs == [FIGURES, ATTACHMENT, REVERSED]


def test_the_figures_of_emms():
    a = align(*FIGURES)
    assert counts(a, "roof") == (3, 3, 1)
    assert rounded(a, "f1", "jaccard") == [0.333, 0.2]
    assert counts(a, "whole") == (6, 6, 3)
    assert rounded(a, "f1_pos", "jaccard_pos") == [0.5, 0.333]
    assert edits(a) == (1, 1, 2)
    assert a.counts["t_matched"] - a.counts["t_words_gold"] == 3
    assert rounded(a, "ted", "ted_jaccard") == [0.667, 0.429]


def test_the_attachment_example():
    """The roof is counted in Sampson's notation: in PTB notation ``(D y)`` is a preterminal."""
    a = align(*ATTACHMENT)
    assert counts(a, "whole") == (4, 4, 1)
    assert rounded(a, "f1_pos") == [0.25]
    for pair in (ATTACHMENT, tuple(text.replace("(", "[").replace(")", " ]") for text in ATTACHMENT)):
        a = align(*(Tree.from_string(text, "ptb" if text[0] == "(" else "sampson") for text in pair))
        assert edits(a) == (1, 1, 0)
        assert rounded(a, "ted") == [0.75]
    assert counts(a, "roof") == (4, 4, 1)
    assert rounded(a, "f1") == [0.25]


def test_equal_spans_with_reversed_ancestry():
    a = align(*REVERSED)
    assert counts(a, "roof") == (3, 3, 3)
    assert counts(a, "whole") == (5, 5, 5)
    assert rounded(a, "f1", "f1_pos", "jaccard") == [1, 1, 1]
    assert edits(a) == (1, 1, 0)
    assert rounded(a, "ted", "ted_jaccard") == [0.8, 0.667]


# ------------------------------------------------------------------------------------------------------- leaf-ancestor

SAMPSON_BABARCZY = [
    (1, 0.800, 0.400, 0.833),
    (2, 0.333, 0.333, 0.952),
    (3, 1.000, 0.333, 0.262),
    (4, 0.353, 0.353, 0.921),
    (5, 0.500, 0.500, 0.942),
    (6, 0.500, 0.500, 0.932),
    (7, 0.917, 0.833, 0.589),
    (8, 0.952, 0.667, 0.543),
    (9, 0.909, 0.545, 0.531),
    (10, 0.909, 0.727, 0.627),
    (11, 0.762, 0.667, 0.889),
]


@pytest.mark.parametrize(("number", "unlabeled", "labeled", "la"), SAMPSON_BABARCZY)
def test_the_worked_examples_of_sampson_and_babarczy(number: int, unlabeled: float, labeled: float, la: float):
    a = example(number)
    assert rounded(a, "f1_unlabeled", "f1", "la") == [unlabeled, labeled, la]
    assert a.scores["f1_pos"] == a.scores["f1"]


def test_the_worked_examples_as_a_run():
    run = evaltools.score(
        EXAMPLES / "sampson-gold.txt", {"candidate": EXAMPLES / "sampson-candidate.txt"}, preset="none"
    )
    rows = run.sentences("candidate")
    columns = ["f1_unlabeled", "f1", "la"]
    assert rows[columns].round(3).to_numpy().tolist() == [list(row[1:]) for row in SAMPSON_BABARCZY]
    assert len(run.problems()) == 0


@pytest.mark.parametrize(("number", "unlabeled", "labeled"), [row[:3] for row in SAMPSON_BABARCZY])
def test_geig_counts_multi_word_units_only(number: int, unlabeled: float, labeled: float):
    """Figures stay those of the paper whatever brackets are put around single words of the candidate."""
    gold, candidate = (lines(f"sampson-{side}.txt")[number - 1] for side in ("gold", "candidate"))
    wrapped = " ".join(
        part if part.startswith("[") or part == "]" else f"[X [Y {part} ] ]" for part in candidate.split()
    )
    rules = replace(load_preset("none"), multiword_only=True)
    a = align(sampson(gold), sampson(wrapped), rules)
    assert rounded(a, "f1_unlabeled", "f1") == [unlabeled, labeled]
    plain = align(sampson(gold), sampson(wrapped))
    assert plain.counts["e_test_roof"] == a.counts["e_test_roof"] + 2 * len(a.test.words)


@pytest.mark.parametrize(("number", "strict"), [(1, 0.667), (4, 0.875)])
def test_strict_leaf_ancestor(number: int, strict: float):
    assert rounded(example(number), "la_exact") == [strict]


def test_example_11_needs_the_erratum():
    gold, candidate = (lines(f"sampson-{side}.txt")[10] for side in ("gold", "candidate"))
    assert ERRATUM[0] in gold
    a = align(sampson(gold.replace(*ERRATUM)), sampson(candidate))
    assert rounded(a, "f1_unlabeled", "f1", "la") == [0.762, 0.762, 0.926]


LINEAGES_1 = """
0.917 two : N1 [ S : NP [ S
0.583 tax : [ N1 N1 S : NP S
0.583 revision : N1 ] N1 S : NP S
0.917 bills : N1 ] S : NP ] S
1.000 were : S : S
1.000 passed : S ] : S ]
"""

LINEAGES_11 = """
1.000 however : [ S : [ S
1.000 , : S : S
1.000 the : [ NP S : [ NP S
1.000 jury : NP ] S : NP ] S
1.000 said : S : S
1.000 it : [ S S : [ S S
1.000 believes : S S : S S
0.667 these : NP [ S S S : [ NP S S
0.750 two : NP S S S : NP ] S S
0.667 offices : NP ] S S S : [ S S S
1.000 should : S S S : S S S
1.000 be : S S S : S S S
1.000 combined : S S S : S S S
1.000 to : [ VP S S S : [ VP S S S
0.800 achieve : VP S S S : [ VP VP S S S
0.923 greater : [ N1 VP S S S : [ N1 VP VP S S S
0.923 efficiency : N1 ] VP S S S : N1 ] VP VP S S S
0.769 and : [ S VP S S S : [ VP VP VP S S S
0.727 reduce : S VP S S S : VP VP VP S S S
0.800 the : [ NP S VP S S S : [ NP VP VP VP S S S
0.769 cost : NP S VP S S S : NP VP VP VP S S S
0.824 of : [ PP NP S VP S S S : [ PP NP VP VP VP S S S
0.824 administration : PP NP S VP S S S ] : PP NP VP VP VP S S S ]
"""


@pytest.mark.parametrize(("number", "table"), [(1, LINEAGES_1), (11, LINEAGES_11)])
def test_lineages_and_scores_of_every_word(number: int, table: str):
    rows = table.strip().splitlines()
    words = example(number).words
    assert len(words) == len(rows)
    for word, row in zip(words, rows, strict=True):
        head, gold, test = row.split(" : ")
        assert f"{word.scores['la']:.3f} {word.form}" == head
        assert (" ".join(word.gold), " ".join(word.test)) == (gold, test)


def test_the_calculation_that_the_paper_explains():
    steps = lineage_alignment(("N1", "]", "N1", "S"), ("NP", "S"), "la")
    assert sorted(cost for _, _, cost in steps) == [0, 0.5, 1, 1]
