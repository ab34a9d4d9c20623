"""A typed tree, read by the readers of files, with the position of every problem."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import streamlit as st

from evaltools.corpus import Kind, Tree, Treebank
from evaltools.corpus.bracket_text import written_notation
from evaltools.errors import EvaltoolsError, Problem
from evaltools.formats import Source, read_treebank
from evaltools.formats.brackets import SPREAD

__all__ = ["Typed", "phrases_read_as_tags", "read_typed"]

_MAX_NODES = 400
_PHRASES = frozenset(
    "ADJP ADVP CONJP FRAG NAC NP NX PP PRN PRT QP RRC S SBAR SBARQ SINV SQ UCP VP WHADJP WHNP WHPP".split()
)
"""Labels of phrases in the Penn Treebank that are no tags in other schemes."""

_LONE_CR = re.compile(r"\r(?!\n)")


@dataclass(frozen=True, slots=True)
class Typed:
    """A typed text and its tree."""

    text: str
    notation: str  # The notation, recognized by the first bracket
    tree: Tree | None  # The tree; None if there is none
    problems: tuple[Problem, ...]  # Columns count characters


@st.cache_resource(max_entries=256, show_spinner=False)
def read_typed(text: str, name: str) -> Typed:
    """Read one tree."""
    notation = written_notation(text)
    if not text.strip():
        example = "[S dogs bark ]" if notation == "sampson" else "(S (NP (N dogs)) (VP (V bark)))"
        return Typed(text, notation, None, (Problem("empty", name, None, None, "nothing", f"a tree: {example}"),))
    try:
        # a text field shows a lone CR as white space, but a file's reader would begin a line there; the length stays
        source = Source.from_bytes(_LONE_CR.sub(" ", text).encode("utf-8", "replace"), name)
        treebank = read_treebank(replace(source, layout=SPREAD), notation)
        assert isinstance(treebank, Treebank)
    except EvaltoolsError as error:
        return Typed(text, notation, None, (Problem("text", name, None, None, str(error), "a tree"),))
    problems = [_in_characters(problem, text) for problem in treebank.problems]
    filled = [number for number in range(len(treebank)) if treebank.n_words[number]]
    if len(filled) > 1 and not problems:
        start = int(treebank.text_start[filled[1]])
        before = text.encode("utf-8", "replace")[:start].decode("utf-8", "replace")
        index = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        problems.append(Problem("text", name, *index, "a second tree", "one tree"))
    is_complete = len(filled) == 1 and not any(
        problem.kind in ("unbalanced", "text", "too_deep") for problem in problems
    )
    tree = treebank.tree(filled[0]) if is_complete else None
    if tree is None and not problems:
        problems.append(Problem("empty", name, 1, 1, "a tree without words", "at least one word"))
    if tree is not None and len(tree) > _MAX_NODES:
        problems.append(Problem("size", name, None, None, f"{len(tree)} nodes", f"at most {_MAX_NODES}"))
        tree = None
    return Typed(text, notation, tree, tuple(problems))


def phrases_read_as_tags(*trees: Tree) -> str:
    """Return which tags are labels of phrases, and how such a phrase is written; empty if there are none.

    Examples
    --------
    >>> phrases_read_as_tags(Tree.from_string("(S (NP she) (VP (V left)))")).partition(";")[0]
    'NP is read as the tag of “she”, as in round brackets every bracket around one word'
    >>> phrases_read_as_tags(Tree.from_string("(S (NP (PRP she)) (VP (V left)))"))
    ''
    """
    nodes = [(tree, node) for tree in trees for node in range(len(tree))]
    phrases = _PHRASES | {tree.labels[node] for tree, node in nodes if tree.kinds[node] is Kind.PHRASE}
    for tree, node in nodes:
        label = tree.labels[node]
        if tree.kinds[node] is Kind.PRETERMINAL and label in phrases:
            word = tree.words_below(node)[0]
            return (
                f"{label} is read as the tag of “{word}”, as in round brackets every bracket around one word; "
                f"a phrase is written ({label} (X {word})) with any tag, or [{label} {word} ] in square brackets."
            )
    return ""


def _in_characters(problem: Problem, text: str) -> Problem:
    """Count the column in characters and not in bytes."""
    lines = text.encode("utf-8", "replace").split(b"\n")
    if problem.line is None or problem.column is None or problem.line > len(lines):
        return problem
    before = lines[problem.line - 1][: problem.column - 1].decode("utf-8", "replace")
    return replace(problem, column=len(before) + 1, sentence=None)
