"""What commands load: scoring starts without what it does not need; the core works without the packages of the app."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
forbidden = set(sys.argv[1].split(","))
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name in forbidden:
            raise ImportError(f"{name} must not be imported here")
sys.meta_path.insert(0, Refuse())
sys.argv = ["evaltools", *sys.argv[2:]]
from evaltools.cli import main
main()
"""


def call(forbidden: str, *arguments: object) -> str:
    command = [sys.executable, "-c", PROGRAM, forbidden, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_commands_do_without_what_they_do_not_need(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text("(S (NP (N dogs)) (VP (V bark)))\n(S (N cats))\n", "utf-8")
    (tmp_path / "mine.ptb").write_text("(S (NP (N dogs)) (NP (N bark)))\n\n", "utf-8")
    run, extras = (
        tmp_path / "a.run",
        "altair,markdown_it,pyarrow,scipy,segno,streamlit,starlette,uvicorn,vl_convert,zstandard",
    )
    files = (tmp_path / "gold.ptb", f"mine={tmp_path / 'mine.ptb'}", f"same={tmp_path / 'gold.ptb'}")
    call(f"{extras},apted,pandas,rich", "score", *files, "-o", run, "--jobs", 1, "-q")
    assert "mine" in call(f"{extras},numba,pandas", "report", run)
    assert "score" in call(f"{extras},numba,pandas,rich", "--help")
    call("pyarrow,streamlit,starlette,uvicorn", "html", run, "-o", tmp_path / "run.html")


@pytest.mark.slow
def test_the_core_works_without_pyarrow(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text("(S (NP (N dogs)) (VP (V bark)))\n(S (N cats))\n", "utf-8")
    (tmp_path / "mine.ptb").write_text("(S (NP (N dogs)) (NP (N bark)))\n\n", "utf-8")
    run = tmp_path / "a.run"
    files = [f"{name}={tmp_path / file}" for name, file in (("mine", "mine.ptb"), ("same", "gold.ptb"))]
    call("pyarrow", "score", tmp_path / "gold.ptb", *files, "-o", run, "-q")
    assert "mine" in call("pyarrow", "report", run)
    assert "mine" in call("pyarrow", "compare", run, "mine", "same")
    assert call("pyarrow", "verify", run).startswith("equal")
    call("pyarrow", "html", run, "-o", tmp_path / "run.html")


@pytest.mark.slow
def test_scoring_trees_imports_no_pandas(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text("(S (NP (N dogs)) (VP (V bark)))\n", "utf-8")
    gold, run = tmp_path / "gold.ptb", tmp_path / "a.run"
    program = (
        f"import sys, evaltools; evaltools.score({str(gold)!r}, {{'same': {str(gold)!r}}}, out={str(run)!r});"
        "print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
