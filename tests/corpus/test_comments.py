"""Comments of CoNLL-U as metadata, against a slow reading of the whole text."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from evaltools.corpus import Vocabulary
from evaltools.corpus.sentence_ids import CommentReader
from evaltools.formats.conll import CONLLU
from evaltools.formats.source import Source

WORD = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_"


def read(text: str, cut: int = 0) -> list[dict[str, str]]:
    """Read a file, the first `cut` sentences before the others."""
    trees = CONLLU.read(Source("x", text.encode(), ""), Vocabulary())
    reader = CommentReader()
    parts = [slice(None, cut), slice(cut, None)]
    return [row for part in parts for row in reader.read(trees.text, trees.text_start[part], trees.text_end[part])]


def test_documents_and_paragraphs_go_on_and_comments_hold_for_what_they_follow():
    text = f"""\
# newdoc id = d1
# genre = news
# meta::year = 2001
# newpar
# place = Rome
# sent_id = s1
# mood = high
# text = a = b
# a remark
{WORD}
# after = words

# sent_id = s2
{WORD}

# newdoc
# newpar id = p
# global.Entity = x
# empty =
# sent_id = s3
# meta::year = 2002
{WORD}

"""
    first = {"document": "d1", "genre": "news", "year": "2001", "paragraph": "d1, 1", "place": "Rome"}
    expected = [
        first | {"sent_id": "s1", "mood": "high"},
        first | {"sent_id": "s2"},
        {"document": "2", "year": "2002", "paragraph": "p", "sent_id": "s3"},
    ]
    for cut in range(4):
        assert read(text, cut) == expected


def slowly(blocks: list[list[str]]) -> list[dict[str, str]]:
    """Read comments line by line, with one dictionary of what holds."""
    rows, document, paragraph, n_documents, n_paragraphs = [], {}, {}, 0, 0
    for lines in blocks:
        own, level = {}, "own"
        for line in lines:
            key, _, value = (part.strip() for part in line.removeprefix("#").partition("="))
            if key == "newdoc id":
                n_documents, n_paragraphs, level = n_documents + 1, 0, "document"
                document, paragraph = {"document": value}, {}
            elif key == "newpar":
                n_paragraphs, level = n_paragraphs + 1, "paragraph"
                name = document.get("document")
                paragraph = {"paragraph": f"{name}, {n_paragraphs}" if name else str(n_paragraphs)}
            elif key == "sent_id":
                own, level = own | {key: value}, "own"
            else:
                {"own": own, "document": document, "paragraph": paragraph}[level][key] = value
        rows.append({**document, **paragraph, **own})
    return rows


COMMENTS = st.lists(
    st.sampled_from(["# newdoc id = a", "# newdoc id = b", "# newpar", "# sent_id = s", "# k = v", "#l=w", "# k = z"]),
    max_size=6,
)


@given(st.lists(COMMENTS, min_size=1, max_size=6), st.integers(0, 6))
def test_any_order_of_comments_is_read_as_line_by_line(blocks: list[list[str]], cut: int):
    text = "".join("".join(f"{line}\n" for line in lines) + f"{WORD}\n\n" for lines in blocks)
    assert read(text, min(cut, len(blocks))) == slowly(blocks)


def test_a_text_without_comments_says_nothing():
    text = f"{WORD}\n\n".encode()
    assert CommentReader().read(text, np.array([0]), np.array([len(text)])) == [{}]
