"""The sample is what its script makes, and what its README says."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[2] / "sample_data"
if str(SAMPLE) not in sys.path:
    sys.path.insert(0, str(SAMPLE))

import make  # noqa: E402  (sample_data is no package; it must be on the path first)
from generator import corpus, evaluate, malformed  # noqa: E402
from generator.parsers import OWN_WORDS, PARSERS, PLAIN_LENGTH_LIMIT  # noqa: E402
from generator.running_text import own_words, running_text  # noqa: E402
from generator.trees import Node, parse, parse_all, read_ptb, without_functions, write_ptb  # noqa: E402

SMALL = 40  # sentences, for the tests that run a parser


@pytest.fixture(scope="module")
def sentences() -> list[corpus.Sentence]:
    """Make the gold sentences anew."""
    return corpus.gold()


@pytest.fixture(scope="module")
def gold() -> list[Node]:
    """Read the gold trees of the repository."""
    return [tree for tree in read_ptb(SAMPLE / "gold.ptb") if tree is not None]


@pytest.fixture(scope="module")
def outputs() -> dict[str, list[Node | None]]:
    """Read the parses of the repository, by parser."""
    return {path.stem: read_ptb(path) for path in sorted((SAMPLE / "parsers").glob("*.ptb"))}


@pytest.fixture(scope="module")
def same_words(outputs: dict[str, list[Node | None]]) -> dict[str, list[Node | None]]:
    """Return the parses over the words of the gold trees, by parser."""
    return {name: trees for name, trees in outputs.items() if name not in OWN_WORDS}


def test_gold_files_are_what_the_script_makes(sentences: list[corpus.Sentence]) -> None:
    corpus.check(sentences)
    assert make.differences(make.gold_files(sentences)) == []


def test_malformed_files_are_what_the_script_makes() -> None:
    assert make.differences({f"malformed/{name}": content for name, content in malformed.files().items()}) == []


@pytest.mark.parametrize("name", ["chunker-right-branching", "pcfg-plain"])
def test_parser_output_is_what_the_script_makes(
    name: str, sentences: list[corpus.Sentence], outputs: dict[str, list[Node | None]]
) -> None:
    training = corpus.training(sentences)
    assert make.run_parser(name, training, sentences[:SMALL]) == outputs[name][:SMALL]


def test_check_reports_a_file_that_differs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(make, "HERE", tmp_path)
    monkeypatch.setattr(make, "build", lambda scores=False: {"a.ptb": b"(A (B c))\n", "parsers/b.ptb": b"(())\n"})
    assert make.main([]) == 0
    assert make.main(["--check"]) == 0
    (tmp_path / "a.ptb").write_bytes(b"(A (B d))\n")
    (tmp_path / "parsers" / "b.ptb").unlink()
    assert make.main(["--check"]) == 1
    assert [line.split(" ")[0] for line in capsys.readouterr().err.splitlines()] == [
        str(tmp_path / "a.ptb"),
        str(tmp_path / "parsers" / "b.ptb"),
    ]
    assert (tmp_path / "a.ptb").read_bytes() == b"(A (B d))\n"


def test_size_and_sources(sentences: list[corpus.Sentence], gold: list[Node]) -> None:
    sources = Counter(sentence.source.split(":")[0] for sentence in sentences)
    assert 260 <= len(gold) <= 320
    assert sum(sources[genre] for genre in corpus.GENRES) >= 60
    assert min(sources[genre] for genre in corpus.GENRES) >= 20
    assert sources["grammar"] >= 200
    lengths = [len(tree.words()) for tree in gold]
    assert min(lengths) == 2
    assert sum(length >= 60 for length in lengths) >= 3
    assert len({" ".join(tree.words()) for tree in gold}) == len(gold)


def test_training_set_is_other_sentences(sentences: list[corpus.Sentence]) -> None:
    training = corpus.training(sentences)
    texts = {" ".join(sentence.tree.words()) for sentence in sentences}
    assert len(training) > 600
    assert not texts & {" ".join(tree.words()) for tree in training}


def test_function_tags_are_only_in_the_second_copy(gold: list[Node]) -> None:
    with_functions = [tree for tree in read_ptb(SAMPLE / "gold-functions.ptb") if tree is not None]
    assert [without_functions(tree) for tree in with_functions] == gold
    labels = {node.label for tree in with_functions for node in tree.phrases()}
    assert {"NP-SBJ", "PP-LOC", "PP-TMP", "S-NOM", "ADVP-TMP", "NP-PRD", "NP-SBJ-1", "NP-SBJ=1"} <= labels
    assert all(node.label.isalpha() for tree in gold for node in tree.phrases())


def test_variety(gold: list[Node]) -> None:
    labels = {node.label for tree in gold for node in tree.phrases()}
    wanted = {"SINV", "SBARQ", "SQ", "FRAG", "INTJ", "PRN", "UCP", "EDITED", "QP", "PRT", "WHADVP", "SBAR", "ADJP"}
    assert wanted <= labels
    words = {word for tree in gold for word in tree.words()}
    assert {"$", "*", "-LRB-", "-RRB-", "``", "''", "%", ";", "?", "!"} <= words
    assert write_ptb(gold).count("(ROOT (NP (. .) (. ?)))") == 1
    assert write_ptb(gold).count("(ROOT (INTJ (UH Wow) (. .)))") == 1


def test_parsers_have_the_words_of_the_gold(gold: list[Node], outputs: dict[str, list[Node | None]]) -> None:
    assert set(outputs) == set(PARSERS)
    for name, trees in outputs.items():
        assert len(trees) == len(gold)
        for tree, guess in zip(gold, trees, strict=True):
            if guess is not None:
                words = tree.words()
                assert guess.words() == (own_words(words) if name in OWN_WORDS else words)
                assert guess.label == "ROOT"
                assert not any(set("@^*") & set(node.label) for node in guess.phrases())


def test_a_parser_of_running_text_has_words_of_its_own(gold: list[Node], outputs: dict[str, list[Node | None]]) -> None:
    (name,) = OWN_WORDS
    other = [tree for tree, guess in zip(gold, outputs[name], strict=True) if guess and guess.words() != tree.words()]
    assert f"in {len(other)} sentences" in (SAMPLE / "README.md").read_text(encoding="utf-8")
    assert sum(len(tree.words()) > 30 for tree in other) >= 5
    found = {word for guess in outputs[name] if guess for word in guess.words()}
    assert {"didn't", "pianist's", "$48", "12%", '"', "Dr"} <= found
    for tree in gold:
        assert running_text(own_words(tree.words())).replace(" ", "") == running_text(tree.words()).replace(" ", "")


def test_running_text_is_printed_and_cut_as_a_reader_would() -> None:
    words = ["``", "I", "ca", "n't", ",", "''", "said", "Ruth", "'s", "aunt", "-LRB-", "$", "3.2", "-RRB-", "."]
    assert running_text(words) == "\"I can't,\" said Ruth's aunt ($3.2)."
    assert own_words(words) == ['"', "I", "can't", ",", '"', "said", "Ruth's", "aunt", "-LRB-", "$3.2", "-RRB-", "."]


def test_tags_are_predicted(gold: list[Node], same_words: dict[str, list[Node | None]]) -> None:
    for trees in same_words.values():
        wrong = [tree for tree, guess in zip(gold, trees, strict=True) if guess and guess.tags() != tree.tags()]
        assert len(wrong) >= 20
        assert evaluate.pooled(gold, trees)["tags"] > 85


def test_failures_are_honest(gold: list[Node], outputs: dict[str, list[Node | None]]) -> None:
    too_long = [number for number, tree in enumerate(gold) if len(tree.words()) > PLAIN_LENGTH_LIMIT]
    assert too_long
    assert all(outputs["pcfg-plain"][number] is None for number in too_long)
    assert sum(tree is None for tree in outputs["pcfg-plain"]) > len(too_long)
    assert any(tree is None for tree in outputs["pcfg-parent"])
    assert all(tree is not None for tree in outputs["shift-reduce"])
    assert "(())" in (SAMPLE / "parsers" / "pcfg-plain.ptb").read_text(encoding="utf-8").splitlines()


def test_parsers_differ_and_are_plausible(
    gold: list[Node], outputs: dict[str, list[Node | None]], same_words: dict[str, list[Node | None]]
) -> None:
    scores = {name: evaluate.pooled(gold, trees)["F"] for name, trees in same_words.items()}
    assert all(50 < score < 95 for score in scores.values()), scores
    assert scores["chunker-right-branching"] < scores["pcfg-plain"] < scores["pcfg-parent"]
    names = sorted(outputs)
    for first in names:
        for second in names:
            if first < second:
                same = sum(a == b for a, b in zip(outputs[first], outputs[second], strict=True))
                twins = {first, second} == {"shift-reduce", *OWN_WORDS}  # the same but where the words differ
                assert same < (0.85 if twins else 0.75) * len(gold), (first, second, same)


def test_readme_has_the_scores(gold: list[Node], same_words: dict[str, list[Node | None]]) -> None:
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    for name, trees in same_words.items():
        scores = evaluate.pooled(gold, trees)
        assert f"| `{name}` | {scores['F']:.1f} | {scores['recall']:.1f} | {scores['precision']:.1f} |" in readme


def test_worked_examples() -> None:
    folder = SAMPLE / "worked-examples"
    gold = (folder / "sampson-gold.txt").read_text(encoding="utf-8").splitlines()
    candidate = (folder / "sampson-candidate.txt").read_text(encoding="utf-8").splitlines()
    assert len(gold) == len(candidate) == 11
    assert "[S and reduce" in gold[10]
    for first, second in zip(gold, candidate, strict=True):
        assert _plain_words(first) == _plain_words(second)
        assert first.count("[") == first.count("]")
        assert second.count("[") == second.count("]")
    printed = [(0.8, 0.4), (1 / 3, 1 / 3), (1.0, 1 / 3), (6 / 17, 6 / 17), (0.5, 0.5), (0.5, 0.5)]
    printed += [(0.917, 0.833), (0.952, 0.667), (0.909, 0.545), (0.909, 0.727), (0.762, 0.667)]
    for first, second, (unlabelled, labelled) in zip(gold, candidate, printed, strict=True):
        assert _dice(_square(first, False), _square(second, False)) == pytest.approx(unlabelled, abs=0.0005)
        assert _dice(_square(first, True), _square(second, True)) == pytest.approx(labelled, abs=0.0005)


def test_emms_pairs_have_equal_words() -> None:
    folder = SAMPLE / "worked-examples"
    pairs = [(folder / f"emms-{side}.ptb").read_text(encoding="utf-8").splitlines() for side in ("gold", "test")]
    assert len(pairs[0]) == len(pairs[1]) == 3
    for first, second in zip(*pairs, strict=True):
        assert first != second
        assert _leaves(first) == _leaves(second)


def test_nonascii_corpus() -> None:
    gold = read_ptb(SAMPLE / "nonascii" / "gold.ptb")
    test = read_ptb(SAMPLE / "nonascii" / "test.ptb")
    assert len(gold) == len(test) == 10
    for tree, guess in zip(gold, test, strict=True):
        assert tree is not None
        assert guess is None or guess.words() == tree.words()
    assert gold != test
    text = (SAMPLE / "nonascii" / "gold.ptb").read_text(encoding="utf-8")
    for block in ("\u0600\u06ff", "\u0590\u05ff", "\u4e00\u9fff", "\u0900\u097f"):
        assert any(block[0] <= character <= block[1] for character in text)


def test_malformed_files_are_described() -> None:
    table = (SAMPLE / "malformed" / "README.md").read_text(encoding="utf-8")
    for name in malformed.files():
        assert f"`{name}`" in table


@pytest.mark.parametrize(
    "text",
    ["(S (NP dog_NN)", "(S dog_NN))", "(S dog)", "dog_NN", "( (NP dog_NN))", "(S )", "(S (NP dog_NN) (NN dog cat))"],
)
def test_the_script_refuses_bad_trees(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_all(text, shorthand="dog cat" not in text)


def test_shorthand() -> None:
    tree = parse("(S (NP-SBJ the_DT fog_NN) (VP came_VBD (ADVP down_RB)) ?)")
    assert str(tree) == "(S (NP-SBJ (DT the) (NN fog)) (VP (VBD came) (ADVP (RB down))) (. ?))"
    assert parse_all(str(tree), shorthand=False) == [tree]


def _leaves(text: str) -> list[str]:
    return [part.rstrip(")") for part in text.split() if not part.startswith("(")]


def _plain_words(text: str) -> list[str]:
    return [token for token in text.split() if not token.startswith("[") and token != "]"]


def _square(text: str, labelled: bool) -> Counter[tuple[str, int, int]]:
    """Return the brackets of a tree in square brackets."""
    found: Counter[tuple[str, int, int]] = Counter()
    open_brackets: list[tuple[str, int]] = []
    words = 0
    for token in text.split():
        if token.startswith("["):
            open_brackets.append((token[1:] if labelled else "", words))
        elif token == "]":
            label, start = open_brackets.pop()
            found[label, start, words] += 1
        else:
            words += 1
    return found


def _dice(first: Counter[tuple[str, int, int]], second: Counter[tuple[str, int, int]]) -> float:
    return 2 * (first & second).total() / (first.total() + second.total())
