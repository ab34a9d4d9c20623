"""The table *Extending* of CONTRIBUTING names what is there; what the other tests enter is in it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from evaltools.app.frame import PAGES
from evaltools.formats import FORMATS
from evaltools.frameworks.constituency.passes import PASSES
from evaltools.frameworks.registry import FRAMEWORKS

ROOT = Path(__file__).resolve().parents[2]
ENTERED = {"pass (new counts)": PASSES, "file format": FORMATS, "framework": FRAMEWORKS, "page": PAGES}
"""The tables that the tests beside this one put an entry into."""


def rows() -> dict[str, list[str]]:
    """Return the cells of the table by what is new: its file, and where it is entered."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Extending")[1]
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {new: [file, table] for new, file, table in cells[1:]}


def test_the_table_names_files_that_are_there():
    named = [path for cells in rows().values() for cell in cells for path in re.findall(r"`(\w+/[\w/.]*)`", cell)]
    paths = [re.sub(r"(NAME|FRAMEWORK).*", "", path) for path in named]
    assert len(paths) > 10
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_tables_are_where_it_says():
    found: dict[str, list[object]] = {}
    for new, (_, table) in rows().items():
        for names, path in re.findall(r"(`\w+`(?: and `\w+`)?) in `(evaltools/[\w/]+)\.py`", table):
            module = importlib.import_module(path.removesuffix("/__init__").replace("/", "."))
            found.setdefault(new, []).extend(getattr(module, name) for name in re.findall(r"`(\w+)`", names))
    in_table = {new for new, table in ENTERED.items() if any(each is table for each in found.get(new, ()))}
    assert set(ENTERED) - in_table == {"pass (new counts)"}, "each framework has a table of its own"
