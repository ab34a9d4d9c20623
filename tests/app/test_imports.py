"""What pages load before anything is asked of them: the first page must not wait for what it does not need."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.slow
def test_pages_do_without_the_compiler():
    names = "overview worst_parses sentence disagreement hotspots crossframework semantics lab lessons about".split()
    lines = [
        "import importlib, sys",
        f"[importlib.import_module('evaltools.app.pages.' + name) for name in {names!r}]",
        "print(sorted({'highspy', 'numba', 'scipy', 'dask', 'playwright'} & sys.modules.keys()))",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().splitlines()[-1] == "[]"
