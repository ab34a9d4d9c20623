"""Two examples of every command, which its help ends with and a test runs."""

from __future__ import annotations

__all__ = ["EXAMPLES", "epilog"]

EXAMPLES: dict[str, tuple[str, str]] = {
    "score": (
        "evaltools gold.ptb mine.ptb baseline.ptb -o new.run",
        "evaltools score gold.conllu mine.conllu --punctuation upos --json",
    ),
    "verify": ("evaltools verify my.run", "evaltools verify deps.run --jobs 1"),
    "subset": (
        "evaltools subset my.run --sentences 3,7-10 -o part.run",
        "evaltools subset my.run --where genre=news -o news.run",
    ),
    "crossframework": (
        "evaltools crossframework --gold ptb=functions.ptb --parser mine:ptb=mine.ptb -o one.run",
        "evaltools crossframework --gold ptb=functions.ptb --gold ud=gold.conllu --parser mine:ptb=mine.ptb "
        "--parser other:ud=mine.conllu -o two.run",
    ),
    "report": ("evaltools report my.run", "evaltools report my.run --by genre"),
    "compare": ("evaltools compare my.run mine baseline", "evaltools compare my.run mine baseline --metric ted"),
    "ranks": ("evaltools ranks my.run", "evaltools ranks my.run --format csv"),
    "disagree": ("evaltools disagree my.run", "evaltools disagree my.run f1 la --parser mine --limit 5"),
    "hotspots": (
        "evaltools hotspots my.run",
        "evaltools hotspots my.run mine --view labels --compare-with baseline",
    ),
    "words": ("evaltools words deps.run --sentence 3", "evaltools words deps.run mine --differing --format csv"),
    "nbest": ("evaltools nbest edm.run lists", "evaltools nbest edm.run lists --least 2 --format csv"),
    "oracle": ("evaltools oracle gold.ptb lists.ptb", "evaltools oracle gold.ptb lists.ptb --metric ted -o best.run"),
    "draw": (
        "evaltools draw gold.ptb mine.ptb --sentence 3 -o sentence-3.svg",
        "evaltools draw '(S (NP dogs) (VP bark))'",
    ),
    "html": (
        "evaltools html my.run -o report.html",
        "evaltools html my.run -o ten.html --worst 10 --cluster document",
    ),
    "bundle": ("evaltools bundle my.run -o pages", "evaltools bundle my.run -o few-pages --worst 3"),
    "preset": ("evaltools preset", "evaltools preset collins"),
    "convert": ("evaltools convert gold.ptb gold.export", "evaltools convert gold.conllu gold.conll --format conllx"),
    "app": ("evaltools app", "evaltools app my.run --port 8600"),
    "class": ("evaltools class", "evaltools class my.run --phones-address 127.0.0.1"),
}
"""The examples by command; only those of the servers are not run by the test."""


def epilog(command: str) -> str:
    """Return the end of a command's help, whose lines are not wrapped."""
    return "\n".join(["\b", "Examples:", *(f"  {example}" for example in EXAMPLES[command])])
