"""Every picture, chart and table of every page can be saved, and every file opens and says how it came about."""

from __future__ import annotations

import csv
import io
import json
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.app.about_chapters import SECTIONS
from evaltools.app.widgets import saving
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
from tests.pages.test_crossframework import score_frameworks
from tests.pages.test_nbest_lists import score_lists
from tests.pages.tiny import HOSTILE_PARSER, score_tiny

Open = Callable[..., AppTest]

TABLES = {"formulas", "facts", "scores", "steps", "story", "triples", "rows", "strip", "sentences", "differences"}
KINDS = {"chart": {"svg", "vl.json"}, "table": {"csv", "md"}, "picture": {"svg", "pdf"}}
"""The ends of the names of files, by which it is seen what is saved."""


@dataclass(frozen=True)
class File:
    name: str
    make: Callable[[], bytes]


RUNS: dict[str, Callable[[Path], evaltools.Run]] = {
    "trees": score_tiny,
    "dependencies": score_dependencies,
    "graphs": score_graphs,
    "frameworks": score_frameworks,
    "lists": score_lists,
}


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> dict[str, File]:
    """Open every Save button, and give a dictionary that fills with the files that they offer, by their keys."""
    monkeypatch.setattr(saving, "_save", saving._file_buttons)
    offered: dict[str, File] = {}
    drawn = st.download_button

    def button(label: str, data: Any, file_name: str, *rest: Any, key: str, **options: Any) -> bool:
        offered[key] = File(file_name, data if callable(data) else lambda: data)
        return drawn(label, data, file_name, *rest, key=key, **options)

    monkeypatch.setattr(st, "download_button", button)
    return offered


def elements(node: Any) -> Iterator[Any]:
    """Yield elements from top to bottom; of columns, which stand beside one another, the Save buttons last."""
    children = list(getattr(node, "children", {}).values())
    found = [element for child in children for element in (elements(child) if hasattr(child, "children") else [child])]
    if any(child.type == "column" for child in children):
        found.sort(key=is_save)
    yield from found


def is_save(element: Any) -> bool:
    return element.type == "download_button" and str(element.proto.id).rpartition("-")[2].startswith("save_")


def things_in(element: Any) -> list[str]:
    """Return what an element shows that can be saved."""
    if element.type == "arrow_data_frame":
        return [] if element.proto.editing_mode else ["table"]
    if element.type in ("arrow_vega_lite_chart", "vega_lite_chart"):
        return ["chart"]
    if element.type != "bidi_component" or not element.proto.json:
        return []
    data = json.loads(element.proto.json)
    found = ["picture"] * (len(data.get("panels", ())) + ("nodes" in data) + ("drawings" in data))
    for shown in data.get("blocks", ()):
        found += ["picture"] * (shown["type"] in ("picture", "pictures", "strip"))
        is_line = [row[0] for row in shown.get("rows", ())] == ["signature"]  # no table, though it is set like one
        is_empty = not shown.get("rows", shown.get("words"))
        found += ["table"] * (shown["type"] in TABLES and not is_line and not is_empty)
    return found


def saved_in(keys: list[str], files: dict[str, File]) -> list[str]:
    """Return what neighbouring buttons save."""
    ends: dict[str, set[str]] = {}
    for key in keys:
        stem, _, end = (
            files[key].name.partition(".") if "vl.json" in files[key].name else files[key].name.rpartition(".")
        )
        ends.setdefault(f"{stem} {key.rpartition('_')[0]}", set()).add(end)
    return [next(kind for kind, wanted in KINDS.items() if wanted <= found) for found in ends.values()]


def unsaved(app: AppTest, files: dict[str, File]) -> list[str]:
    """Return what has no Save button below it before the next button of that kind."""
    waiting: list[str] = []
    keys: list[str] = []
    left: list[str] = []

    def settle() -> None:
        nonlocal waiting, keys
        if keys:
            left.extend((Counter(waiting) - Counter(saved_in(keys, files))).elements())
            waiting, keys = [], []

    for element in elements(app.main):
        if is_save(element):
            keys.append(str(element.proto.id).rpartition("-")[2])
            continue
        if found := things_in(element):
            settle()
            waiting += found
    settle()
    return left + waiting


def check(file: File) -> None:
    """Open a file, and look for the signature in it."""
    content = file.make()
    end = file.name.rpartition(".")[2]
    if end == "png":
        assert content.startswith(b"\x89PNG\r\n\x1a\n")
        assert min(struct.unpack(">II", content[16:24])) > 40
        return
    if end == "pdf":
        assert content.startswith(b"%PDF-")
        return
    text = content.decode("utf-8")
    assert "evaltools" in text, file.name
    if end == "svg":
        assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
        assert "var(--" not in text
        assert "currentColor" not in text
    elif end == "json":
        assert isinstance(json.loads(text), dict)
    elif end == "csv":
        *rows, last = csv.reader(io.StringIO(text))
        assert len(rows) > 1
        assert {len(row) for row in rows} == {len(rows[0])}
        assert last[0].startswith("# ")
    elif end == "md":
        assert len({len(line) for line in text.splitlines() if line.startswith("|")}) == 1
    elif end == "tex":
        assert r"\caption{" in text
        assert text.count(r"\begin{") == text.count(r"\end{")
    else:
        assert end in ("dot", "txt")


PAGES = [
    ("trees", "overview", {}),
    ("trees", "overview", {"open": "errors,ranks,pair,distribution"}),
    ("trees", "worst_parses", {"sentence": "7"}),
    ("trees", "sentence", {"sentence": "7", "at": "3"}),
    ("trees", "sentence", {"sentence": "3"}),
    ("trees", "disagreement", {}),
    ("trees", "hotspots", {}),
    ("trees", "hotspots", {"view": "confusion", "least": "1"}),
    ("trees", "hotspots", {"view": "words", "least": "1"}),
    ("trees", "about", {}),
    ("trees", "lab", {"lab_show": "e la t"}),
    *(("trees", "lessons", {"lesson": name, "slide": slide}) for name in ("attachment", "theories") for slide in "234"),
    ("trees", "lessons", {"lesson": "lineages", "slide": "3"}),
    ("trees", "lessons", {"lesson": "meaning", "slide": "3"}),
    *(("trees", "lessons", {"lesson": "vote", "slide": "2", "shown": stage}) for stage in "12"),
    ("dependencies", "overview", {"open": "ranks,pair,distribution"}),
    ("dependencies", "sentence", {"sentence": "1", "at": "1"}),
    ("dependencies", "hotspots", {"least": "1"}),
    ("graphs", "semantics", {}),
    ("graphs", "sentence", {"sentence": "2"}),
    ("graphs", "hotspots", {}),
    ("frameworks", "crossframework", {"parser": "wrong", "sentence": "1"}),
    ("lists", "overview", {}),
]


@pytest.mark.parametrize(
    ("kind", "page", "query"), PAGES, ids=[" ".join((kind, page, *query.values())) for kind, page, query in PAGES]
)
@pytest.mark.slow
def test_nothing_on_a_page_is_without_its_save(
    open_app: Open,
    files: dict[str, File],
    scored: Callable[..., evaltools.Run],
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    page: str,
    query: dict[str, str],
):
    run = scored(RUNS[kind])
    monkeypatch.setattr("sys.argv", ["app.py", str(run.path)])
    worse = next((name for name in (HOSTILE_PARSER, "near") if name in run.parsers), run.parsers[-1])
    app = open_app(page, **({"parser": worse} | query))
    assert not app.error
    assert unsaved(app, files) == []
    offered = [file for key, file in files.items() if key.startswith("save_")]
    assert offered
    of_each_kind = {file.name.rpartition(".")[2]: file for file in offered}
    for file in offered:
        if not file.name.endswith((".png", ".pdf")):
            check(file)
    for end in {"png", "pdf"} & of_each_kind.keys():  # made of the drawing that was checked as SVG
        check(of_each_kind[end])


def test_a_picture_without_save_would_be_found(open_app: Open, files: dict[str, File], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("evaltools.app.sentence.save", lambda key, *things: None)
    app = open_app("sentence", parser=HOSTILE_PARSER, sentence="7")
    assert unsaved(app, files) == ["picture", "picture"]


def test_a_button_opens_what_can_be_saved_in_a_dialog(open_app: Open):
    app = open_app("sentence", parser=HOSTILE_PARSER, sentence="7")
    assert not app.get("download_button")
    app.button(key="save_sentence_viewer").click().run()
    labels = [button.proto.label for button in app.get("download_button")]
    assert {"SVG", "PDF", "LaTeX"} <= set(labels)


def test_a_marked_sentence_is_saved_with_its_caption_errors_and_legend_or_without(
    open_app: Open, files: dict[str, File]
):
    app = open_app("sentence", parser=HOSTILE_PARSER, sentence="7")
    (key,) = [key for key in files if key.startswith("save_sentence_marked") and key.endswith("_svg")]
    caption, legend = b'class="caption"', b'class="sample'
    saved = files[key].make()
    assert caption in saved
    assert legend in saved
    app.toggle(key="save_sentence_marked_texts").set_value(False).run()
    saved = files[key].make()
    assert legend not in saved
    assert caption not in saved
    assert b"evaltools:" in saved


def test_a_list_of_sentences_is_saved_as_a_table_as_trees_and_as_a_run(open_app: Open, files: dict[str, File]):
    open_app("worst_parses", parser=HOSTILE_PARSER, q="saw")
    made = {file.name.rpartition(".")[0]: file.make for key, file in files.items() if key.startswith("subset_")}
    assert len(made["gold"]().splitlines()) == len(made["parser"]().splitlines()) == 2


def tikz(files: dict[str, File]) -> int:
    return sum(rb"\begin{tikzpicture}" in file.make() for key, file in files.items() if key.endswith("_latex"))


@pytest.mark.slow
def test_every_chapter_of_about_can_be_saved(open_app: Open, files: dict[str, File]):
    for name in SECTIONS:
        assert unsaved(open_app("about", chapter=name), files) == []
    for file in {file.name: file for key, file in files.items() if key.startswith("save_")}.values():
        check(file)
    assert tikz(files) >= 10
