"""Trees as nested lists in JSON, one a line: ``["S", ["NP", "dogs"], ["VP", "bark"]]``; ``null`` is a missing one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from evaltools.corpus import Tree, Treebank, Vocabulary
from evaltools.errors import Problem
from evaltools.formats.format import Format, treebank_of
from evaltools.formats.source import Source


def _cut(data: bytes, layout: str, max_sentences: int, *, last: bool) -> tuple[int, int]:
    lines = data.splitlines(keepends=True)
    lines = lines if last else [line for line in lines if line.endswith(b"\n")]
    return len(lines[:max_sentences]), sum(map(len, lines[:max_sentences]))


def _read(source: Source, vocabulary: Vocabulary) -> Treebank:
    lines = source.data.splitlines(keepends=True)
    trees, problems = [], []
    for number, line in enumerate(lines):
        try:
            nested = json.loads(line or "null")
        except ValueError as error:
            problems.append(Problem("json", source.name, source.first_line + number, 1, str(error), "a list"))
            nested = None
        trees.append(Tree.from_string(_brackets(nested) if nested else ""))
    ends = np.cumsum([len(line) for line in lines], dtype=np.int64)
    starts = ends - [len(line) for line in lines]
    return treebank_of(source, "jsontrees", trees, np.arange(len(lines)), starts, ends, problems, vocabulary)


def _brackets(nested: Any) -> str:
    return nested if isinstance(nested, str) else f"({' '.join(map(_brackets, nested))})"


def _nested(tree: Tree, node: int) -> Any:
    children = tree.children(node)
    return [tree.labels[node], *(_nested(tree, child) for child in children)] if children else tree.labels[node]


def _write(trees: Iterable[Tree | None]) -> str:
    return "".join(f"{json.dumps(_nested(tree, tree.roots[0]) if tree else None)}\n" for tree in trees)


JSONTREES = Format(
    name="jsontrees",
    title="trees in JSON",
    holds=Treebank,
    looks_like=lambda data: data.startswith(b'["'),
    layout=lambda _: "lines",
    cut=_cut,
    read=_read,
    write=_write,
)
