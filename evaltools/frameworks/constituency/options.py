"""The options of constituency trees."""

from __future__ import annotations

from typing import Annotated

from evaltools.frameworks.common.tree_options import TreeOptions
from evaltools.frameworks.options import Option

ENGINES = {
    "banded": "the program's own: canonical mapping",
    "apted": "the reference library: same cost, but not the canonical mapping; slow",
}
"""Values of the option ``engine``, which computes the tree-edit alignment."""


class ConstituencyOptions(TreeOptions, frozen=True, kw_only=True):
    """The options of constituency trees."""

    la_preterminals: Annotated[
        bool,
        Option("leaf-ancestor: include the POS tag in lineages.", flag="--la-preterminal", signed="la:preterminals"),
    ] = False
    engine: Annotated[
        str,
        Option(
            "tree-distance engine: banded (built in), or apted (reference, slow).",
            values={name: name for name in ENGINES},
        ),
    ] = "banded"
    align_sentences: Annotated[
        bool,
        Option("pair sentences by their words, if some are missing, extra or shifted.", signed="align:sentences"),
    ] = False
    # A rule of the preset, once files are read.
    multiword_only: Annotated[
        bool, Option("in bracketing (E), count only brackets of two words or more, as in GEIG.")
    ] = False
