"""The parsers of the sample, by the names of their output files."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from . import cky
from .chunker import Chunker
from .pcfg import Style, estimate
from .running_text import own_words
from .sequence_labels import SequenceLabels
from .shift_reduce import ShiftReduce
from .tagging import PerceptronTagger
from .trees import Node

Parse = Callable[[list[str]], Node | None]

PLAIN_LENGTH_LIMIT = 40  # set before the first run; longer sentences get no parse from pcfg-plain
ROUNDS, SEED = 6, 1


@lru_cache(maxsize=1)
def trained_tagger(training: tuple[Node, ...]) -> PerceptronTagger:
    """Train the tagger of the two parsers that use one."""
    return PerceptronTagger(list(training), ROUNDS, SEED)


def pcfg_plain(training: list[Node]) -> Parse:
    """Train exactly the rules of the training trees, and no sentence over the length limit."""
    parser = cky.Parser(estimate(training, Style(parent=False, sisters=None)))
    return lambda words: parser.parse(words) if len(words) <= PLAIN_LENGTH_LIMIT else None


def pcfg_parent(training: list[Node]) -> Parse:
    """Train labels with their parents, flat rules cut to one sister; where that has no tree, the same without parents."""
    first = cky.Parser(estimate(training, Style(parent=True, sisters=1)))
    second = cky.Parser(estimate(training, Style(parent=False, sisters=1)))
    return lambda words: first.parse(words) or second.parse(words)


def shift_reduce(training: list[Node]) -> Parse:
    """Train the greedy shift-reduce parser."""
    return ShiftReduce(training, trained_tagger(tuple(training)), ROUNDS, SEED).parse


def shift_reduce_running_text(training: list[Node]) -> Parse:
    """Train the greedy shift-reduce parser, and let it cut the sentences into words itself."""
    parse = shift_reduce(training)
    return lambda words: parse(own_words(words))


def sequence_labels(training: list[Node]) -> Parse:
    """Train the parser that labels words with their place in the tree."""
    return SequenceLabels(training, trained_tagger(tuple(training)), ROUNDS, SEED).parse


def chunker_right_branching(training: list[Node]) -> Parse:
    """Train the tagger of the baseline."""
    return Chunker(training).parse


PARSERS: dict[str, Callable[[list[Node]], Parse]] = {
    "chunker-right-branching": chunker_right_branching,
    "pcfg-plain": pcfg_plain,
    "pcfg-parent": pcfg_parent,
    "sequence-labels": sequence_labels,
    "shift-reduce": shift_reduce,
    "shift-reduce-running-text": shift_reduce_running_text,
}
OWN_WORDS = ("shift-reduce-running-text",)
"""Those whose words are not the treebank's."""
