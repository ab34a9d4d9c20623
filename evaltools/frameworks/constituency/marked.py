"""The marked sentence of two trees, or of two parsers: which brackets differ, which repair settles each, in words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

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
    words = _words(alignment)
    found, classes = alignment.repairs, alignment.bracket_classes
    assert found is not None
    nodes: dict[str, Sequence[int]] = {"gold": range(len(alignment.gold)), "test": range(len(alignment.test))}
    if found.order is not None:
        (gold, nodes["gold"]), (test, nodes["test"]) = (
            tree.reordered(found.order) for tree in (alignment.gold, alignment.test)
        )
        alignment = replace(alignment, gold=gold, test=test)
    gold, test = alignment.gold, alignment.test
    pairs = equal_phrases(gold, test, classes)
    steps = _ordered(alignment, rules or bundled_rules(), found.steps)
    brackets = _differing(alignment, pairs, steps, nodes)
    number = {step.index: at for at, step in enumerate(steps, start=1)}
    brackets = [replace(bracket, repairs=tuple(number[step] for step in bracket.repairs)) for bracket in brackets]
    wrong = len(brackets)
    repairs, told_by = _with_tags(_apart(steps, brackets, alignment), steps, alignment)
    repairs = _belonging(repairs, brackets, [step.moved for step in steps], classes)
    tags = tuple(replace(mark, node=nodes[mark.side][mark.node]) for mark in _tags(alignment, told_by, words))
    unit = "brackets"
    if not wrong and tags:
        tags = tuple(replace(mark, repairs=(at // 2 + 1,)) for at, mark in enumerate(tags))
        repairs, wrong, unit = tuple(_tag_repairs(tags, words)), len(tags) // 2, "tags"
    parents = {("gold", item.gold_parent, item.number) for item in repairs}
    parents |= {("test", item.test_parent, item.number) for item in repairs}
    causes = {item.number for item in repairs if item.has_parents}

    def mark_of(bracket: _Bracket) -> Mark:
        side, node, own = bracket.side, bracket.node, bracket.repairs
        follows = bool(own) and own[0] in causes and not any((side, node, at) in parents for at in own)
        tree = gold if side == "gold" else test
        stretches = _stretches(words, words_in(bracket.span, tree.positions))
        return Mark("bracket", side, nodes[side][node], bracket.label, stretches, bracket.status, own, follows)

    right = (_Bracket("gold", node, gold.labels[node], gold.span(node), Status.RIGHT) for node in sorted(pairs))
    return Marks(
        words,
        (*tags, *map(mark_of, brackets)),
        repairs=tuple(
            replace(
                item,
                moved=tuple(
                    stretch for span in item.moved for stretch in _stretches(words, words_in(span, gold.positions))
                ),
                gold_parent=None if item.gold_parent is None else nodes["gold"][item.gold_parent],
                test_parent=None if item.test_parent is None else nodes["test"][item.test_parent],
            )
            for item in repairs
        ),
        wrong=wrong,
        unit=unit,
        right=tuple(map(mark_of, right)),
        unrepaired=UNREPAIRED.get(found.problem, ""),
    )


def _words(alignment: Alignment) -> tuple[Word, ...]:
    """Return the words with their labels up to the root, and their leaf-ancestor scores."""
    scores = {word.position: word.scores.get("la_exact") for word in alignment.words}
    words = []
    for word in alignment.gold_words:
        at = word.position
        paths = ((), ()) if at is None else (path_of(alignment.gold, at), path_of(alignment.test, at))
        words.append(Word(word.form, at, None if at is None else scores.get(at), *paths))
    return tuple(words)


def _stretches(words: Sequence[Word], positions: Iterable[int]) -> tuple[Span, ...]:
    """Return scored words as stretches of words of the sentence."""
    index = [at for at, word in enumerate(words) if word.position is not None]
    return tuple(Span(index[start], index[end - 1] + 1) for start, end in stretches_of(positions))


def _tags(alignment: Alignment, told_by: Mapping[int, int], words: Sequence[Word]) -> Iterator[Mark]:
    """Yield the tags that differ, gold and test, with the repair whose words name them."""
    gold, test = alignment.gold, alignment.test
    for word in range(len(gold.words)):
        if gold.tag(word) != test.tag(word):
            repairs = (told_by[word],) if word in told_by else ()
            own = _stretches(words, [word])
            for side, tree in (("gold", gold), ("test", test)):
                yield Mark("tag", side, tree.word_nodes[word], tree.tag(word) or "", own, Status.RELABELED, repairs)


def _tag_repairs(tags: Sequence[Mark], words: Sequence[Word]) -> Iterator[Repair]:
    """Yield a repair for each pair of tags that differ."""
    for number, (gold, test) in enumerate(zip(tags[::2], tags[1::2], strict=True), start=1):
        form, right, wrong = words[gold.start].form, gold.text or "∅", test.text or "∅"
        verdict = f"is tagged {wrong}, should be {right}"
        short = f"{wrong} → {right} {form}"
        yield Repair(Status.RELABELED, "wrong tag", f"“{form}”", verdict, short, repaired=1, number=number)


@dataclass(frozen=True, slots=True)
class _Bracket:
    """A bracket over words in the order of the repair."""

    side: str
    node: int
    label: str
    span: Span
    status: Status
    repairs: tuple[int, ...] = ()  # Steps, then numbers of repairs, the one that settles it first


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of the repair."""

    index: int  # In the order taken, from 1
    typed: TypedStep
    moved: Span | None  # The phrase that moves

    @property
    def span(self) -> Span:
        return self.moved or _span(self.typed.bracket)

    @property
    def brackets(self) -> Iterator[tuple[str, Span]]:
        """The labels and spans that it changes or comes upon."""
        for part in (self.typed.bracket, *self.typed.others):
            yield part.label, _span(part)
        if self.typed.new_label:
            yield self.typed.new_label, _span(self.typed.bracket)


def _span(part: Part) -> Span:
    return Span(part.start, part.end)


def _ordered(alignment: Alignment, rules: RuleSet, steps: Steps) -> list[_Step]:
    """Return the steps, the one that repairs most first; of equal ones coordination, attachment, labels, brackets."""
    gold = alignment.gold

    def importance(step: _Step) -> tuple[int, int, int, int]:
        error_type = step.typed.type
        kind = 3
        if "coordination" in error_type.title.lower():
            kind = 0
        elif step.moved or error_type.is_attachment:
            kind = 1
        if step.typed.operation is Operation.RELABEL:
            kind = 2
        first = min(words_in(step.span, gold.positions), default=step.span.start)
        return -step.typed.repaired, kind, step.span.start - step.span.end, first

    typed = enumerate(typed_steps(steps, rules, lambda _: gold.words), start=1)
    return sorted((_Step(index, step, _moved_phrase(step, gold)) for index, step in typed), key=importance)


def _moved_phrase(typed: TypedStep, gold: Tree) -> Span | None:
    """Return the phrase that changes its parent in a step; None where what moves is no phrase."""
    parts, span = typed.attached, typed.span
    if not parts:
        return None
    phrases = {gold.span(node) for node, kind in enumerate(gold.kinds) if kind is Kind.PHRASE}
    if span in phrases or not any(part.is_word for part in (*parts[1:], parts[-1])):
        return span  # a phrase, several, or a phrase after its conjunction
    return None


def _differing(
    alignment: Alignment, pairs: Mapping[int, int], steps: Sequence[_Step], nodes: Mapping[str, Sequence[int]]
) -> list[_Bracket]:
    """Return the phrases that differ, those not in `pairs`, each with the step that settles it."""
    found, brackets = alignment.repairs, []
    assert found is not None
    for side, tree, paired, settled in (
        ("gold", alignment.gold, set(pairs), found.gold),
        ("test", alignment.test, set(pairs.values()), found.test),
    ):
        status = Status.MISSING if side == "gold" else Status.SPURIOUS
        for node, kind in enumerate(tree.kinds):
            if kind is Kind.PHRASE and node not in paired:
                number = settled[nodes[side][node]]
                own = (number,) if number else ()
                brackets.append(_Bracket(side, node, tree.labels[node], tree.span(node), status, own))
    taken = sorted(steps, key=lambda step: step.index)
    return _with_passing(_with_relabeled(brackets, taken), taken, alignment.bracket_classes)


def _with_relabeled(brackets: list[_Bracket], steps: Sequence[_Step]) -> list[_Bracket]:
    """Mark the pairs over one span that a relabeling makes equal."""
    brackets = list(brackets)
    for step in steps:
        if step.typed.operation is not Operation.RELABEL:
            continue
        pair = [at for at, bracket in enumerate(brackets) if bracket.repairs == (step.index,)]
        spans = {brackets[at].span for at in pair}
        if len(pair) == 2 and len(spans) == 1:
            for at in pair:
                brackets[at] = replace(brackets[at], status=Status.RELABELED)
    return brackets


def _with_passing(brackets: list[_Bracket], steps: Sequence[_Step], classes: Mapping[str, str]) -> list[_Bracket]:
    """Add steps whose brackets exist only on the way to the nearest bracket of their label that shares an edge."""
    settled = {index for bracket in brackets for index in bracket.repairs}
    brackets = list(brackets)
    for step in steps:
        if step.index in settled:
            continue
        near = [
            (abs(bracket.span.start - span.start) + abs(bracket.span.end - span.end), at)
            for label, span in step.brackets
            for at, bracket in enumerate(brackets)
            if _are_alike(bracket.label, label, classes)
            and (bracket.span.start == span.start or bracket.span.end == span.end)
        ]
        if near:
            at = min(near)[1]
            brackets[at] = replace(brackets[at], repairs=(*brackets[at].repairs, step.index))
    return brackets


def _told(
    step: _Step,
    number: int,
    brackets: list[_Bracket],
    alignment: Alignment,
    limit: int = _SHORT,
    *,
    in_detail: bool = False,
    moved_before: bool = False,
) -> Repair:
    """Return a step as a repair, its phrase quoted to a limit; parents that are right are added to the brackets.

    A phrase moves from where the test tree has it to where the gold tree has it, also if it takes several steps or the
    brackets between change, too: the first of these steps describes the move, and the others, for which the phrase has
    `moved_before`, the brackets that they change. In detail, the short text names the right parent.
    """
    gold, test = alignment.gold, alignment.test
    operation = step.typed.operation
    cause = operation.status
    bracket = step.typed.bracket
    title, repaired = step.typed.type.title, step.typed.repaired
    if operation is Operation.RELABEL:
        quoted = f"“{quote(gold, _span(bracket))}”"
        label, new = bracket.label or "∅", step.typed.new_label or "∅"
        short = f"{label} → {new} {quote(gold, _span(bracket), limit)}"
        return Repair(cause, title, quoted, f"is {label}, should be {new}", short, repaired, number=number)
    if step.moved is not None and not moved_before:
        right, wrong = _parent(gold, step.moved), _parent(test, step.moved)
        if right is not None and wrong is not None and not _are_equal(alignment, right, wrong):
            _add_parent(brackets, "gold", gold, right)
            _add_parent(brackets, "test", test, wrong)
            label = _label_over(gold, step.moved)
            quoted = f"{label} “{quote(gold, step.moved)}”".strip()
            short = f"{label} {quote(gold, step.moved, limit)}".strip()
            inside, belongs = _names((test, gold), (wrong, right), step.moved)
            verdict = f"is in {inside}, belongs in {belongs}"
            short = f"{short} → {belongs}" if in_detail else short
            return Repair(
                Status.MOVED, title, quoted, verdict, short, repaired, (step.moved,), right, wrong, number=number
            )
    return _by_bracket(step, number, brackets, alignment, limit, in_detail=in_detail)


def _hull(a: Span, b: Span) -> Span:
    return Span(min(a.start, b.start), max(a.end, b.end))


def _apart(steps: Sequence[_Step], brackets: list[_Bracket], alignment: Alignment) -> list[Repair]:
    """Return the steps as repairs, no two of which read alike."""
    phrases = [step.moved for step in steps]
    moved_before = [phrase in phrases[:at] for at, phrase in enumerate(phrases)]
    told = [
        _told(step, number, brackets, alignment, moved_before=before)
        for number, (step, before) in enumerate(zip(steps, moved_before, strict=True), start=1)
    ]
    for limit in (_SHORT, QUOTED, 2 * QUOTED):
        alike = _alike(told)
        told = [
            _told(step, item.number, brackets, alignment, limit, in_detail=True, moved_before=moved_before[at])
            if at in alike
            else item
            for at, (step, item) in enumerate(zip(steps, told, strict=True))
        ]
    alike = _alike(told)
    number = Counter((told[at].short, steps[at].span) for at in alike)
    for at in alike:
        span = steps[at].span
        if number[told[at].short, span] == 1:
            words = "word" if span.end - span.start == 1 else "words"
            told[at] = _with_remark(told[at], f"({words} {word_numbers(alignment.gold, span)})")
    return _ranked(_ranked(told, lambda item: item.verdict), lambda item: item.short)


def _with_tags(
    told: Sequence[Repair], steps: Sequence[_Step], alignment: Alignment
) -> tuple[tuple[Repair, ...], dict[int, int]]:
    """Add the wrong tags that explain repairs to their words; return also by word the number of the repair."""
    left = {word for word in range(len(alignment.gold.words)) if alignment.gold.tag(word) != alignment.test.tag(word)}
    repairs = []
    told_by: dict[int, int] = {}
    for step, item in zip(steps, told, strict=True):
        words_of_step = words_in(step.span, alignment.gold.positions)
        telling = [word for word in _telling_words(words_of_step) if word in left]
        left.difference_update(telling)
        told_by |= dict.fromkeys(telling, item.number)
        words = [f"“{alignment.gold.words[word]}”" for word in telling]
        names = ["it" if item.phrase.endswith(word) else word for word in words]
        tags = (f"{name} {_told_tag(alignment, word)}" for name, word in zip(names, telling, strict=True))
        verdict = "; ".join((item.verdict, *tags))
        repairs.append(replace(item, verdict=verdict, step=step.index, reason=step.typed.reason))
    return tuple(repairs), told_by


def _belonging(
    repairs: Sequence[Repair],
    brackets: Sequence[_Bracket],
    phrases: Sequence[Span | None],
    classes: Mapping[str, str],
) -> tuple[Repair, ...]:
    """Add the repairs that belong together: those of one bracket, or of one of the `phrases` that their steps move.

    One bracket is settled by several, or the parse has it over the same words with another label, or with another edge.
    """
    groups = [bracket.repairs for bracket in brackets]
    missing, spurious = (
        [bracket for bracket in brackets if bracket.side == side and bracket.repairs] for side in ("gold", "test")
    )
    counterparts = {id(own): _counterpart(own, others, classes) for own, others in
                    (*((own, spurious) for own in missing), *((own, missing) for own in spurious))}  # fmt: skip
    for own in missing:
        other = counterparts[id(own)]
        if other is not None and counterparts[id(other)] is own:
            groups.append((own.repairs[0], other.repairs[0]))
    by_words: dict[Span, set[int]] = {item.moved[0]: set() for item in repairs if item.moved}
    for item, phrase in zip(repairs, phrases, strict=True):
        if phrase in by_words:
            by_words[phrase].add(item.number)
    for bracket in brackets:
        by_words.get(bracket.span, set()).update(bracket.repairs)
    linked: dict[int, set[int]] = defaultdict(set)
    for numbers in (*groups, *by_words.values()):
        for number in numbers:
            linked[number].update(numbers)
    return tuple(replace(item, together=tuple(sorted(linked[item.number] - {item.number}))) for item in repairs)


def _counterpart(own: _Bracket, others: Sequence[_Bracket], classes: Mapping[str, str]) -> _Bracket | None:
    """Return the bracket over the same words, or the nearest one of the same label with a common edge; None if none."""
    near = []
    for at, other in enumerate(others):
        is_alike = _are_alike(own.label, other.label, classes)
        apart = abs(own.span.start - other.span.start), abs(own.span.end - other.span.end)
        if own.span == other.span or (is_alike and 0 in apart):
            near.append((sum(apart), not is_alike, at))
    return others[min(near)[-1]] if near else None


def _alike(told: Sequence[Repair]) -> list[int]:
    """Return the indices of repairs that read like another one, in full or in short."""
    full = Counter((item.phrase, item.verdict) for item in told)
    short = Counter(item.short for item in told)
    return [at for at, item in enumerate(told) if full[item.phrase, item.verdict] > 1 or short[item.short] > 1]


def _ranked(told: list[Repair], text: Callable[[Repair], str]) -> list[Repair]:
    """Tell apart repairs that still read alike, such as those of two equal brackets over the same words, by ranks."""
    alike = set(_alike(told))
    number = Counter(text(item) for at, item in enumerate(told) if at in alike)
    seen = Counter[str]()
    ranked = []
    for at, item in enumerate(told):
        if at in alike and number[text(item)] > 1:
            seen[text(item)] += 1
            item = _with_remark(item, f"({seen[text(item)]} of {number[text(item)]} over the same words)")
        ranked.append(item)
    return ranked


def _with_remark(item: Repair, remark: str) -> Repair:
    return replace(item, verdict=f"{item.verdict} {remark}".strip(), short=f"{item.short} {remark}".strip())


def _telling_words(words: Sequence[int]) -> Sequence[int]:
    """Return the words of a phrase whose wrong tags explain why it is wrong: the first one; of a short one, all."""
    return words if len(words) <= _NEAR_TAG else words[:1]


def _told_tag(alignment: Alignment, word: int) -> str:
    return f"is tagged {alignment.test.tag(word) or '∅'}, should be {alignment.gold.tag(word) or '∅'}"


def _by_bracket(
    step: _Step, number: int, brackets: Sequence[_Bracket], alignment: Alignment, limit: int, *, in_detail: bool
) -> Repair:
    """Tell a step by the bracket that results from it."""
    gold = alignment.gold
    title, repaired = step.typed.type.title, step.typed.repaired
    own = [bracket for bracket in brackets if number in (bracket.repairs[:1] if in_detail else bracket.repairs)]
    missing = [bracket for bracket in own if bracket.side == "gold"]
    spurious = [bracket for bracket in own if bracket.side == "test"]
    for right in missing:
        for wrong in spurious:
            edge = _edge(right, wrong, alignment)
            if edge:
                phrase = f"{wrong.label} “{quote(gold, wrong.span, max(limit, QUOTED))}”"
                short = f"{wrong.label} {quote(gold, wrong.span, limit)}"
                short += f" {edge.removeprefix('should ')}" if in_detail else ""
                return Repair(Status.MOVED, title, phrase, edge, short, repaired, number=number)
    if missing or spurious:
        first = max(missing or spurious, key=lambda bracket: bracket.span.end - bracket.span.start)
        label, span, cause = first.label, first.span, Status.MISSING if missing else Status.SPURIOUS
    else:
        bracket = step.typed.bracket
        label, span, cause = bracket.label, _span(bracket), step.typed.operation.status
    phrase = f"{label or '∅'} “{quote(gold, span, max(limit, QUOTED))}”"
    verdict = {Status.MISSING: "is missing", Status.SPURIOUS: "is spurious"}.get(cause, "has other children")
    short = f"{label or '∅'} {quote(gold, span, limit)}"
    return Repair(cause, title, phrase, verdict, short, repaired, number=number)


def _edge(right: _Bracket, wrong: _Bracket, alignment: Alignment) -> str:
    """Say where a bracket should begin or end that the parse has with another edge."""
    if not _are_alike(right.label, wrong.label, alignment.bracket_classes):
        return ""
    words = alignment.gold.words
    order = alignment.gold.positions
    (own, own_gaps), (other, other_gaps) = (in_sentence(item.span, order) for item in (right, wrong))
    if own_gaps or other_gaps:
        return _uneven(words, *(set(words_in(item.span, order)) for item in (right, wrong)))
    both = _hull(own, other)
    if own.start == other.start:
        if other.end > own.end:
            return f"should end before “{_named_word(words, own.end, both)}”"
        return f"should extend to “{_named_word(words, own.end - 1, both)}”"
    if own.end == other.end:
        return f"should begin with “{_named_word(words, own.start, both)}”"
    return ""


def _uneven(words: Sequence[str], right: set[int], wrong: set[int]) -> str:
    """Say which words a bracket has too many or too few, if not both."""
    if right < wrong:
        return f"should leave out “{quoted(words, sorted(wrong - right), _HOST)}”"
    return f"should include “{quoted(words, sorted(right - wrong), _HOST)}”" if wrong < right else ""


def _named_word(words: Sequence[str], at: int, span: Span) -> str:
    """Return a word of a span; with the next one if the span has the word twice."""
    word = words[at]
    is_unique = words[span.start : span.end].count(word) == 1 or at + 1 >= len(words)
    return word if is_unique else f"{word} {words[at + 1]}"


def _parent(tree: Tree, span: Span) -> int | None:
    """Return the smallest phrase that is strictly larger than a span; the innermost of equal ones."""
    larger = [
        (tree.ends[node] - tree.starts[node], node)
        for node, kind in enumerate(tree.kinds)
        if kind is Kind.PHRASE and tree.span(node) != span
        and tree.starts[node] <= span.start and span.end <= tree.ends[node]
    ]  # fmt: skip
    return min(larger)[1] if larger else None


def _are_equal(alignment: Alignment, gold_node: int, test_node: int) -> bool:
    """Return whether two phrases are over the same words and have equal labels."""
    gold, test, classes = alignment.gold, alignment.test, alignment.bracket_classes
    return gold.span(gold_node) == test.span(test_node) and _are_alike(
        gold.labels[gold_node], test.labels[test_node], classes
    )


def _are_alike(label: str, other: str, classes: Mapping[str, str]) -> bool:
    return classes.get(label, label) == classes.get(other, other)


def _add_parent(brackets: list[_Bracket], side: str, tree: Tree, node: int) -> None:
    """Add a phrase to the brackets that are drawn if it is right."""
    if not any(bracket.side == side and bracket.node == node for bracket in brackets):
        brackets.append(_Bracket(side, node, tree.labels[node], tree.span(node), Status.RIGHT))


def _label_over(tree: Tree, span: Span) -> str:
    """Return the label of the highest phrase over a span."""
    labels = [
        tree.labels[node] for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE and tree.span(node) == span
    ]
    return labels[-1] if labels else ""


def _names(trees: tuple[Tree, Tree], nodes: tuple[int, int], moved: Span) -> list[str]:
    """Return names of the wrong and the right parent: the words that do not move, and … where those that move are."""
    names: list[str] = []
    for limit in (_HOST, 2 * _HOST, 10**6):
        names = [
            f"{_label(tree, node)} “{around(tree, tree.span(node), moved, limit)}”"
            for tree, node in zip(trees, nodes, strict=True)
        ]
        if names[0] != names[1]:
            return names
    numbers = [word_numbers(tree, tree.span(node)) for tree, node in zip(trees, nodes, strict=True)]
    return [f"{name} (words {text})" for name, text in zip(names, numbers, strict=True)]


def _label(tree: Tree, node: int) -> str:
    return tree.labels[node] or "∅"


def path_of(tree: Tree, position: int) -> tuple[str, ...]:
    """Return the labels from a word to the root."""
    labels = []
    node = tree.parents[tree.word_nodes[position]]
    while node >= 0:
        labels.append(tree.labels[node])
        node = tree.parents[node]
    return tuple(labels)


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
