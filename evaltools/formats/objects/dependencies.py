"""Sentences in memory that become CoNLL-U: trees of evaltools, sentences of conllu, spaCy and Stanza."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from evaltools.corpus import DependencyTree
from evaltools.formats import conllu
from evaltools.formats.dependency_columns import ColumnOrder, is_named
from evaltools.formats.objects.kind import ObjectKind, from_each, has_members, text_source
from evaltools.formats.reading.blocks import NO_PARSE
from evaltools.formats.reading.source import Source

__all__ = ["DEPENDENCY_TREES", "SPACY_DOCS", "STANZA_DOCUMENTS", "TOKEN_LISTS"]


_ROOT = "ROOT"


def _conllu_of(write: Callable[[Any], str]) -> Callable[[Sequence[Any], str], Source]:
    """Return how sentences become CoNLL-U, given how one of them does."""

    def corpus(items: Sequence[Any], name: str) -> Source:
        blocks = from_each(items, write, name)
        text = "".join(f"{(block or '').strip() or NO_PARSE}\n\n" for block in blocks)
        return text_source(text, name, conllu.NAME)

    return corpus


def _row(number: object, form: str, *columns: object) -> str:
    """Return a line of CoNLL-U; blanks inside a column become no-break spaces, as in files."""
    values = ["" if column is None else str(column) for column in (form, *columns)]
    return "\t".join([str(number), *("\u00a0".join(value.split()) or "_" for value in values)])


# --------------------------------------------------------------------------------------------------------------- spaCy


def _spacy_sentences(doc: Any) -> list[Any]:
    """Return the sentences of a text; the whole text if no component has set their bounds."""
    return list(doc.sents) if doc.has_annotation("SENT_START") else [doc]


def _spacy_corpus(items: Sequence[Any], name: str) -> Source:
    """Write Docs; the relation ``ROOT``, which spaCy gives whatever the others are, is in lower case if these are."""
    relations = {token.dep_ for doc in items if doc is not None for token in doc} - {_ROOT}
    root = _ROOT if any(relation.isupper() for relation in relations) else _ROOT.lower()
    return _conllu_of(partial(_spacy_rows, root=root))(items, name)


def _spacy_rows(doc: Any, root: str) -> str:
    """Write the words of a Doc or Span; tokens of white space are left out."""
    words = [token for token in doc if not token.is_space]
    if words and not any(token.dep_ for token in words):
        raise ValueError("a Doc without heads and relations: no parser has annotated it (None is a missing parse)")
    number = {token.i: index for index, token in enumerate(words, start=1)}
    rows = []
    for index, token in enumerate(words, start=1):
        head = token.head
        while head.is_space and head.head.i != head.i:
            head = head.head
        is_root = head.i == token.i or head.i not in number
        relation = root if token.dep_ == _ROOT else token.dep_
        above = 0 if is_root else number[head.i]
        rows.append(_row(index, token.text, token.lemma_, token.pos_, token.tag_, token.morph, above, relation, "", ""))
    return "\n".join(rows)


# -------------------------------------------------------------------------------------------------------------- Stanza


def _stanza_rows(item: Any) -> str:
    """Write a Sentence, or the sentences of a Document one after the other, as one sentence."""
    rows: list[str] = []
    n_before = 0
    for sentence in item.sentences if _is_stanza_document(item) else [item]:
        starts = {token.id[0]: token for token in sentence.tokens if len(token.id) > 1}
        for number, word in enumerate(sentence.words, start=n_before + 1):
            if (token := starts.get(word.id)) is not None:
                rows.append(_row(f"{number}-{n_before + token.id[-1]}", token.text, *[""] * 8))
            if word.head is None:
                raise ValueError(f"word {word.id} without a head: no parser has annotated it (None is a missing parse)")
            head = n_before + word.head if word.head else 0
            columns = (word.lemma, word.upos, word.xpos, word.feats, head, word.deprel, "", "")
            rows.append(_row(number, word.text, *columns))
        n_before += len(sentence.words)
    return "\n".join(rows)


def _is_stanza_document(item: object) -> bool:
    return has_members(item, "sentences", "num_words")


def _is_stanza(item: object) -> bool:
    return _is_stanza_document(item) or has_members(item, "tokens", "words", "dependencies")


def _stanza_sentences(item: Any) -> list[Any]:
    return list(item.sentences) if _is_stanza_document(item) else [item]


# ---------------------------------------------------------------------------------------------------------- the others


def _token_list(tokens: Iterable[Any]) -> str:
    """Write a TokenList, whatever its fields are; one without tokens is a missing parse."""
    rows = list(tokens)
    if not rows:
        return ""
    order = ColumnOrder.of_names(list(rows[0]))
    lines = str(tokens.serialize()).splitlines()  # type: ignore[attr-defined]  # its protocol
    lines = [line for line in lines if line and not is_named(line.encode())]
    return "\n".join(line if line.startswith("#") else order.row(line) for line in lines)


def _tree(tree: DependencyTree) -> str:
    return tree.to_string(conllu.NAME) if len(tree) else ""


DEPENDENCY_TREES = ObjectKind(
    "evaltools.DependencyTree", lambda item: isinstance(item, DependencyTree), _conllu_of(_tree)
)
TOKEN_LISTS = ObjectKind(
    "conllu.TokenList", lambda item: has_members(item, "serialize", "to_tree"), _conllu_of(_token_list)
)
SPACY_DOCS = ObjectKind("spaCy Doc", lambda item: has_members(item, "vocab", "sents"), _spacy_corpus, _spacy_sentences)
STANZA_DOCUMENTS = ObjectKind("Stanza Document", _is_stanza, _conllu_of(_stanza_rows), _stanza_sentences)
