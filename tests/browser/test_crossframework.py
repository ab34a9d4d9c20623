"""The page Cross-framework in a real browser: hostile names, a long sentence, a narrow window, both themes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import evaltools
from tests.browser.steps import choose, expect_ink, open_page, overflow, settle

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "<b>swap</b> & co"
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


@pytest.fixture(scope="module")
def address(app_server: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the address of the app, open on a run across frameworks with one short and one long sentence."""
    folder = tmp_path_factory.mktemp("frameworks")
    sentences = [WORDS[:4], WORDS]
    (folder / "phrases").write_text("".join(right_branching(one) + "\n" for one in sentences), encoding="utf-8")
    (folder / "words").write_text("".join(chain(one, -1) for one in sentences), encoding="utf-8")
    (folder / "odd").write_text("".join(chain(one, 3) for one in sentences), encoding="utf-8")
    (folder / "none").write_text("(())\n(())\n", encoding="utf-8")
    parsers = {HOSTILE: ("words", "odd"), "right": ("words", "words"), "fails": ("phrases", "none")}
    evaltools.crossframework(
        {"phrases": folder / "phrases", "words": folder / "words"},
        {name: (theory, folder / file) for name, (theory, file) in parsers.items()},
        out=folder / "frameworks.run",
    )
    return str(app_server(str(folder / "frameworks.run")).url)


def test_the_answer_the_table_and_the_steps_follow_the_link(page: Page, address: str):
    open_page(page, address, "crossframework", parser=HOSTILE, sentence="1", what="unlabelled")
    expect(page.locator(".answer").first).to_contain_text("right (words) has the highest")
    expect(page.locator(".answer").last).to_contain_text(f"Sentence 1, {HOSTILE}: ")
    expect(page.locator(".steps li").first).to_be_visible()
    choose(page, "Parser", "right")
    expect(page.get_by_text("No operations: the trees are equal.")).to_be_visible()
    expect(page).to_have_url(re.compile("parser=right"))
    choose(page, "Parser", "fails")
    expect(page.locator(".answer").last).to_contain_text("Sentence 1 of fails has no score")


def test_sixty_words_stay_within_the_page(page: Page, address: str):
    open_page(page, address, "crossframework", parser=HOSTILE, sentence="2", what="unlabelled")
    pictures = page.locator("svg.bars")
    for width, scheme in ((1440, "dark"), (420, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        expect(pictures.first).to_contain_text("word60")
        settle(page)
        expect(pictures).to_have_count(5)  # the steps, two golds, what they have in common, the parse
        assert overflow(page) == 0
        expect_ink(pictures.first.locator("text").first, scheme)
