"""Scoring uploaded files in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.steps import choose, drawing, expect_in_link, expect_no_overflow, in_link, open_page, until, upload

N_SLOW = 150_000
"""Sentences of which scoring does not end before it is cancelled."""


def test_uploaded_files_become_a_run_from_a_dialog_that_has_the_colors_of_the_theme(
    page: Page, address: str, tiny_folder: Path
):
    open_page(page, address, "worst_parses")
    before = in_link(page, "run")
    upload(page, tiny_folder / "gold.ptb", tiny_folder / "worse.ptb")
    dialog = page.get_by_test_id("stDialog")
    page.emulate_media(color_scheme="dark")
    footer = page.locator("[data-testid=stLayoutWrapper]:has(> .st-key-score_footer)")
    expect(page.locator("body")).to_have_css("background-color", re.compile(r"rgb\(\d\d?, "))
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    expect(footer).to_have_css("background-color", paper)
    expect(page.get_by_test_id("stApp")).to_have_css("color", re.compile(r"rgb\(2\d\d, "))
    ink = page.evaluate("getComputedStyle(document.querySelector('[data-testid=stApp]')).color")
    expect(dialog.get_by_role("radio", checked=True).first.locator("p")).to_have_css("color", ink)
    choose(page, "Preset", re.compile("^collins"), inside="stDialog")
    expect_no_overflow(page)
    dialog.get_by_role("button", name=re.compile("^Score")).click()
    facts = page.get_by_test_id("stSidebar").locator(".facts")
    expect(facts).to_contain_text("collins")
    expect(facts).not_to_contain_text("better")
    until(page, lambda: in_link(page, "run"), lambda run: run not in ("", before))
    expect(drawing(page, "t")).to_be_visible()
    page.reload()
    expect(facts).to_contain_text("collins")


def test_scoring_can_be_cancelled_from_any_place_of_the_page(page: Page, address: str, tmp_path: Path):
    sentence = "(S (NP (DT The) (NN dog)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS glasses)))))\n"
    other = "(S (NP (DT The) (NN dog)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS glasses))))))\n"
    (tmp_path / "gold.ptb").write_text(sentence * N_SLOW)
    (tmp_path / "slow.ptb").write_text(other * N_SLOW)
    open_page(page, address, "sentence", sentence="7")
    before = in_link(page, "run")
    upload(page, tmp_path / "gold.ptb", tmp_path / "slow.ptb")
    page.get_by_role("button", name="Score", exact=True).click()
    cancel = page.get_by_role("button", name="Cancel")
    expect(cancel).to_be_visible()
    progress = page.locator('[class*="st-key-progress_"]')
    expect(
        progress.get_by_text(re.compile(r"^(compiling|reading|writing|[\d,]+ of [\d,]+ sentences)"))
    ).to_be_in_viewport()
    expect(progress.get_by_text("Scoring gold: slow")).to_be_in_viewport()
    expect(cancel).to_be_in_viewport()
    cancel.click()
    expect(page.get_by_text("Scoring was cancelled")).to_be_visible()
    expect_in_link(page, run=before or None)
    expect(drawing(page, "t")).to_be_visible()
