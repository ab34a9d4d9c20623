"""The marked sentence: what stands on which side, in which row, and that nothing covers anything else."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations

import pytest

from evaltools import Tree, align
from evaltools.corpus import Span
from evaltools.drawing import draw
from evaltools.drawing.marked import marked_scene
from evaltools.drawing.marked_lines import ARROWS, Setting, Sizes
from evaltools.drawing.measure import text_width
from evaltools.drawing.scene import Group, Line, Mark as MarkItem, Polygon, Rectangle, Ring, Text, walk
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.marks import Mark, Marks, Status, Word, compared

GOLD = "(S (NP (PRP She)) (VP (VBD ate) (NP (NP (NN pasta)) (PP (IN with) (NP (NN cheese))))) (. .))"
TEST = "(S (NP (PRP She)) (VP (VBD ate) (NP (NN pasta)) (PP (IN with) (NP (NN cheese)))) (. .))"


def marked(gold: str = GOLD, test: str = TEST) -> Marks:
    return marked_sentence(align(gold, test))


def brackets(sentence: Marks) -> list[Mark]:
    return [mark for mark in sentence.marks if mark.kind == "bracket"]


def both(gold: str, first: str, second: str, names: tuple[str, str] = ("p", "q")) -> Marks:
    return compared(marked(gold, first), marked(gold, second), names)


def groups(sentence: Marks, role: str, **options: object) -> list[Group]:
    scene = marked_scene(sentence, **options)  # type: ignore[arg-type]
    return [item for item in walk(scene.items) if isinstance(item, Group) and role in item.role.split()]


def random_tree(rng: random.Random, words: list[str]) -> str:
    """Return a tree over words with random brackets."""
    if len(words) == 1:
        return f"({rng.choice(['NN', 'VB', 'IN'])} {words[0]})"
    cuts = sorted(rng.sample(range(1, len(words)), min(len(words) - 1, rng.randint(1, 3))))
    parts = [words[start:end] for start, end in zip([0, *cuts], [*cuts, len(words)], strict=True)]
    return f"({rng.choice(['NP', 'VP', 'PP', 'S'])} {' '.join(random_tree(rng, part) for part in parts)})"


def random_sentences() -> list[Marks]:
    rng = random.Random(5)
    sentences = []
    for length in (1, 2, 5, 9, 17, 33, 60):
        words = [rng.choice(["a", "of", "house", "incomprehensible", "run"]) for _ in range(length)]
        sentences.append(marked(random_tree(rng, words), random_tree(rng, words)))
    return sentences


def test_the_phrase_that_moves_has_a_box_and_its_two_parents() -> None:
    sentence = marked()
    repair = sentence.repairs[0]
    assert (repair.phrase, repair.verdict) == (
        "PP “with cheese”",
        "is in VP “ate pasta …”, belongs in NP “pasta …”",
    )
    assert repair.gold_parent is not None
    assert repair.test_parent is not None
    (right,) = [mark for mark in brackets(sentence) if (mark.side, mark.node) == ("gold", repair.gold_parent)]
    (wrong,) = [mark for mark in brackets(sentence) if (mark.side, mark.node) == ("test", repair.test_parent)]
    assert (right.text, right.status) == ("NP", "missing")
    assert (wrong.text, wrong.status) == ("VP", "right")
    boxes = [
        item for item in walk(marked_scene(sentence).items) if isinstance(item, Rectangle) and item.role == "moved-box"
    ]
    cells = {group.data["word"]: group for group in groups(sentence, "cell") if group.data}
    (box,) = boxes
    for position, inside in ((2, False), (3, True), (4, True)):
        text = next(item for item in cells[position].items if isinstance(item, Text))
        assert (box.box.left <= text.x <= box.box.right) == inside


def test_every_wrong_bracket_is_drawn_once_on_each_of_its_lines_and_on_its_side_of_the_words() -> None:
    for sentence in random_sentences():
        for width in (330, 900):
            drawn = {(group.side, group.data["node"]) for group in groups(sentence, "bracket", width=width)}
            wanted = {(item.side, f"{item.side[0]}{item.node}") for item in brackets(sentence)}
            assert drawn == wanted
            assert len(brackets(sentence)) >= sentence.number("gold") + sentence.number("test")
            for system in groups(sentence, "system", width=width):
                (band,) = [item for item in walk(system.items) if isinstance(item, Rectangle) and item.role == "band"]
                for group in walk(system.items):
                    if isinstance(group, Group) and "bracket" in group.role:
                        height = next(item.y for item in group.items if isinstance(item, Text))
                        assert (height < band.box.top) if group.side == "gold" else (height > band.box.bottom)


def test_statuses_and_the_repair_of_each_bracket_are_classes_and_data() -> None:
    svg = ET.fromstring(draw(marked(), "svg"))
    brackets = [
        node for node in svg.iter("{http://www.w3.org/2000/svg}g") if "bracket" in node.get("class", "").split()
    ]
    assert {tuple(node.get("class", "").split()) for node in brackets} == {
        ("node", "bracket", "gold", "missing"),
        ("node", "bracket", "test", "right", "thin"),
    }
    assert {node.get("data-repair") for node in brackets} == {"1"}
    assert all(node.get("aria-label") for node in brackets)


@pytest.mark.parametrize("width", [330, 600, 1100])
def test_labels_in_a_row_do_not_cover_one_another_and_lines_end_inside(width: int) -> None:
    for sentence in random_sentences():
        scene = marked_scene(sentence, width=width)
        labels = []
        for group in groups(sentence, "bracket", width=width):
            labels += [(item.x, item.x + 6 * len(item.text), item.y) for item in group.items
                       if isinstance(item, Text) and item.role.startswith("label")]  # fmt: skip
        for (left, right, y), (other_left, other_right, other_y) in combinations(labels, 2):
            assert abs(y - other_y) > 5 or right <= other_left + 1 or other_right <= left + 1
        for item in walk(scene.items):
            if isinstance(item, Line):
                assert all(0 <= x <= width and 0 <= y <= scene.height for x, y in item.points)


@pytest.mark.parametrize("height", [None, 1.0])
def test_no_label_and_no_arrow_leaves_a_narrow_picture(height: float | None) -> None:
    words = [f"(X word{index})" for index in range(9)]
    nested = f"(S {' '.join(words[:6])} {' '.join(f'(INCOMPREHENSIBLE{index}' for index in range(9))} "
    late = marked(f"(S {' '.join(words)})", f"{nested}{' '.join(words[6:])}{')' * 10}")
    for sentence in [*random_sentences(), late]:
        drawn = groups(sentence, "bracket", width=330, height=height)
        for item in (item for group in drawn for item in group.items):
            if isinstance(item, Text):
                assert item.x >= 0
                assert item.x + text_width(item.text, item.size) <= 330
            if isinstance(item, Line):
                assert all(0 <= x <= 330 for x, _ in item.points)
        assert {(group.side, group.data["node"]) for group in drawn} == {
            (item.side, f"{item.side[0]}{item.node}") for item in brackets(sentence)
        }


def test_a_bracket_around_another_is_farther_from_the_words() -> None:
    for sentence in random_sentences():
        rows: dict[str, list[tuple[int, int, float]]] = {"gold": [], "test": []}
        for group in groups(sentence, "bracket", width=4000):
            y = next(item.y for item in group.items if isinstance(item, Text))
            rows[group.side].append((int(str(group.data["start"])), int(str(group.data["end"])), y))
        for side, own in rows.items():
            for start, end, y in own:
                for other_start, other_end, other_y in own:
                    if other_start < start and end < other_end:
                        assert other_y < y if side == "gold" else other_y > y


def test_words_wrap_within_the_width_and_none_is_lost() -> None:
    sentence = random_sentences()[-1]
    for width in (330, 700, 1180):
        texts = [
            item for group in groups(sentence, "cell", width=width) for item in group.items if isinstance(item, Text)
        ]
        assert [text.text for text in texts] == [word.form for word in sentence.words]
        assert all(0 < text.x < width for text in texts)


def test_focus_keeps_one_repair_and_shortening_keeps_its_words() -> None:
    sentence = random_sentences()[-1]
    for repair in sentence.repairs[:6]:
        drawn = groups(sentence, "bracket", focus=repair.number, shorten=True)
        assert drawn
        assert all(str(repair.number) in str(group.data["repair"]).split() for group in drawn)
    short = [
        item.text for group in groups(marked(), "cell", shorten=True) for item in group.items if isinstance(item, Text)
    ]
    assert short == ["She", "ate", "pasta", "with", "cheese", "."]
    far = " ".join(f"(NN w{number})" for number in range(20))
    long = marked(f"(S (FRAG {far}) {GOLD})", f"(S (FRAG {far}) {TEST})")
    short = [
        item.text for group in groups(long, "cell", shorten=True) for item in group.items if isinstance(item, Text)
    ]
    assert short == ["… 19 …", "w19", "She", "ate", "pasta", "with", "cheese", "."]


def test_equal_trees_are_plain_text() -> None:
    sentence = marked(GOLD, GOLD)
    assert sentence.wrong == 0
    assert not groups(sentence, "bracket")
    assert "Nothing to repair" in draw(sentence, "svg", verdict=True)


def test_sentences_from_right_to_left_are_mirrored() -> None:
    gold = "(S (NP (N الطالب)) (VP (V قرأ) (NP (NP (N كتابا)) (PP (P عن) (NP (N الفيل))))))"
    test = "(S (NP (N الطالب)) (VP (V قرأ) (NP (N كتابا)) (PP (P عن) (NP (N الفيل)))))"
    cells = groups(marked(gold, test), "cell", width=600)
    xs = [next(item.x for item in cell.items if isinstance(item, Text)) for cell in cells]
    assert xs == sorted(xs, reverse=True)
    said = walk(marked_scene(marked(gold, test), width=600, verdict=True, title="Title").items)
    heading = next(item for item in said if isinstance(item, Text) and item.text == "Title")
    assert (heading.x, heading.anchor) == (12.0, "start"), "only the lines of words are mirrored"


def test_the_type_grows_only_while_the_lines_stay_as_many() -> None:
    sentence = random_sentences()[4]
    wide = [
        item
        for item in walk(marked_scene(sentence, width=1000).items)
        if isinstance(item, Text) and item.role == "word"
    ]
    narrow = [
        item for item in walk(marked_scene(sentence, width=330).items) if isinstance(item, Text) and item.role == "word"
    ]
    assert wide[0].size >= narrow[0].size >= 12
    assert {item.size for item in wide} == {wide[0].size}


def test_text_and_data_have_every_repair_and_bracket() -> None:
    sentence = marked()
    assert "with cheese" in draw(sentence, "text")
    assert '"wrong": 1' in draw(sentence, "json")
    latex = draw(sentence, "latex")
    assert "evalmoved" in latex
    assert "evalmissing" in latex


def test_trees_that_cannot_be_compared_have_words_alone() -> None:
    sentence = marked_sentence(align(GOLD, "(S (NP (PRP He)))"))
    assert [word.form for word in sentence.words][:2] == ["She", "ate"]
    assert replace(sentence, words=()) == Marks(())


def test_brackets_of_two_parsers_have_letters_in_every_language() -> None:
    gold = "(S (NP (N a)) (VP (V b) (NP (NP (N c)) (PP (P d) (NP (N e))))))"
    first = "(S (NP (N a)) (VP (V b) (NP (N c)) (PP (P d) (NP (N e)))))"
    second = "(S (N a) (X (V b) (NP (N c)) (PP (P d) (NP (N e)))))"
    sentence = both(gold, first, second, ("p<1>", "q"))
    scene = marked_scene(sentence, parse_name="parsers", verdict=True)
    groups = [item for item in walk(scene.items) if isinstance(item, Group) and item.role == "node bracket"]
    assert sorted((group.status, group.data["repair"]) for group in groups) == [
        ("alike", "1 2"), ("only-b", "2"), ("only-b", "2"), ("only-b", "2"),
    ]  # fmt: skip
    assert any(group.title == "NP, c d e, missing from p<1> and q" for group in groups)
    texts = [item.text for item in walk(scene.items) if isinstance(item, Text)]
    assert texts.count("A B") == 1
    assert {"p<1>", "q", "parsers"} <= set(texts)
    assert "p<1>" not in [item.text for item in walk(marked_scene(sentence).items) if isinstance(item, Text)]
    ET.fromstring(draw(sentence, "svg", theme="light"))
    assert "evalochre" in draw(sentence, "latex", standalone=True)
    assert "missing from p<1> and q" in draw(sentence, "text")
    assert '"parsers"' in draw(sentence, "json")


def test_a_line_does_not_end_within_the_label_of_a_bracket() -> None:
    words = [f"(X word{index})" for index in range(12)]
    gold = f"(S {' '.join(words)})"
    for at in range(1, 11):
        test = f"(S {' '.join(words[:at])} (INCOMPREHENSIBLE {' '.join(words[at:])}))"
        setting = Setting(marked(gold, test), Sizes(), 480)
        for line in setting.lines:
            for placed in setting.placed_bars(line, "test", brackets=True):
                assert placed.opens or placed.label_end <= 480


def test_the_label_of_a_short_bracket_makes_no_hole_where_no_other_begins() -> None:
    rest = "(X b) (X c) (X d)"
    sentence = marked(f"(S (INCOMPREHENSIBLE (X a)) {rest})", f"(S (X a) {rest})")
    words = Setting(sentence, Sizes(), 600)
    plain = Setting(replace(sentence, marks=()), Sizes(), 600)
    assert words.lines == plain.lines
    (placed,) = words.placed_bars(words.lines[0], "gold", brackets=True)
    assert placed.label_end > placed.x1


def test_a_wrong_tag_that_a_repair_tells_is_not_told_again() -> None:
    sentence = marked("(S (NP (NN x)) (VP (VB run)) (PP (IN on)))", "(S (NP (NN x)) (NP (NN run)) (PP (RP on)))")
    assert [repair.verdict for repair in sentence.repairs] == ["is NP, should be VP; it is tagged NN, should be VB"]
    assert sentence.remark == "1 more wrong tag: “on” RP, should be IN"


def test_no_line_is_much_shorter_than_the_others() -> None:
    brackets = " ".join(f"(X (A word{number}) (A word))" for number in range(9))
    sentence = marked(f"(S (Y (A a) (A b) (Z {brackets})) (A end))", f"(S (A a) (A b) {brackets} (A end))")
    lines = Setting(sentence, Sizes(), 700).lines
    assert len(lines) > 1
    lengths = [line.rights[-1] - line.lefts[0] for line in lines]
    assert min(lengths) > 0.4 * max(lengths)


def test_wrong_tags_are_in_words() -> None:
    sentence = marked("(S (NP (NN run) (NN x)))", "(S (NP (VB run) (NN x)))")
    assert (sentence.wrong, sentence.unit, sentence.remark) == (1, "tags", "All brackets are right.")
    texts = [item for item in walk(marked_scene(sentence, verdict=True).items) if isinstance(item, Text)]
    drawn = [f"{item.lead} {item.text}".strip() for item in texts]
    assert {"“run” is tagged VB, should be NN – 1 of 1 wrong tag", "All brackets are right."} <= set(drawn)
    (tag, _) = groups(sentence, "tag")
    assert tag.data["repair"] == "1"
    assert "“run” is tagged VB, should be NN" in draw(sentence, "text")


def test_scores_of_two_parsers_are_strips_above_and_below_a_word() -> None:
    gold = "(S (NP (N a)) (VP (V b)))"
    sentence = both(gold, gold, "(S (X (N a)) (VP (V b)))")
    cell = groups(sentence, "cell", shade=True)[0]
    strips = [item for item in cell.items if isinstance(item, Rectangle)]
    assert [strip.shade for strip in strips] == [sentence.words[0].score_b]  # a word with score 1 has no strip
    (band,) = [
        item for item in walk(marked_scene(sentence).items) if isinstance(item, Rectangle) and item.role == "band"
    ]
    assert strips[0].box.y > band.box.y


def test_every_repair_has_a_strip_with_its_words_and_brackets() -> None:
    for sentence in random_sentences():
        for width in (330, 900):
            scene = marked_scene(sentence, one_by_one=True, width=width)
            strips = [item for item in scene.items if isinstance(item, Group) and item.role == "one-repair"]
            assert len(strips) == len(sentence.repairs)
            for repair, strip in zip(sentence.repairs, strips, strict=True):
                inside = [item for item in walk(strip.items) if isinstance(item, Group)]
                brackets = [item for item in inside if "bracket" in item.role.split()]
                assert all(str(repair.number) in str(item.data["repair"]).split() for item in brackets)
                assert any(isinstance(item, Text) and item.lead == repair.phrase for item in walk(strip.items))
                assert strip.offset is not None
                assert 0 <= strip.offset[0] < width
                assert strip.offset[1] < scene.height


def test_a_word_without_position_before_words_that_are_left_out() -> None:
    words = (Word("“", None), *(Word(letter, at) for at, letter in enumerate("abcdefghijkl")))
    short = Marks(words, (Mark("bracket", "gold", 1, "NP", (Span(11, 13),), Status.MISSING, (1,)),)).shortened()
    assert [word.form for word in short.words] == ["… 9 …", "i", "j", "k", "l"]
    assert short.marks[0].stretches == ((3, 5),)


def test_a_sentence_that_takes_too_much_room_is_set_tighter_and_loses_nothing() -> None:
    sentence = random_sentences()[-1]
    loose, tightest = (marked_scene(sentence, width=900, height=height).height for height in (None, 1.0))
    assert tightest < loose
    drawn = groups(sentence, "bracket", width=900, height=1.0)
    assert {(group.side, group.data["node"]) for group in drawn} == {
        (item.side, f"{item.side[0]}{item.node}") for item in brackets(sentence)
    }
    labels = [
        item for group in drawn for item in group.items if isinstance(item, Text) and item.role.startswith("label")
    ]
    assert min(item.size for item in labels) == 11
    for one, other in combinations(labels, 2):
        left, right = sorted((one, other), key=lambda item: item.x)
        assert abs(left.y - right.y) > 5 or left.x + 6 * len(left.text) <= right.x + 1


def test_labels_over_the_same_words_are_one_bracket_with_a_list_of_labels_the_outermost_first() -> None:
    said = "(S (NP (PRP She)) (VP (VBZ says) {}))"
    inner = "(NP (PRP it)) (VP (VBZ is) (ADJP (JJ late)))"
    sentence = marked(said.format(f"(SBAR (S {inner}))"), said.format(inner))
    own = groups(sentence, "bracket")
    (height,) = {item.y for group in own for item in group.items if isinstance(item, Text) and item.role == "label"}
    labels = sorted((item.x, item.text) for group in own for item in group.items
                    if isinstance(item, Text) and item.role == "label")  # fmt: skip
    assert [text for _, text in labels] == ["SBAR", "S"]
    assert sum(isinstance(item, Line) for group in own for item in group.items) == 1
    (line,) = [item for group in own for item in group.items if isinstance(item, Line)]
    assert height < line.points[0][1], "the line is between the words and the labels"


def test_status_is_side_and_color_and_dashes_and_what_follows_is_thin_and_has_no_number() -> None:
    for sentence in random_sentences():
        for group in groups(sentence, "bracket"):
            assert not any(isinstance(item, MarkItem) for item in group.items)
            node = next(mark for mark in brackets(sentence) if f"{mark.side[0]}{mark.node}" == group.data["node"])
            assert (group.more == "thin") == (node.follows or node.status is Status.RIGHT)
            if group.more == "thin":
                assert not any(isinstance(item, Ring) for item in group.items)


def test_arrows_and_crosses_end_at_the_brackets_that_the_words_name_and_cover_no_label() -> None:
    wanted = drawn = 0
    for sentence in random_sentences():
        wanted += 2 * sum(item.has_parents for item in sentence.repairs[:ARROWS])
        for width in (330, 640, 1040):
            scene = marked_scene(sentence, width=width)
            hits: dict[object, list[Rectangle]] = {}
            labels = []
            for group in walk(scene.items):
                if isinstance(group, Group) and {"bracket", "tag"} & set(group.role.split()):
                    hits.setdefault(group.data["node"], []).extend(
                        item for item in group.items if isinstance(item, Rectangle) and item.role == "hit"
                    )
                    labels += [item for item in group.items if isinstance(item, Text)]
            for group in walk(scene.items):
                if not isinstance(group, Group) or group.role != "move":
                    continue
                repair = sentence.repairs[int(str(group.data["repair"])) - 1]
                for item in group.items:
                    assert isinstance(item, Line)
                    x, y = item.points[-1]
                    node = f"g{repair.gold_parent}" if item.role == "arrow" else f"t{repair.test_parent}"
                    assert any(hit.box.top - 4 <= y <= hit.box.bottom + 4 for hit in hits[node])
                    assert 0 <= x <= width
                    top, bottom = sorted(at for _, at in item.points)
                    for text in labels:
                        beside = x + 1 < text.x or text.x + 0.8 * text_width(text.text, text.size) < x - 1
                        assert beside or not top < text.y < bottom
                drawn += width == 1040 and sum(isinstance(item, Line) and item.role != "cross" for item in group.items)
    assert drawn >= 0.7 * wanted  # the others belong to, or are in, a bracket that has no part on the phrase's line


def test_pictures_and_text_say_which_errors_are_equal_and_which_belong_together() -> None:
    gold = "(S (A (X a) (X b)) (X c) (X d) (B (X e) (X f)))"
    sentence = marked(gold, "(S (X a) (X b) (X c) (X d) (X e) (X f))")
    tie = "Two errors of equal size: A “a b” and B “e f”"
    texts = [item.text for item in walk(marked_scene(sentence, verdict=True).items) if isinstance(item, Text)]
    assert texts[0] == tie
    assert tie not in [item.text for item in walk(marked_scene(sentence).items) if isinstance(item, Text)]
    assert tie in draw(sentence, "text")
    linked = replace(sentence, repairs=(replace(sentence.repairs[0], together=(2,)), sentence.repairs[1]))
    assert "is missing (together with 2)" in draw(linked, "text")
    assert [item["together"] for item in json.loads(draw(linked, "json"))["repairs"]] == [[2], []]


# ------------------------------------------------------------------------------------------------------- bars with gaps


VERB_PHRASE = {3, 13, 14, 18}


def with_gaps() -> Marks:
    words = "de man die zei dat hij met zijn oude hond langs de gracht wandelde heeft gisteren de krant gelezen".split()
    leaves = [f"(X {at}={word})" for at, word in enumerate(words)]
    inside = " ".join(leaf for at, leaf in enumerate(leaves) if at in VERB_PHRASE)
    outside = " ".join(leaf for at, leaf in enumerate(leaves) if at not in VERB_PHRASE)
    return marked_discbracket(f"(S (VP {inside}) {outside})", f"(S {inside} {outside})")


def marked_discbracket(gold: str, test: str) -> Marks:
    return marked_sentence(align(*(Tree.from_string(text, "discbracket") for text in (gold, test))))


def test_a_bracket_with_gaps_names_all_its_pieces_in_every_language() -> None:
    sentence = with_gaps()
    (bracket,) = brackets(sentence)
    assert bracket.stretches == (Span(3, 4), Span(13, 15), Span(18, 19))
    (group,) = groups(sentence, "bracket", width=2000)
    assert group.title == "VP, zei … wandelde heeft … gelezen, only in gold, repair 1"
    assert group.data["gaps"] == "4-13 15-18"
    assert (group.is_symbol, group.takes_focus) == (True, True)
    assert "VP “zei … wandelde heeft … gelezen”" in draw(sentence, "text")
    assert json.loads(draw(sentence, "json"))["marks"][0]["words"] == [[3, 4], [13, 15], [18, 19]]
    lines = [item for item in group.items if isinstance(item, Line)]
    assert [item.role for item in lines] == ["stroke"] * 3 + ["stroke gap"] * 2
    assert 'class="stroke gap"' in draw(sentence, "svg")
    assert "dotted" in draw(sentence, "latex")


def test_a_shortened_sentence_keeps_the_gap_and_the_words_at_its_edges() -> None:
    short = with_gaps().shortened()
    (bracket,) = short.marks
    words = [word.form for word in short.words]
    assert [" ".join(words[start:end]) for start, end in bracket.stretches] == ["zei", "wandelde heeft", "gelezen"]
    assert "… 5 …" in words


def test_every_stretch_of_a_phrase_that_moves_has_a_box_and_the_longest_one_the_arrow() -> None:
    gold = "(S (VP (V 2=came) (NP (D 0=a) (N 1=man) (PP (P 3=with) (D 4=old) (N 5=hats)))) (ADV 6=in))"
    test = "(S (V 2=came) (NP (D 0=a) (N 1=man) (PP (P 3=with) (D 4=old) (N 5=hats))) (ADV 6=in))"
    sentence = marked_discbracket(gold, test)
    parent = next(mark.node for mark in sentence.marks if mark.side == "gold")
    sentence = replace(
        sentence,
        repairs=(replace(sentence.repairs[0], moved=(Span(0, 2), Span(3, 6)), gold_parent=parent),),
    )
    items = list(walk(marked_scene(sentence, width=900).items))
    boxes = [item.box for item in items if isinstance(item, Rectangle) and item.role == "moved-box"]
    arrows = [item for item in items if isinstance(item, Line) and item.role == "arrow"]
    assert len(boxes) == 2
    assert boxes[0].right < boxes[1].left
    assert len(arrows) == 1
    assert boxes[1].left < arrows[0].points[0][0] < boxes[1].right
    assert len([item for item in items if isinstance(item, Ring)]) >= 3
    assert len(list(walk(marked_scene(sentence, one_by_one=True).items))) > 10


@pytest.mark.parametrize("width", [330, 900])
def test_a_picture_that_stands_alone_has_every_repair_in_words_and_its_legend_and_no_empty_edge(width: int) -> None:
    for sentence in random_sentences():
        plain = marked_scene(sentence, width=width)
        scene = marked_scene(sentence, width=width, verdict=True, legend=True, tight=True)
        assert scene.width <= width
        texts = [item for item in walk(scene.items) if isinstance(item, Text)]
        own = [item for item in texts if item.role in ("word", "soft", "soft plain") and item.is_name]
        told = " ".join(f"{item.lead} {item.text}" for item in own)
        for item in sentence.repairs:
            assert " ".join(f"{item.phrase} {item.verdict}".split()) in " ".join(told.split())
        legend = [text for _, text in sentence.legend()]
        assert [item.text for item in own if item.role == "soft plain"] == legend
        for item in own:
            assert len(item.text.split()) < 2 or item.x + text_width(item.text, item.size) <= scene.width
        heights = [item.y for item in own]
        bands = [item.box for item in walk(plain.items) if isinstance(item, Rectangle) and item.role == "band"]
        below = max(
            item.box.bottom for item in walk(scene.items) if isinstance(item, Rectangle) and item.role == "band"
        )
        assert len(bands) == len(groups(sentence, "system", width=width))
        assert all(below < y < scene.height for y in heights[len(heights) - len(legend) :])


def test_a_short_sentence_is_as_narrow_as_its_words_and_the_texts_around_it() -> None:
    sentence = marked("(S (NP (UH Huh)) (VP (VB go)))", "(S (INTJ (UH Huh)) (VP (VB go)))")
    bare = marked_scene(sentence, tight=True)
    assert bare.width < 200
    assert marked_scene(sentence).width == 900
    assert bare.width < marked_scene(sentence, tight=True, verdict=True, legend=True).width < 480


def test_the_sides_are_pointed_at_by_shapes_not_characters_that_fonts_lack() -> None:
    items = list(walk(marked_scene(marked()).items))
    assert [item.text for item in items if isinstance(item, Text) and item.role == "gutter"] == ["gold", "parser"]
    up, down = [item.points for item in items if isinstance(item, Polygon) and item.role == "pointer"]
    assert up[0][1] < up[1][1]
    assert down[0][1] > down[1][1]


def test_a_sentence_without_repairs_has_its_brackets_and_the_reason() -> None:
    gold, test = "(S (X (A 0=a) (B 1=b)) (Y (C 2=c) (D 3=d)))", "(S (X (A 0=a) (C 2=c)) (Y (B 1=b) (D 3=d)))"
    sentence = marked_discbracket(gold, test)
    assert (len(brackets(sentence)), sentence.repairs) == (4, ())
    scene = marked_scene(sentence, verdict=True)
    texts = [item.text for item in walk(scene.items) if isinstance(item, Text)]
    assert sentence.unrepaired in texts
    assert sorted(text for text in texts if text in "XY") == ["X", "X", "Y", "Y"]
    assert not [item for item in walk(scene.items) if isinstance(item, Ring)]
    assert "no list of repairs" in scene.label
    assert "no list of repairs" in draw(sentence, "text")
    assert "no list of repairs" in json.loads(draw(sentence, "json"))["unrepaired"]
