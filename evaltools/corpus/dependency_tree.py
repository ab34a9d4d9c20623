"""One sentence's dependencies, small and immutable, for drawing, teaching and tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from evaltools.corpus.dependency_text import COLUMNS, NO_HEAD, Rows, find_cycle, parse_rows
from evaltools.corpus.tree import Span
from evaltools.display import NotebookObject
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.text import excerpt, short_repr

_NOTHING = "_"
_BLANKS = " \t\r\v\f"
# the row of a form that is a line break goes over several lines
_ROW = re.compile(rb"^([0-9]+)(?:-([0-9]+))?\t([^\t\r\n]*)(?:\r?\n[ \r\n]*)?\t", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class MultiwordToken:
    """A token of the text that is several words, such as French *au*, which is *à le*.

    Parameters
    ----------
    span : Span
        The words, as positions from 0.
    form : str
        The token.
    columns : tuple of str
        Its columns LEMMA to MISC.
    """

    span: Span
    form: str
    columns: tuple[str, ...] = (_NOTHING,) * 8


_DEPS = 7  # Index of DEPS among the columns FORM to MISC


@dataclass(frozen=True, slots=True)
class EmptyNode:
    """A word that is not in the text, for enhanced dependencies.

    Parameters
    ----------
    after : int
        Number of words before it.
    index : int
        Its number among the empty nodes at this place, from 1.
    columns : tuple of str
        Its columns FORM to MISC.
    """

    after: int
    index: int
    columns: tuple[str, ...]

    @property
    def deps(self) -> str:
        """Its column DEPS."""
        return self.columns[_DEPS]

    def with_deps(self, deps: str) -> EmptyNode:
        """Return the node with another column DEPS.

        Parameters
        ----------
        deps : str
            The column.
        """
        return replace(self, columns=(*self.columns[:_DEPS], deps, *self.columns[_DEPS + 1 :]))


@dataclass(frozen=True)
class DependencyTree(NotebookObject):
    r"""The words of a sentence, each with its head and its relation to it.

    Parameters
    ----------
    forms : tuple of str
        The words.
    heads : tuple of int
        Position of each word's head, from 0; -1 for the root; -2 for a word that has neither head nor relation, and
        is no word's head. There may be several roots, and no cycle.
    relations : tuple of str
        Each word's relation to its head, ``_`` for a word without a head.
    lemmas, tags, xtags, feats, deps, misc : tuple of str
        The other columns, ``_`` where there is nothing. `tags` is UPOS, or CPOSTAG of CoNLL-X; `xtags` is XPOS, or
        POSTAG; `deps` and `misc` are PHEAD and PDEPREL of CoNLL-X. Left out, they are ``_`` throughout.
    comments : tuple of str
        The lines before the words, each with its ``#``.
    multiwords : tuple of MultiwordToken
        Tokens that are several words, in their order.
    empty_nodes : tuple of EmptyNode
        Words that are not in the text, in their order.

    Raises
    ------
    ParameterError
        If the columns are of different lengths, or the heads do not form a tree or forest over the words.

    Examples
    --------
    >>> tree = DependencyTree(("John", "loves", "Mary"), (1, -1, 1), ("sbj", "root", "obj"))
    >>> tree.roots, tree.children(1), sorted(tree.yield_(1))
    ((1,), (0, 2), [0, 1, 2])
    >>> tree.to_string().splitlines()[0].split("\t")
    ['1', 'John', '_', '_', '_', '_', '2', 'sbj', '_', '_']
    """

    forms: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    lemmas: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    xtags: tuple[str, ...] = ()
    feats: tuple[str, ...] = ()
    deps: tuple[str, ...] = ()
    misc: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    multiwords: tuple[MultiwordToken, ...] = ()
    empty_nodes: tuple[EmptyNode, ...] = ()

    def __post_init__(self) -> None:
        n_words = len(self.forms)
        for name in ("heads", "relations", "lemmas", "tags", "xtags", "feats", "deps", "misc"):
            column = getattr(self, name)
            if not column and name not in ("heads", "relations"):
                object.__setattr__(self, name, (_NOTHING,) * n_words)
            elif len(column) != n_words:
                raise ParameterError(f"{len(column)} {name} for {n_words} words")
        if not all(line.startswith("#") for line in self.comments):
            raise ParameterError("a comment begins with #")
        if not all(NO_HEAD <= head < n_words for head in self.heads):
            raise ParameterError(f"heads are positions from 0 to {n_words - 1}, or -1 for the root (-2: no head)")
        without = {word for word, head in enumerate(self.heads) if head == NO_HEAD}
        if any(self.relations[word] != _NOTHING for word in without) or not without.isdisjoint(self.heads):
            raise ParameterError("a word without a head has the relation _, and is no word's head")
        if cycle := find_cycle(self.heads):
            raise ParameterError(f"the heads of {len(cycle)} words form a cycle, one of them {self.forms[cycle[0]]!r}")

    def __repr__(self) -> str:
        return short_repr(self, f"of {len(self)} words: {' '.join(self.forms)}")

    def __len__(self) -> int:
        return len(self.forms)

    def __str__(self) -> str:
        return self.to_string()

    @property
    def words(self) -> tuple[str, ...]:
        """The words, in sentence order; as of a :class:`~evaltools.Tree`."""
        return self.forms

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        children: list[list[int]] = [[] for _ in self.forms]
        for word, head in enumerate(self.heads):
            if head >= 0:
                children[head].append(word)
        return tuple(tuple(words) for words in children)

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Words whose head is the root, left to right."""
        return tuple(word for word, head in enumerate(self.heads) if head == -1)

    @cached_property
    def top_down(self) -> tuple[int, ...]:
        """All words, each after its head."""
        order = [word for word, head in enumerate(self.heads) if head < 0]
        for word in order:  # grows while it is read
            order.extend(self._children[word])
        return tuple(order)

    @property
    def sent_id(self) -> str | None:
        """Value of the comment ``# sent_id``; None if there is none."""
        return self.comment("sent_id")

    def comment(self, key: str) -> str | None:
        """Return the value of a comment ``# key = value``, None where there is none.

        Parameters
        ----------
        key : str
            The text before the equals sign, such as ``sent_id`` or ``text``.
        """
        for line in self.comments:
            name, equals, value = line[1:].partition("=")
            if equals and name.strip() == key:
                return value.strip()
        return None

    def children(self, word: int) -> tuple[int, ...]:
        """Return the words whose head a word is, left to right.

        Parameters
        ----------
        word : int
            The word's position, from 0.
        """
        return self._children[word]

    def ancestors(self, word: int) -> Iterator[int]:
        """Yield a word's head, the head's head, and so on up to a root.

        Parameters
        ----------
        word : int
            The word's position, from 0.
        """
        while (word := self.heads[word]) >= 0:
            yield word

    def yield_(self, word: int) -> frozenset[int]:
        """Return the positions of a word and of all words below it.

        Parameters
        ----------
        word : int
            The word's position, from 0.
        """
        below = [word]
        for item in below:  # grows while it is read
            below.extend(self._children[item])
        return frozenset(below)

    def to_string(self, notation: str = "conllu") -> str:
        r"""Return the sentence as lines, without an empty line after them.

        Parameters
        ----------
        notation : {"conllu", "conllx"}
            CoNLL-X has no multiword tokens and no empty nodes.

        Raises
        ------
        ParameterError
            If the notation is unknown or cannot hold the sentence.
        """
        if notation not in COLUMNS:
            raise ParameterError.unknown("notation", notation, COLUMNS)
        if notation == "conllx" and (self.multiwords or self.empty_nodes):
            raise ParameterError("CoNLL-X holds neither multiword tokens nor empty nodes; CoNLL-U does")
        multiwords = {token.span.start: token for token in self.multiwords}
        empty: dict[int, list[EmptyNode]] = {}
        for node in self.empty_nodes:
            empty.setdefault(node.after, []).append(node)
        lines = list(self.comments)
        for word in range(len(self) + 1):
            for node in empty.get(word, ()):
                lines.append("\t".join((f"{word}.{node.index}", *node.columns)))
            if token := multiwords.get(word):
                lines.append("\t".join((f"{word + 1}-{token.span.end}", token.form, *token.columns)))
            if word < len(self):
                columns = (self.forms, self.lemmas, self.tags, self.xtags, self.feats)
                before = [column[word] for column in columns]
                after = (head_column(self.heads[word]), self.relations[word], self.deps[word], self.misc[word])
                lines.append("\t".join((str(word + 1), *before, *after)))
        for line in lines:
            if "\n" in line or not (line.startswith("#") or line.count("\t") == 9):
                raise ParameterError(f"a column cannot hold a tab or the end of a line: {excerpt(line)!r}")
        return "\n".join(lines)

    @classmethod
    def from_string(cls, text: str, notation: str = "conllu") -> DependencyTree:
        r"""Read one sentence from its lines.

        Parameters
        ----------
        text : str
            Ten columns a line with tabs between them, in CoNLL-U after comments.
        notation : {"conllu", "conllx"}
            How it is written.

        Returns
        -------
        DependencyTree
            The sentence.

        Raises
        ------
        InputError
            If the text is not a sentence; the problem has the line.

        Examples
        --------
        >>> DependencyTree.from_string("1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_").tags
        ('VERB',)
        """
        if notation not in COLUMNS:
            raise InputError(Problem("notation", "<text>", None, None, notation, " or ".join(COLUMNS)))
        lines = [line.rstrip("\r") for line in text.split("\n")]
        filled = [number for number, line in enumerate(lines) if line.strip(_BLANKS)]
        first = filled[0] if filled else 0
        for before, number in pairwise(filled):
            if number != before + 1:
                raise InputError(Problem("blank", "<text>", before + 2, None, "an empty line", "one sentence"))
        rows = parse_rows(lines[first : first + len(filled)], notation)
        for fault in rows.faults:
            if fault.fatal:
                line_number = first + fault.line + 1
                raise InputError(Problem(fault.kind, "<text>", line_number, None, fault.found, fault.expected))
        if not rows.words:
            raise InputError(Problem("empty", "<text>", 1, None, "no words", "a sentence"))
        return cls.from_rows(rows)

    @classmethod
    def from_rows(cls, rows: Rows) -> DependencyTree:
        """Build the tree of rows that have been read.

        Parameters
        ----------
        rows : Rows
            Rows without a fault that makes them unusable.

        Returns
        -------
        DependencyTree
            The sentence.
        """
        _, forms, lemmas, tags, xtags, feats, _, relations, deps, misc = zip(*rows.words, strict=True)
        multiwords = tuple(MultiwordToken(Span(first, end), row[1], tuple(row[2:])) for first, end, row in rows.ranges)
        nodes = tuple(EmptyNode(after, index, tuple(columns[1:])) for after, index, columns in rows.empty)
        more = tuple(rows.comments), multiwords, nodes
        return cls(forms, tuple(rows.heads), relations, lemmas, tags, xtags, feats, deps, misc, *more)


def lost_words(data: bytes, start: int, end: int) -> DependencyTree:
    """Return the words and tokens in the rows of a sentence that cannot be used, without heads."""
    forms: list[str] = []
    tokens: list[MultiwordToken] = []
    covered = 0
    for first, last, encoded in _ROW.findall(data, start, end):
        form = encoded.decode("utf-8", "backslashreplace")
        if not last:
            forms.append(form)
        elif covered < int(first[:9]) == len(forms) + 1 <= int(last[:9]):  # others are left out when they are read, too
            covered = int(last[:9])
            tokens.append(MultiwordToken(Span(len(forms), covered), form))
    inside = tuple(token for token in tokens if token.span.end <= len(forms))
    return DependencyTree(tuple(forms), (-1,) * len(forms), (_NOTHING,) * len(forms), multiwords=inside)


def head_column(head: int) -> str:
    """Return a head as the column HEAD has it.

    Examples
    --------
    >>> head_column(3), head_column(-1), head_column(-2)
    ('4', '0', '_')
    """
    return _NOTHING if head == NO_HEAD else str(head + 1)


def without_subtype(relation: str) -> str:
    """Return a relation without what follows its first colon.

    Examples
    --------
    >>> without_subtype("nsubj:pass"), without_subtype("obl"), without_subtype(":")
    ('nsubj', 'obl', ':')
    """
    return relation.partition(":")[0] or relation
