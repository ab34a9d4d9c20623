"""Objects with the members by which those of spaCy and Stanza are recognized, made from rows of CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

Row = list[str]


def rows_of(block: str) -> list[Row]:
    """Return the words of a sentence in CoNLL-U, without multiword tokens and empty nodes."""
    rows = [line.split("\t") for line in block.splitlines() if line and not line.startswith("#")]
    return [row for row in rows if row[0].isdigit()]


@dataclass
class SpacyToken:
    i: int
    text: str
    lemma_: str = ""
    pos_: str = ""
    tag_: str = ""
    morph: str = ""
    dep_: str = ""
    head: SpacyToken = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.head = self

    @property
    def is_space(self) -> bool:
        return self.text.isspace()


@dataclass
class SpacyDoc:
    """A Doc of spaCy: its tokens, and where sentences begin."""

    tokens: list[SpacyToken]
    starts: tuple[int, ...] = (0,)
    vocab: None = None

    def __iter__(self) -> Iterator[SpacyToken]:
        return iter(self.tokens)

    def has_annotation(self, name: str) -> bool:
        return name == "SENT_START"

    @property
    def sents(self) -> Iterator[SpacyDoc]:
        """The sentences, as spans of the same tokens."""
        for start, end in zip(self.starts, [*self.starts[1:], len(self.tokens)], strict=True):
            yield SpacyDoc(self.tokens[start:end])


def spacy_doc(*blocks: str) -> SpacyDoc:
    """Return sentences in CoNLL-U as one Doc, with the relation ROOT as spaCy names it, and a space at the end."""
    tokens: list[SpacyToken] = []
    starts = []
    for block in blocks:
        first = len(tokens)
        starts.append(first)
        rows = rows_of(block)
        for row in rows:
            label = "ROOT" if row[7] == "root" else row[7]
            tokens.append(SpacyToken(len(tokens), row[1], row[2], row[3], row[4], "", label))
        for token, row in zip(tokens[first:], rows, strict=True):
            token.head = token if row[6] == "0" else tokens[first + int(row[6]) - 1]
        space = SpacyToken(len(tokens), "\n", dep_="dep")
        space.head = tokens[first]
        tokens.append(space)
    return SpacyDoc(tokens, tuple(starts))


@dataclass
class StanzaWord:
    id: int
    text: str
    lemma: str | None
    upos: str | None
    xpos: str | None
    feats: str | None
    head: int | None
    deprel: str | None


@dataclass
class StanzaToken:
    id: tuple[int, ...]
    text: str


class StanzaSentence:
    def __init__(self, block: str) -> None:
        self._words = []
        for row in rows_of(block):
            lemma, upos, xpos, feats = (None if value == "_" else value for value in row[2:6])
            self._words.append(StanzaWord(int(row[0]), row[1], lemma, upos, xpos, feats, int(row[6]), row[7]))
        lines = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
        ids = [(tuple(map(int, line[0].split("-"))), line[1]) for line in lines if line[0].replace("-", "").isdigit()]
        self._tokens = [StanzaToken(*pair) for pair in ids]

    @property
    def words(self) -> list[StanzaWord]:
        return self._words

    @property
    def tokens(self) -> list[StanzaToken]:
        return self._tokens

    @property
    def dependencies(self) -> list[tuple[StanzaWord, str, StanzaWord]]:
        raise AssertionError("recognizing an object computes no property")


class StanzaDocument:
    def __init__(self, *blocks: str) -> None:
        self._sentences = [StanzaSentence(block) for block in blocks]

    @property
    def sentences(self) -> list[StanzaSentence]:
        return self._sentences

    @property
    def num_words(self) -> int:
        return sum(len(sentence.words) for sentence in self._sentences)
