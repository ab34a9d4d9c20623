"""The baseline: most frequent tags, a few chunk rules, and right branching everywhere.

It knows what a simple noun phrase looks like and that English builds to the right; it never attaches high, never
co-ordinates phrases, and lets every verb take the rest of the sentence.
"""

from __future__ import annotations

from .tagging import FrequentTags
from .trees import Node

_DETERMINERS = {"DT", "PDT", "PRP$", "WP$"}
_PREMODIFIERS = {"JJ", "JJR", "JJS", "CD", "NN", "NNS", "NNP", "NNPS", "VBG", "VBN", "$", "POS"}
_NOUNS = {"NN", "NNS", "NNP", "NNPS", "CD"}
_PRONOUNS = {"PRP", "EX"}
_VERBS = {"VB", "VBD", "VBZ", "VBP", "VBN", "VBG", "MD", "TO"}
_FINITE = {"VBD", "VBZ", "VBP", "MD"}
_WH = {"WP": "WHNP", "WDT": "WHNP", "WRB": "WHADVP"}
_FINAL = {".", "''"}


class Chunker:
    """The baseline parser."""

    def __init__(self, trees: list[Node]) -> None:
        self.tagger = FrequentTags(trees)

    def parse(self, words: list[str]) -> Node:
        """Return a tree; there always is one."""
        leaves = [Node(tag, word=word) for word, tag in zip(words, self.tagger.tag(words), strict=True)]
        end = len(leaves)
        while end > 1 and leaves[end - 1].label in _FINAL:
            end -= 1
        body = _clause(_chunks(leaves[:end]))
        if leaves[-1].word == "?" and body.label == "S" and leaves[0].label in ("MD", "VBD", "VBZ", "VBP"):
            body = Node("SQ", body.children)
        return Node("ROOT", (Node(body.label, (*body.children, *leaves[end:])),))


def _chunks(leaves: list[Node]) -> list[Node]:
    """Bracket simple noun phrases; everything else stays a word."""
    chunks: list[Node] = []
    position = 0
    while position < len(leaves):
        end = _noun_phrase_end(leaves, position)
        if end > position:
            chunks.append(Node("NP", tuple(leaves[position:end])))
            position = end
        else:
            chunks.append(leaves[position])
            position += 1
    return chunks


def _noun_phrase_end(leaves: list[Node], start: int) -> int:
    """Return where a noun phrase that starts here ends, or the start itself."""
    if leaves[start].label in _PRONOUNS:
        return start + 1
    position = start
    while position < len(leaves) and leaves[position].label in _DETERMINERS:
        position += 1
    determined = position > start
    last_noun = start + 1 if determined else start
    while position < len(leaves) and leaves[position].label in _PREMODIFIERS:
        verbal = leaves[position].label in ("VBG", "VBN")
        if verbal and not determined:
            break
        position += 1
        if leaves[position - 1].label in _NOUNS:
            last_noun = position
    return last_noun


def _clause(chunks: list[Node]) -> Node:
    """Bracket a clause: what comes before the first verb lies flat, the verb takes the rest."""
    for position, chunk in enumerate(chunks):
        if chunk.label in _WH or (chunk.label == "IN" and position and _has_finite(chunks[position + 1 :])):
            return Node("S", (*_flat(chunks[:position]), _subordinate(chunks[position:])))
        if chunk.label in _VERBS:
            return Node("S", (*_flat(chunks[:position]), _verb_phrase(chunks[position:])))
    if len(chunks) == 1 and not chunks[0].is_preterminal:
        return chunks[0]
    return Node("FRAG", tuple(_flat(chunks)))


def _has_finite(chunks: list[Node]) -> bool:
    """Whether a noun phrase and a finite verb follow at once."""
    return len(chunks) > 1 and chunks[0].label == "NP" and chunks[1].label in _FINITE


def _subordinate(chunks: list[Node]) -> Node:
    first, *rest = chunks
    opener = Node(_WH[first.label], (first,)) if first.label in _WH else first
    return Node("SBAR", (opener, _clause(rest))) if rest else Node("SBAR", (opener,))


def _flat(chunks: list[Node]) -> list[Node]:
    """Bracket what stands before a verb: prepositions take the next noun phrase."""
    result: list[Node] = []
    position = 0
    while position < len(chunks):
        chunk = chunks[position]
        if chunk.label == "IN" and position + 1 < len(chunks) and chunks[position + 1].label == "NP":
            result.append(Node("PP", (chunk, chunks[position + 1])))
            position += 2
            continue
        wrapped = {"RB": "ADVP", "UH": "INTJ", "JJ": "ADJP"}.get(chunk.label)
        result.append(Node(wrapped, (chunk,)) if wrapped else chunk)
        position += 1
    return result


def _verb_phrase(chunks: list[Node]) -> Node:
    """Bracket a verb and all that follows."""
    verb, *rest = chunks
    children = [verb]
    while rest and rest[0].label == "RB":
        children.append(rest.pop(0))
    if rest and rest[0].label == "TO":
        return Node("VP", (*children, Node("S", (_verb_phrase(rest),))))
    if rest and rest[0].label in _VERBS:
        return Node("VP", (*children, _verb_phrase(rest)))
    return Node("VP", (*children, *_rest(rest)))


def _rest(chunks: list[Node]) -> list[Node]:
    """Bracket the complements of a verb, each attached to the one before it."""
    if not chunks:
        return []
    first, *rest = chunks
    if first.label in _WH or (first.label == "IN" and _has_finite(rest)):
        return [_subordinate(chunks)]
    if first.label == "NP" and rest:
        if rest[0].label in _FINITE:
            return [Node("SBAR", (_clause(chunks),))]
        if rest[0].label in ("IN", "TO") and not _has_finite(rest[1:]) and len(rest) > 1 and rest[1].label == "NP":
            return [Node("NP", (first, *_rest(rest)))]
        if rest[0].label in _WH:
            return [Node("NP", (first, _subordinate(rest)))]
        return [first, *_rest(rest)]
    if first.label in ("IN", "TO") and rest and rest[0].label == "NP":
        return [Node("PP", (first, *_rest(rest)))]
    if first.label in _VERBS:
        inner = _verb_phrase(chunks)
        return [Node("S", (inner,)) if first.label in ("TO", "VBG") else inner]
    wrapped = {"RB": "ADVP", "JJ": "ADJP", "RP": "PRT", "UH": "INTJ"}.get(first.label)
    return [Node(wrapped, (first,)) if wrapped else first, *_rest(rest)]
