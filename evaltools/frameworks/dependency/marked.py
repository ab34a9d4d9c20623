"""The marked sentence of two dependency trees: wrong heads and relations, and the repairs that explain them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evaltools.corpus import DependencyTree, Span
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.corpus.stretches import stretches_of
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.marks import Group, Link, Mark, Marks, Repair, Status, Word, marks_of
from evaltools.text import excerpt

_LISTED = 4
"""More dependents than this are counted in words, with the first ones listed."""
_QUOTED = 24


class _Error(NamedTuple):
    """What is wrong with some words: the key of a repair."""

    test_head: int
    gold_head: int
    relations: tuple[str, str] = ("", "")  # Of a wrong relation: the parser's and that of gold
    word: int = -1


def marked_arcs(alignment: DependencyAlignment) -> Marks | None:
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
        if status in (Status.MISSING, Status.RELABELED):
            heads = test.heads[word], gold.heads[word]
            pair = test.relations[word], gold.relations[word]
            errors[_Error(*heads) if status is Status.MISSING else _Error(*heads, pair, word)].append(word)
    sizes = _subtree_sizes(gold)
    right = [word for word, status in enumerate(alignment.gold_status) if status is Status.RIGHT]
    return marks_of(
        _words(alignment),
        (_group(alignment, error, words, sizes) for error, words in errors.items()),
        unit="arcs",
        right=(_mark(gold, word, "gold", Status.RIGHT) for word in right),
        right_links=(_link(gold, word, "gold", Status.RIGHT) for word in right),
    )


def _group(alignment: DependencyAlignment, error: _Error, words: Sequence[int], sizes: Sequence[int]) -> Group:
    """Return the wrong heads or the wrong relation that one repair settles."""
    gold = alignment.gold
    is_relation = error.word >= 0
    marks, links = [], []
    for side, tree, alone in (("gold", gold, Status.MISSING), ("test", alignment.test, Status.SPURIOUS)):
        attached = [word for word in words if tree.heads[word] != NO_HEAD]
        status = Status.RELABELED if is_relation else alone
        marks += [_mark(tree, word, side, status) for word in attached]
        links += [_link(tree, word, side, status) for word in attached if not is_relation]
    coordinates = any(gold.relations[word] == "conj" for word in words)
    order = is_relation, not coordinates, -sum(sizes[word] for word in words), words[0]
    repair = _relabeling(gold, error) if is_relation else _attachment(alignment, error, words)
    return Group(repair, tuple(marks), tuple(links), order)


def _mark(tree: DependencyTree, word: int, side: str, status: Status) -> Mark:
    text = tree.relations[word]
    span = (Span(word, word + 1),)
    return Mark("relation", side, word, text, span, status, description=_description(tree, word))


def _link(tree: DependencyTree, word: int, side: str, status: Status) -> Link:
    head = tree.heads[word] if tree.heads[word] >= 0 else None
    return Link(side, head, word, status, description=_description(tree, word))


def _words(alignment: DependencyAlignment) -> Iterator[Word]:
    """Yield the words with their relations up to the root, and their leaf-ancestor scores."""
    compared = {word.position: word for word in alignment.words}
    for word in alignment.gold_words:
        paths = compared.get(word.position) if word.position is not None else None
        if paths is None:
            yield Word(word.form, word.position)
        else:
            score = paths.scores.get("la_exact")
            yield Word(word.form, word.position, score, tuple(paths.gold), tuple(paths.test or ()))


def _subtree_sizes(tree: DependencyTree) -> list[int]:
    """Return how many words each word dominates, itself included."""
    sizes = [1] * len(tree)
    for word in reversed(tree.top_down):
        if tree.heads[word] >= 0:
            sizes[tree.heads[word]] += sizes[word]
    return sizes


def _description(tree: DependencyTree, word: int) -> str:
    head = tree.heads[word]
    of = f"of “{tree.forms[head]}”" if head >= 0 else "(no head)"
    return f"“{tree.forms[word]}” is {tree.relations[word]} {of}"


def _relabeling(gold: DependencyTree, error: _Error) -> Repair:
    """Return the repair of a wrong relation to the right head."""
    wrong, right = error.relations
    of = f" of {_named(gold, error.gold_head)}" if error.gold_head >= 0 else ""
    verdict = f"is {wrong}{of}, should be {right}"
    return Repair(
        Status.RELABELED, "wrong relation", _named(gold, error.word), verdict, f"{wrong} → {right}", repaired=1
    )


def _attachment(alignment: DependencyAlignment, error: _Error, words: Sequence[int]) -> Repair:
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
    verdict = f"{is_in}, {belongs}"
    return Repair(Status.MOVED, "wrong head", phrase, verdict, short, len(words), moved=stretches_of(words))


def _named(tree: DependencyTree, word: int) -> str:
    return f"“{excerpt(tree.forms[word], _QUOTED)}”"
