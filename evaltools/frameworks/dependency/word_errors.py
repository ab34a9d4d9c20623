"""The gold words of a run with what a parser made of them: heads, relations, columns, tokens and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Vocabulary
from evaltools.corpus.dependency_tree import without_subtype
from evaltools.corpus.enhanced import numbered_edges, without_subtypes
from evaltools.errors import RunError
from evaltools.formats import FORMATS, Source
from evaltools.frameworks.common.confusion_matrix import commonest, confusion_matrix, in_cell
from evaltools.frameworks.common.labels import relabeled
from evaltools.frameworks.common.word_groups import FIGURES, GoldWords, categories, classes, coded
from evaltools.frameworks.controls import Choice, Control
from evaltools.frameworks.dependency.errors import ROOT
from evaltools.frameworks.dependency.options import DependencyOptions
from evaltools.frameworks.dependency.stored import DIRECTIONS, DISTANCES
from evaltools.frameworks.dependency.universal import feature_values
from evaltools.frameworks.groups import Column, GroupBy, Line, Matrix, Options, Part
from evaltools.frameworks.options import options_of
from evaltools.frameworks.questions import NONE

# --------------------------------------------------------------------------------------------------------------- words

DEPENDENCY_FEATURES: dict[str, str] = {
    "form": "word form",
    "tag": "tag",
    "relation": "relation",
    "head_tag": "tag of the head",
    "distance": "distance to the head",
    "direction": "side of the head",
    "position": "position in the sentence",
    "length": "sentence length",
}
"""The features of gold words, with their titles."""

_SENTENCES = (1, 5, 10, 15, 20, 25, 30, 40, 60)
_POSITIONS = ("first", "inside", "last", "alone")

if TYPE_CHECKING:
    from evaltools.runs.store import Run


def gold_dependencies(run: Run, n: int) -> Dependencies:
    """Read the first `n` gold trees of a run of dependency trees."""
    return _trees(run, n, "parser is null", [])


def _trees(run: Run, n: int, whose: str, values: list[str]) -> Dependencies:
    if run.framework.reads is not Dependencies:
        raise RunError(f"{run.folder} compares {run.framework.title}, not dependency trees")
    query = f"select tree, notation from trees where {whose} and sentence <= ? order by sentence"
    rows = run.query(query, [*values, n])
    notation = str(rows["notation"].iloc[0]) if len(rows) else "conllu"
    missing = FORMATS[notation].write([None]).strip()
    blocks = [tree if isinstance(tree, str) else missing for tree in rows["tree"]]
    data = "".join(f"{block}\n\n" for block in blocks).encode("utf-8", "backslashreplace")
    trees: Dependencies = FORMATS[notation].read(Source("gold", data, ""), Vocabulary())
    return relabeled(trees.resized(len(blocks)), run.rules.label_map)


def dependency_features(gold: Dependencies, *, subtypes: bool) -> pd.DataFrame:
    """Describe every gold word."""
    sentence = np.repeat(np.arange(len(gold), dtype=np.int64), gold.n_words)
    index = np.arange(len(gold.head)) - gold.offsets[sentence]
    n = gold.n_words[sentence]
    head = gold.head.astype(np.int64)
    labels = [*gold.vocabulary.labels.strings(), NONE, ROOT]
    distance = np.digitize(np.where(head < 0, 0, np.abs(head - index)), [1, 2, 3, 7])
    direction = np.where(head < 0, 0, np.where(head < index, 1, 2))
    position = np.where(n == 1, 3, np.where(index == 0, 0, np.where(index == n - 1, 2, 1)))
    columns: dict[str, Any] = {
        "sentence": sentence + 1 + gold.first_sentence,
        "word": index + 1,
        "head": head + 1,
        "form": coded(gold.form, gold.vocabulary.words.strings()),
        "tag": coded(gold.tag, labels),
        "relation": _relations(gold, subtypes=subtypes),
        "head_tag": coded(_head_tags(gold, sentence, head), labels),
        "distance": categories(distance, DISTANCES, ordered=True),
        "direction": categories(direction, DIRECTIONS, ordered=True),
        "position": categories(position, _POSITIONS, ordered=True),
        "length": classes(n, _SENTENCES),
    }
    return pd.DataFrame(columns)


def _relations(gold: Dependencies, *, subtypes: bool) -> Any:
    names = [_relation(item, subtypes=subtypes) for item in gold.vocabulary.labels.strings()]
    distinct = {name: number for number, name in enumerate(dict.fromkeys(names))}
    numbers = np.array([distinct[name] for name in names], dtype=np.int64)
    return coded(numbers[gold.relation], list(distinct))


def _relation(name: str, *, subtypes: bool) -> str:
    return name if subtypes else without_subtype(name)


def _head_tags(gold: Dependencies, sentence: NDArray[np.int64], head: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of the tag of each word's head; that of :data:`ROOT` or :data:`NONE` where it is no word."""
    root = len(gold.vocabulary.labels.strings()) + 1
    return np.where(head < 0, root + 1 + head, gold.tag[gold.offsets[sentence] + np.maximum(head, 0)]).astype(np.int64)


def dependency_scores(run: Run, parser: str, gold: Dependencies) -> pd.DataFrame:
    """Return the heads and relations that a parser gave to the gold words, with their scores."""
    rows = run.query(
        "select w.sentence, w.word, w.head_right, w.relation_right, w.la, w.la_exact, "
        "coalesce(w.test_head, -1) as test_head, coalesce(w.test_relation, '') as test_relation "
        "from words w join sentences s using (parser, sentence) "
        "where w.parser = ? and s.status = 'ok' and w.sentence <= ? order by w.sentence, w.word",
        [parser, len(gold)],
    )
    right = rows.pop("head_right").to_numpy(dtype=np.float64)
    labelled = rows.pop("relation_right").to_numpy(dtype=np.float64)
    sentence = rows["sentence"].to_numpy(dtype=np.int64) - 1
    head = np.minimum(rows["test_head"].to_numpy(dtype=np.int64), gold.n_words[sentence]) - 1
    names = [*gold.vocabulary.labels.strings(), NONE, ROOT]
    subtypes = options_of(DependencyOptions, run.meta).subtypes
    return rows.assign(
        uas=right,
        las=right * labelled,
        test_head_tag=coded(_head_tags(gold, sentence, head), names),
        test_relation=[_relation(item, subtypes=subtypes) for item in rows["test_relation"].tolist()],
    )


def counted(words: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Count words and sentences by some columns, the most words first."""
    plain = words[["sentence", *keys]].astype(dict.fromkeys(keys, object))
    groups = plain.groupby(keys, sort=False)
    rows = pd.DataFrame({"count": groups.size(), "sentences": groups["sentence"].nunique()}).reset_index()
    return rows.sort_values(["count", *keys], ascending=[False] + [True] * len(keys), ignore_index=True)


def confusions(compared: pd.DataFrame) -> pd.DataFrame:
    """Count the pairs of a gold label and another label of a parser: ``gold``, ``test``, with shares of the label."""
    wrong = compared[compared["gold"] != compared["test"]]
    rows = counted(wrong, ["gold", "test"])
    totals = compared["gold"].value_counts()
    right = totals.sub(wrong["gold"].value_counts(), fill_value=0)
    share = rows["count"] / rows["gold"].map(totals)
    return rows.assign(right=rows["gold"].map(right).astype(np.int64), share=share)


def in_order(indices: pd.DataFrame) -> pd.DataFrame:
    """Return positions of words sorted: sentences with the most first."""
    n_words = indices.groupby("sentence")["start"].transform("size")
    order = np.lexsort((indices["start"], indices["sentence"], -n_words))
    return indices.iloc[order].reset_index(drop=True)


def gold_of_part(part: Part) -> tuple[Dependencies, pd.DataFrame, GoldWords]:
    """Return the gold trees of some sentences, their words with features, and their forms."""
    gold = gold_dependencies(part.run, part.size)
    features = dependency_features(gold, subtypes=options_of(DependencyOptions, part.run.meta).subtypes)
    forms = np.array(gold.vocabulary.words.strings(), dtype=object)[gold.form]
    return gold, features, GoldWords.of(forms, gold.n_words)


def trees_of_part(part: Part, parser: str) -> Dependencies:
    """Return a parser's trees of some gold sentences."""
    return _trees(part.run, part.size, "parser = ?", [parser])


def words_of_part(part: Part, parser: str) -> pd.DataFrame:
    """Return the gold words of sentences with the same tokens, with a parser's heads, relations and scores."""
    gold, features, _ = part.cached(gold_of_part)
    words = features.merge(dependency_scores(part.run, parser, gold), on=["sentence", "word"], how="inner")
    return words.assign(cost=(words["las"] == 0).astype(np.int64))


# -------------------------------------------------------------- confusions of tags, features and enhanced dependencies

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
