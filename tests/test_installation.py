"""The wheel and the sdist as users install them: the core without the packages of the app, with the app, from source.

Pip installs the wheel into an environment of its own, with an empty home and no environment variables but those of pip.
Without an index to install from, the wheel is unpacked, and the packages of the app are hidden until it is started.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import IN_CI, ROOT, home_environment
from tests.test_repository import PACKAGE, repository_files

pytestmark = pytest.mark.slow

APP = ("altair", "markdown_it", "segno", "starlette", "streamlit", "uvicorn", "vl_convert")
HIDDEN = (*APP, "dask", "distributed", "fsspec", "scipy", "zstandard")
HIDE = f"""\
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = classmethod(
    lambda cls, name, *more: None if name.partition(".")[0] in {HIDDEN!r} else find(name, *more)
)
"""
GOLD = "(S (NP (N dogs)) (VP (V bark)))\n(S (NP (N cats)) (VP (V sleep)))\n(S (NP (N birds)) (VP (V sing)))\n"
TEST = "(S (NP (N dogs) (V bark)))\n(S (NP (N cats)) (VP (V sleep)))\n(())\n"
FIRST_RUN = """\
import evaltools
from evaltools.progress import Progress

notes = []
for _ in range(2):
    evaltools.score("gold.ptb", {"mine": "mine.ptb"}, progress=Progress(note=notes.append))
print(notes)
"""
IN_PYTHON = """\
import json, evaltools
from evaltools.drawing import draw
gold, test = (open(name).read().splitlines() for name in ("gold.ptb", "mine.ptb"))
print(json.dumps([evaltools.__file__, evaltools.evaluate(gold, test), evaltools.Run("my.run")._repr_html_()[:4]]))
"""


@dataclass
class Installation:
    """An installed evaltools: how its Python is started, and with which environment variables."""

    python: str
    home: Path
    env: dict[str, str] = field(default_factory=dict)

    def run(self, *arguments: str, status: int = 0) -> str:
        """Run Python in the folder of the inputs; return what it prints, errors included."""
        system = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "LANG")
        env = {name: os.environ[name] for name in system if name in os.environ}
        ended = subprocess.run(
            [self.python, *arguments],
            cwd=self.home,
            env=env | home_environment(self.home) | self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert ended.returncode == status, ended.stdout
        return ended.stdout

    def evaltools(self, *arguments: str, status: int = 0) -> str:
        output = self.run("-m", "evaltools", *arguments, status=status)
        assert "Traceback" not in output
        return output


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("built")
    build(ROOT, folder)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return {"wheel": wheel, "sdist": sdist}


def build(source: Path, folder: Path) -> None:
    """Build the wheel and the sdist of a checkout, or of an sdist that is unpacked."""
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Give an empty home folder with a gold file and a parser's."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "gold.ptb").write_text(GOLD, "utf-8")
    (folder / "mine.ptb").write_text(TEST, "utf-8")
    return folder


def pip(python: str, home: Path, *arguments: str) -> str:
    """Install packages; return why that was not possible, or fail in CI."""
    keep = {
        name: value for name, value in os.environ.items() if name.startswith(("PIP_", "PATH", "SYSTEMROOT", "SSL_"))
    }
    options = ["--quiet", "--no-compile", "--constraint", str(ROOT / "constraints.txt")]
    command = [sys.executable, "-m", "pip", "--python", python, "install", *options, *arguments]
    env = keep | home_environment(home)
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0 or not IN_CI, done.stdout + done.stderr
    return (done.stderr.strip() or done.stdout.strip()).splitlines()[-1] if done.returncode else ""


def environment(folder: Path) -> str:
    """Make an empty environment, even without pip, and return its Python."""
    venv.create(folder)
    return str(folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))


def check_core(installed: Installation) -> None:
    """Use what needs no extra; the first run says that it compiles the kernels, the second does not."""
    assert installed.evaltools("--version").split()[-1][0].isdigit()
    assert "score" in installed.evaltools("--help")
    said = installed.run("-c", FIRST_RUN)
    assert said.count("compiling the kernels, the first time") == 1
    assert "compiling" not in installed.evaltools("score", "gold.ptb", "mine=mine.ptb", "-o", "my.run")
    assert "mine" in installed.evaltools("report", "my.run")
    draw = ("draw", "my.run", "--sentence", "1", "--parser", "mine")
    assert "<svg" in installed.evaltools(*draw, "--as", "svg")
    assert "tikzpicture" in installed.evaltools(*draw, "--as", "latex")
    file, figures, html = json.loads(installed.run("-c", IN_PYTHON).splitlines()[-1])
    assert not Path(file).is_relative_to(ROOT)
    assert html == "<div"
    assert (figures["sentences"], figures["missing"]) == (3, 1)
    (installed.home / "gold.ptb.zst").write_bytes(b"\x28\xb5\x2f\xfd\x00\x00")
    for command, *needed in (
        (("html", "my.run", "-o", "report.html"), "charts need altair", "charts"),
        ((*draw, "-o", "drawn.png"), "PNG and PDF need vl-convert-python", "charts"),
        (("score", "gold.ptb.zst", "mine.ptb", "-o", "a.run"), "files compressed with Zstandard", "zstd"),
    ):
        (line,) = installed.evaltools(*command, status=2).strip().splitlines()
        assert needed[0] in line
        assert line.endswith(f"pip install 'parser-evaltools[{needed[1]}]'")
    for command in ("app", "class"):
        (line,) = installed.evaltools(command, status=2).strip().splitlines()
        assert "the app needs " in line
        assert line.endswith("pip install 'parser-evaltools[app]'")


def check_app(python: str, home: Path, app_server: Callable[..., Any], **env: str) -> None:
    """Start the app outside the checkout, on the run that the core has made."""
    command = [python, "-m", "evaltools", "app", "my.run", "--port", "{port}"]
    server = app_server(command=command, home=home, cwd=home, env={"PYTHONPATH": "", "PYTHONSAFEPATH": "1"} | env)
    assert "Traceback" not in server.output()


def test_the_wheel_holds_the_package_and_the_app(built: dict[str, Path]):
    held = set(zipfile.ZipFile(built["wheel"]).namelist())
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


def test_the_core_works_alone_and_the_app_once_its_packages_are_there(
    built: dict[str, Path], home: Path, tmp_path: Path, app_server: Callable[..., Any]
):
    python = environment(tmp_path / "environment")
    wheel = built["wheel"]
    if pip(python, home, str(wheel)):
        unpacked, hiding = tmp_path / "unpacked", tmp_path / "hiding"
        zipfile.ZipFile(wheel).extractall(unpacked)
        hiding.mkdir()
        (hiding / "sitecustomize.py").write_text(HIDE, "utf-8")
        check_core(Installation(sys.executable, home, {"PYTHONPATH": os.pathsep.join((str(hiding), str(unpacked)))}))
        check_app(sys.executable, home, app_server, PYTHONPATH=str(unpacked))
        return
    installed = Installation(python, home)
    assert "ModuleNotFoundError" in installed.run("-c", "import streamlit", status=1)
    check_core(installed)
    pip(python, home, f"{wheel}[app]")
    check_app(python, home, app_server)


def test_the_sdist_makes_the_same_wheel(built: dict[str, Path], tmp_path: Path):
    shutil.unpack_archive(built["sdist"], tmp_path)
    (source,) = tmp_path.iterdir()
    build(source, tmp_path)
    (made,) = tmp_path.glob("*.whl")
    first, second = (
        {name: wheel.read(name) for name in wheel.namelist() if not name.endswith("/RECORD")}
        for wheel in map(zipfile.ZipFile, (built["wheel"], made))
    )
    assert first == second
