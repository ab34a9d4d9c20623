"""The page Sentence, without a browser."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools import align, drawing
from evaltools.app.sentence import OpenedList
from evaltools.frameworks.constituency.views import sentence_view
from evaltools.frameworks.views import Sentence, Viewing
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
from tests.pages.shown import blocks, components, link, marked, said
from tests.pages.tiny import HOSTILE_PARSER, score_tiny

Open = Callable[..., AppTest]
OpenOn = Callable[..., Open]
Score = Callable[..., evaltools.Run]


def table(app: AppTest) -> Any:
    return app.main.dataframe[0].value


@pytest.mark.parametrize("sentence", range(1, 8))
@pytest.mark.parametrize("parser", ["better", HOSTILE_PARSER])
def test_every_sentence_can_be_shown(open_app: Open, parser: str, sentence: int):
    app = open_app("sentence", parser=parser, sentence=str(sentence))
    assert not app.error


def test_a_sentence_is_taken_to_the_lab(open_app: Open):
    app = open_app("sentence", parser=HOSTILE_PARSER, sentence="7", open="texts")
    (link,) = [link for link in app.get("page_link") if link.proto.label == "Open in the metric lab"]
    assert link.proto.page == "lab"
    query = dict(parse_qsl(link.proto.query_string))
    lab = open_app("lab", **query)
    assert said(lab, "answer")[0].startswith("6 words")
    assert "glasses" in query["lab_test"]
    assert lab.query_params["lab_test"] == query["lab_test"]


def test_narrow_windows_show_a_long_sentence_one_repair_at_a_time(open_on: OpenOn, score_texts: Score):
    phrases = " ".join(["(NP (DT the) (NN dog))"] * 21)
    gold = f"(S (NP (PRP I)) (VP (VBD saw) {phrases} (PP (IN with) (NP (NNS eyes)))))"
    parse = gold.replace("(NP (PRP I))", "(PRP I)").replace("(NP (NNS eyes))", "(VP (NNS eyes))")
    short = [text.replace(phrases, "(NP (NN it))") for text in (gold, parse)]
    open_app = open_on(score_texts(f"{gold}\n{short[0]}\n", {"format": "ptb"}, one=f"{parse}\n{short[1]}\n"))
    (shown,) = marked(open_app("sentence", sentence="1"))
    assert [number for number, _ in shown["alone"]] == [verdict["number"] for verdict in shown["verdicts"]] == [1, 2]
    whole = dict(shown["drawings"])[330]
    for number, picture in shown["alone"]:
        assert len(picture) < len(whole)
        assert f'data-repair="{number}"' in picture
        assert f'data-repair="{3 - number}"' not in picture
    (shown,) = marked(open_app("sentence", sentence="2"))
    assert (len(shown["verdicts"]), shown["alone"]) == (2, [])


def test_both_lineages_of_every_word_are_under_a_heading_to_open(open_app: Open):
    listed = {"parser": HOSTILE_PARSER, "sentence": "7"}
    assert not [block for block in blocks(open_app("sentence", **listed)) if block["type"] == "rows"]
    (table,) = [block for block in blocks(open_app("sentence", **listed, open="lineages")) if block["type"] == "rows"]
    assert table["heads"][:3] == ["Leaf-anc. %", "Leaf-anc., exact %", "word"]
    assert table["heads"][3:] == ["lineage in gold", f"lineage in {HOSTILE_PARSER}"]
    at = [row[2] for row in table["rows"]].index("with")
    assert table["rows"][at][3:] == ["[ PP NP VP S", "[ PP VP S"]
    assert at in table["marked"]


def test_next_follows_the_list_that_the_sentence_was_opened_from(open_app: Open):
    app = open_app("worst_parses", parser=HOSTILE_PARSER, order="worst", metric="f1")
    order = table(app)["sentence"].tolist()
    query = link(app, "Open in Sentence")
    app = open_app("sentence", **query)
    place = f"in Worst parses ({HOSTILE_PARSER}, worst by Bracketing F1); Previous and Next follow this list."
    assert f"1 of {len(order)} {place}" in said(app, "note")
    assert app.button(key="go_Previous").disabled
    app.button(key="go_Next").click().run()
    assert app.query_params["sentence"] == str(order[1])
    assert f"2 of {len(order)} {place}" in said(app, "note")
    app.button(key="opened_list_end").click().run()
    assert "listed" not in app.query_params
    assert not any("follow this list" in text for text in said(app, "note"))
    app.button(key="go_Next").click().run()
    assert app.query_params["sentence"] == str(order[1] + 1) != str(order[2])


def test_a_list_belongs_to_its_parser(open_app: Open):
    app = open_app("sentence", parser=HOSTILE_PARSER, sentence="6", listed="hotspots~mine: NP~1~3~2.6.4")
    assert "2 of 3 in Hotspots (mine: NP); Previous and Next follow this list." in said(app, "note")
    app.selectbox(key="url_parser").set_value("better").run()
    assert "listed" not in app.query_params
    app.button(key="go_Next").click().run()
    assert app.query_params["sentence"] == "7"


def test_a_sentence_that_is_not_in_the_list_is_followed_by_that_of_the_file(open_app: Open):
    app = open_app("sentence", parser=HOSTILE_PARSER, sentence="3", listed="hotspots~mine: NP~1~3~2.6.4")
    assert "Not in the list of Hotspots (mine: NP): Previous and Next follow the file." in said(app, "note")
    app.button(key="go_Next").click().run()
    assert app.query_params["sentence"] == "4"


def test_the_link_has_the_part_of_a_long_list_around_its_sentence():
    order = [*range(200, 0, -1)]
    opened = OpenedList.around("worst_parses", "mine", order, 100)
    assert (opened.first, opened.total, opened.sentences) == (91, 200, tuple(range(110, 60, -1)))
    assert OpenedList.read(opened.query["listed"], 200) == opened
    assert opened.neighbors(110) == (None, 109)
    assert opened.describe(110).endswith("This link has no earlier ones; the list has them.")
    assert opened.describe(61).endswith("This link has no later ones; the list has them.")
    assert OpenedList.around("worst_parses", "mine", order, 199).describe(1).endswith("follow this list.")


@pytest.mark.parametrize(
    "text",
    ["", "x", "lab~a~1~1~1", "hotspots~a~1~1~9", "hotspots~a~0~1~1", "hotspots~a~2~2~1.2", "hotspots~a~1~2~1.1"],
)
def test_nonsense_is_no_list(text: str):
    assert OpenedList.read(text, 7) is None


def test_the_number_and_the_buttons_move_on(open_app: Open):
    app = open_app("sentence", sentence="6")
    app.button(key="go_Next").click().run()
    assert app.number_input(key="url_sentence_1").value == 7  # a new widget: the browser may still send 6
    assert app.button(key="go_Next").disabled
    app.number_input(key="url_sentence_1").set_value(2).run()
    assert app.query_params["sentence"] == "2"


def test_long_sentences_are_folded_unless_asked_otherwise(open_app: Open):
    app = open_app("sentence", sentence="6")
    assert app.toggle(key="url_fold").value is True
    app.toggle(key="url_fold").set_value(False).run()
    assert app.query_params["fold"] == "0"
    assert open_app("sentence", sentence="1").toggle(key="url_fold").value is False


def test_trees_stand_there_as_text(open_app: Open):
    app = open_app("sentence", sentence="3", parser=HOSTILE_PARSER, open="texts")
    shown = [one.value for one in app.code]
    assert "(S (NP (PRP She)) (VP (VBD left)))" in shown
    assert "no tree" in shown


def test_the_repair_is_told_and_a_step_is_marked(open_app: Open):
    app = open_app("sentence", sentence="7", parser=HOSTILE_PARSER, step="r0")
    (told,) = blocks(app, "story")
    ((status, title, text, remark),) = told["rows"]
    assert (status, title, remark) == (
        "moved",
        "PP attachment",
        "1 bracket repaired, none left; number 1 above",
    )
    assert text == "PP “with glasses” is in VP “saw a man …”, belongs in NP “a man …”"
    assert told["marked"] == [0]
    assert any("1 repair turns" in one and "1 to repair" in one for one in said(app, "note"))
    highlights = [json.loads(one.proto.json).get("highlight") for one in app.get("bidi_component") if one.proto.json]
    (marks,) = [one for one in highlights if one]
    assert marks["words"] == [4, 5]
    assert (len(marks["gold"]), len(marks["test"])) == (1, 1)


@pytest.mark.parametrize(
    ("parser", "sentence", "says"), [(HOSTILE_PARSER, "4", "over the same words"), ("better", "1", "Nothing to repair")]
)
def test_where_there_is_nothing_to_repair_the_page_says_why(open_app: Open, parser: str, sentence: str, says: str):
    app = open_app("sentence", sentence=sentence, parser=parser)
    assert not blocks(app, "story")
    assert any(says in text for text in said(app, "note"))


@pytest.mark.parametrize(
    ("sentence", "says"), [("3", "has no tree"), ("4", "tokens of the two trees differ"), ("5", "deletes every word")]
)
def test_what_cannot_be_scored_is_explained(open_app: Open, sentence: str, says: str):
    app = open_app("sentence", parser=HOSTILE_PARSER, sentence=sentence)
    texts = [each.value for each in (*app.main.info, *app.main.warning, *app.main.markdown, *app.main.caption)]
    texts += [each.proto.json for each in app.get("bidi_component")]
    assert says in "\n".join(texts)


@pytest.mark.usefixtures("nothing_cached")
@pytest.mark.parametrize("score", [score_tiny, score_dependencies, score_graphs], ids=lambda score: score.__name__)
def test_a_picture_above_the_limit_is_one_line_and_all_else_is_shown(
    open_app: Open, scored: Any, score: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    run = scored(score)
    monkeypatch.setattr(sys, "argv", ["app.py", str(run.path)])
    query = {"parser": run.parsers[-1], "sentence": "1", "trees": "1", "open": "texts"}
    whole = open_app("sentence", **query)
    st.cache_resource.clear()
    monkeypatch.setattr(drawing, "MAX_NODES", 2)
    monkeypatch.setattr(drawing, "MAX_WORDS", 1)
    app = open_app("sentence", **query)
    assert not app.error
    ((drawn,), (shown,)) = marked(whole), marked(app)
    assert shown["verdicts"] == drawn["verdicts"] != []
    assert drawn["drawings"] != shown["drawings"] == []
    assert re.fullmatch(r"Marked sentence: the picture would have \d+ words; expected at most 1", shown["absent"])
    (line,) = [text for text in said(app, "note") if text.endswith("nodes; expected at most 2")]
    assert line.startswith(("E- and T-mapping: ", "E-mapping: ", "Arcs: ", "Both graphs: "))
    for kind in ("answer", "strip", "steps", "story", "triples", "formulas"):
        assert blocks(app, kind) == blocks(whole, kind)
    assert [code.value for code in app.code][:1] == [code.value for code in whole.code][:1]


def test_two_parsers_have_one_marked_sentence(open_app: Open):
    app = open_app("sentence", parser=HOSTILE_PARSER, other="better", sentence="7", repair="2")
    (shown,) = marked(app)
    assert [(one["phrase"], one["badge"], one["share"]) for one in shown["verdicts"]] == [
        ("better", "A", 0),
        (HOSTILE_PARSER, "B", 1),
    ]
    assert shown["verdicts"][0]["text"] == "has no wrong brackets"
    assert (shown["total"], shown["focus"], shown["lead"]) == (1, 2, "")
    assert ["only-b", "wrong only in B: 1 missing, 0 spurious"] in shown["legend"]
    assert set(shown["keys"]) == {"a", "s", "v"}
    assert not marked(open_app("sentence", parser=HOSTILE_PARSER, other="better", sentence="4"))


def test_hiding_the_trees_gives_up_the_step_that_is_shown_in_them(open_app: Open):
    app = open_app("sentence", parser=HOSTILE_PARSER, sentence="7", step="r0")
    assert components(app, "panels")
    app.toggle(key="url_trees").set_value(False).run()
    assert not components(app, "panels")
    assert "step" not in app.query_params


def test_several_repairs_have_a_picture_each():
    gold, parse = (
        "(S (NP (N a)) (VP (V b) (NP (N c))))",
        "(S (N a) (VP (V b) (N c)))",
    )
    view = sentence_view(Sentence(align(gold, parse)), Viewing())
    (section,) = [section for section in view.sections if section.id == "strips"]
    assert (section.heading, section.place) == ("R-mapping: repair by repair", "under")
    (block,) = section.blocks
    (drawing,) = block.drawings
    assert drawing.draw(width=330).count("one-repair") >= 2
    one = sentence_view(Sentence(align(gold, "(S (NP (N a)) (VP (V b) (N c)))")), Viewing())
    assert not [section for section in one.sections if section.id == "strips"]
