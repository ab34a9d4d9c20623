"""Long corpora: how time and memory grow with the number of sentence pairs, on one thread and on two."""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING

from benchmarks import engine
from benchmarks.generate import Corpus
from benchmarks.report import MEGABYTE, Row
from benchmarks.timing import measure_command

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

MILLION = 1_000_000
SIZES = (1_000, 10_000, 100_000)
THREADS = (1, 2)
MAX_SECONDS, MAX_MEGABYTES = 240, 1_000


def repeated(source: Path, target: Path, n: int) -> None:
    """Write the first `n` lines of a file that repeats another one over and over."""
    lines = source.read_bytes().splitlines(keepends=True)
    with target.open("wb") as file:
        file.writelines(islice(cycle(lines), n))


def long_runs(files: Corpus, folder: Path, sizes: Sequence[int] = SIZES) -> Iterator[Row]:
    """Measure ``evaltools score`` on ever longer files; only a million pairs on all threads have targets."""
    name, answers = next(iter(files.parsers.items()))
    made = Corpus(folder / "long-gold.ptb", {name: folder / "long-answers.ptb"})
    for n in sizes:
        repeated(files.gold, made.gold, n)
        repeated(answers, made.parsers[name], n)
        for threads in THREADS:
            run = folder / "long.run"
            time = measure_command([*engine.score_command(made, run), "--jobs", str(threads)], {})
            peak = (time.peak or 0) / MEGABYTE
            last = (n, threads) == (MILLION, THREADS[-1])
            yield Row(
                "evaltools score",
                f"{n:,} pairs, {threads} {'thread' if threads == 1 else 'threads'}",
                time,
                f"{n / time.wall:,.0f} pairs/s, {peak:,.0f} MB",
                f"≤ {MAX_SECONDS} s, {MAX_MEGABYTES:,} MB" if last else "",
                time.wall <= MAX_SECONDS and peak <= MAX_MEGABYTES if last else None,
            )
