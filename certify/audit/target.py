"""From the text of a target to the function: ``module:function``, ``file.py:Class.apply``, a module of torch's."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from certify.claims.text import one_line


def resolve(text: str, arguments: Sequence[str] = ()) -> Callable[..., Any]:
    """The function that a target names, with ``name=value`` arguments bound; a class of torch's modules is built with them.

    Raises ValueError, one line, for a target that cannot be imported, is not callable, or needs more than it is given.
    """
    home, separator, path = text.rpartition(":")
    if not separator or not home or not path:
        raise ValueError(f"target {text!r}: use module:function or file.py:Class.apply")
    try:
        found: Any = imported(home)
    except ValueError as error:
        raise ValueError(f"target: {error}") from None
    for name in path.split("."):
        if not hasattr(found, name):
            raise ValueError(f"target {text!r}: {home} has no {path}")
        found = getattr(found, name)
    return _bound(text, found, dict(map(_argument, arguments)))


def imported(home: str) -> Any:
    """The module, or the file run as one. Raises ValueError, one line, for whatever happens then."""
    file = Path(home) if home.endswith(".py") else None
    if file is not None and not file.is_file():
        raise ValueError(f"there is no file {home!r}")
    try:
        return import_module(home) if file is None else _run(file)
    except (Exception, SystemExit) as error:
        raise ValueError(f"{home} cannot be imported: {one_line(error)}") from None


def _run(file: Path) -> Any:
    spec = spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules.setdefault(spec.name, module)
    sys.path.insert(0, str(file.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


def _argument(text: str) -> tuple[str, Any]:
    name, separator, value = text.partition("=")
    if not separator or not name.isidentifier():
        raise ValueError(f"argument {text!r}: use name=value")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):  # it is no literal of Python's
        return name, {"true": True, "false": False, "none": None}.get(value.lower(), value)


def _bound(text: str, found: Any, arguments: dict[str, Any]) -> Callable[..., Any]:
    from torch import nn

    if inspect.isclass(found):
        if not issubclass(found, nn.Module):
            raise ValueError(f"target {text!r} is a class: name a function, Class.apply of a Function, or a torch module")
        try:
            return found(**arguments)
        except Exception as error:
            raise ValueError(f"target {text!r} cannot be built: {one_line(error)}; give --arg name=value") from None
    if not callable(found):
        raise ValueError(f"target {text!r} is a {type(found).__name__}, not a function")
    return partial(found, **arguments) if arguments else found


def missing(fn: Callable[..., Any], given: int) -> list[str]:
    """Names of required arguments beyond the ``given`` positional ones."""
    try:
        parameters = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    required = [p for p in parameters if p.kind in kinds and p.default is inspect.Parameter.empty]
    positional = [p for p in required if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    return [p.name for p in [*positional[given:], *(p for p in required if p.kind is inspect.Parameter.KEYWORD_ONLY)]]
