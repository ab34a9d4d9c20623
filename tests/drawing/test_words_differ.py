"""Sentences whose words differ: two rows, joined as the words are aligned, in every language."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given

from evaltools.corpus import Kind
from evaltools.drawing import draw
from evaltools.drawing.tree_placement import Layout, layout_alignment
from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.aligned_trees import (
    Alignment,
    drawn_mapping,
    link_of,
    placed_links,
    word_columns,
)
from evaltools.frameworks.constituency.alignment import align
from evaltools.marks import Status
from tests.drawing.examples import (
    CANNOT,
    CANNOT_LINKS,
    CHARACTERS,
    EXACT,
    FOLDED,
    aligned,
    cannot,
    joined,
    joined_pairs,
)
from tests.drawing.test_layout import check

SVG = "{http://www.w3.org/2000/svg}"


def check_ties(layout: Layout, alignment: Alignment) -> None:
    """Check that each line leads from its gold word, or the line along it, to its test word, between the rows."""
    cells_of = {(word.side, word.node): cell.box for cell in layout.words for word in cell.words}
    for cell in layout.words:  # the words of a triangle stand for its root
        if cell.fold is not None:
            for node in layout.nodes:
                if node.fold == cell.fold and node.triangle and (node.side == "gold") == ("gold" in cell.hidden):
                    cells_of[node.side, node.node] = cell.box
    for tie in layout.ties:
        (x, top), (x_below, bottom) = tie.points
        upper, lower = cells_of["gold", tie.gold], cells_of["test", tie.test]
        assert x == x_below
        assert upper.bottom < top < bottom < lower.top
        for box, y in ((upper, top), (lower, bottom)):
            along = [(a, b) for (a, at), (b, _) in layout.braces if at == y]
            assert box.left <= x <= box.right or any(a - 0.1 <= x <= b + 0.1 for a, b in along)
    drawn = Counter((tie.gold, tie.test) for tie in layout.ties)
    assert all(number == 1 for number in drawn.values())
    if not any(node.triangle for node in layout.nodes):
        nodes = alignment.gold.word_nodes, alignment.test.word_nodes
        assert set(drawn) == {(nodes[0][link.gold], nodes[1][link.test]) for link in placed_links(alignment)}
    assert len({cell.box.y for cell in layout.words}) <= 2


@given(alignment=joined_pairs())
@pytest.mark.parametrize(("mapping", "fold"), [("e", False), ("e", True), ("t", False), ("t", True)])
@pytest.mark.slow
def test_layouts_of_random_alignments(alignment: Alignment, mapping: str, fold: bool) -> None:
    layout = layout_alignment(alignment, mapping, fold=fold)
    check(layout, alignment, mapping)
    check_ties(layout, alignment)


@given(alignment=joined_pairs())
def test_brackets_over_the_same_columns_stand_over_one_another(alignment: Alignment) -> None:
    columns = word_columns(alignment)
    positions: dict[tuple[int, int], set[float]] = {}
    for node in layout_alignment(alignment, "e", fold=False).nodes:
        side, tree = (0, alignment.gold) if node.side == "gold" else (1, alignment.test)
        start, end = tree.span(node.node)
        first = [at for at, column in enumerate(columns) if column[side] == start]
        last = [at for at, column in enumerate(columns) if column[side] == end - 1]
        empty = any(tree.starts[inner] == tree.ends[inner] for inner in range(len(tree)))
        if first and last and not empty:
            positions.setdefault((first[0], last[-1]), set()).add(round(node.box.x, 6))
    assert all(len(xs) == 1 for xs in positions.values())


@given(alignment=joined_pairs())
def test_every_language_draws_random_alignments(alignment: Alignment) -> None:
    for mapping in ("e", "t"):
        ElementTree.fromstring(draw(alignment, mapping=mapping, interactive=True))
        text = draw(alignment, "text", mapping=mapping)
        assert all(form in text for form in (*alignment.gold.words, *alignment.test.words))
        assert json.loads(draw(alignment, "json", mapping=mapping))["links"] == [
            {"gold": link.gold, "test": link.test, "how": link.how, "characters": link.characters}
            for link in alignment.links
        ]
        assert draw(alignment, "dot", mapping=mapping).count("constraint=false") >= len(alignment.links)
        draw(alignment, "latex", mapping=mapping)


def test_a_word_joined_to_two_stretches_over_their_columns() -> None:
    pair = ("(S (X (MD can) (RB not)) (VB go))", "(S (MD cannot) (VB go))")
    layout = layout_alignment(joined(pair, [(0, 0, CHARACTERS, 3), (1, 0, CHARACTERS, 3), (2, 1, EXACT, 2)]), "e")
    x = {cell.text: cell.box.x for cell in layout.words}
    labels = {(node.side, node.label): node.box.x for node in layout.nodes}
    assert x["can"] < x["cannot"] < x["not"]
    assert x["cannot"] == labels["test", "MD"] == labels["gold", "X"]
    (brace,) = layout.braces
    assert [end[0] for end in brace] == [x["can"], x["not"]]
    assert {tie.points[0][0] for tie in layout.ties if tie.how is CHARACTERS} == {x["can"], x["not"]}


def test_words_aligned_with_none_are_marked_in_the_e_mapping() -> None:
    alignment = cannot()
    layout = layout_alignment(alignment, "e")
    statuses = {cell.text: word.status for cell in layout.words for word in cell.words}
    assert statuses == dict.fromkeys(("I", "can", "not", "go", ".", "i", "cannot"), Status.RIGHT) | {
        "there": Status.MISSING,
        "!": Status.SPURIOUS,
    }
    drawn = drawn_mapping(alignment, "t")
    assert drawn is alignment.t


def test_phrases_of_the_mapping_stay_as_they_are() -> None:
    alignment = cannot()
    drawn = drawn_mapping(alignment, "e")
    for tree, before, after in (
        (alignment.gold, alignment.e.gold_status, drawn.gold_status),
        (alignment.test, alignment.e.test_status, drawn.test_status),
    ):
        for node in range(len(tree)):
            if tree.kinds[node] is not Kind.WORD:
                assert before[node] is after[node]


def test_what_the_engine_aligns_is_drawn() -> None:
    alignment = aligned(CANNOT)
    assert [(link.gold, link.test, link.how) for link in alignment.links] == [one[:3] for one in CANNOT_LINKS]
    drawn = drawn_mapping(alignment, "e")
    assert [step.text for step in drawn.steps if "word" in step.text] == ["delete word “there”", "insert word “!”"]
    inside = {Status.MISSING: alignment.gold, Status.SPURIOUS: alignment.test}
    lost = sum(list(drawn.gold_status + drawn.test_status).count(status) for status in inside)
    assert len(drawn.steps) == lost
    layout = layout_alignment(alignment, "e")
    check(layout, alignment, "e")
    check_ties(layout, alignment)


def test_a_preset_of_evalb_joins_no_words() -> None:
    alignment = align(*CANNOT, preset="collins")
    assert alignment.status == "words_differ"
    layout = layout_alignment(alignment, "t")
    assert (layout.ties, layout.braces) == ((), ())
    assert len({cell.box.y for cell in layout.words}) == 2
    assert "words that differ" not in draw(alignment, "text", mapping="t")


def test_only_equal_words_fold() -> None:
    inner = "(NP (DT the) (JJ old) (NN {}))"
    gold = f"(S {inner.format('dog')} (VP (V barks)) {inner.format('cat')})"
    test = f"(S {inner.format('dog')} (VP (V barks)) {inner.format('Cat')})"
    links = [(at, at, EXACT, 3) for at in range(6)] + [(6, 6, FOLDED, 3)]
    alignment = joined((gold, test), links)
    layout = layout_alignment(alignment, "t", fold=True)
    assert [cell.text for cell in layout.words if cell.fold is not None] == ["the old dog"] * 2
    assert "Cat" in [cell.text for cell in layout.words]
    check_ties(layout, alignment)
    folded = [tie for tie in layout.ties if tie.how is EXACT and alignment.gold.kinds[tie.gold] is Kind.PHRASE]
    assert len(folded) == 1


def test_svg_draws_each_kind_of_line() -> None:
    root = ElementTree.fromstring(draw(cannot(), mapping="e", parse_name="p"))
    ties = [g for g in root.iter(f"{SVG}g") if g.get("class") == "tie" and g.get("data-gold")]
    assert [g.get("data-how") for g in ties] == ["folded", "characters", "characters", "exact", "exact"]
    assert [bool(g.findall(f"{SVG}circle")) for g in ties] == [False, True, True, False, False]
    titles = [g.find(f"{SVG}title").text for g in ties]
    assert titles[:3] == [
        "I – i: same except for case or escapes",
        "can – cannot: 3 characters in common",
        "not – cannot: 3 characters in common",
    ]
    labels = {g.get("aria-label") for g in root.iter(f"{SVG}g") if "word" in g.get("class", "").split()}
    assert "can · aligned with “cannot”: 3 characters in common" in labels
    assert "cannot · aligned with “can”: 3 characters in common · aligned with “not”: 3 characters in common" in labels
    assert "! · spurious: only in p" in labels
    texts = {text.text for text in root.iter(f"{SVG}text")}
    assert {"same word", "same except for case or escapes", "characters in common"} <= texts


def test_words_that_are_compared_are_chosen_together() -> None:
    root = ElementTree.fromstring(draw(cannot(), mapping="e", interactive=True))
    chosen: dict[str, list[str]] = {}
    for g in root.iter(f"{SVG}g"):
        if g.get("class") == "cell" and g.get("data-word") is not None:
            chosen.setdefault(g.get("data-word"), []).append(next(g.iter(f"{SVG}text")).text)
    assert chosen["1"] == ["can", "cannot"]
    assert chosen["2"] == ["not"]
    assert chosen["4"] == ["there"]


CANNOT_TEXT = """\
words that differ
I ~ i   can|not ~ cannot   < there   > !
"""


def test_text_lists_the_words_that_differ() -> None:
    text = draw(cannot(), "text", mapping="e")
    assert CANNOT_TEXT in text
    painted = draw(cannot(), "text", mapping="e", colour=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == text
    assert "\x1b[38;5;166m< there\x1b[0m" in painted
    assert "words that differ" not in draw(aligned((CANNOT[0], CANNOT[0])), "text", mapping="e")


def test_a_chain_of_joined_words_is_one_block() -> None:
    alignment = joined(
        ("(S (A ab) (B c))", "(S (A a) (B bc))"), [(0, 0, CHARACTERS, 1), (0, 1, CHARACTERS, 1), (1, 1, CHARACTERS, 1)]
    )
    assert "ab|c ~ a|bc" in draw(alignment, "text", mapping="e")
    layout = layout_alignment(alignment, "e")
    assert len({tie.points[0][0] for tie in layout.ties}) == 3
    assert len(layout.braces) == 2


def test_dot_links_words() -> None:
    source = draw(cannot(), "dot", mapping="e")
    linked = [line for line in source.splitlines() if "#5b6470" in line and "->" in line]
    assert [re.search(r"style=(\w+)", line)[1] for line in linked] == ["dotted", "dashed", "dashed", "solid", "solid"]
    assert sum("label=3" in line for line in linked) == 2
    dot = shutil.which("dot")
    if dot is None:
        pytest.skip("no Graphviz here")
    done = subprocess.run([dot, "-Tsvg"], input=source.encode(), capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert b"rror" not in done.stderr


def test_latex_draws_each_kind_of_line() -> None:
    source = draw(cannot(), "latex", mapping="e")
    ties = [line for line in source.splitlines() if line.startswith(r"\draw[draw=black!65")]
    assert sum(", dotted]" in line for line in ties) == 2, "one in the picture, one in the legend"
    assert sum("circle" in line for line in ties) == 3
    assert "characters in common" in source
    assert "circle" not in draw(aligned((CANNOT[0], CANNOT[0])), "latex", mapping="e")


def test_json_holds_links_and_words_as_read() -> None:
    data = json.loads(draw(cannot(), "json", mapping="e"))
    assert data["links"][1] == {"gold": 1, "test": 1, "how": "characters", "characters": 3}
    assert [word["form"] for word in data["test_words"]] == ["i", "cannot", "go", ".", "!"]
    assert [(word["test_position"], word["test_form"]) for word in data["words"][1:5]] == [
        (1, "cannot"),
        (1, "cannot"),
        (2, "go"),
        (None, None),
    ]
    assert data["words"][4]["test_lineage"] is None
    words = {node["label"]: node["status"] for node in data["gold"] if node["kind"] == "word"}
    assert words["there"] == "missing"
    assert words["can"] == "right"


def test_lineages_say_which_words_are_compared() -> None:
    alignment = cannot()
    texts = []
    for word in alignment.words:
        if word.test is not None:
            root = ElementTree.fromstring(draw(word, link=link_of(alignment, word)))
            texts.append("".join(text.text for text in root.iter(f"{SVG}text") if text.get("y") == "108.5"))
    assert [text.partition(":")[0] for text in texts] == [
        "I ↔ i except for case or escapes",
        "can ↔ cannot 3 characters",
        "not ↔ cannot 3 characters",
        "go",
        ".",
    ]
    with pytest.raises(ParameterError, match="no partner"):
        draw(alignment.words[4])
