"""The Cocke-Kasami-Younger algorithm over arrays: the best tree of a PCFG for a sentence."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .pcfg import Pcfg, without_marks
from .trees import Node

NEVER = -(2**29)  # two of them and a rule still fit into 32 bits
HOPELESS = NEVER // 2

Scores = NDArray[np.int32]
Indices = NDArray[np.intp]


class Parser:
    """A chart parser for one grammar.

    Parameters
    ----------
    grammar
        The grammar; chains of unary rules are closed beforehand.
    """

    def __init__(self, grammar: Pcfg) -> None:
        self.grammar = grammar
        symbols = {symbol for rule in (*grammar.binary, *grammar.unary) for symbol in rule}
        symbols |= {tag for tags in (*grammar.words.values(), *grammar.shapes.values()) for tag in tags}
        self.symbols = sorted(symbols)
        self.number = {symbol: number for number, symbol in enumerate(self.symbols)}
        binary = sorted(grammar.binary.items())
        self.parent, self.left, self.right = (
            np.array([self.number[rule[k]] for rule, _ in binary], np.intp) for k in range(3)
        )
        self.score = np.array([score for _, score in binary], np.int32)
        self.starts, self.heads = self._groups(self.parent)
        chains = self._chains()
        self.upper, self.lower = (np.array([pair[k] for pair, _, _ in chains], np.intp) for k in range(2))
        self.chain_score = np.array([score for _, score, _ in chains], np.int32)
        self.below = {pair: path for pair, _, path in chains}
        self.chain_starts, self.chain_heads = self._groups(self.upper)

    @staticmethod
    def _groups(sorted_parents: Indices) -> tuple[Indices, Indices]:
        """Return where each group of equal parents starts, and the parents."""
        heads, starts = np.unique(sorted_parents, return_index=True)
        return starts, heads

    def _chains(self) -> list[tuple[tuple[int, int], int, list[int]]]:
        """Return the best chain of unary rules between any two symbols, with the symbols between them."""
        best: dict[tuple[int, int], tuple[int, list[int]]] = {}
        rules = sorted(((self.number[a], self.number[b]), score) for (a, b), score in self.grammar.unary.items())
        for pair, score in rules:
            best[pair] = (score, [])
        changed = True
        while changed:
            changed = False
            for (upper, middle), (score, path) in sorted(best.items()):
                for (start, lower), step in rules:
                    better = score + step
                    if start == middle and lower != upper and better > best.get((upper, lower), (NEVER, []))[0]:
                        best[upper, lower] = (better, [*path, middle])
                        changed = True
        return [(pair, score, path) for pair, (score, path) in sorted(best.items())]

    def parse(self, words: list[str]) -> Node | None:
        """Return the best tree, or None if the grammar has none."""
        size = len(words)
        base: Scores = np.full((size, size + 1, len(self.symbols)), NEVER, np.int32)
        full = base.copy()
        for start in range(size):
            for tag, score in self.grammar.emissions(words, start).items():
                base[start, start + 1, self.number[tag]] = score
            full[start, start + 1] = self._close(base[start, start + 1])
        for width in range(2, size + 1):
            for start in range(size - width + 1):
                end = start + width
                best = self._combinations(full, start, end).max(axis=0) + self.score
                cell = base[start, end]
                cell[self.heads] = np.maximum.reduceat(best, self.starts)
                cell[cell < HOPELESS] = NEVER
                full[start, end] = self._close(cell)
        top = self.number[self.grammar.root]
        if full[0, size, top] <= HOPELESS:
            return None
        return without_marks(self._trace(base, full, words, 0, size, top))

    def _combinations(self, full: Scores, start: int, end: int) -> Scores:
        """Return left score plus right score, one row a split, one column a rule."""
        left = full[start, start + 1 : end].take(self.left, axis=1)
        right = full[start + 1 : end, end].take(self.right, axis=1)
        return np.asarray(left + right, np.int32)

    def _close(self, cell: Scores) -> Scores:
        """Return the cell with chains of unary rules on top."""
        closed = cell.copy()
        best = np.maximum.reduceat(cell[self.lower] + self.chain_score, self.chain_starts)
        closed[self.chain_heads] = np.maximum(closed[self.chain_heads], best)
        closed[closed < HOPELESS] = NEVER
        return closed

    def _trace(self, base: Scores, full: Scores, words: list[str], start: int, end: int, symbol: int) -> Node:
        """Rebuild the tree below a symbol over a span."""
        value = full[start, end, symbol]
        if value != base[start, end, symbol]:
            for pair in np.flatnonzero(
                (self.upper == symbol) & (base[start, end][self.lower] + self.chain_score == value)
            ):
                lower = int(self.lower[pair])
                node = self._trace_base(base, full, words, start, end, lower)
                for between in reversed(self.below[symbol, lower]):
                    node = Node(self.symbols[between], (node,))
                return Node(self.symbols[symbol], (node,))
        return self._trace_base(base, full, words, start, end, symbol)

    def _trace_base(self, base: Scores, full: Scores, words: list[str], start: int, end: int, symbol: int) -> Node:
        if end == start + 1:
            return Node(self.symbols[symbol], word=words[start])
        scores = self._combinations(full, start, end) + self.score
        splits, rules = np.nonzero((scores == base[start, end, symbol]) & (self.parent == symbol))
        rule, middle = int(rules[0]), start + 1 + int(splits[0])
        left = self._trace(base, full, words, start, middle, int(self.left[rule]))
        right = self._trace(base, full, words, middle, end, int(self.right[rule]))
        return Node(self.symbols[symbol], (left, right))
