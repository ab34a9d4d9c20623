"""Where the errors of a parser live, as short tables for the report: of trees, dependency trees and semantic graphs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from evaltools.analysis.bracket_errors import NO_BRACKET, label_confusions
from evaltools.analysis.dependency_hotspots import (
    dependency_features,
    dependency_hotspots,
    dependency_scores,
    gold_dependencies,
    head_confusions,
    relation_confusions,
)
from evaltools.analysis.hotspots import hotspots
from evaltools.analysis.run_trees import gold_trees
from evaltools.analysis.semantic_confusions import confusions
from evaltools.analysis.semantic_errors import lost_triples
from evaltools.analysis.word_features import word_features
from evaltools.runs.store import Run
from evaltools.treebank import Dependencies

__all__ = ["HotspotTable", "Hotspots"]

_GROUPS = 8


@dataclass(frozen=True, slots=True)
class HotspotTable:
    """A table of groups, those with most to gain first.

    Parameters
    ----------
    title : str
        What it lists.
    headings : tuple of str
        Of its columns.
    rows : list of list of str
        What stands in them.
    texts : int
        So many columns, from the left, are text.
    note : str
        What its figures are.
    """

    title: str
    headings: tuple[str, ...]
    rows: list[list[str]]
    texts: int
    note: str


class Hotspots:
    """The hotspots of a run's parsers.

    Parameters
    ----------
    run : Run
        The run; of one across frameworks there are none.
    most : int
        At most so many sentences, from the first.
    least : int
        Groups of fewer words are not listed.
    """

    def __init__(self, run: Run, most: int, least: int = 20) -> None:
        self.run, self.most, self.least = run, min(most, run.n_sentences), least

    def tables(self, parser: str) -> list[HotspotTable]:
        """Return the tables of a parser; those without a row are left out.

        Parameters
        ----------
        parser : str
            The parser.
        """
        made: Sequence[HotspotTable] = ()
        if self.run.kind == "constituency":
            made = (*self._words(parser), self._labels(parser))
        elif self.run.kind == "dependency":
            made = self._arcs(parser)
        elif self.run.kind == "semantics":
            made = self._triples(parser)
        return [one for one in made if one.rows]

    @cached_property
    def _features(self) -> pd.DataFrame:
        return word_features(gold_trees(self.run, self.most))

    @cached_property
    def _gold(self) -> tuple[Dependencies, pd.DataFrame]:
        gold = gold_dependencies(self.run, self.most)
        return gold, dependency_features(gold, subtypes=bool(self.run.meta["options"]["subtypes"]))

    def _words(self, parser: str) -> list[HotspotTable]:
        if "la_partial" not in self.run.metrics:
            return []
        scores = self.run.query(
            "select sentence, word, la_partial from words where parser = ? and sentence <= ?", [parser, self.most]
        )
        words = self._features.merge(scores, on=["sentence", "word"], how="inner")
        if words.empty:
            return []
        listed = _losing(hotspots(words, ["tag", "parent"], "la_partial", least=self.least))
        rows = [
            [f"{row['tag']} in {row['parent']}", *_compared(row, f"{row['mean']:.3f}", 1.0)]
            for row in listed.to_dict("records")
        ]
        headings = ("tag in phrase", "words", "LA, partial", "against the rest", "of the loss")
        return [HotspotTable("Words that score low", headings, rows, 1, f"Groups of at least {self.least} words.")]

    def _labels(self, parser: str) -> HotspotTable:
        found = label_confusions(self.run, parser, self.most)
        wrong = found[(found["gold"] != found["test"]) & (found["gold"] != NO_BRACKET) & (found["test"] != NO_BRACKET)]
        every = found.groupby("gold")["count"].sum()
        rows = [
            [row["gold"], row["test"], f"{row['count']:,}", _percent(row["count"] / every[row["gold"]])]
            for row in wrong.sort_values("count", ascending=False, kind="stable").head(_GROUPS).to_dict("records")
        ]
        note = "Brackets over the same words with another label; the share is of the gold brackets with the label."
        return HotspotTable("Labels that are confused", ("gold", "parse", "brackets", "share"), rows, 2, note)

    def _arcs(self, parser: str) -> list[HotspotTable]:
        gold, features = self._gold
        words = features.merge(dependency_scores(self.run, parser, gold), on=["sentence", "word"], how="inner")
        if words.empty:
            return []
        tables = []
        for by, title in (("relation", "relation"), ("tag", "tag")):
            listed = _losing(dependency_hotspots(words, by, "las", least=self.least))
            rows = [
                [str(row[by]), *_compared(row, f"{100 * row['mean']:.2f}", 100.0)] for row in listed.to_dict("records")
            ]
            headings = (title, "words", "LAS", "against the rest", "of the loss")
            note = f"Groups of at least {self.least} gold words, over the sentences whose words are equal."
            tables.append(HotspotTable(f"Words that hang wrongly, by {title}", headings, rows, 1, note))
        rows = [
            [row["gold"], row["test"], f"{row['count']:,}", _percent(row["share"])]
            for row in relation_confusions(words).head(_GROUPS).to_dict("records")
        ]
        note = "Under the right head; the share is of the words with the gold relation and the right head."
        tables.append(HotspotTable("Relations that are confused", ("gold", "parse", "words", "share"), rows, 2, note))
        rows = [
            [row["child"], row["gold_head"], row["test_head_tag"], f"{row['count']:,}", _percent(row["share"])]
            for row in head_confusions(words).head(_GROUPS).to_dict("records")
        ]
        headings = ("word", "right head", "chosen head", "words", "share")
        tables.append(HotspotTable("Heads that are confused", headings, rows, 3, "Tags; the share is of wrong heads."))
        return tables

    def _triples(self, parser: str) -> list[HotspotTable]:
        tables = []
        for by, title in (("predicate", "predicate"), ("frame", "role of a predicate"), ("value", "property")):
            listed = lost_triples(self.run.query, parser, by)
            listed = listed[listed["lost"] > 0].head(_GROUPS)
            rows = [
                [
                    str(row["group"]),
                    f"{row['gold']:,.0f}",
                    f"{row['test']:,.0f}",
                    "–" if math.isnan(row["f1"]) else f"{100 * row['f1']:.2f}",
                    f"{row['lost']:,.0f}",
                    _percent(row["share"]),
                ]
                for row in listed.to_dict("records")
            ]
            headings = (title, "gold", "parse", "F1", "lost", "of the loss")
            note = "Triples of either graph that the other has not, most beyond what the rest of the kind loses first."
            tables.append(HotspotTable(f"What is lost, by {title}", headings, rows, 1, note))
        rows = [
            [row["gold"], row["test"], f"{row['count']:,}", _percent(row["share"])]
            for row in confusions(self.run.query, parser).head(_GROUPS).to_dict("records")
        ]
        note = "Over the same characters; the share is of the places of the gold predicate."
        tables.append(HotspotTable("Predicates that are confused", ("gold", "parse", "times", "share"), rows, 2, note))
        return tables


def _losing(table: pd.DataFrame) -> pd.DataFrame:
    """Return the first groups that lose something and do worse than the rest."""
    return table[(table["mean"] < 1) & ~(table["difference"] > 0)].head(_GROUPS)


def _compared(row: dict[Any, Any], mean: str, unit: float) -> list[str]:
    """Write what a row says of a group of words against the rest."""
    difference = unit * row["difference"]
    apart = "–" if math.isnan(difference) else f"{difference:+.{3 if unit == 1 else 2}f}"
    return [f"{row['count']:,}", mean, apart, _percent(row["share"])]


def _percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{100 * share:.1f} %"
