"""Every reader on whatever bytes: trees, or problems with their place, or one clear error; nothing is lost silently."""

from __future__ import annotations

import gzip
import io
import re
from pathlib import Path
from random import Random

import pytest
import zstandard
from hypothesis import example, given, settings, strategies as st

from evaltools import InputError, Run, score
from evaltools.frameworks.common.tree_options import read_cost_table
from evaltools.frameworks.presets import load_preset
from evaltools.frameworks.presets.preset import parse_parameters
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection
from tests.robustness.mutations import mutations, seeds
from tests.robustness.reading import check_reading

pytestmark = pytest.mark.slow

MUTATIONS = 30 * settings.default.max_examples


def test_mutated_files():
    """No input of many makes a reader stumble; enough of them are read, and enough are refused, to mean something."""
    random = Random(7)
    kinds: dict[str, int] = {}
    for number, data in mutations(MUTATIONS, seed=20240229):
        try:
            result = check_reading(data, random.randint(1, 7))
        except Exception as error:
            error.add_note(f"mutation {number}: {data[:400]!r}")
            raise
        names = [result.problem.kind] if isinstance(result, InputError) else {one.kind for one in result.problems}
        for name in names or ["none"]:
            kinds[name] = kinds.get(name, 0) + 1
    assert {"none", "unbalanced", "text", "encoding", "nul", "empty_bracket", "unlabeled", "format"} <= set(kinds)
    assert kinds["none"] > MUTATIONS // 50
    assert kinds["unbalanced"] > MUTATIONS // 10


def test_mutated_files_are_scored(tmp_path: Path):
    """A parser's file may be anything: every gold sentence is scored, missing, or has other words."""
    gold = b"".join(b"(S (NP (N dogs)) (VP (V bark)) (. .))\n" for _ in range(12))
    (tmp_path / "gold.ptb").write_bytes(gold)
    statuses: set[str] = set()
    for number, data in mutations(30, seed=5):
        try:
            run = score(
                tmp_path / "gold.ptb", {"it": io.BytesIO(data if number % 2 else gold[: 40 * number % 400] + data)}
            )
        except InputError:
            continue
        frame = run.sentences("it")
        assert frame["sentence"].tolist() == list(range(1, 13))
        entry = run.meta["parsers"][0]
        assert entry["scored"] + entry["missing"] + entry["words_differ"] - entry["words_aligned"] == 12
        assert entry["words_aligned"] == frame["words_aligned"].notna().sum()
        assert len(run.problems()) == run.meta["problems"]
        statuses |= set(frame["status"])
    assert statuses == {"ok", "missing", "words_differ"}


def test_mutated_compressed_files():
    """A compressed file that was damaged is an error, or by chance still the same text."""
    random = Random(11)
    n_errors = 0
    originals = [seed[:3000] for seed in seeds() if seed]
    for number in range(600):
        data = random.choice(originals)
        stored = bytearray(random.choice((gzip.compress, zstandard.compress))(data))
        for _ in range(random.randint(1, 3)):
            place = random.randrange(4, len(stored))
            match random.randrange(3):
                case 0:
                    stored[place] = random.randrange(256)
                case 1:
                    del stored[max(place, 10) :]
                case _:
                    stored[place:place] = random.randbytes(3)
        try:
            result = check_reading(bytes(stored), 3)
        except Exception as error:
            error.add_note(f"number {number}: {bytes(stored)[:200]!r}")
            raise
        n_errors += isinstance(result, InputError) and result.problem.kind == "compression"
    assert n_errors > 300


def counted(entry: dict[str, int], run: Run) -> int:
    """Return the number of sentences that have a status; meta.json counts those with a gold tree."""
    sentences = run.sentences("it")
    statuses = sentences[sentences["words"] > 0]["status"].value_counts()
    assert entry["missing"] == statuses.get("missing", 0)
    assert entry["words_differ"] == statuses.get("words_differ", 0)
    assert statuses.get("ok", 0) <= entry["scored"] <= statuses.sum() - entry["missing"]
    return int(sentences["status"].notna().sum())


def test_mutated_files_are_aligned_and_reported_as_evalb_does(tmp_path: Path):
    """Whatever the files hold, no sentence gets lost, and there is a report."""
    gold = b"".join(b"(S (NP (N dogs%d)) (VP (V bark)) ('' ') (. .))\n" % number for number in range(12))
    seen: set[str] = set()
    for number, data in mutations(24, seed=6):
        sides = [gold, gold[: 40 * number % 500] + data + gold[200:]]
        if number % 3 == 0:
            sides[0] = gold[:300] + data
        for align in (False, True):
            files = [io.BytesIO(side) for side in sides]
            try:
                run = score(files[0], {"it": files[1]}, preset=("new", "standard")[number % 2], align_sentences=align)
            except InputError:
                continue
            entry = run.meta["parsers"][0]
            assert counted(entry, run) == run.n_sentences
            assert len(run.problems()) == run.meta["problems"]
            text = REPORTS["evalb"](run, Selection())
            assert text.count("Number of sentence") == 2
            assert f"{run.n_sentences:4d}  " in text or number % 2 == 0
            if align:
                kept = run.n_sentences - entry["aligned"]["without_partner"]
                assert entry["sentences"] == kept + entry["aligned"]["left_out"]
            seen |= set(run.problems()["kind"])
    assert {"left_out", "no_partner", "shifted"} <= seen


# -------------------------------------------------------------------------------------------------------- hypothesis


KEYWORDS = (
    "DEBUG MAX_ERROR CUTOFF_LEN LABELED DELETE_LABEL DELETE_LABEL_FOR_LENGTH QUOTE_LABEL EQ_LABEL EQ_WORD "
    "DELETE_ROOT_PRETERMS DISC_ONLY NOT_A_KEYWORD # #DEBUG"
).split()
VALUES = st.sampled_from(
    ["1", "-1", "+-5", "", "9" * 30, "9" * 5000, "²", "٣", "-", "A B", "A B C", "TOP", "x\0", "\x1b"]
)
RULES = st.lists(
    st.tuples(st.sampled_from(KEYWORDS), st.sampled_from([" ", "\t", "", "  "]), VALUES | st.text(max_size=5)).map(
        "".join
    )
    | st.text(max_size=12)
).map("\n".join)


@given(RULES)
def test_parameter_files(text: str):
    """Each line has an effect, or is listed with its number, or is one that evalb ignores."""
    parameters = parse_parameters(text, "own.prm")
    lines = text.removeprefix("\ufeff").split("\n")
    listed = {problem.line for problem in parameters.problems}
    kept = [
        *(*parameters.delete_labels, *parameters.delete_for_length, *parameters.quote_labels),
        *(*parameters.equal_labels, *parameters.equal_words),
    ]
    numbers = 0
    for number, line in enumerate(lines, start=1):
        ignored = line.startswith("#") or len(line.rstrip()) < 3
        assert number not in listed or not ignored
        numbers += not ignored and number not in listed and line.split()[0] in KEYWORDS[:4]
    assert len(kept) + numbers + len(listed) == sum(
        not line.startswith("#") and len(line.rstrip()) >= 3 for line in lines
    )
    for problem in parameters.problems:
        assert problem.column == 1
        assert problem.file == "own.prm"


@given(st.binary(max_size=80) | RULES.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_parameter_files_of_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes):
    path = tmp_path_factory.getbasetemp() / "any.prm"
    path.write_bytes(data)
    assert load_preset(f"evalb:{path}").evalb is not None


COSTS = st.lists(
    st.tuples(
        *[st.sampled_from(["A", "B", "", "#", "é", "\u00a0", "A B"])] * 2,
        st.sampled_from(["1", "0.5", "nan", "1e400", "-0", "3", ""]),
    ).map(" ".join)
    | st.text(max_size=10)
).map(lambda lines: "\n".join(lines).encode("utf-8", "surrogatepass"))


@given(COSTS | st.binary(max_size=40))
@example(b"\xef\xbb\xbfA B 1\n")
@example(b"A B 1\xff\n")
@example(b"A B 1\rC D 2\r")
def test_tables_of_costs(tmp_path_factory: pytest.TempPathFactory, data: bytes):
    """A table is read whole, or the error names the line."""
    path = tmp_path_factory.getbasetemp() / "costs.txt"
    path.write_bytes(data)
    try:
        table = read_cost_table(path)
    except InputError as error:
        problem = error.problem
    else:
        problem = None
    if problem is not None:
        assert problem.line is not None
        assert problem.column is not None
        return
    rows = [line.split("#")[0].split() for line in re.split("\r\n|\r|\n", data.decode("utf-8-sig"))]
    assert set(table.costs) == {(row[0], row[1]) for row in rows if row}
    assert all(0 < cost <= 2 for cost in table.costs.values())
