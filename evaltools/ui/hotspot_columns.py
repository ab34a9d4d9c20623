"""How the tables of *Hotspots* look, and the line above each."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from evaltools.analysis.error_types import OTHER

__all__ = ["SCORES", "answer_of", "columns_of"]

_TITLES = {
    "type": "Error type",
    "occurrences": "Occurrences",
    "sentences": "Sentences",
    "repaired": "Brackets repaired",
    "count": "Count",
    "excess": "Excess loss",
    "loss": "Loss",
    "gold": "Gold label",
    "test": "Test label",
    "right": "Right",
    "label": "Label",
    "change": "Change",
    "new_label": "New label",
    "rule": "Rule",
    "under": "Not found",
    "over": "Proposed wrongly",
    "matched": "Right",
    "errors": "Errors",
    "child": "What hangs",
    "gold_parent": "Right parent",
    "test_parent": "Chosen parent",
    "gold_head": "Right head",
    "test_head_tag": "Chosen head",
    "uas": "UAS",
    "las": "LAS",
    "la": "LA",
}
_COLUMNS = {
    "errors": ("type", "occurrences", "sentences", "repaired", "share"),
    "words": ("group", "count", "sentences", "mean", "loss", "share", "excess", "difference", "interval", "flag"),
    "configurations": ("group", "count", "mean", "rest", "interval", "excess", "flag"),
    "brackets": ("group", "count", "mean", "rest", "interval", "excess", "flag"),
    "labels": ("gold", "test", "count", "share", "right"),
    "changes": ("label", "change", "new_label", "count"),
    "rules": ("rule", "under", "over", "matched", "errors"),
    "attachments": ("child", "gold_parent", "test_parent", "count", "sentences"),
    "relations": ("gold", "test", "count", "sentences", "share", "right"),
    "heads": ("child", "gold_head", "test_head_tag", "count", "sentences", "share"),
}
_DEPENDENCY_WORDS = (
    *("group", "count", "sentences", "uas", "las", "la", "share", "excess", "difference", "interval", "flag"),
)
_HELP = {
    "share": "of the whole that the line above the table names: of the loss, of the brackets repaired, of a label",
    "la": "mean leaf-ancestor similarity, partial credit",
    "excess": "how much more is lost than if the group scored like the rest",
    "interval": "95 % interval of the difference to the rest; words of one sentence are not taken for independent",
    "flag": "✓: the difference holds at a false discovery rate of 5 % among the groups compared",
    "more": "how much more of it the first parser has",
}
SCORES = {"la_partial": "LA", "la_strict": "LA", "las": "LAS", "uas": "UAS"}
"""What scores of words are called in a table."""

_WIDE = ("group", "type", "rule")


def columns_of(
    name: str, rows: pd.DataFrame, parser: str, other: str, feature: str, score: str = "la_partial"
) -> dict[str, Any]:
    """Add the columns that are made for reading to a table, and say how all of them look.

    Parameters
    ----------
    name : str
        The view.
    rows : DataFrame
        Its rows; ``interval`` and ``flag`` are added.
    parser, other : str
        The parsers; `other` is empty where nothing is compared.
    feature : str
        What words are grouped by.
    score : str
        What their loss is counted by.
    """
    if "low" in rows:
        lows, highs = rows["low"].tolist(), rows["high"].tolist()
        rows["interval"] = [
            "–" if low != low else f"{low:+.3f} to {high:+.3f}" for low, high in zip(lows, highs, strict=True)
        ]
        rows["flag"] = ["✓" if one else "" for one in rows["flagged"].tolist()]
    columns = _DEPENDENCY_WORDS if name == "words" and "uas" in rows else _COLUMNS[name]
    shown = [*columns, *(("other", "more") if other else ())]
    titles = _TITLES | {
        "group": feature[0].upper() + feature[1:] if name == "words" else "Conditions",
        "mean": "Found" if name == "brackets" else f"Mean {SCORES[score]}",
        "rest": "Rest",
        "share": "Share",
        "difference": "Difference",
        "interval": "95 % interval",
        "flag": "Sure",
        "other": other,
        "more": f"{parser} more",
    }
    if name == "relations":
        titles |= {"gold": "Gold relation", "test": "Chosen relation"}
    return {column: _configured(column, rows[column], titles[column]) for column in shown}


def _configured(column: str, values: pd.Series[Any], title: str) -> Any:
    hint = _HELP.get(column)
    if not pd.api.types.is_numeric_dtype(values):
        return st.column_config.TextColumn(title, help=hint, width="large" if column in _WIDE else None)
    if column == "share":
        form = "percent"
    elif column in ("mean", "rest", "difference", "uas", "las", "la"):
        form = "%.3f"
    else:
        form = "%d" if bool((values.dropna() % 1 == 0).all()) else "%.1f"
    return st.column_config.NumberColumn(title, help=hint, format=form)


def answer_of(name: str, rows: pd.DataFrame, parser: str, other: str, score: str = "la_partial") -> str:
    """Return the line that the page begins with; the parameters are those of :func:`columns_of`."""
    if rows.empty:
        return f"Nothing of this kind goes wrong for {parser}."
    first = rows.iloc[0]
    if other:
        least = rows.iloc[-1]
        text = f"Against {other}, {parser} has most trouble with {_named(name, first)}: {_amount(first['more'])} more"
        if least["more"] < 0:
            text += f"; least with {_named(name, least)}: {_amount(-least['more'])} fewer"
        return f"{text}."
    if name == "errors":
        top = ", ".join(
            f"{row['type']} ({100 * row['share']:.0f} %)"
            for row in rows[rows["type"] != OTHER.title].head(3).to_dict("records")
        )
        total = int(rows["repaired"].sum())
        return f"Of the {total:,} brackets that {parser} has wrong, most come from {top}."
    if name in ("words", "configurations", "brackets"):
        what, things = ("found", "brackets") if name == "brackets" else (SCORES[score], "words")
        rest = first["rest"] if "rest" in rows else first["mean"] - first["difference"]
        figures = f"{what} {first['mean']:.3f} against {rest:.3f} elsewhere, {int(first['count']):,} {things}"
        return f"{parser} loses most with “{_named(name, first)}”: {figures}."
    times = first["errors"] if name == "rules" else first["count"]
    return f"The most frequent error of {parser} here: {_named(name, first)}, {_amount(times)} times."


def _amount(value: Any) -> str:
    number = float(value)
    return f"{number:,.0f}" if number % 1 == 0 else f"{number:,.1f}"


def _named(name: str, row: pd.Series[Any]) -> str:
    if name in ("labels", "relations"):
        return f"{row['gold']} taken for {row['test']}"
    if name == "changes":
        new = f" to {row['new_label']}" if row["new_label"] else ""
        return f"{row['label']} {row['change']}{new}"
    if name == "attachments":
        return f"{row['child']} under {row['test_parent']} instead of {row['gold_parent']}"
    if name == "heads":
        return f"{row['child']} under {row['test_head_tag']} instead of {row['gold_head']}"
    return str(row[{"errors": "type", "rules": "rule"}.get(name, "group")])
