"""What the next clicks on *Hotspots* need, computed in the background: the other views of a parser."""

from __future__ import annotations

from functools import partial

from evaltools.runs.store import Run
from evaltools.ui.hotspots.parts import part_of, sizes
from evaltools.ui.hotspots.table import prepare
from evaltools.ui.session import data
from evaltools.ui.session.ahead import compute_ahead
from evaltools.ui.widgets.controls import value_of

__all__ = ["compute_views"]


def compute_views(run: Run, parser: str, other: str) -> None:
    """Compute every view of a parser with the options of the URL, compared with another parser if given."""
    if len(sizes(run.n_sentences)[0]) > 1:
        return  # of long runs the reader chooses how many sentences to analyze
    part = part_of(run, run.n_sentences)
    steps, key = [], [data.run_key(run), parser, other]
    for group in run.framework.groups.values():
        options = group.options(**{control.name: value_of(control) for control in group.controls})
        steps.append(partial(prepare, part, group, parser, "" if group.of_all_parsers else other, options))
        key += [group.id, *map(str, options.items())]
    compute_ahead(repr(key), steps)
