"""The marked sentence of two dependency trees: wrong heads and relations, and the repairs that explain them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from evaltools.corpus import DependencyTree, Span
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.corpus.dependency_tree import without_subtype
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.marks import MarkedArc, MarkedArcs, MarkedLabel, MarkedWord, Repair, Status
from evaltools.text import excerpt

_WRONG = (Status.MISSING, Status.RELABELED)
_LISTED = 4
"""More dependents than this are counted in words, with the first ones listed."""
_QUOTED = 24


class _Error(NamedTuple):
    """What is wrong with some words: the key of a repair."""

    test_head: int
    gold_head: int
    relations: tuple[str, str] = ("", "")  # Of a wrong relation: the parser's and that of gold
    word: int = -1


def marked_arcs(alignment: DependencyAlignment) -> MarkedArcs | None:
    """Return the marked sentence of two trees; None if their words differ, or one is missing.

    Examples
    --------
    >>> from evaltools.frameworks.dependency.alignment import align_dependencies
    >>> words = ("suppose", "this", "had", "been", "a", "mugging")
    >>> relations = ("root", "nsubj", "aux", "cop", "det", "ccomp")
    >>> gold = DependencyTree(words, (-1, 5, 5, 5, 5, 0), relations)
    >>> test = DependencyTree(words, (-1, 0, 0, 0, 5, 0), relations)
    >>> [(repair.phrase, repair.verdict, repair.repaired) for repair in marked_arcs(align_dependencies(gold, test)).repairs]
    [('“this”, “had” and “been”', 'attach to “suppose”, belong to “mugging”', 3)]
    """  # noqa: E501
    if alignment.status != "ok":
        return None
    gold, test = alignment.gold, alignment.test
    errors: dict[_Error, list[int]] = defaultdict(list)
    for word, status in enumerate(alignment.gold_status):
        if status in _WRONG:
            heads = test.heads[word], gold.heads[word]
            pair = test.relations[word], gold.relations[word]
            errors[_Error(*heads) if status is Status.MISSING else _Error(*heads, pair, word)].append(word)
    sizes = _subtree_sizes(gold)

    def order(item: tuple[_Error, list[int]]) -> tuple[int, bool, bool, int, int]:
        error, words = item
        coordinates = any(gold.relations[word] == "conj" for word in words)
        size = sum(sizes[word] for word in words)
        return -len(words), error.word >= 0, not coordinates, -size, words[0]

    repairs, labels, arcs = [], [], []
    for number, (error, words) in enumerate(sorted(errors.items(), key=order), start=1):
        repairs.append(
            _relabeling(number, gold, error) if error.word >= 0 else _attachment(number, alignment, error, words)
        )
        for side, tree in (("gold", gold), ("test", test)):
            mark = Status.RELABELED if error.word >= 0 else Status.MISSING if side == "gold" else Status.SPURIOUS
            for word in (word for word in words if tree.heads[word] != NO_HEAD):
                says = _says(tree, word, side)
                labels.append(
                    MarkedLabel(side, word, tree.relations[word], Span(word, word + 1), mark, (number,), says)
                )
                if error.word < 0:
                    head = tree.heads[word] if tree.heads[word] >= 0 else None
                    arcs.append(MarkedArc(side, head, word, mark, (number,), says=says))
    right = [word for word, status in enumerate(alignment.gold_status) if status is Status.RIGHT]
    return MarkedArcs(
        _words(alignment),
        tuple(labels),
        tuple(arcs),
        tuple(repairs),
        sum(map(len, errors.values())),
        "wrong arcs",
        right=tuple(_right_arc(gold, word) for word in right),
        right_labels=tuple(_right_label(gold, word) for word in right),
    )


def compared_arcs(a: DependencyAlignment, b: DependencyAlignment, names: tuple[str, str]) -> MarkedArcs | None:
    """Return the marked sentence of two parsers' trees and one gold tree; None if their words differ.

    Examples
    --------
    >>> from evaltools.frameworks.dependency.alignment import align_dependencies
    >>> gold, p, q = (DependencyTree(("a", "b", "c"), heads, ("x", "y", "z"))
    ...               for heads in ((-1, 0, 1), (-1, 0, 0), (-1, 2, 0)))
    >>> sentence = compared_arcs(align_dependencies(gold, p), align_dependencies(gold, q), ("p", "q"))
    >>> [(arc.source, arc.target, arc.side, arc.status) for arc in sentence.arcs]
    [(0, 1, 'gold', 'only-b'), (2, 1, 'test', 'only-b'), (1, 2, 'gold', 'alike'), (0, 2, 'test', 'alike')]
    """
    if (a.status, b.status) != ("ok", "ok") or a.gold != b.gold:
        return None
    labels, arcs = [], []
    wrong = 0
    for word in range(len(a.gold)):
        whose = [number for number, item in ((1, a), (2, b)) if item.gold_status[word] in _WRONG]
        if not whose:
            continue
        wrong += len(whose)
        drawn = [("gold", a.gold, whose)]
        parses = [((a, b)[number - 1].test, number) for number in whose]
        if len(parses) == 2 and _arc(parses[0][0], word) == _arc(parses[1][0], word):
            drawn.append(("test", parses[0][0], whose))
        else:
            drawn += [("test", tree, [number]) for tree, number in parses]
        has_wrong_head = any(item.gold_status[word] is Status.MISSING for item in (a, b))
        for side, tree, numbers in drawn:
            if tree.heads[word] == NO_HEAD:
                continue
            status = "alike" if len(numbers) == 2 else ("only-a", "only-b")[numbers[0] - 1]
            says = _says(tree, word, side if side == "gold" else " and ".join(names[number - 1] for number in numbers))
            marks = status, tuple(numbers)
            labels.append(MarkedLabel(side, word, tree.relations[word], Span(word, word + 1), *marks, says))
            if has_wrong_head:
                head = tree.heads[word] if tree.heads[word] >= 0 else None
                arcs.append(MarkedArc(side, head, word, *marks, says=says))
    right = [word for word in range(len(a.gold)) if a.gold_status[word] is b.gold_status[word] is Status.RIGHT]
    return MarkedArcs(
        _words(a),
        tuple(labels),
        tuple(arcs),
        (),
        wrong,
        "wrong arcs",
        parsers=names,
        right=tuple(_right_arc(a.gold, word) for word in right),
        right_labels=tuple(_right_label(a.gold, word) for word in right),
    )


def _right_arc(gold: DependencyTree, word: int) -> MarkedArc:
    head = gold.heads[word] if gold.heads[word] >= 0 else None
    return MarkedArc("gold", head, word, Status.RIGHT, (), says=_says(gold, word, "correct"))


def _right_label(gold: DependencyTree, word: int) -> MarkedLabel:
    says = _says(gold, word, "correct")
    return MarkedLabel("gold", word, gold.relations[word], Span(word, word + 1), Status.RIGHT, (), says)


def _arc(tree: DependencyTree, word: int) -> tuple[int, str]:
    return tree.heads[word], without_subtype(tree.relations[word])


def _words(alignment: DependencyAlignment) -> tuple[MarkedWord, ...]:
    """Return the words with their relations up to the root, and their leaf-ancestor scores."""
    compared = {word.position: word for word in alignment.words}
    words = []
    for word in alignment.gold_words:
        paths = compared.get(word.position) if word.position is not None else None
        if paths is None:
            words.append(MarkedWord(word.form, word.position))
        else:
            score = paths.scores.get("la_strict")
            words.append(MarkedWord(word.form, word.position, score, tuple(paths.gold), tuple(paths.test or ())))
    return tuple(words)


def _subtree_sizes(tree: DependencyTree) -> list[int]:
    """Return how many words each word dominates, itself included."""
    sizes = [1] * len(tree)
    for word in reversed(tree.top_down):
        if tree.heads[word] >= 0:
            sizes[tree.heads[word]] += sizes[word]
    return sizes


def _says(tree: DependencyTree, word: int, name: str) -> str:
    head = tree.heads[word]
    of = f"of “{tree.forms[head]}”" if head >= 0 else "(no head)"
    return f"{name}: “{tree.forms[word]}” is {tree.relations[word]} {of}"


def _relabeling(number: int, gold: DependencyTree, error: _Error) -> Repair:
    """Return the repair of a wrong relation to the right head."""
    wrong, right = error.relations
    of = f" of {_named(gold, error.gold_head)}" if error.gold_head >= 0 else ""
    phrase = _named(gold, error.word)
    return Repair(
        number,
        Status.RELABELED,
        "wrong relation",
        phrase,
        f"is {wrong}{of}, should be {right}",
        f"{wrong} → {right}",
        1,
    )


def _attachment(number: int, alignment: DependencyAlignment, error: _Error, words: Sequence[int]) -> Repair:
    """Return the repair of words with one wrong and one right head."""
    gold, test = alignment.gold, alignment.test
    wrong, right = (_named(gold, head) if head >= 0 else "" for head in (error.test_head, error.gold_head))
    if wrong == right:
        wrong, right = (f"{_named(gold, head)} (word {head + 1})" for head in (error.test_head, error.gold_head))
    is_headless = error.test_head == NO_HEAD
    if len(words) == 1:
        relations = [""] * 2
        if alignment.relabeled[words[0]]:
            relations = [f" as {tree.relations[words[0]]}" for tree in (test, gold)]
        is_in = f"attaches to {wrong}{relations[0]}" if wrong else "has no head" if is_headless else "is the root"
        belongs = f"belongs to {right}{relations[1]}" if right else "should be the root"
    else:
        is_in = f"attach to {wrong}" if wrong else "have no head" if is_headless else "are roots"
        belongs = f"belong to {right}" if right else "should be roots"
    names = [_named(gold, word) for word in words]
    if len(words) > _LISTED:
        phrase = f"{', '.join(names[: _LISTED - 1])} and {len(words) - _LISTED + 1} more"
    else:
        phrase = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    short = f"{excerpt(gold.forms[words[0]], 14)}{'…' if len(words) > 1 else ''} → {right or 'root'}"
    return Repair(
        number, Status.MOVED, "wrong head", phrase, f"{is_in}, {belongs}", short, len(words), words=tuple(words)
    )


def _named(tree: DependencyTree, word: int) -> str:
    return f"“{excerpt(tree.forms[word], _QUOTED)}”"
