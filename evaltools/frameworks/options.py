"""The options of a run, beside its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaltools.frameworks.common.lineages import CostTable

__all__ = ["ENGINES", "Options", "Request", "options_of"]


ENGINES = {
    "banded": "the program's own: canonical mapping",
    "apted": "the reference library: same cost, but not the canonical mapping; slow",
}
"""Values of the option ``engine``, which computes the tree-edit alignment."""


@dataclass(frozen=True)
class Options:
    """What to compute, beside the preset."""

    families: tuple[str, ...] | None = None  # The families of metrics to compute; None for all of the framework
    la_preterminals: bool = False  # Whether lineages include the words' tags
    la_table: CostTable | None = None  # Replacement costs for ``la_table``
    engine: str = "banded"  # One of ENGINES
    # Whether a parser's sentences are aligned with the gold sentences by their words, not by their position.
    align_sentences: bool = False
    punctuation: str | None = None  # What to do with punctuation of dependency trees; None for the default
    # Whether relations of dependency trees are compared with their subtypes; None for the default.
    subtypes: bool | None = None
    # Whether dependency trees are refused where the official evaluation of Universal Dependencies stops.
    strict_conllu: bool = False

    def described(self, format_name: str | None) -> dict[str, Any]:
        """Return the options as ``meta.json`` keeps them."""
        described: dict[str, Any] = {"align_sentences": True} if self.align_sentences else {}
        if self.punctuation is not None or self.subtypes is not None:
            described |= {"punctuation": self.punctuation, "subtypes": self.subtypes}
        if self.strict_conllu:
            described["strict_conllu"] = True
        table = self.la_table
        return described | {
            "la_preterminals": self.la_preterminals,
            "la_table": None if table is None else [[*pair, cost] for pair, cost in table.costs.items()],
            "engine": self.engine,
            "format": format_name,
        }


def options_of(described: Mapping[str, Any]) -> Options:
    """Return the options of a run from its ``meta.json``."""
    from evaltools.frameworks.common.lineages import CostTable

    table = described["la_table"]
    return Options(
        la_preterminals=described["la_preterminals"],
        la_table=None if table is None else CostTable({(a, b): cost for a, b, cost in table}),
        engine=described["engine"],
        align_sentences=described.get("align_sentences", False),
        punctuation=described.get("punctuation"),
        subtypes=described.get("subtypes"),
        strict_conllu=described.get("strict_conllu", False),
    )


@dataclass(frozen=True)
class Request:
    """The arguments of scoring, beside the files; a framework raises an error for those that do not apply to it."""

    preset: Any = "standard"
    format: str | None = None  # Format of all files; None to guess it
    metrics: list[str] | None = None  # Ids and families of metrics; None for all
    options: Options = field(default_factory=Options)  # What to compute
    label_map: Mapping[str, str] = field(default_factory=dict)  # Labels to those in their place, in all trees
    multiword_only: bool = False  # Whether only brackets of two words or more count in bracketing (E)
    weights: Any = None  # Weights of triples, and how spans are compared
    spans: str | None = None
    dask: str | None = None  # The address of a cluster
