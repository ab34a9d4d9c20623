"""The errors of a parser's trees, made when they are scored: repairs, wrong brackets and attachments, other rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Span, Treebank
from evaltools.corpus.stretches import gap_spans, gap_text, stretches_of, stretches_without
from evaltools.errors import RunError
from evaltools.frameworks.common.columns import (
    Rows,
    SentenceStatus,
    coded,
    constant,
    node_positions,
    number_column,
    text_column,
)
from evaltools.frameworks.common.tables import errors_table, numbered_errors
from evaltools.frameworks.constituency.bracketing import Bracketing, n_wrong_phrases, partners
from evaltools.frameworks.constituency.error_types import WIDE, RuleSet, bundled_rules, typed_steps
from evaltools.frameworks.constituency.normalization import Pair, Spans, TreeComparison, gaps_of, hulls, word_offsets
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
from evaltools.frameworks.passes import Passes
from evaltools.marks import Status

if TYPE_CHECKING:
    from evaltools.runs.store import Run

REPAIR = "repair"
"""The kind of the errors: steps of repairs. A sentence with wrong brackets and no repair is one error without type."""


def tree_errors(parser: str, passes: Passes[TreeComparison]) -> Rows:
    """Build the errors of a parser's trees: repairs, and those of brackets where the words are equal."""
    comparison = passes.comparison
    repairs = passes.get(RepairCounts)
    if repairs is None:
        repairs = RepairCounts.prepare(comparison)
        repairs.run(0, len(comparison.pair.status))
    gold, test = _sides(comparison, passes.get(Bracketing), repairs)
    steps = _repair_errors(parser, comparison, repairs)
    rows = numbered_errors(
        steps,
        _bracket_errors(parser, gold, test),
        _rule_errors(parser, gold, test),
        _attachment_errors(parser, gold, test, steps),
    )
    return rows | {"words": _words_as_read(comparison.pair, rows)}


def _repair_errors(parser: str, comparison: TreeComparison, repairs: RepairCounts) -> Rows:
    """Build one row a step of the repairs.

    It is named by the default rules of error types; ``wide_type`` is its type by those for more labels.
    """
    steps = repairs.steps()
    wide_types = bundled_rules(WIDE).titles(steps).tolist()
    rows: list[tuple[Any, ...]] = [
        (*step, wide, edit_text(edit))
        for step, wide, edit in zip(
            step_rows(comparison.pair, steps, bundled_rules()), wide_types, steps.edits.tolist(), strict=True
        )
    ]
    rows += _without_repair(comparison, repairs)
    rows.sort(key=lambda row: row[0])  # each sentence is repaired, or is not
    names = (*STEP_ROW, "wide_type", "edit")
    columns = dict(zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=True))
    numbers = {name: np.array(columns[name], dtype=np.int32) for name in ("sentence", "cost", "start", "end")}
    types = text_column(columns["type"])
    table = errors_table(
        parser,
        REPAIR,
        numbers["sentence"] + np.int32(1 + comparison.pair.gold.read.first_sentence),
        text_column(columns["status"]),
        numbers["cost"],
        (numbers["start"], numbers["end"], columns["gaps"]),
        constant("", len(rows)),
        (text_column(columns["gold"]), text_column(columns["test"])),
        columns["text"],
        typical=np.array(columns["typical"], dtype=np.bool_),
        more={
            **{name: text_column(columns[name]) for name in ("type", "construction", "wide_type", "edit")},
            "attached": np.array(columns["attached"], dtype=np.bool_),
            "gold_rule": constant(None, len(rows)),
            "test_rule": constant(None, len(rows)),
        },
    )
    return table | {"repair": number_column(table["number"], types == None)}  # noqa: E711 - of each element


STEP_ROW = (
    *("sentence", "status", "cost", "start", "end", "gaps", "gold", "test", "typical", "text"),
    *("type", "construction", "attached"),
)
"""The columns of :func:`step_rows`."""


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


def _without_repair(comparison: TreeComparison, repairs: RepairCounts) -> list[tuple[Any, ...]]:
    """Return a row each sentence that has wrong brackets and no repair."""
    reasons = {UNORDERED: repairs.unordered, TOO_LONG: repairs.too_large}
    if not any(sentences.any() for sentences in reasons.values()):
        return []
    wrong = n_wrong_phrases(comparison.pair, comparison.preset)
    return [
        (sentence, None, int(wrong[sentence]), 0, 0, "", None, None, False, reason, None, None, False, None, None)
        for reason, sentences in reasons.items()
        for sentence in np.flatnonzero(sentences).tolist()
    ]


def _words_as_read(pair: Pair, rows: Rows) -> NDArray[np.object_]:
    """Return the stretches of words as read that errors are about, such as ``2-4 5-6``."""
    places = pair.gold.places_as_read.astype(np.int64) - 1
    cuts = np.flatnonzero(np.diff(places) != 1) + 1  # the words that do not follow the one before as read
    first = word_offsets(pair.gold.treebank)[rows["sentence"] - np.int32(1 + pair.gold.read.first_sentence)]
    start, end = first + rows["start"], first + rows["end"]
    texts = np.full(len(start), "", dtype=object)
    whole = np.flatnonzero((end > start) & (rows["gaps"] == ""))
    codes, index = np.unique(start[whole] * (len(places) + 1) + end[whole], return_inverse=True)
    starts, ends = codes // (len(places) + 1), codes % (len(places) + 1)
    before: NDArray[np.intp] = np.searchsorted(cuts, starts, side="right")
    after: NDArray[np.intp] = np.searchsorted(cuts, ends - 1, side="right")
    left, right = places[starts].tolist(), (places[ends - 1] + 1).tolist()
    stretches = [f"{begin}-{stop + 1}" for begin, stop in zip(left, places[ends - 1].tolist(), strict=True)]
    inner = list(zip(places[cuts].tolist(), (places[cuts - 1] + 1).tolist(), strict=True))  # by cut, begin and stop
    for at in np.flatnonzero(before < after).tolist():
        between = ((stop, begin) for begin, stop in inner[before[at] : after[at]])
        edges = [left[at], *chain.from_iterable(between), right[at]]
        stretches[at] = " ".join(f"{begin}-{stop}" for begin, stop in zip(edges[::2], edges[1::2], strict=True))
    texts[whole] = coded(index.reshape(-1), stretches)
    for at in np.flatnonzero(rows["gaps"] != "").tolist():
        own = stretches_without(
            Span(int(start[at]), int(end[at])),
            (Span(gap.start + int(first[at]), gap.end + int(first[at])) for gap in gap_spans(rows["gaps"][at])),
        )
        texts[at] = gap_text(stretches_of(chain.from_iterable(places[slice(*span)].tolist() for span in own)))
    return texts


# ------------------------------------------------------------------------------------------------------------- brackets

BRACKET = "bracket"
"""The kind of wrong brackets: missing ones, spurious ones, and pairs of these over the same words, which cost two."""

RULE = "rule"
"""The kind of right brackets with other children; they cost nothing."""

ATTACHMENT = "attachment"
"""The kind of constituents that both trees have under different parents.

They cost the wrong ones of these parents, each once in a sentence and construction."""


@dataclass(frozen=True, eq=False)
class _Side:
    """The nodes of one side's trees: arrays by node, but for `nodes` and those of `children`."""

    treebank: Treebank
    nodes: NDArray[np.intp]  # The phrases that count, of the sentences with equal words
    sentence: NDArray[np.int64]
    parent: NDArray[np.int64]
    partner: NDArray[np.int64]  # The phrase of the other side that the E-mapping pairs it with, -1 for none
    repair: NDArray[np.int32]  # The number of the repair that settles it if it is wrong, 0 for none
    same: Spans  # Equal to the span of a node of the other side if both are over the same words
    span: Spans  # The first word and the end of the last one
    is_wrong: NDArray[np.bool_]
    children: Children

    @property
    def wrong(self) -> NDArray[np.intp]:
        """The wrong brackets."""
        return self.nodes[self.is_wrong[self.nodes]]

    @property
    def labels(self) -> Sequence[str]:
        """The names of labels."""
        return self.treebank.vocabulary.labels.strings()

    def spans(self, nodes: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.object_]]:
        """Return where nodes begin and end, and the gaps in them."""
        return self.span[0][nodes], self.span[1][nodes], gaps_of(self.treebank)[nodes]


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
        """Return the rule of each of some phrases, such as ``NP → DT NN``; None for one without children."""
        names = [*self.treebank.vocabulary.labels.strings(), "word"]
        made: dict[tuple[int, bytes], str] = {}
        rules = np.full(len(nodes), None, dtype=object)
        columns = (self.treebank.label[nodes], self.first[nodes], self.number[nodes])
        for at, (label, first, number) in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
            if number:
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


def _sides(comparison: TreeComparison, mapping: Bracketing | None, repairs: RepairCounts) -> tuple[_Side, _Side]:
    pair = comparison.pair
    of_sides = partners(pair, comparison.preset, mapping)
    settled = repairs.settled()
    sides = []
    for side, same, partner, repair in zip((pair.gold, pair.test), pair.spans, of_sides, settled, strict=True):
        sentence, parent = node_positions(side.treebank)
        counts = (side.kinds == Kind.PHRASE) & (pair.status == SentenceStatus.OK)[sentence]
        sides.append(
            _Side(
                side.treebank,
                np.flatnonzero(counts),
                sentence,
                parent,
                partner,
                repair,
                same,
                hulls(side.treebank),
                counts & (partner < 0),
                Children.of(side.treebank),
            )
        )
    return sides[0], sides[1]


def _bracket_errors(parser: str, gold: _Side, test: _Side) -> Rows:
    """Build one row a missing bracket, a spurious one, or one of each over the same words, in the order of labels."""
    labels = gold.labels
    rank = np.empty(len(labels), dtype=np.int64)
    rank[np.argsort(np.array(labels, dtype=object), kind="stable")] = np.arange(len(labels))
    size = 1 + max(int(side.same[1].max(initial=0)) for side in (gold, test))
    keys, nodes = [], []
    for side in (gold, test):
        wrong = side.wrong
        key = (side.sentence[wrong] * size + side.same[0][wrong]) * size + side.same[1][wrong]
        order = np.lexsort((rank[side.treebank.label[wrong]], key))
        key = key[order]
        first = np.flatnonzero(np.append(True, key[1:] != key[:-1])[: len(key)])
        copy = np.arange(len(key)) - np.repeat(first, np.diff(np.append(first, len(key))))
        keys.append(np.stack((key, copy)))
        nodes.append(wrong[order])
    key, copy = np.concatenate(keys, axis=1)
    rows, index = np.unique(key * (1 + copy.max(initial=0)) + copy, return_inverse=True)
    index = index.reshape(-1)
    own, other = np.full(len(rows), -1), np.full(len(rows), -1)
    own[index[: len(nodes[0])]], other[index[len(nodes[0]) :]] = nodes[0], nodes[1]

    def of(gold_values: NDArray[Any], test_values: NDArray[Any]) -> NDArray[Any]:
        """Return values of the gold bracket, of the test bracket where there is none."""
        values = np.empty(len(rows), dtype=gold_values.dtype)
        values[own >= 0] = gold_values[own[own >= 0]]
        values[own < 0] = test_values[other[own < 0]]
        return values

    spans = (
        of(gold.span[0], test.span[0]),
        of(gold.span[1], test.span[1]),
        of(gaps_of(gold.treebank), gaps_of(test.treebank)),
    )
    pair = [np.where(at >= 0, side.treebank.label[at], -1) for side, at in ((gold, own), (test, other))]
    code = np.where(own < 0, 0, np.where(other < 0, 1, 2))
    texts = _texts(
        lambda kind, right, wrong: _BRACKET_TEXTS[kind].format(labels[right], labels[wrong]), code, pair[0], pair[1]
    )
    sentence = of(gold.sentence, test.sentence)
    repair = np.where(own >= 0, gold.repair[own], 0)
    repair = np.where((repair == 0) & (other >= 0), test.repair[other], repair)
    return _table(
        parser,
        BRACKET,
        gold,
        sentence,
        coded(code, [str(Status.SPURIOUS), str(Status.MISSING), str(Status.RELABELED)]),
        np.where(code == 2, 2, 1),
        spans,
        (coded(pair[0], labels), coded(pair[1], labels)),
        texts,
        repair=repair,
        rules=(_rules(gold, own), _rules(test, other)),
    )


def _texts(make: Callable[..., str], *columns: NDArray[Any]) -> NDArray[np.object_]:
    """Return the text of each row of numbers of at least -1; it is made once for equal rows."""
    code = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        code = code * (2 + int(column.max(initial=0))) + column + 1
    _, first, index = np.unique(code, return_index=True, return_inverse=True)
    rows = zip(*(column[first].tolist() for column in columns), strict=True)
    texts: NDArray[np.object_] = np.array([make(*row) for row in rows], dtype=object)[index.reshape(-1)]
    return texts


_BRACKET_TEXTS = ("spurious {1}", "missed {0}", "{0} labeled as {1}")


def _rules(side: _Side, nodes: NDArray[Any]) -> NDArray[np.object_]:
    """Return the rules of some nodes, None for -1."""
    rules = np.full(len(nodes), None, dtype=object)
    rules[nodes >= 0] = side.children.rules(nodes[nodes >= 0])
    return rules


def _rule_errors(parser: str, gold: _Side, test: _Side) -> Rows:
    """Build one row a right bracket that has other children."""
    nodes = gold.nodes[gold.partner[gold.nodes] >= 0]
    others = gold.partner[nodes]
    differ = ~gold.children.are_same(nodes, test.children, others)
    nodes, others = nodes[differ], others[differ]
    labels = gold.labels
    return _table(
        parser,
        RULE,
        gold,
        gold.sentence[nodes],
        constant(str(Status.RIGHT), len(nodes)),
        np.zeros(len(nodes)),
        gold.spans(nodes),
        (coded(gold.treebank.label[nodes], labels), coded(test.treebank.label[others], labels)),
        constant("other children", len(nodes)),
        rules=(gold.children.rules(nodes), test.children.rules(others)),
    )


def _attachment_errors(parser: str, gold: _Side, test: _Side, steps: Rows) -> Rows:
    """Build one row a constituent that both trees have under different parents, whose labels are `gold` and `test`."""
    nodes = gold.nodes[gold.partner[gold.nodes] >= 0]
    others = gold.partner[nodes]
    above, test_above = gold.parent[nodes], test.parent[others]

    def parents(values: NDArray[Any], at: NDArray[Any]) -> NDArray[Any]:
        return np.where(at >= 0, values[at], -1)

    columns = [
        (parents(own, above), parents(other, test_above))
        for own, other in zip((gold.treebank.label, *gold.same), (test.treebank.label, *test.same), strict=True)
    ]
    differ = np.logical_or.reduce([own != other for own, other in columns])
    has_pair = parents(gold.partner, above)
    differ &= (has_pair < 0) | (has_pair != test_above)
    nodes, above, test_above = nodes[differ], above[differ], test_above[differ]
    right, wrong = (column[differ] for column in columns[0])
    names = [*gold.labels, "no bracket"]
    constructions = _texts(
        lambda child, inside, belongs: f"{names[child]} in {names[inside]}, belongs in {names[belongs]}",
        gold.treebank.label[nodes].astype(np.int64),
        wrong,
        right,
    )
    code = (gold.treebank.label[nodes].astype(np.int64) * len(names) + wrong + 1) * len(names) + right + 1

    cost = np.zeros(len(nodes), dtype=np.int32)
    repair = np.zeros(len(nodes), dtype=np.int32)
    for side, at in ((gold, above), (test, test_above)):
        own = np.flatnonzero((at >= 0) & side.is_wrong[at])
        order = np.lexsort((at[own], code[own]))
        first = order[np.append(True, (np.diff(at[own][order]) != 0) | (np.diff(code[own][order]) != 0))[: len(own)]]
        cost[own[first]] += 1
        repair[own] = np.where(repair[own] > 0, repair[own], side.repair[at[own]])
    is_below_wrong = parents(gold.is_wrong, above) + parents(test.is_wrong, test_above) > 0
    spans = gold.spans(nodes)
    moved = _attached(steps)
    sentence = gold.sentence[nodes]
    numbers = (sentence + 1 + gold.treebank.first_sentence).tolist()
    keys = zip(numbers, *(column.tolist() for column in spans), strict=True)
    step = np.array([moved.get(key, 0) for key in keys], dtype=np.int32)
    return _table(
        parser,
        ATTACHMENT,
        gold,
        sentence,
        constant(str(Status.MOVED), len(nodes)),
        cost,
        spans,
        (coded(right, names[:-1]), coded(wrong, names[:-1])),
        constructions,
        repair=np.where(step > 0, step, repair),
        typical=(step > 0) & is_below_wrong,
        construction=constructions,
    )


def _attached(steps: Rows) -> dict[tuple[int, int, int, str], int]:
    """Return the first repair of each stretch of words that is attached elsewhere, by sentence, start, end and gaps."""
    own = steps["attached"][::-1]
    columns = (steps[name][::-1][own].tolist() for name in ("sentence", "start", "end", "gaps", "number"))
    return {(sentence, start, end, gaps): number for sentence, start, end, gaps, number in zip(*columns, strict=True)}


def _table(
    parser: str,
    kind: str,
    side: _Side,
    sentence: NDArray[Any],
    status: NDArray[Any],
    cost: NDArray[Any],
    spans: tuple[NDArray[Any], NDArray[Any], NDArray[np.object_]],
    labels: tuple[NDArray[Any], NDArray[Any]],
    text: NDArray[np.object_],
    *,
    repair: NDArray[Any] | None = None,
    typical: NDArray[np.bool_] | None = None,
    construction: NDArray[np.object_] | None = None,
    rules: tuple[NDArray[np.object_], NDArray[np.object_]] | None = None,
) -> Rows:
    """Build rows of phrases, sorted by sentences and words; sentences count from 0."""
    n = len(sentence)
    none = constant(None, n)
    order = np.lexsort((spans[1], spans[0], sentence))
    sentence = sentence[order].astype(np.int32)
    start, end, gaps = (column[order] for column in spans)
    gold_rule, test_rule = rules or (none, none)
    return errors_table(
        parser,
        kind,
        sentence + np.int32(1 + side.treebank.first_sentence),
        status[order],
        cost[order].astype(np.int32),
        (start, end, gaps),
        constant("", n),
        (labels[0][order], labels[1][order]),
        text[order],
        repair=None if repair is None else repair[order].astype(np.int32),
        typical=None if typical is None else typical[order],
        more={
            "type": none,
            "construction": none if construction is None else construction[order],
            "wide_type": none,
            "edit": none,
            "attached": np.zeros(n, dtype=np.bool_),
            "gold_rule": gold_rule[order],
            "test_rule": test_rule[order],
        },
    )
