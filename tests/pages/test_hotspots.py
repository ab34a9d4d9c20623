"""The page Hotspots, without a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.app import hotspots
from evaltools.frameworks.constituency.questions import QUESTIONS
from tests.pages.shown import blocks, link, said
from tests.pages.tiny import HOSTILE_PARSER

Open = Callable[..., AppTest]
Score = Callable[..., evaltools.Run]
OpenOn = Callable[..., Open]

VIEWS = [name for name, group in QUESTIONS.items() if not group.kind.of_all_parsers]


def table(app: AppTest) -> Any:
    return app.main.dataframe[0].value


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("other", ["", "better"])
def test_every_view_opens_with_a_table_and_its_sentences(open_app: Open, view: str, other: str):
    app = open_app(
        "hotspots", parser=HOSTILE_PARSER, view=view, show="table", least="1", **({"other": other} if other else {})
    )
    rows = table(app)
    assert len(rows)
    assert ("other" in rows.columns) == bool(other)
    assert any(one.value.startswith("Sentence ") for one in app.subheader)


@pytest.mark.parametrize("view", QUESTIONS)
def test_a_parser_without_errors_has_a_page_that_says_so(open_app: Open, view: str):
    app = open_app("hotspots", parser="better", view=view)
    if view != "words":
        assert [one.value for one in app.subheader] == ["No rows"]


UNEQUAL = {
    "gold": "(S (NP (DT a) (NN b)) (VP (V c)))\n(S (NP (DT d)) (VP (V e)))\n(S (NP (N f)) (VP (V g)))\n",
    "careful": "(S (NP (DT a) (NN b)) (VP (V c)))\n(())\n(S (X (N f)) (VP (V g)))\n",
    "complete": "(S (X (DT a) (NN b)) (VP (V c)))\n(S (X (DT d)) (Y (V e)))\n(S (X (N f)) (VP (V g)))\n",
}
"""Of the second sentence only one parser has a parse, with two wrong labels."""


@pytest.fixture
def open_unequal(open_on: OpenOn, score_texts: Score) -> Open:
    return open_on(score_texts(**UNEQUAL))


def test_two_parsers_are_compared_over_the_sentences_that_both_have(open_unequal: Open):
    app = open_unequal("hotspots", parser="complete", other="careful", view="labels", show="table")
    scope = "Over 2 of 3 sentences: those in which both parsers have a parse of gold’s tokens."
    assert any(scope in text for text in said(app, "note"))
    rows = table(app)
    assert rows[["gold", "test", "other", "more"]].to_numpy().tolist() == [["NP", "X", 2, 2]]
    alone = open_unequal("hotspots", parser="complete", view="labels", show="table")
    assert table(alone)["errors"].sum() == 4
    assert not any("both parsers" in text for text in said(alone, "note"))
    later = open_unequal("hotspots", parser="complete", other="careful", view="labels", sentence="3", show="table")
    (listed,) = blocks(later, "sentences")
    assert sorted(number for number, *_ in listed["rows"]) == ["1", "3"]  # as numbered in the run


def test_parsers_without_a_common_sentence_are_not_compared(open_on: OpenOn, score_texts: Score):
    first, second, _ = UNEQUAL["complete"].splitlines(keepends=True)
    gold = "".join(UNEQUAL["gold"].splitlines(keepends=True)[:2])
    run = score_texts(gold, one=f"{first}(())\n", two=f"(())\n{second}")
    app = open_on(run)("hotspots", parser="one", other="two", view="labels", show="table")
    says = "There is no sentence in which both parsers have a parse of gold’s tokens: one and two cannot be compared."
    assert said(app, "answer") == [says]
    assert not app.main.dataframe
    app.selectbox(key="url_other").set_value("").run()
    assert table(app)["errors"].sum() == 1


def test_the_reader_chooses_whose_errors_of_a_row_are_listed(open_unequal: Open):
    app = open_unequal("hotspots", parser="complete", other="careful", view="labels", show="table")
    (listed,) = blocks(app, "sentences")
    assert listed["heading"].startswith("complete: 2 errors in 2 sentences")
    app.segmented_control(key="url_errors_of").set_value("careful").run()
    assert app.query_params["errors_of"] == "careful"
    (listed,) = blocks(app, "sentences")
    assert listed["heading"].startswith("careful: 1 error in 1 sentence")
    assert listed["keys"] == [3]


def test_what_all_parsers_have_against_gold_is_the_same_whoever_is_compared(open_on: OpenOn, score_texts: Score):
    gold, same = "(S (NP (DT a) (NN b)) (VP (V c)))\n", "(S (VP (DT a) (NN b)) (VP (V c)))\n"
    open_page = open_on(score_texts(gold, first=same, second=same, third="(S (VP (DT a) (NN b)) (V c))\n"))
    for query in ({}, {"other": "second"}):
        app = open_page("hotspots", view="suspects", **query)
        assert table(app)[["gold", "test", "cost", "sentences"]].to_numpy().tolist() == [["NP", "VP", 2, 1]]
        assert said(app, "answer")[0] == (
            "All 3 parsers differ alike from gold in most brackets at gold NP, VP in all parses: "
            "2 brackets, 100.0 % of all brackets on which they agree against gold, in 1 sentence."
        )
        assert any(one.value == "Sentence 1, parsed by first" for one in app.subheader)
        assert all(app.selectbox(key=f"url_{name}").disabled for name in ("parser", "other"))
        assert "All parsers: 2 brackets" in said(app, "note")[1]
        (listed,) = blocks(app, "sentences")
        assert listed["heading"] == "1 error in 1 sentence; the chosen one is below in full"
        assert listed["rows"][0][2] == "gold NP, all parsers VP"
        assert "other" not in link(app, "Open in Sentence")


def test_constructions_come_first_and_the_chosen_one_is_named_beside_its_sentences(open_app: Open):
    app = open_app("hotspots", parser=HOSTILE_PARSER)
    rows = table(app)
    assert list(rows)[:4] == ["construction", "cost", "share", "sentences"]
    assert rows["cost"].is_monotonic_decreasing
    headline, detail, *_ = said(app, "answer")
    first = rows["construction"].iloc[0]
    assert headline.startswith(f"{HOSTILE_PARSER} loses most brackets at {first}: {rows['cost'].iloc[0]} brackets, ")
    assert detail == f"Construction 1 of {len(rows)}: {first}"
    most, share = rows["cost"].iloc[0], f"{rows['share'].iloc[0]:.1f} % of all wrong brackets"
    assert any(text.startswith(f"{HOSTILE_PARSER}: {most} brackets, {share}, in ") for text in said(app, "note"))
    second = rows["construction"].iloc[1]
    app = open_app("hotspots", parser=HOSTILE_PARSER, group=second)
    assert said(app, "answer")[:2] == [headline, f"Construction 2 of {len(rows)}: {second}"]
    assert blocks(app, "legend")


def test_examples_have_a_picture_of_the_error_and_its_repair_in_words(open_app: Open, monkeypatch: pytest.MonkeyPatch):
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="errors")
    (sentences,) = blocks(app, "sentences")
    (_, (_, _, drawings), remark, figure), *_ = sentences["rows"]
    assert remark == "“of word3” is VP, should be PP"
    assert figure == "2 brackets"
    widths = [width for width, _ in drawings]
    assert widths == sorted(widths)
    assert all('class="evaltools auto marked"' in svg for _, svg in drawings)
    monkeypatch.setattr(hotspots, "_MAX_PICTURED", 1)
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="errors", group="unclassified")
    (sentences,) = blocks(app, "sentences")
    listed = sentences["keys"]
    assert len(listed) > 1
    assert [int(row[0]) for row in sentences["rows"] if row[1][2]] == listed[:1]
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="errors", group="unclassified", sentence=str(listed[-1]))
    (sentences,) = blocks(app, "sentences")
    assert {int(row[0]) for row in sentences["rows"] if row[1][2]} == {listed[0], listed[-1]}


def test_words_are_grouped_by_what_the_reader_chooses(open_app: Open):
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="words", by="rule", least="1")
    assert any("→" in name for name in table(app)["group"])
    app.selectbox(key="url_by").set_value("form").run()
    assert "duck" not in set(table(app)["group"])
    assert "dog" in set(table(app)["group"])
    assert app.query_params["by"] == "form"
    app.number_input(key="url_least").set_value(3).run()
    assert (table(app)["count"] >= 3).all()


def test_a_link_names_the_row_and_the_sentence(open_app: Open):
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="labels", group="(none) · VP", sentence="1")
    assert any(one.value == "Sentence 1" for one in app.subheader)
    assert not any("shown instead" in text for text in said(app, "note"))
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="nothing", group="<b>no", sentence="99", least="x")
    (remark,) = [text for text in said(app, "note") if "shown instead" in text]
    assert remark.startswith("There is no construction “<b>no” here; “")
    assert any("This run has no view of hotspots “nothing”; it has: " in text.value for text in app.text)


def test_a_sentence_opened_from_a_row_keeps_the_row_and_its_order(open_app: Open):
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="labels", group="(none) · VP", sentence="1")
    query = link(app, "Open in Sentence")
    assert query["group"] == "(none) · VP"
    page, rest = query["listed"].split("~", 1)
    title, first, total, numbers = rest.rsplit("~", 3)
    assert (page, first, total) == ("hotspots", "1", str(len(numbers.split("."))))
    assert title.startswith(f"{HOSTILE_PARSER}, ")
    sentence = open_app("sentence", **query)
    returned = link(sentence, "Back to the list")
    assert (returned["group"], returned["view"], "listed" in returned) == ("(none) · VP", "labels", False)


def test_an_error_of_one_of_two_parsers_opens_against_gold_and_the_way_back_compares_them_again(open_app: Open):
    app = open_app("hotspots", parser="better", other=HOSTILE_PARSER, view="labels", errors_of=HOSTILE_PARSER)
    query = link(app, "Open in Sentence")
    assert query["parser"] == HOSTILE_PARSER
    assert "other" not in query
    sentence = open_app("sentence", **query)
    returned = link(sentence, "Back to the list")
    assert (returned["parser"], returned["other"]) == ("better", HOSTILE_PARSER)
    assert "list_other" not in returned


def test_a_long_run_is_looked_through_as_far_as_the_reader_wants(open_app: Open, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hotspots, "_MAX_WHOLE", 2)
    monkeypatch.setattr(hotspots, "_STEPS", (1, 2, 10_000))
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="words", least="1")
    few = table(app)["count"].sum()
    assert any("Over the first 1 of " in text for text in said(app, "note"))
    most = app.selectbox(key="url_most")
    assert most.options[:2] == ["the first 1", "the first 2"]
    most.select_index(len(most.options) - 1).run()
    assert table(app)["count"].sum() > few
    assert not any("Over the first" in text for text in said(app, "note"))
    assert app.query_params["most"] == most.options[-1].removeprefix("all ")


def test_an_error_type_opens_to_what_it_consists_of(open_app: Open):
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="errors")
    parts = app.main.dataframe[1].value
    assert parts["name"].iloc[0] == "all"
    assert parts["count"].iloc[0] == parts["count"].iloc[1:].sum()
    rows = table(app)
    chosen = rows["type"].ne("unclassified").idxmax()  # the first row that is informative
    assert parts["count"].iloc[0] == rows["errors"][chosen]
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="errors", group="PP attachment", part="nothing")


def test_label_confusions_are_a_matrix_with_the_right_counts_on_the_diagonal(open_app: Open):
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="labels")
    matrix = table(app)
    assert list(matrix.columns[2:]) == list(matrix["_gold"])[1:]
    assert matrix["_gold"].iloc[0] == "spurious"
    rows = table(open_app("hotspots", parser=HOSTILE_PARSER, view="labels", show="table"))
    counts = matrix.drop(columns="_gold").fillna(0).to_numpy(dtype=int)
    wrong = counts.sum() - counts.trace()
    assert wrong == rows["errors"].sum()
    assert any(one.value.startswith("Sentence ") for one in app.subheader)
