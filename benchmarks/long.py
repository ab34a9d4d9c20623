"""Long corpora: how time and memory grow with the number of sentence pairs, on one thread and on all."""

from __future__ import annotations

import os
from itertools import cycle, islice
from typing import TYPE_CHECKING

from benchmarks import engine
from benchmarks.generate import Corpus
from benchmarks.report import MEGABYTE, Row
from benchmarks.timing import Time, measure_command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MILLION = 1_000_000
SIZES = (1_000, 10_000, 100_000)
MOST_SECONDS, MOST_MEGABYTES = 240, 1_000


def repeated(files: Corpus, n: int, folder: Path) -> Corpus:
    """Write files of `n` sentences: those of the gold file and of the first parser, over and over."""
    name, answers = next(iter(files.parsers.items()))
    made = Corpus(folder / "long-gold.ptb", {name: folder / "long-answers.ptb"})
    for source, target in ((files.gold, made.gold), (answers, made.parsers[name])):
        lines = source.read_bytes().splitlines(keepends=True)
        with target.open("wb") as file:
            file.writelines(islice(cycle(lines), n))
    return made


def long_runs(files: Corpus, folder: Path) -> Iterator[Row]:
    """Measure ``evaltools score`` on ever longer files; only the last line, of a million pairs, has targets."""
    n_threads = os.cpu_count() or 1
    measured = [(n, jobs) for n in SIZES for jobs in sorted({1, n_threads})]
    for n, jobs in [*measured, (MILLION, n_threads)]:
        work = repeated(files, n, folder)
        run = folder / "long.run"
        time = measure_command([*engine.score_command(work, run), "--jobs", str(jobs)], {})
        peak = (time.peak or 0) / MEGABYTE
        threads = "1 thread" if jobs == 1 else f"{jobs} threads"
        last = n == MILLION
        yield Row(
            "evaltools score",
            f"{n:,} pairs, {threads}",
            time,
            f"{n / time.wall:,.0f} pairs/s",
            f"≤ {MOST_SECONDS} s" if last else "",
            time.wall <= MOST_SECONDS if last else None,
        )
        yield Row(
            "  peak memory",
            "",
            Time(0, 0),
            f"{peak:,.0f} MB",
            f"≤ {MOST_MEGABYTES:,} MB" if last else "",
            peak <= MOST_MEGABYTES if last else None,
        )
