"""Scenes and SVG: every node is there once with its own status, and all writers print the same, whatever the labels."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from evaltools.corpus import MultiFunctionTree, Tree
from evaltools.drawing import COLORS, Drawing, bracket_bars, draw, languages, tree_legend
from evaltools.drawing.bars import bars_scene
from evaltools.drawing.graphs import arcs_scene, graph_scene
from evaltools.drawing.lineages import lineage_scene, lineage_table_scene
from evaltools.drawing.scene import Group, Line, Mark, Scene, Text, walk
from evaltools.drawing.trees import alignment_scene, tree_scene
from evaltools.errors import ParameterError
from evaltools.frameworks.common.lineages import lineage_table
from evaltools.frameworks.constituency.aligned_trees import drawn_mapping
from evaltools.marks import Status
from tests.drawing import arc_examples, graph_examples
from tests.drawing.examples import ATTACHMENT, DOG, HOSTILE, PAIRS, TELESCOPE, aligned, cannot

SVG = "{http://www.w3.org/2000/svg}"
OTHER_STATUSES = ("(S (Y (X (Y a) (Y (X (Z (V b)) c)))))", "(S (Y (X (N a) b) (Z (V c))))")


def groups(scene: Scene) -> list[Group]:
    return [item for item in walk(scene.items) if isinstance(item, Group)]


@pytest.mark.parametrize("mapping", ["e", "t"])
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_the_title_of_a_node_names_its_own_status_and_tree(pair: tuple[str, str], mapping: str) -> None:
    alignment = aligned(pair)
    drawn = drawn_mapping(alignment, mapping)
    statuses = {"gold": drawn.gold_status, "test": drawn.test_status}
    scene = alignment_scene(alignment, mapping, fold=False, gold_name="G", parse_name="T")
    nodes = [one for one in groups(scene) if one.role == "node"]
    assert len(nodes) == len(alignment.gold) + len(alignment.test)
    for node in nodes:
        status = statuses[node.side][int(str(node.data["node"]))]
        assert node.status == status
        assert node.title is not None
        name = "missing" if node.side == "gold" else "spurious"
        alone = f"{name}: only in {'G' if node.side == 'gold' else 'T'}"
        assert (alone in node.title) == (status in (Status.MISSING, Status.SPURIOUS))
        assert ("only in" in node.title) == (alone in node.title)


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_nodes_of_gold_stand_above_the_words_and_those_of_test_below(pair: tuple[str, str]) -> None:
    scene = alignment_scene(aligned(pair), "t", fold=False, legend=False)
    (drawing,) = (item for item in scene.items if isinstance(item, Group) and item.offset)
    middle = (scene.middle or 0.0) - (drawing.offset or (0.0, 0.0))[1]
    for node in groups(Scene(0, 0, drawing.items, "", "")):
        if node.role == "node" and node.more != "word":
            heights = [item.y for item in node.items if isinstance(item, Text)]
            assert all((y < middle) == (node.side == "gold") for y in heights)


def test_the_status_of_a_word_in_gold_stands_over_it_and_that_in_test_under_it() -> None:
    alignment = aligned(OTHER_STATUSES)
    cells = [one for one in groups(alignment_scene(alignment, "t", fold=False)) if one.role == "cell"]
    found = {}
    for cell in cells:
        parts = [part for part in cell.items if isinstance(part, Group)]
        (text,) = (item for part in parts for item in part.items if isinstance(item, Text))
        found[text.text] = [
            (part.side, part.status, len(lines), {line.points[0][1] < text.y for line in lines}, mark.y < text.y)
            for part in parts
            if (lines := [item for item in part.items if isinstance(item, Line)])
            for mark in part.items
            if isinstance(mark, Mark)
        ]
    assert found == {
        "a": [],
        "b": [("gold", "relabeled", 1, {True}, True), ("test", "spurious", 2, {False}, False)],
        "c": [("gold", "missing", 1, {True}, True), ("test", "relabeled", 1, {False}, False)],
    }


TREE = MultiFunctionTree(("it", "was", "50%"), {frozenset({0, 2}): {"a_b"}, frozenset({1}): set()})
SCENES = {
    "trees": alignment_scene(aligned(TELESCOPE), "t"),
    "hostile trees": alignment_scene(aligned(HOSTILE), "e", title="50% <b>"),
    "words differ": alignment_scene(cannot(), "e"),
    "tree": tree_scene(aligned(DOG).gold),
    "arcs": arcs_scene(arc_examples.aligned(arc_examples.STARS)),
    "graphs": graph_scene(graph_examples.aligned((graph_examples.GOLD, graph_examples.TEST)), properties="all"),
    "bars": bars_scene(TREE),
    "brackets": bars_scene(bracket_bars(aligned(DOG))),
    "lineage": lineage_scene(aligned(DOG).words[1]),
    "table": lineage_table_scene(lineage_table(("NP", "S"), ("N1", "NP", "S"), "la")),
}


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_svg_prints_every_text_and_mark_of_any_scene(scene: Scene, theme: str) -> None:
    root = ElementTree.fromstring(draw(scene, "svg", theme=theme))
    texts = [item.text for item in walk(scene.items) if isinstance(item, Text)]
    assert len([one for one in root.iter() if one.tag.endswith("}text")]) == len(texts)
    marks = [str(item.status) for item in walk(scene.items) if isinstance(item, Mark)]
    assert [name[5:] for one in root.iter() if (name := one.get("class", "")).startswith("mark ")] == marks


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_latex_prints_every_text_and_mark_of_any_scene(scene: Scene) -> None:
    source = draw(scene, "latex", standalone=True)
    items = list(walk(scene.items))
    marks = sum(isinstance(item, Mark) for item in items)
    assert source.count(r"\node[text=eval") == marks
    assert source.count(r"\node") == marks + sum(isinstance(item, Text) for item in items)
    assert all(line.endswith(";") for line in source.splitlines() if line.startswith(("\\node", "\\draw", "\\path")))
    assert source.count("{") - source.count(r"\{") == source.count("}") - source.count(r"\}")


def test_a_language_that_something_is_not_drawn_in_is_refused() -> None:
    tree = aligned(DOG).gold
    assert languages(tree) == ("text", "svg", "dot", "latex")
    assert languages(SCENES["lineage"]) == ("svg", "latex")
    with pytest.raises(ParameterError, match="unknown language for Tree 'json'; valid: text, svg, dot, latex"):
        draw(tree, "json")
    with pytest.raises(TypeError, match="int cannot be drawn"):
        draw(3, "svg")


def test_options_of_other_languages_are_ignored_and_unknown_ones_refused() -> None:
    drawing = Drawing(aligned(DOG).gold, options={"theme": "dark", "fold": True, "standalone": True})
    assert drawing.draw("text") == draw(aligned(DOG).gold, "text")
    with pytest.raises(ParameterError, match=r"unknown option of pictures 'widht'; valid: .*width"):
        drawing.draw(widht=300)


# ----------------------------------------------------------------------------------------------------------------- SVG


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


def test_marks_say_what_colors_say() -> None:
    for g in nodes(draw(aligned(DOG), mapping="t")):
        classes = set(g.get("class", "").split())
        parts = {name for part in g for name in part.get("class", "").split()}
        if "word" not in classes:
            assert ("mark" in parts) == ("right" not in classes)
            assert ("ring" in parts) == ("spurious" in classes)


def test_a_moved_phrase_has_an_arrow() -> None:
    pair = ("(S (A (B b) (C c)) (D d) (E e) (F f))", "(S (D d) (E e) (F f) (A (B b) (C c)))")
    root = ElementTree.fromstring(draw(aligned(pair), mapping="t"))
    bonds = [g for g in root.iter(f"{SVG}g") if g.get("class") == "bond"]
    assert len([p for p in root.iter(f"{SVG}polygon") if p.get("class") == "head"]) <= len(bonds)
    assert "moved" in draw(aligned(ATTACHMENT), mapping="t")


def test_themes_name_their_colors_or_follow_the_page() -> None:
    light, dark, auto = (draw(aligned(TELESCOPE), theme=theme) for theme in ("light", "dark", "auto"))
    assert "var(" not in light + dark
    assert "--st-text-color" in auto
    assert all(color in light for color in COLORS.values())


def test_legend_names_what_occurs() -> None:
    alignment = aligned(TELESCOPE)
    with_legend = draw(alignment, mapping="e")
    assert "missing (only in gold)" in with_legend
    assert ">relabeled<" not in with_legend
    assert "missing (only in gold)" not in draw(alignment, mapping="e", legend=False)
    ElementTree.fromstring(draw(tree_legend(), theme="auto"))


def test_a_missing_parse_is_named() -> None:
    source = draw(aligned(("(S (NP (PRP I)) (VP (VBP go)))", "(TOP)")), mapping="t", parse_name="parser <1>")
    assert "parser &lt;1&gt;" in source


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
    plain = nodes(draw(tree, title="A tree"))
    assert len(plain) == len(tree)
    assert "gold" in plain[0].get("class", "").split()
