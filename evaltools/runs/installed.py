"""Where the app and the sample are, which come with the package."""

from __future__ import annotations

from pathlib import Path

import evaltools
from evaltools.errors import RunError

__all__ = ["app_folder", "sample_folder"]


def app_folder() -> Path:
    """Return the folder that holds ``app.py``, ``pages/`` and ``sample_data/``: in the package, or the checkout."""
    package = Path(evaltools.__file__).parent
    for folder in (package / "_app", package.parent):
        if (folder / "app.py").is_file():
            return folder
    raise RunError(f"the installation is incomplete: no app.py in {package / '_app'}")


def sample_folder() -> Path:
    """Return the folder of the sample treebank."""
    return app_folder() / "sample_data"
