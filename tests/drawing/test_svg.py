"""The SVG: well-formed whatever the labels, every node there once, marks beside colours, both themes."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from evaltools.corpus import Tree
from evaltools.drawing import COLOURS, draw, tree_legend
from evaltools.frameworks.constituency.aligned_trees import drawn_mapping
from evaltools.marks import Status
from tests.drawing.examples import ATTACHMENT, DOG, HOSTILE, PAIRS, TELESCOPE, aligned

SVG = "{http://www.w3.org/2000/svg}"


def nodes(source: str) -> list[ElementTree.Element]:
    return [g for g in ElementTree.fromstring(source).iter(f"{SVG}g") if "node" in g.get("class", "").split()]


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_every_node_is_a_group(pair: tuple[str, str], theme: str) -> None:
    alignment = aligned(pair)
    for kind in ("e", "t"):
        found = nodes(draw(alignment, mapping=kind, fold=False, theme=theme, interactive=True))
        seen = sorted((g.get("data-side"), int(g.get("data-node", ""))) for g in found)
        wanted = [("gold", n) for n in range(len(alignment.gold))] + [("test", n) for n in range(len(alignment.test))]
        assert seen == sorted(wanted)
        mapping = drawn_mapping(alignment, kind)
        for g in found:
            side, node = g.get("data-side"), int(g.get("data-node", ""))
            status = (mapping.gold_status if side == "gold" else mapping.test_status)[node]
            assert {side, status} <= set(g.get("class", "").split())
            assert g.get("aria-label")
            assert g.find(f"{SVG}title") is not None
            if status is not Status.MOVED:
                partner = (mapping.gold_partner if side == "gold" else mapping.test_partner)[node]
                assert g.get("data-partner") == (None if partner is None else str(partner))


def test_hostile_labels_are_shown_literally() -> None:
    source = draw(aligned(HOSTILE), mapping="t", title="<b>$x$</b>")
    texts = [text.text for text in ElementTree.fromstring(source).iter(f"{SVG}text")]
    assert {"-LRB-", "$", "<script>", "*", "&amp;", "-NONE-", "NP|<x>", "<b>$x$</b>"} <= set(texts)
    assert "␁␡\\u202eabc\ufffd" in texts
    assert "<script" not in source


def test_marks_say_what_colours_say() -> None:
    root = ElementTree.fromstring(draw(aligned(DOG), mapping="t"))
    for g in root.iter(f"{SVG}g"):
        classes = set(g.get("class", "").split())
        if "node" not in classes or "word" in classes:
            continue
        drawn = {name for part in g for name in part.get("class", "").split()}
        assert ("mark" in drawn) == ("right" not in classes)
        assert ("ring" in drawn) == ("spurious" in classes)


def test_titles_say_in_which_tree_a_node_stands_alone() -> None:
    names = {"missing": "missing: only in gold", "spurious": "spurious: only in parse"}
    seen = set()
    for g in nodes(draw(aligned(TELESCOPE), mapping="e", fold=False)):
        title = str(g.findtext(f"{SVG}title"))
        for status, text in names.items():
            assert (text in title) == (status in g.get("class", "").split())
            seen |= {status} & set(g.get("class", "").split())
    assert seen == names.keys()


def test_moved_word_and_moved_phrase() -> None:
    source = draw(aligned(ATTACHMENT), mapping="t")
    assert "moved" in source
    moved = draw(
        aligned(("(S (A (B b) (C c)) (D d) (E e) (F f))", "(S (D d) (E e) (F f) (A (B b) (C c)))")), mapping="t"
    )
    root = ElementTree.fromstring(moved)
    bonds = [g for g in root.iter(f"{SVG}g") if g.get("class") == "bond"]
    heads = [p for p in root.iter(f"{SVG}polygon") if p.get("class") == "head"]
    assert len(heads) <= len(bonds)


def test_themes_without_variables_name_their_colours() -> None:
    alignment = aligned(TELESCOPE)
    assert "var(" not in draw(alignment, mapping="t", theme="light")
    assert "var(" not in draw(alignment, mapping="t", theme="dark")
    assert "--st-text-color" in draw(alignment, mapping="t", theme="auto")
    light = draw(alignment, mapping="t", theme="light")
    assert all(colour in light for colour in COLOURS.values())


def test_legend_names_what_occurs() -> None:
    alignment = aligned(TELESCOPE)
    with_legend = draw(alignment, mapping="e")
    assert "missing (only in gold)" in with_legend
    assert ">relabeled<" not in with_legend
    assert "missing (only in gold)" not in draw(alignment, mapping="e", legend=False)
    ElementTree.fromstring(draw(tree_legend(), theme="auto"))


def test_missing_parse_says_so() -> None:
    gold = Tree.from_string("(S (NP (PRP I)) (VP (VBP go)))")
    source = draw(aligned((gold.to_string(), "(TOP)")), mapping="t", parse_name="parser <1>")
    ElementTree.fromstring(source)
    assert "parser &lt;1&gt;" in source


def test_single_tree() -> None:
    tree = Tree.from_string("(S (NP (N dogs)) (VP (V bark)))")
    assert len(nodes(draw(tree, title="A tree"))) == len(tree)


def test_a_single_tree_has_the_side_and_the_statuses_that_it_is_given() -> None:
    tree = Tree.from_string("(S (NP (N dogs)) (VP (V bark)))")
    statuses = [Status.RIGHT] * len(tree)
    statuses[2], statuses[4] = Status.SPURIOUS, Status.RELABELED
    found = nodes(draw(tree, statuses=statuses, side="test", name="your tree", interactive=True))
    assert sorted(int(g.get("data-node", "")) for g in found) == list(range(len(tree)))
    for g in found:
        classes = set(g.get("class", "").split())
        assert {"test", statuses[int(g.get("data-node", ""))]} <= classes
        assert g.get("tabindex") == "0"
    (spurious,) = (g for g in found if g.get("data-node") == "2")
    assert spurious.get("aria-label") == "NP · “dogs” · spurious: only in your tree"
    assert {"gold"} <= set(nodes(draw(tree))[0].get("class", "").split())
