"""What the next clicks on *Hotspots* need, computed in the background: the rows in view, and the other views."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from evaltools.frameworks.groups import GroupBy, Options, Part
from evaltools.runs.store import Run
from evaltools.ui.hotspots.parts import compared_part, part_of, sizes
from evaltools.ui.hotspots.table import MAX_SEEN, group_of, group_rows, prepare, prepare_rows
from evaltools.ui.sentence.detail import detail_drawer
from evaltools.ui.session import data
from evaltools.ui.session.ahead import compute_ahead
from evaltools.ui.widgets.controls import value_of

__all__ = ["compute_views"]

_SOON = 3
"""Rows of the open view that come before the other views: a reader begins at the top."""


def compute_views(run: Run, parser: str, other: str) -> None:
    """Compute every view of a parser with the options of the URL, compared with another parser if given.

    Before them, what a click on one of the first rows of the open view shows; after them, the other rows in view.
    """
    if len(sizes(run.n_sentences)[0]) > 1:
        return  # of long runs the reader chooses how many sentences to analyze
    whole = part_of(run, run.n_sentences)

    def of(group: GroupBy) -> tuple[Part, str]:
        if group.needs_common(parser, other):
            return compared_part(run, run.n_sentences, (parser, other)), other
        return whole, "" if group.of_all_parsers else other

    shown, key = group_of(run), [data.run_key(run), parser, other]
    steps: list[Callable[[], object]] = []
    for group in run.framework.groups.values():
        options = _options(group)
        part, second = of(group)
        arguments = part, group, parser, second, options
        steps += [partial(group_rows, *arguments), partial(prepare, *arguments)]
        key += [group.id, *map(str, options.items())]
    compute_ahead(repr(key), steps)
    draw, options = detail_drawer(run, parser), _options(shown)
    part, second = of(shown)
    rows = partial(prepare_rows, part, shown, parser, second, options, draw)
    about = key, shown.id, *draw.identity
    compute_ahead(repr(("first rows", about)), rows(0, _SOON))
    compute_ahead(repr(("other rows", about)), rows(_SOON, MAX_SEEN), last=True)


def _options(group: GroupBy) -> Options:
    """Return the options of a question that the URL has."""
    return group.options(**{control.name: value_of(control) for control in group.controls})
