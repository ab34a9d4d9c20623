"""Kernels are compiled once, for one set of types, and it is noted."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from typing import Any

import pytest

import evaltools
from evaltools import kernels
from evaltools.progress import Progress
from evaltools.runs.scoring import noting_compilation
from evaltools.runs.warm import warm


def compiled_kernels() -> dict[str, Any]:
    """Return the functions that numba compiles for Python, by name."""
    modules = [
        importlib.import_module(f"{kernels.__name__}.{each.name}") for each in pkgutil.iter_modules(kernels.__path__)
    ]
    return {name: each for module in modules for name, each in vars(module).items() if hasattr(each, "signatures")}


def test_kernels_have_one_set_of_types_each():
    warm()
    trees = ["(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N cats)) (VP (V sleep)))"]
    evaltools.evaluate(trees, trees[::-1])
    evaltools.evaluate(trees, trees, preset="collins")
    several = {name: each.signatures for name, each in compiled_kernels().items() if len(each.signatures) > 1}
    assert several == {}
    called = {"read_brackets", "read_dependencies", "match_brackets", "align_trees", "align_words", "repair_steps"}
    assert {name for name in called if not compiled_kernels()[name].signatures} == set()


def test_compilation_is_noted_once():
    notes: list[str] = []

    def first(number: int) -> int:
        return number + 1

    import numba

    compiled = [numba.njit(first), numba.njit(first)]
    with noting_compilation(Progress(note=notes.append)):
        for each in compiled:
            assert each(1) == 2
    assert notes == ["compiling the kernels, once after installation: up to a minute"]


def test_importing_the_package_imports_no_numba():
    program = "import sys; import evaltools.runs.scoring; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


_THREADS = """
import sys
import threading
from evaltools.runs.warm import warm

begin = threading.Barrier(4)
failures = []
threading.excepthook = failures.append

def act():
    begin.wait()
    warm()

threads = [threading.Thread(target=act, daemon=True) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(200)
sys.exit(bool(failures) or any(thread.is_alive() for thread in threads))
"""


@pytest.mark.slow
def test_threads_that_need_kernels_at_once_do_not_wait_for_each_other():
    warm()
    done = subprocess.run([sys.executable, "-c", _THREADS], timeout=300, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
