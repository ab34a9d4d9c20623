"""Smatch beside the program of that name, on generated AMRs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks import engine, peers
from benchmarks.generate import Draw, lengths
from benchmarks.report import Row, peer_row, rate, ratio_row
from benchmarks.timing import measure

if TYPE_CHECKING:
    from collections.abc import Iterator

PAIRS = 500
#: Nodes for every word, how often a node is mentioned again, has a constant, or is a predicate with a sense.
PER_WORD, REENTRANT, CONSTANT, PREDICATE = 0.8, 0.12, 0.15, 0.5
#: How often a parser gets a concept, a role or a constant wrong, and attaches a node to another one.
WRONG_CONCEPT, WRONG_ROLE, WRONG_CONSTANT, MOVED = 0.12, 0.1, 0.1, 0.08
_ROLES = ("ARG0", "ARG1", "ARG1", "ARG2", "mod", "op1", "op2", "time", "location", "ARG0-of", "ARG1-of", "poss")
_CONSTANTS = (("polarity", "-"), ("quant", "2"), ("mode", "imperative"), ("op1", '"Name"'), ("value", "7"))

Node = tuple[str, int, str, list[tuple[str, str]], list[tuple[str, int]]]
"""Concept, parent, role under it, constants, and further nodes with their roles."""


def _concept(draw: Draw) -> str:
    word = f"w{int(1 / (0.002 + draw.number()))}"
    return f"{word}-0{1 + int(2 * draw.number())}" if draw.chance(PREDICATE) else word


def _graph(n: int, draw: Draw) -> list[Node]:
    nodes: list[Node] = []
    for index in range(n):
        parent = max(0, index - 1 - int(4 * draw.number()))
        constants = [draw.choice(_CONSTANTS)] if draw.chance(CONSTANT) else []
        mentions = [(draw.choice(_ROLES), int(draw.number() * n))] if draw.chance(REENTRANT) else []
        nodes.append((_concept(draw), parent, draw.choice(_ROLES), constants, mentions))
    return nodes


def _answer(gold: list[Node], draw: Draw) -> list[Node]:
    """Return a graph with a parser's mistakes in it."""
    return [
        (
            _concept(draw) if draw.chance(WRONG_CONCEPT) else concept,
            int(draw.number() * index) if index and draw.chance(MOVED) else parent,
            draw.choice(_ROLES) if draw.chance(WRONG_ROLE) else role,
            [draw.choice(_CONSTANTS) if draw.chance(WRONG_CONSTANT) else constant for constant in constants],
            mentions,
        )
        for index, (concept, parent, role, constants, mentions) in enumerate(gold)
    ]


def _written(nodes: list[Node]) -> str:
    def text(index: int) -> str:
        concept, _, _, constants, mentions = nodes[index]
        parts = [f":{role} {value}" for role, value in constants]
        parts += [f":{role} n{target}" for role, target in mentions]
        parts += [f":{nodes[child][2]} {text(child)}" for child in children[index]]
        return f"({' '.join([f'n{index} / {concept}', *parts])})"

    children: list[list[int]] = [[] for _ in nodes]
    for index, node in enumerate(nodes[1:], start=1):
        children[node[1]].append(index)
    return text(0)


def texts(n: int, seed: int) -> list[tuple[str, str]]:
    """Return `n` gold graphs in PENMAN notation, each with a parser's answer."""
    draw = Draw(seed, 5)
    golds = [_graph(max(2, round(PER_WORD * length)), draw) for length in lengths(n, seed)]
    return [(_written(gold), _written(_answer(gold, draw))) for gold in golds]


def smatch_rows(n: int, seed: int, repeats: int) -> Iterator[Row]:
    """Measure Smatch of pairs of AMRs, with all its parts, and the program's hill climbing."""
    pairs = texts(n, seed)
    sides = engine.amrs(pairs)
    time = measure(lambda: engine.smatch_matched(sides), repeats)
    matched, n_unproven = engine.smatch_matched(sides)
    proven = "all proven" if not n_unproven else f"{n_unproven} not proven"
    yield Row("Smatch, from graphs", f"{n:,} pairs, {proven}", time, rate(n, time), "≤ 20 s", time.wall <= 20)
    parts = measure(lambda: engine.smatch_parts(sides), 1)
    yield Row("  with fine-grained figures", f"{n:,} pairs", parts, rate(n, parts), "≤ 20 s", parts.wall <= 20)

    def peer() -> Row:
        theirs, peer_time = peers.smatch_matched(pairs)
        n_less = sum(found < best for found, best in zip(theirs, matched, strict=True))
        return ratio_row("  smatch 1.0.4", f"{n:,} pairs, less in {n_less} of them", peer_time, time, None)

    yield peer_row("  smatch 1.0.4", peer)
