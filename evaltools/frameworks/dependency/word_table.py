"""The columns of the words of two dependency trees beside one another: what is in one of them only, word by word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaltools.corpus import DependencyTree
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.corpus.dependency_tree import head_column
from evaltools.corpus.enhanced import collapsed_deps, without_subtypes
from evaltools.drawing.blocks import Block, differences, legend, note
from evaltools.frameworks.common.word_views import words_selection
from evaltools.frameworks.controls import Choice
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.views import LONG, Section, Viewing, WordRow
from evaltools.text import count_of

__all__ = ["ComparedWord", "compare_words", "word_rows", "word_table"]

Piece = tuple[str, str]  # ``"missing"`` (only in gold), ``"spurious"`` (only in the parse), or empty; and a text

_COLUMNS = ("Form", "Lemma", "UPOS", "XPOS", "Features", "Head", "Relation", "Enhanced")
_UNIVERSAL = "Enhanced without subtypes"  # Compared, but no column of the table
_IDS = dict(zip(_COLUMNS, ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps"), strict=True))
_NOTHING = ("", "_")
_ANY_IS_RIGHT = {"Lemma": _NOTHING, "Head": ("_",), "Relation": ("",)}
"""What a gold word has whose lemma, or whose head and relation, are not compared."""


@dataclass(frozen=True, slots=True)
class ComparedWord:
    """A word and the word aligned with it."""

    position: int | None  # Of the gold word; None for a word that only the parse has
    test_position: int | None  # Of the aligned word; None if there is none
    cells: Mapping[str, tuple[Piece, ...]]  # What each column has

    def differs(self, column: str) -> bool:
        """Return whether a column differs."""
        return any(status for status, _ in self.cells[column])

    @property
    def number(self) -> str:
        """Its number in the sentence, or both if they differ."""
        numbers = [str(at + 1) for at in (self.position, self.test_position) if at is not None]
        return numbers[0] if len(set(numbers)) == 1 else " / ".join(numbers)


def compare_words(alignment: DependencyAlignment) -> list[ComparedWord]:
    """Compare all columns of all words; a word that only the parse has follows the one before it.

    Examples
    --------
    >>> gold = DependencyTree(("we", "saw"), (1, -1), ("nsubj", "root"), feats=("Case=Nom|Number=Plur", "_"))
    >>> test = DependencyTree(("we", "saw"), (1, -1), ("obj", "root"), feats=("Case=Acc|Number=Plur", "_"))
    >>> from evaltools.frameworks.dependency.alignment import align_dependencies
    >>> word, _ = compare_words(align_dependencies(gold, test))
    >>> word.cells["Relation"], word.cells["Head"]
    ((('missing', 'nsubj'), ('spurious', 'obj')), (('', '2 saw'),))
    >>> word.cells["Features"]
    (('missing', 'Case=Nom'), ('spurious', 'Case=Acc'), ('', 'Number=Plur'))
    """
    gold, test, partner = alignment.gold, alignment.test, alignment.partner
    gold_of = alignment.test_partner
    own = [_values(gold, {}), _values(test, {index: at for index, at in enumerate(gold_of) if at is not None})]
    compared = []
    following: dict[int, list[ComparedWord]] = {}
    before = -1
    for index, at in enumerate(gold_of):
        if at is None and alignment.test_status[index] is None:
            continue  # of another sentence, or punctuation
        if at is None:
            cells = {name: _only(values[index], "spurious") for name, values in own[1].items()}
            following.setdefault(before, []).append(ComparedWord(None, index, cells))
        else:
            before = at
    compared += following.get(-1, [])
    for word, aligned in enumerate(partner):
        if aligned is None:
            cells = {name: _only(values[word], "missing") for name, values in own[0].items()}
        else:
            cells = {name: _difference(name, values[word], own[1][name][aligned]) for name, values in own[0].items()}
        compared.append(ComparedWord(word, aligned, cells))
        compared += following.get(word, [])
    return compared


def _values(tree: DependencyTree, gold_of: Mapping[int, int]) -> dict[str, list[list[tuple[str, str]]]]:
    """Return what each column of each word has: what is compared, and how it is written."""

    def number(head: str) -> str:
        """Return a head as it is compared: the number of its gold word, or its own in brackets if it has none."""
        if not head.isdecimal() or head == "0" or not gold_of:
            return head
        at = gold_of.get(int(head) - 1)
        return f"[{head}]" if at is None else str(at + 1)

    def parts(text: str) -> list[str]:
        return [] if text in _NOTHING else text.split("|")

    def edges(text: str, *, subtypes: bool) -> list[tuple[str, str]]:
        divided = [part.partition(":") for part in parts(text)]
        named = [(head, relation if subtypes else without_subtypes(relation)) for head, _, relation in divided]
        return [(f"{number(head)}:{relation}", f"{head}:{relation}") for head, relation in named]

    deps = collapsed_deps(tree)
    heads = []
    for head in tree.heads:
        column = head_column(head)
        named = tree.forms[head] if head >= 0 else "root" if head == -1 else ""
        heads.append([(number(column), f"{column} {named}".rstrip())])
    single = {"Form": tree.forms, "Lemma": tree.lemmas, "UPOS": tree.tags, "XPOS": tree.xtags}
    return {
        **{name: [[(value, value)] for value in column] for name, column in single.items()},
        "Features": [[(part, part) for part in parts(text)] for text in tree.feats],
        "Head": heads,
        "Relation": [
            [("" if head == NO_HEAD else value, value)] for head, value in zip(tree.heads, tree.relations, strict=True)
        ],
        "Enhanced": [edges(text, subtypes=True) for text in deps],
        _UNIVERSAL: [edges(text, subtypes=False) for text in deps],
    }


def _only(values: Sequence[tuple[str, str]], status: str) -> tuple[Piece, ...]:
    return tuple((status, written) for value, written in values if value not in _NOTHING)


def _difference(column: str, gold: Sequence[tuple[str, str]], test: Sequence[tuple[str, str]]) -> tuple[Piece, ...]:
    """Return what both have and what one has, the values of a feature beside one another."""
    if gold and gold[0][0] in _ANY_IS_RIGHT.get(column, ()):
        return tuple(("", written) for value, written in test if value not in _NOTHING)
    keys, test_keys = {value for value, _ in gold}, {value for value, _ in test}
    pieces = [("" if value in test_keys else "missing", value, written) for value, written in gold]
    pieces += [("spurious", value, written) for value, written in test if value not in keys]
    if column == "Features":
        pieces.sort(key=lambda piece: piece[1].partition("=")[0].lower())
    shown = [(status, written) for status, value, written in pieces if value not in _NOTHING or status]
    return tuple(shown)


def word_rows(alignment: DependencyAlignment) -> list[WordRow]:
    """Return the columns of all words as they are in both trees, and which differ.

    Examples
    --------
    >>> gold = DependencyTree(("we", "saw"), (1, -1), ("nsubj", "root"))
    >>> test = DependencyTree(("we", "saw"), (1, -1), ("obj", "root"))
    >>> from evaltools.frameworks.dependency.alignment import align_dependencies
    >>> row, _ = word_rows(align_dependencies(gold, test))
    >>> row.word, row.gold["head"], row.gold["deprel"], row.test["deprel"], row.differs
    (1, '2', 'nsubj', 'obj', ('deprel',))
    """
    sides = [dict(zip(_IDS.values(), _written(tree), strict=True)) for tree in (alignment.gold, alignment.test)]

    def of_word(side: int, at: int | None) -> dict[str, str]:
        return {} if at is None else {name: column[at] for name, column in sides[side].items()}

    return [
        WordRow(
            None if word.position is None else word.position + 1,
            None if word.test_position is None else word.test_position + 1,
            of_word(0, word.position),
            of_word(1, word.test_position),
            tuple(name for column, name in _IDS.items() if word.differs(column)),
        )
        for word in compare_words(alignment)
    ]


def _written(tree: DependencyTree) -> tuple[Sequence[str], ...]:
    """Return the columns FORM to DEPS, the last without empty nodes."""
    heads = [head_column(head) for head in tree.heads]
    return (
        *(tree.forms, tree.lemmas, tree.tags, tree.xtags),
        *(tree.feats, heads, tree.relations, collapsed_deps(tree)),
    )


_CHOICE = "words"


def word_table(alignment: DependencyAlignment, viewing: Viewing, names: tuple[str, str], chosen: int | None) -> Section:
    """Return the table of the words of two trees, or of those that differ."""
    heading = "Columns, word by word"
    n_words = alignment.sentence_length
    choice = Choice(
        _CHOICE,
        "Only words that differ",
        {"0": "", "1": ""},
        "1" if n_words > LONG else "0",
        f"the default above {LONG} words",
        is_toggle=True,
    )
    if not len(alignment.test) or not n_words:
        return Section("columns", (note("There is nothing to compare."),), heading, "below")
    words = compare_words(alignment)
    columns = [name for name in _COLUMNS if any(word.cells[name] for word in words)]
    counts = {name: sum(word.differs(name) for word in words if word.position is not None) for name in columns}
    listed = ", ".join(f"{name} {count}" for name, count in counts.items() if count)
    if counts.get("Enhanced"):
        n_universal = sum(word.differs(_UNIVERSAL) for word in words if word.position is not None)
        listed += f" ({n_universal} without subtypes, as in EULAS)"
    n_more = sum(word.position is None for word in words)
    remark = f"{n_words:,} words of {names[0]}; "
    remark += f"number of words that differ: {listed}." if listed else "all columns are equal."
    if n_more:
        remark += f" {count_of(n_more, 'word')} only in {names[1]}."
    remark += (
        " Heads have the numbers of their own tree; subtypes count in ELAS, and in LAS where the run compares them."
    )
    shown = [word for word in words if viewing.chosen(choice) == "0" or any(word.differs(name) for name in columns)]
    rows = [
        (word.position, word.position is not None and word.position == chosen, _cells(word, columns)) for word in shown
    ]
    blocks: tuple[Block, ...] = (note(remark),)
    if rows:
        entries = [("missing", f"only in {names[0]}"), ("spurious", f"only in {names[1]}")]
        blocks = (note(remark), legend(entries), differences(("#", *columns), rows, title=heading))
    return Section("columns", blocks, heading, "below", choice, words=words_selection(alignment))


def _cells(word: ComparedWord, columns: Sequence[str]) -> list[tuple[Piece, ...]]:
    return [(("", word.number),), *(word.cells[name] for name in columns)]
