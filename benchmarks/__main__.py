"""Measure evaltools on a generated corpus and print one table."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from benchmarks import generate
from benchmarks.amr import PAIRS, smatch_rows
from benchmarks.app import PARSERS, app_rows, million_run
from benchmarks.legibility import SAMPLE, legibility
from benchmarks.long import MILLION, SIZES, long_runs
from benchmarks.measures import Work, steps, whole_command
from benchmarks.report import Row, draw
from benchmarks.semantics import edm_rows
from benchmarks.sizes import NODES, size_rows
from benchmarks.universal import SENTENCES, universal_rows

SMALLEST = 6
"""Sentences of the smallest form, which the tests run."""


def arguments() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--sentences", type=int, default=generate.N_SENTENCES, help="sentences in the gold file")
    parser.add_argument("--parsers", type=int, default=generate.N_PARSERS, help="number of parsers")
    parser.add_argument("--seed", type=int, default=1, help="another seed makes another corpus of the same shape")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each step; the median counts")
    parser.add_argument("--keep", type=Path, help="write the generated files to this folder and leave them there")
    parser.add_argument("--strict", action="store_true", help="end with status 1 if a target is missed")
    parser.add_argument(
        "--smallest", action="store_true", help=f"all lines on {SMALLEST} sentences: does it run at all?"
    )
    parser.add_argument("--short", action="store_true", help="no tables of tree sizes and of long corpora")
    parser.add_argument("--app-million", action="store_true", help="instead: the app on a million sentences")
    parser.add_argument("--app-sentences", type=int, default=MILLION, help="sentences of that run")
    parser.add_argument("--app", type=Path, metavar="RUN", help="instead: the app on a run of constituency trees")
    parser.add_argument(
        "--legibility", type=Path, metavar="RUN", help="instead: which sentences of a run open readably in Chromium"
    )
    parser.add_argument("--sample", type=int, default=SAMPLE, help="imperfect sentences of each parser for that")
    parser.add_argument("--million", action="store_true", help="instead: long corpora, up to a million sentence pairs")
    options = parser.parse_args()
    if options.smallest:
        options.sentences, options.parsers, options.repeats = SMALLEST, 2, 1
    return options


def run(options: argparse.Namespace, folder: Path) -> int:
    """Generate, measure, print; return the exit status."""
    say = Console(stderr=True, highlight=False).print
    machine = f"Python {platform.python_version()}, {os.cpu_count()} processors."
    if options.app or options.app_million:
        caption = (
            f"{machine} Median of {options.repeats} times in a browser: "
            "from the click to the visible change; CPU of the server until its script has ended."
        )
        if options.app:
            return show(list(app_rows(options.app, options.repeats)), f"The app on {options.app}", caption, options)
        n = options.app_sentences
        made, scored = million_run(n, folder, options.seed)
        title = f"The app on {n:,} generated sentences and {PARSERS} parsers (seed {options.seed})"
        return show([scored, *app_rows(made, options.repeats)], title, caption, options)
    if options.legibility:
        report, met = legibility(options.legibility, options.sample, options.seed)
        console().print(report)
        return int(options.strict and not met)
    say("generating …")
    gold = generate.trees(options.sentences, options.seed)
    parsers = generate.answers(gold, options.parsers, options.seed)
    work = Work(gold, parsers, generate.write(options.keep or folder, gold, parsers), folder)
    if options.million:
        title = f"{len(gold):,} generated sentences and one parser's answers (seed {options.seed}), over and over"
        rows = list(long_runs(work.files, folder, (*SIZES, MILLION)))
        return show(rows, title, f"{machine} Each line is one run of its own.", options)
    shape = generate.shape(gold, parsers)
    rows = [*whole_command(work, min(3, options.repeats), compiled=options.smallest), *steps(work, options.repeats)]
    rows += edm_rows(options.sentences, options.seed, options.repeats)
    n_universal = SMALLEST if options.smallest else SENTENCES
    rows += universal_rows(n_universal, options.seed, options.repeats)
    rows += smatch_rows(SMALLEST if options.smallest else PAIRS, options.seed, options.repeats)
    if not options.short:
        tree_sizes, corpus_sizes = (NODES[:2], (SMALLEST,)) if options.smallest else (NODES, SIZES)
        rows += size_rows(folder, options.seed, options.repeats, tree_sizes)
        rows += long_runs(work.files, folder, corpus_sizes)
    title = (
        f"{work.size} generated sentence pairs (seed {options.seed}): {shape['words']:.1f} words and "
        f"{shape['roof_nodes']:.1f} roof nodes a sentence, longest {shape['longest']:.0f} words, "
        f"{shape['nodes']:.0f} nodes a tree, E Dice {shape['dice_roof']:.3f} roof, {shape['dice_whole']:.3f} whole"
    )
    caption = (
        f"{machine} Steps: median of {options.repeats} runs. "
        "Peers: measured on the part named, multiplied up to the same work. Ratios are of CPU time."
    )
    return show(rows, title, caption, options)


def console() -> Console:
    """Return where tables are printed."""
    return Console(width=None if sys.stdout.isatty() else 150, highlight=False)


def show(rows: list[Row], title: str, caption: str, options: argparse.Namespace) -> int:
    """Print the table; return the exit status."""
    console().print(draw(rows, title, caption))
    return int(options.strict and any(row.met is False for row in rows))


def main() -> int:
    """Run the benchmark that the command line asks for."""
    options = arguments()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="evaltools-bench-") as folder:
        return run(options, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
