"""What a framework can be asked to compute, as a struct with a field for each option.

The command line, the arguments of :func:`evaltools.score`, the signature and ``meta.json`` follow from the fields.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

import msgspec

from evaltools.errors import ParameterError
from evaltools.frameworks.stored import mismatch

if TYPE_CHECKING:
    from evaltools.frameworks.framework import Framework

T = TypeVar("T", bound="Options")


@dataclass(frozen=True)
class Option:
    """What is known of an option, as annotation of its field."""

    help: str  # What it does, as it follows the frameworks that have it
    metavar: str = ""
    flag: str = ""  # Its name on the command line, if that is not the name of the field
    values: Mapping[str, Any] | None = None  # The names of the values that it may have
    take: Callable[[Any], Any] | None = None  # Makes the value of what is given, such as the name of a file
    signed: str = ""  # What stands for True in the signature, if not the name of the field
    always: bool = False  # Whether signature and ``meta.json`` have it even if it is the default


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a framework: what to compute, beside the preset; a subclass has a field for each."""


@lru_cache(maxsize=16)
def options_in(kind: type[Options]) -> dict[str, Option]:
    """Return the options of a struct by name."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name].__metadata__[0] for name in kind.__struct_fields__}


def value_of(name: str, option: Option, given: Any) -> Any:
    """Return the value of an option, from what is given on the command line or as an argument."""
    if option.values is not None:
        if given not in (*option.values, *option.values.values()):
            raise ParameterError.unknown(name, given, option.values)
        return option.values.get(given, given)
    if option.take is not None:
        return option.take(given)
    return os.fspath(given) if isinstance(given, os.PathLike) else given


def given_options(arguments: Mapping[str, Any], frameworks: Iterable[Framework]) -> dict[str, Any]:
    """Return the values of the options that are given: not None, a flag that is not set, or an empty map."""
    structs = [framework.options for framework in frameworks]
    fields = {name: (option, getattr(kind(), name)) for kind in structs for name, option in options_in(kind).items()}
    values = {}
    for name, given in arguments.items():
        if name not in fields:
            raise ParameterError.unknown("option", name, fields)
        option, default = fields[name]
        value = default if given is None else value_of(name, option, given)
        if given is not None and (option.values is not None or value != default):
            values[name] = value
    return values


def structs_by_title(frameworks: Iterable[Framework]) -> dict[str, type[Options]]:
    """Return the structs of options by the titles of frameworks, the first one's if several share a struct."""
    titles: dict[type[Options], str] = {}
    for framework in frameworks:
        titles.setdefault(framework.options, framework.title)
    return {title: options for options, title in titles.items()}


def options_for(framework: Framework, values: Mapping[str, Any], frameworks: Iterable[Framework]) -> Any:
    """Return the options of a framework; raise ParameterError for an option that only others have."""
    for name in values:
        if name not in options_in(framework.options):
            titles = [title for title, struct in structs_by_title(frameworks).items() if name in options_in(struct)]
            raise ParameterError(f"{name}: an option for {' and '.join(titles)}, not for {framework.title}")
    return framework.options(**values)


def options_of(kind: type[T], meta: Mapping[str, Any]) -> T:
    """Return the options of a run from its ``meta.json``."""
    return msgspec.convert(meta["options"], kind)


def options_problem(kind: type[Options], meta: Mapping[str, Any]) -> str:
    """Return what is wrong with the options in ``meta.json``, which may be untrusted; empty if nothing is."""
    if problem := mismatch(meta, msgspec.defstruct("Meta", [("options", kind)])):
        return problem
    options = options_of(kind, meta)
    for name, option in options_in(kind).items():
        value = getattr(options, name)
        if option.always and name not in meta["options"]:
            return f"no {name} - at `$.options`"
        if option.values is not None and value is not None and value not in option.values.values():
            return f"unknown {name} {value!r}"
    return ""


def changed(options: Options) -> dict[str, Any]:
    """Return the options that differ from their default, by name."""
    default = type(options)()
    names = options_in(type(options))
    return {name: getattr(options, name) for name in names if getattr(options, name) != getattr(default, name)}


def described(options: Options) -> dict[str, Any]:
    """Return the options as ``meta.json`` has them."""
    known_options, different = options_in(type(options)), changed(options)
    return {
        name: value
        for name, value in msgspec.to_builtins(options).items()
        if name in different or known_options[name].always
    }


def signature_of(options: Options) -> list[str]:
    """Return the options in the signature.

    Examples
    --------
    >>> from evaltools.frameworks.dependency.options import DependencyOptions
    >>> signature_of(DependencyOptions(subtypes=True))
    ['punctuation:keep', 'subtypes:keep']
    """
    known_options = options_in(type(options))
    return [_signed(name, known_options[name], value) for name, value in described(options).items()]


def _signed(name: str, option: Option, value: Any) -> str:
    if option.values is not None:
        return f"{name}:{next(text for text, known in option.values.items() if known == value)}"
    if value is True:
        return option.signed or name
    if isinstance(value, str | int | float):
        return f"{name}:{value}"
    return f"{name}:{hashlib.sha256(json.dumps(value).encode()).hexdigest()[:8]}"
