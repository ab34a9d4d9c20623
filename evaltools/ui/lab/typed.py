"""A tree as it was typed: read by the readers of files, with the place of every mistake."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import streamlit as st

from evaltools.errors import EvaltoolsError, Problem
from evaltools.formats import Source, read_treebank
from evaltools.formats.brackets import SPREAD
from evaltools.treebank import Kind, Tree, Treebank

__all__ = ["Typed", "notation_of", "read_typed", "tree_text"]

_MOST_NODES = 400
_LONE_CR = re.compile(r"\r(?!\n)")


@dataclass(frozen=True, slots=True)
class Typed:
    """What came of a text.

    Parameters
    ----------
    text : str
        The text.
    notation : {"ptb", "sampson"}
        How it is written: its first bracket tells.
    tree : Tree or None
        The tree; None if there is none.
    problems : tuple of Problem
        What is wrong; columns count characters.
    """

    text: str
    notation: str
    tree: Tree | None
    problems: tuple[Problem, ...]


def notation_of(text: str) -> str:
    """Return how a tree is written.

    Examples
    --------
    >>> notation_of(" [S dogs bark ]"), notation_of("(S (N dogs))")
    ('sampson', 'ptb')
    """
    return "sampson" if text.lstrip().startswith("[") else "ptb"


@st.cache_resource(max_entries=256, show_spinner=False)
def read_typed(text: str, name: str) -> Typed:
    """Read one tree.

    Parameters
    ----------
    text : str
        What was typed.
    name : str
        What it is called in problems.
    """
    notation = notation_of(text)
    if not text.strip():
        example = "[S dogs bark ]" if notation == "sampson" else "(S (NP (N dogs)) (VP (V bark)))"
        return Typed(text, notation, None, (Problem("empty", name, None, None, "nothing", f"a tree: {example}"),))
    try:
        # a field shows a lone CR as white space, a file's reader would begin a line there: byte for byte as long
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
        place = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        problems.append(Problem("text", name, *place, "a second tree", "one tree"))
    whole = len(filled) == 1 and not any(one.kind in ("unbalanced", "text", "too_deep") for one in problems)
    tree = treebank.tree(filled[0]) if whole else None
    if tree is None and not problems:
        problems.append(Problem("empty", name, 1, 1, "a tree without words", "at least one word"))
    if tree is not None and len(tree) > _MOST_NODES:
        problems.append(Problem("size", name, None, None, f"{len(tree)} nodes", f"at most {_MOST_NODES}"))
        tree = None
    return Typed(text, notation, tree, tuple(problems))


def _in_characters(problem: Problem, text: str) -> Problem:
    """Count the column in characters and not in bytes."""
    lines = text.encode("utf-8", "replace").split(b"\n")
    if problem.line is None or problem.column is None or problem.line > len(lines):
        return problem
    before = lines[problem.line - 1][: problem.column - 1].decode("utf-8", "replace")
    return replace(problem, column=len(before) + 1, sentence=None)


def tree_text(tree: Tree) -> str:
    """Write a tree as it can be typed: in square brackets where no word has a tag."""
    return tree.to_string("ptb" if Kind.PRETERMINAL in tree.kinds else "sampson")
