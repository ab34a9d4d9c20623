"""The marked sentence of arcs: what stands on which side, in which row, and that nothing leaves the picture."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations

import pytest

from evaltools.corpus import DependencyTree, Span
from evaltools.drawing import draw
from evaltools.drawing.marked import marked_scene
from evaltools.drawing.marked_lines import Setting, Sizes
from evaltools.drawing.measure import visible
from evaltools.drawing.scene import Group, Line, Rectangle, Ring, Text, walk
from evaltools.frameworks.dependency.alignment import align_dependencies
from evaltools.frameworks.dependency.marked import marked_arcs
from evaltools.marks import Link, Mark, Marks, Status, compared
from tests.drawing.arc_examples import HOSTILE, STARS

Pair = tuple[DependencyTree, DependencyTree]
WIDTHS = [330, 700, 1180]
WORDS = ("suppose", "this", "had", "been", "a", "street", "mugging")
RELATIONS = ("root", "nsubj", "aux", "cop", "det", "compound", "ccomp")
MUGGING = (
    DependencyTree(WORDS, (-1, 6, 6, 6, 6, 6, 0), RELATIONS),
    DependencyTree(WORDS, (-1, 5, 5, 5, 5, 6, 0), RELATIONS),
)


def marked(pair: Pair) -> Marks:
    sentence = marked_arcs(align_dependencies(*pair))
    assert sentence is not None
    return sentence


def groups(sentence: Marks, role: str, **options: object) -> list[Group]:
    scene = marked_scene(sentence, **options)  # type: ignore[arg-type]
    return [item for item in walk(scene.items) if isinstance(item, Group) and role in item.role.split()]


def texts(sentence: Marks, **options: object) -> list[str]:
    scene = marked_scene(sentence, **options)  # type: ignore[arg-type]
    return [item.text for item in walk(scene.items) if isinstance(item, Text)]


def random_tree(rng: random.Random, words: tuple[str, ...]) -> DependencyTree:
    """Return a tree whose words attach to any word that comes earlier in a random order."""
    order = list(range(len(words)))
    rng.shuffle(order)
    heads = [-1] * len(words)
    for place, word in enumerate(order[1:], start=1):
        heads[word] = rng.choice(order[:place])
    return DependencyTree(words, tuple(heads), tuple(rng.choice(["nsubj", "obj", "acl:relcl"]) for _ in words))


def random_sentences() -> list[Marks]:
    rng = random.Random(5)
    sentences = []
    for length in (1, 2, 5, 9, 17, 33, 60):
        words = tuple(rng.choice(["a", "of", "house", "incomprehensible", "run"]) for _ in range(length))
        sentences.append(marked((random_tree(rng, words), random_tree(rng, words))))
    return sentences


def test_dependents_of_one_repair_are_one_line_from_their_head() -> None:
    sentence = marked(MUGGING)
    (gold,) = [group for group in groups(sentence, "arc", width=1180) if group.side == "gold"]
    (test,) = [group for group in groups(sentence, "arc", width=1180) if group.side == "test"]
    assert (gold.status, gold.data["words"]) == ("missing", "1 2 3 4 6")
    assert (test.status, test.data["words"]) == ("spurious", "1 2 3 4 5")
    tips = [item for item in gold.items if isinstance(item, Line) and item.arrow]
    assert len(tips) == 4
    boxes = [
        item
        for item in walk(marked_scene(sentence, width=1180).items)
        if isinstance(item, Rectangle) and item.role == "moved-box"
    ]
    assert len(boxes) == 1  # the four words are beside one another


@pytest.mark.parametrize("width", WIDTHS)
def test_every_wrong_relation_is_drawn_once_on_its_side_of_the_words(width: int) -> None:
    for sentence in random_sentences():
        drawn = [(group.side, group.data["node"]) for group in groups(sentence, "tag", width=width)]
        assert sorted(drawn) == sorted((label.side, f"{label.side[0]}{label.node}") for label in sentence.marks)
        for system in groups(sentence, "system", width=width):
            (band,) = [item for item in walk(system.items) if isinstance(item, Rectangle) and item.role == "band"]
            for group in walk(system.items):
                if isinstance(group, Group) and {"tag", "arc"} & set(group.role.split()):
                    heights = [item.y for item in group.items if isinstance(item, Text)]
                    heights += [y for item in group.items if isinstance(item, Line) for _, y in item.points]
                    edge = band.box.top if group.side == "gold" else band.box.bottom
                    assert all(y <= edge if group.side == "gold" else y >= edge for y in heights)


@pytest.mark.parametrize("width", WIDTHS)
def test_every_wrong_arc_reaches_its_word_and_stays_in_the_picture(width: int) -> None:
    for sentence in random_sentences():
        scene = marked_scene(sentence, width=width)
        reached = {"gold": 0, "test": 0}
        for item in walk(scene.items):
            if isinstance(item, Line):
                assert all(0 <= x <= width and 0 <= y <= scene.height for x, y in item.points)
            if isinstance(item, Group) and "arc" in item.role.split():
                reached[item.side] += sum(isinstance(part, Line) and part.arrow > 0 for part in item.items)
        assert reached == {side: sum(arc.side == side for arc in sentence.links) for side in reached}


def test_an_arc_within_another_is_nearer_to_the_words() -> None:
    for sentence in random_sentences():
        setting = Setting(sentence, Sizes(), 8000.0)
        (line,) = setting.lines
        for side in ("gold", "test"):
            for one, other in combinations(setting.placed_combs(line, side), 2):
                (x0, x1), (left, right) = one.ends, other.ends
                if left < x0 - 8 and x1 + 8 < right:
                    assert one.row < other.row
                elif x0 < right - 8 and left < x1 - 8:
                    assert one.row != other.row


def test_an_arc_that_leaves_its_line_names_its_head_at_the_edge() -> None:
    filler = tuple(f"word{number}" for number in range(40))
    forms = ("head", *filler, "dependent", *filler, "other")
    heads = [-1, *[0] * (len(forms) - 1)]
    wrong = list(heads)
    wrong[41] = len(forms) - 1
    relations = ("root", *["x"] * (len(forms) - 1))
    sentence = marked((DependencyTree(forms, tuple(heads), relations), DependencyTree(forms, tuple(wrong), relations)))
    assert {"◂ head", "other ▸"} <= set(texts(sentence, width=500))
    assert {"◂ head", "other ▸"}.isdisjoint(texts(sentence, width=9000))


def test_a_root_has_a_ring() -> None:
    relations = ("a", "b")
    pair = DependencyTree(("x", "y"), (-1, 0), relations), DependencyTree(("x", "y"), (1, -1), relations)
    arcs = groups(marked(pair), "arc")
    assert sorted(group.side for group in arcs if any(isinstance(item, Ring) for item in group.items)) == [
        "gold",
        "test",
    ]


@pytest.mark.parametrize("pair", [STARS, HOSTILE, MUGGING], ids=["stars", "hostile", "mugging"])
def test_every_language_draws_it(pair: Pair) -> None:
    sentence = marked(pair)
    ET.fromstring(draw(sentence, "svg", theme="light", title="<Title>", verdict=True))
    assert "evalspurious" in draw(sentence, "latex", standalone=True)
    assert visible(sentence.repairs[0].verdict) in draw(sentence, "text")
    assert f'"unit": "arcs",\n "wrong": {sentence.wrong}' in draw(sentence, "json")


def test_two_parsers_have_letters() -> None:
    forms, relations = ("a", "b", "c"), ("x", "root", "y")
    gold, first, second = (DependencyTree(forms, heads, relations) for heads in ((1, -1, 1), (1, -1, 0), (-1, 0, 0)))
    sentence = compared(marked((gold, first)), marked((gold, second)), ("p<1>", "q"))
    shown = texts(sentence, verdict=True, parse_name="parsers")
    assert {"p<1>", "q", "A B", "B", "parsers"} <= set(shown)
    assert {group.status for group in groups(sentence, "arc")} == {"alike", "only-b"}
    assert "evalochre" in draw(sentence, "latex")
    assert '"parsers"' in draw(sentence, "json")


def with_nodes(**changes: object) -> Marks:
    """Return a sentence with labels of several words, arcs with labels, and a node that is at no word."""
    words = marked(STARS).words
    words = (*words, replace(words[0], form="parg_d"))
    marks = (
        Mark("predicate", "gold", 0, "udef_q", (Span(0, 4),), Status.MISSING, (1,)),
        Mark("predicate", "gold", 1, "_see_v_1", (Span(1, 2),), Status.RELABELED, (2,)),
        Mark("predicate", "test", 1, "_saw_v_1", (Span(1, 2),), Status.RELABELED, (2,)),
        Mark("predicate", "gold", 2, "pron", (Span(0, 1),), Status.MISSING, (3,)),
    )
    links = (
        Link("gold", 1, 0, Status.MISSING, (3,), "ARG1"),
        Link("gold", 1, 3, Status.MISSING, (1,), "ARG2"),
        Link("gold", 0, 0, Status.MISSING, (3,), "RSTR"),
        Link("test", 1, 6, Status.SPURIOUS, (1,), "ARG3"),
    )
    return replace(Marks(words, marks, links, own_row=6), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("width", WIDTHS)
def test_nodes_without_words_have_a_row_of_their_own(width: int) -> None:
    systems = groups(with_nodes(), "system", width=width)
    last = [group for group in walk(systems[-1].items) if isinstance(group, Group) and "cell" in group.role.split()]
    assert [item.text for group in last for item in group.items if isinstance(item, Text)] == ["parg_d"]
    assert {"ARG1", "ARG2", "RSTR", "ARG3", "udef_q", "pron"} <= set(texts(with_nodes(), width=width))


@pytest.mark.parametrize("width", WIDTHS)
def test_labels_over_one_word_are_above_one_another(width: int) -> None:
    first, *_ = groups(with_nodes(), "system", width=width)
    heights = {item.text: item.y for item in walk(first.items) if isinstance(item, Text) and item.role == "label"}
    assert heights["udef_q"] < heights["pron"]  # of more words, farther away
    scene = marked_scene(with_nodes(), width=width)
    for item in walk(scene.items):
        if isinstance(item, Line):
            assert all(0 <= x <= width and 0 <= y <= scene.height for x, y in item.points)


def test_right_arcs_are_drawn_only_when_asked_for() -> None:
    sentence = marked(MUGGING)
    drawn = groups(sentence, "arc", width=1180, right=True)
    (right,) = [group for group in drawn if group.status == "right" and group.data["words"] == "0 6"]
    assert (right.side, right.more, right.data["repair"]) == ("gold", "thin", None)
    reached = [number for group in drawn if group.side == "gold" for number in str(group.data["words"]).split()]
    assert {int(number) for number in reached} == set(range(7))
    assert "right" not in {group.status for group in groups(sentence, "arc", width=1180)}


def test_shortening_leaves_out_words_far_from_any_mark() -> None:
    forms = tuple(f"w{number}" for number in range(30))
    heads = (-1, *[0] * 29)
    wrong = (-1, *[0] * 28, 27)
    relations = ("x",) * 30
    sentence = marked((DependencyTree(forms, heads, relations), DependencyTree(forms, wrong, relations)))
    words = [item.text for group in groups(sentence, "cell", shorten=True) for item in group.items
             if isinstance(item, Text)]  # fmt: skip
    assert words == ["w0", "w1", "w2", "… 22 …", *forms[25:]]
    assert [group.data["words"] for group in groups(sentence, "arc", shorten=True)] == ["0 8", "6 8"]
    assert [word.form for word in sentence.words] == list(forms)
