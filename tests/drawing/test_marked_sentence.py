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
from evaltools.drawing.layouts.marked_legend import right_edge
from evaltools.drawing.layouts.marked_parts import tags_text
from evaltools.drawing.layouts.marked_sentence import bracket_scene, shortened
from evaltools.drawing.layouts.marked_setting import TIGHT, Setting, Sizes, has_bundles, label_parts
from evaltools.drawing.layouts.marked_strips import strips_scene
from evaltools.drawing.measure import text_width
from evaltools.drawing.scene import Group, Line, Polygon, Rectangle, Ring, Text, walk
from evaltools.frameworks.constituency.marked import compared_sentence, marked_sentence
from evaltools.marks import MarkedBracket, MarkedSentence, MarkedWord, RepairStrips

GOLD = "(S (NP (PRP She)) (VP (VBD ate) (NP (NP (NN pasta)) (PP (IN with) (NP (NN cheese))))) (. .))"
TEST = "(S (NP (PRP She)) (VP (VBD ate) (NP (NN pasta)) (PP (IN with) (NP (NN cheese)))) (. .))"


def marked(gold: str = GOLD, test: str = TEST) -> MarkedSentence:
    return marked_sentence(align(gold, test))


def groups(sentence: MarkedSentence, role: str, **options: object) -> list[Group]:
    scene = bracket_scene(sentence, **options)  # type: ignore[arg-type]
    return [item for item in walk(scene.items) if isinstance(item, Group) and role in item.role.split()]


def random_tree(rng: random.Random, words: list[str]) -> str:
    """Return a tree over words with random brackets."""
    if len(words) == 1:
        return f"({rng.choice(['NN', 'VB', 'IN'])} {words[0]})"
    cuts = sorted(rng.sample(range(1, len(words)), min(len(words) - 1, rng.randint(1, 3))))
    parts = [words[start:end] for start, end in zip([0, *cuts], [*cuts, len(words)], strict=True)]
    return f"({rng.choice(['NP', 'VP', 'PP', 'S'])} {' '.join(random_tree(rng, part) for part in parts)})"


def random_sentences() -> list[MarkedSentence]:
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
    right, wrong = (sentence.brackets[index] for index in (repair.gold_parent, repair.test_parent))
    assert (right.side, right.label, right.status) == ("gold", "NP", "missing")
    assert (wrong.side, wrong.label, wrong.status) == ("test", "VP", "right")
    boxes = [
        item for item in walk(bracket_scene(sentence).items) if isinstance(item, Rectangle) and item.role == "moved-box"
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
            wanted = {(item.side, f"{item.side[0]}{item.node}") for item in sentence.brackets}
            assert drawn == wanted
            assert len(sentence.brackets) >= sentence.wrong
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
        scene = bracket_scene(sentence, width=width)
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
            (item.side, f"{item.side[0]}{item.node}") for item in sentence.brackets
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


def test_of_brackets_over_the_same_words_the_outer_one_is_farther_from_the_words() -> None:
    said = "(SBAR (S (NP (PRP it)) (VP (VBZ is) (ADJP (JJ late)))))"
    flat = "(NP (PRP it)) (VP (VBZ is) (ADJP (JJ late)))"
    without, chain = (f"(S (NP (PRP She)) (VP (VBZ says) {part}) (. .))" for part in (flat, said))
    for gold, test in ((chain, without), (without, chain)):
        rows = {}
        for group in groups(marked(gold, test), "bracket", width=4000):
            label = next(item for item in group.items if isinstance(item, Text) and item.text in ("SBAR", "S"))
            rows[label.text] = label.y
        outward = rows["S"] - rows["SBAR"] if gold == chain else rows["SBAR"] - rows["S"]
        assert outward > 0


def test_a_label_of_several_brackets_begins_with_the_outermost() -> None:
    rng = random.Random(7)
    bundles = 0
    for _ in range(60):
        words = ["house"] * 12
        sentence = marked(random_tree(rng, words), f"(X {random_tree(rng, words)})")
        for tracks in Setting(sentence, TIGHT[-1], 4000).tracks.values():
            for track in tracks:
                bundles += len(track.bars) > 1
                own = [(bar.end - bar.start, bar.bracket.node) for bar in track.bars]
                assert own == sorted(own, reverse=True)
    assert bundles


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
    said = walk(bracket_scene(marked(gold, test), width=600, verdict=True, title="Title").items)
    heading = next(item for item in said if isinstance(item, Text) and item.text == "Title")
    assert (heading.x, heading.anchor) == (12.0, "start"), "only the lines of words are mirrored"


def test_the_type_grows_only_while_the_lines_stay_as_many() -> None:
    sentence = random_sentences()[4]
    wide = [
        item
        for item in walk(bracket_scene(sentence, width=1000).items)
        if isinstance(item, Text) and item.role == "word"
    ]
    narrow = [
        item
        for item in walk(bracket_scene(sentence, width=330).items)
        if isinstance(item, Text) and item.role == "word"
    ]
    assert wide[0].size >= narrow[0].size >= 12
    assert {item.size for item in wide} == {wide[0].size}


def test_text_and_data_have_every_repair_and_bracket() -> None:
    sentence = marked()
    assert "with cheese" in draw(sentence, "text")
    assert '"missing": 1' in draw(sentence, "json")
    latex = draw(sentence, "latex")
    assert "evalmoved" in latex
    assert "evalmissing" in latex


def test_trees_that_cannot_be_compared_have_words_alone() -> None:
    sentence = marked_sentence(align(GOLD, "(S (NP (PRP He)))"))
    assert [word.form for word in sentence.words][:2] == ["She", "ate"]
    assert replace(sentence, words=()) == MarkedSentence(())


def test_brackets_of_two_parsers_have_letters_in_every_language() -> None:
    gold = "(S (NP (N a)) (VP (V b) (NP (NP (N c)) (PP (P d) (NP (N e))))))"
    first = "(S (NP (N a)) (VP (V b) (NP (N c)) (PP (P d) (NP (N e)))))"
    second = "(S (N a) (X (V b) (NP (N c)) (PP (P d) (NP (N e)))))"
    sentence = compared_sentence(align(gold, first), align(gold, second), ("p<1>", "q"))
    assert sentence is not None
    scene = bracket_scene(sentence, test_name="parsers", key=True)
    groups = [item for item in walk(scene.items) if isinstance(item, Group) and item.role == "node bracket"]
    assert sorted((group.status, group.data["repair"]) for group in groups) == [
        ("alike", "1 2"), ("only-b", "2"), ("only-b", "2"), ("only-b", "2"),
    ]  # fmt: skip
    assert any(group.title == "NP, c d e, missing from p<1> and q" for group in groups)
    texts = [item.text for item in walk(scene.items) if isinstance(item, Text)]
    assert texts.count("A B") == 1
    assert {"p<1>", "q", "parsers"} <= set(texts)
    assert "p<1>" not in [item.text for item in walk(bracket_scene(sentence).items) if isinstance(item, Text)]
    ET.fromstring(draw(sentence, "svg", theme="light"))
    assert "evalochre" in draw(sentence, "latex", standalone=True)
    assert "missing from p<1> and q" in draw(sentence, "text")
    assert '"parsers"' in draw(sentence, "json")


def test_brackets_of_one_parser_that_begin_together_are_one_line() -> None:
    gold = "(S (A (B (X a) (X b)) (X c)) (X d))"
    sentence = compared_sentence(align(gold, "(S (X a) (X b) (X c) (X d))"), align(gold, gold), ("p", "q"))
    assert sentence is not None
    texts = [item.text for item in walk(bracket_scene(sentence).items) if isinstance(item, Text)]
    assert texts.count("A") == 1  # on the line of both brackets
    assert [text for text in texts if text in ("A,", "B")] == ["A,", "B"]


def test_a_line_does_not_end_within_the_label_of_a_bracket() -> None:
    words = [f"(X word{index})" for index in range(12)]
    gold = f"(S {' '.join(words)})"
    for at in range(1, 11):
        test = f"(S {' '.join(words[:at])} (INCOMPREHENSIBLE {' '.join(words[at:])}))"
        setting = Setting(marked(gold, test), Sizes(), 480)
        for line in setting.lines:
            for piece in setting.pieces(line, "test"):
                assert piece.opens or piece.label_end <= 480


def test_labels_of_several_brackets_on_one_line_are_a_list_and_each_edge_has_its_tick() -> None:
    for sentence in random_sentences():
        for width in (330, 900):
            setting = Setting(sentence, Sizes(), width)
            for side, line in ((side, line) for side in ("gold", "test") for line in setting.lines):
                for piece in setting.pieces(line, side):
                    labels = [text for kind, text, *_ in label_parts(piece.track, setting.sizes) if kind == "label"]
                    assert [text.endswith(",") for text in labels] == [True] * (len(labels) - 1) + [False]
                    assert piece.label_x <= piece.x0
                    assert piece.label_x >= line.lefts[0] - 9
    assert has_bundles(random_sentences()[-1])
    assert not has_bundles(marked())


def test_several_arrows_have_numbers_and_one_has_none() -> None:
    def numbers(sentence: MarkedSentence, role: str) -> list[str]:
        return [item.text for group in groups(sentence, role) for item in group.items if isinstance(item, Text)]

    assert numbers(marked(), "phrase") == ["1"]
    assert numbers(marked(), "move") == []
    several = [each for each in random_sentences() if sum(item.moved is not None for item in each.repairs) > 1]
    assert any(numbers(sentence, "move") for sentence in several)


@pytest.mark.parametrize("width", [330, 600, 1100])
def test_the_number_of_a_box_or_an_arrow_covers_no_word_and_no_label(width: int) -> None:
    for sentence in random_sentences():
        scene = bracket_scene(sentence, width=width)
        texts = [item for item in walk(scene.items) if isinstance(item, Text)]
        other = [
            (item.x, item.x + 0.9 * text_width(item.text, item.size), item.y)
            for item in texts
            if item.role.split()[0] in ("word", "label", "tag") and item.anchor == "start"
        ]
        numbers = [
            item
            for role in ("phrase", "move")
            for group in groups(sentence, role, width=width)
            for item in group.items
            if isinstance(item, Ring)
        ]
        for ring in numbers:
            for left, right, y in other:
                assert abs(ring.y - y) > 6 or ring.x + 5 < left or right < ring.x - 5


def test_the_label_of_a_short_bracket_makes_no_hole_where_no_other_begins() -> None:
    rest = "(X b) (X c) (X d)"
    sentence = marked(f"(S (INCOMPREHENSIBLE (X a)) {rest})", f"(S (X a) {rest})")
    words = Setting(sentence, Sizes(), 600)
    plain = Setting(replace(sentence, brackets=()), Sizes(), 600)
    assert words.lines == plain.lines
    (piece,) = words.pieces(words.lines[0], "gold")
    assert piece.label_end > piece.x1


def test_a_wrong_tag_that_a_repair_tells_is_not_told_again() -> None:
    sentence = marked("(S (NP (NN x)) (VP (VB run)) (PP (IN on)))", "(S (NP (NN x)) (NP (NN run)) (PP (RP on)))")
    assert [repair.verdict for repair in sentence.repairs] == ["is NP, should be VP; it is tagged NN, should be VB"]
    assert tags_text(sentence) == "1 more wrong tag: “on” RP, should be IN"


def test_a_picture_with_all_repairs_in_words_repeats_no_tag_of_a_smaller_one() -> None:
    rest = " ".join(f"({label} (NN {word}))" for label, word in zip(("NP", "VP", "ADJP"), "abc", strict=True))
    wrong = " ".join(f"({label} (NN {word}))" for label, word in zip(("VP", "NP", "NP"), "abc", strict=True))
    sentence = marked(f"(S {rest} (NP (NN d)))", f"(S {wrong} (VP (VB d)))")
    assert [tag.told_by for tag in sentence.tags] == [4]
    assert tags_text(sentence) == "1 wrong tag: “d” VB, should be NN"
    texts = [item.text for item in walk(bracket_scene(sentence, verdict=True).items) if isinstance(item, Text)]
    assert sum("VB, should be NN" in text for text in texts) == 1


def test_no_line_is_much_shorter_than_the_others() -> None:
    brackets = " ".join(f"(X (A word{number}) (A word))" for number in range(9))
    sentence = marked(f"(S (Y (A a) (A b) (Z {brackets})) (A end))", f"(S (A a) (A b) {brackets} (A end))")
    lines = Setting(sentence, Sizes(), 700).lines
    assert len(lines) > 1
    lengths = [line.rights[-1] - line.lefts[0] for line in lines]
    assert min(lengths) > 0.4 * max(lengths)


def test_wrong_tags_are_in_words() -> None:
    sentence = marked("(S (NP (NN run) (NN x)))", "(S (NP (VB run) (NN x)))")
    assert tags_text(sentence) == "1 wrong tag: “run” VB, should be NN"
    texts = [item for item in walk(bracket_scene(sentence, verdict=True).items) if isinstance(item, Text)]
    drawn = [f"{item.lead} {item.text}".strip() for item in texts]
    assert {"“run” is tagged VB, should be NN – 1 of 1 wrong tag", "All brackets are right."} <= set(drawn)
    (tag, _) = groups(sentence, "tag")
    assert tag.data["repair"] == "1"
    assert draw(sentence, "text").endswith("1 wrong tag: “run” VB, should be NN")


def test_scores_of_two_parsers_are_strips_above_and_below_a_word() -> None:
    gold = "(S (NP (N a)) (VP (V b)))"
    sentence = compared_sentence(align(gold, gold), align(gold, "(S (X (N a)) (VP (V b)))"), ("p", "q"))
    assert sentence is not None
    cell = groups(sentence, "cell", shade=True)[0]
    strips = [item for item in cell.items if isinstance(item, Rectangle)]
    assert [strip.shade for strip in strips] == [sentence.words[0].score_b]  # a word with score 1 has no strip
    (band,) = [
        item for item in walk(bracket_scene(sentence).items) if isinstance(item, Rectangle) and item.role == "band"
    ]
    assert strips[0].box.y > band.box.y


def test_every_repair_has_a_strip_with_its_words_and_brackets() -> None:
    for sentence in random_sentences():
        for width in (330, 900):
            scene = strips_scene(RepairStrips(sentence), width=width)
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


def test_strips_can_be_drawn_in_every_language() -> None:
    sentence = random_sentences()[3]
    strips = RepairStrips(sentence)
    assert ET.fromstring(draw(strips, "svg", title="Repairs")) is not None
    assert draw(strips, "text") == draw(sentence, "text")
    assert len(json.loads(draw(strips, "json"))["repairs"]) == len(sentence.repairs)
    assert "tikzpicture" in draw(strips, "latex")
    hebrew = marked("(S (NP (N ילד)) (VP (V אכל) (NP (N תפוח))))", "(S (N ילד) (VP (V אכל) (N תפוח)))")
    assert len(hebrew.repairs) == 2
    assert ET.fromstring(draw(RepairStrips(hebrew), "svg")) is not None


def test_a_word_without_position_before_words_that_are_left_out() -> None:
    words = (MarkedWord("“", None), *(MarkedWord(letter, at) for at, letter in enumerate("abcdefghijkl")))
    bracket = MarkedBracket("gold", 1, "NP", Span(10, 12), "missing", (1,), follows=False)
    short = shortened(MarkedSentence(words, (bracket,), (), (), missing=1, spurious=0))
    assert [word.position for word in short.words if word.position is not None] == list(range(len(short.words) - 1))
    assert short.words[0] == words[0]
    kept = short.brackets[0].span
    forms = {word.position: word.form for word in short.words}
    assert [forms[at] for at in range(kept.start, kept.end)] == ["k", "l"]


def test_a_sentence_that_takes_too_much_room_is_set_tighter_and_loses_nothing() -> None:
    sentence = random_sentences()[-1]
    loose, *_, tightest = (Setting(sentence, sizes, 900).height for sizes in (Sizes(), *TIGHT))
    assert tightest < loose
    heights = [bracket_scene(sentence, width=900, height=height).height for height in (loose, tightest, 1.0)]
    assert heights[0] > heights[1] == heights[2]
    drawn = groups(sentence, "bracket", width=900, height=tightest)
    assert {(group.side, group.data["node"]) for group in drawn} == {
        (item.side, f"{item.side[0]}{item.node}") for item in sentence.brackets
    }
    labels = [
        item for group in drawn for item in group.items if isinstance(item, Text) and item.role.startswith("label")
    ]
    assert min(item.size for item in labels) == 11
    for one, other in combinations(labels, 2):
        left, right = sorted((one, other), key=lambda item: item.x)
        assert abs(left.y - right.y) > 5 or left.x + 6 * len(left.text.rstrip(",")) <= right.x + 1


def test_brackets_of_several_repairs_share_a_line_only_in_the_tightest_setting_and_of_one_status() -> None:
    sentence = random_sentences()[-1]
    for sizes in (Sizes(), *TIGHT):
        setting = Setting(sentence, sizes, 900)
        shared = [track for tracks in setting.tracks.values() for track in tracks if len(track.bars) > 1]
        assert all(len({(bar.bracket.status, bar.bracket.follows) for bar in track.bars}) == 1 for track in shared)
        assert any(len({bar.repair for bar in track.bars}) > 1 for track in shared) == sizes.joins
    assert [sizes.joins for sizes in TIGHT] == [False, False, True]


def test_pictures_and_text_say_which_errors_are_equal_and_which_belong_together() -> None:
    gold = "(S (A (X a) (X b)) (X c) (X d) (B (X e) (X f)))"
    sentence = marked(gold, "(S (X a) (X b) (X c) (X d) (X e) (X f))")
    tie = "Two errors of equal size: A “a b” and B “e f”"
    texts = [item.text for item in walk(bracket_scene(sentence, verdict=True).items) if isinstance(item, Text)]
    assert texts[0] == tie
    assert tie not in [item.text for item in walk(bracket_scene(sentence).items) if isinstance(item, Text)]
    assert tie in draw(sentence, "text")
    linked = replace(sentence, repairs=(replace(sentence.repairs[0], together=(2,)), sentence.repairs[1]))
    assert "is missing (together with 2)" in draw(linked, "text")
    assert [item["together"] for item in json.loads(draw(linked, "json"))["repairs"]] == [[2], []]


# ------------------------------------------------------------------------------------------------------- bars with gaps


VERB_PHRASE = {3, 13, 14, 18}


def with_gaps() -> MarkedSentence:
    words = "de man die zei dat hij met zijn oude hond langs de gracht wandelde heeft gisteren de krant gelezen".split()
    leaves = [f"(X {at}={word})" for at, word in enumerate(words)]
    inside = " ".join(leaf for at, leaf in enumerate(leaves) if at in VERB_PHRASE)
    outside = " ".join(leaf for at, leaf in enumerate(leaves) if at not in VERB_PHRASE)
    return marked_discbracket(f"(S (VP {inside}) {outside})", f"(S {inside} {outside})")


def marked_discbracket(gold: str, test: str) -> MarkedSentence:
    return marked_sentence(align(*(Tree.from_string(text, "discbracket") for text in (gold, test))))


@pytest.mark.parametrize("width", [200, 330, 1040])
def test_a_bar_with_gaps_is_solid_over_its_words_alone_and_dotted_between_them(width: int) -> None:
    seen = set()
    for system in groups(with_gaps(), "system", width=width):
        inner = [item for item in walk(system.items) if isinstance(item, (Group, Text, Line))]
        label = next((item for item in inner if isinstance(item, Text) and item.role == "label"), None)
        if label is None:
            continue  # a line of words before the bar
        level = [item for item in inner if isinstance(item, Line) and item.points[0][1] == item.points[-1][1]]
        for cell in (item for item in inner if isinstance(item, Group) and item.role == "cell"):
            text = next(item for item in cell.items if isinstance(item, Text))
            middle = text.x + text_width(text.text, text.size) / 2
            over = {line.role for line in level if line.points[0][0] <= middle <= line.points[-1][0]}
            position = int(str(cell.data["word"]))
            if position in VERB_PHRASE:
                assert over & {"stroke", "stroke solid"}
            elif middle > label.x + text_width(label.text, label.size) + 4:  # else under the label
                assert over == ({"stroke gap"} if position > 3 else set())
            else:
                assert not over & {"stroke", "stroke solid"}
            seen.add(position)
    assert seen >= VERB_PHRASE


def test_a_bracket_with_gaps_names_all_its_pieces_in_every_language() -> None:
    sentence = with_gaps()
    (bracket,) = sentence.brackets
    assert bracket.gaps == (Span(4, 13), Span(15, 18))
    (group,) = groups(sentence, "bracket", width=2000)
    assert group.title == "VP, zei … wandelde heeft … gelezen, only in gold, settled by repair 1"
    assert group.data["gaps"] == "4-13 15-18"
    assert (group.is_symbol, group.takes_focus) == (True, True)
    assert "VP “zei … wandelde heeft … gelezen”" in draw(sentence, "text")
    data = json.loads(draw(sentence, "json"))["brackets"][0]
    assert (data["span"], data["gaps"]) == ([3, 19], [[4, 13], [15, 18]])
    assert "gaps" not in json.loads(draw(marked(), "json"))["brackets"][0]
    assert 'class="stroke gap"' in draw(sentence, "svg")
    assert "dotted" in draw(sentence, "latex")


def test_a_shortened_sentence_keeps_the_gap_and_the_words_at_its_edges() -> None:
    short = shortened(with_gaps())
    (bracket,) = short.brackets
    words = [word.form for word in short.words]
    assert [" ".join(words[start:end]) for start, end in bracket.stretches] == ["zei", "wandelde heeft", "gelezen"]
    assert "… 5 …" in words


def test_every_stretch_of_a_phrase_that_moves_has_a_box_and_the_longest_one_the_arrow() -> None:
    gold = "(S (VP (V 2=came) (NP (D 0=a) (N 1=man) (PP (P 3=with) (D 4=old) (N 5=hats)))) (ADV 6=in))"
    test = "(S (V 2=came) (NP (D 0=a) (N 1=man) (PP (P 3=with) (D 4=old) (N 5=hats))) (ADV 6=in))"
    sentence = marked_discbracket(gold, test)
    sentence = replace(
        sentence,
        repairs=(replace(sentence.repairs[0], moved=Span(0, 6), moved_gaps=(Span(2, 3),), gold_parent=0),),
    )
    items = list(walk(bracket_scene(sentence, width=900).items))
    boxes = [item.box for item in items if isinstance(item, Rectangle) and item.role == "moved-box"]
    arrows = [item for item in items if isinstance(item, Line) and item.role == "arrow"]
    assert len(boxes) == 2
    assert boxes[0].right < boxes[1].left
    assert len(arrows) == 1
    assert boxes[1].left < arrows[0].points[0][0] < boxes[1].right
    assert len([item for item in items if isinstance(item, Ring)]) >= 3
    assert len(list(walk(strips_scene(RepairStrips(sentence)).items))) > 10


LEGEND = (
    ("missing", "missing"),
    ("spurious", "spurious"),
    ("relabeled", "wrong label"),
    ("moved", "moves from × to ↑"),
    ("outlined", "moves, too"),
    ("right", "correct"),
    ("settled", "settled by that repair"),
    ("follows", "follows from that repair"),
    ("joined", "settled by both"),
    ("bundled", "several on one line"),
    ("gapped", "in several pieces"),
    ("boxed", "wrong argument"),
    ("only-a", "wrong only in A"),
    ("alike", "wrong alike"),
    ("shaded", "leaf-ancestor"),
)


@pytest.mark.parametrize("width", [330, 900])
def test_a_picture_that_stands_alone_has_every_repair_in_words_and_its_legend_and_no_empty_edge(width: int) -> None:
    for sentence in random_sentences():
        plain = bracket_scene(sentence, width=width)
        scene = bracket_scene(sentence, width=width, verdict=True, legend=LEGEND, tight=True)
        edge = right_edge(scene.items)
        assert scene.width == min(width, edge + 10)
        texts = [item for item in walk(scene.items) if isinstance(item, Text)]
        own = [item for item in texts if item.role in ("word", "soft", "soft plain") and item.is_name]
        told = " ".join(f"{item.lead} {item.text}" for item in own)
        for item in sentence.repairs:
            assert " ".join(f"{item.phrase} {item.verdict}".split()) in " ".join(told.split())
        assert [item.text for item in own][-len(LEGEND) :] == [text for _, text in LEGEND]
        for item in own:
            assert len(item.text.split()) < 2 or item.x + text_width(item.text, item.size) <= scene.width
        heights = [item.y for item in own]
        bands = [item.box for item in walk(plain.items) if isinstance(item, Rectangle) and item.role == "band"]
        below = max(
            item.box.bottom for item in walk(scene.items) if isinstance(item, Rectangle) and item.role == "band"
        )
        assert len(bands) == len(groups(sentence, "system", width=width))
        assert all(below < y < scene.height for y in heights[-len(LEGEND) :])


def test_a_short_sentence_is_as_narrow_as_its_words_and_the_texts_around_it() -> None:
    sentence = marked("(S (NP (UH Huh)) (VP (VB go)))", "(S (INTJ (UH Huh)) (VP (VB go)))")
    bare = bracket_scene(sentence, tight=True)
    assert bare.width < 200
    assert bracket_scene(sentence).width == 900
    assert bare.width < bracket_scene(sentence, tight=True, verdict=True, legend=LEGEND[:3]).width < 480


def test_the_sides_are_pointed_at_by_shapes_not_characters_that_fonts_lack() -> None:
    items = list(walk(bracket_scene(marked()).items))
    assert [item.text for item in items if isinstance(item, Text) and item.role == "gutter"] == ["gold", "parser"]
    up, down = [item.points for item in items if isinstance(item, Polygon) and item.role == "pointer"]
    assert up[0][1] < up[1][1]
    assert down[0][1] > down[1][1]


def test_legends_can_be_drawn_in_every_language_of_pictures() -> None:
    for language in ("svg", "latex"):
        text = draw(marked(), language, verdict=True, legend=LEGEND, tight=True)
        assert all(meaning in text.replace("{-}", "-") for _, meaning in LEGEND if "×" not in meaning)


def test_a_sentence_without_repairs_has_its_brackets_and_the_reason() -> None:
    gold, test = "(S (X (A 0=a) (B 1=b)) (Y (C 2=c) (D 3=d)))", "(S (X (A 0=a) (C 2=c)) (Y (B 1=b) (D 3=d)))"
    sentence = marked_discbracket(gold, test)
    assert (len(sentence.brackets), sentence.repairs) == (4, ())
    scene = bracket_scene(sentence, verdict=True)
    texts = [item.text for item in walk(scene.items) if isinstance(item, Text)]
    assert sentence.unrepaired in texts
    assert sorted(text for text in texts if text in "XY") == ["X", "X", "Y", "Y"]
    assert not [item for item in walk(scene.items) if isinstance(item, Ring)]
    assert "no list of repairs" in scene.label
    assert "no list of repairs" in draw(sentence, "text")
    assert "no list of repairs" in json.loads(draw(sentence, "json"))["unrepaired"]
