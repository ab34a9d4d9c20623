"""Pairing a parser's sentences with gold sentences by their ids, and the problems with ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.sentence_ids import SentenceIds
from evaltools.errors import Problem

_MAX_LISTED = 1000
_ONCE = "an id that no other sentence of the file has"


def pair_ids(gold: Iterable[str | None], test: Sequence[str | None]) -> NDArray[np.int64]:
    """Return for each gold sentence the index of the parser's sentence with the same id.

    Examples
    --------
    >>> pair_ids(["a", "b", "c", "b"], ["b", "a", "b", "b"]).tolist()
    [1, 0, -1, 2]
    """
    # Where several sentences have the same id, the first one of the gold file is paired with the first one of the
    # parser's, the second with the second, and so on.
    first: dict[str, int] = {}
    following = np.full(len(test), -1, dtype=np.int64)
    for index in range(len(test) - 1, -1, -1):
        name = test[index]
        if name is not None:
            following[index] = first.get(name, -1)
            first[name] = index
    partner = []
    for name in gold:
        index = -1 if name is None else first.get(name, -1)
        if index >= 0 and name is not None:
            first[name] = int(following[index])
        partner.append(index)
    return np.array(partner, dtype=np.int64)


def gold_id_problems(ids: SentenceIds, name: str) -> list[Problem]:
    """List the repeated ids of a gold file, and that some sentences have none."""
    return [*_incomplete(ids, name, None), *repeated_ids(ids, name, None)]


def problems_by_position(
    gold: SentenceIds, test: SentenceIds, gold_name: str, name: str, parser: str | None
) -> list[Problem]:
    """List the problems with a parser's ids where sentences are paired by position."""
    if not (gold.any and test.any):
        return []
    both = enumerate(zip(gold, test, strict=False))
    different = [(index, a, b) for index, (a, b) in both if a is not None and b is not None and a != b]
    problems = _incomplete(test, name, parser)
    if different:
        index, gold_id, test_id = different[0]
        more = f"; {len(different):,} sentences have another id than the gold sentence" if len(different) > 1 else ""
        found = f"{test.name} {test_id!r}{more}; sentences are paired by position"
        expected = f"{gold.name} {gold_id!r}, as sentence {index + 1:,} of {gold_name}"
        problems.append(Problem("other_ids", name, int(test.lines[index]), None, found, expected, index + 1, parser))
    return problems + repeated_ids(test, name, parser)


def problems_by_id(
    gold: SentenceIds, test: SentenceIds, partner: NDArray[np.int64], gold_name: str, name: str, parser: str | None
) -> list[Problem]:
    """List the parser's sentences that are not scored, and the gold sentences that it lacks."""
    is_surplus = np.ones(len(test), dtype=bool)
    is_surplus[partner[partner >= 0]] = False
    repeated = repeated_ids(test, name, parser, is_surplus)
    is_surplus[[item.sentence for item in test.repeated()]] = False  # listed already
    indices = np.flatnonzero(is_surplus)[:_MAX_LISTED].tolist()
    lines, expected = test.lines, f"a sentence of {gold_name}"
    problems = [
        Problem(
            "surplus",
            name,
            int(lines[index]),
            None,
            f"{test.name} {id_!r}, which is not scored",
            expected,
            None,
            parser,
        )
        for index, id_ in zip(indices, test.chosen(indices), strict=True)
    ]
    if (left := int(np.count_nonzero(is_surplus)) - len(indices)) > 0:
        problems.append(
            Problem("surplus", name, None, None, f"{left:,} more sentences that are not scored", expected, None, parser)
        )
    missing = np.flatnonzero(partner < 0)
    indices = missing[:_MAX_LISTED].tolist()
    lines = gold.lines
    for index, id_ in zip(indices, gold.chosen(indices), strict=True):
        found = f"no sentence with {gold.name} {id_!r}; it counts as missing"
        expected = f"one, as sentence {index + 1:,} (line {lines[index]}) of {gold_name}"
        problems.append(Problem("too_few", name, None, None, found, expected, index + 1, parser))
    if (left := len(missing) - len(indices)) > 0:
        found = f"{left:,} more absent sentences; they count as missing"
        problems.append(Problem("too_few", name, None, None, found, f"the sentences of {gold_name}", None, parser))
    return repeated + problems


def _incomplete(ids: SentenceIds, name: str, parser: str | None) -> list[Problem]:
    """List that some sentences of a file have an id and others have none."""
    if not ids.any or ids.first_without is None:
        return []
    many = f"; {ids.n_without:,} of {len(ids):,} sentences have none" if ids.n_without > 1 else ""
    found = f"no {ids.name}{many}: sentences are paired by position"
    expected = f"a {ids.name}, as other sentences of the file have"
    line = int(ids.lines[ids.first_without])
    return [
        Problem("no_id", name, line, None, found, expected, ids.first_without + 1 if parser is None else None, parser)
    ]


def repeated_ids(
    ids: SentenceIds, name: str, parser: str | None = None, is_surplus: NDArray[np.bool_] | None = None
) -> list[Problem]:
    """List the sentences whose id a sentence before them has."""
    repeated, lines = ids.repeated(), ids.lines
    problems = []
    for item in repeated[:_MAX_LISTED]:
        found = f"{ids.name} {item.id!r} again, first in line {lines[item.first]}"
        if is_surplus is not None and is_surplus[item.sentence]:
            found += "; not scored"
        problems.append(Problem("repeated_id", name, int(lines[item.sentence]), None, found, _ONCE, None, parser))
    if (left := len(repeated) - len(problems)) > 0:
        found = f"{left:,} more sentences with a repeated id"
        problems.append(Problem("repeated_id", name, None, None, found, _ONCE, None, parser))
    return problems
