"""Writing files and folders: completely or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

from evaltools.errors import InputError, Problem


def refuse_existing(path: str | os.PathLike[str], *, force: bool) -> None:
    """Raise InputError if there is a file, or a link to none, that is not to be replaced."""
    if os.path.lexists(path) and not force:
        raise InputError(Problem("file", str(path), None, None, "an existing file", "--force to replace it"))


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file; an older one of that name stays as it is until the new one is complete.

    A link to a file is followed; one to nothing is replaced. A device or a pipe, such as ``/dev/stdout``, is written to
    directly.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    try:
        if os.path.isfile(path):
            replace_file(Path(os.path.realpath(path)), content)
        elif os.path.exists(path):
            Path(path).write_bytes(content)
        else:
            replace_file(Path(path), content)
    except (OSError, ValueError) as error:  # the latter for a NUL in the path
        found = getattr(error, "strerror", None) or str(error)
        raise InputError(Problem("file", str(path), None, None, found, "a file that can be written")) from None


def write_files(folder: Path, contents: Mapping[str, bytes], *, force: bool) -> None:
    """Write files into a folder, which is made if need be; older ones stay as they are until all are written.

    Raises
    ------
    InputError
        If a file exists that is not to be replaced, or if the folder cannot be written; then nothing has changed.
    """
    for name in contents:
        refuse_existing(folder / name, force=force)
    try:
        # inside a folder that exists, which may be a link to another disk
        unfinished = unfinished_folder(folder / "files" if folder.is_dir() else folder)
        try:
            for name, content in contents.items():
                (unfinished / name).write_bytes(content)
            folder.mkdir(exist_ok=True)
            for name in contents:
                (unfinished / name).replace(folder / name)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    except (OSError, ValueError) as error:  # the latter for a NUL in the path
        found = getattr(error, "strerror", None) or str(error)
        raise InputError(Problem("folder", str(folder), None, None, found, "a folder that can be written")) from None


def replace_file(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a file under a temporary name beside its place and rename it; a link is replaced, not followed.

    Parameters
    ----------
    path : Path
        The file.
    content : bytes
        Its content.
    private : bool
        Whether only its owner may read it; otherwise it has the permissions of the older file, or the usual ones.

    Raises
    ------
    OSError
        If the file cannot be written; nothing is left then but an older file.
    """
    temporary = path.with_name(f".{uuid.uuid4().hex}.tmp")
    is_replaced = path.is_file() and not path.is_symlink()
    if is_replaced and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    try:
        with open(temporary, "xb", opener=_opened_private if private else None) as file:
            file.write(content)
        if is_replaced and not private:
            shutil.copymode(path, temporary)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _opened_private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def unfinished_folder(path: Path) -> Path:
    """Make a folder beside a path, to be filled and renamed; OSError if that is impossible."""
    folder = path.parent / f"{path.name}.{uuid.uuid4().hex[:8]}.partial"
    folder.mkdir(parents=True)
    return folder


def replace_folder(path: Path, folder: Path, check: Callable[[], None]) -> None:
    """Rename a complete folder; an older one of that name is removed.

    Parameters
    ----------
    path : Path
        The name.
    folder : Path
        The folder.
    check : callable
        Raises an error if there is something of that name that must not be replaced. It is asked again where another
        program puts a folder there at the same time: one of them stays.

    Raises
    ------
    OSError
        If the folder cannot be renamed; the older one is then in its place.
    """
    old = folder.with_suffix(".old")
    while True:
        check()
        with contextlib.suppress(FileNotFoundError):
            path.rename(old)
        try:
            folder.rename(path)
        except OSError:
            if not os.path.lexists(path):
                with contextlib.suppress(FileNotFoundError):
                    old.rename(path)
                raise
        else:
            _remove(old)
            return
        _remove(old)


def _remove(folder: Path) -> None:
    if folder.is_symlink():
        folder.unlink()
    shutil.rmtree(folder, ignore_errors=True)
