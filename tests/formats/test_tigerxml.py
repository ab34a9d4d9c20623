"""TIGER-XML."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest
from hypothesis import given

from evaltools import ParameterError, Tree, Treebank, read_treebank
from evaltools.corpus import Kind
from evaltools.formats import FORMATS
from tests.slow.discontinuous import random_discontinuous
from tests.slow.trees import randoms

WRITE = FORMATS["tigerxml"].write
SENTENCE = """\
<s id="s1"><graph root="s1_500" discontinuous="true">
  <terminals>
    <t id="s1_1" word="is" lemma="be" pos="VB" morph="--"/><t id="s1_2" word="John" pos="NP"/>
    <t id="s1_3" word="&quot;r&amp;d&quot;" pos="JJ"><secedge label="SB" idref="s1_500"/></t>
    <t id="s1_4" word="?" pos="--"/>
  </terminals>
  <nonterminals>
    <nt id="s1_501" cat="VP"><edge label="HD" idref="s1_1"/><edge label="PD" idref="s1_3"/></nt>
    <nt id="s1_500" cat="S"><edge label="--" idref="s1_501"/><edge label="SB" idref="s1_2"/></nt>
  </nonterminals>
</graph><matches/></s>
"""
HEAD = '<?xml version="1.0"?>\n<corpus id="c">\n<head><annotation/></head>\n<body>\n'
TREE = '(S (VP (VB 0=is) (JJ 2="r&d")) (NP 1=John)) 3=?'


def read(text: str) -> Treebank:
    return read_treebank(BytesIO(text.encode()), "tigerxml")


def test_a_sentence_with_a_gap_and_a_secondary_edge():
    treebank = read_treebank(BytesIO(f"{HEAD}{SENTENCE}</body>\n</corpus>\n".encode()))
    assert isinstance(treebank, Treebank)
    assert treebank.format == "tigerxml"
    tree = treebank.tree(0)
    assert str(tree) == treebank.source(0) == TREE
    assert dict(zip(tree.labels, tree.functions or (), strict=True))["VB"] == "HD"
    assert treebank.line.tolist() == [5]
    (problem,) = treebank.problems
    assert (problem.kind, problem.sentence) == ("secondary_edge", 1)


@pytest.mark.parametrize(
    ("old", "new", "kind", "found"),
    [
        ('idref="s1_3"/></nt>', 'idref="s1_9"/></nt>', "unknown_node", "an edge to 's1_9'"),
        ('idref="s1_2"/></nt>', 'idref="s1_3"/></nt>', "parent", "a second edge to s1_3"),
        ('id="s1_2"', 'id="s1_1"', "duplicate_id", "the id s1_1 a second time"),
        ('word="is"', "", "columns", "<t> without a word"),
        ('<nt id="s1_501"', "<nt", "columns", "<nt> without an id"),
        ("</terminals>", "", "unbalanced", "no XML: mismatched tag"),
        ("&amp;", "&lol;", "unbalanced", "no XML: undefined entity"),
        ("</s>", "", "unbalanced", "<s> that is never closed"),
        ('"SB" idref="s1_2"', '"SB" idref="s1_500"', "cycle", "phrases that are above each other: s1_500"),
    ],
)
def test_what_is_wrong_is_listed_and_costs_no_other_sentence(old: str, new: str, kind: str, found: str):
    broken = SENTENCE.replace(old, new, 1)
    assert broken != SENTENCE
    treebank = read(f"{broken}{SENTENCE}")
    assert [len(treebank.tree(index)) > 0 for index in range(2)] == [False, True]
    problem = next(item for item in treebank.problems if item.kind == kind)
    assert problem.found.startswith(found)
    assert problem.sentence == 1


def test_text_between_sentences_and_phrases_without_words_are_listed():
    edges = '<edge label="HD" idref="s1_1"/><edge label="PD" idref="s1_3"/>'
    treebank = read(f"{HEAD}{SENTENCE}stray\n{SENTENCE.replace(edges, '')}</body></corpus>")
    assert len(treebank) == 2
    assert {(item.kind, item.sentence) for item in treebank.problems if item.kind != "secondary_edge"} == {
        ("text", None),
        ("empty_bracket", 2),
    }


@given(randoms)
def test_what_is_written_is_read_again(random: Random):
    trees = [random_discontinuous(random, functions=True)[0] for _ in range(3)]
    trees = [
        Tree(item.labels, item.parents, item.starts, item.ends, item.kinds, item.positions, _below(item))
        for item in trees
    ]
    treebank = read(WRITE([*trees[:2], None, trees[2]]))
    assert treebank.problems == []
    assert [treebank.tree(index) for index in (0, 1, 3)] == trees
    assert not len(treebank.tree(2))


def _below(tree: Tree) -> tuple[str, ...] | None:
    """Return the functions without those of roots."""
    if tree.functions is None:
        return None
    return tuple("" if up < 0 else name for name, up in zip(tree.functions, tree.parents, strict=True))


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (Tree(("a\x00", "N"), (1, -1), (0, 0), (1, 1), (Kind.WORD, Kind.PRETERMINAL)), "the character"),
        (Tree(("a", "--"), (1, -1), (0, 0), (1, 1), (Kind.WORD, Kind.PRETERMINAL)), "the tag '--'"),
        (Tree(("a", "N"), (1, -1), (0, 0), (1, 1), (Kind.WORD, Kind.PRETERMINAL), None, ("", "HD")), "a root"),
        (Tree(("S",), (-1,), (0,), (0,), (Kind.PHRASE,)), ""),
    ],
)
def test_what_it_cannot_hold_is_refused(tree: Tree, reason: str):
    if not reason:
        assert "<t " not in WRITE([tree])
        return
    with pytest.raises(ParameterError, match=f"sentence 1: TIGER-XML cannot hold .*{reason}"):
        WRITE([tree])
