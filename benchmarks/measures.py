"""What is measured, and against which targets: the whole command, then each step with its peers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from benchmarks import engine, peers, slow
from benchmarks.report import MEGABYTE, Row, peer_row, rate, ratio_row
from benchmarks.timing import Time, measure, measure_command, once

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from benchmarks.generate import Corpus, Node

#: How much of the work the peers are given.
APTED_PAIRS, ZSS_PAIRS, EDIST_PAIRS, PYEVALB_PAIRS = 96, 24, 960, 960

#: Iterations of the test of significance.
SHUFFLES = 10_000

#: Seconds of a whole command that does little, everything compiled.
START_TARGETS = {"score, 3 sentences": 1.2, "report": 0.7, "--help": 0.15}


@dataclass(frozen=True, slots=True)
class Work:
    """What is measured: the trees as generated, and the files they are in."""

    gold: list[Node]
    parsers: dict[str, list[Node]]
    files: Corpus
    folder: Path

    @property
    def size(self) -> str:
        """How many sentence pairs, as the table says it."""
        return f"{len(self.parsers)} × {len(self.gold):,}"


def whole_command(work: Work, repeats: int, *, compiled: bool) -> Iterator[Row]:
    """Measure ``evaltools score`` from start to end: with nothing compiled, then with everything compiled.

    With `compiled` the first time is no different: the kernels are those that this machine has compiled already.
    """
    home = work.folder / "home"
    home.mkdir()
    fresh = {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_DATA_HOME": str(home / "data"),
    }
    if not compiled:
        fresh["NUMBA_CACHE_DIR"] = str(home / "numba")
    command = engine.score_command(work.files, work.folder / "bench.run")
    cold = measure_command(command, fresh)
    warm = measure_command(command, fresh, repeats)
    yield Row("evaltools score", f"{work.size}, warm", warm, f"{warm.wall:.2f} s", "≤ 4 s", warm.wall <= 4)
    for name, small in engine.small_commands(work.files, work.folder).items():
        target = START_TARGETS[name]
        start = measure_command(small, fresh, repeats)
        yield Row(f"evaltools {name}", "start-up", start, f"{start.wall:.2f} s", f"≤ {target} s", start.wall <= target)
    yield Row("evaltools score", f"{work.size}, first ever", cold, f"{cold.wall:.2f} s", "≤ 12 s", cold.wall <= 12)
    for name, measured, target in (("warm", warm, 500), ("first ever: with the compiler", cold, None)):
        peak = (measured.peak or 0) / MEGABYTE
        met = None if target is None else peak <= target
        yield Row("peak memory", name, Time(0, 0), f"{peak:,.0f} MB", f"≤ {target} MB" if target else "", met)


def steps(work: Work, repeats: int) -> Iterator[Row]:
    """Measure the steps of scoring one by one, all parsers, and beside each what a peer needs for the same."""
    n_parsers, n = len(work.parsers), len(work.gold)
    pairs_done = f"{work.size} pairs"
    first = next(iter(work.parsers))
    pairs = [pair for answers in work.parsers.values() for pair in zip(work.gold, answers, strict=True)]

    n_bytes = sum(path.stat().st_size for path in (work.files.gold, *work.files.parsers.values()))
    reading = measure(lambda: engine.read(work.files), repeats)
    yield Row(
        "read",
        f"{n_parsers + 1} files, {n_bytes / MEGABYTE:.1f} MB",
        reading,
        f"{n_bytes / MEGABYTE / reading.cpu:,.0f} MB/s",
    )
    part = work.files.gold.stat().st_size
    for name, read, target in (
        ("  nltk, its treebank reader", peers.nltk_reading, 50),
        ("  nltk, Tree.fromstring a line", peers.nltk_trees, None),
    ):
        yield peer_row(name, partial(_reading, name, read, work.files.gold, n_bytes / part, reading, target))

    gold, tests = engine.read(work.files)
    preparing = measure(lambda: engine.prepare(gold, tests, "standard"), repeats)
    yield Row("normalize", f"{work.size}, preset standard", preparing, rate(n_parsers * n, preparing))

    compared = engine.prepare(gold, tests, "none")
    bracketing = measure(lambda: [engine.bracketing(one) for one in compared.values()], repeats)
    yield Row("E", pairs_done, bracketing, rate(n_parsers * n, bracketing))

    matched = [n for comparison in compared.values() for n in engine.matched_brackets(comparison)]
    yield peer_row("  PYEVALB", partial(_pyevalb, pairs, matched, bracketing))

    distance = measure(lambda: [engine.tree_distance(one) for one in compared.values()], repeats)
    yield Row("T with mapping", pairs_done, distance, rate(n_parsers * n, distance))
    costs = [cost for one in compared.values() for cost in engine.tree_distance(one)]
    for name, peer, n_pairs, target in (
        ("  apted, with mapping", peers.apted_mapping, APTED_PAIRS, 800),
        ("  zss, distance only", peers.zss_distance, ZSS_PAIRS, None),
        ("  edist, with mapping", peers.edist_mapping, EDIST_PAIRS, None),
    ):
        n_chosen = max(1, min(n_pairs, len(pairs) // 6))
        yield peer_row(
            name, partial(_distance, name, peer, peers.sample(pairs, n_chosen), pairs, costs, distance, target)
        )

    leaves = measure(lambda: [engine.leaf_ancestor(one) for one in compared.values()], repeats)
    yield Row("LA", pairs_done, leaves, rate(n_parsers * n, leaves))
    expected, time = once(lambda: slow.leaf_ancestor(work.gold, work.parsers[first]))
    same = sum(abs(one - two) < 1e-9 for one, two in zip(expected, engine.leaf_ancestor(compared[first]), strict=True))
    yield ratio_row("  plain Python", f"{n:,} pairs, {same:,} equal scores", time.times(n_parsers), leaves, None)

    functions = engine.functions(gold, tests)
    tedeval = measure(lambda: engine.tedeval(functions), repeats)
    yield Row("TedEval, both golds", pairs_done, tedeval, rate(n_parsers * n, tedeval))
    counts = engine.tedeval(functions)
    shuffling = measure(lambda: engine.shuffle(counts, SHUFFLES), repeats)
    yield Row("shuffling", f"{SHUFFLES:,} × {n:,}, two parsers", shuffling, f"{SHUFFLES / shuffling.cpu:,.0f}/s")

    for what, sentences in engine.lists(work.files).items():
        listed = measure(partial(engine.evaluate, sentences), repeats)
        yield Row("evaluate", f"{n:,} pairs, {what}", listed, f"{listed.wall:.2f} s", "≤ 0.5 s", listed.wall <= 0.5)

    scored = {name: engine.passes(one) for name, one in engine.prepare(gold, tests, "standard").items()}
    writing = measure(lambda: engine.write(gold, tests, scored, work.folder / "written.run"), repeats)
    yield Row("write", f"{work.size}, a run", writing, f"{folder_size(work.folder / 'written.run') / MEGABYTE:.1f} MB")


def _reading(name: str, read: Callable[[Path], Time], path: Path, factor: float, ours: Time, target: int | None) -> Row:
    """Measure a peer that reads one file, multiplied up to all files."""
    work = f"1 file, {path.stat().st_size / MEGABYTE:.1f} MB"
    return ratio_row(name, work, read(path).times(factor), ours, target)


def _distance(
    name: str,
    peer: Callable[[Sequence[peers.Pair]], tuple[list[int], Time]],
    chosen: Sequence[int],
    pairs: Sequence[peers.Pair],
    costs: Sequence[int],
    ours: Time,
    target: int | None,
) -> Row:
    """Measure tree distance by a peer on the chosen pairs, multiplied up to all pairs."""
    distances, time = peer([pairs[i] for i in chosen])
    same = sum(costs[i] == distance for i, distance in zip(chosen, distances, strict=True))
    note = f"{len(chosen)} pairs, {same} equal distances"
    return ratio_row(name, note, time.times(len(pairs) / len(chosen)), ours, target)


def _pyevalb(pairs: list[peers.Pair], matched: list[int], ours: Time) -> Row:
    """Measure the brackets by PYEVALB."""
    chosen = peers.sample(pairs, PYEVALB_PAIRS)
    found, time = peers.pyevalb_brackets([pairs[i] for i in chosen])
    same = sum(matched[i] == n for i, n in zip(chosen, found, strict=True))
    note = f"{len(chosen)} pairs, {same} equal counts"
    return ratio_row("  PYEVALB", note, time.times(len(pairs) / len(chosen)), ours, None)


def folder_size(folder: Path) -> int:
    """Return the bytes of all the files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
