"""Links in the project's Markdown lead somewhere; of other sites only the form is looked at, without a network."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from evaltools.app.about_chapters import SECTIONS
from tests.test_repository import repository_files

ROOT = Path(__file__).resolve().parent.parent
FILES = [path for path in repository_files() if path.suffix == ".md"]
IN_APP = ROOT / "evaltools" / "app" / "about_chapters"

_BLOCK = re.compile(r"^(```|~~~).*?^\1\s*$|(?:^(?: {4}|\t)[^\n]*\n?)+", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"\]\(\s*<?([^()\s>]*(?:\([^()\s]*\)[^()\s>]*)*)>?(?:\s+\"[^\"]*\")?\s*\)")
_DEFINITION = re.compile(r"^\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
_BARE = re.compile(r"<((?:https?|ftp|mailto):[^>]*)>")
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)


def without_code(text: str) -> str:
    return _SPAN.sub("", _BLOCK.sub("", text))


def links(text: str) -> list[str]:
    bare = without_code(text)
    return [link for pattern in (_LINK, _DEFINITION, _BARE) for link in pattern.findall(bare)]


def anchors(text: str) -> set[str]:
    found: set[str] = set()
    seen: Counter[str] = Counter()
    for heading in _HEADING.findall(re.sub(r"^(```|~~~).*?^\1\s*$", "", text, flags=re.MULTILINE | re.DOTALL)):
        bare = re.sub(r"[*_`]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        kept = "".join(one for one in bare if one in "-_ " or unicodedata.category(one)[0] in "LN")
        name = kept.replace(" ", "-")
        found.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return found


def wrong(path: Path, link: str) -> str:
    """Return what is wrong with a link, or nothing."""
    parts = urlsplit(link)
    if parts.scheme or link.startswith("//"):
        if parts.scheme != "https":
            return "not https"
        well_formed = re.fullmatch(r"(?:[a-z0-9-]+\.)+[a-z]{2,}", parts.netloc) and re.fullmatch(
            r"[\w./~%+:@!$&'()*,;=-]*", parts.path
        )
        return "" if well_formed else "no address"
    if path.parent == IN_APP:  # chapters of one page
        return "" if not parts.path and parts.fragment in SECTIONS else "no chapter"
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        return "no such file"
    if not target.is_relative_to(ROOT):
        return "outside the project"
    if parts.fragment and parts.fragment not in anchors(target.read_text("utf-8")):
        return "no such heading"
    return ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path):
    found = {link: wrong(path, link) for link in links(path.read_text("utf-8"))}
    assert {link: fault for link, fault in found.items() if fault} == {}


def test_there_is_something_to_look_at():
    names = {str(path.relative_to(ROOT)) for path in FILES}
    assert {"README.md", "CONTRIBUTING.md", "benchmarks/README.md", "sample_data/README.md"} <= names
    assert sum(len(links(path.read_text("utf-8"))) for path in FILES) > 20


@pytest.mark.parametrize(
    ("link", "fault"),
    [
        ("README.md", ""),
        ("docs/alignment.svg", ""),
        ("#where-it-is", ""),
        ("README.md#formats", ""),
        ("https://example.org/a_(b)", ""),
        ("#nowhere", "no such heading"),
        ("docs/none.svg", "no such file"),
        ("../..", "outside the project"),
        ("http://example.org", "not https"),
        ("https://example", "no address"),
    ],
)
def test_what_is_wrong_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, link: str, fault: str):
    (tmp_path / "project" / "docs").mkdir(parents=True)
    monkeypatch.setattr("tests.test_links.ROOT", tmp_path / "project")
    page = tmp_path / "project" / "README.md"
    page.write_text("# Where *it* is\n\n## Formats\n", encoding="utf-8")
    (tmp_path / "project" / "docs" / "alignment.svg").write_text("<svg/>", encoding="utf-8")
    assert wrong(page, link) == fault


def test_links_are_found_in_every_form_but_not_in_code():
    text = 'See [a](x.md "t"), ![b](<y z.svg>)\n[c]: https://e.org/d\n<https://e.org/f>\n'
    text += "\n    [no](no.md)\n\n`[no](no.md)` `` ` `` [g](g.md)\n"
    assert links(text) == ["x.md", "g.md", "https://e.org/d", "https://e.org/f"]


def test_headings_become_anchors():
    text = "# The `code` and *more*\n## A, b & c\n## A, b & c\n```\n# no\n```\n"
    assert anchors(text) == {"the-code-and-more", "a-b--c", "a-b--c-1"}
