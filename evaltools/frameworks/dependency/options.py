"""The options of dependency trees."""

from __future__ import annotations

from typing import Annotated

from evaltools.frameworks.common.tree_options import TreeOptions
from evaltools.frameworks.options import Option

PUNCTUATION: dict[str, str] = {
    "keep": "punctuation counts, as in the CoNLL 2018 evaluation",
    "upos": "words that the gold tree tags PUNCT are left out",
    "ptb": "words that the gold tree tags `` '' , . or : in a column of tags are left out, as for the PTB",
    "unicode": "words all of whose characters are punctuation (Unicode P) are left out, as in the CoNLL-X evaluation",
}
"""The ways to treat punctuation, with explanations."""


class DependencyOptions(TreeOptions, frozen=True, kw_only=True):
    """The options of dependency trees."""

    punctuation: Annotated[
        str,
        Option(
            "keep punctuation (default), or exclude it by upos, ptb or unicode.",
            values={name: name for name in PUNCTUATION},
            always=True,
        ),
    ] = "keep"
    subtypes: Annotated[
        bool,
        Option(
            "keep relation subtypes (nsubj:pass), or drop them (default).",
            values={"keep": True, "drop": False},
            always=True,
        ),
    ] = False
    skip_root: Annotated[
        bool, Option("words attached to the root do not count in attachment scores.", signed="root:skip")
    ] = False
    strict_conllu: Annotated[bool, Option("stop where the official UD evaluation stops.")] = False

    @property
    def equates_labels(self) -> bool:
        """Whether ROOT, which spaCy writes, is root, and names are compared in the composed form of Unicode."""
        return not self.strict_conllu  # not in the CoNLL 2018 evaluation

    def describe(self) -> str:
        """Return what counts in words, a line each."""
        subtypes = (
            "relations are compared with their subtypes: nsubj:pass differs from nsubj"
            if self.subtypes
            else "relations are compared without their subtypes, as in the CoNLL 2018 evaluation: nsubj:pass is nsubj"
        )
        lines = [f"punctuation {self.punctuation}: {PUNCTUATION[self.punctuation]}", subtypes]
        return "\n".join([*lines, *(["words that gold attaches to the root are left out"] if self.skip_root else [])])
