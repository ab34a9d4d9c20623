"""The paper about the software has the form that the Journal of Open Source Software asks for."""

from __future__ import annotations

import re
from pathlib import Path

PAPER = Path(__file__).resolve().parents[2] / "docs" / "paper"
SECTIONS = [
    "Summary",
    "Statement of need",
    "State of the field",
    "Software design",
    "Research impact statement",
    "AI usage disclosure",
    "Acknowledgements",
    "References",
]


def body() -> str:
    _, _, text = (PAPER / "paper.md").read_text(encoding="utf-8").split("---\n", 2)
    return text


def test_the_paper_has_the_sections_and_the_length_asked_for():
    assert re.findall(r"^# (.+)$", body(), re.MULTILINE) == SECTIONS
    assert 750 <= len(body().split()) <= 1750


def test_the_paper_cites_what_its_bibliography_has():
    entries = re.findall(r"^@\w+\{(\w+),$", (PAPER / "paper.bib").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(entries) == len(set(entries))
    assert set(re.findall(r"@(\w+)", body())) == set(entries)
