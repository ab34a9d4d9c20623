"""The marked sentence of two trees: which brackets differ, which repair settles each, and what to say of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from evaltools.alignments.marked import Cause, MarkedBracket, MarkedSentence, MarkedTag, MarkedWord, Repair
from evaltools.alignments.trees import Alignment, NodeStatus
from evaltools.corpus import Kind, Span, Tree
from evaltools.frameworks.constituency.errors.error_types import RuleSet, TypedStep, error_steps
from evaltools.frameworks.constituency.repair import Key, Operation

__all__ = ["compared_sentence", "marked_sentence"]

_CAUSES = {
    Operation.MOVE: Cause.MOVED,
    Operation.RELABEL: Cause.RELABELED,
    Operation.ADD: Cause.DELETED,
    Operation.REMOVE: Cause.INSERTED,
}
"""What the marks of an operation are like: a bracket to add is missing, one to remove is spurious."""

_QUOTED = 30
"""Phrases up to this many characters are quoted whole."""
_HOST = 22
"""The same for a parent of a phrase that moves, which is named by its other words."""
_SHORT = 18
"""The same, where a repair is named in two or three words."""
_NEAR_TAG = 3
"""Of a phrase of up to this many words, all wrong tags are told with its repair; of a longer one, that of the first."""


def marked_sentence(alignment: Alignment, rules: RuleSet | None = None) -> MarkedSentence:
    """Return the marked sentence of two trees over the same words.

    Examples
    --------
    >>> from evaltools import align
    >>> gold = "(S (NP (PRP She)) (VP (VBD ate) (NP (NP (NN pasta)) (PP (IN with) (NP (NN cheese))))))"
    >>> test = "(S (NP (PRP She)) (VP (VBD ate) (NP (NN pasta)) (PP (IN with) (NP (NN cheese)))))"
    >>> marked = marked_sentence(align(gold, test))
    >>> [(repair.phrase, repair.verdict, repair.repaired) for repair in marked.repairs]
    [('PP “with cheese”', 'is in VP “ate pasta …”, belongs in NP “pasta …”', 1)]
    """
    raw = {"gold": alignment.gold, "test": alignment.test}
    alignment = alignment.equated
    gold, test = alignment.gold, alignment.test
    scores = {word.position: word.scores.get("la_strict") for word in alignment.words}
    if alignment.status != "ok":
        return MarkedSentence(tuple(MarkedWord(word.form, word.position) for word in alignment.gold_words))
    words = tuple(
        MarkedWord(word.form, None)
        if word.position is None
        else MarkedWord(
            word.form,
            word.position,
            scores.get(word.position),
            _path(raw["gold"], word.position),
            _path(raw["test"], word.position),
        )
        for word in alignment.gold_words
    )
    steps = _ordered(gold, test, rules)
    brackets = _differing(alignment, steps)
    number = {step.index: at for at, step in enumerate(steps, start=1)}
    brackets = [replace(bracket, repairs=tuple(number[step] for step in bracket.repairs)) for bracket in brackets]
    wrong_tags = [position for position in range(len(gold.words)) if gold.tag(position) != test.tag(position)]
    tags = tuple(
        MarkedTag(position, gold.tag(position) or "", test.tag(position) or "", repairs=() if steps else (number,))
        for number, position in enumerate(wrong_tags, start=1)
    )
    repairs, told_by = _with_tags(_apart(steps, brackets, alignment), steps, alignment)
    repairs = _belonging(repairs, brackets)
    tags = tuple(replace(tag, told_by=told_by.get(tag.position, 0)) for tag in tags)
    parents = {
        (at, parent) for at, item in enumerate(repairs, start=1) for parent in (item.gold_parent, item.test_parent)
    }
    causes = {item.number for item in repairs if item.moved is not None}
    marked = [
        replace(
            bracket,
            label=raw[bracket.side].labels[bracket.node],
            follows=bool(bracket.repairs)
            and bracket.repairs[0] in causes
            and not any((other, index) in parents for other in bracket.repairs),
        )
        for index, bracket in enumerate(brackets)
    ]
    wrong = Counter(bracket.side for bracket in marked if bracket.status != "matched")
    drawn = {bracket.node for bracket in marked if bracket.side == "gold"}
    drawn |= {at for bracket in marked if bracket.side == "test" and bracket.status == "matched"
              and (at := alignment.e.test_partner[bracket.node]) is not None}  # fmt: skip
    right = tuple(
        MarkedBracket("gold", node, label, gold.span(node), "matched", (), False)
        for node, label in enumerate(raw["gold"].labels)
        if gold.kinds[node] is Kind.PHRASE and node not in drawn
    )
    return MarkedSentence(words, tuple(marked), tags, repairs, wrong["gold"], wrong["test"], right)


def compared_sentence(a: Alignment, b: Alignment, names: tuple[str, str]) -> MarkedSentence | None:
    """Return the marked sentence of two parsers' trees and one gold tree; None if their words differ.

    Examples
    --------
    >>> from evaltools import align
    >>> gold = "(S (NP (N a)) (VP (V b) (NP (N c))))"
    >>> parses = "(S (N a) (VP (V b) (NP (N c))))", "(S (N a) (X (V b) (NP (N c))))"
    >>> sentence = compared_sentence(*(align(gold, parse) for parse in parses), ("p", "q"))
    >>> [(item.label, item.side, item.status) for item in sentence.brackets]
    [('NP', 'gold', 'alike'), ('VP', 'gold', 'only-b'), ('X', 'test', 'only-b')]
    """
    if (a.status, b.status) != ("ok", "ok") or a.gold != b.gold:
        return None
    gold = a.gold
    scores = [{word.position: word.scores.get("la_strict") for word in each.words} for each in (a, b)]
    words = []
    for word in a.gold_words:
        path = () if word.position is None else _path(gold, word.position)
        of_a, of_b = (None if word.position is None else each.get(word.position) for each in scores)
        words.append(MarkedWord(word.form, word.position, of_a, path, path, of_b))
    brackets = [
        *_of_parsers("gold", (gold, a.e.gold_status), (gold, b.e.gold_status)),
        *_of_parsers("test", (a.test, a.e.test_status), (b.test, b.e.test_status)),
    ]
    wrong = Counter(bracket.side for bracket in brackets)
    left = Counter((item.label, *item.span) for item in brackets if item.side == "gold")
    right = []
    for node in _phrases(gold):
        key = _key(gold, node)
        if left[key]:
            left[key] -= 1
        else:
            right.append(MarkedBracket("gold", node, key[0], gold.span(node), "matched", (), False))
    tags = _tags_of_parsers(gold, a.test, b.test)
    return MarkedSentence(tuple(words), tuple(brackets), tags, (), wrong["gold"], wrong["test"], tuple(right), names)


def _tags_of_parsers(gold: Tree, a: Tree, b: Tree) -> tuple[MarkedTag, ...]:
    """Return the tags that one parser or both have wrong."""
    tags = []
    for position in range(len(gold.words)):
        right, *given = (tree.tag(position) or "" for tree in (gold, a, b))
        wrong = tuple(number for number, tag in enumerate(given, start=1) if tag != right)
        if not wrong:
            continue
        if len(set(given)) == 1:
            text = f"A B {given[0] or '∅'}"
        else:
            text = ", ".join(f"{'AB'[number - 1]} {given[number - 1] or '∅'}" for number in wrong)
        status = "alike" if len(wrong) == 2 else "only-a" if wrong == (1,) else "only-b"
        tags.append(MarkedTag(position, right, text, status, wrong))
    return tuple(tags)


def _of_parsers(
    side: str, a: tuple[Tree, Sequence[NodeStatus]], b: tuple[Tree, Sequence[NodeStatus]]
) -> list[MarkedBracket]:
    """Return the brackets of a side that are wrong in one parse or in both."""
    nodes: list[dict[Key, list[int]]] = []
    for tree, statuses in (a, b):
        unmatched: dict[Key, list[int]] = defaultdict(list)
        for node in _phrases(tree):
            if statuses[node] is not NodeStatus.MATCHED:
                unmatched[_key(tree, node)].append(node)
        nodes.append(unmatched)
    brackets = []
    for key in dict.fromkeys((*nodes[0], *nodes[1])):
        of_a, of_b = (unmatched.get(key, []) for unmatched in nodes)
        for index in range(max(len(of_a), len(of_b))):
            repairs = tuple(at for at, own in ((1, of_a), (2, of_b)) if index < len(own))
            status = "alike" if len(repairs) == 2 else "only-a" if repairs == (1,) else "only-b"
            node = (of_a if index < len(of_a) else of_b)[index]
            brackets.append(MarkedBracket(side, node, key[0], Span(*key[1:]), status, repairs, False))
    return brackets


def _phrases(tree: Tree) -> list[int]:
    return [node for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE]


def _path(tree: Tree, position: int) -> tuple[str, ...]:
    """Return the labels from a word to the root."""
    labels = []
    node = tree.parents[tree.word_nodes[position]]
    while node >= 0:
        labels.append(tree.labels[node])
        node = tree.parents[node]
    return tuple(labels)


@dataclass(slots=True)
class _Step:
    """A step of the repair with what it changes."""

    index: int  # In the order taken
    typed: TypedStep
    gone: Counter[Key]
    come: Counter[Key]
    moved: Span | None = None  # The phrase that moves
    bars: list[int] = field(default_factory=list)

    @property
    def span(self) -> Span:
        return self.moved or self.typed.step.bracket.span


def _ordered(gold: Tree, test: Tree, rules: RuleSet | None) -> list[_Step]:
    """Return the steps, the one that repairs most first; of equal ones coordination, attachment, labels, brackets."""
    steps = []
    before = _brackets(test)
    for index, typed in enumerate(error_steps(gold, test, rules)):
        after = _brackets(typed.step.tree)
        steps.append(_Step(index, typed, before - after, after - before, _moved_phrase(typed, gold)))
        before = after

    def importance(step: _Step) -> tuple[int, int, int, int]:
        name = step.typed.type.title.lower()
        kind = 0 if "coordination" in name else 1 if step.moved or "attachment" in name else 3
        if step.typed.step.operation is Operation.RELABEL:
            kind = 2
        return -step.typed.step.repaired, kind, step.span.start - step.span.end, step.span.start

    return sorted(steps, key=importance)


def _brackets(tree: Tree) -> Counter[Key]:
    phrases = (node for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE)
    return Counter((tree.labels[node], *tree.span(node)) for node in phrases)


def _moved_phrase(typed: TypedStep, gold: Tree) -> Span | None:
    """Return the phrase that changes its parent in a step; None where what moves is no phrase."""
    parts = typed.attached
    if not parts:
        return None
    span = Span(parts[0].span.start, parts[-1].span.end)
    phrases = {gold.span(node) for node, kind in enumerate(gold.kinds) if kind is Kind.PHRASE}
    if span in phrases or not any(part.is_word for part in (*parts[1:], parts[-1])):
        return span  # a phrase, several, or a phrase after its conjunction
    return None


def _differing(alignment: Alignment, steps: Sequence[_Step]) -> list[MarkedBracket]:
    """Return the phrases that differ, each with the steps that settle it: indices of steps in the order taken."""
    taken = sorted(steps, key=lambda step: step.index)
    brackets: list[MarkedBracket] = []
    for side, tree, statuses, ordered in (
        ("gold", alignment.gold, alignment.e.gold_status, [(step.index, step.come) for step in reversed(taken)]),
        ("test", alignment.test, alignment.e.test_status, [(step.index, step.gone) for step in taken]),
    ):
        settled: dict[Key, list[int]] = defaultdict(list)
        for index, changed in ordered:
            for key, number in changed.items():
                settled[key] += [index] * number
        for node, kind in enumerate(tree.kinds):
            if kind is not Kind.PHRASE or statuses[node] is NodeStatus.MATCHED:
                continue
            key = (tree.labels[node], *tree.span(node))
            own = (settled[key].pop(0),) if settled[key] else ()
            status = "deleted" if side == "gold" else "inserted"
            brackets.append(MarkedBracket(side, node, key[0], tree.span(node), status, own, False))
    brackets = _with_relabeled(brackets, taken)
    return _with_passing(brackets, taken)


def _with_relabeled(brackets: list[MarkedBracket], steps: Sequence[_Step]) -> list[MarkedBracket]:
    """Mark the pairs over one span that a relabeling makes equal."""
    brackets = list(brackets)
    for step in steps:
        if step.typed.step.operation is not Operation.RELABEL:
            continue
        pair = [at for at, bracket in enumerate(brackets) if bracket.repairs == (step.index,)]
        spans = {brackets[at].span for at in pair}
        if len(pair) == 2 and len(spans) == 1:
            for at in pair:
                brackets[at] = replace(brackets[at], status="relabeled")
    return brackets


def _with_passing(brackets: list[MarkedBracket], steps: Sequence[_Step]) -> list[MarkedBracket]:
    """Add steps whose brackets exist only on the way to the nearest bracket of their label that shares an edge."""
    settled = {index for bracket in brackets for index in bracket.repairs}
    brackets = list(brackets)
    for step in steps:
        if step.index in settled:
            continue
        near = [
            (abs(bracket.span.start - start) + abs(bracket.span.end - end), at)
            for label, start, end in (*step.come, *step.gone)
            for at, bracket in enumerate(brackets)
            if bracket.label == label and (bracket.span.start == start or bracket.span.end == end)
        ]
        if near:
            at = min(near)[1]
            brackets[at] = replace(brackets[at], repairs=(*brackets[at].repairs, step.index))
    return brackets


def _told(
    step: _Step,
    number: int,
    brackets: list[MarkedBracket],
    alignment: Alignment,
    limit: int = _SHORT,
    *,
    in_detail: bool = False,
) -> Repair:
    """Return a step as a repair, its phrase quoted to a limit; parents that are right are added to the brackets.

    In detail, the brackets are told between which this step alone moves a phrase.
    """
    gold, test = alignment.gold, alignment.test
    operation = step.typed.step.operation
    cause = _CAUSES[operation]
    bracket = step.typed.step.bracket
    title, repaired = step.typed.type.title, step.typed.step.repaired
    if operation is Operation.RELABEL:
        quoted = f"“{_quote(gold, bracket.span)}”"
        label, new = bracket.label or "∅", step.typed.step.new_label or "∅"
        short = f"{label} → {new} {_quote(gold, bracket.span, limit)}"
        return Repair(number, cause, title, quoted, f"is {label}, should be {new}", short, repaired)
    if step.moved is not None:
        right, wrong = _parent(gold, step.moved), _parent(test, step.moved)
        if right is not None and wrong is not None and _key(gold, right) != _key(test, wrong):
            places = (_place(brackets, "gold", gold, right), _place(brackets, "test", test, wrong))
            label = _label_over(gold, step.moved)
            quoted = f"{label} “{_quote(gold, step.moved)}”".strip()
            short = f"{label} {_quote(gold, step.moved, limit)}".strip()
            inside, belongs = _names((test, gold), (wrong, right), step.moved)
            verdict = f"is in {inside}, belongs in {belongs}"
            if in_detail:
                verdict, target = _own_move(step, step.moved, gold) or (verdict, belongs)
                short = f"{short} → {target}"
            return Repair(number, Cause.MOVED, title, quoted, verdict, short, repaired, step.moved, *places)
    return _by_bracket(step, number, brackets, alignment, limit, in_detail=in_detail)


def _own_move(step: _Step, moved: Span, gold: Tree) -> tuple[str, str] | None:
    """Return what a step does to a phrase that several steps move, and the bracket it leads to."""
    taken = step.typed.step
    if taken.target is None:
        what = "missing" if taken.operation is Operation.ADD else "spurious"
        name = f"{taken.bracket.label or '∅'} “{_around(gold, _hull(taken.bracket.span, moved), moved, _HOST)}”"
        return f"is in the wrong bracket: {name} is {what}", f"{what} {name}"
    names = [
        f"{bracket.label or '∅'} “{_around(gold, _hull(bracket.span, moved), moved, _HOST)}”"
        for bracket in (taken.bracket, taken.target)
    ]
    return f"moves from {names[0]} to {names[1]}", names[1]


def _hull(a: Span, b: Span) -> Span:
    return Span(min(a.start, b.start), max(a.end, b.end))


def _apart(steps: Sequence[_Step], brackets: list[MarkedBracket], alignment: Alignment) -> list[Repair]:
    """Return the steps as repairs, no two of which read alike."""
    told = [_told(step, number, brackets, alignment) for number, step in enumerate(steps, start=1)]
    for limit in (_SHORT, _QUOTED, 2 * _QUOTED):
        alike = _alike(told)
        told = [
            _told(step, item.number, brackets, alignment, limit, in_detail=True) if at in alike else item
            for at, (step, item) in enumerate(zip(steps, told, strict=True))
        ]
    alike = _alike(told)
    number = Counter((told[at].short, steps[at].span) for at in alike)
    for at in alike:
        start, end = span = steps[at].span
        if number[told[at].short, span] == 1:
            words = f"(word {start + 1})" if end - start == 1 else f"(words {start + 1}–{end})"
            told[at] = _with_remark(told[at], words)
    return _ranked(_ranked(told, lambda item: item.verdict), lambda item: item.short)


def _with_tags(
    told: Sequence[Repair], steps: Sequence[_Step], alignment: Alignment
) -> tuple[tuple[Repair, ...], dict[int, int]]:
    """Add the wrong tags that explain repairs to their words; return also by word the number of the repair."""
    left = {word for word in range(len(alignment.gold.words)) if alignment.gold.tag(word) != alignment.test.tag(word)}
    repairs = []
    told_by: dict[int, int] = {}
    for step, item in zip(steps, told, strict=True):
        telling = [word for word in _telling_words(step.span) if word in left]
        left.difference_update(telling)
        told_by |= dict.fromkeys(telling, item.number)
        words = [f"“{alignment.gold.words[word]}”" for word in telling]
        names = ["it" if item.phrase.endswith(word) else word for word in words]
        tags = (f"{name} {_told_tag(alignment, word)}" for name, word in zip(names, telling, strict=True))
        reason = step.typed.reason(alignment.gold.words)
        repairs.append(replace(item, verdict="; ".join((item.verdict, *tags)), step=step.index + 1, reason=reason))
    return tuple(repairs), told_by


def _belonging(repairs: Sequence[Repair], brackets: Sequence[MarkedBracket]) -> tuple[Repair, ...]:
    """Add the repairs that belong together: those of one bracket, or of one phrase that moves.

    One bracket is settled by several, or the parse has it over the same words with another label, or with another edge.
    """
    groups = [bracket.repairs for bracket in brackets]
    missing, spurious = (
        [bracket for bracket in brackets if bracket.side == side and bracket.repairs] for side in ("gold", "test")
    )
    counterparts = {id(own): _counterpart(own, others) for own, others in
                    (*((own, spurious) for own in missing), *((own, missing) for own in spurious))}  # fmt: skip
    for own in missing:
        other = counterparts[id(own)]
        if other is not None and counterparts[id(other)] is own:
            groups.append((own.repairs[0], other.repairs[0]))
    by_words: dict[Span, set[int]] = {item.moved: set() for item in repairs if item.moved is not None}
    for item in repairs:
        if item.moved is not None:
            by_words[item.moved].add(item.number)
    for bracket in brackets:
        by_words.get(bracket.span, set()).update(bracket.repairs)
    linked: dict[int, set[int]] = defaultdict(set)
    for numbers in (*groups, *by_words.values()):
        for number in numbers:
            linked[number].update(numbers)
    return tuple(replace(item, together=tuple(sorted(linked[item.number] - {item.number}))) for item in repairs)


def _counterpart(own: MarkedBracket, others: Sequence[MarkedBracket]) -> MarkedBracket | None:
    """Return the bracket over the same words, or the nearest one of the same label with a common edge; None if none."""
    near = [
        (abs(own.span.start - other.span.start) + abs(own.span.end - other.span.end), own.label != other.label, at)
        for at, other in enumerate(others)
        if own.span == other.span
        or (own.label == other.label and (own.span.start == other.span.start or own.span.end == other.span.end))
    ]
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


def _telling_words(span: Span) -> range:
    """Return the words of a phrase whose wrong tags explain why it is wrong: the first one; of a short one, all."""
    return range(span.start, span.end if span.end - span.start <= _NEAR_TAG else span.start + 1)


def _told_tag(alignment: Alignment, word: int) -> str:
    return f"is tagged {alignment.test.tag(word) or '∅'}, should be {alignment.gold.tag(word) or '∅'}"


def _by_bracket(
    step: _Step, number: int, brackets: Sequence[MarkedBracket], alignment: Alignment, limit: int, *, in_detail: bool
) -> Repair:
    """Tell a step by the bracket that results from it."""
    gold = alignment.gold
    title, repaired = step.typed.type.title, step.typed.step.repaired
    own = [bracket for bracket in brackets if number in (bracket.repairs[:1] if in_detail else bracket.repairs)]
    missing = [bracket for bracket in own if bracket.side == "gold"]
    spurious = [bracket for bracket in own if bracket.side == "test"]
    for right in missing:
        for wrong in spurious:
            edge = _edge(right, wrong, alignment)
            if edge:
                phrase = f"{wrong.label} “{_quote(gold, wrong.span, max(limit, _QUOTED))}”"
                short = f"{wrong.label} {_quote(gold, wrong.span, limit)}"
                short += f" {edge.removeprefix('should ')}" if in_detail else ""
                return Repair(number, Cause.MOVED, title, phrase, edge, short, repaired)
    if missing or spurious:
        first = max(missing or spurious, key=lambda bracket: bracket.span.end - bracket.span.start)
        label, span, cause = first.label, first.span, Cause.DELETED if missing else Cause.INSERTED
    else:
        bracket = step.typed.step.bracket
        label, span, cause = bracket.label, bracket.span, _CAUSES[step.typed.step.operation]
    phrase = f"{label or '∅'} “{_quote(gold, span, max(limit, _QUOTED))}”"
    verdict = {Cause.DELETED: "is missing", Cause.INSERTED: "is spurious"}.get(cause, "has other children")
    return Repair(number, cause, title, phrase, verdict, f"{label or '∅'} {_quote(gold, span, limit)}", repaired)


def _edge(right: MarkedBracket, wrong: MarkedBracket, alignment: Alignment) -> str:
    """Say where a bracket should begin or end that the parse has with another edge."""
    if right.label != wrong.label:
        return ""
    both = _hull(right.span, wrong.span)
    if right.span.start == wrong.span.start:
        if wrong.span.end > right.span.end:
            return f"should end before “{_named_word(alignment.gold, right.span.end, both)}”"
        return f"should extend to “{_named_word(alignment.gold, right.span.end - 1, both)}”"
    if right.span.end == wrong.span.end:
        return f"should begin with “{_named_word(alignment.gold, right.span.start, both)}”"
    return ""


def _named_word(tree: Tree, at: int, span: Span) -> str:
    """Return a word of a span; with the next one if the span has the word twice."""
    word = tree.words[at]
    is_unique = tree.words[span.start : span.end].count(word) == 1 or at + 1 >= len(tree.words)
    return word if is_unique else f"{word} {tree.words[at + 1]}"


def _parent(tree: Tree, span: Span) -> int | None:
    """Return the smallest phrase that is strictly larger than a span; the innermost of equal ones."""
    larger = [
        (tree.ends[node] - tree.starts[node], node)
        for node, kind in enumerate(tree.kinds)
        if kind is Kind.PHRASE and tree.span(node) != span
        and tree.starts[node] <= span.start and span.end <= tree.ends[node]
    ]  # fmt: skip
    return min(larger)[1] if larger else None


def _key(tree: Tree, node: int) -> Key:
    return (tree.labels[node], *tree.span(node))


def _place(brackets: list[MarkedBracket], side: str, tree: Tree, node: int) -> int:
    """Return the index of a node among the brackets; one that is right is added."""
    for index, bracket in enumerate(brackets):
        if bracket.side == side and bracket.node == node:
            return index
    brackets.append(MarkedBracket(side, node, tree.labels[node], tree.span(node), "matched", (), False))
    return len(brackets) - 1


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
            f"{_label(tree, node)} “{_around(tree, tree.span(node), moved, limit)}”"
            for tree, node in zip(trees, nodes, strict=True)
        ]
        if names[0] != names[1]:
            return names
    spans = [tree.span(node) for tree, node in zip(trees, nodes, strict=True)]
    return [f"{name} (words {span.start + 1}–{span.end})" for name, span in zip(names, spans, strict=True)]


def _around(tree: Tree, span: Span, moved: Span, limit: int) -> str:
    """Return the words of a span around those that move, its words beside them always among them."""
    before, after = Span(span.start, moved.start), Span(moved.end, span.end)
    limit = limit // 2 if before.end > before.start and after.end > after.start else limit
    parts = [_quote(tree, part, limit) if part.end > part.start else "" for part in (before, after)]
    return " … ".join(parts).strip()


def _label(tree: Tree, node: int) -> str:
    return tree.labels[node] or "∅"


def _quote(tree: Tree, span: Span, limit: int = _QUOTED) -> str:
    """Return the words of a span; of a long one as many of its first words as fit, and the last one."""
    words = tree.words[span.start : span.end]
    text = " ".join(words)
    if len(text) <= limit or len(words) < 3:
        return text
    kept = next(
        number
        for number in range(len(words) - 2, 0, -1)
        if number == 1 or len(" ".join(words[:number])) + len(words[-1]) + 3 <= limit
    )
    return " ".join((*words[:kept], "…", words[-1]))
