"""Two examples of every command, which its help ends with and a test runs."""

from __future__ import annotations

__all__ = ["EXAMPLES", "epilog"]

_PAIRS = (
    (
        "evaltools gold.ptb mine.ptb baseline.ptb -o new.run",
        "evaltools score gold.conllu mine.conllu --punctuation upos --json",
    ),
    ("evaltools verify my.run", "evaltools verify deps.run --jobs 1"),
    (
        "evaltools subset my.run --sentences 3,7-10 -o part.run",
        "evaltools subset my.run --where genre=news -o news.run",
    ),
    (
        "evaltools crossframework --gold ptb=functions.ptb --parser mine:ptb=mine.ptb -o one.run",
        "evaltools crossframework --gold ptb=functions.ptb --gold ud=gold.conllu --parser mine:ptb=mine.ptb "
        "--parser other:ud=mine.conllu -o two.run",
    ),
    ("evaltools report my.run", "evaltools report my.run --by genre"),
    ("evaltools compare my.run mine baseline", "evaltools compare my.run mine baseline --metric ted"),
    ("evaltools why my.run mine", "evaltools why gold.ptb mine.ptb --published 85.4"),
    ("evaltools ranks my.run", "evaltools ranks my.run --scores f1,ted -o figures.svg"),
    ("evaltools disagree my.run f1 la --parser mine --limit 5", "evaltools disagree my.run -o scatter.svg"),
    ("evaltools hotspots my.run", "evaltools hotspots my.run mine --view labels --compare-with baseline"),
    ("evaltools words deps.run --sentence 3", "evaltools words my.run mine --differing --format csv"),
    (
        "evaltools edits theories.run mine --sentence 3",
        "evaltools edits theories.run other --format csv",
    ),
    ("evaltools nbest edm.run lists", "evaltools nbest edm.run lists --least 2 --format csv"),
    ("evaltools oracle gold.ptb lists.ptb", "evaltools oracle gold.ptb lists.ptb --metric ted -o best.run"),
    ("evaltools draw gold.ptb mine.ptb --sentence 3 -o sentence-3.svg", "evaltools draw my.run mine --worst"),
    ("evaltools paper my.run -o paper", "evaltools paper my.run -o tree-edit --metrics ted,f1,la --width text"),
    ("evaltools html my.run -o report.html", "evaltools html my.run -o ten.html --worst 10 --cluster document"),
    ("evaltools bundle my.run -o pages", "evaltools bundle my.run -o few-pages --worst 3"),
    ("evaltools preset", "evaltools preset collins"),
    ("evaltools convert gold.ptb gold.export", "evaltools convert gold.conllu gold.conll --format conllx"),
    ("evaltools app", "evaltools app my.run --port 8600"),
    ("evaltools class", "evaltools class my.run --phones-address 127.0.0.1"),
)
EXAMPLES = {second.split()[1]: (first, second) for first, second in _PAIRS}
"""The examples by command, which the second one of each pair names; those of the servers are not run by the test."""


def epilog(command: str) -> str:
    """Return the end of a command's help, whose lines are not wrapped."""
    return "\n".join(["\b", "Examples:", *(f"  {example}" for example in EXAMPLES[command])])
