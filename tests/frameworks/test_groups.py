"""The questions of Hotspots: headlines, and laws for those that the frameworks have."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from pathlib import Path
from tempfile import mkdtemp
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools.blocks import Column
from evaltools.frameworks.common.differences import paired_errors, with_differences
from evaltools.frameworks.hotspots import Hotspots, by_clarity, is_running, with_intervals
from evaltools.frameworks.questions import Kind, Question, Scope, question_options
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.outputs.hotspots import ask
from evaltools.text import number
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
from tests.pages.test_graph_kinds import score_amrs, score_bilexical
from tests.pages.tiny import score_tiny
from tests.slow.differences import standard_error


def test_a_difference_has_the_interval_of_the_paired_sentences():
    first = pd.DataFrame({"name": ["a", "a", "b"], "sentence": [1, 2, 2], "value": [3, 1, 1]})
    second = pd.DataFrame({"name": ["a"], "sentence": [2], "value": [2]})
    rows = pd.DataFrame({"name": ["a", "b", "c"], "cost": [4, 1, 0], "other": [2, 0, 0]})
    error = paired_errors(first, second, rows, ["name"], 4)
    differences = np.array([[3, -1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
    np.testing.assert_allclose(error, np.sqrt(4 * differences.var(axis=1, ddof=1)))
    table = with_differences(rows, error)
    assert table["more"].tolist() == [2, 1, 0]
    assert (table["low"] <= table["more"]).all()
    assert table["flag"].tolist() == ["", "", ""]


def made(rows: pd.DataFrame, other: str = "", residual: tuple[str, str] = ("", ""), scored: int = 1) -> Hotspots:
    question = Question(
        "toy", "Toys", "", Kind("toy"), (Column("name", "Name", "text"),), "{name}".format_map, residual=residual
    )
    run: Any = SimpleNamespace(meta={"parsers": [{"name": "one", "scored": scored}]})
    table = Hotspots(run, question, "one", other, {}, Scope(1, "sentence <= 1"))
    table.__dict__["rows"] = rows
    return table


ROWS = pd.DataFrame({"name": ["long", "short", "odd"], "cost": [5, 2, 1]})
BOTH = pd.DataFrame({"name": ["odd", "long", "short"], "cost": [1, 5, 2], "other": [4, 3, 0]})
COMPARED = with_differences(BOTH, np.full(3, np.nan))


def test_headlines_name_the_largest_item():
    assert made(ROWS).headline == "one has most errors at long: 5 errors."
    assert made(COMPARED, "two").headline == "one and two: no difference in errors is significant."
    sure = COMPARED.assign(flag="✓")
    assert made(sure, "two").headline == "one minus two in errors: −3 at odd, +2 at long."
    assert made(sure[sure["more"] > 0], "two").headline == "one minus two in errors: +2 at long."
    assert made(ROWS.head(0)).headline == "one has no errors of this kind."
    unscored = made(ROWS.head(0), scored=0)
    assert unscored.headline == unscored.empty == "No sentence of one is scored, so no errors are known."
    columns = made(COMPARED, "two").columns
    assert [column.name for column in columns] == ["name", "cost", "other", "more", "interval", "flag"]
    assert [column.title for column in columns][1:4] == ["one", "two", "Difference"]


def test_a_headline_of_two_parsers_names_significant_differences_only():
    smaller = COMPARED.head(1).assign(name="last", more=-1, low=-1.5, high=-0.5, interval="−1.5 to −0.5")
    rows = pd.concat(
        [COMPARED.assign(low=-9.0, high=9.0, interval="−9 to +9", flag=""), smaller.assign(flag="✓")],
        ignore_index=True,
    )
    assert made(rows, "two").headline == "one minus two in errors: −1 at last (95 % interval −1.5 to −0.5)."
    assert made(rows.head(3), "two").headline == (
        "one and two: no difference in errors is significant among 3 comparisons."
    )


def test_a_headline_says_that_the_first_row_is_uninformative():
    rest = ("long", "it is the rest")
    assert made(ROWS, residual=rest).headline == (
        "one has most errors at short: 2 errors. The first row, long, is uninformative: it is the rest."
    )
    expected = "one has most errors at long: 5 errors; uninformative: it is the rest."
    assert made(ROWS.head(1), residual=rest).headline == expected


def test_natural_examples_come_first_and_the_shortest_of_them():
    assert by_clarity([1, 2, 3], {1: 21, 2: 20, 3: 8}, {}) == [3, 2, 1]
    assert by_clarity([1, 2, 3], {1: 20, 2: 9, 3: 7}, {2: 5}) == [1, 2, 3]
    assert by_clarity([1, 2, 3], {1: 20, 2: 9, 3: 8}, {}, running={1}) == [1, 3, 2]


@pytest.mark.parametrize(
    ("text", "is_natural"),
    [
        ("She left early .", True),
        ("“ Why not ? ”", True),
        ("他 走 了 。", True),
        ("Port of Refuge Harbor at Neiafu", False),
        ("2 . Stir the eggs .", False),
        ("- milk", False),
        ("", False),
        (None, False),
    ],
)
def test_titles_and_items_of_lists_are_no_running_text(text: str | None, is_natural: bool):
    assert is_running(text) == is_natural


def test_options_have_defaults_and_what_is_given():
    question = FRAMEWORKS["dependency"].questions().hotspots["words"]
    assert question_options(question) == {"by": "relation", "scheme": "las", "least": 30}
    assert question_options(question, least=3)["least"] == 3


def test_intervals_are_texts():
    rows = pd.DataFrame({"low": [-0.5, np.nan], "high": [0.25, np.nan], "flagged": [True, False]})
    assert with_intervals(rows)["interval"].tolist() == ["−50.00 to +25.00", "–"]
    assert with_intervals(rows)["flag"].tolist() == ["✓", ""]
    assert [number(1234.0), number(0.25)] == ["1,234", "0.25"]


SCORED = {
    "constituency": score_tiny,
    "dependency": score_dependencies,
    "mrs": score_graphs,
    "sdp": score_bilexical,
    "amr": score_amrs,
}


@cache
def scored(framework: str) -> evaltools.Run:
    return SCORED[framework](Path(mkdtemp()))


QUESTIONS = [
    (name, question.id)
    for name, framework in FRAMEWORKS.items()
    for question in framework.questions().hotspots.values()
    if not question.kind.of_all_parsers
]


def test_every_framework_with_questions_has_a_corpus_here():
    assert {name for name, _ in QUESTIONS} == set(SCORED)
    for framework in FRAMEWORKS.values():
        assert [question.id for question in framework.questions().hotspots.values()] == list(
            framework.questions().hotspots
        )
        assert set(framework.questions().excerpts) <= set(framework.questions().hotspots)


@pytest.mark.parametrize(("framework", "name"), QUESTIONS)
@pytest.mark.slow
def test_columns_keys_and_sentences_of_every_question(framework: str, name: str):
    run = scored(framework)
    question = run.framework.questions().hotspots[name]
    options = {"least": 1} if any(control.name == "least" for control in question.controls) else {}
    listed = 0
    for parser, other in permutations(run.parsers[:2]):
        alone, both = ask(run, question, parser, options=options), ask(run, question, parser, other, options)
        rows = alone.rows
        assert {column.name for column in alone.columns} <= set(rows)
        assert {column.name for column in both.columns} <= set(both.rows)
        assert not rows.duplicated(alone.keys).any()
        assert rows["cost"].is_monotonic_decreasing or question.id == "errors"
        informative = both.rows
        assert informative["more"].abs().is_monotonic_decreasing
        assert informative.index.tolist() == list(range(len(informative)))
        listed += len(rows)
        for row in rows.head(3).to_dict("records"):
            errors = alone.errors({str(key): value for key, value in row.items()})
            sentences = list(dict.fromkeys(errors["sentence"].tolist()))
            lines = alone.lines(sentences, errors)
            assert [line.sentence for line in lines] == sentences
            assert sorted(alone.examples(errors)) == sorted(sentences)
            if not (parts := alone.parts(errors)).empty:
                assert parts["count"].sum() == len(errors)
            if row["cost"]:
                assert sum(alone.costs(row, errors).values()) == pytest.approx(row["cost"])
            assert all(marked < len(line.words) for line in lines for marked in line.marked)
            examples = alone.pictured(sentences, errors)
            assert set(examples) <= set(sentences)
            assert all(item.text and "<svg" in item.drawing.draw(width=300) for item in examples.values())
        # the other parser's figure is of the same group
        own = both.rows.set_index(both.keys)["other"]
        others = ask(run, question, other, options=options).rows.set_index(alone.keys)["cost"]
        for key in set(own.index) & set(others.index) if both.scope.size == alone.scope.size else ():
            assert own[key] == pytest.approx(others[key])
    # the parsers of the sample have the tags of gold; tests/frameworks/test_word_errors.py has others
    assert listed or (framework, name) == ("dependency", "columns")


@pytest.mark.parametrize(
    ("framework", "name"), [("constituency", "words"), ("dependency", "words"), ("mrs", "role"), ("amr", "role")]
)
def test_members_of_some_sentences_at_a_time_make_the_same_rows(
    framework: str, name: str, monkeypatch: pytest.MonkeyPatch
):
    run = scored(framework)
    question, parsers = run.framework.questions().hotspots[name], run.parsers[:2]

    def tables() -> list[Hotspots]:
        return [ask(run, question, *names, options={"least": 1}) for names in (*zip(parsers), parsers)]

    expected = tables()
    rows = [table.rows for table in expected]
    monkeypatch.setattr("evaltools.frameworks.hotspots.BLOCK", 2)
    for table, made, at_once in zip(tables(), expected, rows, strict=True):
        pd.testing.assert_frame_equal(table.rows, at_once, rtol=1e-9, atol=1e-9)
        for values in at_once.head(3).to_dict("records"):
            row = {str(key): value for key, value in values.items()}
            errors = table.errors(row)
            assert errors["number"].tolist() == made.errors(row)["number"].tolist()
            assert table.costs(row, errors) == made.costs(row, errors)
    assert sum(map(len, rows))


def test_error_types_count_what_the_question_counts():
    run = scored("constituency")
    types = run.framework.figures.error_types
    assert types is not None
    rules = types.rules.default
    for parser in run.parsers:
        rows = ask(run, run.framework.questions().hotspots["errors"], parser, options={"rules": rules}).rows
        assert dict(zip(rows["type"], rows["cost"], strict=True)) == types.costs(run, parser)
        steps = types.steps(run, parser, rules)
        assert dict(zip(rows["type"], rows["errors"], strict=True)) == steps["type"].value_counts().to_dict()
        assert set(rows["type"]) <= {*types.titles(rules).values(), types.residual}
    assert [name for name, framework in FRAMEWORKS.items() if framework.figures.error_types] == ["constituency"]


def test_a_framework_without_questions_says_nothing():
    across = FRAMEWORKS["crossframework"].questions()
    assert not across.hotspots
    assert not across.excerpts


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from("abc")), min_size=4, max_size=12).filter(
        lambda sentences: len({unit for _, _, unit in sentences}) > 1
    )
)
def test_errors_of_differences_over_documents_and_sentences(sentences: list[tuple[int, int, str]]):
    """Errors of both parsers in each sentence of a document, of which the table lists those that are not 0."""
    tables = [
        pd.DataFrame(
            [("x", number, float(row[side])) for number, row in enumerate(sentences, 1) if row[side]],
            columns=["name", "sentence", "value"],
        ).astype({"sentence": np.int64, "value": np.float64})
        for side in (0, 1)
    ]
    rows = pd.DataFrame({"name": ["x", "other"]})
    differences = [float(one - other) for one, other, _ in sentences]
    documents = [unit for _, _, unit in sentences]
    units = np.array(["abc".index(unit) for unit in documents], dtype=np.int64)
    for given_units, slow in ((units, documents), (None, list(range(len(sentences))))):
        error = paired_errors(tables[0], tables[1], rows, ["name"], len(sentences), given_units)
        assert error[0] == pytest.approx(standard_error(differences, slow), abs=1e-6)
        assert error[1] == 0
    assert np.isnan(paired_errors(tables[0], tables[1], rows, ["name"], len(sentences), units * 0)).all()
