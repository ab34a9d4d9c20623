"""What the program must not contain."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import evaltools

PACKAGE = Path(evaltools.__file__).parent


def names_in(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                found |= {one.name.split(".")[0] for one in names}
            case ast.ImportFrom(module=module):
                found.add((module or "").split(".")[0])
            case ast.Call(func=ast.Name(id=name)):
                found.add(f"{name}()")
            case ast.Call(func=ast.Attribute(attr=name)) if name in ("read_pickle", "to_pickle", "unsafe_load"):
                found.add(name)
            case ast.keyword(arg=str(name)):
                found.add(f"{name}=")
    return found


FORBIDDEN = {
    *"pickle cPickle cloudpickle dill joblib marshal shelve yaml eval() exec() compile() __import__()".split(),
    *"allow_pickle= unsafe_allow_html= shell= read_pickle to_pickle unsafe_load".split(),
}


@pytest.mark.slow
def test_nothing_is_unpickled_or_evaluated():
    modules = [*PACKAGE.rglob("*.py"), *(PACKAGE.parent / "pages").glob("*.py"), PACKAGE.parent / "app.py"]
    assert len(modules) > 100
    assert {str(path): found for path in modules if (found := names_in(path) & FORBIDDEN)} == {}


def test_what_is_forbidden_is_found(tmp_path: Path):
    (tmp_path / "bad.py").write_text("import pickle as p\nfrom joblib import load\neval('1')\nf(allow_pickle=True)\n")
    assert names_in(tmp_path / "bad.py") & FORBIDDEN == {"pickle", "joblib", "eval()", "allow_pickle="}
