"""``evaltools verify``, called as other programs call it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import call

GOLD = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name in ("gold", "one"):
        (tmp_path / f"{name}.ptb").write_text(GOLD)
    made = call("score", tmp_path / "gold.ptb", f"one={tmp_path / 'one.ptb'}", "-o", tmp_path / "run")
    assert made.returncode == 0
    return tmp_path


def reads(files: Path) -> str:
    """Return what is said before any file is read: a run may come from anyone."""
    names = f"{files / 'gold.ptb'}, {files / 'one.ptb'}"
    return f"evaltools: reads the files that {files / 'run'} names: {names}\n"


def test_status_0_and_one_line_if_nothing_differs(files: Path):
    done = call("verify", files / "run")
    assert (done.returncode, done.stderr) == (0, reads(files))
    assert done.stdout.startswith("equal: ")


def test_status_1_if_a_source_has_changed(files: Path):
    (files / "one.ptb").write_text(GOLD * 2)
    done = call("verify", files / "run")
    assert (done.returncode, done.stderr) == (1, reads(files))
    assert f"source, SHA-256 of {files / 'one.ptb'}: '" in done.stdout


def test_status_2_if_a_source_is_gone(files: Path):
    (files / "gold.ptb").unlink()
    done = call("verify", files / "run")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{files / 'gold.ptb'}: no such file\ncannot be verified\n"


def test_status_2_if_it_is_no_run(files: Path):
    done = call("verify", files)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"evaltools: {files} is not a run of evaltools: it has no meta.json\n"
