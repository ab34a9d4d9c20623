"""Small files in the formats of other frameworks: discontinuous trees, relational-realizational trees, function trees."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .corpus import HANDWRITTEN, Sentence
from .dependency import Dependencies
from .trees import Node, parse_all

RELATIONAL_REALIZATIONAL = (
    "(S ({sbj,prd,obj} (sbj (NP ({det,hd} (det (DT The)) (hd (NN pilot))))) (prd (VBD drew)) "
    "(obj (NP ({det,hd} (det (DT a)) (hd (NN map)))))))",
    "(S ({sbj,prd,obj,adv} (sbj (NP ({hd} (hd (NN Nobody))))) (prd (VBD told)) "
    "(obj (NP ({det,hd} (det (DT the)) (hd (NN widow))))) (adv (ADVP ({hd} (hd (RB then)))))))",
)
FUNCTION_TREES = (
    "(root (sbj (det The) (hd pilot)) (prd drew) (obj (det a) (hd map)))",
    "(root (sbj Nobody) (prd told) (obj (det the) (hd widow)) (adv then))",
)
MULTIWORD = """\
# sent_id = multiword-1
# text = I don't know.
1	I	I	PRON	PRP	_	4	nsubj	4:nsubj	_
2-3	don't	_	_	_	_	_	_	_	_
2	do	do	AUX	VBP	_	4	aux	4:aux	_
3	n't	not	PART	RB	_	4	advmod	4:advmod	_
4	know	know	VERB	VB	_	0	root	0:root	SpaceAfter=No
5	.	.	PUNCT	.	_	4	punct	4:punct	_

# sent_id = multiword-2
# text = Zora drank tea, and Emil coffee.
1	Zora	Zora	PROPN	NNP	_	2	nsubj	2:nsubj	_
2	drank	drink	VERB	VBD	_	0	root	0:root	_
3	tea	tea	NOUN	NN	_	2	obj	2:obj	SpaceAfter=No
4	,	,	PUNCT	,	_	6	punct	6.1:punct	_
5	and	and	CCONJ	CC	_	6	cc	6.1:cc	_
6	Emil	Emil	PROPN	NNP	_	2	conj	6.1:nsubj	_
6.1	drank	drink	VERB	VBD	_	_	_	2:conj:and	CopyOf=2
7	coffee	coffee	NOUN	NN	_	6	orphan	6.1:obj	SpaceAfter=No
8	.	.	PUNCT	.	_	2	punct	2:punct	_

"""


def discontinuous() -> list[Node]:
    """Read the hand-written trees; a word is still written with its place before it."""
    text = (HANDWRITTEN / "discontinuous.txt").read_text(encoding="utf-8")
    return parse_all(text, shorthand=False)


def word_and_place(leaf: Node) -> tuple[int, str]:
    """Return the place and the word of a leaf ``4=who``."""
    place, _, word = (leaf.word or "").partition("=")
    return int(place), word


def check(trees: list[Node], sentences: list[Sentence]) -> None:
    """Verify that the trees have the words and tags of the gold sentences.

    Raises
    ------
    ValueError
        With the words of the tree at fault.
    """
    for tree, sentence in zip(trees, sentences, strict=True):
        found = sorted((*word_and_place(leaf), leaf.label) for leaf in tree.preterminals())
        gold = [(place, leaf.word, leaf.label) for place, leaf in enumerate(sentence.tree.preterminals())]
        if found != gold:
            raise ValueError(f"handwritten/discontinuous.txt differs: {' '.join(sentence.tree.words())}")


def first_place(node: Node) -> int:
    """Return the place of the first word below a node."""
    return min(word_and_place(leaf)[0] for leaf in node.preterminals())


def in_order(node: Node) -> Node:
    """Return the tree with the children of every phrase in the order of their first words."""
    return Node(node.label, tuple(sorted(map(in_order, node.children), key=first_place)), node.word)


def export(trees: Iterable[Node]) -> str:
    """Return trees in NEGRA's export format, version 3; a function tag goes into the column of edges."""
    lines = ["#FORMAT 3"]
    for number, tree in enumerate(trees, 1):
        phrases: list[Node] = []
        _inner_first(tree, phrases)
        parents = {id(child): 500 + phrases.index(phrase) for phrase in phrases for child in phrase.children}
        lines.append(f"#BOS {number}")
        for leaf in sorted(tree.preterminals(), key=word_and_place):
            lines.append("\t".join((word_and_place(leaf)[1], leaf.label, "--", "--", str(parents[id(leaf)]))))
        for place, phrase in enumerate(phrases, 500):
            label, *functions = re.split("-", phrase.label)
            parent = str(parents.get(id(phrase), 0))
            lines.append("\t".join((f"#{place}", label, "--", "-".join(functions) or "--", parent)))
        lines.append(f"#EOS {number}")
    return "\n".join(lines) + "\n"


def _inner_first(node: Node, phrases: list[Node]) -> None:
    """List the phrases, every one after those inside it."""
    for child in node.children:
        _inner_first(child, phrases)
    if not node.is_preterminal:
        phrases.append(node)


def conllx(sentences: Iterable[Dependencies]) -> str:
    """Return dependencies as CoNLL-X: two tags of the treebank, no comments, and no second tree."""
    blocks = []
    for sentence in sentences:
        for place, word in enumerate(sentence, 1):
            row = (str(place), word.form, "_", word.xpos[:2], word.xpos, "_", str(word.head), word.relation, "_", "_")
            blocks.append("\t".join(row) + "\n")
        blocks.append("\n")
    return "".join(blocks)


def files(sentences: list[Sentence], functional: list[Dependencies]) -> dict[str, bytes]:
    """Return the content of every file by its name.

    Parameters
    ----------
    sentences, functional
        The extraposed sentences, and their dependencies in the functional scheme.
    """
    trees = [in_order(tree) for tree in discontinuous()]
    check(trees, sentences)
    made = {
        "discontinuous.discbracket": "".join(f"{tree}\n" for tree in trees),
        "discontinuous.export": export(trees),
        "dependencies.conllx": conllx(functional),
        "multiword.conllu": MULTIWORD,
        "relational-realizational.txt": "".join(f"{tree}\n" for tree in RELATIONAL_REALIZATIONAL),
        "function-trees.txt": "".join(f"{tree}\n" for tree in FUNCTION_TREES),
    }
    return {name: text.encode() for name, text in made.items()}
