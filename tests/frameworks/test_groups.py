"""The questions of Hotspots: the protocol on a toy, and laws for those that the frameworks have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaltools
from evaltools.frameworks.common.differences import paired_errors, with_differences
from evaltools.frameworks.common.word_groups import GoldWords
from evaltools.frameworks.controls import Choice, Number
from evaltools.frameworks.groups import Column, GroupBy, Line, Options, Part, by_clarity, with_intervals
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.text import number
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
from tests.pages.test_amr import score_amrs
from tests.pages.test_bilexical import score_graphs as score_bilexical
from tests.pages.tiny import score_tiny
from tests.slow.differences import standard_error

ERRORS = {"one": {"long": 5, "short": 2, "odd": 1}, "two": {"long": 3, "odd": 4}}


class Toy(GroupBy):
    """Errors by a name."""

    id = "toy"
    title = "Toys"
    keys = ("name", "kind")

    @property
    def controls(self) -> tuple[Choice | Number, ...]:
        return (Number("least", "At least", 1), Choice("by", "By", {"a": "A", "b": "B"}, "b"))

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        counts = {name: n for name, n in ERRORS[parser].items() if n >= options["least"]}
        return pd.DataFrame({"name": list(counts), "kind": "", "count": list(counts.values())})

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        return pd.DataFrame({"sentence": [1]})

    def lines(self, part: Part, sentences: Sequence[int], places: pd.DataFrame) -> list[Line]:
        return [Line(number, ["a"], {0}, "") for number in sentences]

    def columns(self, options: Options) -> tuple[Column, ...]:
        return (Column("name", "Name", "text"), Column("count", "Count"))


TOY = Toy()
PART: Any = Part(None, 1)  # type: ignore[arg-type]


def test_two_parsers_are_compared_by_the_main_column():
    rows = TOY.compared(PART, "one", "two", TOY.options())
    assert list(zip(rows["name"], rows["count"], rows["other"], rows["more"], strict=True)) == [
        ("odd", 1, 4, -3),
        ("long", 5, 3, 2),
        ("short", 2, 0, 2),
    ]
    columns = TOY.columns_compared("one", "two", {})
    assert [column.name for column in columns] == ["name", "count", "other", "more", "interval", "flag"]
    assert [column.title for column in columns][1:4] == ["one", "two", "Difference"]


def test_rows_that_only_the_second_parser_has_are_compared_too():
    rows = TOY.compared(PART, "one", "two", TOY.options(least=4))
    assert list(zip(rows["name"], rows["count"], rows["other"], strict=True)) == [
        ("long", 5, 0),
        ("odd", 0, 4),
    ]  # by size


def test_a_difference_has_the_interval_of_the_paired_sentences():
    first = pd.DataFrame({"name": ["a", "a", "b"], "sentence": [1, 2, 2], "value": [3, 1, 1]})
    second = pd.DataFrame({"name": ["a"], "sentence": [2], "value": [2]})
    rows = pd.DataFrame({"name": ["a", "b", "c"], "count": [4, 1, 0], "other": [2, 0, 0]})
    error = paired_errors(first, second, rows, ["name"], 4)
    differences = np.array([[3, -1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
    np.testing.assert_allclose(error, np.sqrt(4 * differences.var(axis=1, ddof=1)))
    table = with_differences(rows, "count", error)
    assert table["more"].tolist() == [2, 1, 0]
    assert (table["low"] <= table["more"]).all()
    assert table["flag"].tolist() == ["", "", ""]


def test_headlines_name_the_largest_item():
    options = TOY.options()
    rows = TOY.rows(PART, "one", options)
    assert TOY.answer(rows, "one", options) == "one has most errors at long: 5 errors."
    both = TOY.compared(PART, "one", "two", options)
    expected = "one minus two in errors: −3 at odd, +2 at long. No difference is significant."
    assert TOY.answer(both, "one", options, "two") == expected
    assert "in errors: +2 at long." in TOY.answer(both[both["more"] > 0], "one", options, "two")
    assert "in errors: −3 at odd." in TOY.answer(both[both["more"] < 0], "one", options, "two")
    assert TOY.answer(rows.head(0), "one", options) == "one has no errors of this kind."
    assert TOY.heading(rows.iloc[0]) == "long"


def test_a_headline_of_two_parsers_names_the_largest_significant_difference_too():
    both = TOY.compared(PART, "one", "two", TOY.options())
    smaller = both[both["more"] < 0].assign(name="last", more=-1, low=-1.5, high=-0.5, interval="−1.5 to −0.5")
    rows = pd.concat(
        [both.assign(low=-9.0, high=9.0, interval="−9 to +9", flag=""), smaller.assign(flag="✓")], ignore_index=True
    )
    headline = TOY.answer(rows, "one", TOY.options(), "two")
    assert "−3 at odd (95 % interval −9 to +9, not significant among" in headline
    assert "−1 at last (95 % interval −1.5 to −0.5, significant)" in headline
    assert headline.count("at odd") == headline.count("at last") == headline.count("+2 at long") == 1


def test_a_headline_says_that_the_first_row_is_uninformative():
    class Residual(Toy):
        def uninformative(self, row: pd.Series[Any], options: Options) -> str:
            return "it is the rest" if row["name"] in ("long", "odd") else ""

    rows = TOY.rows(PART, "one", TOY.options())
    assert Residual().answer(rows, "one", {}) == (
        "one has most errors at short: 2 errors. The first row, long, is uninformative: it is the rest."
    )
    expected = "one has most errors at long: 5 errors; uninformative: it is the rest."
    assert Residual().answer(rows.head(1), "one", {}) == expected


def test_clear_examples_come_first_and_the_shortest_of_them():
    assert by_clarity([1, 2, 3], {1: 30, 2: 9, 3: 4}, {}) == [3, 2, 1]
    assert by_clarity([1, 2, 3], {1: 30, 2: 9, 3: 3}, {2: 5}) == [1, 3, 2]


def test_options_have_defaults_and_what_is_given():
    assert TOY.options() == {"least": 1, "by": "b"}
    assert TOY.options(least=3, weights="w") == {"least": 3, "by": "b", "weights": "w"}
    assert "smaller minimum count" in TOY.empty("one", TOY.options())
    assert "smaller minimum count" not in TOY.empty("one", {})


def test_a_part_computes_once_for_the_same_arguments():
    calls: list[tuple[str, int]] = []

    def count(part: Part, parser: str, n: int = 0) -> int:
        calls.append((parser, n))
        return len(calls)

    part: Part = Part(None, 1)  # type: ignore[arg-type]
    assert [part.cached(count, "a"), part.cached(count, "a"), part.cached(count, "b")] == [1, 1, 2]
    assert [part.cached(count, "a", n=1), part.cached(count, "a", n=1)] == [3, 3]
    other: Part = Part(None, 1)  # type: ignore[arg-type]
    assert other.cached(count, "a") == 4


def test_intervals_are_texts():
    rows = pd.DataFrame({"low": [-0.5, np.nan], "high": [0.25, np.nan], "flagged": [True, False]})
    assert with_intervals(rows)["interval"].tolist() == ["−50.00 to +25.00", "–"]
    assert with_intervals(rows)["flag"].tolist() == ["✓", ""]
    assert [number(1234.0), number(0.25)] == ["1,234", "0.25"]


def test_places_are_marked_on_the_words_as_read():
    words = GoldWords.of(
        np.array(["a", ",", "b", "c", "d"], dtype=object),
        np.array([4, 1]),
        np.array([False, True, False, False, False]),
    )
    places = pd.DataFrame(
        {
            "sentence": [1, 1, 1, 2],
            "start": [0, 1, 1, 0],
            "end": [2, 2, 3, 1],
            "remark": ["x", "y", "z", ""],
        }
    )
    assert words.lines([2, 1], places) == [
        Line(2, ["d"], {0}, ""),
        Line(1, ["a", ",", "b", "c"], {0, 2}, "x (and 2 more)"),
    ]
    assert words.starts(pd.DataFrame({"sentence": [1, 1, 2], "word": [1, 3, 1]})).tolist() == [0, 1, 0]


SCORED = {
    "constituency": score_tiny,
    "dependency": score_dependencies,
    "semantics": score_graphs,
    "bilexical": score_bilexical,
    "amr": score_amrs,
}


@cache
def scored(framework: str) -> evaltools.Run:
    """Return a small run of a framework."""
    return SCORED[framework](Path(mkdtemp()))


QUESTIONS = [
    (name, group.id)
    for name, framework in FRAMEWORKS.items()
    for group in framework.questions().groups.values()
    if not group.of_all_parsers
]


def test_every_framework_with_questions_has_a_corpus_here():
    assert {name for name, _ in QUESTIONS} == set(SCORED)
    for framework in FRAMEWORKS.values():
        assert [group.id for group in framework.questions().groups.values()] == list(framework.questions().groups)


@pytest.mark.parametrize(("framework", "name"), QUESTIONS)
@pytest.mark.slow
def test_columns_keys_and_sentences_of_every_question(framework: str, name: str):
    run = scored(framework)
    group = run.framework.questions().groups[name]
    part = Part(run, run.n_sentences)
    least = {"least": 1} if any(control.name == "least" for control in group.controls) else {}
    options = group.options(**least)
    listed = 0
    for parser, other in permutations(run.parsers[:2]):
        rows, both = group.rows(part, parser, options), group.compared(part, parser, other, options)
        assert {column.name for column in group.columns(options)} <= set(rows)
        assert {column.name for column in group.columns_compared(parser, other, options)} <= set(both)
        assert not rows.duplicated(list(group.keys)).any()
        assert rows[group.main].is_monotonic_decreasing or group.id == "errors"
        informative = both[~group.uninformative_differences(both)]
        assert informative["more"].abs().is_monotonic_decreasing
        assert informative.index.tolist() == list(range(len(informative)))
        listed += len(rows)
        for row in rows.head(3).to_dict("records"):
            places = group.errors(part, parser, options, {str(key): value for key, value in row.items()})
            sentences = list(dict.fromkeys(places["sentence"].tolist()))
            lines = group.lines(part, sentences, places)
            assert [line.sentence for line in lines] == sentences
            assert sorted(group.examples(part, parser, places)) == sorted(sentences)
            if group.has_parts:
                assert group.parts(places)["count"].sum() == len(places)
            values = group.by_sentence(part, parser, options)
            if values is not None:
                own = np.logical_and.reduce([(values[name].astype(str) == str(row[name])) for name in group.keys])
                assert values["value"][own].sum() == row[group.main]
            assert all(marked < len(line.words) for line in lines for marked in line.marked)
            if not group.of_all_parsers:  # the other parser's figure is of the same group
                own, alone = (
                    table.set_index(list(group.keys))[column]
                    for table, column in ((both, "other"), (group.rows(part, other, options), group.main))
                )
                for name in set(own.index) & set(alone.index):
                    assert own[name] == pytest.approx(alone[name])
            examples = group.pictured(part, parser, options, sentences, places)
            assert set(examples) <= set(sentences)
            assert all(item.text and "<svg" in item.drawing.draw(width=300) for item in examples.values())
    # the parsers of the sample have the tags of gold; tests/frameworks/test_word_errors.py has others
    assert listed or group.id == "columns"


@pytest.mark.parametrize("framework", [name for name in SCORED if name != "bilexical"])  # its graphs have no properties
def test_excerpts_have_their_columns(framework: str):
    run = scored(framework)
    part = Part(run, run.n_sentences)
    for excerpt in run.framework.questions().excerpts:
        tables = [excerpt.rows(part, parser, 1) for parser in run.parsers]
        assert any(len(table) for table in tables), excerpt.title
        assert all({column.name for column in excerpt.columns} <= set(table) for table in tables if len(table))


def test_error_types_count_what_the_question_counts():
    run = scored("constituency")
    types = run.framework.questions().types
    assert types is not None
    part = Part(run, run.n_sentences)
    rules = types.rules.default
    for parser in run.parsers:
        rows = run.framework.questions().groups["errors"].rows(part, parser, {"rules": rules})
        assert dict(zip(rows["type"], rows["cost"], strict=True)) == types.costs(run, parser, run.n_sentences)
        steps = types.steps(part, parser, rules)
        assert dict(zip(rows["type"], rows["errors"], strict=True)) == steps["type"].value_counts().to_dict()
        assert set(rows["type"]) <= {*types.titles(rules).values(), types.residual}
    assert [name for name, framework in FRAMEWORKS.items() if framework.questions().types] == ["constituency"]


def test_a_framework_without_questions_says_nothing():
    across = FRAMEWORKS["crossframework"].questions()
    assert not across.groups
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
