"""Scenes: what is said and shown of every node is its own status, links keep apart, and all writers print the same."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from evaltools.corpus import MultiFunctionTree
from evaltools.drawing import Bars, Drawing, bars_of, bracket_bars, draw, languages
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
from tests.drawing.examples import DOG, HOSTILE, PAIRS, TELESCOPE, aligned, cannot

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
    "bars": bars_scene(Bars(TREE.words, bars_of(TREE))),
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
