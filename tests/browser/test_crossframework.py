"""Runs across frameworks in a real browser: a long sentence, in wide and narrow windows and in both themes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import evaltools
from tests.browser.steps import expect_ink, expect_no_overflow, open_page, settle
from tests.pages.tiny import HOSTILE_PARSER

WORDS = [f"word{place}" for place in range(1, 61)]


def right_branching(words: list[str]) -> str:
    """Bracket words from the right, an object in each phrase."""
    tree = f"(VP (V {words[-1]}))"
    for word in reversed(words[:-1]):
        tree = f"(VP (V {word}) {tree.replace('(VP', '(VP-OBJ', 1)})"
    return f"(S {tree})"


def chain(words: list[str], odd: int) -> str:
    """Write words of which each governs the next, but one of them hangs from the first."""
    heads = [0 if place == 0 else 1 if place == odd else place for place in range(len(words))]
    names = ["root" if head == 0 else "OBJ" for head in heads]
    rows = [
        f"{place}\t{word}\t_\t_\t_\t_\t{head}\t{name}\t_\t_"
        for place, (word, head, name) in enumerate(zip(words, heads, names, strict=True), 1)
    ]
    return "\n".join(rows) + "\n\n"


def score_frameworks(folder: Path) -> evaltools.Run:
    sentences = [WORDS[:4], WORDS]
    (folder / "phrases").write_text("".join(right_branching(one) + "\n" for one in sentences), encoding="utf-8")
    (folder / "words").write_text("".join(chain(one, -1) for one in sentences), encoding="utf-8")
    (folder / "odd").write_text("".join(chain(one, 3) for one in sentences), encoding="utf-8")
    return evaltools.crossframework(
        {"phrases": folder / "phrases", "words": folder / "words"},
        {HOSTILE_PARSER: ("words", folder / "odd"), "right": ("words", folder / "words")},
        out=folder / "frameworks.run",
    )


@pytest.fixture(scope="module")
def address(app_server: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(app_server(str(score_frameworks(tmp_path_factory.mktemp("frameworks")).path)).url)


def test_sixty_words_stay_within_the_page(page: Page, address: str):
    open_page(page, address, "crossframework", parser=HOSTILE_PARSER, sentence="2", what="unlabeled")
    pictures = page.locator("svg.bars")
    for width, scheme in ((1440, "dark"), (420, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        expect(pictures.first).to_contain_text("word60")
        settle(page)
        expect(pictures).to_have_count(5)  # the steps, two golds, what they have in common, the parse
        expect_no_overflow(page)
        expect_ink(pictures.first.locator("text").first, scheme)
