"""Groups of triples as *Hotspots* and *Semantics* list them: rows of a view, the line above, places of a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.analysis.semantic_confusions import confusion_places, confusions
from evaltools.analysis.semantic_errors import GROUPS, lost_places, lost_triples
from evaltools.metrics.edm_rules import EdmRules
from evaltools.runs.store import Run
from evaltools.ui.session import data

__all__ = ["SEMANTIC_VIEWS", "Chosen", "group_name", "places_of", "rows_of", "semantic_answer"]

SEMANTIC_VIEWS = {name: grouping.title for name, grouping in GROUPS.items()} | {"confusion": "Confusion of predicates"}
"""The views by their name in the URL."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the reader looks at.

    Parameters
    ----------
    parser, other : str
        The parser, and the one it is compared with; empty for none.
    view : str
        A name in :data:`SEMANTIC_VIEWS`.
    least : int
        Groups with fewer triples, of both graphs together, are not listed.
    every : bool
        Whether sentences without analysis count as nothing matched.
    rules : EdmRules, optional
        Weights other than those of the run.
    """

    parser: str
    other: str
    view: str
    least: int
    every: bool
    rules: EdmRules | None = None


@st.cache_resource(max_entries=32, show_spinner=False)
def _rows(key: str, chosen: Chosen, _run: Run) -> pd.DataFrame:
    other = chosen.other or None
    if chosen.view == "confusion":
        return confusions(_run.query, chosen.parser, other=other, every=chosen.every)
    rows = lost_triples(
        _run.query,
        chosen.parser,
        chosen.view,
        other=other,
        every=chosen.every,
        least=float(chosen.least),
        rules=chosen.rules,
    )
    lows, highs = rows["low"].tolist(), rows["high"].tolist()
    intervals = [
        "–" if low != low else f"{100 * low:+.1f} to {100 * high:+.1f}" for low, high in zip(lows, highs, strict=True)
    ]
    flags = ["✓" if one else "" for one in rows["flagged"].tolist()]
    wrong = (rows["lost"] > 0) | (rows["other"] > 0 if other else False)
    return rows.assign(interval=intervals, flag=flags)[wrong].reset_index(drop=True)


def rows_of(run: Run, chosen: Chosen) -> pd.DataFrame:
    """Return the groups something of is lost, as the table shows them; not to be changed."""
    return _rows(data.run_key(run), chosen, run)


def places_of(run: Run, chosen: Chosen, row: pd.Series[Any]) -> pd.DataFrame:
    """Return where the triples of a row are lost: ``sentence``, characters, and ``remark``, what is wrong there."""
    other = chosen.other or None
    if chosen.view == "confusion":
        places = confusion_places(run.query, chosen.parser, row["gold"], row["test"], other=other, every=chosen.every)
        return places.assign(target_start=None, target_end=None, remark="")
    places = lost_places(
        run.query, chosen.parser, chosen.view, row["group"], other=other, every=chosen.every, rules=chosen.rules
    )
    says = {"gold": "not found", "test": "only in the parser’s graph"}
    return places.assign(remark=places["status"].map(says))


def group_name(chosen: Chosen, row: pd.Series[Any]) -> str:
    """Return what a row is called."""
    return f"{row['gold']} taken for {row['test']}" if chosen.view == "confusion" else str(row["group"])


def semantic_answer(chosen: Chosen, rows: pd.DataFrame) -> str:
    """Return the line that sums up the table."""
    if rows.empty:
        return f"Nothing of this kind goes wrong for {chosen.parser}."
    first, last = rows.iloc[0], rows.iloc[-1]
    what = group_name(chosen, first)
    if chosen.other:
        return f"Against {chosen.other}, {_against(chosen, first, last)}."
    if chosen.view == "confusion":
        return f"The most frequent confusion of {chosen.parser}: {what}, {_counted(first['count'], 'time')}."
    rest = first["f1"] - first["difference"]
    against = "" if rest != rest else f" against {100 * rest:.2f} elsewhere"
    return (
        f"{chosen.parser} loses most with {what}: F1 {100 * first['f1']:.2f}{against}; it loses "
        f"{_counted(first['lost'], 'triple')} of it, {100 * first['share']:.2f} % of all."
    )


def _against(chosen: Chosen, first: pd.Series[Any], last: pd.Series[Any]) -> str:
    """Say what a parser loses more of than the other, and what less of."""
    if chosen.view == "confusion":
        more = f"takes {first['gold']} for {first['test']} {_counted(first['more'], 'time')} more often"
        less = f"{last['gold']} for {last['test']} {_counted(-last['more'], 'time')} less often"
    else:
        more = f"loses {_counted(first['more'], 'triple')} more of {first['group']}"
        less = f"{_counted(-last['more'], 'triple')} less of {last['group']}"
    parts = [more] if first["more"] > 0 else []
    parts += [less] if last["more"] < 0 else []
    verb = "" if first["more"] > 0 else "takes " if chosen.view == "confusion" else "loses "
    return f"{chosen.parser} {verb}{', and '.join(parts)}" if parts else f"{chosen.parser} loses as much of everything"


def _counted(value: Any, thing: str) -> str:
    number = float(value)
    text = f"{number:,.0f}" if number % 1 == 0 else f"{number:,.2f}"
    return f"{text} {thing}{'' if number == 1 else 's'}"
