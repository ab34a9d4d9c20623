"""What lessons, worked examples and *About* state, held against what the program computes."""

import xml.etree.ElementTree as ET

import pytest

from evaltools.classroom.examples import SECTIONS, worked_examples
from evaltools.classroom.lessons import bundled_lessons
from evaltools.classroom.material import FunctionTrees, GraphPair, numbers_of
from evaltools.drawing import protocol_bars
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
