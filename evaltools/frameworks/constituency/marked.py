"""The marked sentence of two trees, or of two parsers: which brackets differ, which repair settles each, in words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from evaltools.corpus import Kind, Span, Tree
from evaltools.corpus.stretches import stretches_of, with_gaps
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.constituency.error_types import Part, RuleSet, TypedStep, bundled_rules, typed_steps
from evaltools.frameworks.constituency.repair import (
    TOO_LONG,
    UNORDERED,
    Operation,
    Steps,
    equal_phrases,
    in_sentence,
    words_in,
)
from evaltools.marks import Mark, Marks, Repair, Status, Word

QUOTED = 30
"""Phrases up to this many characters are quoted whole."""
_HOST = 22
"""The same for a parent of a phrase that moves, which is named by its other words."""
_SHORT = 18
"""The same, where a repair is named in two or three words."""
_NEAR_TAG = 3
"""A repair of a phrase of up to this many words names all its wrong tags, and of a longer one that of the first."""
UNREPAIRED = {
    UNORDERED: "There is no list of repairs: in no order of the words are the constituents of both trees continuous.",
    TOO_LONG: "There is no list of repairs: the trees are too long and too different to search one.",
}
"""What a sentence without repairs says, by the reason."""


def marked_sentence(alignment: Alignment, rules: RuleSet | None = None) -> Marks:
    """Return the marked sentence of two trees over the same words.

    It has no repairs where no order of the words makes both trees continuous, or the search takes too long. Where all
    brackets are right, wrong tags are what is to be repaired.

    Examples
    --------
    >>> from evaltools import align
    >>> gold = "(S (NP (PRP She)) (VP (VBD ate) (NP (NP (NN pasta)) (PP (IN with) (NP (NN cheese))))))"
    >>> test = "(S (NP (PRP She)) (VP (VBD ate) (NP (NN pasta)) (PP (IN with) (NP (NN cheese)))))"
    >>> marked = marked_sentence(align(gold, test))
    >>> [(repair.phrase, repair.verdict, repair.repaired) for repair in marked.repairs]
    [('PP “with cheese”', 'is in VP “ate pasta …”, belongs in NP “pasta …”', 1)]
    """
    if alignment.status != "ok":
        return Marks(tuple(Word(word.form, word.position) for word in alignment.gold_words))
    words, solution = _words(alignment), alignment.repairs
    assert solution is not None
    trees = {"gold": alignment.gold, "test": alignment.test}
    nodes: dict[str, Sequence[int]] = {side: range(len(tree)) for side, tree in trees.items()}
    if solution.order is not None:
        for side, tree in trees.items():
            trees[side], nodes[side] = tree.reordered(solution.order)
    pair = _Pair(trees["gold"], trees["test"], alignment.bracket_classes)
    equal = equal_phrases(pair.gold, pair.test, pair.classes)
    steps = _ordered(pair.gold, rules or bundled_rules(), solution.steps)
    brackets: list[_Bracket] = []
    for side, status, paired, settled in (
        ("gold", Status.MISSING, set(equal), solution.gold),
        ("test", Status.SPURIOUS, set(equal.values()), solution.test),
    ):
        number = {step.index: step.number for step in steps}
        for node, kind in enumerate(trees[side].kinds):
            if kind is Kind.PHRASE and node not in paired:
                index = settled[nodes[side][node]]
                brackets.append(pair.bracket(side, node, status, [number[index]] if index else []))
    wrong, unit = len(brackets), "brackets"
    _settle(brackets, steps, pair)

    repairs, tags = _with_tags(_apart(steps, brackets, pair), steps, pair)
    repairs = _together(repairs, brackets, [step.moved for step in steps], pair)
    if not wrong and tags:
        tags = [replace(mark, repairs=(at // 2 + 1,)) for at, mark in enumerate(tags)]
        repairs, wrong, unit = list(_tag_repairs(tags, pair.gold.words)), len(tags) // 2, "tags"
    parents = {("gold", item.gold_parent, item.number) for item in repairs}
    parents |= {("test", item.test_parent, item.number) for item in repairs}
    moves = {item.number for item in repairs if item.has_parents}
    positions = [at for at, word in enumerate(words) if word.position is not None]

    def stretches(side: str, span: Span) -> Iterator[Span]:
        """Yield scored words as stretches of the words of the sentence."""
        for start, end in stretches_of(words_in(span, trees[side].positions)):
            yield Span(positions[start], positions[end - 1] + 1)

    def mark_of(bracket: _Bracket) -> Mark:
        side, node, own = bracket.side, bracket.node, tuple(bracket.repairs)
        follows = bool(own) and own[0] in moves and not any((side, node, at) in parents for at in own)
        own_stretches = tuple(stretches(side, bracket.span))
        return Mark("bracket", side, nodes[side][node], bracket.label, own_stretches, bracket.status, own, follows)

    def tag_of(tag: Mark) -> Mark:
        (word,) = tag.stretches
        return replace(
            tag, node=nodes[tag.side][tag.node], stretches=(Span(positions[word.start], positions[word.start] + 1),)
        )

    def repair_of(item: Repair) -> Repair:
        return replace(
            item,
            moved=tuple(stretch for span in item.moved for stretch in stretches("gold", span)),
            gold_parent=None if item.gold_parent is None else nodes["gold"][item.gold_parent],
            test_parent=None if item.test_parent is None else nodes["test"][item.test_parent],
        )

    return Marks(
        words,
        (*map(tag_of, tags), *map(mark_of, brackets)),
        repairs=tuple(map(repair_of, repairs)),
        wrong=wrong,
        unit=unit,
        right=tuple(mark_of(pair.bracket("gold", node, Status.RIGHT)) for node in sorted(equal)),
        unrepaired=UNREPAIRED.get(solution.problem, ""),
    )


def _words(alignment: Alignment) -> tuple[Word, ...]:
    """Return the words with their labels up to the root, and their leaf-ancestor scores."""
    scores = {word.position: word.scores.get("la_exact") for word in alignment.words}
    words = []
    for word in alignment.gold_words:
        at = word.position
        if at is None:
            words.append(Word(word.form, None))
            continue
        gold_path, test_path = (
            tuple(tree.labels[node] for node in tree.ancestors(tree.word_nodes[at]))
            for tree in (alignment.gold, alignment.test)
        )
        words.append(Word(word.form, at, scores.get(at), gold_path, test_path))
    return tuple(words)


@dataclass(eq=False, slots=True)
class _Bracket:
    """A bracket over words in the order of the repair."""

    side: str
    node: int
    label: str
    span: Span
    status: Status
    repairs: list[int]  # Their numbers, the one that settles it first


@dataclass(frozen=True, slots=True)
class _Pair:
    """The two trees, with their words in the order of the repair."""

    gold: Tree
    test: Tree
    classes: Mapping[str, str]  # For each label that counts as equal to others a label of its class

    def bracket(self, side: str, node: int, status: Status, repairs: Sequence[int] = ()) -> _Bracket:
        """Return a phrase of a tree."""
        tree = self.gold if side == "gold" else self.test
        return _Bracket(side, node, tree.labels[node], tree.span(node), status, list(repairs))

    def are_alike(self, label: str, other: str) -> bool:
        """Return whether two labels count as equal."""
        return self.classes.get(label, label) == self.classes.get(other, other)

    def quoted(self, label: str, span: Span, limit: int) -> str:
        """Return a label and the words of a span in quotes."""
        return f"{label} “{quote(self.gold, span, limit)}”".strip()


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of the repair."""

    number: int  # Of its repair, from 1, the one that repairs most first
    index: int  # In the order taken, from 1
    typed: TypedStep
    moved: Span | None  # The phrase that moves
    moves_again: bool  # Whether a repair before it has the same phrase

    @property
    def span(self) -> Span:
        return self.moved or _span(self.typed.bracket)


def _span(part: Part) -> Span:
    return Span(part.start, part.end)


def _ordered(gold: Tree, rules: RuleSet, steps: Steps) -> list[_Step]:
    """Return the steps, the one that repairs most first; of equal ones coordination, attachment, labels, brackets."""

    def importance(step: tuple[int, TypedStep, Span | None]) -> tuple[int, int, int, int]:
        _, typed, moved = step
        span = moved or _span(typed.bracket)
        kind = 3
        if typed.operation is Operation.RELABEL:
            kind = 2
        elif "coordination" in typed.type.title.lower():
            kind = 0
        elif moved or typed.type.is_attachment:
            kind = 1
        first = min(words_in(span, gold.positions), default=span.start)
        return -typed.repaired, kind, span.start - span.end, first

    phrases = {gold.span(node) for node, kind in enumerate(gold.kinds) if kind is Kind.PHRASE}
    typed_in_order = enumerate(typed_steps(steps, rules, lambda _: gold.words), start=1)
    ranked = sorted(((index, step, _moved_phrase(step, phrases)) for index, step in typed_in_order), key=importance)
    moved = [phrase for _, _, phrase in ranked]
    return [_Step(at + 1, *step, moves_again=step[2] in moved[:at]) for at, step in enumerate(ranked)]


def _moved_phrase(typed: TypedStep, phrases: Collection[Span]) -> Span | None:
    """Return the phrase that changes its parent in a step; None where what moves is no phrase."""
    parts, span = typed.attached, typed.span
    # a phrase, several, or a phrase after its conjunction
    is_phrase = parts and (span in phrases or not any(part.is_word for part in (*parts[1:], parts[-1])))
    return span if is_phrase else None


def _settle(brackets: Sequence[_Bracket], steps: Sequence[_Step], pair: _Pair) -> None:
    """Mark the pairs that a new label makes equal, and give each step a bracket.

    A step whose brackets exist only on the way belongs to the nearest bracket of their label that shares an edge.
    """
    settled = {number for bracket in brackets for number in bracket.repairs}
    for step in steps:
        own = [bracket for bracket in brackets if bracket.repairs == [step.number]]
        if step.typed.operation is Operation.RELABEL and len(own) == 2 and own[0].span == own[1].span:
            for bracket in own:
                bracket.status = Status.RELABELED
    for step in sorted(steps, key=lambda step: step.index):
        if step.number in settled:
            continue
        changed = [(part.label, _span(part)) for part in (step.typed.bracket, *step.typed.others)]
        if step.typed.new_label:
            changed.append((step.typed.new_label, _span(step.typed.bracket)))
        near = [
            (abs(bracket.span.start - span.start) + abs(bracket.span.end - span.end), at)
            for label, span in changed
            for at, bracket in enumerate(brackets)
            if pair.are_alike(bracket.label, label)
            and (bracket.span.start == span.start or bracket.span.end == span.end)
        ]
        if near:
            brackets[min(near)[1]].repairs.append(step.number)


# ------------------------------------------------------------------------------------------------------------- in words


def _apart(steps: Sequence[_Step], brackets: list[_Bracket], pair: _Pair) -> list[Repair]:
    """Return the steps as repairs, no two of which read alike."""
    descriptions = [_describe_step(step, brackets, pair) for step in steps]
    for limit in (_SHORT, QUOTED, 2 * QUOTED):
        for at in _alike(descriptions):
            descriptions[at] = _describe_step(steps[at], brackets, pair, limit, in_detail=True)
    alike = _alike(descriptions)
    number = Counter((descriptions[at].short, steps[at].span) for at in alike)
    for at in alike:
        span = steps[at].span
        if number[descriptions[at].short, span] == 1:
            words = "word" if span.end - span.start == 1 else "words"
            descriptions[at] = _with_remark(descriptions[at], f"({words} {word_numbers(pair.gold, span)})")
    # repairs that still read alike, such as those of two equal brackets over the same words
    for name in ("verdict", "short"):
        alike = _alike(descriptions)
        texts = [getattr(descriptions[at], name) for at in alike]
        for rank, (at, text) in enumerate(zip(alike, texts, strict=True)):
            if texts.count(text) > 1:
                remark = f"({texts[: rank + 1].count(text)} of {texts.count(text)} over the same words)"
                descriptions[at] = _with_remark(descriptions[at], remark)
    return descriptions


def _alike(descriptions: Sequence[Repair]) -> list[int]:
    """Return the indices of repairs that read like another one, in full or in short."""
    full = Counter((item.phrase, item.verdict) for item in descriptions)
    short = Counter(item.short for item in descriptions)
    return [at for at, item in enumerate(descriptions) if full[item.phrase, item.verdict] > 1 or short[item.short] > 1]


def _with_remark(item: Repair, remark: str) -> Repair:
    return replace(item, verdict=f"{item.verdict} {remark}".strip(), short=f"{item.short} {remark}".strip())


def _describe_step(
    step: _Step, brackets: list[_Bracket], pair: _Pair, limit: int = _SHORT, *, in_detail: bool = False
) -> Repair:
    """Return a step as a repair, its phrase quoted to a limit; parents that are right are added to the brackets.

    A phrase moves from where the test tree has it to where the gold tree has it, also if it takes several steps or the
    brackets between change, too: the first of these steps describes the move, and the others the brackets that they
    change. In detail, the short text names the right parent.
    """
    gold, typed = pair.gold, step.typed
    repair = Repair(typed.operation.status, typed.type.title, "", "", "", typed.repaired, number=step.number)
    if typed.operation is Operation.RELABEL:
        span, label, new = _span(typed.bracket), typed.bracket.label or "∅", typed.new_label or "∅"
        short = f"{label} → {new} {quote(gold, span, limit)}"
        return replace(
            repair, phrase=pair.quoted("", span, QUOTED), verdict=f"is {label}, should be {new}", short=short
        )
    if step.moved is None or step.moves_again:
        return _describe_by_bracket(repair, typed, brackets, pair, limit, in_detail=in_detail)
    right, wrong = _parent(gold, step.moved), _parent(pair.test, step.moved)
    if right is None or wrong is None or _are_equal(pair, right, wrong):
        return _describe_by_bracket(repair, typed, brackets, pair, limit, in_detail=in_detail)
    for side, node in (("gold", right), ("test", wrong)):
        if not any(bracket.side == side and bracket.node == node for bracket in brackets):
            brackets.append(pair.bracket(side, node, Status.RIGHT))
    label = _label_over(gold, step.moved)
    inside, belongs = _names((pair.test, gold), (wrong, right), step.moved)
    short = f"{label} {quote(gold, step.moved, limit)}".strip()
    return replace(
        repair,
        status=Status.MOVED,
        phrase=pair.quoted(label, step.moved, QUOTED),
        verdict=f"is in {inside}, belongs in {belongs}",
        short=f"{short} → {belongs}" if in_detail else short,
        moved=(step.moved,),
        gold_parent=right,
        test_parent=wrong,
    )


def _describe_by_bracket(
    repair: Repair, typed: TypedStep, brackets: Sequence[_Bracket], pair: _Pair, limit: int, *, in_detail: bool
) -> Repair:
    """Tell a step by the bracket that results from it."""
    number = repair.number
    own = [bracket for bracket in brackets if number in (bracket.repairs[:1] if in_detail else bracket.repairs)]
    missing, spurious = ([bracket for bracket in own if bracket.side == side] for side in ("gold", "test"))
    for right, wrong in product(missing, spurious):
        if edge := _edge(right, wrong, pair):
            short = f"{wrong.label} {quote(pair.gold, wrong.span, limit)}"
            short += f" {edge.removeprefix('should ')}" if in_detail else ""
            phrase = pair.quoted(wrong.label, wrong.span, max(limit, QUOTED))
            return replace(repair, status=Status.MOVED, phrase=phrase, verdict=edge, short=short)
    label, span, status = typed.bracket.label, _span(typed.bracket), typed.operation.status
    if own:
        first = max(missing or spurious, key=lambda bracket: bracket.span.end - bracket.span.start)
        label, span, status = first.label, first.span, Status.MISSING if missing else Status.SPURIOUS
    label = label or "∅"
    return replace(
        repair,
        status=status,
        phrase=pair.quoted(label, span, max(limit, QUOTED)),
        verdict={Status.MISSING: "is missing", Status.SPURIOUS: "is spurious"}.get(status, "has other children"),
        short=f"{label} {quote(pair.gold, span, limit)}",
    )


def _with_tags(descriptions: Sequence[Repair], steps: Sequence[_Step], pair: _Pair) -> tuple[list[Repair], list[Mark]]:
    """Add the wrong tags that explain repairs to their words; return the tags that differ, too, gold and test."""
    gold, test = pair.gold, pair.test
    wrong = [word for word in range(len(gold.words)) if gold.tag(word) != test.tag(word)]
    described_by: dict[int, tuple[int, ...]] = {}
    repairs = []
    for step, item in zip(steps, descriptions, strict=True):
        words = words_in(step.span, gold.positions)
        # the first word of a phrase explains why it is wrong; of a short one, all do
        telling = words if len(words) <= _NEAR_TAG else words[:1]
        verdict = item.verdict
        for word in telling:
            if word in wrong and word not in described_by:
                described_by[word] = (item.number,)
                name = f"“{gold.words[word]}”"
                name = "it" if item.phrase.endswith(name) else name
                verdict += f"; {name} is tagged {test.tag(word) or '∅'}, should be {gold.tag(word) or '∅'}"
        repairs.append(replace(item, verdict=verdict, step=step.index, reason=step.typed.reason))
    tags = [
        Mark("tag", side, tree.word_nodes[word], tree.tag(word) or "", (Span(word, word + 1),), Status.RELABELED,
             described_by.get(word, ()))
        for word in wrong
        for side, tree in (("gold", gold), ("test", test))
    ]  # fmt: skip
    return repairs, tags


def _tag_repairs(tags: Sequence[Mark], words: Sequence[str]) -> Iterator[Repair]:
    """Yield a repair for each pair of tags that differ."""
    for number, (gold, test) in enumerate(zip(tags[::2], tags[1::2], strict=True), start=1):
        form, right, wrong = words[gold.start], gold.text or "∅", test.text or "∅"
        verdict = f"is tagged {wrong}, should be {right}"
        short = f"{wrong} → {right} {form}"
        yield Repair(Status.RELABELED, "wrong tag", f"“{form}”", verdict, short, repaired=1, number=number)


def _together(
    repairs: Sequence[Repair], brackets: Sequence[_Bracket], phrases: Sequence[Span | None], pair: _Pair
) -> list[Repair]:
    """Add the repairs that belong together: those of one bracket, or of one of the `phrases` that their steps move.

    One bracket is settled by several, or the parse has it over the same words with another label, or with another edge.
    """
    groups: list[Collection[int]] = [bracket.repairs for bracket in brackets]
    missing, spurious = (
        [bracket for bracket in brackets if bracket.side == side and bracket.repairs] for side in ("gold", "test")
    )
    for own in missing:
        other = _counterpart(own, spurious, pair)
        if other is not None and _counterpart(other, missing, pair) is own:
            groups.append((own.repairs[0], other.repairs[0]))
    for moved in {item.moved[0] for item in repairs if item.moved}:
        of_phrase = {item.number for item, phrase in zip(repairs, phrases, strict=True) if phrase == moved}
        of_phrase.update(number for bracket in brackets if bracket.span == moved for number in bracket.repairs)
        groups.append(of_phrase)
    linked: dict[int, set[int]] = defaultdict(set)
    for numbers in groups:
        for number in numbers:
            linked[number].update(numbers)
    return [replace(item, together=tuple(sorted(linked[item.number] - {item.number}))) for item in repairs]


def _counterpart(own: _Bracket, others: Sequence[_Bracket], pair: _Pair) -> _Bracket | None:
    """Return the bracket over the same words, or the nearest one of the same label with a common edge; None if none."""
    near = []
    for at, other in enumerate(others):
        is_alike = pair.are_alike(own.label, other.label)
        apart = abs(own.span.start - other.span.start), abs(own.span.end - other.span.end)
        if own.span == other.span or (is_alike and 0 in apart):
            near.append((sum(apart), not is_alike, at))
    return others[min(near)[-1]] if near else None


def _edge(right: _Bracket, wrong: _Bracket, pair: _Pair) -> str:
    """Say where a bracket should begin or end that the parse has with another edge, or which words it should have."""
    if not pair.are_alike(right.label, wrong.label):
        return ""
    words, order = pair.gold.words, pair.gold.positions
    (own, own_gaps), (other, other_gaps) = (in_sentence(item.span, order) for item in (right, wrong))
    if own_gaps or other_gaps:
        right_words, wrong_words = (set(words_in(item.span, order)) for item in (right, wrong))
        if right_words < wrong_words:
            return f"should leave out “{quoted(words, sorted(wrong_words - right_words), _HOST)}”"
        if wrong_words < right_words:
            return f"should include “{quoted(words, sorted(right_words - wrong_words), _HOST)}”"
        return ""
    both = words[min(own.start, other.start) : max(own.end, other.end)]

    def named(at: int) -> str:
        """Return a word, with the next one if the two brackets have the word twice."""
        return words[at] if both.count(words[at]) == 1 or at + 1 >= len(words) else f"{words[at]} {words[at + 1]}"

    if own.start == other.start:
        return (
            f"should end before “{named(own.end)}”"
            if other.end > own.end
            else f"should extend to “{named(own.end - 1)}”"
        )
    return f"should begin with “{named(own.start)}”" if own.end == other.end else ""


def _parent(tree: Tree, span: Span) -> int | None:
    """Return the smallest phrase that is strictly larger than a span; the innermost of equal ones."""
    larger = [
        (tree.ends[node] - tree.starts[node], node)
        for node, kind in enumerate(tree.kinds)
        if kind is Kind.PHRASE and tree.span(node) != span
        and tree.starts[node] <= span.start and span.end <= tree.ends[node]
    ]  # fmt: skip
    return min(larger)[1] if larger else None


def _are_equal(pair: _Pair, gold_node: int, test_node: int) -> bool:
    """Return whether two phrases are over the same words and have equal labels."""
    gold, test = pair.gold, pair.test
    return gold.span(gold_node) == test.span(test_node) and pair.are_alike(
        gold.labels[gold_node], test.labels[test_node]
    )


def _label_over(tree: Tree, span: Span) -> str:
    """Return the label of the highest phrase over a span."""
    over = (node for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE and tree.span(node) == span)
    node = max(over, default=None)
    return "" if node is None else tree.labels[node]


def _names(trees: tuple[Tree, Tree], nodes: tuple[int, int], moved: Span) -> list[str]:
    """Return names of the wrong and the right parent: the words that do not move, and … where those that move are."""
    sides = [(tree, tree.labels[node] or "∅", tree.span(node)) for tree, node in zip(trees, nodes, strict=True)]
    names: list[str] = []
    for limit in (_HOST, 2 * _HOST, 10**6):
        names = [f"{label} “{around(tree, span, moved, limit)}”" for tree, label, span in sides]
        if names[0] != names[1]:
            return names
    return [f"{name} (words {word_numbers(tree, span)})" for name, (tree, _, span) in zip(names, sides, strict=True)]


def around(tree: Tree, span: Span, moved: Span, limit: int) -> str:
    """Return the words of a span around those that move, its words beside them always among them."""
    gone = words_in(moved, tree.positions)
    left = [word for word in words_in(span, tree.positions) if word not in gone]
    at = gone[0] if gone else len(tree.words)  # a phrase without words leaves no gap
    before, after = [word for word in left if word < at], [word for word in left if word > at]
    limit = limit // 2 if before and after else limit
    return " … ".join(quoted(tree.words, part, limit) for part in (before, after)).strip()


def quote(tree: Tree, span: Span, limit: int = QUOTED) -> str:
    """Return the words of a span; of a long one as many of its first words as fit, and the last one."""
    return quoted(tree.words, words_in(span, tree.positions), limit)


def quoted(words: Sequence[str], positions: Sequence[int], limit: int) -> str:
    """Return the words at some positions, … for a gap; of many as many of the first as fit, and the last one."""
    text = " ".join(with_gaps(words, positions))
    if len(text) <= limit or len(positions) < 3:
        return text
    last, kept = words[positions[-1]], 1
    while kept + 1 < len(positions) - 1 and _length(words, positions[: kept + 1]) + len(last) + 3 <= limit:
        kept += 1
    return " ".join((*with_gaps(words, positions[:kept]), "…", last))


def _length(words: Sequence[str], positions: Sequence[int]) -> int:
    return len(" ".join(with_gaps(words, positions)))


def word_numbers(tree: Tree, span: Span) -> str:
    """Return the numbers of the words of a span, from 1."""
    stretches = stretches_of(words_in(span, tree.positions))
    return ", ".join(f"{start + 1}–{end}" if end - start > 1 else str(end) for start, end in stretches)
