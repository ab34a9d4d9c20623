"""A run as a folder of pages: complete, linked, in need of nothing, and careful with other files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import evaltools
from evaltools.outputs import html_report
from evaltools.outputs.html_report import write_bundle
from tests.commands import call, check_refused
from tests.outputs.test_html_report import Content
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.tiny import HOSTILE_PARSER, score_tiny


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> evaltools.Run:
    return score_tiny(tmp_path_factory.mktemp("bundle"))


@pytest.fixture(scope="module")
def pages(tiny: evaltools.Run, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages") / "site"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(html_report, "_PARSES_ON_PAGE", 2)
        written = write_bundle(tiny, folder, worst=3)
    assert written[0].name == "index.html"
    assert {path.name for path in written} == {path.name for path in folder.iterdir()}
    return {path.name: path.read_text("utf-8") for path in written}


@pytest.mark.slow
def test_every_parser_has_its_pages(pages: dict[str, str]):
    parsers = {f"{name}-{rank}" for rank in (1, 2) for name in ("errors", "worst")}
    assert {re.sub(r"(-\d+)?\.html", "", name) for name in pages if name.startswith("worst")} <= parsers
    assert "worst-2-2.html" in pages
    index = " ".join(Content(pages["index.html"]).texts)
    assert index.index("1. better") < index.index(f"2. {HOSTILE_PARSER}")
    assert f"Wrong brackets of {HOSTILE_PARSER} by error type: " in index


@pytest.mark.slow
def test_links_lead_to_pages_of_the_folder_and_nothing_is_fetched(pages: dict[str, str]):
    linked = set()
    for name, text in pages.items():
        content = Content(text)
        ids = {attributes.get("id") for _, attributes in content.tags}
        for tag, attributes in content.tags:
            assert tag not in ("script", "link", "img", "iframe")
            for key in ("src", "href", "xlink:href", "data"):
                value = attributes.get(key)
                if value is None:
                    continue
                target, _, fragment = value.partition("#")
                assert target in ("", *pages), (name, value)
                assert target or tag != "a" or fragment in ids, (name, value)
                linked.add(target)
        assert not re.search(r"@import|url\((?!#)", text)
    assert set(pages) <= linked


def test_parses_come_worst_first_over_the_pages(tiny: evaltools.Run, pages: dict[str, str]):
    rows = tiny.sentences(HOSTILE_PARSER)
    worst = rows.sort_values(["f1", "words"], ascending=[True, False])["sentence"].iloc[:3].tolist()
    listed = [re.findall(r"<summary>(\d+) · ", pages[f"worst-2-{number}.html"]) for number in (1, 2)]
    assert listed == [[str(number) for number in worst[:2]], [str(worst[2])]]
    assert "<svg" in pages["worst-2-1.html"]
    assert "3 to 3 of the 3 worst parses, of 7 sentences" in pages["worst-2-2.html"]


@pytest.mark.slow
def test_arcs_have_pages(tmp_path: Path):
    assert "LAS" in write_bundle(score_dependencies(tmp_path), tmp_path / "arcs", worst=1)[0].read_text("utf-8")


@pytest.mark.slow
def test_the_command_replaces_bundles_only_if_asked_and_no_other_files(tiny: evaltools.Run, tmp_path: Path):
    out = tmp_path / "site"
    command = ("bundle", tiny.path, "-o", out, "--worst", 1)
    first = call(*command)
    assert (first.returncode, first.stderr) == (0, "")
    assert str(out / "index.html") in first.stdout
    check_refused("--force", *command)
    for name in ("worst-9-9.html", "thesis.tex"):
        (out / name).write_text("of an earlier bundle, or mine")
    assert call(*command, "--force").returncode == 0
    assert not (out / "worst-9-9.html").exists()
    assert (out / "thesis.tex").read_text() == "of an earlier bundle, or mine"
    check_refused("expected a folder that can be written", "bundle", tiny.path, "-o", out / "thesis.tex")
    check_refused("unknown metric 'f2x'", "bundle", tiny.path, "-o", tmp_path / "x", "--metric", "f2x")
    assert not (tmp_path / "x").exists()
