"""Warming loads the kernels before the first page needs them."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evaltools import kernels
from evaltools.kernels.compiling import Kernel
from evaltools.runs import compilation

RARE = {
    "sentence_alignment",
    "sentence_sketches",
    "trees.lifting",
    "trees.span_trees",
    "trees.word_sets",
    "trees.yields",
}
"""Kernels that few users need; they are compiled when they are first used."""


def all_kernels() -> list[Kernel]:
    """Return the kernels of all modules but the rare ones."""
    folder = Path(kernels.__file__).parent
    names = {".".join(path.relative_to(folder).with_suffix("").parts) for path in folder.rglob("*.py")}
    names = {name for name in names if not name.endswith("__init__")} - RARE
    modules = [importlib.import_module(f"{kernels.__name__}.{name}") for name in sorted(names)]
    return [value for module in modules for value in vars(module).values() if isinstance(value, Kernel)]


def test_warming_loads_the_kernels_that_python_calls():
    everything = all_kernels()
    called = [each for kernel in everything for each in kernel.called()]
    warmed = [kernel for half in compilation._usual_kernels() for kernel in half]
    assert len(warmed) == len(set(warmed))
    assert [kernel for kernel in everything if kernel not in called and kernel not in warmed] == []


def run(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_kernel_is_loaded_at_its_first_call_without_what_only_compiling_needs():
    compilation._usual_kernels()[1][-1].load()  # so that it is in the cache
    program = (
        "import sys; from evaltools.runs.compilation import _usual_kernels; k = _usual_kernels()[1][-1];"
        "print('numba' in sys.modules);"
        "k.load(); print('numba' in sys.modules, 'scipy.linalg' in sys.modules)"
    )
    assert run(program).split() == ["False", "True", "False"]


def test_a_kernel_of_other_kernels_is_not_called_by_python():
    inner = next(kernel for kernel in all_kernels() if kernel.inner)
    with pytest.raises(TypeError, match="called by other kernels"):
        inner(1, 2, 3, 4)


_THREADS = """
import sys
import threading
from evaltools.runs import compilation

kernels = [kernel for half in compilation._usual_kernels() for kernel in half]
begin = threading.Barrier(8)
failures = []
threading.excepthook = failures.append

def act(number):
    begin.wait()
    for kernel in kernels if number % 4 < 2 else reversed(kernels):
        kernel.is_cached() if number % 2 else kernel.load()

threads = [threading.Thread(target=act, args=(number,), daemon=True) for number in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(100)
sys.exit(bool(failures) or any(thread.is_alive() for thread in threads))
"""


@pytest.mark.parametrize("attempt", range(3))
def test_threads_that_need_kernels_at_once_do_not_wait_for_each_other(attempt: int):
    compilation.warm_kernels()
    done = subprocess.run([sys.executable, "-c", _THREADS], timeout=300, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
