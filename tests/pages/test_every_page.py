"""Every page opens on runs of every kind, and has something to show."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import evaltools
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
from tests.pages.test_crossframework import score_frameworks
from tests.pages.test_discontinuous import score_gaps
from tests.pages.test_graph_kinds import score_amrs, score_bilexical
from tests.pages.test_nbest_lists import score_lists
from tests.pages.test_semantics import score_bare
from tests.pages.tiny import score_tiny

PAGES = sorted(path.stem for path in (Path(__file__).resolve().parents[2] / "pages").glob("*.py"))


def score_part(folder: Path) -> evaltools.Run:
    """Score some sentences of a run as a run of its own."""
    return evaltools.subset(score_tiny(folder), [2, 6, 7], folder / "part")


RUNS = (
    *(score_tiny, score_part, score_gaps, score_lists, score_dependencies),
    *(score_graphs, score_bare, score_bilexical, score_amrs, score_frameworks),
)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("score", RUNS, ids=lambda score: score.__name__)
def test_every_page_opens(open_on: Any, score: Callable[[Path], evaltools.Run], page: str):
    app = open_on(score)(page)
    assert not app.error
    assert app.main.header or app.main.subheader
