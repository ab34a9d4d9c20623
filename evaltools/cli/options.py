"""The options of the frameworks as options of a command."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from evaltools.frameworks.options import Option, options_in
from evaltools.frameworks.registry import options_by_title


def with_options(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command, which takes them by name, some options of the frameworks, by default all."""
    added = [item for item in _parameters() if not names or item.name in names]

    def with_parameters(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(**arguments: Any) -> None:
            command(**arguments)

        own = inspect.signature(command, eval_str=True)
        parameters = [item for item in own.parameters.values() if item.kind is not inspect.Parameter.VAR_KEYWORD]
        run.__signature__ = own.replace(parameters=[*parameters, *added])  # type: ignore[attr-defined]
        run.__annotations__ = {item.name: item.annotation for item in (*parameters, *added)}
        return run

    return with_parameters


def _parameters() -> list[inspect.Parameter]:
    """Return the options of all frameworks as parameters of a command."""
    titles: dict[str, list[str]] = {}
    fields: dict[str, tuple[Option, bool]] = {}
    for title, kind in options_by_title().items():
        for name, option in options_in(kind).items():
            titles.setdefault(name, []).append(title)
            fields[name] = option, getattr(kind(), name) is False and option.values is None
    added = []
    for name, (option, is_flag) in fields.items():
        declared = typer.Option(
            option.flag or f"--{name.replace('_', '-')}",
            metavar=option.metavar or None,
            help=f"{' and '.join(titles[name]).capitalize()}: {option.help}",
        )
        annotation = Annotated[bool if is_flag else str | None, declared]  # type: ignore[valid-type]
        default = False if is_flag else None
        added.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation))
    return added
