"""The files of ``semantics/``: the gold graphs, and what came of the sentences."""

from __future__ import annotations

from pathlib import Path

from .semantic_graphs import eds, graph
from .semantic_notation import Sentence, read_sentences
from .semantic_parsers import PARSERS

SOURCE = Path(__file__).parent.parent / "handwritten" / "semantics.txt"


def sentences() -> list[Sentence]:
    """Return the sentences with all their readings."""
    return read_sentences(SOURCE.read_text(encoding="utf-8"))


def files() -> dict[str, bytes]:
    """Return the content of every file by its name."""
    items = sentences()
    gold = "".join(eds(number, graph(sentence, {})) for number, sentence in enumerate(items, 1))
    return {"gold.eds": gold.encode()} | {name: parse(items).encode() for name, parse in PARSERS.items()}
