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
    found: Any = _module(home)
    for name in path.split("."):
        if not hasattr(found, name):
            raise ValueError(f"target {text!r}: {home} has no {path}")
        found = getattr(found, name)
    return _bound(text, found, dict(map(_argument, arguments)))


def _module(home: str) -> Any:
    try:
        if not home.endswith(".py"):
            return import_module(home)
        file = Path(home)
        if not file.is_file():
            raise ValueError(f"target: there is no file {home!r}")
        spec = spec_from_file_location(file.stem, file)
        if spec is None or spec.loader is None:
            raise ValueError(f"target: {home!r} cannot be imported")
        module = module_from_spec(spec)
        sys.modules.setdefault(spec.name, module)
        sys.path.insert(0, str(file.parent.resolve()))
        try:
            spec.loader.exec_module(module)
        finally:
            sys.path.pop(0)
        return module
    except ValueError:
        raise
    except BaseException as error:
        raise ValueError(f"target: {home} cannot be imported: {one_line(error)}") from None


def _argument(text: str) -> tuple[str, Any]:
    name, separator, value = text.partition("=")
    if not separator or not name.isidentifier():
        raise ValueError(f"argument {text!r}: use name=value")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
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
