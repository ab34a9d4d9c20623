"""Generated semantic graphs of realistic shape, and a parser's answers, the same for the same seed.

For every word there are 1.7 predications, a third of them quantifiers; the others have seven or eight properties for
every two of them, one in six a constant, and a role or two. That is how large the graphs of a broad grammar are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from benchmarks.generate import Draw, lengths

PER_WORD = 1.73
QUANTIFIERS, CONSTANTS = 0.34, 0.18
#: How often a parser gets a predicate, a property, a role's target wrong, or loses a role.
PREDICATE, PROPERTY, TARGET, LOST = 0.05, 0.02, 0.07, 0.03
_EVENT = {
    "SF": ("prop", "prop", "ques"),
    "TENSE": ("past", "pres", "untensed"),
    "MOOD": ("indicative",),
    "PROG": ("-", "-", "+"),
    "PERF": ("-", "-", "+"),
}
_THING = {"PERS": ("3", "3", "1"), "NUM": ("sg", "sg", "pl"), "IND": ("+",)}


@dataclass(frozen=True, slots=True)
class Predication:
    """A node: predicate, span, properties, constant, whether it is a quantifier, and roles to other nodes."""

    predicate: str
    start: int
    end: int
    properties: tuple[tuple[str, str], ...]
    constant: str | None
    quantifier: bool
    roles: tuple[tuple[str, int], ...]


Graph = list[Predication]


def graph(words: int, draw: Draw) -> Graph:
    """Return a graph over a number of words; its first node is the top."""
    n = max(2, round(words * PER_WORD))
    made = []
    for _ in range(n):
        start = 6 * int(draw.number() * words)
        quantifier = draw.chance(QUANTIFIERS)
        about = {} if quantifier else _EVENT if draw.chance(0.4) else _THING
        roles = {"BV"} if quantifier else {f"ARG{1 + int(draw.number() * 3)}" for _ in range(int(draw.number() * 3))}
        made.append(
            Predication(
                f"_w{int(1 / (0.001 + draw.number()))}_{'q' if quantifier else 'n'}",
                start,
                start + 5,
                tuple((name, draw.choice(values)) for name, values in about.items()),
                f"Name{int(10 * draw.number())}" if draw.chance(CONSTANTS) else None,
                quantifier,
                tuple((role, int(draw.number() * n)) for role in sorted(roles)),
            )
        )
    return made


def perturb(gold: Graph, draw: Draw) -> Graph:
    """Return a graph with a parser's mistakes in it; the spans stay."""
    return [
        replace(
            node,
            predicate=f"{node.predicate}_x" if draw.chance(PREDICATE) else node.predicate,
            properties=tuple(
                (name, f"not {value}" if draw.chance(PROPERTY) else value) for name, value in node.properties
            ),
            roles=tuple(
                (role, int(draw.number() * len(gold)) if draw.chance(TARGET) else target)
                for role, target in node.roles
                if not draw.chance(LOST)
            ),
        )
        for node in gold
    ]


def pairs(n: int, seed: int) -> list[tuple[Graph, Graph]]:
    """Return `n` gold graphs, each with a parser's answer."""
    draw = Draw(seed, 2)
    golds = [graph(length, draw) for length in lengths(n, seed)]
    return [(gold, perturb(gold, draw)) for gold in golds]
