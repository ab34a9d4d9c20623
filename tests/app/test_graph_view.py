"""Two semantic graphs of a sentence in the app: texts with spans, triples, formulas, and what the browser does."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from evaltools.frameworks.semantics.views import (
    graph_formulas,
    graph_status,
    graph_summary,
    spans_of_text,
    triple_columns,
)
from tests.browser.steps import boxes, expect_no_overflow, settle, until
from tests.drawing.graph_examples import GOLD, HOSTILE, LEAVES, TEST, aligned

SCRIPT = """
from dataclasses import replace
import streamlit as st
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.frameworks.views import Sentence
from evaltools.app.sentence import show_sentence
from evaltools.app.widgets.saving import made_here
from tests.drawing.graph_examples import PAIRS, aligned, repeated

st.set_page_config(layout="wide")
names = [*PAIRS, "long"]
name = st.radio("pair", names, index=names.index(st.query_params.get("pair", "persuaded")))
if name == "long":
    one = repeated(PAIRS["persuaded"][0], 12)
    pair = one, replace(one, edges=one.edges[:30] + one.edges[31:])
else:
    pair = PAIRS[name]
st.checkbox("another widget")
sentence = Sentence(aligned(pair), parse_name="parser <1>")
show_sentence(FRAMEWORKS["mrs"], sentence, made_here("demo", "two graphs"), key=f"demo_{name}")
"""


def test_the_words_say_what_is_missing_and_wrong_on_them() -> None:
    words = {form: rest for form, *rest in spans_of_text(aligned((GOLD, TEST)))}
    assert words["He"] == ["0:2", "right", ""]
    assert words["to"] == ["17:19", "spurious", "2 triples spurious"]
    assert words["leave."] == ["20:26", "relabeled", "2 triples missing, 2 triples spurious"]
    assert {status for _, _, status, _ in spans_of_text(aligned((GOLD, None)))} == {"missing", "right"}


def test_triples_are_listed_by_class() -> None:
    (names, said, rows), (arguments, _, listed), (others, _, _) = triple_columns(
        aligned((GOLD, TEST)), only_differing=False
    )
    assert (names, arguments, others) == ("Names", "Arguments", "Properties, constants, top")
    assert said == "5 in both, 1 missing, 2 spurious"
    assert [row[1:] for row in rows if row[1] != "right"] == [
        ("spurious", "to", "", "_extra_a_1"),
        ("missing", "leave", "", "_leave_v_1"),
        ("spurious", "leave", "", "_leave_v_for"),
    ]
    assert ("right", "persuaded", "ARG2", "Kim") in [row[1:] for row in listed]
    only = triple_columns(aligned((GOLD, TEST)), only_differing=True)
    assert all(row[1] != "right" for _, _, rows in only for row in rows)
    assert triple_columns(aligned((GOLD, TEST), "dridan-oepen-2011"), only_differing=False)[2][0] == "Properties"


def test_formulas_have_the_numbers_put_in() -> None:
    rows = {
        title: (formula, numbers, value) for title, formula, numbers, value in graph_formulas(aligned((GOLD, TEST)))
    }
    assert rows["EDM, names (F1)"] == ("2M / (G + T)", "2 × 5 / (6 + 7)", "76.92 %")
    assert rows["EDM, recall"][0] == "M / G"


def test_what_is_said_in_words() -> None:
    assert graph_summary(aligned((GOLD, GOLD)), 3, "gold", "a").endswith("all triples that count are in both graphs.")
    assert "4 triples missing, 6 spurious." in graph_summary(aligned((GOLD, TEST)), 3, "gold", "a")
    assert graph_status(aligned((GOLD, None)), "gold", "a").startswith("a has no graph")
    assert graph_status(aligned((None, None)), "gold", "a").startswith("Neither")
    assert not graph_status(aligned((GOLD, LEAVES)), "gold", "a")


@pytest.mark.parametrize("name", ["persuaded", "hostile", "long", "no test", "neither", "nothing", "without text"])
def test_the_view_mounts(name: str) -> None:
    app = AppTest.from_string(SCRIPT)
    app.query_params["pair"] = name
    app.run(timeout=60)
    assert not app.exception


def test_a_triple_of_another_sentence_is_not_looked_for() -> None:
    app = AppTest.from_string(SCRIPT)
    for step in ("r99999", "r3", "a3", "r-1", "r١"):
        app.query_params["step"] = step
        app.run(timeout=60)
        assert not app.exception


def test_another_default_makes_another_widget() -> None:
    """The browser may still send the choice that it shows for the graphs before, which nobody made for these."""
    app = AppTest.from_string(SCRIPT)
    app.run(timeout=60)
    assert app.toggle(key="url_fold").value is False
    app.radio[0].set_value("long").run(timeout=60)
    assert [one.value for one in app.toggle if one.key == "url_fold_1"] == [True]
    assert "fold" not in app.query_params


def show(page: Page, name: str) -> None:
    page.get_by_test_id("stRadio").get_by_text(name, exact=True).click()
    page.locator(f"[class*=st-key-demo_{name}] .panel[data-kind=graphs] svg").wait_for()
    settle(page)


def test_nodes_roles_words_and_triples_light_up_together_and_labels_stay_text(fresh_page: Page, address: str) -> None:
    errors: list[str] = []
    fresh_page.on("pageerror", lambda error: errors.append(str(error)))
    fresh_page.goto(address)
    fresh_page.wait_for_selector(".panel[data-kind=graphs] svg")
    fresh_page.wait_for_selector(".beside")
    fresh_page.locator(".pred", has_text="_persuade_v_of").hover()
    expect(fresh_page.locator(".pred.hot")).to_have_count(1)
    expect(fresh_page.locator(".role.mate")).to_have_count(3)
    expect(fresh_page.locator(".pred.mate")).to_have_count(3)
    expect(fresh_page.locator(".edge.path")).to_have_count(3)
    expect(fresh_page.locator(".cell.hot")).to_have_text(["persuaded"])
    expect(fresh_page.locator(".readout")).to_contain_text("TENSE past ≠ pres")
    fresh_page.locator(".role.missing", has_text="ARG1").hover()
    expect(fresh_page.locator(".pred.mate")).to_have_count(2)
    fresh_page.locator(".viewer .cell", has_text="Kim").hover()
    expect(fresh_page.locator(".pred.hot")).to_have_count(2)
    fresh_page.locator(".viewer .cell", has_text="Kim").click()
    fresh_page.get_by_text("another widget").click()
    settle(fresh_page)
    expect(fresh_page.locator(".pred.hot")).to_have_count(2)  # a pin outlasts a rerun

    fresh_page.locator(".triples tr.missing", has_text="ARG3").click()
    fresh_page.wait_for_selector(".triples tr.chosen")
    fresh_page.wait_for_selector(".role.hot")
    expect(fresh_page.locator(".pred.hot")).to_have_count(2)
    expect(fresh_page.locator(".role.hot")).to_have_text("ARG3ARG4")
    expect(fresh_page.locator(".readout")).to_contain_text("ARG3 · missing")

    show(fresh_page, "hostile")
    texts = fresh_page.locator(".panel[data-kind=graphs] svg text").all_text_contents()
    assert {"<b>$x$</b>", "{nowhere}", "∅"} <= set(texts)
    expect(fresh_page.locator(".stage script, .stage img, .beside b, .beside u, .beside img")).to_have_count(0)
    expect(fresh_page.locator(".beside")).to_contain_text("$a$_{b}^~%#")
    expect(fresh_page.locator(".anchored")).to_contain_text(HOSTILE.text.split()[0])

    fresh_page.set_viewport_size({"width": 420, "height": 900})
    settle(fresh_page)  # the marked graph asks for its width
    show(fresh_page, "long")  # it begins folded, and fits a telephone
    fresh_page.wait_for_selector(".cell.folded")
    shown = fresh_page.locator(".pred").count()
    fresh_page.locator(".cell.folded").first.click()
    fresh_page.locator(f".pred >> nth={shown}").wait_for()
    expect_no_overflow(fresh_page)
    lists = fresh_page.locator(".beside section")
    until(fresh_page, lambda: {box.x for box in boxes(lists)}, lambda lefts: len(lefts) == 1)  # under one another
    assert not errors
