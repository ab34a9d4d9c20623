"""The worked examples have the figures of the papers."""

from __future__ import annotations

from pathlib import Path

import pytest

import evaltools.classroom.examples
from evaltools.classroom.examples import SECTIONS, mistakes, text_of, worked_examples
from evaltools.classroom.material import DependencyPair, FunctionTrees, GraphPair, TreePair, named, numbers_of
from evaltools.errors import ParameterError
from evaltools.frameworks.crossframework.protocol import tedeval2011_steps

EXPECTED = {
    ("e", 0): {"f1": 0.333, "jaccard": 0.2, "f1_pos": 0.5, "jaccard_pos": 0.333},
    ("e", 1): {"crossing": 1, "exact": 0, "tagging": 0.6},
    ("t", 0): {"ted": 0.667, "ted_jaccard": 0.429},
    ("t", 1): {"f1": 0.25, "ted": 0.75},
    ("t", 2): {"f1": 1.0, "ted": 0.8, "ted_jaccard": 0.667},
    ("la", 0): {"la_exact": 0.667, "la": 0.833, "f1": 0.4, "f1_unlabeled": 0.8},
    ("la", 1): {"la": 0.952, "f1": 0.333},
    ("r", 0): {"errors": 1, "repair_similarity": 0.75, "f1": 0.6},
    ("r", 1): {"errors": 3, "repair_similarity": 0.25},
    ("attachment", 0): {"uas": 0.833, "las": 0.667},
    ("attachment", 1): {"uas": 0.8, "las": 0.8},
    ("edm", 0): {"edm": 0.875, "edm_n": 0.833, "edm_a": 0.833, "edm_p": 0.917},
    ("words", 0): {"f1": 0.75, "ted": 0.778, "la": 0.9},
}


@pytest.mark.parametrize(("section", "place"), EXPECTED, ids=lambda value: str(value))
def test_an_example_has_the_figures_of_the_papers(section: str, place: int):
    material = worked_examples(section).steps[place].material
    assert isinstance(material, (TreePair, DependencyPair, GraphPair))
    scores = material.align().scores
    expected = EXPECTED[section, place]
    assert {name: round(scores[name] or 0.0, 3) for name in expected} == expected
    assert set(expected) <= set(material.metrics)


def test_steps_of_a_theory_do_not_count_and_mistakes_do():
    right, wrong = (worked_examples("frameworks").steps[place].material for place in (1, 2))
    assert isinstance(right, FunctionTrees)
    assert isinstance(wrong, FunctionTrees)
    assert (right.multiple().score, right.multiple().delta, len(right.multiple().operations)) == (1.0, 0, 1)
    assert (wrong.multiple().score, wrong.multiple().delta) == (pytest.approx(0.7), 3)


def test_by_the_measure_of_2011_only_what_no_theory_asks_for_counts():
    material = worked_examples("older").steps[0].material
    assert isinstance(material, FunctionTrees)
    golds = list(material.gold_trees().values())
    wrong, right = (tedeval2011_steps(parse, golds, 1) for parse in (material.parse_tree(), golds[1]))
    assert [(one.kind, one.label, one.becomes, one.discarded) for one in wrong.operations] == [
        ("relabel", "obj", "obl", False)
    ]
    assert (wrong.score, right.score) == (0.9, 1.0)
    other = tedeval2011_steps(golds[0], golds, 1)
    assert other.score == 1.0


def test_figure_2_of_dridan_and_oepen_lists_as_many_triples():
    numbers = numbers_of(worked_examples("edm").steps[0].material)
    assert [numbers[f"edm_{kind}_gold"] for kind in "anp"] == ["6", "6", "12"]


@pytest.mark.parametrize("section", SECTIONS)
def test_every_example_says_what_to_look_at_and_its_figures_exist(section: str):
    lesson = worked_examples(section)
    assert lesson.source
    for step in lesson.steps:
        assert step.text
        assert step.material is not None
        assert set(named(step.text)) <= set(numbers_of(step.material))


def test_every_file_is_in_the_table():
    folder = Path(str(evaltools.classroom.examples.__file__)).parent / "data/examples"
    assert {path.stem for path in folder.glob("*.toml")} == set(SECTIONS)


def test_each_mistake_is_one_and_hurts_some_metric():
    metrics = ("f1", "ted", "la_exact", "tagging")
    rows = {title: scores for title, _, scores in mistakes(metrics)}
    assert all(min(scores) < 1 for scores in rows.values())
    assert rows["Two phrases over the same words are swapped"][0] == 1
    assert rows["A wrong tag"][0] == rows["A wrong tag"][2] == 1
    near, root = rows["A wrong label near the leaves"], rows["A wrong label at the root"]
    assert near[:2] == root[:2]
    assert near[2] > root[2]


def test_unknown_names_are_answered_with_the_known_ones():
    with pytest.raises(ParameterError, match="frameworks"):
        worked_examples("x")
    with pytest.raises(ParameterError, match="section"):
        text_of("x", 0, "trees")
    with pytest.raises(ParameterError, match="ted"):
        mistakes(("x",))
