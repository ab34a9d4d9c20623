"""The gold test set, its copy with function tags, and the training set of the parsers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .lexicon import FIELDS
from .sentences import draw_sentences
from .trees import Node, parse_all, rooted, without_functions

HANDWRITTEN = Path(__file__).parent.parent / "handwritten"
GENRES = ("literary", "news", "spoken")
LAST = "extraposed"  # written by hand too, after those of the grammar
GOLD_FROM_GRAMMAR, GOLD_SEED = 204, 8
TRAINING_FROM_GRAMMAR, TRAINING_SEED = 1500, 11
TRAINING_FIELDS = (
    "harbour",
    "kitchen",
    "laboratory",
    "village",
    "parliament",
    "company",
)  # theatre and railway stay unseen


@dataclass(frozen=True, slots=True)
class Sentence:
    """A gold sentence: the tree with function tags, and where it comes from."""

    tree: Node
    source: str

    @property
    def plain(self) -> Node:
        """The tree without function tags."""
        return without_functions(self.tree)


def handwritten(name: str) -> list[Node]:
    """Read one file of hand-written trees."""
    return parse_all((HANDWRITTEN / f"{name}.txt").read_text(encoding="utf-8"))


def gold() -> list[Sentence]:
    """Return the gold test set: sentences written by hand, those from the grammar, and a few more by hand."""
    sentences = [Sentence(rooted(tree), genre) for genre in GENRES for tree in handwritten(genre)]
    fields = tuple(FIELDS)
    last = [Sentence(rooted(tree), LAST) for tree in handwritten(LAST)]
    taken = {" ".join(sentence.tree.words()) for sentence in (*sentences, *last)}
    for number, tree in enumerate(draw_sentences(GOLD_FROM_GRAMMAR, GOLD_SEED, fields, taken)):
        sentences.append(Sentence(rooted(tree), f"grammar:{fields[number % len(fields)]}"))
    return sentences + last


def training(gold_sentences: list[Sentence]) -> list[Node]:
    """Return the training set, without function tags; no sentence of the gold set is in it."""
    return [without_functions(tree) for tree in training_with_functions(gold_sentences)]


def training_with_functions(gold_sentences: list[Sentence]) -> list[Node]:
    """Return the training set with function tags, for the dependencies."""
    taken = {" ".join(sentence.tree.words()) for sentence in gold_sentences}
    by_hand = [tree for tree in handwritten("training") if " ".join(tree.words()) not in taken]
    drawn = draw_sentences(TRAINING_FROM_GRAMMAR, TRAINING_SEED, TRAINING_FIELDS, taken)
    return [rooted(tree) for tree in (*by_hand, *drawn)]


def check(sentences: list[Sentence]) -> None:
    """Verify the gold set; read both copies back from text and compare.

    Raises
    ------
    ValueError
        With the number of the sentence at fault.
    """
    for number, sentence in enumerate(sentences, 1):
        with_functions = parse_all(str(sentence.tree), shorthand=False)
        plain = parse_all(str(sentence.plain), shorthand=False)
        if with_functions != [sentence.tree] or plain != [sentence.plain]:
            raise ValueError(f"gold sentence {number} does not read back as it was written")
        if sentence.tree.words() != sentence.plain.words() or sentence.tree.tags() != sentence.plain.tags():
            raise ValueError(f"gold sentence {number}: the two copies have other words or tags")
        odd = [node.label for node in sentence.plain.phrases() if not node.label.isalpha() or not node.label.isupper()]
        if odd or sentence.plain.label != "ROOT":
            raise ValueError(f"gold sentence {number}: odd labels {odd}")
