"""The lines that `tests/mutations.py` breaks exist, and so do the tests that belong to them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.mutations import MUTATIONS, ROOT, Mutation, module_with, mutated


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.fault)
def test_every_line_to_break_stands_once_in_the_package(mutation: Mutation):
    path = ROOT / module_with(mutation.original)
    broken = path.read_text(encoding="utf-8").replace(mutation.original, mutation.mutated)
    assert mutation.original not in broken
    compile(broken, str(path), "exec")
    for test in mutation.tests.split():
        assert (ROOT / test.partition("::")[0]).is_file(), test


def test_there_are_fifty_faults_and_no_two_are_the_same():
    assert len(MUTATIONS) >= 50
    assert max(Counter(mutation.fault for mutation in MUTATIONS).values()) == 1
    assert max(Counter((mutation.original, mutation.mutated) for mutation in MUTATIONS).values()) == 1


def test_a_line_that_is_gone_or_there_twice_is_an_error(tmp_path: Path):
    (tmp_path / "evaltools").mkdir()
    (tmp_path / "evaltools" / "a.py").write_text("x = 1\ny = 1\n", encoding="utf-8")
    with pytest.raises(LookupError, match=r"nowhere; expected once"):
        module_with("z = 1", tmp_path)
    with pytest.raises(LookupError, match=r"a\.py, .*a\.py; expected once"):
        module_with(" = 1", tmp_path)


def test_a_broken_line_is_mended_whatever_happens(tmp_path: Path):
    path = tmp_path / "evaltools" / "a.py"
    path.parent.mkdir()
    path.write_text("x = 1\n", encoding="utf-8")
    before = path.stat().st_mtime_ns

    def interrupted() -> None:
        with mutated(tmp_path, Mutation("x is 2", "x = 1", "x = 2", "")):
            assert path.read_text(encoding="utf-8") == "x = 2\n"
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text(encoding="utf-8") == "x = 1\n"
    assert path.stat().st_mtime_ns == before
