"""Inputs of semantic graphs: detected by their first bytes, read as a whole, and checked before they are scored."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Literal

import numpy as np

from evaltools.corpus.semantic_graph import SemanticGraph
from evaltools.corpus.sentence_ids import SentenceIds
from evaltools.errors import InputError, Problem
from evaltools.formats import FORMATS, SemanticBank, SemanticItem, Source, detected_format, opened, read_semantics
from evaltools.formats.source import ByteStream, is_folder, open_bytes
from evaltools.frameworks.framework import Content, Framework
from evaltools.frameworks.pairing.id_pairing import pair_ids, problems_by_id
from evaltools.frameworks.semantics.edm_rules import EdmRules
from evaltools.text import excerpt, printable

# ------------------------------------------------------------------------------------------------------ pairs of items

_COMPARABLE = {"eds", "dmrs"}
"""Frameworks that can be compared with each other, because both are converted from MRS."""


@dataclass(frozen=True, slots=True)
class PairedItems:
    """A parser's items in the order of the gold items."""

    items: tuple[SemanticItem | None, ...]  # One for each gold item; None if the parser has none
    by: str  # ``id`` or ``position``
    problems: tuple[Problem, ...]  # Of the parser's file and of the pairing, with the sentence numbers of the gold file

    @property
    def max_results(self) -> int:
        """The largest number of results of an item."""
        return max((len(item.results) for item in self.items if item is not None), default=0)


def first_graph(item: SemanticItem | None) -> SemanticGraph | None:
    """Return the first result of an item; None if there is none."""
    return None if item is None else item.graph


def gold_graph(item: SemanticItem, rules: EdmRules) -> SemanticGraph | None:
    """Return the gold graph of an item; None if there is none, or if it has no nodes and the rules leave it out."""
    if item.is_empty and rules.count_empty_gold:
        return SemanticGraph((), text=item.text)
    return first_graph(item)


def framework_problem(gold: SemanticBank, test: SemanticBank, parser: str | None) -> Problem | None:
    """Return a problem if two files have graphs of frameworks that cannot be compared, such as EDS and DM."""
    frameworks = {bank.framework.lower() for bank in (gold, test)} - {""}
    if len(frameworks) < 2 or frameworks <= _COMPARABLE:
        return None
    found = f"graphs of framework {excerpt(test.framework)!r}"
    expected = f"framework {excerpt(gold.framework)!r}, as in the gold file {gold.name}"
    return Problem("framework", test.name, None, None, found, expected, parser=parser)


def pair_items(gold: SemanticBank, test: SemanticBank, parser: str) -> PairedItems:
    """Pair a parser's items with the gold items: by id if both files have ids, else by position."""
    # If several items have the same id, the first of one file is paired with the first of the other, and so on.
    if gold.has_ids and test.has_ids:
        return _pair_by_id(gold, test, parser)
    n = len(gold.items)
    lead = _surplus_lead(test.items, gold.items) - _surplus_lead(gold.items, test.items)
    aligned = test.items[lead:] if lead >= 0 else (*[None] * -lead, *test.items)
    items = (*aligned[:n], *[None] * (n - len(aligned)))
    problems = [_located(problem, (problem.sentence or 0) - lead, n, parser) for problem in test.problems]
    problems += _length_problems(gold, test, len(aligned), parser)
    problems += _text_problems(gold, items, test.name, parser)
    return PairedItems(items, "position", tuple(problems))


def _surplus_lead(items: Sequence[SemanticItem], others: Sequence[SemanticItem]) -> int:
    """Return the number of lines at the beginning of a file that are text or blank, as far as it has more items."""
    lead = sum(1 for _ in takewhile(lambda item: item.id is None and not item.text and not item.results, items))
    return max(min(lead, len(items) - len(others)), 0)


def _pair_by_id(gold: SemanticBank, test: SemanticBank, parser: str) -> PairedItems:
    # items without an id are paired in their order
    partners = pair_ids([item.id or "" for item in gold.items], [item.id or "" for item in test.items])
    items = tuple(test.items[index] if index >= 0 else None for index in partners.tolist())
    sentence_of = {index + 1: position + 1 for position, index in enumerate(partners.tolist()) if index >= 0}
    n = len(gold.items)
    problems = [_located(problem, sentence_of.get(problem.sentence or 0), n, parser) for problem in test.problems]
    if not sentence_of:
        test_id, gold_id = (next((repr(item.id) for item in bank.items), "none") for bank in (test, gold))
        found, expected = f"ids such as {test_id}, none of which the gold file has", f"ids such as {gold_id}"
        problems.append(Problem("other_ids", test.name, None, None, found, expected, parser=parser))
        return PairedItems(items, "id", tuple(problems))
    listed = problems_by_id(_ids(gold), _ids(test), partners, gold.name, test.name, parser)
    problems += [replace(problem, line=problem.line or None) for problem in listed]
    problems += _text_problems(gold, items, test.name, parser)
    return PairedItems(items, "id", tuple(problems))


def _ids(bank: SemanticBank) -> SentenceIds:
    ids = SentenceIds("item")
    names = [None if item.id is None else printable(item.id) for item in bank.items]
    ids.add(names, np.array([item.line for item in bank.items], dtype=np.int32))
    return ids


def _located(problem: Problem, sentence: int | None, n: int, parser: str) -> Problem:
    """Return a problem of a parser's file with its gold sentence, if there is one."""
    return replace(problem, sentence=sentence if sentence is not None and 1 <= sentence <= n else None, parser=parser)


def _length_problems(gold: SemanticBank, test: SemanticBank, n_test: int, parser: str) -> Iterator[Problem]:
    """Yield that a parser has fewer or more items than the gold file; `n_test`: without text before the first."""
    n_gold = len(gold.items)
    expected = f"{n_gold} items, as in {gold.name}; items with ids in both files are paired by id"
    if n_test < n_gold:
        found, last = f"{n_test} items; the others count as missing", test.items[-1].line if test.items else 0
        yield Problem("too_few", test.name, last or None, None, found, expected, parser=parser)
    elif n_test > n_gold:
        found, first = f"{n_test} items; those from this line on are not scored", test.items[n_gold - n_test].line
        yield Problem("surplus", test.name, first or None, None, found, expected, parser=parser)


def _text_problems(
    gold: SemanticBank, items: tuple[SemanticItem | None, ...], name: str, parser: str
) -> Iterator[Problem]:
    """Yield the items whose sentence differs from the gold sentence, so that their spans count differently."""
    for number, (gold_item, item) in enumerate(zip(gold.items, items, strict=True), start=1):
        if item is not None and item.text and gold_item.text and item.text.split() != gold_item.text.split():
            found = f"the sentence {item.text!r}"
            expected = f"the gold sentence {gold_item.text!r}; spans are compared as they are"
            yield Problem("text_differs", name, item.line or None, None, found, expected, number, parser)


def gold_problems(gold: SemanticBank, tests: Sequence[Sequence[SemanticItem | None]]) -> list[Problem]:
    """List the problems of the gold file, and its items without a graph."""
    problems = list(gold.problems)
    listed = {problem.sentence for problem in problems}
    without_graph = [number for number, item in enumerate(gold.items, start=1) if item.graph is None]
    parsed = {number for number in without_graph if any(first_graph(items[number - 1]) is not None for items in tests)}
    expected = "a gold graph for every item; without one it counts for no parser"
    if n_unparsed := len(without_graph) - len(parsed):
        found = f"{n_unparsed} of {len(gold.items)} items without a graph in any file"
        problems.append(Problem("no_gold", gold.name, None, None, found, expected))
    for number in without_graph:
        if number in parsed and number not in listed:
            item = gold.items[number - 1]
            found = "no graph" if item.id is None else f"no graph of item {item.id}"
            problems.append(Problem("no_gold", gold.name, item.line or None, None, found, expected, number))
    return problems


# -------------------------------------------------------------------------------------------------------------- inputs


def read_bank(
    source: Any, format_name: str | None, parser: str | None = None, *, like: str | None = None
) -> SemanticBank:
    """Read an input of semantic graphs; `like` is the format of the gold file, for a parser's file."""
    source = opened(source)
    if isinstance(source, SemanticBank):
        return source
    results: Literal["first", "all"] = "first" if parser is None else "all"
    if is_folder(source):
        return read_semantics(source, format_name, results=results)
    if isinstance(source, ByteStream):
        source = Source.from_stream(source)
    format_name = format_name or detected_format(source, like)
    if format_name is None or FORMATS[format_name].holds is not SemanticBank:
        names = ", ".join(name for name, item in FORMATS.items() if item.holds is SemanticBank)
        expected = f"semantic graphs, as in the gold file: {names}; --input-format names one of them"
        raise InputError(Problem("kind", source.name, None, None, "no semantic graphs", expected, parser=parser))
    return read_semantics(source, format_name, results=results)


def reread_bank(
    path: str,
    name: str,
    format_name: str | None,
    parser: str | None = None,
    *,
    like: str | None = None,
    encoding: str | None = None,
) -> SemanticBank:
    """Read an input again, under the name that it had."""
    if not os.path.isdir(path):
        return read_bank(open_bytes(path, name, encoding), format_name, parser, like=like)
    bank = read_bank(path, format_name, parser)
    problems = [replace(item, file=name + item.file.removeprefix(bank.name)) for item in bank.problems]
    return replace(bank, name=name, problems=problems)


def bank_entry(bank: SemanticBank) -> dict[str, Any]:
    """Return the entry of an input in ``meta.json``."""
    return {
        "file": bank.name,
        "path": bank.path,
        "format": bank.format,
        "sentences": len(bank.items),
        "sha256": bank.digest,
    }


def content_of(source: Source, framework: Framework, like: str | None = None) -> Content:
    """Read a file of semantic graphs and describe its content."""
    bank = read_semantics(source, detected_format(source, like), results="all")
    n_graphs = sum(item.graph is not None for item in bank.items)
    max_results = max((len(item.results) for item in bank.items), default=0)
    several = f", up to {max_results:,} results each" if max_results > 1 else ""
    ids = "" if bank.has_ids else ", without ids: paired by position"
    title = FORMATS[bank.format].title
    description = f"{title}, {n_graphs:,} graphs in {len(bank.items):,} items{several}{ids}"
    return Content(framework, bank.format, len(bank.items), n_graphs, tuple(bank.problems), description, bank)


def item_problems(gold: Content, outputs: Sequence[Content | None]) -> list[list[Problem]]:
    """List items without a partner or gold graph, or of other sentences: of the gold file, then of each other file."""
    banks = [item.read if item is not None and item.framework is gold.framework else None for item in outputs]
    pairs = [None if bank is None else pair_items(gold.read, bank, "") for bank in banks]
    of_gold = gold_problems(gold.read, [pair.items for pair in pairs if pair is not None])
    problems = [of_gold[len(gold.problems) :]]
    for pair, bank in zip(pairs, banks, strict=True):
        problems.append([])
        if pair is not None and bank is not None:
            problems[-1] += pair.problems[len(bank.problems) :]
            if (problem := framework_problem(gold.read, bank, None)) is not None:
                problems[-1].append(problem)
    return problems
