"""Damaged files of semantic graphs all the way: what can be scored is scored and drawn, a sentence as in its run.

And AMRs on whatever bytes: graphs, or problems with their line; no text is lost.
"""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings, strategies as st

import evaltools
from evaltools.drawing import draw, languages
from evaltools.errors import InputError
from evaltools.formats import SemanticBank, open_source, read_semantics, write_penman
from evaltools.formats.penman import PENMAN
from evaltools.frameworks.semantics import edm
from evaltools.frameworks.semantics.reweighting import reweighted
from tests.conftest import few_examples
from tests.formats.semantic_texts import TEXTS
from tests.formats.test_sdp import SDP_2015
from tests.robustness.mutations import FRAGMENTS, mutated
from tests.robustness.reading import check_problem
from tests.robustness.test_dependency_fuzz import damaged
from tests.runs.semantic_files import eds, mrp, saw, sleeps
from tests.slow.trees import randoms

pytestmark = pytest.mark.slow

GOLD, TEST = [sleeps(), saw(), sleeps()], [sleeps("_doze_v_1", end=11), saw(swapped=True), None]
SIDES = {
    "eds": (eds(*GOLD).encode(), eds(*TEST).encode()),
    "mrp": tuple(mrp(*zip("abc", graphs, strict=True)).encode() for graphs in (GOLD, TEST)),
    "sdp": (SDP_2015.encode(), SDP_2015.replace("ARG2", "ARG3").encode()),
}


@given(randoms, st.sampled_from(list(SIDES)), st.sampled_from(["dridan-oepen-2011", "pydelphin", "mtool"]))
@few_examples
def test_damaged_files_are_scored_as_far_as_they_go(random: Random, notation: str, preset: str):
    gold, test = (io.BytesIO(damaged(side, random)) for side in SIDES[notation])
    try:
        run = evaltools.score(gold, {"p": test}, format=notation, preset=preset)
    except evaltools.InputError:  # nothing is left of the gold file
        return
    assert run.problems()["expected"].notna().all()
    counts = run.counts("p").set_index("sentence")
    for sentence in range(1, run.n_sentences + 1):
        alignment = run.graphs(sentence, "p")
        for name in edm.COLUMNS:
            counted = alignment.counts[name]
            if (
                name == "sentences" and alignment.gold is None
            ):  # the parser's graph counts neither for it nor against it
                counted = 0
            assert counts.loc[sentence, name] == pytest.approx(counted), name
        for language in languages(alignment):
            assert draw(alignment, language).encode()
    assert reweighted(run, run.edm_rules).equals(run.summary())


@pytest.mark.parametrize("notation", sorted(TEXTS))
def test_damaged_files_of_every_notation_are_read_or_refused(notation: str):
    text, random = TEXTS[notation].encode(), Random(notation)
    for _ in range(60):
        try:
            bank = read_semantics(io.BytesIO(damaged(text, random)), notation)
        except InputError:  # nothing is left of the file
            continue
        assert all(problem.expected and problem.kind for problem in bank.problems)


# ---------------------------------------------------------------------------------------------------------------- AMRs

SAMPLE = Path(__file__).parents[2] / "sample_data" / "amr"
AMRS = tuple((SAMPLE / f"{name}.amr").read_bytes() for name in ("gold", "parser"))
MUTATIONS = 20 * settings.default.max_examples
MARKS = (*b'/ : ~ ~e.1 " # (a'.split(), b"# ::id ", b"# ::snt ", b"# ::", b"\n\n", b" :ARG0 ", b"(a / b", *FRAGMENTS)


def check_reading(data: bytes) -> SemanticBank | InputError:
    """Check that every line is in a graph, is a comment, or is listed; and that what was read can be written."""
    try:
        bank = read_semantics(io.BytesIO(data), "penman")
    except InputError as error:
        return error
    text = open_source(io.BytesIO(data)).data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    lines = text.split("\n")
    for problem in bank.problems:
        if problem.line is not None:
            check_problem(problem, [line.encode() for line in lines])
    cut = PENMAN.segments(text)
    assert len(cut.segments) == len(bank.items)
    listed = {problem.line for problem in bank.problems}
    for item in bank.items:
        assert item.graph is not None or item.is_empty or not item.results or item.line in listed or listed
    covered = {
        line for segment in cut.segments for line in range(segment.line, segment.line + segment.body.count("\n") + 1)
    }
    strays = sorted(flaw.line for flaw in cut.flaws)
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.strip().startswith("#") and number not in covered:
            assert strays, (number, line)
            assert strays[0] <= number, (number, line)
    for item in bank.items:
        if item.graph is not None:
            try:
                written = write_penman([item])
            except evaltools.ParameterError:
                continue
            (copy,) = read_semantics(io.BytesIO(written.encode()), "penman").items
            assert copy.graph is not None
            assert len(copy.graph.nodes) == len(item.graph.nodes)
    return bank


def test_mutated_amrs():
    random = Random("penman")
    kinds: dict[str, int] = {}
    for number in range(MUTATIONS):
        data = mutated(random.choice(AMRS), random, random.choice(AMRS))
        if number % 3:
            at = random.randint(0, len(data))
            data = data[:at] + random.choice(MARKS) + data[at:]
        try:
            result = check_reading(data)
        except Exception as error:
            error.add_note(f"mutation {number}: {data!r}")
            raise
        found = {result.problem.kind} if isinstance(result, InputError) else {one.kind for one in result.problems}
        for kind in found or {"none"}:
            kinds[kind] = kinds.get(kind, 0) + 1
    assert {"graph", "stray_text", "no_concept", "repeated_node", "encoding", "nul", "no_value"} <= set(kinds), kinds
    assert kinds.get("none", 0) > MUTATIONS // 50


TOKENS = st.sampled_from([*'()/:ab"#é\0 \n', ":ARG0", "\n\n", "~e.1", "# ::id x\n", "# ::snt y z\n"]).map(str.encode)


@given(st.lists(TOKENS | st.binary(max_size=3), max_size=40).map(b"".join))
@example(b"")
@example(b"# ::id")
@example(b"(a / b\n\n(")
@example(b"# ::id x\n# ::id x\n()")
@example(b"(((")
@example(b"\r(")
def test_any_bytes_as_amrs(data: bytes):
    check_reading(data)


@given(randoms)
@few_examples
def test_damaged_amrs_are_scored_as_far_as_they_go(random: Random):
    gold, test = (io.BytesIO(damaged(side, random)) for side in AMRS)
    try:
        run = evaltools.score(gold, {"p": test}, format="penman")
    except evaltools.InputError:  # nothing is left of the gold file
        return
    assert run.problems()["expected"].notna().all()
    counts = run.counts("p").set_index("sentence")
    triples = run.triples("p")
    for sentence in range(1, run.n_sentences + 1):
        alignment = run.graphs(sentence, "p")
        matched = sum(row.status == "right" for row in alignment.triples)
        assert counts.loc[sentence, "smatch_matched"] == matched == alignment.counts["smatch_matched"]
        assert len(alignment.triples) == (triples["sentence"] == sentence).sum()
        for language in languages(alignment):
            assert draw(alignment, language).encode()
