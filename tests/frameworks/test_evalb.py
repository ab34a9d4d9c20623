"""The ``evalb:`` presets: each of evalb's habits, and a comparison with its rules told again."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from random import Random

import pandas as pd
import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools import align, load_preset
from evaltools.frameworks.presets import Preset, preset_from_parameters
from evaltools.frameworks.presets.preset import parse_parameters
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection
from evaltools.runs import scoring
from tests.conftest import few_examples
from tests.slow.evalb import Row, Rules, compare, printed, summary
from tests.slow.trees import Nested, perturbed, random_forest, randoms, text_of

STATUS = {"ok": 0, "words_differ": 1, "missing": 2}


def preset(rules: Rules | str) -> Preset:
    return preset_from_parameters("evalb:made-up.prm", rules if isinstance(rules, str) else rules.text(), "made-up.prm")


def scored(gold: str, test: str, rules: Preset | str) -> list[Row]:
    run = evaltools.score(
        io.BytesIO(gold.encode()), {"p": io.BytesIO(test.encode())}, preset=rules, metrics=["e"], format="ptb", jobs=1
    )
    return rows_of(run.sentences("p"))


def rows_of(frame: pd.DataFrame) -> list[Row]:
    rows = []
    for line in frame.itertuples():
        row = Row(line.evalb_length, STATUS[line.status])
        if row.status == 0:
            row.matched, row.gold, row.test = line.e_matched_roof, line.e_gold_roof, line.e_test_roof
            row.crossing, row.words, row.tags = line.e_crossing_brackets, line.words_scored, line.e_tags_correct
        rows.append(row)
    return rows


def row_of(gold: str, test: str, rules: str) -> Row:
    (row,) = scored(gold + "\n", test + "\n", preset(rules))
    return row


# ------------------------------------------------------------------------------------------------------- item by item

PLAIN = "LABELED 1"
EQUAL = "DELETE_LABEL ,\nEQ_LABEL , PUNC\n"
TOPS = "DELETE_LABEL TOP\nEQ_LABEL TOP ROOT\n"
QUOTES = "DELETE_LABEL ''\nDELETE_LABEL ``\nQUOTE_LABEL ''\nQUOTE_LABEL ``\nQUOTE_LABEL POS\n"
NO_POS = QUOTES.replace("QUOTE_LABEL POS", "LABELED 1")
NONE = "DELETE_LABEL -NONE-"
CROSSING = "(S (A (N a) (N b)) (B (N c) (N d)))", "(S (N a) (X (Y (N b) (N c))) (N d))"
POS, DELETED = "(S (NP (N a) (POS ')) (V b))", "(S (NP (N a)) ('' ') (V b))"
ITEMS = [
    # item, gold, test, rules, what the row has
    ("1 outer bracket without label", "(S (NP (N a)))", "( (S (NP (N a))))", "DELETE_LABEL TOP", "matched=2 test=3"),
    ("1 tags are no brackets", "(S (A a) (B b))", "(S (A a) (C b))", PLAIN, "matched=1 gold=1 test=1 tags=1"),
    ("2 deleted", "(S (N a) (, ,))", "(S (N a) (, ,))", EQUAL, "words=1"),
    ("2 matched whole", "(S (N a) (,-X ,))", "(S (N a) (,-X ,))", EQUAL, "words=2"),
    ("2 without equations", "(S (N a) (PUNC ,))", "(S (N a) (PUNC ,))", EQUAL, "words=2"),
    ("2 spans after deletion", "(S (NP (N a)) (, ,) (V b))", "(S (NP (N a) (, ,)) (V b))",
     EQUAL, "matched=2 test=2 words=2"),
    ("3 empty spans", "(S (NP (-NONE- *)) (V b))", "(S (V b))", NONE, "matched=1 gold=1 test=1"),
    ("3 labels are cut", "(S (NP-SBJ-1 (N a)) (VP=2-X (V b)))", "(S (NP (N a)) (VP (V b)))",
     PLAIN, "matched=3 gold=3 test=3"),
    ("3 deletion by equations", "(TOP (S (N a)))", "(ROOT (S (N a)))", TOPS, "matched=1 gold=1 test=1"),
    ("3 deletion after the cut", "(TOP (S (N a)))", "(TOP-X (S (N a)))", TOPS, "matched=1 gold=1 test=1"),
    ("3 children stay", "(S (X (NP (N a)) (VP (V b))))", "(S (NP (N a)) (VP (V b)))", "DELETE_LABEL X",
     "matched=3 gold=3 test=3"),
    ("4 tags are equated and not cut", "(S (NN a) (NN b) (A c))", "(S (NN-X a) (NN b) (B c))", "EQ_LABEL A B",
     "words=3 tags=2"),
    ("5 no word left", "(S (N a))", "(S (, a))", EQUAL, "status=2"),
    ("5 no tree", "(S (N a))", "(())", EQUAL, "status=2"),
    ("5 no word left on either side", "(S (, ,))", "(S (, ,))", EQUAL, "status=2"),
    ("5 fewer words", "(S (N a) (N b))", "(S (N a))", EQUAL, "status=1"),
    ("5 other words", "(S (N a))", "(S (N b))", EQUAL, "status=1"),
    ("5 no word left in gold", "(S (, ,))", "(S (N a))", EQUAL, "status=1"),
    ("7 put back", POS, DELETED, QUOTES, "status=0 words=3 tags=2 matched=1 gold=2 test=2"),
    ("7 put back in gold", DELETED, POS, QUOTES, "status=0 words=3 tags=2 matched=1"),
    ("7 as many words", "(S (POS ') (N a) ('' ') (V b))", "(S ('' ') (N a) (POS ') (V b))", QUOTES, "status=1"),
    ("7 no quote", "(S (N a) (POS x))", "(S (N a) ('' x))", QUOTES, "status=1"),
    ("7 no quote label", "(S (N a) (POS '))", "(S (N a) ('' '))", NO_POS, "status=1"),
    ("7 at another place", "(S (N a) (POS '))", "(S ('' ') (N a))", QUOTES, "status=1"),
    ("7 one after another", "(S (N a) (POS ') (POS ') (V b))", "(S (N a) ('' ') ('' ') (V b))", QUOTES, "words=4"),
    ("8 one to one", "(S (NP (NP (N a) (N b))))", "(S (NP (N a) (N b)))", PLAIN, "matched=2 gold=3 test=2"),
    # A takes the first it may, B, and leaves none for the gold C; a cleverer matching would find two pairs
    ("8 greedy", "(A (C (N a) (N b)))", "(B (A (N a) (N b)))", "EQ_LABEL A B\nEQ_LABEL B C\n", "matched=1"),
    ("8 unlabeled", "(S (A (N a) (N b)) (N c))", "(T (B (N a) (N b)) (M c))", "LABELED 0", "matched=2 gold=2 tags=2"),
    ("9 crossing", *CROSSING, PLAIN, "crossing=2"),
    ("9 crossing the other way", *CROSSING[::-1], PLAIN, "crossing=2"),
    ("9 a deleted one", *CROSSING, "DELETE_LABEL X", "crossing=1"),
    ("9 crossing deleted ones", *CROSSING, "DELETE_LABEL A\nDELETE_LABEL B\n", "crossing=0"),
    ("10 length", "(S (N a) (, ,) (-NONE- *))", "(S (N a) (, ,))", f"{NONE}\nDELETE_LABEL_FOR_LENGTH -NONE-\n",
     "length=2 words=2"),
    ("10 length with deleted words", "(S (N a) (, ,))", "(S (N a) (, ,))", EQUAL, "length=2 words=1"),
    ("empty words", "(S (N a) (NP ))", "(S (N a) (X ))", NONE, "length=2 status=0 words=2 tags=1"),
    ("an empty word on one side", "(S (N a) (NP ))", "(S (N a))", NONE, "length=2 status=1"),
    ("an empty bracket", "(S (N a) (NP))", "(S (N a))", NONE, "length=1 status=0 words=1"),
    ("a deleted empty word", "(S (N a) (-NONE- ))", "(S (N a))", NONE, "length=2 status=0 words=1"),
    ("an empty word alone", "(S (N a))", "( )", NONE, "length=1 status=1"),
    ("an empty tag", "(S (N a) ( b))", "(S (N a) (N b))", NONE, "length=2 matched=1 words=2 tags=1"),
]  # fmt: skip


@pytest.mark.parametrize("item", ITEMS, ids=[item[0] for item in ITEMS])
def test_items(item: tuple[str, str, str, str, str]):
    _, gold, test, rules, expected = item
    row = row_of(gold, test, rules)
    assert " ".join(f"{name}={getattr(row, name)}" for name in re.findall("[a-z]+", expected)) == expected


@pytest.mark.slow
def test_item_4_equations_hold_both_ways_and_are_not_transitive():
    rules = "EQ_LABEL A B\nEQ_LABEL B C\nEQ_WORD x y\nEQ_WORD y z\n"
    matched = {
        (g, t): row_of(f"(S ({g} (N a) (N b)) (N c))", f"(S ({t} (N a) (N b)) (N c))", rules).matched - 1
        for g in "ABC"
        for t in "ABC"
    }
    assert matched == {pair: pair not in {("A", "C"), ("C", "A")} for pair in matched}
    statuses = {(g, t): row_of(f"(S (N {g}))", f"(S (N {t}))", rules).status for g in "xyz" for t in "xyz"}
    assert statuses == {pair: pair in {("x", "z"), ("z", "x")} for pair in statuses}


@pytest.mark.parametrize(("gold", "test", "status"), [("", "(S (N a))", 1), ("(S (N a))", "", 2), ("", "", 2)])
def test_item_5_blank_lines(gold: str, test: str, status: int):
    first = "(S (N x))"
    rows = scored(f"{first}\n{gold}\n{first}\n", f"{first}\n{test}\n{first}\n", preset("LABELED 1"))
    assert [row.status for row in rows] == [0, status, 0]


def test_item_5_and_12_every_error_is_listed_and_none_stops_the_work():
    n = 30
    gold = "(S (N a) (N b))\n" * n
    run = evaltools.score(
        io.BytesIO(gold.encode()),
        {"short": io.BytesIO(b"(S (N a))\n" * n), "other": io.BytesIO(b"(S (N a) (N c))\n" * n)},
        preset=preset("MAX_ERROR 3"),
        metrics=["e"],
    )
    problems = run.problems()
    assert problems["kind"].tolist() == ["words_differ"] * 2 * n
    assert run.sentences("short")["status"].tolist() == ["words_differ"] * n
    assert problems["found"].iloc[0] == "1 word"
    assert problems["found"].iloc[-1] == "word 2 'c'"


def test_item_6_errors_and_skipped_sentences_are_left_out_of_every_score():
    good = "(S (NP (N a)) (V b))"
    gold = f"{good}\n" * 3
    test = f"{good}\n(())\n(S (N a))\n"
    run = evaltools.score(io.BytesIO(gold.encode()), {"p": io.BytesIO(test.encode())}, preset="collins", metrics=["e"])
    figures = run.summary().set_index("metric")
    for metric in ("recall", "precision", "exact", "tagging"):
        assert (figures.loc[metric, "pooled"], figures.loc[metric, "n"]) == (1.0, 1)


def test_item_7_new_prm_has_it_and_collins_prm_has_not():
    pair = "(S (NP (N a) (POS ')) (V b))", "(S (NP (N a) ('' ')) (V b))"
    assert align(*pair, "collins").status == "words_differ"
    assert align(*pair, "new").status == "ok"
    collins, new = (load_preset(name).evalb for name in ("collins", "new"))
    assert (collins.quote_labels, new.quote_labels) == ((), ("``", "''", "POS", "NN", "CD", "VBZ", ":"))
    assert set(new.delete_labels) - set(collins.delete_labels) == {"S1", "?", "!"}
    for one_of in (collins, new):
        assert set(one_of.delete_labels) >= {"TOP", "-NONE-", ",", ":", "``", "''", "."}
        assert one_of.delete_for_length == ("-NONE-",)
        assert one_of.equal_labels == (("ADVP", "PRT"),)
        assert (one_of.labeled, one_of.cutoff_length, one_of.max_error) == (True, 40, 10)
        assert one_of.problems == ()


NEW = Rules(  # new.prm as evalb comes with it
    delete=["TOP", "S1", "-NONE-", ",", ":", "``", "''", ".", "?", "!"],
    not_in_length=["-NONE-"],
    quotes=["``", "''", "POS", "NN", "CD", "VBZ", ":"],
    equal_labels=[("ADVP", "PRT")],
)


@pytest.mark.parametrize("tag", ["NN", "CD", "VBZ", "POS"])
@pytest.mark.parametrize("form", ["'", '"', "/"])
def test_item_7_new_prm_restores_quotes_that_a_parser_tagged_as_nouns_numbers_or_verbs(tag: str, form: str):
    gold = f"(S (NP (DT a) (`` {form})) (VP (VB b)))"
    test = f"(S (NP (DT a) ({tag} {form})) (VP (VB b)))"
    for pair in ((gold, test), (test, gold)):
        (row,) = scored(f"{pair[0]}\n", f"{pair[1]}\n", load_preset("new"))
        assert row.status == 0
        assert row == compare(*pair, NEW)


def tagged(node: Nested, tag_of: Callable[[str], str]) -> Nested:
    if isinstance(node, str):
        return node
    if len(node) == 2 and isinstance(node[1], str):
        return [tag_of(node[1]), node[1]]
    return [node[0], *(tagged(child, tag_of) for child in node[1:])]


def test_item_11_complete_match_and_tagging():
    gold = "(S (A (N a)) (V b))\n" * 4
    test = "(S (A (N a)) (V b))\n(S (A (N a) (V b)))\n(S (A (N a)) (N b))\n(())\n"
    rows = scored(gold, test, preset("LABELED 1"))
    figures = summary(rows)
    run = evaltools.score(
        io.BytesIO(gold.encode()), {"p": io.BytesIO(test.encode())}, preset=preset("LABELED 1"), metrics=["e"]
    )
    pooled = run.summary().set_index("metric")["pooled"]
    assert figures["complete"] == pytest.approx(100 * pooled["exact"]) == pytest.approx(200 / 3)
    assert figures["tagging"] == pytest.approx(100 * pooled["tagging"]) == pytest.approx(500 / 6)


def test_item_13_no_limit_of_200_words_or_5000_bytes():
    line = "(S " + " ".join(f"(NP (N word{i}))" for i in range(2000)) + ")"
    row = row_of(line, line, "LABELED 1")
    assert (row.matched, row.gold, row.words) == (2001, 2001, 2000)


def test_item_14_keys_of_other_programs_are_accepted_with_a_warning_and_unknown_ones_listed():
    text = "DELETE_ROOT_PRETERMS 1\nDISC_ONLY 0\nDELETE_WORD x\nDELETE_LABEL TOP\nNONSENSE 1\nEQ_LABEL A\nLABELED yes\n"
    parameters = parse_parameters(text, "x.prm")
    assert [problem.line for problem in parameters.problems] == [1, 2, 3, 5, 6, 7]
    assert parameters.delete_labels == ("TOP",)
    assert "NONSENSE" in str(parameters.problems[3])
    assert "DELETE_LABEL" in parameters.problems[3].expected
    run = evaltools.score(
        io.BytesIO(b"(S (N a))\n"), {"p": io.BytesIO(b"(S (N a))\n")}, preset=preset(text), metrics=["e"]
    )
    assert run.problems()["kind"].tolist() == ["parameters"] * 6


def test_parameter_files_comments_blank_lines_and_line_ends():
    lines = (
        "\ufeff## a comment",
        "#DELETE_LABEL X",
        "",
        "DELETE_LABEL\t TOP ",
        "EQ_WORD  This this",
        "CUTOFF_LEN 20   ",
        "",
    )
    text = "\r\n".join(lines)
    parameters = parse_parameters(text, "x.prm")
    assert parameters.delete_labels == ("TOP",)
    assert parameters.equal_words == (("This", "this"),)
    assert parameters.cutoff_length == 20
    assert parameters.problems == ()


# ------------------------------------------------------------------------------------------------- on generated corpora

LABELS = ("S", "S1", "PRT", "NP-SBJ", "NP", "A", "B", "C", "C=1", "TOP", "ROOT", "X-Y", "-NONE-", ",")
TAGS = ("N", "V", "A", "B", "N-X", ",", ".", ":", "?", "-NONE-", "''", "``", "POS", "NN", "CD", "VBZ", "TOP")
WORDS = ("a", "b", "x", "y", "z", "'", '"', "/")
QUOTED = ("a", "'", "'", '"', "/")
ODD = ("(NP )", "(NP)", "( )", "(-NONE- )", "(, )", "(A (B))", "()", "( a)")


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    def some(values: tuple, most: int) -> list:
        return draw(st.lists(st.sampled_from(values), max_size=most, unique=True))

    equations = (("A", "B"), ("B", "C"), ("TOP", "ROOT"), ("N", "V"), ("NP", "X"), (",", "C"), ("NP", "NP"))
    return Rules(
        delete=some(("TOP", ",", ".", "-NONE-", "''", "POS", "B", "X", "NP"), 5),
        not_in_length=some(("-NONE-", ",", "N"), 2),
        quotes=some(("''", "POS", "A"), 3) if draw(st.booleans()) else ["''", "POS"],
        equal_labels=some(equations, 4),
        equal_words=some((("x", "y"), ("y", "z"), ("a", "none")), 2),
        labeled=draw(st.booleans()),
        cutoff=draw(st.sampled_from((40, 0, 1, 5))),
    )


def legal(node: Nested) -> Nested:
    """Give a tag to each word that stands beside something else under a bracket, which evalb cannot read."""
    if len(node) == 2 and isinstance(node[1], str):
        return node
    return [node[0], *(["N", child] if isinstance(child, str) else legal(child) for child in node[1:])]


@st.composite
def odd_files(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Make lines with all that evalb reads in a way of its own; the first ones say that each line is a sentence."""
    random = draw(randoms)
    usual = ["(S (N a))"] * 12
    quotes = {
        "'": ("''", "POS", "NN"),
        '"': ("''", "POS", "A", "CD"),
        "/": ("A",),
        "z": (",",),
    }  # now this one, now that

    def tag(word: str) -> str:
        return random.choice(TAGS if random.random() < chance else quotes.get(word, ("N",)))

    sides: tuple[list[str], list[str]] = ([], [])
    for _ in range(random.randint(0, 10)):
        words = random.choices(random.choice((WORDS, QUOTED)), k=random.randint(1, 8))
        gold = random_forest(random, words, bare=False, labels=LABELS)
        test = perturbed(random, gold, random.randint(0, 4), LABELS)
        if random.random() < 0.5:
            other = [random.choice(WORDS) if random.random() < 0.1 else word for word in words]
            test = random_forest(random, other, bare=False, labels=LABELS)
        chance = random.choice((0.0, 0.05, 0.3))
        for side, forest in zip(sides, (gold, test), strict=True):
            line = text_of([tagged(legal(root), tag) for root in forest])
            side.append(made_odd(random, line))
        if random.random() < 0.3:
            sides[1][-1] = sides[0][-1]
    if random.random() < 0.1:
        del sides[1][random.randint(0, len(sides[1])) :]
    elif random.random() < 0.1:
        sides[1].append("(S (N more))")
    return usual + sides[0], usual + sides[1]


def made_odd(random: Random, line: str) -> str:
    """Put empty words in, or leave brackets open, or forget the sentence."""
    for _ in range(random.choice((0, 0, 1, 2))):
        closing = [place for place, sign in enumerate(line) if line[place : place + 2] == "))"]
        if closing:
            place = random.choice(closing) + 1
            line = f"{line[:place]} {random.choice(ODD)}{line[place:]}"
    if random.random() < 0.1:
        line = line.rstrip(")") + ")" * random.randint(1, 3)
        return line if line.count("(") >= line.count(")") else ""
    return random.choice(("", "(())", "( )", "(N )", " ")) if random.random() < 0.06 else line


@few_examples
@given(odd_files(), rules())
def test_the_whole_report_is_that_of_evalb(pair: tuple[list[str], list[str]], parameters: Rules):
    gold, test = ("".join(f"{line}\n" for line in lines).encode() for lines in pair)
    run = evaltools.score(
        io.BytesIO(gold), {"p": io.BytesIO(test)}, preset=preset(parameters), metrics=["e"], format="ptb", jobs=1
    )
    assert REPORTS["evalb"](run, Selection()) == printed(*pair, parameters)


@few_examples
@given(odd_files())
def test_preset_new_is_new_prm_of_evalb(pair: tuple[list[str], list[str]]):
    gold, test = ("".join(f"{line}\n" for line in lines).encode() for lines in pair)
    run = evaltools.score(io.BytesIO(gold), {"p": io.BytesIO(test)}, preset="new", metrics=["e"], format="ptb", jobs=1)
    assert REPORTS["evalb"](run, Selection()) == printed(*pair, NEW)


def report_of(gold: list[str], test: list[str], rules: str) -> list[str]:
    files = [io.BytesIO("".join(f"{line}\n" for line in lines).encode()) for lines in (gold, test)]
    run = evaltools.score(files[0], {"p": files[1]}, preset=preset(rules), format="ptb")
    return REPORTS["evalb"](run, Selection()).split("=" * 76)[1].strip("\n").split("\n")


def test_a_line_with_an_open_bracket_is_in_error_and_has_numbers():
    lines = ["(S (N a))"] * 4
    gold = [*lines, "(S (NP (N a)) (V b)", "(S (NP (N a)) (V b))", "(S (N a)"]
    test = [*lines, "(S (NP (N a)) (V b))", "(S (NP (N a) (V b)", "(S (N b))"]
    assert report_of(gold, test, "LABELED 1")[-3:] == [
        "   5    2    1   50.00  50.00     1      2    2      0      2     2   100.00",
        "   6    2    1    0.00   0.00     0      2    2      0      2     2   100.00",
        "   7    1    1    0.00   0.00     0      0    0      0      0     0     0.00",
    ]
    # two that are open at the same place are one bracket to it
    (row,) = report_of([*lines, "(S (N a)"], [*lines, "(S (N a)"], "LABELED 1")[4:]
    assert row == "   5    1    1  100.00 100.00     1      1    1      0      1     1   100.00"


def test_a_line_cut_off_after_an_opening_bracket_is_in_error():
    lines = ["(S (NP (A a)) (VP (B b)))"] * 4
    gold, test = (
        [*lines, *lines[:3]],
        [*lines, "(S (NP (A a)) (VP (B", "(S (NP (A a)) (VP (B b) (", "(S (NP (A a)) (VP (B b)) ("],
    )
    assert report_of(gold, test, "LABELED 1")[-3:] == [
        "   5    2    1    0.00   0.00     0      0    0      0      0     0     0.00",
        "   6    2    1   33.33  25.00     1      3    4      0      2     2   100.00",
        "   7    2    1   66.67  50.00     2      3    4      0      2     2   100.00",
    ]


def test_text_outside_of_brackets_has_no_result_in_evalb():
    lines = ["(S (N a))"] * 4
    (row,) = report_of([*lines, "(S (N a))"], [*lines, "text"], "LABELED 1")[4:]
    assert row == "   5    1    2    0.00   0.00     0      0    0      0      0     0     0.00"


BETWEEN = ["# 1", "(S (NP (N a)) (V b))", "", "<S ID=2>", "(S (N c))", "", "# the end", ""]


@pytest.mark.parametrize("preset_name", ["collins", "new", "own"])
@pytest.mark.parametrize("chunk", [1, 3, 100])
def test_every_line_is_a_sentence_also_a_comment_and_a_blank_one_beside_it(
    preset_name: str, chunk: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", chunk)
    rules = preset("LABELED 1") if preset_name == "own" else load_preset(preset_name)
    text = "".join(f"{line}\n" for line in BETWEEN)
    assert [row.status for row in scored(text, text, rules)] == [2, 0, 2, 2, 0, 2, 2, 2]
    assert [row.status for row in scored(text, f"{BETWEEN[1]}\n\n{BETWEEN[4]}\n", rules)] == [1, 2, 1, 2, 2, 2, 2, 2]
    assert [row.status for row in scored(text, text, load_preset("standard"))] == [0, 0]


def test_lines_are_aligned_as_evalb_reads_them():
    text = "".join(f"{line}\n" for line in BETWEEN)
    test = io.BytesIO(f"{BETWEEN[1]}\n{BETWEEN[4]}\n".encode())
    run = evaltools.score(io.BytesIO(text.encode()), {"p": test}, preset="collins", metrics=["e"], align_sentences=True)
    assert [row.status for row in rows_of(run.sentences("p"))] == [2, 0, 2, 2, 0, 2, 2, 2]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("(S (SYM \\) (N a))", "\\ a"),
        ("(S (SYM x\\) (N a))", "x\\ a"),
        ("(S (SYM \\)) (N a))", None),
        ("(S (SYM \\() (N a))", None),
        ("(S (N a\u00a0))", "a\u00a0"),
        ("(S (N a))\u00a0", None),
    ],
)
def test_a_backslash_and_a_space_that_is_no_blank_are_parts_of_words(line: str, words: str | None):
    text = f"(S (N a))\n{line}\n(S (N b))\n".encode()
    run = evaltools.score(io.BytesIO(text), {"p": io.BytesIO(text)}, preset="collins", metrics=["e"])
    assert run.sentences("p")["status"].tolist() == ["ok", "ok" if words else "missing", "ok"]
    assert words is None or " ".join(run.tree(2).words) == words


def test_parentheses_in_words_are_one_problem_a_file():
    text = "(S (-LRB- \\() (N a))\n(S (N a) (-RRB- \\)))\n(S (N a))\n" * 3
    run = evaltools.score(io.BytesIO(text.encode()), {"p": io.BytesIO(text.encode())}, preset="collins")
    expected = "parentheses in words (sentences: 6), such as '(-LRB- \\\\()'"
    assert run.problems()["found"].tolist() == [expected, expected]


def test_item_7_a_quote_may_be_put_back_twice():
    rules = "DELETE_LABEL ''\nDELETE_LABEL B\nQUOTE_LABEL ''\nQUOTE_LABEL POS\nQUOTE_LABEL A\nQUOTE_LABEL B\n"
    # the test's '' stands where the gold's POS does, and, put back, where it does with the next one too
    gold, test = "(S (N a) (B ') (POS ') (A ') (N b))", "(S (N a) ('' ') (POS ') (N b))"
    assert row_of(gold, test, rules) == compare(gold, test, rules_of(rules))
    gold, test = "(S (N a) (B ') (N b))", "(S (N a) (POS ') (POS ') (N b))"
    row = row_of(gold, test, rules)
    assert row == compare(gold, test, rules_of(rules))
    assert (row.status, row.words, row.tags) == (0, 4, 2)  # it stands there twice


def rules_of(text: str) -> Rules:
    parameters = parse_parameters(text, "x.prm")
    return Rules(list(parameters.delete_labels), [], list(parameters.quote_labels))


def test_evalb_stops_with_the_shorter_file():
    lines = ["(S (N a))", "(S (N b))", "(S (N c))"]
    assert len(report_of(lines, lines[:2], "LABELED 1")) == 2
    assert len(report_of(lines[:2], lines, "LABELED 1")) == 2


@pytest.mark.parametrize(
    ("line", "labeled"), [("LABELED 1x", True), ("LABELED x", False), ("LABELED 0x1", False), (" LABELED 0", True)]
)
def test_numbers_are_read_as_evalb_reads_them(line: str, labeled: bool):
    parameters = parse_parameters(line, "x.prm")
    assert parameters.labeled is labeled
    assert len(parameters.problems) == 1
