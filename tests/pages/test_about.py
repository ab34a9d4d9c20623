"""The *About the metrics* page, without a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import evaltools.ui.texts
from evaltools.metrics import METRICS
from evaltools.ui.texts import SECTIONS, text

Open = Callable[..., AppTest]


def test_every_section_is_there(open_app: Open):
    app = open_app("about")
    assert not app.exception
    assert [one.value for one in app.subheader] == list(SECTIONS.values())
    markdown = "\n".join(one.value for one in app.markdown)
    assert all(text(section).strip() in markdown for section in SECTIONS)
    assert all(f"(#{section})" in markdown for section in SECTIONS)


def test_every_metric_is_named_and_the_examples_come_out(open_app: Open):
    app = open_app("about")
    blocks = [block for one in app.get("bidi_component") for block in json.loads(one.proto.json).get("blocks", [])]
    rows = [row for block in blocks if block["type"] == "formulas" for row in block["rows"]]
    markdown = "\n".join(one.value for one in app.markdown)
    assert all(f"| {one.formula} | `{name}` |" in markdown for name, one in METRICS.items() if name[-8:] != "labelled")
    numbers = {(row[0], row[2]): row[3] for row in rows if row[2]}
    assert numbers["T Dice", "1 − (1 + 1 + 2) / ((9 − 3) + (9 − 3))"] == "0.667"
    assert numbers["E Dice (F1), roof", "2 × 1 / (4 + 4)"] == "0.250"
    assert numbers["LA, partial credit", "5 / 6"] == "0.833"
    assert numbers["LAS", "2 × 4 / (6 + 6)"] == "0.667"
    assert numbers["UAS", "2 × 5 / (6 + 6)"] == "0.833"
    assert sum(block["type"] == "picture" for block in blocks) >= 7


def test_the_rules_of_all_presets_are_shown(open_app: Open):
    codes = [one.value for one in open_app("about").code]
    for name in ("standard", "collins", "new", "none"):
        assert any(code.startswith(f"preset {name}:") for code in codes)


@pytest.mark.parametrize("section", SECTIONS)
def test_texts_use_micro_and_macro_only_to_explain_them(section: str):
    words = re.findall(r"\b(micro|macro)\b", text(section))
    assert not words or section == "figures"


def test_every_text_is_in_the_table():
    folder = Path(evaltools.ui.texts.__file__).parent
    assert {path.stem for path in folder.glob("*.md")} == set(SECTIONS)
