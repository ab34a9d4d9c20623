"""The marked sentence: what is on which side of the words and in which row, and nothing covers anything else."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import TypeVar
from xml.etree import ElementTree

import pytest

from evaltools import Tree, align
from evaltools.corpus import DependencyTree, Span
from evaltools.drawing import draw
from evaltools.drawing.marked import marked_scene
from evaltools.drawing.marked_lines import ARROWS, Setting, Sizes
from evaltools.drawing.measure import text_width, visible
from evaltools.drawing.scene import Box, Group, Line, Mark as MarkItem, Polygon, Rectangle, Ring, Text, walk
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.frameworks.dependency.alignment import align_dependencies
from evaltools.frameworks.dependency.marked import marked_arcs
from evaltools.marks import Link, Mark, Marks, Status, Word, compared
from tests.drawing.arc_examples import HOSTILE, STARS

GOLD = "(S (NP (PRP She)) (VP (VBD ate) (NP (NP (NN pasta)) (PP (IN with) (NP (NN cheese))))) (. .))"
TEST = "(S (NP (PRP She)) (VP (VBD ate) (NP (NN pasta)) (PP (IN with) (NP (NN cheese)))) (. .))"
WIDTHS = (330, 700, 1180)
WORDS = ("suppose", "this", "had", "been", "a", "street", "mugging")
RELATIONS = ("root", "nsubj", "aux", "cop", "det", "compound", "ccomp")
MUGGING = (
    DependencyTree(WORDS, (-1, 6, 6, 6, 6, 6, 0), RELATIONS),
    DependencyTree(WORDS, (-1, 5, 5, 5, 5, 6, 0), RELATIONS),
)
Kind = TypeVar("Kind")
Pair = tuple[DependencyTree, DependencyTree]


def marked(gold: str = GOLD, test: str = TEST, notation: str = "ptb") -> Marks:
    return marked_sentence(align(*(Tree.from_string(text, notation) for text in (gold, test))))


def marked_pair(pair: Pair) -> Marks:
    sentence = marked_arcs(align_dependencies(*pair))
    assert sentence is not None
    return sentence


def brackets(sentence: Marks) -> list[Mark]:
    return [mark for mark in sentence.marks if mark.kind == "bracket"]


def drawn(sentence: Marks, kind: type[Kind], role: str = "", **options: object) -> list[Kind]:
    """Return the items of a kind in a picture, those of a role."""
    items = walk(marked_scene(sentence, **options).items)  # type: ignore[arg-type]
    return [item for item in items if isinstance(item, kind) and (not role or role in item.role.split())]  # type: ignore[attr-defined]


def groups(sentence: Marks, role: str, **options: object) -> list[Group]:
    return drawn(sentence, Group, role, **options)


def inside(group: Group, kind: type[Kind]) -> list[Kind]:
    return [item for item in group.items if isinstance(item, kind)]


def texts(sentence: Marks, role: str = "", **options: object) -> list[str]:
    return [item.text for item in drawn(sentence, Text, role, **options)]


def words(sentence: Marks, **options: object) -> list[str]:
    return [item.text for group in groups(sentence, "cell", **options) for item in inside(group, Text)]


def nodes(marks: list[Mark]) -> set[tuple[str, str]]:
    return {(mark.side, f"{mark.side[0]}{mark.node}") for mark in marks}


def random_tree(rng: random.Random, forms: list[str]) -> str:
    if len(forms) == 1:
        return f"({rng.choice(['NN', 'VB', 'IN'])} {forms[0]})"
    cuts = sorted(rng.sample(range(1, len(forms)), min(len(forms) - 1, rng.randint(1, 3))))
    parts = [forms[start:end] for start, end in zip([0, *cuts], [*cuts, len(forms)], strict=True)]
    return f"({rng.choice(['NP', 'VP', 'PP', 'S'])} {' '.join(random_tree(rng, part) for part in parts)})"


def random_heads(rng: random.Random, forms: list[str]) -> DependencyTree:
    """Return a tree whose words attach to any word that comes earlier in a random order."""
    order = list(range(len(forms)))
    rng.shuffle(order)
    heads = [-1] * len(forms)
    for place, word in enumerate(order[1:], start=1):
        heads[word] = rng.choice(order[:place])
    return DependencyTree(tuple(forms), tuple(heads), tuple(rng.choice(["nsubj", "obj", "acl:relcl"]) for _ in forms))


@cache
def random_sentences(tree: Callable[[random.Random, list[str]], object] = random_tree) -> list[Marks]:
    rng = random.Random(5)
    sentences = []
    for length in (1, 2, 5, 9, 17, 33, 60):
        forms = [rng.choice(["a", "of", "house", "incomprehensible", "run"]) for _ in range(length)]
        pair = tree(rng, forms), tree(rng, forms)
        sentences.append(marked(*pair) if tree is random_tree else marked_pair(pair))  # type: ignore[arg-type]
    return sentences


# ------------------------------------------------------------------------------------------------------------ brackets


def test_the_phrase_that_moves_has_a_box_and_its_two_parents() -> None:
    sentence = marked()
    repair = sentence.repairs[0]
    assert (repair.phrase, repair.verdict) == ("PP “with cheese”", "is in VP “ate pasta …”, belongs in NP “pasta …”")
    parents = {(mark.side, mark.node): (mark.text, mark.status) for mark in brackets(sentence)}
    assert parents["gold", repair.gold_parent] == ("NP", "missing")
    assert parents["test", repair.test_parent] == ("VP", "right")
    (box,) = drawn(sentence, Rectangle, "moved-box")
    cells = {group.data["word"]: group for group in groups(sentence, "cell") if group.data}
    x = [inside(cells[position], Text)[0].x for position in (2, 3, 4)]
    assert [box.box.left <= at <= box.box.right for at in x] == [False, True, True]


@pytest.mark.parametrize("width", WIDTHS)
def test_every_wrong_bracket_is_drawn_once_on_each_of_its_lines_and_on_its_side_of_the_words(width: int) -> None:
    for sentence in random_sentences():
        assert {(group.side, group.data["node"]) for group in groups(sentence, "bracket", width=width)} == nodes(
            brackets(sentence)
        )
        assert len(brackets(sentence)) >= sentence.number("gold") + sentence.number("test")
    for sentence in (*random_sentences(), *random_sentences(random_heads)):
        for system in groups(sentence, "system", width=width):
            (band,) = [item.box for item in walk(system.items) if isinstance(item, Rectangle) and item.role == "band"]
            for group in walk(system.items):
                if isinstance(group, Group) and {"bracket", "tag", "arc"} & set(group.role.split()):
                    heights = [item.y for item in inside(group, Text)]
                    heights += [y for item in inside(group, Line) for _, y in item.points]
                    is_above = group.side == "gold"
                    assert all(y <= band.top if is_above else y >= band.bottom for y in heights)


def test_statuses_and_the_repair_of_each_bracket_are_classes_and_data() -> None:
    svg = ElementTree.fromstring(draw(marked(), "svg"))
    found = [node for node in svg.iter("{http://www.w3.org/2000/svg}g") if "bracket" in node.get("class", "").split()]
    assert {node.get("class") for node in found} == {"node bracket gold missing", "node bracket test right thin"}
    assert {node.get("data-repair") for node in found} == {"1"}
    assert all(node.get("aria-label") for node in found)


@pytest.mark.parametrize(("width", "height"), [*((width, None) for width in WIDTHS), (330, 1.0), (900, 1.0)])
def test_labels_cover_no_other_and_nothing_leaves_the_picture(width: int, height: float | None) -> None:
    forms = [f"(X word{index})" for index in range(9)]
    nested = f"(S {' '.join(forms[:6])} {' '.join(f'(INCOMPREHENSIBLE{index}' for index in range(9))} "
    late = marked(f"(S {' '.join(forms)})", f"{nested}{' '.join(forms[6:])}{')' * 10}")
    for sentence in [*random_sentences(), late]:
        own = groups(sentence, "bracket", width=width, height=height)
        assert {(group.side, group.data["node"]) for group in own} == nodes(brackets(sentence))
        labels = [item for group in own for item in inside(group, Text) if item.role.startswith("label")]
        for item in labels:
            assert item.x >= 0
            assert item.x + text_width(item.text, item.size) <= width
        for left, right in combinations(sorted(labels, key=lambda item: item.x), 2):
            assert abs(left.y - right.y) > 5 or left.x + 6 * len(left.text) <= right.x + 1
        if height is not None and labels:
            assert min(item.size for item in labels) == 11
        scene = marked_scene(sentence, width=width, height=height)
        for item in walk(scene.items):
            if isinstance(item, Line):
                assert all(0 <= x <= width and 0 <= y <= scene.height for x, y in item.points)
        cells = [item for group in groups(sentence, "cell", width=width) for item in inside(group, Text)]
        assert [item.text for item in cells] == [word.form for word in sentence.words]
        assert all(0 < item.x < width for item in cells)
    loose, tight = (marked_scene(random_sentences()[-1], width=900, height=height).height for height in (None, 1.0))
    assert tight < loose


def test_a_bracket_around_another_is_farther_from_the_words() -> None:
    for sentence in random_sentences():
        own = [
            (group.side, int(str(group.data["start"])), int(str(group.data["end"])), inside(group, Text)[0].y)
            for group in groups(sentence, "bracket", width=4000)
        ]
        for side, start, end, y in own:
            for around, first, last, other in own:
                if side == around and first < start and end < last:
                    assert other < y if side == "gold" else other > y


def test_focus_keeps_one_repair_and_shortening_keeps_its_words() -> None:
    sentence = random_sentences()[-1]
    for repair in sentence.repairs[:6]:
        own = groups(sentence, "bracket", focus=repair.number, shorten=True)
        assert own
        assert all(str(repair.number) in str(group.data["repair"]).split() for group in own)
    assert words(marked(), shorten=True) == ["She", "ate", "pasta", "with", "cheese", "."]
    far = " ".join(f"(NN w{number})" for number in range(20))
    long = marked(f"(S (FRAG {far}) {GOLD})", f"(S (FRAG {far}) {TEST})")
    assert words(long, shorten=True) == ["… 19 …", "w19", "She", "ate", "pasta", "with", "cheese", "."]
    letters = (Word("“", None), *(Word(letter, at) for at, letter in enumerate("abcdefghijkl")))
    short = Marks(letters, (Mark("bracket", "gold", 1, "NP", (Span(11, 13),), Status.MISSING, (1,)),)).shortened()
    assert [word.form for word in short.words] == ["… 9 …", "i", "j", "k", "l"]
    assert short.marks[0].stretches == ((3, 5),)


def test_equal_trees_and_trees_that_cannot_be_compared_are_plain_text() -> None:
    sentence = marked(GOLD, GOLD)
    assert sentence.wrong == 0
    assert not groups(sentence, "bracket")
    assert "Nothing to repair" in draw(sentence, "svg", verdict=True)
    sentence = marked(GOLD, "(S (NP (PRP He)))")
    assert [word.form for word in sentence.words][:2] == ["She", "ate"]
    assert replace(sentence, words=()) == Marks(())


def test_sentences_from_right_to_left_are_mirrored() -> None:
    gold = "(S (NP (N الطالب)) (VP (V قرأ) (NP (NP (N كتابا)) (PP (P عن) (NP (N الفيل))))))"
    test = "(S (NP (N الطالب)) (VP (V قرأ) (NP (N كتابا)) (PP (P عن) (NP (N الفيل)))))"
    sentence = marked(gold, test)
    xs = [inside(cell, Text)[0].x for cell in groups(sentence, "cell", width=600)]
    assert xs == sorted(xs, reverse=True)
    (heading,) = drawn(sentence, Text, "heading", width=600, verdict=True, title="Title")
    assert (heading.x, heading.anchor) == (12.0, "start"), "only the lines of words are mirrored"


def test_labels_over_the_same_words_are_one_bracket_with_a_list_of_labels_the_outermost_first() -> None:
    said = "(S (NP (PRP She)) (VP (VBZ says) {}))"
    inner = "(NP (PRP it)) (VP (VBZ is) (ADJP (JJ late)))"
    own = groups(marked(said.format(f"(SBAR (S {inner}))"), said.format(inner)), "bracket")
    labels = [item for group in own for item in inside(group, Text) if item.role == "label"]
    assert [item.text for item in sorted(labels, key=lambda item: item.x)] == ["SBAR", "S"]
    (height,) = {item.y for item in labels}
    (line,) = [item for group in own for item in inside(group, Line)]
    assert height < line.points[0][1], "the line is between the words and the labels"


def test_what_follows_is_thin_and_has_no_number_and_the_sides_have_pointers() -> None:
    for sentence in random_sentences():
        marks = {(mark.side, f"{mark.side[0]}{mark.node}"): mark for mark in brackets(sentence)}
        for group in groups(sentence, "bracket"):
            mark = marks[group.side, str(group.data["node"])]
            assert not inside(group, MarkItem)
            assert (group.more == "thin") == (mark.follows or mark.status is Status.RIGHT)
            assert group.more != "thin" or not inside(group, Ring)
    assert texts(marked(), "gutter") == ["gold", "parser"]
    up, down = (item.points for item in drawn(marked(), Polygon, "pointer"))  # fonts may lack such characters
    assert up[0][1] < up[1][1]
    assert down[0][1] > down[1][1]


def test_arrows_and_crosses_end_at_the_brackets_that_the_words_name_and_cover_no_label() -> None:
    wanted = found = 0
    for sentence in random_sentences():
        wanted += 2 * sum(item.has_parents for item in sentence.repairs[:ARROWS])
        for width in (330, 640, 1040):
            hits: dict[object, list[Box]] = {}
            labels = []
            for group in (*groups(sentence, "bracket", width=width), *groups(sentence, "tag", width=width)):
                hits.setdefault(group.data["node"], []).append(inside(group, Rectangle)[0].box)
                labels += inside(group, Text)
            for group in groups(sentence, "move", width=width):
                repair = sentence.repairs[int(str(group.data["repair"])) - 1]
                for item in inside(group, Line):
                    x, y = item.points[-1]
                    node = f"g{repair.gold_parent}" if item.role == "arrow" else f"t{repair.test_parent}"
                    assert any(hit.top - 4 <= y <= hit.bottom + 4 for hit in hits[node])
                    assert 0 <= x <= width
                    top, bottom = sorted(at for _, at in item.points)
                    for text in labels:
                        beside = x + 1 < text.x or text.x + 0.8 * text_width(text.text, text.size) < x - 1
                        assert beside or not top < text.y < bottom
                found += width == 1040 and sum(item.role != "cross" for item in inside(group, Line))
    assert found >= 0.7 * wanted  # the others belong to, or are in, a bracket that has no part on the phrase's line


# --------------------------------------------------------------------------------------------------------------- lines


def test_a_line_does_not_end_within_the_label_of_a_bracket() -> None:
    forms = [f"(X word{index})" for index in range(12)]
    for at in range(1, 11):
        test = f"(S {' '.join(forms[:at])} (INCOMPREHENSIBLE {' '.join(forms[at:])}))"
        setting = Setting(marked(f"(S {' '.join(forms)})", test), Sizes(), 480)
        for line in setting.lines:
            assert all(bar.opens or bar.label_end <= 480 for bar in setting.placed_bars(line, "test", brackets=True))


def test_the_label_of_a_short_bracket_makes_no_hole_where_no_other_begins() -> None:
    rest = "(X b) (X c) (X d)"
    sentence = marked(f"(S (INCOMPREHENSIBLE (X a)) {rest})", f"(S (X a) {rest})")
    setting = Setting(sentence, Sizes(), 600)
    assert setting.lines == Setting(replace(sentence, marks=()), Sizes(), 600).lines
    (placed,) = setting.placed_bars(setting.lines[0], "gold", brackets=True)
    assert placed.label_end > placed.x1


def test_no_line_is_much_shorter_than_the_others_and_type_grows_while_lines_stay_as_many() -> None:
    inner = " ".join(f"(X (A word{number}) (A word))" for number in range(9))
    sentence = marked(f"(S (Y (A a) (A b) (Z {inner})) (A end))", f"(S (A a) (A b) {inner} (A end))")
    lengths = [line.rights[-1] - line.lefts[0] for line in Setting(sentence, Sizes(), 700).lines]
    assert len(lengths) > 1
    assert min(lengths) > 0.4 * max(lengths)
    (wide,), (narrow,) = ({item.size for item in drawn(random_sentences()[4], Text, "word", width=width)}
                          for width in (1000, 330))  # fmt: skip
    assert wide >= narrow >= 12


# -------------------------------------------------------------------------------------------------- words and languages


def test_repairs_and_wrong_tags_are_in_words_and_have_numbers_that_the_legend_explains() -> None:
    sentence = marked("(S (NP (NN run) (NN x)))", "(S (NP (VB run) (NN x)))")
    assert (sentence.wrong, sentence.unit, sentence.remark) == (1, "tags", "All brackets are right.")
    told = {f"{item.lead} {item.text}".strip() for item in drawn(sentence, Text, verdict=True)}
    assert {"“run” is tagged VB, should be NN – 1 of 1 wrong tag", "All brackets are right."} <= told
    assert texts(sentence, "badge-number") == ["1"]
    assert "1  “run” is tagged VB, should be NN  1 of 1 wrong tag\n" in draw(sentence, "text", color=False)
    assert dict(sentence.legend())["number"] == "its repair"
    sentence = marked("(S (NP (NN x)) (VP (VB run)) (PP (IN on)))", "(S (NP (NN x)) (NP (NN run)) (PP (RP on)))")
    assert [repair.verdict for repair in sentence.repairs] == ["is NP, should be VP; it is tagged NN, should be VB"]
    assert sentence.remark == "1 more wrong tag: “on” RP, should be IN"
    numbers = [len(inside(group, Ring)) for group in groups(sentence, "tag")]  # of gold, then of the parse, by word
    assert numbers == [1, 0, 0, 0]
    ranked = next(
        item for item in random_sentences() if item.repairs and item.repairs[0].repaired > item.repairs[-1].repaired
    )
    assert dict(ranked.legend())["number"] == "its repair; 1 mends most brackets"
    assert "number" not in dict(ranked.legend(numbered=False))


def test_pictures_and_text_say_which_errors_are_equal_and_which_belong_together() -> None:
    gold = "(S (A (X a) (X b)) (X c) (X d) (B (X e) (X f)))"
    sentence = marked(gold, "(S (X a) (X b) (X c) (X d) (X e) (X f))")
    tie = "Two errors of equal size: A “a b” and B “e f”"
    assert texts(sentence, verdict=True)[0] == tie
    assert tie not in texts(sentence)
    assert tie in draw(sentence, "text")
    linked = replace(sentence, repairs=(replace(sentence.repairs[0], together=(2,)), sentence.repairs[1]))
    assert "is missing (together with 2)" in draw(linked, "text")
    assert [item["together"] for item in json.loads(draw(linked, "json"))["repairs"]] == [[2], []]


@pytest.mark.parametrize(
    "sentence",
    [marked(), *map(marked_pair, (STARS, HOSTILE, MUGGING))],
    ids=["brackets", "stars", "hostile", "mugging"],
)
def test_every_language_draws_it(sentence: Marks) -> None:
    ElementTree.fromstring(draw(sentence, "svg", theme="light", title="<Title>", verdict=True))
    latex = draw(sentence, "latex", standalone=True)
    assert {"evalmoved", "evalmissing"} <= {name for name in ("evalmoved", "evalmissing") if name in latex}
    assert visible(sentence.repairs[0].verdict) in draw(sentence, "text")
    assert f'"unit": "{sentence.unit}",\n "wrong": {sentence.wrong}' in draw(sentence, "json")


@pytest.mark.parametrize("width", [330, 900])
def test_every_repair_has_a_strip_with_its_words_and_brackets(width: int) -> None:
    for sentence in random_sentences():
        scene = marked_scene(sentence, one_by_one=True, width=width)
        strips = [item for item in scene.items if isinstance(item, Group) and item.role == "one-repair"]
        for repair, strip in zip(sentence.repairs, strips, strict=True):
            items = list(walk(strip.items))
            own = [item for item in items if isinstance(item, Group) and "bracket" in item.role.split()]
            assert all(str(repair.number) in str(item.data["repair"]).split() for item in own)
            assert any(isinstance(item, Text) and item.lead == repair.phrase for item in items)
            assert strip.offset is not None
            assert 0 <= strip.offset[0] < width
            assert strip.offset[1] < scene.height


@pytest.mark.parametrize("width", [330, 900])
def test_a_picture_that_stands_alone_has_every_repair_in_words_and_its_legend_and_no_empty_edge(width: int) -> None:
    options = {"width": width, "verdict": True, "legend": True, "tight": True}
    for sentence in random_sentences():
        scene = marked_scene(sentence, **options)  # type: ignore[arg-type]
        assert scene.width <= width
        own = [item for item in drawn(sentence, Text, **options) if item.is_name]
        own = [item for item in own if item.role in ("word", "soft", "soft plain")]
        told = " ".join(" ".join(f"{item.lead} {item.text}" for item in own).split())
        assert all(" ".join(f"{item.phrase} {item.verdict}".split()) in told for item in sentence.repairs)
        legend = [item for item in own if item.role == "soft plain"]
        assert [item.text for item in legend] == [text for _, text in sentence.legend()]
        for item in own:
            assert len(item.text.split()) < 2 or item.x + text_width(item.text, item.size) <= scene.width
        below = max(item.box.bottom for item in drawn(sentence, Rectangle, "band", **options))
        assert all(below < item.y < scene.height for item in legend)
        assert len(drawn(sentence, Rectangle, "band", width=width)) == len(groups(sentence, "system", width=width))


def test_a_short_sentence_is_as_narrow_as_its_words_and_the_texts_around_it() -> None:
    sentence = marked("(S (NP (UH Huh)) (VP (VB go)))", "(S (INTJ (UH Huh)) (VP (VB go)))")
    bare = marked_scene(sentence, tight=True)
    assert bare.width < 200
    assert marked_scene(sentence).width == 900
    assert bare.width < marked_scene(sentence, tight=True, verdict=True, legend=True).width < 480


# ---------------------------------------------------------------------------------------------------------- two parsers


def test_brackets_and_arcs_of_two_parsers_have_letters_in_every_language() -> None:
    gold = "(S (NP (N a)) (VP (V b) (NP (NP (N c)) (PP (P d) (NP (N e))))))"
    first = "(S (NP (N a)) (VP (V b) (NP (N c)) (PP (P d) (NP (N e)))))"
    second = "(S (N a) (X (V b) (NP (N c)) (PP (P d) (NP (N e)))))"
    phrases = compared(marked(gold, first), marked(gold, second), ("p<1>", "q"))
    own = groups(phrases, "bracket")
    assert sorted((group.status, group.data["repair"]) for group in own) == [("alike", "1 2"), *[("only-b", "2")] * 3]
    assert "NP, c d e, missing from p<1> and q" in [group.title for group in own]
    assert texts(phrases).count("A B") == 1
    assert "p<1>" not in texts(phrases)
    assert "missing from p<1> and q" in draw(phrases, "text")
    trees = (
        DependencyTree(("a", "b", "c"), heads, ("x", "root", "y")) for heads in ((1, -1, 1), (1, -1, 0), (-1, 0, 0))
    )
    upper, *lower = trees
    arcs = compared(*(marked_pair((upper, tree)) for tree in lower), ("p<1>", "q"))
    assert {group.status for group in groups(arcs, "arc")} == {"alike", "only-b"}
    for sentence in (phrases, arcs):
        assert {"p<1>", "q", "A B", "B", "parsers"} <= {*texts(sentence, verdict=True, parse_name="parsers")}
        ElementTree.fromstring(draw(sentence, "svg"))
        assert "evalochre" in draw(sentence, "latex", standalone=True)
        assert '"parsers"' in draw(sentence, "json")


def test_scores_of_two_parsers_are_strips_above_and_below_a_word() -> None:
    gold = "(S (NP (N a)) (VP (V b)))"
    sentence = compared(marked(gold, gold), marked(gold, "(S (X (N a)) (VP (V b)))"), ("p", "q"))
    (strip,) = inside(groups(sentence, "cell", shade=True)[0], Rectangle)  # a word with score 1 has none
    assert strip.shade == sentence.words[0].score_b
    (band,) = drawn(sentence, Rectangle, "band")
    assert strip.box.y > band.box.y


# ------------------------------------------------------------------------------------------------------- discontinuous


def with_gaps() -> Marks:
    forms = "de man die zei dat hij met zijn oude hond langs de gracht wandelde heeft gisteren de krant gelezen".split()
    leaves = [f"(X {at}={word})" for at, word in enumerate(forms)]
    within = " ".join(leaves[at] for at in (3, 13, 14, 18))
    outside = " ".join(leaf for at, leaf in enumerate(leaves) if at not in (3, 13, 14, 18))
    return marked(f"(S (VP {within}) {outside})", f"(S {within} {outside})", "discbracket")


def test_a_bracket_with_gaps_names_all_its_pieces_in_every_language() -> None:
    sentence = with_gaps()
    (bracket,) = brackets(sentence)
    assert bracket.stretches == (Span(3, 4), Span(13, 15), Span(18, 19))
    (group,) = groups(sentence, "bracket", width=2000)
    assert group.title == "VP, zei … wandelde heeft … gelezen, only in gold, repair 1"
    assert group.data["gaps"] == "4-13 15-18"
    assert (group.is_symbol, group.takes_focus) == (True, True)
    assert [item.role for item in inside(group, Line)] == ["stroke"] * 3 + ["stroke gap"] * 2
    assert "VP “zei … wandelde heeft … gelezen”" in draw(sentence, "text")
    assert json.loads(draw(sentence, "json"))["marks"][0]["words"] == [[3, 4], [13, 15], [18, 19]]
    assert 'class="stroke gap"' in draw(sentence, "svg")
    assert "dotted" in draw(sentence, "latex")
    short = sentence.shortened()
    forms = [word.form for word in short.words]
    assert [" ".join(forms[start:end]) for start, end in short.marks[0].stretches] == [
        "zei",
        "wandelde heeft",
        "gelezen",
    ]
    assert "… 5 …" in forms


def test_every_stretch_of_a_phrase_that_moves_has_a_box_and_the_longest_one_the_arrow() -> None:
    gold = "(S (VP (V 2=came) (NP (D 0=a) (N 1=man) (PP (P 3=with) (D 4=old) (N 5=hats)))) (ADV 6=in))"
    test = "(S (V 2=came) (NP (D 0=a) (N 1=man) (PP (P 3=with) (D 4=old) (N 5=hats))) (ADV 6=in))"
    sentence = marked(gold, test, "discbracket")
    parent = next(mark.node for mark in sentence.marks if mark.side == "gold")
    moved = replace(sentence.repairs[0], moved=(Span(0, 2), Span(3, 6)), gold_parent=parent)
    sentence = replace(sentence, repairs=(moved,))
    first, second = (item.box for item in drawn(sentence, Rectangle, "moved-box"))
    (arrow,) = drawn(sentence, Line, "arrow")
    assert first.right < second.left < arrow.points[0][0] < second.right
    assert len(drawn(sentence, Ring)) >= 3
    assert len(list(walk(marked_scene(sentence, one_by_one=True).items))) > 10


def test_a_sentence_without_repairs_has_its_brackets_and_the_reason() -> None:
    gold, test = "(S (X (A 0=a) (B 1=b)) (Y (C 2=c) (D 3=d)))", "(S (X (A 0=a) (C 2=c)) (Y (B 1=b) (D 3=d)))"
    sentence = marked(gold, test, "discbracket")
    assert (len(brackets(sentence)), sentence.repairs) == (4, ())
    told = texts(sentence, verdict=True)
    assert sentence.unrepaired in told
    assert sorted(text for text in told if text in "XY") == ["X", "X", "Y", "Y"]
    assert not drawn(sentence, Ring, verdict=True)
    assert "no list of repairs" in marked_scene(sentence).label
    assert "no list of repairs" in draw(sentence, "text")
    assert "no list of repairs" in json.loads(draw(sentence, "json"))["unrepaired"]


# ---------------------------------------------------------------------------------------------------------------- arcs


def test_dependents_of_one_repair_are_one_line_from_their_head() -> None:
    sentence = marked_pair(MUGGING)
    gold, test = sorted(groups(sentence, "arc", width=1180), key=lambda group: group.side)
    assert (gold.status, gold.data["words"]) == ("missing", "1 2 3 4 6")
    assert (test.status, test.data["words"]) == ("spurious", "1 2 3 4 5")
    assert sum(item.arrow > 0 for item in inside(gold, Line)) == 4
    assert len(drawn(sentence, Rectangle, "moved-box", width=1180)) == 1, "the four words are beside one another"


@pytest.mark.parametrize("width", WIDTHS)
def test_every_wrong_arc_reaches_its_word_and_every_wrong_relation_is_drawn_once(width: int) -> None:
    for sentence in random_sentences(random_heads):
        tags = [(group.side, group.data["node"]) for group in groups(sentence, "tag", width=width)]
        assert sorted(tags) == sorted((mark.side, f"{mark.side[0]}{mark.node}") for mark in sentence.marks)
        reached = {"gold": 0, "test": 0}
        for group in groups(sentence, "arc", width=width):
            reached[group.side] += sum(item.arrow > 0 for item in inside(group, Line))
        assert reached == {side: sum(arc.side == side for arc in sentence.links) for side in reached}


def test_an_arc_within_another_is_nearer_to_the_words() -> None:
    for sentence in random_sentences(random_heads):
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
    wrong = [*heads[:41], len(forms) - 1, *heads[42:]]
    relations = ("root", *["x"] * (len(forms) - 1))
    sentence = marked_pair(tuple(DependencyTree(forms, tuple(own), relations) for own in (heads, wrong)))  # type: ignore[arg-type]
    assert {"◂ head", "other ▸"} <= {*texts(sentence, width=500)}
    assert {"◂ head", "other ▸"}.isdisjoint(texts(sentence, width=9000))


def test_a_root_has_a_ring() -> None:
    pair = DependencyTree(("x", "y"), (-1, 0), ("a", "b")), DependencyTree(("x", "y"), (1, -1), ("a", "b"))
    assert sorted(group.side for group in groups(marked_pair(pair), "arc") if inside(group, Ring)) == ["gold", "test"]


def test_right_arcs_are_drawn_only_when_asked_for() -> None:
    sentence = marked_pair(MUGGING)
    own = groups(sentence, "arc", width=1180, right=True)
    (right,) = [group for group in own if group.status == "right" and group.data["words"] == "0 6"]
    assert (right.side, right.more, right.data["repair"]) == ("gold", "thin", None)
    reached = {int(at) for group in own if group.side == "gold" for at in str(group.data["words"]).split()}
    assert reached == set(range(7))
    assert "right" not in {group.status for group in groups(sentence, "arc", width=1180)}


def test_shortening_leaves_out_words_far_from_any_arc() -> None:
    forms = tuple(f"w{number}" for number in range(30))
    pair = (DependencyTree(forms, (-1, *[0] * 28, last), ("x",) * 30) for last in (0, 27))
    sentence = marked_pair(tuple(pair))  # type: ignore[arg-type]
    assert words(sentence, shorten=True) == ["w0", "w1", "w2", "… 22 …", *forms[25:]]
    assert [group.data["words"] for group in groups(sentence, "arc", shorten=True)] == ["0 8", "6 8"]
    assert [word.form for word in sentence.words] == list(forms)


@pytest.mark.parametrize("width", WIDTHS)
def test_labels_over_one_word_and_nodes_without_words_have_rows_of_their_own(width: int) -> None:
    forms = marked_pair(STARS).words
    span = {"udef_q": Span(0, 4), "_see_v_1": Span(1, 2), "pron": Span(0, 1)}
    marks = [
        Mark("predicate", "gold", at, text, (span[text],), Status.MISSING, (at,)) for at, text in enumerate(span, 1)
    ]
    links = (
        Link("gold", 1, 0, Status.MISSING, (3,), "ARG1"),
        Link("gold", 1, 3, Status.MISSING, (1,), "ARG2"),
        Link("gold", 0, 0, Status.MISSING, (3,), "RSTR"),
        Link("test", 1, 6, Status.SPURIOUS, (1,), "ARG3"),
    )
    sentence = Marks((*forms, replace(forms[0], form="parg_d")), tuple(marks), links, own_row=6)
    assert {"ARG1", "ARG2", "RSTR", "ARG3", "udef_q", "pron"} <= {*texts(sentence, width=width)}
    first, *_, last = groups(sentence, "system", width=width)
    cells = [item for item in walk(last.items) if isinstance(item, Group) and "cell" in item.role.split()]
    assert [item.text for group in cells for item in inside(group, Text)] == ["parg_d"]
    heights = {item.text: item.y for item in walk(first.items) if isinstance(item, Text) and item.role == "label"}
    assert heights["udef_q"] < heights["pron"], "of more words, farther away"
    scene = marked_scene(sentence, width=width)
    for line in drawn(sentence, Line, width=width):
        assert all(0 <= x <= width and 0 <= y <= scene.height for x, y in line.points)
