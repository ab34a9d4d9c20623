"""Part-of-speech tags: word shapes for unknown words, the most frequent tag, and a greedy perceptron tagger."""

from __future__ import annotations

import random
from collections import Counter

from .perceptron import Perceptron
from .trees import Node

SUFFIXES = ("ing", "ed", "ly", "er", "est", "ion", "ness", "ment", "ful", "ous", "able", "al", "ist", "ers", "ies", "s")


def shape(word: str, first: bool = False) -> str:
    """Return the class of an unknown word: digits, capital, hyphen, suffix."""
    if not any(character.isalnum() for character in word):
        return "symbol"
    if any(character.isdigit() for character in word):
        return "digits-hyphen" if "-" in word else "digits"
    capital = "capital-" if word[0].isupper() and not first else ""
    hyphen = "hyphen-" if "-" in word else ""
    suffix = next((suffix for suffix in SUFFIXES if word.lower().endswith(suffix) and len(word) > len(suffix) + 2), "")
    return f"{capital}{hyphen}{suffix or 'plain'}"


def is_first(words: list[str], position: int) -> bool:
    """Whether a capital at this position says nothing: the first word, or after an opening quotation mark."""
    return position == 0 or words[position - 1] == "``"


class FrequentTags:
    """Every word gets its most frequent tag; an unknown word the most frequent tag of its shape."""

    def __init__(self, trees: list[Node]) -> None:
        by_word: dict[str, Counter[str]] = {}
        by_shape: dict[str, Counter[str]] = {}
        for tree in trees:
            words = tree.words()
            for position, leaf in enumerate(tree.preterminals()):
                word = words[position]
                if is_first(words, position) and leaf.label not in ("NNP", "NNPS", "PRP"):
                    word = word[0].lower() + word[1:]
                by_word.setdefault(word, Counter())[leaf.label] += 1
        for word, tags in by_word.items():
            if sum(tags.values()) <= 2:
                by_shape.setdefault(shape(word), Counter()).update(tags)
        self.by_word = {word: _most(tags) for word, tags in by_word.items()}
        self.by_shape = {name: _most(tags) for name, tags in by_shape.items()}

    def tag(self, words: list[str]) -> list[str]:
        """Return one tag a word."""
        tags = []
        for position, word in enumerate(words):
            first = is_first(words, position)
            known = self.by_word.get(word) or (self.by_word.get(word[0].lower() + word[1:]) if first else None)
            tags.append(known or self.by_shape.get(shape(word, first), "NN"))
        return tags


def _most(tags: Counter[str]) -> str:
    return min(tags, key=lambda tag: (-tags[tag], tag))


class PerceptronTagger:
    """A greedy left-to-right tagger."""

    def __init__(self, trees: list[Node], rounds: int, seed: int) -> None:
        self.model = Perceptron()
        self.known: dict[str, list[str]] = {}
        for tree in trees:
            for leaf in tree.preterminals():
                tags = self.known.setdefault(leaf.word or "", [])
                if leaf.label not in tags:
                    tags.append(leaf.label)
        self.tags = sorted({leaf.label for tree in trees for leaf in tree.preterminals()})
        order = list(range(len(trees)))
        rng = random.Random(seed)
        for _ in range(rounds):
            rng.shuffle(order)
            for index in order:
                self._learn(trees[index].words(), trees[index].tags())
        self.model.average()

    def _learn(self, words: list[str], gold: list[str]) -> None:
        guessed: list[str] = []
        for position, truth in enumerate(gold):
            features = _tag_features(words, guessed, position)
            guess = self.model.predict(features, self.tags)
            self.model.update(features, truth, guess)
            guessed.append(guess)

    def tag(self, words: list[str]) -> list[str]:
        """Return one tag a word."""
        tags: list[str] = []
        for position in range(len(words)):
            tags.append(self.model.predict(_tag_features(words, tags, position), self.tags))
        return tags


def _tag_features(words: list[str], tags: list[str], position: int) -> list[str]:
    word = words[position]
    before = words[position - 1] if position else "<s>"
    after = words[position + 1] if position + 1 < len(words) else "</s>"
    last = tags[-1] if tags else "<s>"
    last_two = f"{tags[-2] if len(tags) > 1 else '<s>'} {last}"
    first = is_first(words, position)
    low = word.lower() if first else word
    return [
        "bias",
        f"w {low}",
        f"shape {shape(word, first)}",
        f"suffix {low[-3:]}",
        f"suffix2 {low[-2:]}",
        f"t-1 {last}",
        f"t-2 {last_two}",
        f"t-1 w {last} {low}",
        f"t-1 shape {last} {shape(word, first)}",
        f"w-1 {before}",
        f"w+1 {after}",
        f"w w+1 {low} {after}",
        f"suffix+1 {after[-3:]}",
    ]
