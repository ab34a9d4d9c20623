"""The *About the metrics* page, without a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

import evaltools.app.about_chapters
from evaltools.app.about_chapters import SECTIONS, text
from evaltools.classroom.examples import SECTIONS as WITH_EXAMPLES, worked_examples
from evaltools.frameworks.metric import formula
from evaltools.frameworks.registry import METRICS

Open = Callable[..., AppTest]


def chapter(open_app: Open, name: str) -> AppTest:
    return open_app("about", chapter=name)


def blocks(app: AppTest) -> list[dict[str, Any]]:
    return [block for one in app.get("bidi_component") for block in json.loads(one.proto.json).get("blocks", [])]


def markdown(app: AppTest) -> str:
    return "\n".join(one.value for one in app.markdown)


def test_it_opens_with_the_first_chapter_and_previous_and_next_lead_on(open_app: Open):
    app = open_app("about")
    assert [one.value for one in app.subheader] == [SECTIONS["counts"]]
    assert app.button(key="about_Previous").disabled
    app.button(key="about_Next").click().run()
    assert app.query_params["chapter"] == "e"
    assert [one.value for one in app.subheader] == [SECTIONS["e"]]


@pytest.mark.parametrize("name", SECTIONS)
@pytest.mark.slow
def test_a_chapter_has_its_text_and_its_examples(open_app: Open, name: str):
    app = chapter(open_app, name)
    assert [one.value for one in app.subheader] == [SECTIONS[name]]
    said = markdown(app)
    assert text(name).strip().replace("](#", "](about?chapter=") in said
    if name in WITH_EXAMPLES:
        titles = [step.title for step in worked_examples(name).steps]
        assert all(f"**{title}**" in said for title in titles)
        drawn = [block for block in blocks(app) if block["type"] == "pictures"]
        assert len(drawn) >= len(titles)
        assert all(svg.startswith("<svg") for block in drawn for _, svg in block["drawn"])
    assert "{{" not in said


def test_an_unknown_chapter_is_the_first_one(open_app: Open):
    assert [one.value for one in chapter(open_app, "nothing").subheader] == [SECTIONS["counts"]]


@pytest.mark.slow
def test_every_metric_is_named_and_the_examples_come_out(open_app: Open):
    pages = [chapter(open_app, name) for name in SECTIONS]
    rows = [row for page in pages for block in blocks(page) if block["type"] == "formulas" for row in block["rows"]]
    said = "\n".join(map(markdown, pages))
    table = said.replace("\\|", "¦")  # a bar within a cell
    assert all(
        f"| {formula(one).replace('|', '¦')} | `{name}` |" in table
        for name, one in METRICS.items()
        if one.family.id != "e" or not name.endswith("_unlabeled")
    )
    numbers = {(row[0], row[2]): row[3] for row in rows if row[2]}
    assert numbers["Tree-edit similarity (Dice)", "1 − (1 + 1 + 2) / (9 + 9 − 2 × 3)"] == "66.67 %"
    assert numbers["Bracketing F1", "2 × 1 / (4 + 4)"] == "25.00 %"
    assert numbers["Leaf-ancestor, graded", "5 / 6"] == "83.33 %"
    assert numbers["LAS", "2 × 4 / (6 + 6)"] == "66.67 %"
    assert numbers["UAS", "2 × 5 / (6 + 6)"] == "83.33 %"
    assert numbers["EDM (F1)", "2 × 21 / (24 + 24)"] == "87.50 %"
    assert numbers["TedEval, all golds, labeled", "1 − 3 / (6 + 4)"] == "70.00 %"
    assert numbers["TedEval 2011, labeled", "1 − 1 / (5 + 5)"] == "90.00 %"


@pytest.mark.parametrize(("name", "section"), [("e", "e"), ("t", "t"), ("la", "la")])
def test_an_example_can_be_taken_to_the_lab(open_app: Open, name: str, section: str):
    app = chapter(open_app, name)
    links = [one.proto.url for one in app.get("link_button")]
    assert len(links) == len(worked_examples(name).steps)
    query = parse_qs(urlsplit(links[0]).query)
    assert section in query["lab_show"][0].split()
    open_app("lab", **{key: value[0] for key, value in query.items()})


def test_lineages_are_listed_where_an_example_is_about_them(open_app: Open):
    table = next(block for block in blocks(chapter(open_app, "attachment")) if block["type"] == "rows")
    marked = {row[2] for at, row in enumerate(table["rows"]) if at in table["marked"]}
    rows = {word: cells for *cells, word, _, _ in table["rows"]}
    assert rows["She"] == ["100.00", "100.00"]
    assert ["with", "case obl root", "case nmod iobj root"] in [row[2:] for row in table["rows"]]
    assert "with" in marked
    assert "She" not in marked
    la = next(block for block in blocks(chapter(open_app, "la")) if block["type"] == "rows")
    assert la["rows"][1] == ["58.33", "33.33", "tax", "[ N1 N1 S", "NP S"]


def test_the_mistakes_are_scored(open_app: Open):
    (table,) = [block for block in blocks(chapter(open_app, "choose")) if block["type"] == "rows"]
    cells = {row[0].split(":")[0]: row[1:] for row in table["rows"]}
    assert cells["Two phrases over the same words are swapped"][0] == "100.00"
    assert cells["A wrong tag"][-1] == "▾ 92.31"
    assert all(sum("▾" in row[place] for row in cells.values()) >= 1 for place in range(len(table["heads"]) - 1))


def test_the_rules_of_all_presets_are_shown(open_app: Open):
    codes = [one.value for one in chapter(open_app, "presets").code]
    for name in ("standard", "collins", "new", "none"):
        assert any(code.startswith(f"preset {name}:") for code in codes)


@pytest.mark.parametrize("section", SECTIONS)
def test_texts_call_figures_and_scores_by_their_titles(section: str):
    words = re.findall(r"\b(pooled|[ET] (?:Dice|Jaccard|recall|precision)|(?:un|re)?labelled)\b", text(section))
    assert not words or section in ("figures", "differences")


@pytest.mark.parametrize("section", SECTIONS)
def test_links_between_chapters_lead_somewhere(section: str):
    assert set(re.findall(r"\]\(#([^)]*)\)", text(section))) <= set(SECTIONS)


def test_every_text_is_in_the_table():
    folder = Path(evaltools.app.about_chapters.__file__).parent
    assert {path.stem for path in folder.glob("*.md")} == set(SECTIONS)
