"""The benchmark runs from its first line to its last: here on a few sentences, whatever it measures."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_every_line_of_the_benchmark_is_measured_on_a_few_sentences():
    ended = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--smallest"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    lines = [line for line in ended.stdout.splitlines() if line.startswith("│")]
    steps = {line.split("│")[1].strip() for line in lines}
    assert {"evaltools score", "read", "normalize", "E", "T with mapping", "LA", "TedEval, both golds"} <= steps
    assert {
        "shuffling",
        "write",
        "EDM",
        "Smatch, from graphs",
        "peak memory",
        "UD figures, from CoNLL-U",
    } <= steps
    compared = [re.search(r"(\d+) (?:pairs|figures), (\d+) equal", line) for line in lines]
    counts = [(int(found[1]), int(found[2])) for found in compared if found]
    assert len(counts) >= 5  # udtools, apted on the corpus and on two sizes of trees, and plain Python for LA
    assert all(pairs == equal for pairs, equal in counts)
    unmeasured = [line for line in lines if "not measured" in line]
    assert all("is not installed" in line for line in unmeasured)
