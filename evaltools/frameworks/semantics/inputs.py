"""Inputs of semantic graphs: detected by their first bytes, read as a whole, and checked before they are scored."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import FORMATS, Source
from evaltools.formats.semantics import SEMANTIC_FORMATS, SemanticBank, guess_semantic, profile_digest, read_semantics
from evaltools.formats.source import ByteStream, can_reopen, is_url, open_bytes, peek_source, without_file_scheme
from evaltools.frameworks.framework import Content, Framework
from evaltools.frameworks.semantics.pairs import framework_problem, gold_problems, pair_items

__all__ = ["bank_digest", "bank_entry", "content_of", "item_problems", "peek", "read_bank", "reread_bank"]


def peek(source: Any, format_name: str | None, *, like: str | None = None, again: bool = False) -> tuple[Any, bool]:
    """Return an input, and whether it holds semantic graphs; a pipe is returned as a stream that can be read on."""
    if format_name is not None and format_name not in FORMATS and format_name not in SEMANTIC_FORMATS:
        raise ParameterError.unknown("format", format_name, [*FORMATS, *SEMANTIC_FORMATS])
    if isinstance(source, SemanticBank):
        return source, True
    if isinstance(source, Source) and source.format is not None:
        return source, source.format in SEMANTIC_FORMATS
    if format_name is not None:
        return source, format_name in SEMANTIC_FORMATS
    if again and not isinstance(source, Source) and not can_reopen(source):
        return source, False
    source, beginning = peek_source(source)
    return source, guess_semantic(source if beginning is None else beginning, like) is not None


def read_bank(
    source: Any, format_name: str | None, parser: str | None = None, *, like: str | None = None
) -> SemanticBank:
    """Read an input of semantic graphs; `like` is the format of the gold file, for a parser's file."""
    if isinstance(source, SemanticBank):
        return source
    results: Literal["first", "all"] = "first" if parser is None else "all"
    if isinstance(source, str | os.PathLike) and not is_url(source):
        path = without_file_scheme(source)
        if os.path.isdir(path):
            return read_semantics(path, format_name, results=results)
    if not isinstance(source, Source):
        source = Source.from_stream(source if isinstance(source, ByteStream) else open_bytes(source))
    format_name = format_name or guess_semantic(source, like)
    if format_name is None:
        expected = f"semantic graphs, as in the gold file: {', '.join(SEMANTIC_FORMATS)}; --format names one of them"
        raise InputError(Problem("kind", source.name, None, None, "no semantic graphs", expected, parser=parser))
    return read_semantics(source, format_name, results=results)


def bank_digest(folder: str) -> str:
    """Return the SHA-256 of a profile; empty if the folder is not a profile."""
    try:
        return profile_digest(Path(folder), folder)
    except InputError:
        return ""


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
    bank = read_semantics(source, guess_semantic(source, like), results="all")
    n_graphs = sum(item.graph is not None for item in bank.items)
    max_results = max((len(item.results) for item in bank.items), default=0)
    several = f", up to {max_results:,} results each" if max_results > 1 else ""
    ids = "" if bank.has_ids else ", without ids: paired by position"
    title = SEMANTIC_FORMATS[bank.format].TITLE
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
