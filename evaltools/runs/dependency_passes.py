"""The passes over one parser's dependency trees."""

from __future__ import annotations

from dataclasses import dataclass

from evaltools.metrics.attachment import Attachment
from evaltools.metrics.dependency_lineages import DependencyLineages
from evaltools.normalize.dependency_pair import DependencyPair, DependencyRules
from evaltools.runs.passes import Options

__all__ = ["DependencyPasses", "rules_of"]


def rules_of(options: Options) -> DependencyRules:
    """Return what counts when dependency trees are compared, as the options say."""
    return DependencyRules(options.punctuation or "keep", bool(options.subtypes))


@dataclass(frozen=True)
class DependencyPasses:
    """The passes of one parser; each fills arrays of its own."""

    pair: DependencyPair
    attachment: Attachment
    la: DependencyLineages | None

    @classmethod
    def prepare(cls, pair: DependencyPair, options: Options) -> DependencyPasses:
        """Compare heads and relations, and make room for the lineages."""
        subtypes = rules_of(options).subtypes
        la = None
        if "la" in options.families:
            la = DependencyLineages(pair, subtypes=subtypes, table=options.la_table)
        return cls(pair, Attachment(pair, subtypes=subtypes), la)

    def run(self, first: int, last: int) -> int:
        """Score a range of sentences; return how many."""
        if self.la is not None:
            self.la.run(first, last)
        return last - first
