"""The dependencies of the sample are trees over the words of the treebank, and what its script makes."""

from __future__ import annotations

import itertools
import random
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

SAMPLE = Path(__file__).parents[2] / "sample_data"
if str(SAMPLE) not in sys.path:
    sys.path.insert(0, str(SAMPLE))

import make  # noqa: E402  (sample_data is no package; it must be on the path first)
from generator import corpus, dependency_gold, frameworks, malformed  # noqa: E402
from generator.convert import by_rule  # noqa: E402
from generator.dependency import (  # noqa: E402
    Dependencies,
    Word,
    attachment,
    check,
    crossing_arcs,
    read_conllu,
    write_conllu,
)
from generator.dependency_parsers import PARSERS  # noqa: E402
from generator.spanning_tree import best_tree  # noqa: E402
from generator.transition import SWAP, State, script  # noqa: E402
from generator.trees import Node, parse, read_ptb  # noqa: E402

from evaltools.errors import InputError  # noqa: E402
from evaltools.formats import read_treebank  # noqa: E402
from evaltools.metrics.function_columns import FunctionColumns, FunctionVocabulary  # noqa: E402
from evaltools.metrics.function_conversion import dependency_functions  # noqa: E402
from evaltools.metrics.tedeval import overlap  # noqa: E402
from evaltools.treebank import Dependencies as Columns  # noqa: E402
from evaltools.treebank import Treebank  # noqa: E402

SMALL = 60  # sentences, for the test that runs parsers
FOLDER = SAMPLE / "dependencies"


def read(name: str) -> list[Dependencies]:
    """Read a file of the repository."""
    return read_conllu((FOLDER / f"{name}.conllu").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def sentences() -> list[corpus.Sentence]:
    """Make the gold sentences anew."""
    return corpus.gold()


@pytest.fixture(scope="module")
def gold() -> list[list[Dependencies]]:
    """Read the gold of both schemes."""
    return [read(scheme) for scheme in dependency_gold.SCHEMES]


@pytest.fixture(scope="module")
def outputs() -> dict[str, list[Dependencies]]:
    """Read what the parsers made."""
    return {name: read(name) for name in PARSERS}


def heads(sentence: Dependencies) -> list[int]:
    """Return the heads of the words."""
    return [word.head for word in sentence]


def test_the_gold_is_what_the_script_makes(sentences: list[corpus.Sentence]) -> None:
    files = make.dependency_files(sentences, dependency_gold.gold(sentences))
    assert make.differences(files) == []
    assert {name.split("/")[0] for name in files} == {"dependencies", "formats"}
    made = {*files, *(f"dependencies/{name}.conllu" for name in PARSERS)}
    assert {
        str(path.relative_to(SAMPLE)) for name in ("dependencies", "formats") for path in (SAMPLE / name).iterdir()
    } == made


@pytest.mark.slow
def test_parser_output_is_what_the_script_makes(
    sentences: list[corpus.Sentence], outputs: dict[str, list[Dependencies]]
) -> None:
    shop = make.workshop(sentences)
    words = [sentence.tree.words() for sentence in sentences[:SMALL]]
    for name in ("transition-lexical", "spanning-tree-functional"):
        assert shop.parse(name, words) == outputs[name][:SMALL]


def test_every_tree_is_sound(gold: list[list[Dependencies]], outputs: dict[str, list[Dependencies]]) -> None:
    for file in (*gold, *outputs.values()):
        for sentence in file:
            check(sentence)
            assert all(re.fullmatch(r"[A-Za-z]+([:-][A-Za-z]+)?", word.relation) for word in sentence)


def test_words_are_those_of_the_treebank(
    gold: list[list[Dependencies]], outputs: dict[str, list[Dependencies]]
) -> None:
    trees = [tree for tree in read_ptb(SAMPLE / "gold.ptb") if tree is not None]
    words = [tree.words() for tree in trees]
    for file in (*gold, *outputs.values()):
        assert [[word.form for word in sentence] for sentence in file] == words
    for file in gold:
        assert [[word.xpos for word in sentence] for sentence in file] == [tree.tags() for tree in trees]
    lexical, functional = ([[word.upos for word in sentence] for sentence in file] for file in gold)
    assert lexical == functional


def test_sentences_are_numbered_and_have_their_text() -> None:
    lines = (FOLDER / "lexical.conllu").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == [
        "# sent_id = sample-001",
        "# text = The fog came down from the hills before supper and stayed for three days .",
    ]
    numbers = [line for line in lines if line.startswith("# sent_id")]
    assert numbers == [f"# sent_id = sample-{number:03}" for number in range(1, len(numbers) + 1)]


def test_the_schemes_differ_as_they_should(gold: list[list[Dependencies]]) -> None:
    lexical, functional = gold
    under = {"lexical": Counter[str](), "functional": Counter[str]()}
    for name, file in (("lexical", lexical), ("functional", functional)):
        for sentence in file:
            under[name].update(sentence[word.head - 1].upos for word in sentence if word.head)
    assert (
        under["lexical"]["ADP"] + under["lexical"]["AUX"]
        < 20
        < 1000
        < under["functional"]["ADP"] + under["functional"]["AUX"]
    )
    same = sum(a.head == b.head for pair in zip(*gold, strict=True) for a, b in zip(*pair, strict=True))
    total = sum(map(len, lexical))
    assert 0.4 * total < same < 0.75 * total
    assert not {word.relation for s in lexical for word in s} & {word.relation for s in functional for word in s}


def test_constructions(gold: list[list[Dependencies]]) -> None:
    relations = [Counter(word.relation for sentence in file for word in sentence) for file in gold]
    assert {
        *(
            "nsubj",
            "nsubj:pass",
            "csubj",
            "expl",
            "obj",
            "iobj",
            "ccomp",
            "xcomp",
            "obl",
            "obl:agent",
            "advmod",
            "advcl",
        ),
        *("aux", "aux:pass", "cop", "mark", "case", "det", "amod", "nmod", "nmod:poss", "nummod", "compound", "flat"),
        *("acl", "acl:relcl", "appos", "conj", "cc", "orphan", "compound:prt", "fixed", "parataxis", "discourse"),
        *("reparandum", "vocative", "punct", "root"),
    } <= set(relations[0])
    assert {
        *(
            "SBJ",
            "OBJ",
            "IOBJ",
            "PRD",
            "OPRD",
            "VC",
            "IM",
            "SUB",
            "PMOD",
            "LGS",
            "EXTR",
            "COORD",
            "CONJ",
            "GAP-SBJ",
            "GAP-OBJ",
        ),
        *(
            "LOC",
            "TMP",
            "MNR",
            "DIR",
            "PRP",
            "CLR",
            "DTV",
            "ADV",
            "AMOD",
            "NMOD",
            "DET",
            "POSS",
            "SUFFIX",
            "NAME",
            "APPO",
        ),
        *("PRT", "PRN", "INTJ", "EDIT", "VOC", "P", "ROOT"),
    } <= set(relations[1])


@pytest.mark.parametrize(
    ("sentence", "lexical", "functional"),
    [
        (13, [6], [1]),  # what … of
        (68, [], [3]),  # that 's what I keep telling her
        (73, [], [5]),  # whose turn is it to wash
        (292, [6], [6]),  # a man walked in who …
        (293, [10], [7]),  # a hearing is planned in March on …
        (294, [11], [7]),  # rumours have spread that …
        (295, [6, 7, 8], [1]),  # who did you say the letter was from
        (296, [6], [4]),  # more people came than …
    ],
)
def test_phrases_that_stand_apart(
    sentence: int, lexical: list[int], functional: list[int], gold: list[list[Dependencies]]
) -> None:
    assert [crossing_arcs(heads(file[sentence - 1])) for file in gold] == [lexical, functional]


def test_punctuation_makes_nothing_cross(gold: list[list[Dependencies]]) -> None:
    for sentence in itertools.chain(*gold):
        assert not any(sentence[place - 1].upos == "PUNCT" for place in crossing_arcs(heads(sentence)))


def test_what_is_by_hand_corrects_the_rules(sentences: list[corpus.Sentence], gold: list[list[Dependencies]]) -> None:
    by_hand = [number for number, sentence in enumerate(sentences) if ":" not in sentence.source]
    assert len(by_hand) == 92
    corrected = 0
    for number in by_hand:
        if sentences[number].tree.words()[0] == "Who":  # a gap two clauses down, which the rules do not find
            with pytest.raises(ValueError, match="cycle"):
                by_rule(sentences[number].tree)
            continue
        corrected += by_rule(sentences[number].tree) != tuple(file[number] for file in gold)
    assert corrected >= 10


def test_wrong_words_by_hand_are_refused(sentences: list[corpus.Sentence]) -> None:
    with pytest.raises(ValueError, match="has more sentences"):
        dependency_gold.gold(sentences[:20])
    with pytest.raises(ValueError, match="differs: You are"):
        dependency_gold.gold([*sentences[:3], corpus.Sentence(parse("(S (NP-SBJ You_PRP) (VP are_VBP))"), "spoken")])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [([2, 1, 0], "cycle"), ([0, 0, 1], "2 roots"), ([0, 4, 1], "out of range"), ([0, 2, 1], "itself")],
)
def test_check_finds(wrong: list[int], message: str) -> None:
    words = [(f"w{place}", "X", "X", head, "root" if not head else "dep") for place, head in enumerate(wrong, 1)]
    with pytest.raises(ValueError, match=message):
        check(tuple(Word(*word) for word in words))


def test_attachment_is_plausible(gold: list[list[Dependencies]], outputs: dict[str, list[Dependencies]]) -> None:
    for name, (_, scheme) in PARSERS.items():
        unlabelled, labelled = attachment(gold[scheme], outputs[name])
        assert 75 < labelled < unlabelled < 95, name
        wrong = [a for a, b in zip(gold[scheme], outputs[name], strict=True) if a != b]
        assert len(wrong) > 100
        tags = [
            (a.xpos, b.xpos)
            for pair in zip(gold[scheme], outputs[name], strict=True)
            for a, b in zip(*pair, strict=True)
        ]
        assert 0.9 < sum(a == b for a, b in tags) / len(tags) < 0.99
        assert any(crossing_arcs(heads(sentence)) for sentence in outputs[name])
    for scheme in (0, 1):
        first, second = (outputs[name] for name in PARSERS if PARSERS[name][1] == scheme)
        assert sum(a != b for a, b in zip(first, second, strict=True)) > 80


def test_readme_has_the_scores(gold: list[list[Dependencies]], outputs: dict[str, list[Dependencies]]) -> None:
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    by_hand = [*range(87), *range(291, 296)]
    for name, (_, scheme) in PARSERS.items():
        unlabelled, labelled = attachment(gold[scheme], outputs[name])
        hand = attachment([gold[scheme][n] for n in by_hand], [outputs[name][n] for n in by_hand])
        assert f"| `{name}` | {unlabelled:.1f} | {labelled:.1f} | {hand[0]:.1f} | {hand[1]:.1f} |" in readme


def test_the_label_map_knows_all_labels(gold: list[list[Dependencies]], outputs: dict[str, list[Dependencies]]) -> None:
    rows = [line.split("\t") for line in (FOLDER / "labels.tsv").read_text(encoding="utf-8").splitlines()]
    assert all(len(row) == 2 for row in rows)
    known = {label for label, _ in rows}
    assert len(known) == len(rows)
    used = {word.relation for file in (*gold, *outputs.values()) for sentence in file for word in sentence}
    assert used <= known
    functions = set()
    for tree in read_ptb(SAMPLE / "gold-functions.ptb"):
        assert tree is not None
        for node in tree.phrases():
            functions.update(part for part in re.split("[-=]", node.label)[1:] if not part.isdigit())
    assert {"SBJ", "PRD", "LOC", "TMP"} <= functions <= known


def test_conllu_reads_back(gold: list[list[Dependencies]]) -> None:
    assert read_conllu(write_conllu(gold[0])) == gold[0]


# ---- the parsers' insides --------------------------------------------------------------------------------------------


def random_tree(rng: random.Random, size: int) -> list[int]:
    """Return the heads of some tree with one root."""
    order = rng.sample(range(1, size + 1), size)
    tree = [0] * size
    for number, place in enumerate(order[1:], 1):
        tree[place - 1] = rng.choice(order[:number])
    return tree


def test_the_script_of_steps_builds_the_tree_again() -> None:
    rng = random.Random(4)
    swaps = 0
    for _ in range(300):
        tree = random_tree(rng, rng.randint(1, 9))
        state = State(len(tree))
        for step in script(tree):
            assert step in state.allowed()
            state.apply(step)
            swaps += step == SWAP
        assert state.finished
        assert state.heads[1:] == tree
        assert (SWAP in script(tree)) == bool(crossing_arcs(tree))
    assert swaps > 100


def test_the_best_tree_is_the_best_of_all() -> None:
    rng = random.Random(5)
    for _ in range(150):
        size = rng.randint(1, 5)
        scores = np.array([[rng.randint(-9, 9) for _ in range(size)] for _ in range(size + 1)], dtype=np.int64)
        found = best_tree(scores)

        def total(tree: tuple[int, ...] | list[int], scores: np.ndarray = scores) -> int:
            return sum(int(scores[head, place]) for place, head in enumerate(tree))

        trees = [tree for tree in itertools.product(range(size + 1), repeat=size) if is_tree(tree)]
        assert is_tree(tuple(found))
        assert total(found) == max(map(total, trees))


def is_tree(tree: tuple[int, ...]) -> bool:
    """Whether the heads make a tree with one root."""
    try:
        check(tuple(Word("w", "X", "X", head, "dep" if head else "root") for head in tree))
    except ValueError:
        return False
    return True


# ---- other formats ---------------------------------------------------------------------------------------------------


def test_discontinuous_trees_agree() -> None:
    trees = [frameworks.in_order(tree) for tree in frameworks.discontinuous()]
    for tree in trees:
        places = [{frameworks.word_and_place(leaf)[0] for leaf in phrase.preterminals()} for phrase in tree.phrases()]
        assert any(max(held) - min(held) >= len(held) for held in places)
    text = (SAMPLE / "formats" / "discontinuous.export").read_text(encoding="utf-8")
    blocks = re.findall(r"#BOS \d+\n(.*?)#EOS", text, re.DOTALL)
    assert [spans_of_export(block) for block in blocks] == [spans(tree) for tree in trees]


def spans(tree: Node) -> Counter[tuple[str, frozenset[int]]]:
    """Return the phrases with the places of their words."""
    return Counter(
        (phrase.label, frozenset(frameworks.word_and_place(leaf)[0] for leaf in phrase.preterminals()))
        for phrase in tree.phrases()
    )


def spans_of_export(block: str) -> Counter[tuple[str, frozenset[int]]]:
    """Return the phrases of a sentence in the export format."""
    rows = [line.split("\t") for line in block.splitlines()]
    words = [row for row in rows if not row[0].startswith("#")]
    phrases = {row[0][1:]: row for row in rows if row[0].startswith("#")}
    held: dict[str, set[int]] = {number: set() for number in phrases}
    for place, row in enumerate(words):
        number = row[4]
        while number != "0":
            held[number].add(place)
            number = phrases[number][4]
    return Counter(
        (row[1] if row[3] == "--" else f"{row[1]}-{row[3]}", frozenset(held[number])) for number, row in phrases.items()
    )


def test_malformed_dependencies_are_wrong_in_one_place() -> None:
    files = malformed.dependency_files()
    gold = files.pop("gold.conllu").decode()
    for sentence in read_conllu(gold):
        check(sentence)
    for name, content in files.items():
        lines = [
            number
            for number, (a, b) in enumerate(zip(gold.splitlines(), content.decode().splitlines(), strict=True))
            if a != b
        ]
        assert len(lines) == 1 or name == "spaces-for-tabs.conllu", name
    for name in ("cycle", "two-roots", "no-root", "head-out-of-range"):
        wrong = 0
        for sentence in read_conllu(files[f"{name}.conllu"].decode()):
            try:
                check(sentence)
            except ValueError:
                wrong += 1
        assert wrong == 1, name


# ---- read with evaltools ---------------------------------------------------------------------------------------------


def read_dependencies(path: str) -> Columns:
    """Read a file of the sample that holds dependencies and no problem."""
    trees = read_treebank(SAMPLE / path)
    assert isinstance(trees, Columns)
    assert not trees.problems
    return trees


def from_zero(sentence: Dependencies) -> tuple[int, ...]:
    """Return the heads as evaltools counts them: words from 0, the root is -1."""
    return tuple(head - 1 for head in heads(sentence))


@pytest.mark.parametrize("name", [*dependency_gold.SCHEMES, *PARSERS])
def test_evaltools_reads_the_same_arcs(name: str) -> None:
    trees = read_dependencies(f"dependencies/{name}.conllu")
    read_here = [(trees.tree(i).forms, trees.tree(i).heads, trees.tree(i).relations) for i in range(len(trees))]
    assert read_here == [
        (tuple(w.form for w in sentence), from_zero(sentence), tuple(w.relation for w in sentence))
        for sentence in read(name)
    ]


def test_formats_hold_the_same_sentences(gold: list[list[Dependencies]]) -> None:
    last = gold[1][-5:]
    conllx = read_dependencies("formats/dependencies.conllx")
    assert [conllx.tree(i).heads for i in range(5)] == [from_zero(sentence) for sentence in last]
    discbracket, export = (
        read_treebank(SAMPLE / "formats" / f"discontinuous.{name}") for name in ("discbracket", "export")
    )
    for trees in (discbracket, export):
        assert isinstance(trees, Treebank)
        assert not trees.problems
        assert [list(trees.tree(i).words) for i in range(5)] == [[w.form for w in sentence] for sentence in last]
        assert not any(trees.tree(i).is_continuous for i in range(5))
    assert len(read_dependencies("formats/multiword.conllu")) == 2
    small = [
        read_treebank(SAMPLE / "formats" / name) for name in ("relational-realizational.txt", "function-trees.txt")
    ]
    assert [trees.format for trees in small] == ["rr", "functions"]
    assert not any(trees.problems for trees in small)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("cycle", 13),
        ("two-roots", 24),
        ("no-root", 29),
        ("head-out-of-range", 4),
        ("head-not-a-number", 38),
        ("column-missing", 30),
        ("number-skipped", 13),
    ],
)
def test_what_is_wrong_is_found_where_it_is(name: str, line: int) -> None:
    trees = read_treebank(SAMPLE / "malformed" / f"{name}.conllu")
    assert len(trees) == 5
    assert trees.problems[0].line == line


def test_spaces_for_tabs_are_no_known_format() -> None:
    with pytest.raises(InputError, match="no known format"):
        read_treebank(SAMPLE / "malformed" / "spaces-for-tabs.conllu")
    named = read_treebank(SAMPLE / "malformed" / "spaces-for-tabs.conllu", format="conllu")
    assert named.problems[0].line == 3


def test_the_label_map_brings_the_schemes_together() -> None:
    rows = (line.split("\t") for line in (FOLDER / "labels.tsv").read_text(encoding="utf-8").splitlines())
    common = dict(rows)
    agreed = []
    for label_map in ({}, common):
        vocabulary = FunctionVocabulary()

        def functions(
            name: str, known: FunctionVocabulary = vocabulary, labels: dict[str, str] = label_map
        ) -> FunctionColumns:
            return dependency_functions(read_dependencies(f"dependencies/{name}.conllu"), known, label_map=labels)

        agreed.append(overlap(functions("lexical"), functions("functional")))
    assert 0.85 < agreed[0]["unlabelled"] == agreed[1]["unlabelled"] < 0.99
    assert agreed[0]["labelled"] < 0.3 < 0.7 < agreed[1]["labelled"]
