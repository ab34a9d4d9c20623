"""The repository keeps its own rules: what its files may say, how long they are, what stands in which table."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

import evaltools

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "evaltools"
MOST_LINES = 600
MOST_MODULES = 20

# ---------------------------------------------------------------------------------------------------------------- texts


def repository_files() -> list[Path]:
    """Return the files git knows or would add; outside a checkout, all that are not made by tools."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        found = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:
        found = [path for path in ROOT.rglob("*") if not {".venv", "__pycache__", ".git"} & set(path.parts)]
    return sorted(path for path in found if path.is_file())


def texts() -> Iterable[tuple[Path, str]]:
    """Return the repository's text files and what is in them."""
    for path in repository_files():
        content = path.read_bytes()
        if b"\0" not in content[:4096]:
            yield path.relative_to(ROOT), content.decode("utf-8", errors="replace")


def occurrences(pattern: re.Pattern[str], suffixes: set[str] | None = None) -> list[str]:
    return [
        f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {match.group()}"
        for path, text in texts()
        if suffixes is None or path.suffix in suffixes
        for match in pattern.finditer(text)
    ]


def joined(*parts: str) -> str:
    """Return a text that this file must not contain itself."""
    return "".join(parts)


def test_no_file_names_a_registry():
    hosts = [
        joined("pypi", r"\.org"),
        joined("pythonhosted", r"\.org"),
        joined("anaconda", r"\.org"),
        joined("npmjs", r"\.(org|com)"),
        joined(r"(deb|security|archive)\.", "(debian|ubuntu)", r"\.(org|com)"),
        joined("ghcr", r"\.io"),
        joined("docker", r"\.(io|com)"),
        joined("--(extra-)?", "index-url"),
        joined("--find", "-links"),
    ]
    assert occurrences(re.compile("|".join(hosts))) == []


def test_no_file_names_the_place_it_was_written_in():
    places = {str(ROOT), str(ROOT.parent), str(Path.home())} - {"/", "/tmp", "/home"}
    pattern = re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, sorted(places)))})/")
    assert occurrences(pattern) == []


def test_nothing_is_left_unfinished():
    marks = [
        joined("TO", "DO"),
        joined("FIX", "ME"),
        joined("(?i:coming ", "soon)"),
        joined("(?i:not ", "implemented)"),
        joined(r"time\.", r"sleep\("),
        joined("assert ", "True"),
        joined(r"except[^\n]*:\s*\n?\s*", r"pass\b"),
    ]
    assert occurrences(re.compile(rf"\b({'|'.join(marks)})"), {".py", ".md", ".js", ".css", ".toml"}) == []


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_is_of_readable_length(path: Path):
    n_lines = len(path.read_text(encoding="utf-8").splitlines())
    assert n_lines <= MOST_LINES, f"{n_lines} lines: look for the second concept in it"


@pytest.mark.parametrize("room", ["classroom", "ui"])
def test_a_room_is_seen_at_a_glance(room: str):
    folders = [PACKAGE / room, *(path for path in (PACKAGE / room).rglob("*") if path.is_dir())]
    n_modules = {str(path.relative_to(PACKAGE)): len(list(path.glob("*.py"))) for path in folders}
    assert {name: number for name, number in n_modules.items() if number > MOST_MODULES} == {}


def test_the_app_is_nothing_but_rooms():
    assert [path.name for path in (PACKAGE / "ui").glob("*.py")] == ["__init__.py"]


def test_a_browser_component_is_a_folder_whose_files_have_its_name():
    folder = PACKAGE / "ui" / "components"
    components = sorted(path.parent for path in folder.glob("*/__init__.py"))
    assert components
    for component in components:
        name = component.name
        assert {path.name for path in component.iterdir() if path.suffix in {".js", ".css"}} == {
            f"{name}.js",
            f"{name}.css",
        }
        assert f'Component("{name}")' in (component / "__init__.py").read_text(encoding="utf-8")
    assert {path.parent for path in (PACKAGE / "ui").rglob("*.js")} == {folder, *components}


# --------------------------------------------------------------------------------------------------------------- tables


def modules_of(package: str) -> set[str]:
    """Return the names of the modules and packages directly in a package."""
    folder = PACKAGE.parent.joinpath(*package.split("."))
    found = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    return {f"{package}.{name}" for name in found - {"__init__"}}


def sources(entry: Any) -> set[str]:
    """Return the modules that an entry of a table comes from: itself, its functions, those in its fields."""
    if isinstance(entry, ModuleType):
        return {entry.__name__}
    found = {entry.__module__} if callable(entry) else set()
    if dataclasses.is_dataclass(entry):
        values = [getattr(entry, one.name) for one in dataclasses.fields(entry)]
        found |= {
            name for value in values if callable(value) or isinstance(value, ModuleType) for name in sources(value)
        }
    return found


def test_every_format_is_in_the_table():
    """A format is a module that says what it is called; modules without a NAME are what formats share."""
    formats = importlib.import_module("evaltools.formats")
    named = {name for name in modules_of("evaltools.formats") if hasattr(importlib.import_module(name), "NAME")}
    assert named
    assert named == set().union(*map(sources, formats.FORMATS.values()))
    for name, module in formats.FORMATS.items():
        assert name == module.NAME
        assert {"looks_like", "read", "write"} <= set(dir(module))


def metrics_in(value: Any, kind: type) -> list[Any]:
    """Return the metrics that a module's global name stands for: one, several in a container, or none."""
    if isinstance(value, kind):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [one for one in value if isinstance(one, kind)] if isinstance(value, (list, tuple)) else []


def all_metrics() -> dict[str, Any]:
    """Return the metrics of all tables."""
    metrics = importlib.import_module("evaltools.metrics")
    tables = [value for name, value in vars(metrics).items() if name.endswith("METRICS")]
    assert len(tables) == sum(name.endswith("METRICS") for name in metrics.__all__)
    together = {name: metric for table in tables for name, metric in table.items()}
    assert len(together) == sum(map(len, tables)), "an id in two tables"
    return together


def test_every_metric_is_in_a_table():
    table = all_metrics()
    kind = type(next(iter(table.values())))
    assert all(name == metric.id for name, metric in table.items())
    for module in sorted(modules_of("evaltools.metrics")):
        made = [one for value in vars(importlib.import_module(module)).values() for one in metrics_in(value, kind)]
        assert [one.id for one in made if table.get(one.id) is not one] == [], module


def test_the_metric_ids_are_those_that_other_programs_use():
    bracketing = {
        f"e_{score}_{part}{labels}"
        for score in ("recall", "precision", "dice", "jaccard")
        for part in ("roof", "whole")
        for labels in ("", "_unlabelled")
    }
    others = {f"tedeval_{golds}_{labels}labelled" for golds in ("single", "multiple") for labels in ("", "un")}
    others |= {"tedeval2011_labelled", "tedeval2011_unlabelled"}
    others |= {"e_crossing", "e_exact", "e_tagging", "t_dice", "t_jaccard", "la_strict", "la_partial"}
    assert bracketing | others <= set(all_metrics())


def test_every_package_has_tests_at_the_same_place():
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    tested = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert packages - tested == set()


def test_every_page_is_in_the_navigation():
    pages = {path.name for path in (ROOT / "pages").glob("*.py")}
    assert pages
    frame = [ROOT / "app.py", *(PACKAGE / "ui").rglob("*.py")]
    texts_in_frame = " ".join(
        node.value
        for path in frame
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    assert {name for name in pages if name not in texts_in_frame} == set()


# ----------------------------------------------------------------------------------------------------------- public API


def public_functions() -> dict[str, Callable[..., Any]]:
    """Return the functions among the public names, and the public methods of the classes among them."""
    found: dict[str, Callable[..., Any]] = {}
    for name in evaltools.__all__:
        value = getattr(evaltools, name)
        if inspect.isfunction(value):
            found[name] = value
        elif inspect.isclass(value):
            for method_name, member in vars(value).items():
                member = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
                if inspect.isfunction(member) and not method_name.startswith("_"):
                    found[f"{name}.{method_name}"] = member
    return found


def test_public_names_exist_and_are_documented():
    assert len(set(evaltools.__all__)) == len(evaltools.__all__)
    for name in evaltools.__all__:
        value = getattr(evaltools, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name
        assert not re.match("test_|Test", name), f"pytest would collect {name}"


def test_public_functions_have_numpydoc_sections():
    faults = []
    for name, function in public_functions().items():
        text = inspect.getdoc(function) or ""
        parameters = [one for one in inspect.signature(function).parameters if one not in {"self", "cls"}]
        if parameters and not re.search(r"^Parameters\n-{10}$", text, re.MULTILINE):
            faults.append(f"{name}: no section Parameters")
        else:
            undescribed = [one for one in parameters if not re.search(rf"(?m)^[*\w, ]*\b{one}\b[*\w, ]* ?:", text)]
            faults += [f"{name}: parameter {one} is not described" for one in undescribed]
        returns_something = function.__annotations__.get("return") not in {None, "None"}
        if "." not in name and returns_something and not re.search(r"(?m)^(Returns\n-{7}|Yields\n-{6})$", text):
            faults.append(f"{name}: no section Returns")
    assert faults == []


# ------------------------------------------------------------------------------------------------- packaging, settings


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_requirement_is_pinned():
    described = project()["project"]
    wanted = [
        *described["dependencies"],
        *(one for extra in described["optional-dependencies"].values() for one in extra),
    ]
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.+]+", pin) for pin in pins)
    pinned = {pin.split("==")[0].lower().replace("_", "-") for pin in pins}
    assert {re.split(r"[<>=~! ;\[]", one)[0] for one in wanted} <= pinned


def test_the_version_is_the_same_everywhere():
    version = project()["project"]["version"]
    assert evaltools.__version__ == version
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_streamlit_knows_every_setting_and_the_app_stays_local():
    from streamlit import config

    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))

    def names(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
        found = {}
        for key, value in table.items():
            found |= names(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value}
        return found

    given = names(settings)
    assert [name for name in given if name not in config._config_options_template] == []
    assert given["server.address"] == "127.0.0.1"
    assert given["browser.gatherUsageStats"] is False
    assert given["client.showErrorLinks"] is False
    assert "http" not in "".join(map(str, given.values()))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the wheel, built from the checkout without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_the_package_and_the_app(wheel: Path):
    held = set(zipfile.ZipFile(wheel).namelist())
    tools_made = {"__pycache__", ".mypy_cache"}
    package = {str(path.relative_to(ROOT)) for path in PACKAGE.rglob("*") if path.is_file()}
    package = {name for name in package if not tools_made & set(Path(name).parts)}
    app = {f"evaltools/_app/pages/{path.name}" for path in (ROOT / "pages").glob("*.py")}
    sample = {
        f"evaltools/_app/{path.relative_to(ROOT)}"
        for path in repository_files()
        if path.is_relative_to(ROOT / "sample_data") and path.suffix != ".py"
    }
    frame = {"evaltools/_app/app.py", "evaltools/_app/.streamlit/config.toml"}
    assert sorted((package | app | sample | frame) - held) == []
    others = {name for name in held - package - app - sample - frame if ".dist-info/" not in name}
    assert others == set()


def test_the_installed_app_runs_outside_the_checkout(
    wheel: Path, tmp_path: Path, app_server: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    installed, elsewhere = tmp_path / "installed", tmp_path / "elsewhere"
    elsewhere.mkdir()
    zipfile.ZipFile(wheel).extractall(installed)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    program = f"import sys; sys.path.insert(0, {str(installed)!r}); from evaltools.cli import main; main()"
    environment = {"PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1", "PATH": os.environ["PATH"]}
    command = [sys.executable, "-c", program, "app", "--port", "{port}"]
    server = app_server(command=command, cwd=elsewhere, env=environment)
    assert "Traceback" not in server.output()
