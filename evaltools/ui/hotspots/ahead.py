"""What the next clicks on *Hotspots* need, computed in the background: other views, and comparisons."""

from __future__ import annotations

from functools import partial

from evaltools.frameworks.groups import GroupBy
from evaltools.runs.store import Run
from evaltools.ui.hotspots.parts import part_of, sizes
from evaltools.ui.hotspots.table import prepare
from evaltools.ui.session import data
from evaltools.ui.session.ahead import compute_ahead
from evaltools.ui.widgets.controls import value_of

__all__ = ["compute_views"]

_MAX_PARSERS = 4
"""Maximum number of parsers that the shown view is compared with ahead: caches hold the results of those."""


def compute_views(run: Run, shown: GroupBy, parser: str, other: str) -> None:
    """Compute every view of a parser with the options of the URL, and the shown one compared with other parsers.

    Where two parsers are compared, `other`, the other views are, too.
    """
    if len(sizes(run.n_sentences)[0]) > 1:
        return  # of long runs the reader chooses how many sentences to analyze
    part = part_of(run, run.n_sentences)
    steps, key = [], [data.run_key(run), shown.id, parser, other]
    for group in run.framework.groups.values():
        options = group.options(**{control.name: value_of(control) for control in group.controls})
        steps.append(partial(prepare, part, group, parser, "" if group.of_all_parsers else other, options))
        if group is shown and not group.of_all_parsers:
            others = [name for name in run.parsers if name not in (parser, other)][:_MAX_PARSERS]
            steps += [partial(prepare, part, group, parser, name, options) for name in others]
        key += [group.id, *map(str, options.items())]
    compute_ahead(repr(key), steps)
