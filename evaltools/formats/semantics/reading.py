"""From the pieces of a text to items: results put together, each graph read, what is wrong with it listed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from types import ModuleType
from xml.etree.ElementTree import ParseError

from evaltools.errors import Problem, excerpt
from evaltools.formats.semantics.bank import SemanticItem
from evaltools.formats.semantics.native import GraphError
from evaltools.formats.semantics.pieces import Flaw, Piece
from evaltools.formats.semantics.structures import NO_SPANS, WITHOUT_SPANS, Remark, graph_of, without_address
from evaltools.treebank import SemanticGraph

__all__ = ["item_problem", "put_together", "read_graph", "read_item", "spans_problems"]

_PARSING = "parse"
_CONVERTING = "convert"


def put_together(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Put the pieces of the same item together: those of one name, or without a name those after one ``SENT:`` line.

    Parameters
    ----------
    pieces : iterable of Piece
        In the file's order.
    """
    items: dict[tuple[str, str | int], list[Piece]] = {}
    for number, piece in enumerate(pieces):
        if piece.id is not None:
            key: tuple[str, str | int] = ("name", piece.id)
        elif piece.sentence is not None:
            key = ("sentence", piece.sentence)
        else:
            key = ("place", number)
        items.setdefault(key, []).append(piece)
    return list(items.values())


def read_item(
    pieces: Sequence[Piece], number: int, module: ModuleType, file: str, *, first_only: bool
) -> tuple[SemanticItem, list[Problem]]:
    """Read the results of one item.

    Parameters
    ----------
    pieces : sequence of Piece
        Its graphs, best first.
    number : int
        Which item of the file it is, from 1.
    module : module
        The format.
    file : str
        The file's name, for problems.
    first_only : bool
        Whether to leave out all results but the first.
    """
    first = pieces[0]
    bodies = [piece for piece in pieces if piece.body]
    results: list[SemanticGraph | None] = []
    problems: list[Problem] = []
    is_empty = False
    for piece in bodies[:1] if first_only else bodies:
        graph, flaws = read_graph(piece, module)
        is_empty = is_empty or (not results and graph is None and not flaws)
        results.append(graph)
        problems += [item_problem(flaw, file, number, first.id) for flaw in flaws]
    text = next((piece.text for piece in pieces if piece.text), "")
    text = text or next((graph.text for graph in results if graph is not None and graph.text), "")
    return SemanticItem(first.id, first.line, text, tuple(results), is_empty), problems


def item_problem(flaw: Flaw, file: str, number: int, name: str | None) -> Problem:
    """Return what is wrong with a graph as a problem that names its item."""
    found = flaw.found if name is None else f"item {excerpt(name)}: {flaw.found}"
    return Problem(flaw.kind, file, flaw.line, None, found, flaw.expected, number)


def spans_problems(problems: Sequence[Problem], items: Sequence[SemanticItem]) -> list[Problem]:
    """Return the problems of a file, with one in place of many where none of its graphs has spans.

    Parameters
    ----------
    problems : sequence of Problem
        The problems.
    items : sequence of SemanticItem
        The items of the file.
    """
    graphs = [graph for item in items for graph in item.results if graph is not None]
    bare = [place for place, problem in enumerate(problems) if problem.kind == NO_SPANS]
    if len(bare) < 2 or len(bare) < len(graphs):
        return list(problems)
    first = problems[bare[0]]
    found = f"{len(graphs)} graphs, none of which has a node with a span"
    whole = Problem(NO_SPANS, first.file, first.line, None, found, WITHOUT_SPANS)
    others = [problem for problem in problems[bare[0] :] if problem.kind != NO_SPANS]
    return [*problems[: bare[0]], whole, *others]


def read_graph(piece: Piece, module: ModuleType) -> tuple[SemanticGraph | None, list[Flaw]]:
    """Read one graph, whatever its text is.

    Parameters
    ----------
    piece : Piece
        The graph's text.
    module : module
        The format.

    Returns
    -------
    (SemanticGraph or None, list of Flaw)
        The graph; None where it has no node, or cannot be read, which is among the flaws then.
    """
    step = _PARSING
    try:
        if hasattr(module, "graph"):
            graph, remarks = module.graph(piece)
        else:
            structure = module.structure(piece)
            step = _CONVERTING
            graph, remarks = graph_of(structure, piece.text)
    except Exception as error:  # PyDelphin raises whatever it stumbles over
        line, found = _reason(error)
        expected = f"{module.TITLE} that is well-formed" if step == _PARSING else "an MRS that converts to EDS"
        flaw = Flaw("graph", piece.line + line, f"graph does not {step}: {found}", expected)
        return None, [flaw]
    return graph, [_flaw(remark, piece) for remark in remarks]


def _flaw(remark: Remark, piece: Piece) -> Flaw:
    kind, found, expected = remark
    return Flaw(kind, piece.line, found, expected)


def _reason(error: Exception) -> tuple[int, str]:
    """Return the line of an error, from 0, and what it says, on one line."""
    line = 0
    said = str(error)
    if isinstance(error, GraphError):
        line = error.line
    elif isinstance(error, json.JSONDecodeError):
        line, said = error.lineno - 1, f"{error.msg} (character {error.colno})"
    elif isinstance(error, ParseError):
        line = error.position[0] - 1
        said = said.partition(": line")[0]
    elif isinstance(error, RecursionError):
        said = "nested too deeply"
    elif isinstance(error, KeyError):
        said = "a node or an argument without a name" if said == "None" else f"{said} is missing"
    elif not isinstance(error, ValueError):
        said = f"{said or 'no reason given'} ({type(error).__name__})"
    return line, excerpt(without_address(said).strip().split("\n")[-1], 160)
