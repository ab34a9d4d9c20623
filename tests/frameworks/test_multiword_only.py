"""Brackets of two words or more alone count for E; tree distance, leaf-ancestor and repairs take all brackets."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pandas as pd
import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools import Alignment, Preset, Tree, align, load_preset
from evaltools.corpus import Kind
from evaltools.drawing import bracket_bars, draw
from evaltools.drawing.tree_placement import layout_alignment
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.frameworks.constituency.views import panel_note
from evaltools.frameworks.registry import METRICS
from evaltools.marks import Status
from evaltools.outputs.hotspots import ask
from tests.conftest import few_examples
from tests.slow.discontinuous import random_pair
from tests.slow.trees import pairs, randoms

LABELS = ("S", "NP", "VP", "PRT", "ADVP", "N")
OF_E = "e_"


def only_multiword(preset: str) -> Preset:
    return replace(load_preset(preset), multiword_only=True)


def flattened(tree: Tree) -> Tree:
    """Return a tree without phrases over fewer than two words."""
    keep = [
        node
        for node, kind in enumerate(tree.kinds)
        if kind is not Kind.PHRASE or tree.ends[node] - tree.starts[node] > 1
    ]
    index = {node: number for number, node in enumerate(keep)}
    parents = []
    for node in keep:
        above = tree.parents[node]
        while above >= 0 and above not in index:
            above = tree.parents[above]
        parents.append(index.get(above, -1))
    labels, starts, ends, kinds = (
        tuple(column[node] for node in keep) for column in (tree.labels, tree.starts, tree.ends, tree.kinds)
    )
    return Tree(labels, tuple(parents), starts, ends, kinds, tree.positions)


def of_e(alignment: Alignment) -> dict[str, float]:
    return {name: count for name, count in alignment.counts.items() if name.startswith(OF_E)}


def check(gold: Tree, test: Tree, preset: str) -> None:
    """Check an alignment with the option against one without it, and against one of trees without these brackets."""
    plain, own = align(gold, test, preset), align(gold, test, only_multiword(preset))
    assert (own.gold, own.test, own.status) == (plain.gold, plain.test, plain.status)
    assert own.counts.keys() == plain.counts.keys()
    for name, count in plain.counts.items():
        assert name.startswith(OF_E) or own.counts[name] == count
    for name, score in plain.scores.items():
        assert METRICS[name].family.id == "e" or own.scores[name] == score
    assert (own.t, own.words) == (plain.t, plain.words)
    assert marked_sentence(own) == marked_sentence(plain)
    if plain.status == "missing":
        return
    assert of_e(own) == of_e(align(flattened(plain.gold), flattened(plain.test), preset))
    sides = ((own.gold, own.e.gold_status, "gold"), (own.test, own.e.test_status, "test"))
    for tree, statuses, side in sides:
        for node, (kind, status) in enumerate(zip(tree.kinds, statuses, strict=True)):
            is_short = kind is Kind.PHRASE and tree.ends[node] - tree.starts[node] < 2
            assert (status is None) == is_short
        wrong = sum(
            kind is not Kind.WORD and status in (Status.MISSING, Status.SPURIOUS)
            for kind, status in zip(tree.kinds, statuses, strict=True)
        )
        assert wrong == own.counts[f"e_{side}_whole"] - own.counts["e_matched_whole"]
    matched = sum(own.gold.kinds[node] is not Kind.WORD for node, _ in own.e.pairs)
    assert matched == own.counts["e_matched_whole"]
    for step in own.e.steps:
        assert step.gold is None or own.e.gold_status[step.gold] is Status.MISSING
        assert step.test is None or own.e.test_status[step.test] is Status.SPURIOUS


PAIRS = {
    "trees": (pairs(bare=True, empties=True, forest=True, most_words=7, labels=LABELS), ("none", "standard")),
    "equal labels": (pairs(most_words=6, labels=LABELS), ("collins",)),
    "other words": (pairs(most_words=6, same_words=False, words=("a", "ab", "b", "abc"), labels=LABELS), ("none",)),
    "discontinuous": (randoms.map(random_pair), ("none",)),
}


@pytest.mark.parametrize("kind", PAIRS)
@few_examples
@given(data=st.data())
def test_e_alone_leaves_them_out(kind: str, data: st.DataObject):
    drawn, presets = PAIRS[kind]
    pair = data.draw(drawn)
    for preset in presets:
        check(*pair, preset)


def test_a_bracket_over_one_word_is_not_paired_with_one_over_its_two_parts():
    gold, test = "(S (X (N cannot)) (V go))", "(S (X (N can) (R not)) (V go))"
    assert align(gold, test).counts["e_matched_roof"] == 2
    counts = align(gold, test, only_multiword("none")).counts
    assert [counts[f"e_{name}_roof"] for name in ("gold", "test", "matched")] == [1, 2, 1]


# ---------------------------------------------------------------------------------------------------------------- runs


GOLD = """\
(S (NP (PRP She)) (VP (VBD ate) (NP (NN pasta))) (ADVP (RB now)))
(S (NP (NP (DT the) (NN dog)) (PP (IN of) (NP (PRP me)))) (VP (VBZ barks)))
(S (NP (PRP We)) (VP (VBP go)))
"""
TEST = """\
(S (PRP She) (VP (VBD ate) (NP (NN pasta))) (NP (RB now)))
(S (NP (DT the) (NN dog)) (PP (IN of) (PRP me)) (VP (VBZ barks)))
(S (NP (PRP We)) (VP (VBP go)))
"""


def scored(*, multiword_only: bool) -> evaltools.Run:
    files = {"p": BytesIO(TEST.encode()), "q": BytesIO(GOLD.encode())}
    return evaltools.score(BytesIO(GOLD.encode()), files, preset="none", multiword_only=multiword_only)


@pytest.fixture(scope="module")
def runs() -> tuple[evaltools.Run, evaltools.Run]:
    return scored(multiword_only=True), scored(multiword_only=False)


def group_rows(run: evaltools.Run, name: str, parser: str = "p") -> pd.DataFrame:
    return ask(run, run.framework.questions().hotspots[name], parser).rows


def test_the_figures_of_a_run(runs: tuple[evaltools.Run, evaltools.Run]):
    own, plain = (run.counts() for run in runs)
    rest = [name for name in plain if not name.startswith(OF_E)]
    pd.testing.assert_frame_equal(own[rest], plain[rest])
    pd.testing.assert_frame_equal(*(run.words() for run in runs))
    first = own[own["parser"] == "p"]
    assert first[["e_gold_roof", "e_test_roof", "e_matched_roof"]].to_numpy().tolist() == [
        [2, 2, 2],
        [4, 3, 3],
        [1, 1, 1],
    ]
    assert first["e_exact_match"].tolist() == [1, 0, 1]
    assert first["r_brackets"].tolist() == [3, 2, 0]
    summary = runs[0].summary().set_index(["metric", "parser"])["pooled"]
    assert summary["f1", "p"] == pytest.approx(2 * 6 / (7 + 6))
    assert summary["exact", "p"] == pytest.approx(2 / 3)


def test_shares_of_repairs_count_all_brackets_of_sentences_without_a_repair():
    gold = """\
(S (X (A 0=a) (B 1=b)) (Y (C 2=c) (D 3=d)) (NP (N 4=e)))
(S (NP (N 0=we)) (V 1=go))
"""
    # no order of the first words makes both trees continuous
    test = """\
(S (X (A 0=a) (C 2=c)) (Y (B 1=b) (D 3=d)) (N 4=e))
(S (N 0=we) (V 1=go))
"""
    for multiword_only in (True, False):
        files = {"p": BytesIO(test.encode())}
        run = evaltools.score(
            BytesIO(gold.encode()), files, preset="none", format="discbracket", multiword_only=multiword_only
        )
        assert group_rows(run, "errors")["share"].tolist() == [1 / (1 + 5)]
        left_out = ask(run, run.framework.questions().hotspots["errors"], "p").left_out
        assert "Their 5 wrong brackets count in the shares." in left_out


def test_phrases_and_tags_with_one_label_differ_for_repairs():
    """The E-mapping of the whole tree pairs the phrase with the tag; the roof and the repairs do not."""
    alignment = align("(S (NP (N a)) (V b))", "(S (NP a) (V b))")
    marked = marked_sentence(alignment)
    assert (marked.number("gold"), marked.number("test")) == (1, 0)
    assert (len(marked.repairs), alignment.counts["r_brackets"]) == (1, 1)
    assert [(item.text, item.side) for item in marked.marks if item.kind == "bracket"] == [("NP", "gold")]


def n_wrong(alignment: Alignment) -> int:
    marks = marked_sentence(alignment)
    return marks.number("gold") + marks.number("test")


@few_examples
@given(pairs(empties=True, most_words=6, labels=LABELS))
def test_what_is_marked_is_what_repairs_count(pair: tuple[Tree, Tree]):
    for preset in ("none", "collins"):
        alignment = align(*pair, preset)
        if alignment.status == "ok":
            assert n_wrong(alignment) == alignment.counts["r_brackets"]


# ------------------------------------------------------------------------------------------------------------ pictures


def test_the_picture_of_e_marks_what_counts():
    alignment = align(GOLD.splitlines()[0], TEST.splitlines()[0], only_multiword("none"))
    layout = layout_alignment(alignment, "e")
    assert {status for side in layout.sides for status in side.statuses} == {Status.RIGHT}
    assert 'class="mark ' not in draw(alignment, "svg", mapping="e", legend=False)
    assert panel_note(alignment, "e", "roof", "test") == "Brackets over one word do not count and are not marked."
    text = draw(alignment, "text", mapping="e")
    assert "no difference\nbrackets over one word do not count and are not marked" in text
    assert "<" not in text
    bars = bracket_bars(alignment)
    assert [[bar.functions[0][0] for bar in side] for side in (bars.above, bars.below)] == [["VP", "S"], ["VP", "S"]]
    plain = align(GOLD.splitlines()[0], TEST.splitlines()[0])
    assert 'class="mark ' in draw(plain, "svg", mapping="e", legend=False)
    assert draw(alignment, "svg", mapping="t") == draw(plain, "svg", mapping="t")


def test_identical_parts_with_such_brackets_are_folded():
    part = "(NP (NP (PRP we)) (NP (NNS dogs)))"
    gold, test = f"(S {part} (VP (V bark)))", f"(S {part} (V bark))"
    layout = layout_alignment(align(gold, test, only_multiword("none")), "e", fold=True)
    assert [layout.grid.text[key] for key in layout.triangles] == ["NP", "NP"]
    changed = align(gold, test.replace("(NP (NNS dogs))", "(NNS dogs)"), only_multiword("none"))
    assert not layout_alignment(changed, "e", fold=True).triangles
