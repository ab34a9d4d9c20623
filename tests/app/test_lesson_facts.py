"""What lessons, worked examples and *About* state, held against what the program computes."""

import xml.etree.ElementTree as ET

import pytest

from evaltools.analysis import disagreement
from evaltools.app.about_chapters import text
from evaltools.classroom.examples import SECTIONS, worked_examples
from evaltools.classroom.lessons import bundled_lessons
from evaltools.classroom.material import FunctionTrees, GraphPair, TreePair, Vote, numbers_of
from evaltools.drawing import protocol_bars
from evaltools.frameworks.constituency.alternatives import alternative_mapping
from evaltools.frameworks.semantics.aligned_graphs import GRAPH_LEGEND
from evaltools.marks import Status
from evaltools.outputs.lessons import step_pictures

SVG = "{http://www.w3.org/2000/svg}"
LESSONS = bundled_lessons()
STEPS = [(name, step) for name, lesson in LESSONS.items() for step in lesson.steps]
STEPS += [(name, step) for name in SECTIONS for step in worked_examples(name).steps]


def steps_with(kind):
    return [pytest.param(step, id=f"{name}: {step.title}") for name, step in STEPS if isinstance(step.material, kind)]


@pytest.mark.parametrize("step", steps_with(FunctionTrees))
def test_the_formula_of_tedeval_names_what_its_numbers_count_and_the_picture_shows_just_that(step):
    single, multiple = step.material.single(), step.material.multiple()
    formulas = step_pictures(step.material).formulas
    if not {"steps", "scores"} & set(step.material.show):
        assert formulas == []
        return
    assert [formula for _, formula, _, _ in formulas] == ["1 − δ / (|parse| + |gold|)", "1 − δ / (|parse| + |gen|)"]
    for (_, _, numbers, _), protocol in zip(formulas, (single, multiple), strict=True):
        assert numbers == f"1 − {protocol.delta} / ({protocol.n_parse} + {protocol.n_generalized})"
        bars = protocol_bars(protocol)
        if protocol.labeled:
            drawn = [status for bar in bars for _, status, _ in bar.functions]
            assert all(bar.functions for bar in bars)
        else:
            drawn = [bar.status for bar in bars]
        assert sum(status != Status.MISSING for status in drawn) == protocol.n_parse
        assert sum(status != Status.SPURIOUS for status in drawn) == protocol.n_generalized


@pytest.mark.parametrize(
    "step", [step for step in steps_with(GraphPair) if (m := step.values[0].material).gold == m.test]
)
def test_all_properties_that_the_text_of_one_graph_counts_are_drawn(step):
    (panel,) = step_pictures(step.material).panels
    shown = [
        "".join(element.itertext()) for element in ET.fromstring(panel.blocks[0].drawings[0].draw()).iter(f"{SVG}text")
    ]
    properties = [f"{name} {value}" for node in step.material.align().gold.nodes for name, value in node.properties]
    assert len(properties) == int(numbers_of(step.material)["edm_p_gold"])
    assert [text for text in shown if text in properties] == properties


@pytest.mark.parametrize("step", steps_with(GraphPair))
def test_the_legend_of_a_graph_lists_the_marks_that_are_drawn_and_no_others(step):
    (panel,) = step_pictures(step.material).panels
    root = ET.fromstring(panel.blocks[0].drawings[0].draw())
    groups = {element: element.get("class", "").split() for element in root.iter() if element.get("class")}
    keys = {kind for classes in groups.values() if "key" in classes for kind in classes if kind in GRAPH_LEGEND}
    drawn = set()
    for classes in groups.values():
        if "key" not in classes and {"mark", "edge", "pred"} & set(classes):
            drawn |= set(classes) & set(GRAPH_LEGEND)
    for element, classes in groups.items():
        if "key" in classes:  # a key holds a sample of its mark: it is no part of the drawing
            samples = {kind for part in element.iter() for kind in part.get("class", "").split()}
            assert samples & set(GRAPH_LEGEND) <= keys
    if step.material.gold == step.material.test:
        assert not keys
    else:
        assert keys == drawn


def depth_of(tree, word):
    (node,) = (node for node in tree.word_nodes if tree.labels[node] == word)
    return len(list(tree.ancestors(node)))


def trees_of(material):
    if isinstance(material, Vote):
        return material.trees()[:2]
    aligned = material.align()
    return aligned.gold, aligned.test


def test_of_attaches_two_levels_too_high_where_a_lesson_says_so():
    stated = [step for _, step in STEPS if "two levels too high" in step.answer]
    assert [type(step.material) for step in stated] == [TreePair]
    for step in stated:
        gold, test = trees_of(step.material)
        assert depth_of(gold, "of") - depth_of(test, "of") == 2


def test_of_attaches_to_the_whole_sentence_where_the_vote_says_so():
    step = step_titled("vote", "A word too high, or a wrong label")
    assert "attaches to the whole sentence" in step.answer
    gold, test = trees_of(step.material)
    assert depth_of(test, "of") == 1 < depth_of(gold, "of")


def step_titled(lesson, title):
    (step,) = (step for step in LESSONS[lesson].steps if step.title == title)
    return step


def test_in_the_lesson_on_attachment_both_scores_are_over_the_same_nodes():
    for step in LESSONS["attachment"].steps:
        if isinstance(step.material, TreePair):
            scores = step.material.align().scores
            assert scores["f1_pos"] == scores["f1"]  # the trees have no tags


def test_without_unary_chains_t_costs_at_most_what_e_costs_and_may_cost_the_same():
    answer = step_titled("attachment", "The same in a sentence, by edits").answer
    assert "can be equal" in answer
    titles = ("Which bracket is broken?", "Edit one tree into the other", "A word too low", "The same in a sentence")
    scored = [step_titled("attachment", title).material.align().scores for title in titles]
    compared = [(one["f1"], one["ted"]) for one in scored]
    assert all(e <= t + 1e-9 for e, t in compared)
    assert any(e == pytest.approx(t) and e < 0.99 for e, t in compared)


def test_relabeling_both_nodes_costs_as_much_as_deleting_and_inserting_one():
    step = step_titled("attachment", "Ancestry costs edits")
    alignment = step.material.align()
    assert (alignment.counts["t_deleted"], alignment.counts["t_inserted"], alignment.counts["t_swapped"]) == (1, 1, 0)
    other = alternative_mapping(alignment)
    assert other.cost == 2
    assert other.mapping.number(Status.RELABELED) == 2
    assert "costs the same" in step.answer


def test_a_bracket_with_other_boundaries_is_counted_as_missing_and_as_spurious():
    step = step_titled("brackets", "Wrong boundaries: missing here, spurious there")
    aligned = step.material.align()
    counts = aligned.counts
    missing, spurious = (
        counts["e_gold_roof"] - counts["e_matched_roof"],
        counts["e_test_roof"] - counts["e_matched_roof"],
    )
    assert (missing, spurious) == (1, 1)
    assert "One bracket has other boundaries, and that is two errors" in step.answer
    drawn = [aligned.e.gold_status.count(Status.MISSING), aligned.e.test_status.count(Status.SPURIOUS)]
    assert drawn == [missing, spurious]


def test_the_distance_of_kendall_is_cited_by_the_section_that_has_it():
    assert "section 4 (Kendall" in disagreement.__doc__


def test_a_figure_of_a_paper_that_cannot_be_is_listed_where_this_differs():
    assert "0.5 %" in text("differences")
