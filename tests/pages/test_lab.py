"""The *Metric lab* page, without a browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from evaltools.app.lab.trees import lab_query, pack, unpack
from evaltools.classroom.examples import lab_pairs
from tests.pages.shown import blocks, said

Open = Callable[..., AppTest]

GOLD = "(S (NP (N dogs)) (VP (V bark)))"
TEST = "(S (NP (N dogs)) (NP (V bark)))"
LONG = "(S " + " ".join(f"(NP (DT the) (NN word{number}))" for number in range(20)) + ")"


def board(app: AppTest) -> dict[str, tuple[str, str]]:
    """Return the scores that are shown, with how they changed."""
    (shown,) = blocks(app, "scores")
    return {title: (value, change) for title, _, value, change in shown["rows"]}


def editor(app: AppTest) -> dict[str, Any]:
    """Return what the tree editor was given."""
    every = [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]
    (data,) = [data for data in every if "nodes" in data]
    return data


def problems(app: AppTest) -> list[dict[str, Any]]:
    """Return what is said of the trees that are typed."""
    every = [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]
    return [problem for data in every for problem in data.get("problems", ())]


@pytest.mark.slow
@pytest.mark.parametrize("pair", lab_pairs())
def test_every_ready_pair_can_be_shown_with_everything_explained(open_app: Open, pair: str):
    app = open_app("lab", lab_pair=pair, lab_show="e crossing la t tedeval edm")
    assert not app.exception
    assert not app.error
    assert len(blocks(app, "picture")) >= 1


def test_the_first_pair_is_there_at_once(open_app: Open):
    app = open_app("lab")
    assert not app.exception
    assert board(app)["Bracketing F1"] == ("92.31", "")
    assert "; by tree edit (T), 1 node spurious." in said(app, "answer")[0]


def test_a_link_brings_trees_and_edits(open_app: Open):
    app = open_app("lab", lab_gold=GOLD, lab_test=TEST, lab_edits="r5,VP d2")
    assert board(app)["Bracketing F1"] == ("80.00", "−20.00")
    assert board(app)["Labeled precision"] == ("100.00", "")
    steps = [row for block in blocks(app, "steps") for row in block["rows"]]
    assert steps == [
        ["relabeled", "relabeled NP over “bark” as VP – cost 1"],
        ["missing", "deleted NP over “dogs” – cost 1"],
    ]
    assert (editor(app)["undo"], editor(app)["redo"]) == (True, False)


def test_undone_edits_stay_in_the_link(open_app: Open):
    app = open_app("lab", lab_gold=GOLD, lab_test=TEST, lab_edits="r5,VP d2", lab_done="1")
    assert "equal" in said(app, "answer")[0]
    assert [row[0] for block in blocks(app, "steps") for row in block["rows"]] == ["relabeled", "discarded"]
    assert (editor(app)["undo"], editor(app)["redo"]) == (True, True)


def test_trees_wait_in_the_lab_and_go_to_no_other_page(open_app: Open):
    app = open_app("lab", lab_gold=GOLD, lab_test=TEST, parser="better")
    for page, trees in (("worst_parses", None), ("lab", GOLD), ("sentence", None), ("lab", GOLD)):
        app.query_params.clear()  # as the navigation does
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
        assert app.query_params["parser"] == "better"
        assert app.query_params.get("lab_gold") == trees


def test_an_edit_that_cannot_be_done_is_told(open_app: Open):
    app = open_app("lab", lab_gold=GOLD, lab_test=TEST, lab_edits="d0")
    assert "words cannot be" in editor(app)["message"]
    assert not app.exception


def test_long_trees_are_packed():
    assert pack(GOLD) == GOLD
    packed = pack(LONG)
    assert len(packed) < len(LONG) / 2
    assert unpack(packed) == LONG
    assert unpack(packed[:-9]) in ("", unpack(packed[:-9]))
    assert unpack("~%%%") == ""
    assert unpack(pack("~odd")) == "~odd"


def test_the_place_of_a_mistake_is_shown(open_app: Open):
    text = "(S (NP (N dogs)))\n (VP (V bark)))"
    app = open_app("lab", lab_gold=GOLD, lab_test=text)
    assert not app.exception
    (problem,) = [one for one in problems(app) if "second tree" not in one["message"]]
    assert problem["message"] == "line 2, column 15: ')' without its opening bracket; expected '(' before it"
    assert problem["at"] == text.rindex(")")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing"),
        ("(S (N dogs)) (S (N cats))", "second tree"),
        ("dogs bark", "text outside any bracket"),
        ("(S (NP))", "without words"),
        ("(S (N dogs)", "never closed"),
        ("[S dogs bark ]]", "line 1, column 15"),
        ("(S (N d\u00e9j\u00e0)))", "line 1, column 13"),
    ],
)
def test_mistakes_of_every_kind(open_app: Open, text: str, says: str):
    app = open_app("lab", lab_gold=GOLD, lab_test=text or " ")
    assert not app.exception
    assert any(says in one["message"] for one in problems(app))


def test_notations_can_be_mixed_and_odd_brackets_are_shown(open_app: Open):
    app = open_app("lab", lab_gold=GOLD, lab_test="[S [NP dogs ] [VP bark ] [X ] ]")
    assert not app.exception
    assert any("without words" in one["message"] for one in problems(app))
    assert "Tree-edit similarity (Dice)" in board(app)


def test_a_phrase_that_is_read_as_a_tag_is_noted(open_app: Open):
    test = "(S (NP she) (VP (V left)))"
    app = open_app("lab", lab_gold="(S (NP (PRP she)) (VP (V left)))", lab_test=test)
    assert any(text.startswith("NP is read as the tag of “she”") for text in said(app, "note"))
    app = open_app("lab", lab_gold=GOLD, lab_test=GOLD)
    assert not any("is read as the tag" in text for text in said(app, "note"))


def test_a_move_says_why_it_costs_two(open_app: Open):
    text = "[A [B v [C w [D y ] ] ] x ]"
    app = open_app("lab", lab_gold=text, lab_test=text, lab_edits="a6,3")
    assert not app.exception
    assert any("Tree distance has no moves" in note for note in said(app, "note"))


def test_a_pair_is_chosen_and_forgotten(open_app: Open):
    app = open_app("lab", lab_edits="d5")
    app.selectbox(key="url_lab_pair").set_value("ancestry").run()
    assert not app.exception
    assert board(app)["Bracketing F1"][0] == "100.00"
    assert "lab_edits" not in app.query_params
    assert app.query_params["lab_pair"] == "ancestry"


def test_trees_are_taken_from_the_open_run(open_app: Open):
    app = open_app("lab")
    app.number_input(key="lab_sentence").set_value(7)
    app.selectbox(key="lab_parser").set_value(app.selectbox(key="lab_parser").options[1])
    next(one for one in app.button if one.label == "Use these trees").click().run()
    assert not app.exception
    assert said(app, "answer")[0].startswith("6 words: F1")
    assert "lab_gold" in app.query_params
    app.number_input(key="lab_sentence").set_value(3)
    next(one for one in app.button if one.label == "Use these trees").click().run()
    assert "no tree" in editor(app)["message"]


def test_what_if(open_app: Open):
    query = {"lab_gold": "(S (NP (N dogs)) (VP (V bark)))", "lab_test": "(S (NX (N dogs)) (VP (V bark)))"}
    assert board(open_app("lab", **query))["Leaf-ancestor, graded"][0] == "96.88"
    app = open_app("lab", **query, lab_initial="1.0", lab_any="2.0")
    assert board(app)["Leaf-ancestor, own costs"][0] == "93.75"
    assert board(open_app("lab", **query, lab_equal="NP NX"))["Bracketing F1"][0] == "100.00"
    assert board(open_app("lab", **query, lab_part="whole"))["Bracketing F1 incl. POS tags"][0] == "80.00"
    twice = open_app("lab", **query, lab_equal="NP NX; NP S")
    assert any("two classes" in one.value for one in twice.code)
    functions = open_app("lab", lab_pair="functions", lab_preset="standard")
    assert board(functions)["Bracketing F1"][0] == "100.00"


def test_damaged_links_do_no_harm(open_app: Open):
    odd = {"lab_pair": "none", "lab_gold": "~zzz", "lab_edits": "x y", "lab_done": "-3", "lab_any": "high"}
    assert not open_app("lab", **odd, lab_show="e e what", lab_word="99", lab_step="e9999999").exception


def test_labels_are_shown_as_they_are(open_app: Open):
    gold = "(S (<b> $x$) (*VP* :red[y]))"
    app = open_app("lab", lab_gold=gold, lab_test=gold.replace("*VP*", "<i>"), lab_show="e la t", lab_part="whole")
    assert not app.exception
    shown = json.dumps([block for block in blocks(app) if block["type"] == "triples"], ensure_ascii=False)
    assert "*VP*" in shown
    assert "<i>" in shown
    assert all("*VP*" not in one.value for one in app.markdown)


def test_the_query_of_a_link():
    assert lab_query(GOLD, TEST, preset="none") == {"lab_gold": GOLD, "lab_test": TEST, "lab_preset": "none"}


def rows(app: AppTest, heading: str) -> dict[str, tuple[str, str]]:
    """Return the formulas under a heading: title to numbers and value."""
    (block,) = [one for one in blocks(app, "formulas") if one["heading"] == heading]
    return {title: (numbers, value) for title, _, numbers, value in block["rows"]}


def test_the_sets_of_brackets_add_up(open_app: Open):
    app = open_app("lab", lab_pair="coordination-scope", lab_show="e crossing")
    ((both, gold, test),) = [block["columns"] for block in blocks(app, "triples")]
    assert [column[1] for column in (both, gold, test)] == ["M = 3 brackets", "D = 2 brackets", "I = 3 brackets"]
    assert rows(app, "The formulas with these numbers")["F1 (Dice)"] == ("2 × 3 / (5 + 6)", "54.55 %")
    assert any("1 bracket of the test tree crosses" in text for text in said(app, "note"))
    assert "1. NX over “men and women”" in [one["heading"] for one in blocks(app, "picture")]


def test_another_mapping_is_shown_with_the_reason(open_app: Open):
    app = open_app("lab", lab_pair="ancestry", lab_show="t")
    assert any("matches more nodes: 8 instead of 7" in text for text in said(app, "note"))
    app = open_app("lab", lab_pair="emms-figure-2", lab_show="t")
    assert any("tags with tags and phrases with phrases: 5 instead of 4" in text for text in said(app, "note"))
    app = open_app("lab", lab_pair="pp-low", lab_show="t")
    assert any("the only one" in text for text in said(app, "note"))


def test_functions_and_the_golds_of_two_theories(open_app: Open):
    app = open_app("lab", lab_pair="functions", lab_show="tedeval")
    assert rows(app, "δ and the score")["score"] == ("1 − 4 / (4 + 4)", "50.00 %")
    pair = lab_pairs()["functions"]
    app = open_app("lab", lab_pair="functions", lab_show="tedeval", lab_third=pair.test)
    assert rows(app, "δ and the score")["δ"][1] == "0"
    assert any("Generalization" in one["heading"] for one in blocks(app, "picture"))
    app = open_app("lab", lab_pair="functions", lab_show="tedeval", lab_third="(S dogs bark)")
    assert any("There is no score" in text for text in said(app, "note"))


def test_two_graphs(open_app: Open):
    app = open_app("lab", lab_show="edm")
    names, arguments, properties = next(block["columns"] for block in blocks(app, "triples"))
    assert [len(one[2]) for one in (names, arguments, properties)] == [7, 7, 13]
    broken = open_app("lab", lab_show="edm", lab_graph="{e2: e2:_rain_v_1<3:8>{e TENSE pres}[")
    assert not broken.exception
    assert any("not closed" in one["message"] for one in problems(broken))


def test_a_word_is_chosen(open_app: Open):
    app = open_app("lab", lab_pair="sampson-1", lab_show="la", lab_word="1", lab_la="la_exact")
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
    "wide": ("(S (NP (NN 猫)) (VP (VV 睡觉)))", "(S (NP (NN 猫) (VV 睡觉)))"),
    "deep": ("(S " * 60 + "(N a)" + ")" * 60, "(S " * 50 + "(N a)" + ")" * 50),
}


@pytest.mark.parametrize("preset", ["none", "standard", "collins", "new"])
@pytest.mark.parametrize("pair", ODD)
@pytest.mark.slow
def test_odd_trees_do_no_harm(open_app: Open, pair: str, preset: str):
    gold, test = ODD[pair]
    query = {"lab_gold": gold, "lab_test": test, "lab_preset": preset, "lab_text": "1", "lab_any": "1"}
    app = open_app("lab", **query, lab_show="e crossing la t tedeval edm")
    assert not app.exception
    assert not app.error
    assert said(app, "answer")
