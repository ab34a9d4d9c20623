"""Confusions of tags, features and enhanced dependencies of aligned words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.corpus import Dependencies
from evaltools.corpus.enhanced import numbered_edges, without_subtypes
from evaltools.frameworks.common.confusion_matrix import commonest, confusion_matrix, in_cell
from evaltools.frameworks.common.word_groups import FIGURES
from evaltools.frameworks.controls import Choice, Control
from evaltools.frameworks.dependency.hotspot_words import NONE, confusions, gold_of_part, in_order, trees_of_part
from evaltools.frameworks.dependency.universal import feature_values
from evaltools.frameworks.groups import Column, GroupBy, Line, Matrix, Options, Part

__all__ = ["NONE", "Columns", "column_pairs"]

_COLUMN = Choice(
    "column",
    "Column",
    {
        "tag": "UPOS",
        "xtag": "XPOS",
        "feats": "features",
        "deps": "enhanced dependencies",
        "universal_deps": "enhanced dependencies without subtypes",
    },
    "tag",
    "the column that is compared; features are the universal ones, each value on its own; enhanced dependencies are "
    "compared with those to the same head, with subtypes and case as in ELAS, or without them as in EULAS",
)
_UNITS = {
    "tag": "UPOS tags",
    "xtag": "XPOS tags",
    "feats": "Feature values",
    "deps": "Enhanced dependencies",
    "universal_deps": "Enhanced dependencies without subtypes",
}


def column_pairs(part: Part, parser: str, column: str) -> pd.DataFrame:
    """Return the words that have an aligned word, with ``gold`` and ``test``; a row for each feature or edge."""
    gold, _, _ = part.cached(gold_of_part)
    test = part.cached(trees_of_part, parser)
    query = (
        "select sentence, word, test_word from words "
        "where parser = ? and sentence <= ? and test_word is not null order by sentence, word"
    )
    rows = part.run.query(query, [parser, part.size]).astype(np.int64)
    sentence = rows["sentence"].to_numpy() - 1
    word, test_word = rows["word"].to_numpy(), rows["test_word"].to_numpy()
    exists = (word <= gold.n_words[sentence]) & (test_word <= test.n_words[sentence])
    rows, sentence = rows[exists], sentence[exists]
    sides = [
        getattr(side, column.removeprefix("universal_"))[side.offsets[sentence] + rows[name].to_numpy() - 1]
        for side, name in ((gold, "word"), (test, "test_word"))
    ]
    words = rows[["sentence", "word"]].reset_index(drop=True)
    if column == "feats":
        return _feature_pairs(words, _texts(gold, "annotations", sides[0]), _texts(test, "annotations", sides[1]))
    if column in ("deps", "universal_deps"):
        texts = _texts(gold, "annotations", sides[0]), _texts(test, "annotations", sides[1])
        return _edge_pairs(words, rows["test_word"].tolist(), *texts, subtypes=column == "deps")
    labels: pd.DataFrame = words.assign(gold=_texts(gold, "labels", sides[0]), test=_texts(test, "labels", sides[1]))
    return labels


def _texts(side: Dependencies, table: str, numbers: NDArray[np.int32]) -> NDArray[np.object_]:
    """Return the strings with some numbers in a table of the vocabulary."""
    strings = np.array([*getattr(side.vocabulary, table).strings(), ""], dtype=object)
    texts: NDArray[np.object_] = strings[numbers]
    return texts


def _feature_pairs(words: pd.DataFrame, gold: NDArray[np.object_], test: NDArray[np.object_]) -> pd.DataFrame:
    """Return a row for every feature that the gold word or the parser's has."""
    pairs = pd.MultiIndex.from_arrays([gold, test])
    codes, distinct = pairs.factorize()
    compared = [_compared(*texts) for texts in distinct]
    sizes = np.array([len(values) for values in compared], dtype=np.int64)[codes]
    index = np.repeat(np.arange(len(words)), sizes)
    values = [pair for code in codes.tolist() for pair in compared[code]]
    labels = np.array(values, dtype=object).reshape(-1, 2)
    pairs_of_words: pd.DataFrame = words.iloc[index].reset_index(drop=True)
    return pairs_of_words.assign(gold=labels[:, 0], test=labels[:, 1])


def _edge_pairs(
    words: pd.DataFrame,
    test_words: list[int],
    gold: NDArray[np.object_],
    test: NDArray[np.object_],
    *,
    subtypes: bool,
) -> pd.DataFrame:
    """Return a row for every enhanced dependency that the gold word or the parser's has, by their heads."""

    def edges(deps: str) -> list[tuple[int, str]]:
        found = numbered_edges(deps)
        return found if subtypes else [(head, without_subtypes(relation)) for head, relation in found]

    places = list(zip(words["sentence"].tolist(), words["word"].tolist(), strict=True))
    gold_word = {(sentence, at): word for (sentence, word), at in zip(places, test_words, strict=True)}
    found = []
    for (sentence, word), deps, test_deps in zip(places, gold, test, strict=True):
        mapped = [(gold_word.get((sentence, head), -head) if head else 0, name) for head, name in edges(test_deps)]
        found += [(sentence, word, *pair) for pair in _paired_edges(edges(deps), mapped)]
    return pd.DataFrame(found, columns=["sentence", "word", "gold", "test"])


def _paired_edges(gold: list[tuple[int, str]], test: list[tuple[int, str]]) -> list[tuple[str, str]]:
    """Return the relations of the edges to the same heads: equal ones first, then others in their order.

    Examples
    --------
    >>> _paired_edges([(0, "root"), (3, "nsubj")], [(0, "root"), (3, "obj"), (4, "conj")])
    [('root', 'root'), ('nsubj', 'obj'), ('(none)', 'conj')]
    """
    pairs: list[tuple[str, str]] = []
    for head in dict.fromkeys(at for at, _ in (*gold, *test)):
        own = [[relation for at, relation in side if at == head] for side in (gold, test)]
        for relation in list(own[0]):
            if relation in own[1]:
                own[0].remove(relation)
                own[1].remove(relation)
                pairs.append((relation, relation))
        pairs += zip_longest(own[0], own[1], fillvalue=NONE)
    return pairs


def _compared(gold: str, test: str) -> list[tuple[str, str]]:
    """Return the pairs of values of two columns FEATS, by feature.

    Examples
    --------
    >>> _compared("Case=Nom|Number=Sing", "Number=Plur|Person=3")
    [('Case=Nom', '(none)'), ('Number=Sing', 'Number=Plur'), ('(none)', 'Person=3')]
    """
    sides = feature_values(gold), feature_values(test)
    names = sorted({*sides[0], *sides[1]})
    gold_values, test_values = ([f"{name}={side[name]}" if name in side else NONE for name in names] for side in sides)
    return list(zip(gold_values, test_values, strict=True))


class Columns(GroupBy):
    """Tags and features that are confused."""

    id = "columns"
    title = "Column confusions"
    description = (
        "Aligned words with a wrong UPOS, XPOS, universal feature or enhanced dependency. What only one side has is "
        f"confused with {NONE}."
    )
    keys = ("gold", "test")
    unit = "wrong values"
    whole = "wrong values of this column"
    marks_words = True

    @property
    def controls(self) -> tuple[Control, ...]:
        """The column."""
        return (_COLUMN,)

    def _pairs(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        return part.cached(column_pairs, parser, options["column"])

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return pairs of values."""
        rows = confusions(self._pairs(part, parser, options))
        of_label = rows["share"].where(rows["gold"] != NONE)
        return rows.assign(of_label=of_label, share=rows["count"] / max(int(rows["count"].sum()), 1))

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the words."""
        pairs = self._pairs(part, parser, options)
        chosen = pairs[in_cell(pairs, row, commonest(_counts(pairs), NONE), NONE)]
        forms = part.cached(gold_of_part)[2].forms
        columns = (chosen[name].tolist() for name in ("sentence", "word", "gold", "test"))
        remarks = [
            f"“{forms[sentence - 1][word - 1]}”: {test} instead of {gold}"
            for sentence, word, gold, test in zip(*columns, strict=True)
        ]
        return in_order(chosen[["sentence"]].assign(start=chosen["word"] - 1, end=chosen["word"], remark=remarks))

    def lines(self, part: Part, sentences: Sequence[int], errors: pd.DataFrame) -> list[Line]:
        """Return sentences with the words that are marked in them."""
        return part.cached(gold_of_part)[2].lines(sentences, errors)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the wrong values, each counted once."""
        pairs = self._pairs(part, parser, options)
        return pairs.loc[pairs["gold"] != pairs["test"], [*self.keys, "sentence"]].assign(value=1)

    def matrix(self, part: Part, parser: str, options: Options) -> Matrix:
        """Return the counts of values, the correct ones on the diagonal."""
        rows = _counts(self._pairs(part, parser, options))
        none = NONE if options["column"] in ("feats", "deps", "universal_deps") else ""
        matrix = confusion_matrix(rows, commonest(rows, none), none)
        return Matrix(matrix, f"{_UNITS[options['column']]} of aligned words; pale: right.", none)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the values and their figures."""
        return (
            Column("gold", "Gold", "text", width=110),
            Column("test", "Parser", "text", width=110),
            Column("count", "Wrong values"),
            Column("share", "Share", "percent", help="of all wrong values of this column", width=62),
            FIGURES["sentences"],
            Column("of_label", "Of the gold value", "percent", "of the aligned words with the gold value"),
            Column("right", "Right"),
        )

    def describe(self, row: pd.Series[Any]) -> str:
        """Return what a row is called in a sentence."""
        return f"{row['test']} instead of {row['gold']}"

    def heading(self, row: pd.Series[Any]) -> str:
        """Return what a row is called above its sentences."""
        return self.describe(row)


def _counts(pairs: pd.DataFrame) -> pd.DataFrame:
    return pairs.groupby(["gold", "test"], sort=True).size().rename("count").reset_index()
