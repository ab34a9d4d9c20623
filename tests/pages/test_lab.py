"""The *Metric lab* page, without a browser: its links, its trees, its figures and its pictures."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st
from streamlit.testing.v1 import AppTest

from evaltools import Tree
from evaltools.app import components
from evaltools.app.lab import edited, lab_links, lab_query, pack, read_typed, unpack
from evaltools.app.pages import lab
from evaltools.app.widgets.saving import Saving
from evaltools.classroom.examples import lab_pairs
from evaltools.classroom.lessons import bundled_lessons
from evaltools.corpus.editing import read_edits
from evaltools.drawing.palette import COLORS, DARK_COLORS
from evaltools.frameworks.constituency.views import typed_text
from evaltools.outputs.pictures import PICTURE_FILES
from tests.pages.shown import blocks, said

Open = Callable[..., AppTest]

GOLD = "(S (NP (N dogs)) (VP (V bark)))"
TEST = "(S (NP (N dogs)) (NP (V bark)))"
LONG = "(S " + " ".join(f"(NP (DT the) (NN word{number}))" for number in range(20)) + ")"
SVG = "{http://www.w3.org/2000/svg}"


def mounted(app: AppTest) -> list[dict[str, Any]]:
    return [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]


def board(app: AppTest) -> dict[str, tuple[str, str]]:
    (shown,) = blocks(app, "scores")
    return {title: (value, change) for title, _, value, change in shown["rows"]}


def editor(app: AppTest) -> dict[str, Any]:
    (data,) = [data for data in mounted(app) if "nodes" in data]
    return data


def problems(app: AppTest) -> list[str]:
    """Return the problems of the trees that are listed: line, column, what was found and expected."""
    listed = [block for block in blocks(app, "rows") if block["heads"][0] == "file"]
    return [" ".join(map(str, row[1:])) for block in listed for row in block["rows"]]


def formulas(app: AppTest) -> dict[str, tuple[str, str]]:
    """Return the formulas: title to numbers and value."""
    return {title: (numbers, value) for block in blocks(app, "formulas") for title, _, numbers, value in block["rows"]}


@pytest.mark.slow
@pytest.mark.parametrize("pair", lab_pairs())
def test_every_ready_pair_can_be_shown_with_everything_explained(open_app: Open, pair: str):
    app = open_app("lab", lab_pair=pair, lab_show="e la t")
    assert not app.exception
    assert not app.error
    assert blocks(app, "picture")


def test_the_first_pair_is_there_at_once_and_another_can_be_chosen(open_app: Open):
    app = open_app("lab", lab_edits="d5")
    assert not app.exception
    app.selectbox(key="url_lab_pair").set_value("ancestry").run()
    assert board(app)["Bracketing F1"] == ("100.00", "")
    assert "lab_edits" not in app.query_params
    assert app.query_params["lab_pair"] == "ancestry"
    assert list(board(open_app("lab"))) == [
        "Bracketing F1",
        "Labeled recall",
        "Labeled precision",
        "Tree-edit similarity (Dice)",
        "Leaf-ancestor, graded",
        "Errors per sentence",
    ]


def test_a_link_brings_trees_and_edits_of_which_some_may_be_undone(open_app: Open):
    app = open_app("lab", lab_gold=GOLD, lab_test=TEST, lab_edits="r5,VP d2")
    assert board(app)["Bracketing F1"] == ("80.00", "−20.00")
    assert board(app)["Labeled precision"] == ("100.00", "")
    assert editor(app)["message"] == "Done: deleted NP over “dogs”."
    assert (editor(app)["undo"], editor(app)["redo"]) == (True, False)
    app = open_app("lab", lab_gold=GOLD, lab_test=TEST, lab_edits="r5,VP d2", lab_done="1")
    assert "equal" in said(app, "answer")[0]
    assert (editor(app)["undo"], editor(app)["redo"]) == (True, True)
    app = open_app("lab", lab_gold=GOLD, lab_test=TEST, lab_edits="d0")
    assert "words cannot be" in editor(app)["message"]


def test_edits_are_done_up_to_the_first_that_is_impossible():
    dogs = Tree.from_string(GOLD)
    after = edited(dogs, read_edits("r5,NP i2,2,X d2"), 3)
    assert (str(after.tree), after.outcome) == ("(S (X (N dogs)) (NP (V bark)))", "Done: deleted NP over “dogs”.")
    assert str(after.before) == "(S (X (NP (N dogs))) (NP (V bark)))"
    after = edited(dogs, read_edits("d0 r5,NP"), 2)
    assert (after.tree, after.edits, after.done) == (dogs, (), 0)
    assert "words cannot be" in after.outcome


def test_trees_wait_in_the_lab_and_go_to_no_other_page(open_app: Open):
    app = open_app("lab", lab_gold=GOLD, lab_test=TEST, parser="better")
    for page, trees in (("worst_parses", None), ("lab", GOLD), ("sentence", None), ("lab", GOLD)):
        app.query_params.clear()  # as the navigation does
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
        assert app.query_params["parser"] == "better"
        assert app.query_params.get("lab_gold") == trees


def test_long_trees_are_packed():
    assert pack(GOLD) == GOLD
    assert lab_query(GOLD, TEST, preset="none") == {"lab_gold": GOLD, "lab_test": TEST, "lab_preset": "none"}
    packed = pack(LONG)
    assert len(packed) < len(LONG) / 2
    assert unpack(packed) == LONG
    assert unpack("~%%%") == ""


@given(st.text(max_size=400))
def test_what_is_packed_comes_back(text: str):
    assert unpack(pack(text)) == text


@given(st.text(max_size=60) | st.text("~ABCabc-_09", max_size=60).map("~".__add__))
def test_a_damaged_link_gives_some_text(text: str):
    assert isinstance(unpack(text), str)


PIECES = st.lists(st.sampled_from(["(", ")", "[", "]", " ", "\n", "S", "NP", "dog", "é", "漢", "\x00", "-NONE-", "0="]))


@given(PIECES.map("".join) | st.text(max_size=40))
def test_any_text_is_a_tree_or_has_problems(text: str):
    typed = read_typed(text, "gold")
    assert typed.tree is not None or typed.problems
    lines = text.split("\n")
    for problem in typed.problems:
        if problem.line is not None and problem.column is not None:
            assert 1 <= problem.line <= len(lines)
            assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
    if typed.tree is not None:
        assert typed.tree.words
        again = read_typed(typed_text(typed.tree), "gold").tree
        assert again is not None
        assert len(again.words) == len(typed.tree.words)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "nothing"),
        ("(S (N dogs)) (S (N cats))", "second tree"),
        ("dogs bark", "text outside any bracket"),
        ("(S (NP))", "without words"),
        ("(S (N dogs)", "never closed"),
        ("[S dogs bark ]]", "1 15 "),
        ("(S (N d\u00e9j\u00e0)))", "1 13 "),
        ("(S (A a)\r\r(B b)) x", "1 18 "),
        (
            "(S (NP (N dogs)))\n (VP (V bark)))",
            "2 15 ')' without its opening bracket '(' before it",
        ),
    ],
)
def test_mistakes_of_every_kind_are_shown_where_they_are(open_app: Open, text: str, message: str):
    app = open_app("lab", lab_gold=GOLD, lab_test=text or " ")
    assert not app.exception
    assert any(message in problem for problem in problems(app))


def test_notations_can_be_mixed_and_odd_brackets_are_shown(open_app: Open):
    app = open_app("lab", lab_gold=GOLD, lab_test="[S [NP dogs ] [VP bark ] [X ] ]")
    assert not app.exception
    assert any("without words" in one for one in problems(app))
    assert "Tree-edit similarity (Dice)" in board(app)


def test_a_phrase_that_is_read_as_a_tag_is_noted(open_app: Open):
    app = open_app("lab", lab_gold="(S (NP (PRP she)) (VP (V left)))", lab_test="(S (NP she) (VP (V left)))")
    assert any(text.startswith("NP is read as the tag of “she”") for text in said(app, "note"))
    app = open_app("lab", lab_gold=GOLD, lab_test=GOLD)
    assert not any("is read as the tag" in text for text in said(app, "note"))


def test_rules_are_chosen(open_app: Open):
    query = {"lab_gold": GOLD, "lab_test": "(S (NX (N dogs)) (VP (V bark)))"}
    assert board(open_app("lab", **query))["Leaf-ancestor, graded"][0] == "96.88"
    assert board(open_app("lab", **query, lab_part="whole"))["Bracketing F1 incl. POS tags"][0] == "80.00"
    functions = open_app("lab", lab_pair="functions", lab_preset="standard")
    assert board(functions)["Bracketing F1"][0] == "100.00"


def test_damaged_links_do_no_harm(open_app: Open):
    odd = {"lab_pair": "none", "lab_gold": "~zzz", "lab_edits": "x y", "lab_done": "-3", "lab_preset": "high"}
    assert not open_app("lab", **odd, lab_show="e e what", lab_word="99", lab_step="e9999999").exception


def test_labels_are_shown_as_they_are(open_app: Open):
    gold = "(S (<b> $x$) (*VP* :red[y]))"
    app = open_app("lab", lab_gold=gold, lab_test=gold.replace("*VP*", "<i>"), lab_show="e la t", lab_part="whole")
    assert not app.exception
    shown = json.dumps(blocks(app, "triples"), ensure_ascii=False)
    assert "*VP*" in shown
    assert "<i>" in shown
    assert all("*VP*" not in one.value for one in app.markdown)


def test_the_sets_of_brackets_add_up_and_one_is_chosen(open_app: Open):
    app = open_app("lab", lab_pair="coordination-scope", lab_show="e", lab_step="e0")
    both, gold, test = blocks(app, "triples")
    assert [column["remark"] for column in (both, gold, test)] == ["M = 3 brackets", "D = 2 brackets", "I = 3 brackets"]
    assert formulas(app)["F1 (Dice)"] == ("2 × 3 / (5 + 6)", "54.55 %")
    assert "Jaccard" not in formulas(app)
    (panels,) = [data for data in mounted(app) if data.get("panels")]
    assert panels["highlight"] == [0, None]


def test_another_mapping_is_shown_with_the_reason(open_app: Open):
    for pair, reason in (
        ("ancestry", "matches more nodes: 8 instead of 7"),
        ("emms-figure-2", "tags with tags and phrases with phrases: 5 instead of 4"),
        ("pp-low", "the only one"),
    ):
        app = open_app("lab", lab_pair=pair, lab_show="t")
        assert any(reason in text for text in said(app, "note")), pair


def test_a_word_is_chosen(open_app: Open):
    app = open_app("lab", lab_pair="sampson-1", lab_show="la", lab_word="1")
    headings = [one["heading"] for one in blocks(app, "picture")]
    assert "“tax”: its two lineages, symbol by symbol" in headings
    (strip,) = blocks(app, "strip")
    assert strip["chosen"] == 1


ODD = {
    "nothing left": ("(S (. .))", "(S (. .))"),
    "one side left": ("(S (. .) (N a))", "(S (, .) (. a))"),
    "words differ": ("(S (N cannot) (V go))", "(S (N can) (N not) (V go))"),
    "nothing in common": ("(S (N a))", "(T (M b) (M c) (M d))"),
    "empty brackets": ("(S (NP ) (VP (V go) (X )))", "(S (VP (V go)))"),
    "empty elements": ("(S (NP-SBJ (-NONE- *)) (VP (V go)))", "(S (NP-SBJ (-NONE- *)) (VP (V go)))"),
    "no label": ("( (S (N a) (V b)))", "( (S (N a)) (V b))"),
    "one word": ("(N a)", "[a b ]"),
    "right to left": ("(S (NP (N الطالب)) (VP (V كتب) (NP (N الدرس))))", "(S (NP (N الطالب) (V كتب)) (NP (N الدرس)))"),
    "deep": ("(S " * 60 + "(N a)" + ")" * 60, "(S " * 50 + "(N a)" + ")" * 50),
}


@pytest.mark.parametrize("preset", ["none", "standard", "collins"])
@pytest.mark.parametrize("pair", ODD)
@pytest.mark.slow
def test_odd_trees_do_no_harm(open_app: Open, pair: str, preset: str):
    gold, test = ODD[pair]
    query = {"lab_gold": gold, "lab_test": test, "lab_preset": preset, "lab_text": "1"}
    app = open_app("lab", **query, lab_show="e la t")
    assert not app.exception
    assert not app.error
    assert said(app, "answer")


def drawn_statuses(svg: str) -> set[tuple[str, str]]:
    statuses = {"right", "missing", "spurious", "relabeled", "moved"}
    found = set()
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        names = set(str(group.get("class")).split())
        if "node" in names and "key" not in names:
            text = "".join(item.text or "" for item in group.iter(f"{SVG}text"))
            found |= {(text, status) for status in names & statuses}
    return found


def test_what_only_one_tree_has_is_marked_alike_by_every_metric(open_app: Open):
    gold, test = "(S (NP (D the) (N dog)) (V barks))", "(S (D the) (VP (N dog) (V barks)))"
    app = open_app("lab", lab_gold=gold, lab_test=test, lab_show="e la t")
    panels = {panel["kind"]: panel["svg"] for item in mounted(app) for panel in item.get("panels", ())}
    for svg in (editor(app)["svg"], panels["e"], panels["t"]):
        found = drawn_statuses(svg)
        assert {("NP", "missing"), ("VP", "spurious")} <= found
        assert not {status for text, status in found if text in ("S", "D", "N", "V", "the")} - {"right"}
    assert [(row[0], row[3]) for block in blocks(app, "triples") for row in block["rows"]] == [
        ("right", "S"),
        ("missing", "NP"),
        ("spurious", "VP"),
    ]
    assert [row for block in blocks(app, "steps") for row in block["rows"]] == [
        ["missing", "delete NP over “the dog”"],
        ["spurious", "insert VP over “dog barks”"],
    ]


def test_a_label_that_differs_is_marked_alike_in_lineages_and_trees(open_app: Open):
    app = open_app("lab", lab_gold=GOLD, lab_test=GOLD.replace("VP", "ADJP"), lab_show="la t")
    panels = {panel["kind"]: panel["svg"] for item in mounted(app) for panel in item.get("panels", ())}
    assert {("VP", "relabeled"), ("ADJP", "relabeled")} <= drawn_statuses(panels["t"])
    (lineages,) = [one["drawn"][0][1] for one in blocks(app, "picture") if "symbol by symbol" in one["heading"]]
    assert 'class="step relabeled"' in lineages


def test_components_have_the_colors_of_the_drawings():
    style = components._status_colors()
    for theme, colors in (("light", COLORS), ("dark", DARK_COLORS)):
        for status, color in colors.items():
            assert f"--{status}: {color};" in style
            assert f"--evaltools-{status}: {color};" in style.split(f".{theme} .evaltools.auto")[1].split("}")[0]


@pytest.mark.parametrize("pair", ["functions", "one-word-or-two", "coordination-scope"])
def test_one_button_saves_everything_and_every_picture_has_its_title(
    open_app: Open, monkeypatch: pytest.MonkeyPatch, pair: str
):
    saved: list[tuple[Saving, ...]] = []
    monkeypatch.setattr(lab, "save", lambda key, *things: saved.append(things))
    app = open_app("lab", lab_pair=pair, lab_show="e la t")
    assert not app.exception
    (things,) = saved
    names = [item.name for item in things]
    assert len(names) == len(set(names))
    assert {"lab-both", "lab-gold", "lab-parse", "lab-e", "lab-t"} <= set(names)
    assert "lab-In-both-trees" in names
    for item in things:
        if item.files.keys() <= PICTURE_FILES.keys():
            svg = ET.fromstring(item.files["svg"][3](True))
            titles = [text.text for text in svg.iter(f"{SVG}text") if "heading" in str(text.get("class")).split()]
            assert len(titles) == 1, item.name


DIFFERENT = {
    "number": ("(S (MD can) (RB not) (VB go))", "(S (MD cannot) (VB go))"),
    "form": ("(S (NN colour) (VB fades))", "(S (NN color) (VB fades))"),
}


@pytest.mark.parametrize("preset", ["none", "collins", "new"])
@pytest.mark.parametrize("kind", DIFFERENT)
def test_words_that_differ_are_explained(open_app: Open, kind: str, preset: str):
    gold, test = DIFFERENT[kind]
    app = open_app("lab", lab_gold=gold, lab_test=test, lab_preset=preset, lab_show="e la t")
    assert not app.exception
    notes = " ".join(said(app, "note"))
    is_evalb = preset in ("collins", "new")
    assert ("bracketing (E) and leaf-ancestor (LA) are undefined" in notes) == is_evalb
    assert ("They are aligned" in notes) == (not is_evalb)
    assert (board(app)["Bracketing F1"][0] == "–") == is_evalb
    assert board(app)["Tree-edit similarity (Dice)"][0] != "–"


def test_words_that_differ_only_where_the_preset_deletes(open_app: Open):
    gold, test = "(S (N dogs) (V bark) (. .))", "(S (N dogs) (V bark))"
    notes = " ".join(said(open_app("lab", lab_gold=gold, lab_test=test, lab_preset="collins"), "note"))
    assert "With this preset the words that are compared are the same" in notes


def test_what_a_step_shows_is_open_in_the_lab():
    steps = bundled_lessons()["lineages"].steps
    assert lab_links(steps[1].material)[0][1]["lab_word"] == "1"
    assert lab_links(steps[2].material)[0][1]["lab_show"] == "la"
