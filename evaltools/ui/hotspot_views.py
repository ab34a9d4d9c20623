"""The views of *Hotspots*: each a table of groups, and for a group the places in the sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from evaltools.analysis.bracket_errors import (
    NO_BRACKET,
    attachments,
    confusion_places,
    label_changes,
    label_confusions,
    rule_differences,
    rule_places,
)
from evaltools.analysis.error_table import error_totals
from evaltools.analysis.hotspots import hotspots
from evaltools.runs.store import Run
from evaltools.ui import hotspot_data
from evaltools.ui.error_rules import rules_name
from evaltools.ui.hotspot_configurations import (
    Options,
    bracket_configuration_places,
    bracket_configuration_rows,
    bracket_configurations_of,
    word_configuration_places,
    word_configuration_rows,
    word_configurations_of,
    word_places,
)
from evaltools.ui.hotspot_data import Part
from evaltools.ui.hotspot_dependencies import DEPENDENCY_VIEWS
from evaltools.ui.hotspot_view import View

__all__ = ["VIEWS", "views_of"]


def _word_rows(part: Part, parser: str, options: Options) -> pd.DataFrame:
    rows = hotspots(hotspot_data.words(part, parser), options.by, options.score, least=options.least)
    return rows.rename(columns={options.by: "group"}).astype({"group": str})


def _word_places(part: Part, parser: str, options: Options, row: Mapping[str, Any]) -> pd.DataFrame:
    words = hotspot_data.words(part, parser)
    chosen = words[(words[options.by].astype(str) == row["group"]) & (words[options.score] < 1)]
    return word_places(part, chosen, options.score)


def _confusion_rows(part: Part, parser: str, _: Options) -> pd.DataFrame:
    rows = label_confusions(part.run, parser, part.most)
    right = rows[rows["gold"] == rows["test"]].set_index("gold")["count"]
    every = rows.groupby("gold")["count"].sum()
    wrong = rows[rows["gold"] != rows["test"]]
    share = wrong["count"] / wrong["gold"].map(every)
    share = share.where(wrong["gold"] != NO_BRACKET)
    return wrong.assign(share=share, right=wrong["gold"].map(right)).reset_index(drop=True)


def _confusion_places(part: Part, parser: str, _: Options, row: Mapping[str, Any]) -> pd.DataFrame:
    return confusion_places(part.run, parser, row["gold"], row["test"], part.most).assign(remark="")


def _change_rows(part: Part, parser: str, _: Options) -> pd.DataFrame:
    return label_changes(part.run, parser, part.most).assign(new_label=lambda rows: rows["new_label"].fillna(""))


def _change_places(part: Part, parser: str, _: Options, row: Mapping[str, Any]) -> pd.DataFrame:
    side = "t_test_status" if row["change"] == "inserted" else "t_gold_status"
    places: pd.DataFrame = part.run.query(
        f"select sentence, start, \"end\", '' as remark from brackets "
        f"where parser = ? and sentence <= ? and label = ? and {side} = ? and coalesce(t_label, '') = ? order by all",
        [parser, part.most, row["label"], row["change"], row["new_label"]],
    )
    return places


def _rule_rows(part: Part, parser: str, options: Options) -> pd.DataFrame:
    rows = rule_differences(hotspot_data.pair(part, parser))
    rows = rows.assign(errors=rows["under"] + rows["over"])
    return rows[rows["errors"] >= 1].reset_index(drop=True)


def _rule_places(part: Part, parser: str, _: Options, row: Mapping[str, Any]) -> pd.DataFrame:
    pair = hotspot_data.pair(part, parser)
    sides = [
        rule_places(pair, row["rule"], proposed=proposed).assign(remark=says)
        for proposed, says in ((False, "not found"), (True, "proposed wrongly"))
    ]
    return pd.concat(sides).sort_values(["sentence", "start"], kind="stable", ignore_index=True)


def _attachment_rows(part: Part, parser: str, _: Options) -> pd.DataFrame:
    found = attachments(hotspot_data.pair(part, parser))
    rows = found.groupby(["child", "gold_parent", "test_parent"], sort=False).agg(
        count=("sentence", "size"), sentences=("sentence", "nunique")
    )
    return rows.reset_index().sort_values(
        ["count", "child", "gold_parent", "test_parent"], ascending=[False, True, True, True], ignore_index=True
    )


def _attachment_places(part: Part, parser: str, _: Options, row: Mapping[str, Any]) -> pd.DataFrame:
    found = attachments(hotspot_data.pair(part, parser))
    names = ("child", "gold_parent", "test_parent")
    chosen = np.logical_and.reduce([(found[name] == row[name]).to_numpy() for name in names])
    places: pd.DataFrame = found[chosen].assign(remark="").reset_index(drop=True)
    return places


def _error_rows(part: Part, parser: str, _: Options) -> pd.DataFrame:
    return error_totals(hotspot_data.errors(part, parser, rules_name()))


def _error_places(part: Part, parser: str, _: Options, row: Mapping[str, Any]) -> pd.DataFrame:
    found = hotspot_data.errors(part, parser, rules_name())
    found = found[found["type"] == row["type"]].sort_values("repaired", ascending=False, kind="stable")
    places: pd.DataFrame = found.rename(columns={"story": "remark"}).reset_index(drop=True)
    return places


VIEWS: dict[str, View] = {
    "errors": View(
        "Error types",
        "Steps that turn the parser’s tree into the gold tree, by what kind of mistake each undoes (after Kummerfeld "
        "et al. 2012); with each, the brackets it repairs.",
        ("type",),
        "repaired",
        _error_rows,
        _error_places,
        frozenset({"rules"}),
    ),
    "words": View(
        "Words",
        "Groups of gold words against all other words by leaf-ancestor similarity. Excess: how much more is lost than "
        "if the group scored like the rest.",
        ("group",),
        "excess",
        _word_rows,
        _word_places,
        frozenset({"by", "least", "score"}),
    ),
    "configurations": View(
        "Word configurations",
        "Two or three conditions whose words score lower than every condition alone would lead one to expect.",
        ("group",),
        "excess",
        word_configuration_rows,
        word_configuration_places,
        frozenset({"least", "score"}),
        word_configurations_of,
    ),
    "brackets": View(
        "Bracket configurations",
        "Two or three conditions whose gold brackets are found more seldom than every condition alone would lead one "
        "to expect.",
        ("group",),
        "excess",
        bracket_configuration_rows,
        bracket_configuration_places,
        frozenset({"least"}),
        bracket_configurations_of,
    ),
    "labels": View(
        "Label confusions",
        f"Gold and test brackets over the same words with different labels; {NO_BRACKET}: the other tree has none.",
        ("gold", "test"),
        "count",
        _confusion_rows,
        _confusion_places,
    ),
    "changes": View(
        "T-mapping",
        "What tree distance deletes, inserts, swaps and moves, by label.",
        ("label", "change", "new_label"),
        "count",
        _change_rows,
        _change_places,
    ),
    "rules": View(
        "Rules",
        "Rules not found where the gold tree has them, and proposed where it has not.",
        ("rule",),
        "errors",
        _rule_rows,
        _rule_places,
    ),
    "attachments": View(
        "Attachments",
        "Brackets that both trees have, under different parents: which would have been right, which was chosen. Where "
        "both have the same label they are different phrases.",
        ("child", "gold_parent", "test_parent"),
        "count",
        _attachment_rows,
        _attachment_places,
    ),
}
"""The views of constituency trees by their name in the URL."""


def views_of(run: Run) -> dict[str, View]:
    """Return the views of a run of constituency or dependency trees."""
    return DEPENDENCY_VIEWS if run.kind == "dependency" else VIEWS
