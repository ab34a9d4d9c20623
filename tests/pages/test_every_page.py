"""Every page opens on runs of every kind, and has something to show."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice
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


CHOICES = """
average at beside box by carrier cell class classes columns errors_of graphs group key least length listed metric
metric2 most open order other over pair parser part patterns repair scheme score script sentence show status step trees
units value view word
""".split()
"""What links say; ``q``, a text to look for, is no nonsense, whatever it is."""


NONSENSE = ("x", "-1~²~nan", '[["role","A",-1]]', "999999999999999999999")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    ("first", "score"), list(enumerate([score_tiny, score_dependencies, score_graphs])), ids=["trees", "arcs", "graphs"]
)
def test_a_link_that_says_nonsense_of_everything_does_no_harm(
    open_on: Any, first: int, score: Callable[[Path], evaltools.Run], page: str
):
    texts = islice(cycle(NONSENSE), first, None)  # each run is given other nonsense of a choice
    app = open_on(score)(page, **dict(zip(CHOICES, texts, strict=False)))
    assert not app.error
    assert app.main.header or app.main.subheader
