"""The figures of Universal Dependencies are those of the official evaluation, to the last digit."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import settings
from udtools import udeval
from udtools.udeval import UDError

import evaltools
from evaltools.corpus import Dependencies, Vocabulary
from evaltools.formats import Source
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.frameworks.dependency.options import DependencyOptions
from evaltools.frameworks.dependency.pair import DependencyComparison, pair_dependencies
from evaltools.frameworks.dependency.universal import COLUMNS, FIGURES, Universal
from evaltools.frameworks.pairing.paired_stream import GoldIds
from evaltools.frameworks.pairing.text_pairing import TextPairedStream
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection
from tests.slow.universal import official, text_pair


def counted(gold: str, system: str, chunk: int = 1 << 20) -> dict[str, tuple[float, ...]]:
    """Return right, gold, test and aligned units of each figure, as a run adds them up."""
    sources = [Source(name, text.encode(), "") for name, text in (("gold", gold), ("system", system))]
    streams = [CorpusStream(source, "conllu") for source in sources]
    ids = GoldIds(streams[0])
    reader = TextPairedStream(streams[1], streams[0], ids)
    sums = dict.fromkeys(COLUMNS, 0.0)
    while True:
        vocabulary = Vocabulary()
        trees = streams[0].read(chunk, vocabulary)
        if not len(trees):
            break
        assert isinstance(trees, Dependencies)
        ids.note(trees)
        test = reader.read(len(trees), vocabulary)
        assert isinstance(test, Dependencies)
        pair = pair_dependencies(trees, test, DependencyOptions())
        counts = Universal(DependencyComparison(pair, DependencyOptions())).counts.sum(axis=0)
        sums = {name: sums[name] + value for name, value in zip(COLUMNS, counts.tolist(), strict=True)}
    return {figure.name: tuple(sums[column] for column in figure.columns) for figure in FIGURES}


def compare(gold: str, system: str, **options: int) -> None:
    expected = official(gold, system)
    found = counted(gold, system, **options)
    for name, numbers in expected.items():
        assert found[name] == tuple(number for number in numbers if number is not None), name


@pytest.mark.parametrize("seed", range(30))
def test_generated_texts(seed: int):
    compare(*text_pair(Random(seed)))


@pytest.mark.slow
def test_more_generated_texts():
    for seed in range(30, 30 + 10 * settings.default.max_examples):
        compare(*text_pair(Random(seed)))


PARSERS = ("english/udpipe-raw-enhanced", "english/gold-basic-enhanced-by-rule", "portuguese/udpipe-weak")


@pytest.mark.slow
@pytest.mark.parametrize("name", PARSERS)
def test_parsers_of_raw_text(name: str, shared_data: Path):
    folder = shared_data / "data" / "ud"
    gold = (folder / name.split("/")[0] / "gold.conllu").read_text("utf-8")
    compare(gold, (folder / f"{name}.conllu").read_text("utf-8"), chunk=200)


@pytest.mark.slow
def test_all_other_parsers_of_raw_text(shared_data: Path):
    for gold in (shared_data / "data" / "ud").glob("*/gold.conllu"):
        for system in gold.parent.glob("*.conllu"):
            if f"{gold.parent.name}/{system.stem}" not in PARSERS:
                compare(gold.read_text("utf-8"), system.read_text("utf-8"))


def tricky(folder: Path) -> list[tuple[str, str]]:
    golds = sorted((folder / "data" / "ud" / "tricky").glob("*.gold.conllu"))
    texts = [
        (path.read_text("utf-8"), Path(str(path).replace(".gold.", ".system.")).read_text("utf-8")) for path in golds
    ]
    return [*texts, *((system, gold) for gold, system in texts)]


def test_what_is_difficult(shared_data: Path):
    compared = 0
    for gold, system in tricky(shared_data):
        try:
            official(gold, system)
        except Exception:  # other order, other texts, a byte order mark: there is no official figure
            continue
        compare(gold, system)
        compared += 1
    assert compared == 18


def test_sentences_in_another_order_and_absent_ones_shift_nothing(shared_data: Path):
    folder = shared_data / "data" / "ud" / "tricky"
    for name, (words, aligned) in {"06-other-order": (9, 9), "07-missing-extra": (9, 5)}.items():
        sides = [(folder / f"{name}.{side}.conllu").read_text("utf-8") for side in ("gold", "system")]
        found = counted(*sides)
        assert found["Words"][:2] == (aligned, words)
        assert found["UAS"][0] >= aligned - 1


def test_the_report_has_the_layout_of_the_official_program(shared_data: Path):
    from udtools import udeval

    folder = shared_data / "data" / "ud" / "portuguese"
    gold, system = folder / "gold.conllu", folder / "udpipe-raw.conllu"
    run = evaltools.score(gold, {"p": system}, metrics=["ud"])
    scores = udeval.evaluate(udeval.load_conllu_file(gold), udeval.load_conllu_file(system))
    expected = udeval.build_evaluation_table(scores, enhanced=True).splitlines()
    assert REPORTS["conll18"](run, Selection()).splitlines()[: len(expected)] == expected
    summary = run.summary().set_index("metric")
    for figure in FIGURES[:-1]:
        f1 = scores[figure.name].f1
        assert summary.loc[figure.metric, "pooled"] == pytest.approx(f1, abs=1e-12, nan_ok=False) or not f1


def test_a_run_has_the_attachment_scores_of_raw_text(shared_data: Path):
    folder = shared_data / "data" / "ud" / "english"
    run = evaltools.score(folder / "gold.conllu", {"p": folder / "udpipe-raw.conllu"}, metrics=["attachment", "ud"])
    summary = run.summary().set_index("metric")["pooled"]
    assert summary["uas"] == summary["ud_uas"]
    assert summary["las"] == summary["ud_las"]
    assert run.meta["parsers"][0]["paired"] == "text"
    number = next(number for number in range(1, 568) if run.sentences("p")["status"][number - 1] == "words_differ")
    row = run.sentences("p").iloc[number - 1]
    scores = run.alignment(number, "p").scores
    assert {name: scores[name] for name in ("las", "ud_words")} == {name: row[name] for name in ("las", "ud_words")}


def written(*sentences: str) -> str:
    """Return sentences as CoNLL-U, each word attached to the first."""
    blocks = []
    for sentence in sentences:
        rows = [
            "\t".join((str(at), word, "_", "X", "_", "_", str(int(at > 1)), "dep" if at > 1 else "root", "_", "_"))
            for at, word in enumerate(sentence.split(), start=1)
        ]
        blocks.append("\n".join(rows) + "\n\n")
    return "".join(blocks)


def test_what_can_be_aligned_of_other_texts_is_scored_and_the_rest_is_said():
    gold = written("the small cat sat on the mat", "it slept there all night long")
    system = written("the small cat sat on the mat it slept there", "al night long", "and more words")
    run = evaltools.score(io.BytesIO(gold.encode()), {"p": io.BytesIO(system.encode())}, format="conllu")
    problems = run.problems().set_index("kind")
    assert "46 gold characters from there on (97.8 %) can be aligned" in problems.loc["texts_differ", "found"]
    summary = run.summary().set_index("metric")
    assert summary.loc["ud_words", "pooled_all"] == pytest.approx(2 * 12 / (13 + 13))
    with pytest.raises(evaltools.InputError, match="where the texts begin to differ"):
        evaltools.score(
            io.BytesIO(gold.encode()), {"p": io.BytesIO(system.encode())}, format="conllu", strict_conllu=True
        )


_ROW = "1\tA\ta\tNOUN\tN\t_\t0\troot\t0:root\t_\n"
_SENTENCE = _ROW + "2\tb\tb\tNOUN\tN\t_\t1\tobj\t1:obj\t_\n\n"


@pytest.mark.parametrize(
    "text",
    [
        _SENTENCE,
        _SENTENCE * 2,
        "# sent_id = a\n" + _SENTENCE,
        _SENTENCE.replace("\n", "\r\n"),
        _SENTENCE[:-1],
        _SENTENCE[:-2],
        "\n" + _SENTENCE,
        _SENTENCE + "\n",
        _SENTENCE + "\n" + _SENTENCE,
        _SENTENCE[:-1] + "\t\n",
        _SENTENCE + "# only\n\n",
        _SENTENCE + "0.1\te\t_\t_\t_\t_\t_\t_\t0:root\t_\n\n",
        _SENTENCE.replace("1:obj", "x"),
        _SENTENCE.replace("1:obj", "a:b"),
        _SENTENCE.replace("1:obj", "99:obj"),
    ],
)
def test_strict_reading_stops_where_the_official_program_does(text: str):
    gold = _SENTENCE * 2 if text.count("1\tA") > 1 else _SENTENCE

    def stops(run: Callable[[], object]) -> bool:
        try:
            run()
        except (UDError, ValueError, IndexError, evaltools.InputError):
            return True
        return False

    def ours() -> object:
        return evaltools.score(
            io.BytesIO(gold.encode()), {"p": io.BytesIO(text.encode())}, format="conllu", strict_conllu=True
        )

    assert stops(ours) == stops(lambda: udeval.load_conllu(io.StringIO(text), "text", {}))
