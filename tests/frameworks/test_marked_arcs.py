"""The repairs of a dependency parse: which words are one error, their order, and what is said of them."""

from __future__ import annotations

from evaltools.corpus import DependencyTree
from evaltools.frameworks.dependency.alignment import align_dependencies
from evaltools.frameworks.dependency.marked import marked_arcs
from evaltools.frameworks.dependency.views import sentence_view
from evaltools.frameworks.views import Sentence, Viewing
from evaltools.marks import Repair, Status
from tests.drawing.arc_examples import NO_PARSE, OTHER_WORDS, STARS


def tree(heads: tuple[int, ...], relations: str = "", forms: str = "") -> DependencyTree:
    names = forms.split() or [chr(ord("a") + place) for place in range(len(heads))]
    return DependencyTree(tuple(names), heads, tuple(relations.split() or ["x"] * len(heads)))


def repairs(gold: DependencyTree, test: DependencyTree) -> tuple[Repair, ...]:
    sentence = marked_arcs(align_dependencies(gold, test))
    assert sentence is not None
    assert sum(repair.repaired for repair in sentence.repairs) == sentence.wrong
    assert [repair.number for repair in sentence.repairs] == list(range(1, len(sentence.repairs) + 1))
    return sentence.repairs


def told(gold: DependencyTree, test: DependencyTree) -> list[str]:
    return [f"{repair.phrase} {repair.verdict}" for repair in repairs(gold, test)]


def test_words_with_the_same_wrong_and_the_same_right_head_are_one_repair():
    gold, test = tree((-1, 5, 5, 5, 5, 0)), tree((-1, 0, 0, 0, 5, 0))
    (repair,) = repairs(gold, test)
    assert (repair.status, repair.repaired, repair.moved) == (Status.MOVED, 3, ((1, 4),))
    assert told(gold, test) == ["“b”, “c” and “d” attach to “a”, belong to “f”"]


def test_many_words_are_counted():
    assert told(tree((-1, *[0] * 7)), tree((-1, 0, *[1] * 6))) == [
        "“c”, “d”, “e” and 3 more attach to “b”, belong to “a”"
    ]


def test_a_wrong_relation_alone_is_a_relabeling():
    (repair,) = repairs(tree((-1, 0), "root obj"), tree((-1, 0), "root obl"))
    assert repair.status is Status.RELABELED
    assert (repair.phrase, repair.verdict, repair.short) == ("“b”", "is obl of “a”, should be obj", "obl → obj")
    assert told(tree((-1,), "root"), tree((-1,), "dep")) == ["“a” is dep, should be root"]


def test_relations_are_named_where_they_are_wrong_too():
    assert told(*STARS)[0] == "“telescopes” attaches to “stars” as nmod, belongs to “saw” as obl"


def test_roots_and_words_of_the_same_form():
    assert told(tree((-1, 0)), tree((1, -1))) == [
        "“a” attaches to “b”, should be the root",
        "“b” is the root, belongs to “a”",
    ]
    same = "the cat the dog"
    assert told(tree((-1, 0, 0, 0), forms=same), tree((-1, 0, 0, 2), forms=same)) == [
        "“dog” attaches to “the” (word 3), belongs to “the” (word 1)"
    ]


def test_a_repair_in_focus_has_its_own_arcs_alone():
    whole = marked_arcs(align_dependencies(tree((-1, 0, 0, 2)), tree((-1, 0, 1, 1))))
    assert whole is not None
    assert {number for link in whole.links for number in link.repairs} == {1, 2}
    assert {link.repairs for link in whole.focused(2).links} == {(2,)}
    assert whole.focused(3) is whole


def test_the_order_is_by_number_then_coordination_then_heads_before_relations_then_size():
    gold = tree((-1, 0, 0, 2, 0, 0, 0), "root nsubj obj nmod conj obl x")
    found = repairs(gold, tree((-1, 0, 1, 2, 1, 4, 0), "root iobj obj nmod conj obl x"))
    assert [repair.moved or repair.short for repair in found] == [((2, 3), (4, 5)), ((5, 6),), "iobj → nsubj"]
    alone = repairs(gold, tree((-1, 0, 1, 2, 3, 0, 0), "root iobj obj nmod conj obl x"))
    assert [repair.moved or repair.short for repair in alone] == [((4, 5),), ((2, 3),), "iobj → nsubj"]


def test_without_the_gold_words_there_is_none():
    assert marked_arcs(align_dependencies(*OTHER_WORDS)) is None
    assert marked_arcs(align_dependencies(*NO_PARSE)) is None


def test_the_errors_of_the_words_of_a_row_stand_out():
    alignment = align_dependencies(tree((-1, 5, 5, 5, 5, 0)), tree((-1, 0, 0, 0, 0, 0), "x x x x y y"))
    focus = {
        words: sentence_view(Sentence(alignment), Viewing(words=words, is_brief=True)).marked.focus  # type: ignore[union-attr]
        for words in ((), (2,), (5,))
    }
    assert focus == {(): None, (2,): 1, (5,): 2}
