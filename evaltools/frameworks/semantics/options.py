"""The options of semantic graphs."""

from __future__ import annotations

from typing import Annotated

from evaltools.frameworks.options import Option, Options
from evaltools.frameworks.semantics.edm_rules import SPANS


class SemanticOptions(Options, frozen=True, kw_only=True):
    """The options of semantic graphs: rules of EDM, once files are read; the run has them there."""

    weights: Annotated[str | None, Option("weights of classes, roles, properties, predicates (TOML).", "FILE")] = None
    spans: Annotated[
        str | None,
        Option(
            "exact spans, or without punctuation at their ends; default from the preset.",
            "exact|trimmed",
            values={name: name for name in SPANS},
        ),
    ] = None
