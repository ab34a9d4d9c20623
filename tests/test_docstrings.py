"""What a user may import says in its docstring what goes in and what comes out, and its examples are true."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

import pytest

pytest.importorskip("pdoc", reason="pdoc is not installed: make test installs it")
from docs.reference import PUBLIC

Function = Callable[..., Any]
_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
_NAMES = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: :.*)?$", re.MULTILINE)


def public_functions() -> dict[str, Function]:
    found: dict[str, Function] = {}
    for module in map(importlib.import_module, PUBLIC):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value):
                found[f"{value.__module__}.{name}"] = value
            elif inspect.isclass(value) and value.__module__.startswith("evaltools"):
                for method, member in vars(value).items():
                    member = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
                    if inspect.isfunction(member) and not method.startswith("_"):
                        found[f"{value.__module__}.{name}.{method}"] = member
    return found


FUNCTIONS = public_functions()


def sections(function: Function) -> dict[str, str]:
    """Return the sections of a docstring; what comes before them is the section without a name."""
    text = inspect.getdoc(function) or ""
    marks = list(_SECTION.finditer(text))
    ends = [*(mark.start() for mark in marks), len(text)]
    return {"": text[: ends[0]]} | {mark[1]: text[mark.end() : end] for mark, end in zip(marks, ends[1:], strict=True)}


def parameters(function: Function) -> set[str]:
    return set(inspect.signature(function).parameters) - {"self", "cls"}


def described(section: str) -> set[str]:
    """Return the parameters that a section describes: what stands at the beginning of a line."""
    return {name.lstrip("*") for names in _NAMES.findall(section) for name in names.split(", ")}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_docstring_describes_every_parameter_and_what_comes_out(name: str):
    function = FUNCTIONS[name]
    said, wanted = sections(function), parameters(function)
    first = said[""].split("\n\n")[0].strip()
    assert first
    assert first[0].isupper() or first[0].isdigit()
    assert first[-1] in ".:", first
    if "Parameters" not in said and len(wanted) == 1:  # one parameter may be named in the one line that there is
        assert set(re.findall(r"`(\w+)`", said[""])) >= wanted
    else:
        assert described(said.get("Parameters", "")) == wanted
    if function.__annotations__.get("return") not in (None, "None"):
        is_method = inspect.isclass(getattr(importlib.import_module(function.__module__), name.split(".")[-2], None))
        assert {"Returns", "Yields"} & set(said) or (is_method and re.match("Return|Yield", said[""]))


def classes() -> Iterator[tuple[str, type]]:
    for module in map(importlib.import_module, PUBLIC):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value) and value.__module__.startswith("evaltools"):
                yield f"{value.__module__}.{name}", value


@pytest.mark.parametrize(("name", "kind"), dict(classes()).items())
def test_a_class_describes_the_arguments_of_its_constructor(name: str, kind: type):
    if issubclass(kind, (BaseException, Enum)):
        assert inspect.getdoc(kind)
        return
    wanted = {one for one in inspect.signature(kind).parameters if not one.startswith("_")}
    own_and_inherited = [sections(base) for base in kind.__mro__ if base.__module__.startswith("evaltools")]
    assert wanted <= {name for said in own_and_inherited for name in described(said.get("Parameters", ""))}


def test_the_public_modules_have_examples():
    """Pytest runs the examples with the tests."""
    homes = {function.__module__ for function in FUNCTIONS.values()} | set(PUBLIC)
    finder = doctest.DocTestFinder()
    examples = [test.examples for home in sorted(homes) for test in finder.find(importlib.import_module(home))]
    assert sum(map(len, examples)) > 100
