"""Pages on a run whose second parser has other words than the gold trees, without a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.shown import blocks, panels, said
from tests.pages.tokens import OTHER, score_tokens

Open = Callable[..., AppTest]


@pytest.fixture
def open_tokens(open_on: Callable[..., Open]) -> Open:
    """Give a function that opens a page on the run, scored with a preset."""
    return lambda page, preset="standard", **query: open_on(score_tokens, preset=preset)(page, **query)


@pytest.mark.parametrize("sentence", range(1, 8))
@pytest.mark.parametrize(
    "query", [{"parser": OTHER}, {"parser": OTHER, "other": "same"}, {"parser": "same", "other": OTHER}]
)
@pytest.mark.slow
def test_every_sentence_can_be_shown(open_tokens: Open, query: dict[str, str], sentence: int):
    app = open_tokens("sentence", sentence=str(sentence), **query)
    assert not app.error
    notes = " ".join(said(app, "note"))
    assert ("They are aligned" in notes) == (sentence != 4)


def test_the_page_says_over_what_it_scores(open_tokens: Open):
    app = open_tokens("sentence", parser=OTHER, sentence="1")
    (note,) = [text for text in said(app, "note") if "They are aligned" in text]
    assert "word 1 is “I” in gold and “i” in" in note
    assert (
        "bracketing (E) over 9 aligned characters, leaf-ancestor (LA) over 4 of 5 words, tree edit (T) over all nodes."
        in note
    )
    rows = {row[0]: row for block in blocks(app, "formulas") for row in block["rows"]}
    assert rows["Leaf-ancestor"][1] == "mean similarity of the lineages of the 4 aligned of 5 words"
    assert rows["Exact"][2].endswith(" / 4")
    assert re.fullmatch(r"\d+\.\d\d %", rows["Recall"][3])


@pytest.mark.parametrize(("parser", "other"), [(OTHER, "same"), ("same", OTHER)])
def test_parsers_are_compared_over_their_aligned_words_too(open_tokens: Open, parser: str, other: str):
    app = open_tokens("sentence", parser=parser, other=other, sentence="1")
    assert f"{parser} compared with {other}" in said(app, "answer")[0]
    assert any("They are aligned: bracketing (E) over" in text for text in said(app, "note"))
    (drawn,) = [panel["svg"] for panel in panels(app) if panel["kind"] == "e"]
    assert drawn.count('class="tie"') == 4  # I, can, not, go; there and ! are alone


def test_a_preset_of_evalb_says_that_it_leaves_them_out(open_tokens: Open):
    app = open_tokens("sentence", preset="collins", parser=OTHER, sentence="1")
    (note,) = [text for text in said(app, "note") if "The tokens of the two trees differ" in text]
    assert "as in evalb" in note
    shown = open_tokens("overview", preset="collins")
    assert not any("aligned words" in text for text in said(shown, "note"))


def strip(app: AppTest) -> dict[str, dict[str, Any]]:
    (block,) = blocks(app, "strip")
    names = ("form", "position", "says", "alone")
    return {row[0]: dict(zip(names, row, strict=False)) for row in block["words"]}


def lineages(app: AppTest) -> list[dict[str, Any]]:
    """Return the pictures of lineages; the trees beside their texts are pictures, too."""
    return [block for block in blocks(app, "picture") if 'class="evaltools auto tree"' not in block["drawn"][0][1]]


def test_a_word_without_partner_stays_blank(open_tokens: Open):
    app = open_tokens("sentence", parser=OTHER, sentence="1", at="4")
    words = strip(app)
    assert [form for form, row in words.items() if row["alone"]] == ["there"]
    assert words["there"]["says"] == "no aligned word, so no score"
    assert re.fullmatch(r"\d+\.\d\d %", words["can"]["says"])
    assert any("“there” of gold has no aligned word in" in text for text in said(app, "note"))
    assert not lineages(app)


def test_lineages_name_both_words(open_tokens: Open):
    for at, words in (
        ("1", (">can<", ">cannot<", "3 characters")),
        ("0", (">I<", ">i<", "except for case")),
        ("3", (">go<",)),
    ):
        (block,) = lineages(open_tokens("sentence", parser=OTHER, sentence="1", at=at))
        assert all(word in block["drawn"][0][1] for word in words), at
        assert ("↔" in block["drawn"][0][1]) == (len(words) > 1)


def test_the_script_of_the_e_mapping_has_no_words_that_are_linked(open_tokens: Open):
    app = open_tokens("sentence", parser=OTHER, sentence="1", script="e")
    (steps,) = blocks(app, "steps")
    assert [text for _, text in steps["rows"] if "word" in text] == ["delete word “there”", "insert word “!”"]
    chosen = str([text for _, text in steps["rows"]].index("insert word “!”"))
    app = open_tokens("sentence", parser=OTHER, sentence="1", script="e", step=f"e{chosen}")
    viewer = [one for one in app.get("bidi_component") if '"panels"' in one.proto.json]
    assert re.search(r'"highlight": ?\[null, ?\d+\]', viewer[0].proto.json)


def test_the_overview_says_how_they_are_scored(open_tokens: Open):
    app = open_tokens("overview", parser=OTHER, metric="la")
    board = app.main.dataframe[0].value.set_index("parser")
    assert board["no_parse"].to_dict() == {"same": 0, OTHER: 0}
    assert f"Sentences whose words differ are scored over aligned words: 6 of {OTHER}." in said(app, "note")


def test_worst_parses_marks_and_filters_them(open_tokens: Open):
    app = open_tokens("worst_parses", parser=OTHER)
    assert any("In 6 the tokens differ" in text for text in said(app, "note"))
    table = app.main.dataframe[-1].value
    assert dict(zip(table["sentence"], table["status"], strict=True)) == {
        number: "" if number == 4 else "tokens differ" for number in range(1, 8)
    }
    assert table["f1"].notna().all()
    filtered = open_tokens("worst_parses", parser=OTHER, status="words_differ")
    assert sorted(filtered.main.dataframe[-1].value["sentence"]) == [1, 2, 3, 5, 6, 7]
    equal = open_tokens("worst_parses", parser=OTHER, status="ok")
    assert list(equal.main.dataframe[-1].value["sentence"]) == [4]


def test_a_missing_score_has_a_column_of_its_own(open_app: Open):
    table = open_app("worst_parses", parser="better").main.dataframe[-1].value
    assert table["f1"].equals(table["f1_bar"].rename("f1"))
    assert table["f1"].isna().any()
