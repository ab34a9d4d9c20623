"""Trees in memory that become text in brackets: trees of evaltools, trees of nltk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from evaltools.corpus import Kind, Tree
from evaltools.corpus.bracket_text import NOTATIONS
from evaltools.formats import export, ptb, sampson
from evaltools.formats.brackets import LINES, write_bracketed
from evaltools.formats.discbracket import NAME as DISCBRACKET
from evaltools.formats.objects.kind import ObjectKind, from_each, has_members, text_source
from evaltools.formats.reading.source import Source

__all__ = ["NLTK_TREES", "TREES"]

_MISSING = "(())"
_ESCAPE = NOTATIONS[ptb.NAME].escape


def _trees(items: Sequence[Any], name: str) -> Source:
    """Write trees in the simplest format that holds all of them."""
    trees = [tree for tree in items if tree is not None]
    if any(tree.functions is not None for tree in trees):
        # places in a list pair sentences, not the ids of the files they are from
        unnamed = [tree if tree is None else replace(tree, sent_id=None) for tree in items]
        return text_source(export.write(unnamed), name, export.NAME)
    if not all(tree.is_continuous for tree in trees):
        text = write_bracketed(items, notation=DISCBRACKET, missing=_MISSING)
        return text_source(text, name, DISCBRACKET, layout=LINES)
    is_tagged = not trees or any(Kind.PRETERMINAL in tree.kinds for tree in trees)
    module = ptb if is_tagged else sampson
    return text_source(module.write(items), name, module.NAME, layout=LINES)


def _nltk_trees(items: Sequence[Any], name: str) -> Source:
    lines = from_each(items, _nltk_brackets, name)
    return text_source("".join(f"{line or _MISSING}\n" for line in lines), name, ptb.NAME, layout=LINES)


def _nltk_brackets(tree: Any) -> str:
    """Write a tree of nltk in brackets, without recursion."""
    parts: list[str] = []
    waiting: list[Any] = [tree]
    while waiting:
        node = waiting.pop()
        if node is None:
            parts.append(")")
        elif isinstance(node, str):
            parts.append(_escaped(node))
        elif not hasattr(node, "label"):
            raise TypeError(f"a leaf of type {type(node).__name__}, not str")
        else:
            parts.append(f"({_escaped(str(node.label() or ''))}")
            waiting.append(None)
            waiting += node[::-1]
    return " ".join(parts)


@lru_cache(maxsize=1 << 16)
def _escaped(text: str) -> str:
    return text.translate(_ESCAPE)


def _is_nltk_tree(item: object) -> bool:
    return isinstance(item, list) and has_members(item, "label", "leaves", "productions")


TREES = ObjectKind("evaltools.Tree", lambda item: isinstance(item, Tree), _trees)
NLTK_TREES = ObjectKind("nltk.Tree", _is_nltk_tree, _nltk_trees)
