"""Which item of a parser belongs to which gold item: by their ids, or by their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evaltools.errors import Problem, excerpt
from evaltools.formats.semantics import SemanticBank, SemanticItem
from evaltools.metrics.edm_rules import EdmRules
from evaltools.runs.id_pairing import pair_ids
from evaltools.treebank.semantic_graph import SemanticGraph

__all__ = ["PairedItems", "first_graph", "framework_problem", "gold_graph", "gold_problems", "pair_items"]

_OF_MRS = {"eds", "dmrs"}
_MOST_SINGLE = 20
"""So many items without a partner are listed one by one, the others as a number."""


@dataclass(frozen=True, slots=True)
class PairedItems:
    """A parser's items in the order of the gold items.

    Parameters
    ----------
    items : tuple of SemanticItem or None
        One for each gold item; None where the parser has none.
    by : {"id", "position"}
        How they were paired.
    problems : tuple of Problem
        What was found in the parser's file and in the pairing; sentences are those of the gold file.
    """

    items: tuple[SemanticItem | None, ...]
    by: str
    problems: tuple[Problem, ...]

    def graphs(self, rank: int = 1) -> list[SemanticGraph | None]:
        """Return the graph of a rank, from 1, of every item; None where there is none."""
        return [
            item.results[rank - 1] if item is not None and len(item.results) >= rank else None for item in self.items
        ]

    @property
    def most_results(self) -> int:
        """The most results that an item has."""
        return max((len(item.results) for item in self.items if item is not None), default=0)


def first_graph(item: SemanticItem | None) -> SemanticGraph | None:
    """Return the first result of an item; None where there is none."""
    return None if item is None else item.graph


def gold_graph(item: SemanticItem, rules: EdmRules) -> SemanticGraph | None:
    """Return the gold graph of an item; None where there is none, or one without nodes that the rules leave out."""
    if item.is_empty and rules.count_empty_gold:
        return SemanticGraph((), text=item.text)
    return first_graph(item)


def framework_problem(gold: SemanticBank, test: SemanticBank, parser: str | None) -> Problem | None:
    """Return what keeps two files from being compared: graphs of different frameworks, such as EDS and DM.

    EDS and DMRS, which are both made of MRS, can be compared.

    Parameters
    ----------
    gold, test : SemanticBank
        The files. One that names no framework may be of any.
    parser : str or None
        Whose the second one is.

    Returns
    -------
    Problem or None
        The problem; None if they can be compared.
    """
    frameworks = {bank.framework.lower() for bank in (gold, test)} - {""}
    if len(frameworks) < 2 or frameworks <= _OF_MRS:
        return None
    found = f"graphs of framework {excerpt(test.framework)!r}"
    expected = f"framework {excerpt(gold.framework)!r}, as in the gold file {gold.name}"
    return Problem("framework", test.name, None, None, found, expected, parser=parser)


def pair_items(gold: SemanticBank, test: SemanticBank, parser: str) -> PairedItems:
    """Find a parser's item for each gold item: by id if both files have ids, else by place.

    Of several items with the same id, the first of one file is paired with the first of the other, and so on.

    Parameters
    ----------
    gold, test : SemanticBank
        The files.
    parser : str
        Whose the second one is.
    """
    if gold.has_ids and test.has_ids:
        return _by_id(gold, test, parser)
    n = len(gold.items)
    items = (*test.items[:n], *[None] * (n - len(test.items)))
    problems = [_placed(problem, problem.sentence, n, parser) for problem in test.problems]
    problems += _other_numbers(gold, test, parser)
    problems += _other_texts(gold, items, test.name, parser)
    return PairedItems(items, "position", tuple(problems))


def _by_id(gold: SemanticBank, test: SemanticBank, parser: str) -> PairedItems:
    partner = pair_ids([item.id for item in gold.items], [item.id for item in test.items]).tolist()
    found = [test.items[index] if index >= 0 else None for index in partner]
    sentence_of = {index + 1: place + 1 for place, index in enumerate(partner) if index >= 0}
    surplus = [item for number, item in enumerate(test.items, start=1) if number not in sentence_of]
    n = len(gold.items)
    problems = [_placed(one, sentence_of.get(one.sentence or 0), n, parser) for one in test.problems]
    if not sentence_of:
        ids = [next((repr(item.id) for item in side.items), "none") for side in (test, gold)]
        says, wanted = f"ids such as {ids[0]}, none of which the gold file has", f"ids such as {ids[1]}"
        problems.append(Problem("other_ids", test.name, None, None, says, wanted, parser=parser))
        return PairedItems(tuple(found), "id", tuple(problems))
    absent = [place for place, one in enumerate(found) if one is None]
    problems += _without_partner(gold, test.name, surplus, absent, parser)
    problems += _other_texts(gold, tuple(found), test.name, parser)
    return PairedItems(tuple(found), "id", tuple(problems))


def _without_partner(
    gold: SemanticBank, name: str, surplus: Sequence[SemanticItem], absent: Sequence[int], parser: str
) -> Iterator[Problem]:
    """List a parser's items that the gold file does not have, and the places of gold items that the parser lacks."""
    each, every = f"an item of {gold.name}, each once", f"every item of {gold.name}"
    for item in surplus[:_MOST_SINGLE]:
        says = "an item without an id" if item.id is None else f"item {item.id}"
        found = f"{says}, which is not scored"
        yield Problem("surplus", name, item.line or None, None, found, each, parser=parser)
    if len(surplus) > _MOST_SINGLE:
        found = f"{len(surplus) - _MOST_SINGLE} more items that are not scored"
        yield Problem("surplus", name, None, None, found, each, parser=parser)
    for place in absent[:_MOST_SINGLE]:
        found = f"no item {gold.items[place].id}; it counts as missing"
        yield Problem("too_few", name, None, None, found, every, place + 1, parser)
    if len(absent) > _MOST_SINGLE:
        found = f"{len(absent) - _MOST_SINGLE} more items that are not there; they count as missing"
        yield Problem("too_few", name, None, None, found, every, parser=parser)


def _placed(problem: Problem, sentence: int | None, n: int, parser: str) -> Problem:
    """Give a problem of a parser's file its gold sentence, if there is one."""
    known = sentence if sentence is not None and 1 <= sentence <= n else None
    return replace(problem, sentence=known, parser=parser)


def _other_numbers(gold: SemanticBank, test: SemanticBank, parser: str) -> list[Problem]:
    n, found = len(gold.items), len(test.items)
    expected = f"{n} items, as in {gold.name}"
    if found < n:
        says, last = f"{found} items; the others count as missing", test.items[-1].line if test.items else 0
        return [Problem("too_few", test.name, last or None, None, says, expected, parser=parser)]
    if found > n:
        says, first = f"{found} items; those from this line on are not scored", test.items[n].line
        return [Problem("surplus", test.name, first or None, None, says, expected, parser=parser)]
    return []


def _other_texts(
    gold: SemanticBank, items: tuple[SemanticItem | None, ...], name: str, parser: str
) -> Iterator[Problem]:
    """Say where a parser's sentence is another than the gold one: its characters then count differently."""
    for number, (expected, item) in enumerate(zip(gold.items, items, strict=True), start=1):
        if item is not None and item.text and expected.text and item.text.split() != expected.text.split():
            wanted = f"the gold sentence {expected.text!r}; spans are compared as they are"
            yield Problem(
                "text_differs", name, item.line or None, None, f"the sentence {item.text!r}", wanted, number, parser
            )


def gold_problems(gold: SemanticBank, tests: Sequence[Sequence[SemanticItem | None]]) -> list[Problem]:
    """List what was found in the gold file, and its items without a graph.

    Parameters
    ----------
    gold : SemanticBank
        The gold file.
    tests : sequence of sequences of SemanticItem or None
        The items of each parser, in the order of the gold items. Items that no parser has a graph of either, such as
        ungrammatical ones, are counted in one problem.
    """
    problems = list(gold.problems)
    listed = {problem.sentence for problem in problems}
    without = [number for number, item in enumerate(gold.items, start=1) if first_graph(item) is None]
    parsed = {number for number in without if any(first_graph(items[number - 1]) is not None for items in tests)}
    nobody = len(without) - len(parsed)
    if nobody:
        found = f"{nobody} of {len(gold.items)} items without a graph here and in the other files; they do not count"
        problems.append(Problem("no_gold", gold.name, None, None, found, "a gold graph for every item"))
    for number in without:
        if number in parsed and number not in listed:
            item = gold.items[number - 1]
            found = "no graph" if item.id is None else f"no graph of item {item.id}"
            problems.append(
                Problem("no_gold", gold.name, item.line or None, None, found, "a gold graph for every item", number)
            )
    return problems
