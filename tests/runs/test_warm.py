"""Warming compiles the kernels before the first page needs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from evaltools import kernels

RARE = {
    "sentence_alignment",
    "sentence_sketches",
    "repairs.repair_tree",
    "trees.lifting",
    "trees.span_trees",
    "trees.yields",
}
"""Kernels that few users need; they are compiled when they are first used."""


def test_warming_imports_the_kernels():
    program = "import sys; from evaltools.runs.warm import warm_kernels; warm_kernels(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    imported = {name.removeprefix("evaltools.kernels.") for name in done.stdout.split()}
    folder = Path(kernels.__file__).parent
    modules = {
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for path in folder.rglob("*.py")
        if path.name != "__init__.py"
    }
    assert modules - RARE - imported == set()
