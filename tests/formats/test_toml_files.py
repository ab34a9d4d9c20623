"""TOML files checked against types: every mistake with its line, whatever the file holds."""

from __future__ import annotations

import tomllib
from typing import Annotated

import pytest
from hypothesis import given, strategies as st
from msgspec import Meta, Struct

from evaltools.errors import InputError
from evaltools.formats.toml_files import TomlFile, choice

Share = Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")]
Color = Annotated[str, choice(("red", "blue"))]


class Inner(Struct, forbid_unknown_fields=True):
    color: Color
    shares: dict[str, Share] = {}
    colors: frozenset[Color] = frozenset()


class Outer(Struct, forbid_unknown_fields=True):
    name: str
    box: list[Inner] = []
    table: Inner | None = None
    flag: bool = False


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("flag = true", "a.toml: no name; expected name = "),
        ("name = 3", "a.toml:1: name = 3; expected a text"),
        ("name = 'x'\nflag = 1", "a.toml:2: flag = 1; expected true or false"),
        ("name = 'x'\nbox = 1", "a.toml:2: box = 1; expected a list"),
        ("name = 'x'\ntable = 1", "a.toml:2: table = 1; expected a table, [table]"),
        ("name = 'x'\n[table]\ncolor = 'green'", "a.toml:3: color = 'green' in [table]; expected one of red, blue"),
        ("name = 'x'\n[table]\ncolor = 'red\\n'", "expected one of red, blue"),
        ("name = 'x'\n[tabel]\n", "a.toml:2: unknown key 'tabel'; expected one of name, box, [table], flag"),
        (
            "name = 'x'\n[[box]]\ncolor = 'red'\n[[box]]\ncolor = 'blue'\n[box.shares]\n'a b' = 1\n\"c.d\" = 2",
            "a.toml:8: c.d = 2 in box 2, [box.shares]; expected a number from 0 to 1",
        ),
        (
            "name = 'x'\n[table]\ncolor = 'red'\nshares.a = 0.5\nshares.b = 'x'",
            "a.toml:5: b = 'x' in [table.shares]; expected a number from 0 to 1",
        ),
        (
            "name = 'x'\n[[box]]\ncolor = 'red'\ncolors = [\n'red',\n'green']",
            "a.toml:4: 'green' in colors in box 1; expected one of red, blue",
        ),
        ("name = '''\n[table]\n'''\nflag = 0", "a.toml:4: flag = 0"),
        ("name = ", "a.toml:1: no TOML: invalid value; expected a table of colors"),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, message: str):
    with pytest.raises(InputError) as raised:
        TomlFile(text, "a.toml", "colors", "a table of colors").convert(Outer)
    assert message in str(raised.value)


def test_tables_become_objects():
    text = "name = 'x'\n[[box]]\ncolor = 'red'\nshares = { a = 1, b = 0.25 }\n"
    outer = TomlFile(text, "a.toml", "colors", "a table of colors").convert(Outer)
    assert outer == Outer("x", [Inner("red", {"a": 1.0, "b": 0.25})])


VALUES = st.sampled_from(["{ a = 1 }", "'''\n'''", *"1 -1 0.5 nan true 'red' 'x' [] [1] ['red'] {} 2020-01-01".split()])
KEYS = st.sampled_from(["name", "flag", "color", "shares", "colors", "'a b'", "shares.x", "box", "table", '"`$.x"'])
HEADERS = st.sampled_from(["[[box]]", "[table]", "[box.shares]", "[table.shares]", "[[table]]", "[other]"])
LINES = st.one_of(st.builds("{} = {}".format, KEYS, VALUES), HEADERS, st.text(max_size=4))


@given(st.lists(LINES, max_size=8))
def test_any_file_is_read_or_refused(lines: list[str]):
    text = "\n".join(["name = 'x'", *lines])
    try:
        outer = TomlFile(text, "a.toml", "colors", "a table of colors").convert(Outer)
    except InputError as error:
        line = error.problem.line
        assert line is None or 1 <= line <= text.count("\n") + 1
    else:
        assert outer.name == tomllib.loads(text)["name"]
