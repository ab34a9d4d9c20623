"""Every count of what two analyses share or do not share says what it counts, and equal scopes have equal counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.frameworks.constituency.aligned_trees import mapping_counts
from evaltools.frameworks.constituency.alignment import align
from evaltools.frameworks.constituency.tree_distance import EDITS
from evaltools.frameworks.presets import load_preset
from evaltools.marks import Status
from tests.pages.shown import blocks, panels, said
from tests.slow.trees import pairs

Open = Callable[..., AppTest]
NODES = "nodes (brackets, tags and words)"
GOLD = "(S (NP (DT the) (NN man)) (VP (VBD saw) (NP (PRP it)) (PP (IN in) (NP (NN town)))))"
TEST = "(S (NP (DT the) (JJ man)) (VP (VBD saw) (NP (NP (PRP it)) (PP (IN in) (NP (NN town))))))"


def headers(panel: dict[str, Any]) -> list[tuple[str, dict[str, int]]]:
    """Return the lines of a panel's header: a scope, and its counts by their letters."""
    return [(scope, {letter: int(number) for _, letter, number, _ in counts}) for scope, counts in panel["counts"]]


def counted(text: str) -> tuple[str, dict[str, int]]:
    """Return the scope and the counts of a line such as “brackets: G 4 above · M 3 matched”."""
    scope, _, rest = text.partition(": ")
    return scope, {letter: int(number) for letter, number in re.findall(r"([A-Z])\s(\d+)\s", rest)}


@pytest.fixture
def open_pair(open_on: Callable[..., Open], score_texts: Callable[..., evaltools.Run]) -> Open:
    """Give a function that opens a page on a run of one sentence, with a wrong tag and a wrong bracket."""
    return open_on(score_texts(GOLD, p=TEST))


def test_the_sentence_page_has_one_scope_a_header_and_names_all_others(open_pair: Open):
    app = open_pair("sentence", parser="p", sentence="1", script="e")
    (panel,) = panels(app)
    assert (panel["kind"], panel["heading"]) == ("t", "E- and T-mapping")
    assert headers(panel) == [
        ("E, brackets", {"D": 0, "I": 1, "M": 6}),
        ("E, brackets and tags", {"D": 1, "I": 2, "M": 11}),
        (f"T, {NODES}", {"D": 0, "I": 1, "S": 1, "M": 17}),
    ]
    assert "E and T mark the same nodes." in said(app, "note")
    (formulas,) = blocks(app, "formulas")
    lines = {title: counted(text) for title, text, *_ in formulas["rows"]}
    assert lines["E-mapping: brackets"] == ("brackets", {"G": 6, "T": 7, "M": 6, "D": 0, "I": 1})
    assert lines["E-mapping: brackets incl. POS tags"] == (
        "brackets and tags",
        {"G": 12, "T": 13, "M": 11, "D": 1, "I": 2},
    )
    assert lines["T-mapping: tree-edit alignment"][0] == NODES
    counts = lines["T-mapping: tree-edit alignment"][1]
    assert {name: counts[name] for name in "DISM"} == {"D": 0, "I": 1, "S": 1, "M": 17}
    assert said(app, "answer")[0].endswith("; 1 repair for 1 spurious bracket.")
    assert any("one for each bracket, tag or word that only one tree has" in text for text in said(app, "note"))


def test_both_mappings_are_shown_where_they_mark_other_nodes(
    open_on: Callable[..., Open], score_texts: Callable[..., evaltools.Run]
):
    gold = "(S (NP (DT the) (JJ man)) (A (B (X (V saw) (PRP it)))))"
    open_page = open_on(score_texts(gold, p=gold.replace("(A (B", "(B (A")))
    app = open_page("sentence", parser="p", sentence="1")
    e, t = panels(app)
    assert headers(e) == [("brackets", {"D": 0, "I": 0, "M": 5})]
    assert e["note"] == "All nodes match."
    assert headers(t) == [(NODES, {"D": 1, "I": 1, "S": 0, "M": 12})]
    assert t["note"] == ""
    assert "T marks 2 nodes that E matches." in said(app, "answer")
    (merged,) = panels(open_page("sentence", parser="p", sentence="1", beside="0"))
    assert (merged["kind"], merged["heading"]) == ("t", "T-mapping: tree-edit alignment")
    assert [scope for scope, _ in headers(merged)] == ["E, brackets", "E, brackets and tags", f"T, {NODES}"]


def test_both_mappings_are_shown_from_a_list_about_both_or_where_the_link_says_so(open_pair: Open):
    query = {"parser": "p", "sentence": "1", "metric": "f1", "metric2": "ted"}
    shown = {
        title: [panel["kind"] for panel in panels(open_pair("sentence", **query, **more))]
        for title, more in (
            ("list", {"listed": "disagreement~p~1~1~1"}),
            ("other list", {"listed": "worst_parses~p~1~1~1"}),
            ("link", {"beside": "1"}),
            ("list and link", {"listed": "disagreement~p~1~1~1", "beside": "0"}),
        )
    }
    assert shown == {"list": ["e", "t"], "other list": ["t"], "link": ["e", "t"], "list and link": ["t"]}


def test_the_switch_of_both_mappings_keeps_what_was_chosen(open_pair: Open):
    app = open_pair("sentence", parser="p", sentence="1")
    (switch,) = (toggle for toggle in app.toggle if toggle.label == "E beside T")
    for value in (True, False):
        switch.set_value(value).run()
        assert app.query_params["beside"] == str(int(value))


@pytest.mark.parametrize(("part", "scope"), [("roof", "brackets"), ("whole", "brackets and tags")])
def test_the_lab_counts_in_the_header_what_it_lists_above(open_app: Open, part: str, scope: str):
    app = open_app("lab", lab_gold=GOLD, lab_test=TEST, lab_show="e t", lab_part=part)
    listed = blocks(app, "triples")
    e = next(panel for panel in panels(app) if panel["kind"] == "e")
    ((of_e, counts),) = headers(e)
    assert of_e == scope
    for letter, block in zip("MDI", listed, strict=True):
        says, rows = block["remark"], block["rows"]
        assert counts[letter] == len(rows)
        unit = "bracket" if (len(rows), part) == (1, "roof") else scope
        assert says == f"{letter} = {len(rows)} {unit}"
    line = said(app, "answer")[0]
    assert "; by tree edit (T), 1 node spurious, 1 relabeled." in line


@given(pairs(most_words=8, same_words=False))
def test_the_counts_of_a_header_are_those_of_the_scores(pair):
    alignment = align(*pair, load_preset("none"))
    for part in ("roof", "whole"):
        scope, counts = mapping_counts(alignment, "e", part)
        matched = counts[Status.RIGHT]
        assert scope == {"roof": "brackets", "whole": "brackets and tags"}[part]
        assert matched == alignment.counts[f"e_matched_{part}"]
        assert counts[Status.MISSING] == alignment.counts[f"e_gold_{part}"] - matched
        assert counts[Status.SPURIOUS] == alignment.counts[f"e_test_{part}"] - matched
    _, counts = mapping_counts(alignment, "t")
    assert counts == {
        status: alignment.counts[column] for column, status in (EDITS | {"t_matched": Status.RIGHT}).items()
    }
