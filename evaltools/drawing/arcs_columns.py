"""The columns of a drawing of dependency trees: words of both trees side by side, equal parts folded."""

from __future__ import annotations

from dataclasses import dataclass

from evaltools.drawing.folding import FOLD_ABOVE
from evaltools.drawing.measure import join_words, shorten, visible
from evaltools.metrics.dependency_mapping import ArcStatus, DependencyAlignment
from evaltools.treebank import DependencyTree

__all__ = ["Column", "columns_of", "identical_parts", "side_by_side"]

_LONGEST = 30


@dataclass(frozen=True, slots=True)
class Column:
    """A word of both trees, or of one, or the words of a folded part.

    Parameters
    ----------
    gold, test : int or None
        Position of the word (of a folded part: of its top) in each tree.
    texts : tuple of str
        What is shown: one text, or two where the words of the trees differ; empty where a tree has none.
    tags : tuple of str
        The tags under the texts.
    full : str
        All of the text.
    hidden : tuple of int
        Gold words folded into this column, its top left out.
    opens : bool
        Whether it was a folded part that has been opened, and can be folded again.
    """

    gold: int | None
    test: int | None
    texts: tuple[str, ...]
    tags: tuple[str, ...]
    full: str
    hidden: tuple[int, ...] = ()
    opens: bool = False

    @property
    def folded(self) -> bool:
        """Whether other words are folded into it."""
        return bool(self.hidden)

    @property
    def differs(self) -> bool:
        """Whether the trees have different words here."""
        return len(self.texts) > 1

    def word(self, side: str) -> int | None:
        """Return the position in one of the trees.

        Parameters
        ----------
        side : {"gold", "test"}
            Which tree.
        """
        return self.gold if side == "gold" else self.test


def identical_parts(alignment: DependencyAlignment) -> dict[int, tuple[int, ...]]:
    """Find the parts of the sentence that are equal in both trees.

    Parameters
    ----------
    alignment : DependencyAlignment
        The trees.

    Returns
    -------
    dict
        From the topmost gold word of every such part (not only of the largest) to all words of the part, in order. A
        part is a word with all its descendants, two words or more, without a gap in either tree; all arcs within it are
        right. The arc of its topmost word may be wrong; a root is no part.
    """
    gold, test, partner = alignment.gold, alignment.test, alignment.partner
    yields, others = _yields(gold), _yields(test)
    wrong = [s not in (ArcStatus.RIGHT, ArcStatus.LEFT_OUT) for s in alignment.gold_status]
    parts: dict[int, tuple[int, ...]] = {}
    for word, below in enumerate(yields):
        other = partner[word]
        if len(below) < 2 or gold.heads[word] < 0 or other is None or test.heads[other] < 0:
            continue
        partners = [one for one in (partner[inner] for inner in below) if one is not None]
        forms = [test.forms[one] for one in partners] == [gold.forms[one] for one in below]
        if (
            partners == list(others[other])
            and forms
            and all(words[-1] - words[0] == len(below) - 1 for words in (below, partners))
            and not any(wrong[one] for one in below if one != word)
        ):
            parts[word] = below
    return parts


def _yields(tree: DependencyTree) -> list[tuple[int, ...]]:
    """Return every word with its descendants, in order."""
    below: list[set[int]] = [{word} for word in range(len(tree))]
    for word in range(len(tree)):
        head, steps = tree.heads[word], 0
        while head >= 0 and steps < len(tree):
            below[head].add(word)
            head, steps = tree.heads[head], steps + 1
    return [tuple(sorted(words)) for words in below]


def columns_of(
    alignment: DependencyAlignment, fold: bool | None = None, unfolded: frozenset[int] = frozenset()
) -> list[Column]:
    """Put the words of both trees into columns, in order.

    Parameters
    ----------
    alignment : DependencyAlignment
        The trees.
    fold : bool, optional
        Fold what is equal; by default in sentences of more than 25 words.
    unfolded : frozenset of int
        Gold words whose folded parts are opened one step.
    """
    gold, test = alignment.gold, alignment.test
    identical: dict[int, tuple[int, ...]] = {}
    if max(len(gold), len(test)) > FOLD_ABOVE if fold is None else fold:
        identical = identical_parts(alignment)
    folded = _outermost(identical, unfolded)
    gone = {one for word in folded for one in identical[word] if one != word}
    gone_too = {alignment.partner[one] for one in gone}
    two_rows = gold.forms != test.forms and bool(len(gold)) and bool(len(test))
    columns = []
    for g, t in side_by_side(alignment):
        if g in gone or (g is None and t in gone_too):
            continue
        if g is not None and g in folded:
            words = [visible(gold.forms[one]) for one in identical[g]]
            hidden = tuple(one for one in identical[g] if one != g)
            text = join_words(words)
            texts, tags = ((text, text), ("", "")) if two_rows else ((text,), ("",))
            columns.append(Column(g, t, texts, tags, " ".join(words), hidden))
            continue
        shown = [_shown(tree, word) for tree, word in ((gold, g), (test, t))]
        opens = g is not None and g in identical and g in unfolded
        full = next(text for _, _, text in shown if text)
        if two_rows:
            columns.append(
                Column(g, t, tuple(text for text, _, _ in shown), tuple(tag for _, tag, _ in shown), full, (), opens)
            )
            continue
        (text, tag, _), (other, other_tag, _) = shown
        tags = (tag if tag == other_tag or not len(test) or not len(gold) else f"{tag} ≠ {other_tag}",)
        columns.append(Column(g, t, (text or other,), tags if g is not None else (other_tag,), full, (), opens))
    return columns


def _shown(tree: DependencyTree, word: int | None) -> tuple[str, str, str]:
    """Return a word and its tag as shown, and the word in full."""
    if word is None:
        return "", "", ""
    form = visible(tree.forms[word])
    tag = "" if tree.tags[word] == "_" else visible(tree.tags[word])
    return shorten(form, _LONGEST), shorten(tag, _LONGEST), form


def _outermost(identical: dict[int, tuple[int, ...]], unfolded: frozenset[int]) -> set[int]:
    """Choose the largest parts of those that are not opened."""
    chosen: set[int] = set()
    inside: set[int] = set()
    for word in sorted(identical, key=lambda one: -len(identical[one])):
        if word not in unfolded and word not in inside:
            chosen.add(word)
            inside.update(identical[word])
    return chosen


def side_by_side(alignment: DependencyAlignment) -> list[tuple[int | None, int | None]]:
    """Return pairs of positions in the order of both sentences; None where a tree has no such word.

    Parameters
    ----------
    alignment : DependencyAlignment
        The trees.
    """
    pairs: list[tuple[int | None, int | None]] = []
    after = 0
    for word in range(len(alignment.gold)):
        other = alignment.partner[word]
        if other is None or other < after:
            pairs.append((word, None))
            continue
        pairs += [(None, between) for between in range(after, other)]
        pairs.append((word, other))
        after = other + 1
    return pairs + [(None, rest) for rest in range(after, len(alignment.test))]
