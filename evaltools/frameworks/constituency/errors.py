"""The errors of a parser's trees: repairs, wrong brackets, other rules.

They are found when the trees are scored; a stored run has the steps of the repairs, their types, and the trees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Span, Treebank, Vocabulary
from evaltools.corpus.stretches import gap_spans, gap_text, stretches_of, stretches_without
from evaltools.errors import RunError
from evaltools.formats import FORMATS, Source
from evaltools.frameworks.common.columns import Rows, SentenceStatus, coded, constant, node_positions, number_column
from evaltools.frameworks.common.tables import errors_table, numbered_errors
from evaltools.frameworks.constituency.bracketing import Bracketing, n_wrong_phrases, partners
from evaltools.frameworks.constituency.error_types import (
    OTHER,
    RULES,
    WIDE,
    RuleSet,
    bundled_rules,
    load_rules,
    typed_steps,
)
from evaltools.frameworks.constituency.normalization import (
    Normalized,
    Pair,
    Spans,
    TreeComparison,
    gaps_of,
    hulls,
    normalize_gold,
    normalize_pair,
    word_offsets,
)
from evaltools.frameworks.constituency.repair import (
    TOO_LONG,
    UNORDERED,
    Columns,
    Operation,
    RepairCounts,
    Steps,
    edit_text,
    edits_of,
    in_sentence,
)
from evaltools.frameworks.framework import ErrorTypes
from evaltools.frameworks.passes import Passes
from evaltools.frameworks.stored import no_such_thing, trees_of
from evaltools.marks import Status

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.runs.store import Run


REPAIR = "repair"
"""The kind of the errors: steps of repairs. A sentence with wrong brackets and no repair is one error without type."""

BRACKET = "bracket"
"""The kind of wrong brackets: missing ones, spurious ones, and pairs of these over the same words, which cost two."""

RULE = "rule"
"""The kind of right brackets with other children; they cost nothing."""

_MORE = ("type", "construction", "wide_type", "edit", "gold_rule", "test_rule")
"""The columns that other frameworks do not have, null in rows of a kind that has none."""


def tree_errors(parser: str, passes: Passes[TreeComparison]) -> Rows:
    """Build the errors of a parser's trees: repairs, and those of brackets where the words are equal."""
    comparison = passes.comparison
    repairs = passes.get(RepairCounts)
    if repairs is None:
        repairs = RepairCounts(comparison)
        repairs.run(0, len(comparison.pair.status))
    gold, test = _sides(comparison, passes.get(Bracketing), repairs)
    steps = _table(parser, REPAIR, gold, _repair_errors(comparison, repairs))
    steps["repair"] = number_column(steps["number"], np.array([kind is None for kind in steps["type"].tolist()], bool))
    brackets = {BRACKET: _bracket_errors(gold, test), RULE: _rule_errors(gold, test)}
    tables = (_table(parser, kind, gold, _in_order(columns)) for kind, columns in brackets.items())
    rows = numbered_errors(steps, *tables)
    return rows | {"words": _words_as_read(comparison.pair, rows)}


def _in_order(columns: Rows) -> Rows:
    """Sort rows by sentences and words."""
    order = np.lexsort((columns["end"], columns["start"], columns["sentence"]))
    return {name: column[order] for name, column in columns.items()}


def _table(parser: str, kind: str, gold: _Side, columns: Rows) -> Rows:
    """Build the rows of a kind from the columns that it has; its sentences count from 0."""
    n = len(columns["sentence"])
    return errors_table(
        parser,
        kind,
        columns["sentence"].astype(np.int32) + np.int32(1 + gold.treebank.first_sentence),
        columns["status"],
        columns["cost"].astype(np.int32),
        (columns["start"], columns["end"], columns["gaps"]),
        constant("", n),
        (columns["gold"], columns["test"]),
        columns["text"],
        repair=columns["repair"].astype(np.int32) if "repair" in columns else None,
        typical=columns.get("typical"),
        more={name: columns.get(name, constant(None, n)) for name in _MORE},
    )


# -------------------------------------------------------------------------------------------------------------- repairs

STEP_ROW = (
    *("sentence", "status", "cost", "start", "end", "gaps", "gold", "test", "typical", "text"),
    *("type", "construction", "attached"),
)
"""The columns of :func:`step_rows`."""


def _repair_errors(comparison: TreeComparison, repairs: RepairCounts) -> Rows:
    """Build one row a step of the repairs, and one a sentence that has wrong brackets and no repair.

    A step is named by the default rules of error types; ``wide_type`` is its type by those for more labels.
    """
    steps = repairs.steps()
    wide_types = bundled_rules(WIDE).titles(steps).tolist()
    named = step_rows(comparison.pair, steps, bundled_rules())
    rows: list[tuple[Any, ...]] = [
        (*step, wide, edit_text(edit)) for step, wide, edit in zip(named, wide_types, steps.edits.tolist(), strict=True)
    ]
    reasons = {UNORDERED: repairs.unordered, TOO_LONG: repairs.too_large}
    if any(sentences.any() for sentences in reasons.values()):
        wrong = n_wrong_phrases(comparison.pair, comparison.preset)
        rows += [
            (sentence, None, int(wrong[sentence]), 0, 0, "", None, None, False, reason, None, None, False, None, None)
            for reason, sentences in reasons.items()
            for sentence in np.flatnonzero(sentences).tolist()
        ]
        rows.sort(key=lambda row: row[0])  # each sentence is repaired, or is not
    names = (*STEP_ROW, "wide_type", "edit")
    columns = dict(zip(names, np.array(rows, dtype=object).reshape(-1, len(names)).T, strict=True))
    types = {**dict.fromkeys(("sentence", "cost", "start", "end"), np.int32), "typical": np.bool_, "attached": np.bool_}
    columns |= {name: columns[name].astype(of_column) for name, of_column in types.items()}
    # words that move twice are not where the first step says that they belong
    names_of_words = ("sentence", "start", "end", "gaps")
    moved = list(zip(*(columns[name][columns["attached"]].tolist() for name in names_of_words), strict=True))
    times = Counter(moved)
    columns["typical"][columns["attached"]] &= np.array([times[words] == 1 for words in moved], dtype=np.bool_)
    return columns


def step_rows(pair: Pair, steps: Steps, rules: RuleSet) -> Iterator[tuple[Any, ...]]:
    """Yield a row a step, sentences counted from 0."""
    gold = pair.gold.treebank
    strings = gold.vocabulary.words.strings()
    forms = [strings[label] for label in gold.label[gold.word_nodes].tolist()]
    offsets = word_offsets(gold).tolist()
    for step in typed_steps(steps, rules, lambda sentence: forms[offsets[sentence] : offsets[sentence + 1]]):
        span, gaps = in_sentence(step.span, steps.orders.get(step.sentence))
        label = step.bracket.label
        labels: tuple[str | None, str | None] = (None, None)  # of gold and of the parser, if it is about one bracket
        if step.operation is Operation.RELABEL:
            labels = step.new_label, label
        elif step.operation is not Operation.MOVE:
            labels = (label, None) if step.operation is Operation.ADD else (None, label)
        yield (
            *(step.sentence, str(step.operation.status), step.repaired, *span, gap_text(gaps), *labels),
            *(step.is_typical, step.text, step.type.title, step.construction, bool(step.attached)),
        )


def _words_as_read(pair: Pair, rows: Rows) -> NDArray[np.object_]:
    """Return the stretches of words as read that errors are about, such as ``2-4 5-6``."""
    numbers = pair.gold.numbers_as_read.astype(np.int64) - 1
    first = word_offsets(pair.gold.treebank)[rows["sentence"] - np.int32(1 + pair.gold.read.first_sentence)]
    start, end = first + rows["start"], first + rows["end"]
    texts = np.full(len(start), "", dtype=object)
    has_gaps = rows["gaps"] != ""

    # many errors are about the same words: the text of each span is made once
    whole = np.flatnonzero((end > start) & ~has_gaps)
    spans, index = np.unique(start[whole] * (len(numbers) + 1) + end[whole], return_inverse=True)
    starts, ends = spans // (len(numbers) + 1), spans % (len(numbers) + 1)
    cuts = np.flatnonzero(np.diff(numbers) != 1) + 1  # the words that do not follow the one before as read
    begin, stop = numbers[cuts].tolist(), (numbers[cuts - 1] + 1).tolist()
    columns = (
        *(numbers[starts], np.searchsorted(cuts, starts, side="right")),
        *(numbers[ends - 1] + 1, np.searchsorted(cuts, ends - 1, side="right")),
    )
    stretches = [
        f"{left}-{right}"
        if before == after
        else " ".join(map("{}-{}".format, (left, *begin[before:after]), (*stop[before:after], right)))
        for left, before, right, after in zip(*(column.tolist() for column in columns), strict=True)
    ]
    texts[whole] = coded(index.reshape(-1), stretches)

    for at in np.flatnonzero(has_gaps).tolist():
        own = stretches_without(Span(int(rows["start"][at]), int(rows["end"][at])), gap_spans(rows["gaps"][at]))
        words = (numbers[int(first[at]) + begin : int(first[at]) + end].tolist() for begin, end in own)
        texts[at] = gap_text(stretches_of(chain.from_iterable(words)))
    return texts


# ------------------------------------------------------------------------------------------------------------- brackets


@dataclass(frozen=True, eq=False)
class Children:
    """The children of the nodes of a treebank."""

    treebank: Treebank
    first: NDArray[np.int64]  # By node, where its children begin in `labels`
    number: NDArray[np.int64]  # By node, how many it has
    labels: NDArray[np.int64]  # The labels of all children, those of a node from left to right; -1 for words

    @classmethod
    def of(cls, treebank: Treebank) -> Children:
        """Sort the nodes by their parents."""
        _, parent = node_positions(treebank)
        below = np.flatnonzero(parent >= 0)
        order = below[np.argsort(parent[below], kind="stable")]  # postorder: children come from left to right
        number = np.bincount(parent[below], minlength=len(parent))
        labels = np.where(treebank.kind[order] == Kind.WORD, -1, treebank.label[order]).astype(np.int64)
        return cls(treebank, np.cumsum(number) - number, number, labels)

    def rules(self, nodes: NDArray[Any]) -> NDArray[np.object_]:
        """Return the rule of each of some phrases, such as ``NP → DT NN``; None without children, and for -1."""
        names = [*self.treebank.vocabulary.labels.strings(), "word"]
        made: dict[tuple[int, bytes], str] = {}
        rules = np.full(len(nodes), None, dtype=object)
        with_children = np.flatnonzero((nodes >= 0) & (self.number[nodes] > 0))
        own = nodes[with_children]
        columns = (with_children, self.treebank.label[own], self.first[own], self.number[own])
        for at, label, first, number in zip(*(column.tolist() for column in columns), strict=True):
            children = self.labels[first : first + number]
            key = label, children.tobytes()
            if key not in made:
                made[key] = f"{names[label]} → {' '.join(names[child] for child in children.tolist())}"
            rules[at] = made[key]
        return rules

    def are_same(self, nodes: NDArray[Any], other: Children, others: NDArray[Any]) -> NDArray[np.bool_]:
        """Return which of some nodes have the same rule as those of another treebank with the same vocabulary."""
        same: NDArray[np.bool_] = self.treebank.label[nodes] == other.treebank.label[others]
        same &= self.number[nodes] == other.number[others]
        at = np.flatnonzero(same)
        number = self.number[nodes[at]]
        rank = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number)
        labels, other_labels = (
            side.labels[np.repeat(side.first[own], number) + rank]
            for side, own in ((self, nodes[at]), (other, others[at]))
        )
        same[np.repeat(at, number)[labels != other_labels]] = False
        return same


@dataclass(frozen=True, eq=False)
class _Side:
    """The nodes of one side's trees: arrays by node, but for `nodes` and those of `children`."""

    treebank: Treebank
    nodes: NDArray[np.intp]  # The phrases that count, of the sentences with equal words
    sentence: NDArray[np.int64]
    partner: NDArray[np.int64]  # The phrase of the other side that the E-mapping pairs it with, -1 for none
    repair: NDArray[np.int32]  # The number of the repair that settles it if it is wrong, 0 for none
    same: Spans  # Equal to the span of a node of the other side if both are over the same words
    span: tuple[NDArray[Any], ...]  # The first word, the end of the last one, and the gaps
    is_wrong: NDArray[np.bool_]
    children: Children

    def spans(self, nodes: NDArray[Any]) -> Rows:
        """Return where nodes begin and end, and the gaps in them."""
        return {name: column[nodes] for name, column in zip(("start", "end", "gaps"), self.span, strict=True)}


def _sides(comparison: TreeComparison, mapping: Bracketing | None, repairs: RepairCounts) -> tuple[_Side, _Side]:
    pair = comparison.pair
    of_sides = partners(pair, comparison.preset, mapping)
    sides = []
    for side, same, partner, repair in zip(
        (pair.gold, pair.test), pair.spans, of_sides, repairs.settled(), strict=True
    ):
        treebank = side.treebank
        sentence, _ = node_positions(treebank)
        counts = (side.kinds == Kind.PHRASE) & (pair.status == SentenceStatus.OK)[sentence]
        span = (*hulls(treebank), gaps_of(treebank))
        own = (treebank, np.flatnonzero(counts), sentence, partner, repair, same, span)
        sides.append(_Side(*own, counts & (partner < 0), Children.of(treebank)))
    return sides[0], sides[1]


def _names(gold: _Side, last: str | None) -> NDArray[Any]:
    """Return the labels by their numbers, and what stands for -1."""
    return np.array([*gold.treebank.vocabulary.labels.strings(), last], dtype=object)


def _bracket_errors(gold: _Side, test: _Side) -> Rows:
    """Build one row a missing bracket, a spurious one, or one of each over the same words, in the order of labels."""
    names, labels = _names(gold, ""), _names(gold, None)
    rank = np.empty(len(names), dtype=np.int64)
    rank[np.argsort(names, kind="stable")] = np.arange(len(names))
    size = 1 + max(int(side.same[1].max(initial=0)) for side in (gold, test))
    wrong, keys, copies = [], [], []
    for side in (gold, test):
        nodes = side.nodes[side.is_wrong[side.nodes]]
        key = (side.sentence[nodes] * size + side.same[0][nodes]) * size + side.same[1][nodes]
        order = np.lexsort((rank[side.treebank.label[nodes]], key))
        wrong.append(nodes[order])
        keys.append(key[order])
        copies.append(np.arange(len(key)) - np.searchsorted(key[order], key[order]))  # from 0, over the same words
    copy = np.concatenate(copies)
    rows, row = np.unique(np.concatenate(keys) * (1 + copy.max(initial=0)) + copy, return_inverse=True)
    own, other = np.full(len(rows), -1), np.full(len(rows), -1)
    own[row.reshape(-1)[: len(wrong[0])]], other[row.reshape(-1)[len(wrong[0]) :]] = wrong

    is_spurious, is_missing = own < 0, other < 0
    gold_label = np.where(is_spurious, -1, gold.treebank.label[own])
    test_label = np.where(is_missing, -1, test.treebank.label[other])
    missed, added = names[gold_label], names[test_label]
    code = np.where(is_spurious, 0, np.where(is_missing, 1, 2))
    repair = np.where(is_spurious, 0, gold.repair[own])
    spans, other_spans = gold.spans(own), test.spans(other)
    return {
        "sentence": np.where(is_spurious, test.sentence[other], gold.sentence[own]),
        "status": coded(code, [str(Status.SPURIOUS), str(Status.MISSING), str(Status.RELABELED)]),
        "cost": np.where(is_spurious | is_missing, 1, 2),
        **{name: np.where(is_spurious, other_spans[name], spans[name]) for name in spans},
        "gold": labels[gold_label],
        "test": labels[test_label],
        "text": np.choose(code, ["spurious " + added, "missed " + missed, missed + " labeled as " + added]),
        "repair": np.where((repair == 0) & ~is_missing, test.repair[other], repair),
        "gold_rule": gold.children.rules(own),
        "test_rule": test.children.rules(other),
    }


def _rule_errors(gold: _Side, test: _Side) -> Rows:
    """Build one row a right bracket that has other children."""
    nodes = gold.nodes[gold.partner[gold.nodes] >= 0]
    others = gold.partner[nodes]
    differ = ~gold.children.are_same(nodes, test.children, others)
    nodes, others = nodes[differ], others[differ]
    names = _names(gold, "")
    return {
        "sentence": gold.sentence[nodes],
        "status": constant(str(Status.RIGHT), len(nodes)),
        "cost": np.zeros(len(nodes)),
        **gold.spans(nodes),
        "gold": names[gold.treebank.label[nodes]],
        "test": names[test.treebank.label[others]],
        "text": constant("other children", len(nodes)),
        "gold_rule": gold.children.rules(nodes),
        "test_rule": test.children.rules(others),
    }


# ------------------------------------------------------------------------------------------------------ of a stored run


def stored_edits(run: Run, parser: str, sentences: Sequence[int]) -> dict[int, Columns | None]:
    """Return the steps of the sentences of a run that have errors; None for one that has no repair."""
    rows = run.columns(
        "select sentence, list(edit order by number) filter (edit is not null) as edits from errors "
        "where parser = ? and kind = ? and sentence in (select unnest(?::integer[])) group by sentence",
        [parser, REPAIR, list(sentences)],
    )
    try:
        return {
            sentence: None if edits is None else edits_of(edits)
            for sentence, edits in zip(rows["sentence"].tolist(), rows["edits"].tolist(), strict=True)
        }
    except ValueError:
        raise RunError(f"{run.folder} is damaged: a repair in its table errors does not match its tree") from None


_STORED = {RULES.default: "type", WIDE: "wide_type"}
"""The columns of the table of errors that have the types by bundled rules."""


def _titles(rules: str) -> dict[str, str]:
    return {kind.id: kind.title for kind in bundled_rules(rules)}


def _steps(run: Run, parser: str, rules: str | RuleSet) -> pd.DataFrame:
    """Return a row a step of the repairs; types by bundled rules are those of the run's table of errors."""
    column = next((column for name, column in _STORED.items() if rules in (name, bundled_rules(name))), None)
    if column is not None:
        return run.query(
            f"select sentence, {column} as type, cost as repaired from errors where parser = ? and kind = '{REPAIR}' "
            "and type is not null order by sentence, number",
            [parser],
        )
    import pandas as pd

    numbers = range(1, run.n_sentences + 1)
    repairs = RepairCounts(TreeComparison.of(tree_pair(run, parser, numbers), run.rules))
    repairs.known |= {number - 1: edits for number, edits in stored_edits(run, parser, numbers).items()}
    repairs.run(0, len(numbers))
    steps = repairs.steps()
    rule_set = bundled_rules(rules) if isinstance(rules, str) else rules
    types = rule_set.titles(steps)
    return pd.DataFrame({"sentence": steps.sentences + 1, "type": types, "repaired": steps.rows[:, 1]})


def _costs(run: Run, parser: str) -> dict[str, int]:
    """Return the brackets repaired by error type, the costliest first, by default rules."""
    rows = run.columns(
        f"select type, sum(cost)::bigint as cost from errors where parser = ? and kind = '{REPAIR}' "
        "and type is not null group by type order by cost desc, type",
        [parser],
    )
    return dict(zip(rows["type"].tolist(), rows["cost"].tolist(), strict=True))


ERROR_TYPES = ErrorTypes(
    rules=RULES,
    residual=OTHER.title,
    citation="Kummerfeld et al. 2012",
    reference="Kummerfeld, Hall, Curran and Klein 2012",
    load=load_rules,
    titles=_titles,
    steps=_steps,
    costs=_costs,
)
"""The types of the steps that turn a parse into its gold tree."""


def gold_trees(run: Run, sentences: Sequence[int]) -> Normalized:
    """Read the gold trees of some sentences of a run."""
    return normalize_gold(_trees(run, None, sentences, Vocabulary()), run.rules)


def tree_pair(run: Run, parser: str, sentences: Sequence[int]) -> Pair:
    """Read the gold trees and a parser's trees of some sentences of a run."""
    vocabulary = Vocabulary()
    gold, test = (_trees(run, name, sentences, vocabulary) for name in (None, parser))
    return normalize_pair(gold, test, run.rules)


def _trees(run: Run, parser: str | None, sentences: Sequence[int], vocabulary: Vocabulary) -> Treebank:
    """Read trees, one a line; a missing one is a blank line."""
    if run.framework.reads is not Treebank:
        raise no_such_thing(run, "errors of constituency trees have types")
    trees, notation = trees_of(run, parser, sentences)
    data = "".join(f"{trees.get(number) or ''}\n" for number in sentences).encode("utf-8", "backslashreplace")
    treebank: Treebank = FORMATS[notation].read(Source(parser or "gold", data, "", layout="lines"), vocabulary)
    return treebank
