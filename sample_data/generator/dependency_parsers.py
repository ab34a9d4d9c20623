"""The dependency parsers of the sample, by the names of their output files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from .dependency import Dependencies, Word, check
from .dependency_gold import Both
from .labeller import Labeller
from .spanning_tree import SpanningTree
from .tagging import PerceptronTagger
from .transition import Transition
from .trees import Node

ROUNDS, SEED = 5, 2
PARSERS: dict[str, tuple[type[Transition] | type[SpanningTree], int]] = {  # the method and the scheme
    "transition-lexical": (Transition, 0),
    "spanning-tree-lexical": (SpanningTree, 0),
    "transition-functional": (Transition, 1),
    "spanning-tree-functional": (SpanningTree, 1),
}


@dataclass(frozen=True)
class Workshop:
    """The training set, and what parsers of one scheme or all of them share.

    Parameters
    ----------
    training
        Dependencies of the training sentences in both schemes.
    """

    training: list[Both]

    @cached_property
    def words(self) -> list[list[str]]:
        """The words of every sentence."""
        return [[word.form for word in lexical] for lexical, _ in self.training]

    @cached_property
    def tagger(self) -> PerceptronTagger:
        """The tagger of all parsers; a tag is that of the treebank with the universal one: ``VBD|AUX``."""
        return PerceptronTagger([_tagged(lexical) for lexical, _ in self.training], ROUNDS, SEED)

    @cached_property
    def tags(self) -> list[list[str]]:
        """The tags of the training set as the tagger guesses them."""
        return [self.tagger.tag(words) for words in self.words]

    def heads(self, scheme: int) -> list[list[int]]:
        """Return the heads of the training set in one scheme."""
        return [[word.head for word in both[scheme]] for both in self.training]

    @cached_property
    def labellers(self) -> list[Labeller]:
        """The labeller of each scheme."""
        relations = [[[word.relation for word in both[scheme]] for both in self.training] for scheme in (0, 1)]
        return [
            Labeller(self.words, self.tags, self.heads(scheme), relations[scheme], ROUNDS, SEED) for scheme in (0, 1)
        ]

    def parse(self, name: str, sentences: Iterable[list[str]]) -> list[Dependencies]:
        """Train a parser and run it on sentences of words."""
        method, scheme = PARSERS[name]
        parser = method(self.words, self.tags, self.heads(scheme), ROUNDS, SEED)
        parsed = []
        for words in sentences:
            tags = self.tagger.tag(words)
            heads = parser.heads(words, tags)
            relations = self.labellers[scheme].relations(words, tags, heads)
            both = [tag.rsplit("|", 1) for tag in tags]
            made = tuple(
                Word(word, universal, tag, head, relation)
                for word, (tag, universal), head, relation in zip(words, both, heads, relations, strict=True)
            )
            check(made)
            parsed.append(made)
        return parsed


def _tagged(sentence: Dependencies) -> Node:
    """Return a flat tree for the tagger."""
    return Node("ROOT", tuple(Node(f"{word.xpos}|{word.upos}", word=word.form) for word in sentence))
