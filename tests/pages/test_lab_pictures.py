"""The pictures of the metric lab: a status has one color and one mark everywhere, and every picture has a title."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import pytest

from evaltools.app import components, sentence
from evaltools.app.components import blocks
from evaltools.app.pages import lab
from evaltools.drawing.palette import COLOURS, DARK_COLOURS
from evaltools.outputs.pictures import PICTURE_FILES
from tests.pages.shown import blocks as shown_blocks
from tests.pages.shown import said

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.testing.v1 import AppTest

    from evaltools.app.widgets.saving import Saving

    Open = Callable[..., AppTest]

SVG = "{http://www.w3.org/2000/svg}"
GOLD = "(S (NP (D the) (N dog)) (V barks))"
TEST = "(S (D the) (VP (N dog) (V barks)))"
"""NP is only in the gold tree, VP only in the test tree, by every metric."""

EVERYTHING = "e crossing la t tedeval edm"


def mounted(app: AppTest) -> list[dict[str, Any]]:
    return [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]


def drawn_statuses(svg: str, role: str) -> set[tuple[str, str]]:
    """Return label and status of the nodes or bars of a drawing; the mark stands before the label of a bar."""
    statuses = {"right", "missing", "spurious", "relabeled", "moved"}
    found = set()
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        names = set(str(group.get("class")).split())
        if role in names and "key" not in names:
            text = "".join(item.text or "" for item in group.iter(f"{SVG}text"))
            found |= {(text, status) for status in names & statuses}
    return found


@pytest.mark.parametrize("mapping", ["t", "e"])
def test_what_only_one_tree_has_is_marked_alike_by_every_metric(open_app: Open, mapping: str):
    app = open_app("lab", lab_gold=GOLD, lab_test=TEST, lab_map=mapping, lab_show=EVERYTHING)
    data = mounted(app)
    (editor,) = [item for item in data if "nodes" in item]
    panels = {panel["kind"]: panel["svg"] for item in data for panel in item.get("panels", ())}
    for svg in (editor["svg"], panels["e"], panels["t"]):
        found = drawn_statuses(svg, "node")
        assert {("NP", "missing"), ("VP", "spurious")} <= found
        assert not {status for text, status in found if text in ("S", "D", "N", "V", "the")} - {"right"}
    columns = shown_blocks(app, "triples")[0]["columns"]
    assert [(row[1], row[4]) for _, _, rows in columns for row in rows] == [
        ("right", "S"),
        ("missing", "NP"),
        ("spurious", "VP"),
    ]
    steps = [tuple(row) for block in shown_blocks(app, "steps") for row in block["rows"]]
    assert set(steps) == {
        ("missing", "delete NP over “the dog”"),
        ("spurious", "insert VP over “dog barks”"),
        ("spurious", "delete VP over “dog barks”"),  # TedEval edits the test tree into the gold tree
        ("missing", "add NP over “the dog”"),
    }
    pictures = {block["heading"]: block["svg"] for block in shown_blocks(app, "picture")}
    script = drawn_statuses(pictures["TedEval: from the test tree to the gold tree"], "function")
    assert {("< NP", "missing"), ("> VP", "spurious"), ("S", "right")} <= script
    crossing = drawn_statuses(pictures["1. VP over “dog barks”"], "function")
    assert crossing == {("> VP", "spurious"), ("< NP", "missing")}
    assert any(
        "< missing: only in the gold tree; > spurious: only in the test tree" in text for text in said(app, "note")
    )


def test_a_label_that_differs_is_marked_alike_in_lineages_and_trees(open_app: Open):
    gold, test = "(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N dogs)) (ADJP (V bark)))"
    app = open_app("lab", lab_gold=gold, lab_test=test, lab_show="la t")
    panels = {panel["kind"]: panel["svg"] for item in mounted(app) for panel in item.get("panels", ())}
    assert {("VP", "relabeled"), ("ADJP", "relabeled")} <= drawn_statuses(panels["t"], "node")
    (lineages,) = [one["svg"] for one in shown_blocks(app, "picture") if "symbol by symbol" in one["heading"]]
    assert 'class="step relabeled"' in lineages


def test_components_have_the_colors_of_the_drawings():
    style = components._status_colors()
    for theme, colors in (("light", COLOURS), ("dark", DARK_COLOURS)):
        for status, color in colors.items():
            assert f"--{status}: {color};" in style
            assert f"--evaltools-{status}: {color};" in style.split(f".{theme} .evaltools.auto")[1].split("}")[0]


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> list[Saving]:
    """Collect what the page offers as files."""
    things: list[Saving] = []
    for module in (blocks, sentence, lab):
        monkeypatch.setattr(module, "save", lambda key, *more: things.extend(more))
    return things


@pytest.mark.parametrize("pair", ["functions", "one-word-or-two", "coordination-scope"])
def test_every_saved_picture_has_a_title_in_it(open_app: Open, saved: list[Saving], pair: str):
    app = open_app("lab", lab_pair=pair, lab_show=EVERYTHING)
    assert not app.exception
    pictures = [item for item in saved if item.files.keys() <= PICTURE_FILES.keys()]
    assert len(pictures) > 8
    names = [item.name for item in pictures]
    assert len(names) == len(set(names))
    pictures = [item for item in pictures if item.name != "lab-marked"]  # its errors in words are its heading
    both = 0
    for item in pictures:
        svg = ET.fromstring(item.files["svg"][3](True))
        titles = [text.text for text in svg.iter(f"{SVG}text") if "heading" in str(text.get("class")).split()]
        assert len(titles) == 1, item.name
        if item.name.endswith(("-e", "-t")):
            assert str(titles[0]).endswith("; gold tree above, test tree below")
            both += 1
    assert both == 3


def test_the_editor_says_which_mapping_and_which_tree_is_where(open_app: Open):
    app = open_app("lab", lab_gold=GOLD, lab_test=TEST, lab_map="e")
    assert "**E-mapping: matching brackets; gold tree above, test tree below**" in [one.value for one in app.markdown]


DIFFERENT = {
    "number": (
        "(S (MD can) (RB not) (VB go))",
        "(S (MD cannot) (VB go))",
        "3 words in the gold tree, 2 in the test tree",
    ),
    "form": ("(S (NN colour) (VB fades))", "(S (NN color) (VB fades))", "2 words in the gold tree, 2 in the test tree"),
    "text": ("(S (N dogs) (V bark))", "(S (N cats) (V purr))", "2 words in the gold tree, 2 in the test tree"),
}


@pytest.mark.parametrize("preset", ["none", "standard", "collins", "new"])
@pytest.mark.parametrize("kind", DIFFERENT)
def test_words_that_differ_are_marked_and_explained(open_app: Open, kind: str, preset: str):
    gold, test, numbers = DIFFERENT[kind]
    app = open_app("lab", lab_gold=gold, lab_test=test, lab_preset=preset, lab_show=EVERYTHING)
    assert not app.exception
    assert not app.error
    notes = " ".join(said(app, "note"))
    assert f"evalb with {'new' if preset == 'new' else 'COLLINS'}.prm" in notes
    assert numbers in notes
    error = "Length unmatch" if kind == "number" else "Words unmatch"
    assert f"It writes the error “{error}” and leaves the sentence out of all scores." in notes
    upper, lower = (block["words"] for block in shown_blocks(app, "anchored")[:2])
    assert [word[0] for word in upper] == gold.replace("(", "").replace(")", "").split()[2::2]
    assert {word[2] for word in upper} - {"right"}
    assert {word[2] for word in lower} - {"right"}
    assert "spurious" not in {word[2] for word in upper}
    assert "missing" not in {word[2] for word in lower}
    is_evalb = preset in ("collins", "new")
    assert ("bracketing (E) and leaf-ancestor (LA) are undefined" in notes) == is_evalb
    assert ("They are aligned" in notes) == (not is_evalb)
    over = "TedEval is computed over the characters" if kind == "number" else "TedEval has no score"
    assert over in notes
    (scores,) = shown_blocks(app, "scores")
    values = {title: value for title, _, value, _ in scores["rows"]}
    assert (values["Bracketing F1"] == "–") == is_evalb
    assert values["Tree-edit similarity (Dice)"] != "–"


def test_equal_words_need_no_explanation(open_app: Open):
    app = open_app("lab", lab_gold=GOLD, lab_test=TEST)
    assert not any("evalb" in text for text in said(app, "note"))


def test_words_that_differ_only_where_the_preset_deletes(open_app: Open):
    gold, test = "(S (N dogs) (V bark) (. .))", "(S (N dogs) (V bark))"
    app = open_app("lab", lab_gold=gold, lab_test=test, lab_preset="collins")
    notes = " ".join(said(app, "note"))
    assert "Here they are the same: it scores the sentence." in notes
    assert "With this preset the words that are compared are the same" in notes
