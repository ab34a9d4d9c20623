"""Scoring uploaded files in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.steps import choose, drawing, expect_in_link, expect_no_overflow, in_link, open_page, settle, upload
from tests.runs.semantic_files import mrp, saw, sleeps

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


N_SLOW = 150_000
"""Sentences of which scoring does not end before it is cancelled."""


def test_uploaded_files_with_their_problems_parameters_and_metadata_become_a_run(
    page: Page, address: str, tiny_folder: Path, tmp_path: Path
):
    broken = tmp_path / "broken.ptb"
    lines = (tiny_folder / "gold.ptb").read_text("utf-8").splitlines()
    lines[2] = lines[2].removesuffix(")")
    broken.write_text("\n".join(lines) + "\n", "utf-8")
    parameters, bad, table = (tmp_path / name for name in ("own.prm", "bad.tsv", "genres.tsv"))
    parameters.write_text("LABELED 1\nDELETE_LABEL TOP\nDELETE_LABEL -NONE-\n", "utf-8")
    bad.write_text("genre\nnews\n", "utf-8")
    table.write_text("sentence\tgenre\tdocument\n1\tnews\td1\n2\tblog\td2\n3\tblog\td2\n9\tblog\td2\n", "utf-8")
    open_page(page, address, "worst_parses")
    upload(page, tiny_folder / "gold.ptb", broken)
    dialog = page.get_by_test_id("stDialog")
    files = dialog.locator("input[type=file]")
    score = dialog.get_by_role("button", name=re.compile("^Score"))
    expect(dialog.get_by_text(re.compile(r"^\d+ problems? found$"))).to_be_visible()
    cells = dialog.get_by_test_id("stDataFrame").locator("td")
    expect(cells.get_by_text("broken.ptb").first).to_be_attached()
    expect(cells.get_by_text("3", exact=True).first).to_be_attached()
    expect(score).to_have_text(re.compile("^Score anyway"))
    expect(score).to_be_enabled()
    dialog.get_by_role("button", name="Remove broken.ptb").click()
    settle(page)
    files.nth(1).set_input_files(tiny_folder / "worse.ptb")
    expect(dialog.get_by_text("worse.ptb: Penn Treebank brackets, 6 trees in 7 sentences")).to_be_visible()

    page.emulate_media(color_scheme="dark")
    footer = page.locator("[data-testid=stLayoutWrapper]:has(> .st-key-score_footer)")
    expect(page.locator("body")).to_have_css("background-color", re.compile(r"rgb\(\d\d?, "))
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    expect(footer).to_have_css("background-color", paper)
    expect(page.get_by_test_id("stApp")).to_have_css("color", re.compile(r"rgb\(2\d\d, "))
    ink = page.evaluate("getComputedStyle(document.querySelector('[data-testid=stApp]')).color")
    expect(dialog.get_by_role("radio", checked=True).first.locator("p")).to_have_css("color", ink)

    choose(page, "Preset", re.compile("your EVALB parameter file"), inside="stDialog")
    expect(dialog.get_by_text("Add a parameter file")).to_be_visible()
    files.nth(2).set_input_files(parameters)
    expect(dialog.get_by_text("Rules", exact=True)).to_be_visible()
    files.nth(3).set_input_files(bad)
    expect(dialog.get_by_text("The file of metadata cannot be read.")).to_be_visible()
    expect(score).to_be_disabled()
    dialog.get_by_role("button", name="Remove bad.tsv").click()
    settle(page)
    files.nth(3).set_input_files(table)
    expect(dialog.get_by_text("genres.tsv: 4 rows by sentence, with genre, document")).to_be_visible()
    dialog.get_by_label("Name of the run").fill("mine")
    score.click()
    facts = page.get_by_test_id("stSidebar").locator(".facts")
    expect(facts).to_contain_text("evalb:own.prm")
    expect(facts).to_contain_text("worse")
    expect(facts).not_to_contain_text("better")
    settle(page)
    expect(page).to_have_url(re.compile("run="))
    expect(drawing(page, "t")).to_be_visible()
    page.reload()
    expect(facts).to_contain_text("evalb:own.prm")


def test_scoring_can_be_cancelled_and_then_other_files_become_a_run(page: Page, address: str, tmp_path: Path):
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
    settle(page)

    for name, items in (("right", [("a", sleeps()), ("b", saw())]), ("near", [("b", saw(swapped=True)), ("a", None)])):
        (tmp_path / f"{name}.mrp").write_text(mrp(*items), "utf-8")
    upload(page, tmp_path / "right.mrp", tmp_path / "near.mrp")
    dialog = page.get_by_test_id("stDialog")
    expect(dialog.get_by_text("right.mrp: MRP (JSON lines), 2 graphs in 2 items")).to_be_visible()
    expect_no_overflow(page)
    dialog.get_by_role("button", name="Score", exact=True).click()
    expect(page.get_by_test_id("stSidebar").locator(".facts")).to_contain_text("dridan-oepen-2011")
    settle(page)
    expect(page.get_by_text("_sleep_v_1").first).to_be_attached()
