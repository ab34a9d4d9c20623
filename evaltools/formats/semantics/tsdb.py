"""Profiles of [incr tsdb()]: a folder with the tables ``item``, ``parse`` and ``result``, perhaps compressed.

Items are in the order of ``item``; all rows of ``result`` that belong to one are its results, by ``result-id``. Their
MRS may be in any notation that is one of the formats of text. Where one result is wanted and annotators have chosen one
(``preference``), it is that one.

References
----------
Stephan Oepen and Dan Flickinger. 1998. Towards systematic grammar profiling. Computer Speech & Language 12(4).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from evaltools.errors import Problem, excerpt
from evaltools.formats.semantics.bank import SemanticBank, SemanticItem
from evaltools.formats.semantics.pieces import Flaw, Piece
from evaltools.formats.semantics.reading import item_problem, read_graph, spans_problems
from evaltools.formats.semantics.tables import Row, Tables
from evaltools.treebank import SemanticGraph

__all__ = ["read_profile"]

NAME = "tsdb"
TITLE = "profile of [incr tsdb()]"


def read_profile(
    folder: Path, name: str, notation: Callable[[str], ModuleType | None], *, first_only: bool
) -> SemanticBank:
    """Read a profile.

    Parameters
    ----------
    folder : path
        The folder.
    name : str
        What to call it in problems.
    notation : function
        Gives the format of an MRS, None for text that is none.
    first_only : bool
        Whether to leave out all results but one: that which the table ``preference`` has chosen, or else the first.

    Returns
    -------
    SemanticBank
        Its items.

    Raises
    ------
    InputError
        If the folder has no table ``relations``, or a table cannot be read.
    """
    tables = Tables.open(folder, name)
    items = _items(tables)
    parses = _parses(tables, items)
    results = _results(tables, parses)
    if first_only:
        results = _chosen(tables, parses, results)
    problems = list(tables.problems)
    read: list[SemanticItem] = []
    for number, (i_id, row) in enumerate(items.items(), start=1):
        found: list[SemanticGraph | None] = []
        is_empty = False
        for result in results.get(i_id, [])[: 1 if first_only else None]:
            graph, flaws = _graph(result, row.get("i-input"), notation)
            is_empty = is_empty or (not found and graph is None and not flaws)
            found.append(graph)
            problems += [item_problem(flaw, result.file, number, i_id) for flaw in flaws]
        read.append(SemanticItem(i_id, row.line, row.get("i-input"), tuple(found), is_empty))
    problems = spans_problems(problems, read)
    if not read:
        problems.append(Problem("empty", name, None, None, "no item", "at least one item"))
    path = str(folder.resolve())
    known = path.encode("utf-8", "replace").decode("utf-8") == path
    return SemanticBank(name, path if known else None, tables.digest, NAME, bool(read), tuple(read), problems)


def _items(tables: Tables) -> dict[str, Row]:
    items: dict[str, Row] = {}
    for row in tables.rows("item"):
        i_id = row.get("i-id")
        if i_id in items:
            tables.note("repeated_item", row, f"item {excerpt(i_id)} again", "one row for each item; the first is used")
        else:
            items[i_id] = row
    return items


def _parses(tables: Tables, items: dict[str, Row]) -> dict[str, str]:
    """Return the item of each parse; items that only `parse` knows are added."""
    parses: dict[str, str] = {}
    for row in tables.rows("parse"):
        parse_id, i_id = row.get("parse-id"), row.get("i-id")
        if parse_id in parses:
            expected = "one row for each parse; the first is used"
            tables.note("repeated_parse", row, f"parse {excerpt(parse_id)} again", expected)
            continue
        parses[parse_id] = i_id
        if i_id in items:
            continue
        items[i_id] = row
        if tables.has("item"):
            found = f"parse {excerpt(parse_id)} of item {excerpt(i_id)}, which is not in the table item"
            tables.note("no_such_item", row, found, "an item of the profile")
    if not tables.has("parse"):
        if not tables.has("item"):
            for row in tables.rows("result"):
                items.setdefault(row.get("parse-id"), row)
        parses = {i_id: i_id for i_id in items}  # in nearly all profiles the two are the same
    return parses


def _results(tables: Tables, parses: dict[str, str]) -> dict[str, list[Row]]:
    results: dict[str, list[Row]] = {}
    for row in tables.rows("result"):
        parse_id = row.get("parse-id")
        if parse_id in parses:
            results.setdefault(parses[parse_id], []).append(row)
        else:
            found = f"a result of parse {excerpt(parse_id)}, which is not in the table parse"
            tables.note("no_such_parse", row, found, "a parse of the profile")
    for rows in results.values():
        rows.sort(key=_rank)
    return results


def _chosen(tables: Tables, parses: dict[str, str], results: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """Put the result first that the latest version of ``preference`` has chosen for a parse."""
    latest: dict[str, tuple[int, list[str]]] = {}
    for row in tables.rows("preference"):
        said = row.get("t-version").strip()
        version = int(said) if re.fullmatch(r"-?[0-9]{1,18}", said) else 0
        known = latest.get(row.get("parse-id"), (version, []))
        if version > known[0]:
            known = (version, [])
        if version == known[0]:
            known[1].append(row.get("result-id"))
        latest[row.get("parse-id")] = known
    ordered = dict(results)
    for parse_id, (_, chosen) in latest.items():
        rows = ordered.get(parses.get(parse_id, ""), [])
        preferred = [row for row in rows if row.get("parse-id") == parse_id and row.get("result-id") in chosen]
        if preferred:
            ordered[parses[parse_id]] = [*preferred, *(row for row in rows if row not in preferred)]
    return ordered


def _rank(row: Row) -> tuple[bool, int]:
    said = row.get("result-id").strip()
    return (False, int(said)) if re.fullmatch(r"-?[0-9]{1,18}", said) else (True, 0)


def _graph(
    row: Row, text: str, notation: Callable[[str], ModuleType | None]
) -> tuple[SemanticGraph | None, list[Flaw]]:
    body = row.get("mrs")
    if not body.strip():
        return None, [Flaw("no_mrs", row.line, f"result {row.get('result-id')} without an MRS", "an MRS")]
    module = notation(body)
    if module is None:
        found = f"an MRS in no known notation: {excerpt(body.strip())!r}"
        return None, [Flaw("graph", row.line, found, "SimpleMRS, EDS or another known notation")]
    pieces = module.cut(body)
    whole = [piece for piece in pieces.found if piece.body]
    flaws = [Flaw("more_in_row", row.line, flaw.found, "one graph") for flaw in pieces.flaws]
    if not whole:
        return None, [*flaws, Flaw("graph", row.line, "no graph in the row", "one graph")]
    if len(whole) > 1:
        flaws.append(Flaw("more_in_row", row.line, f"{len(whole)} graphs in one row; the first is used", "one graph"))
    graph, more = read_graph(Piece(row.line, whole[0].body, None, text, None, whole[0].content), module)
    return graph, flaws + [Flaw(flaw.kind, row.line, flaw.found, flaw.expected) for flaw in more]
