"""The compiled models to try that the package has."""

from __future__ import annotations

import pathlib
from typing import Any

from . import _runtime

_DIRECTORY = pathlib.Path(__file__).parent / "share" / "tg" / "models"


def names() -> list[str]:
    """Returns the names of the models."""
    return sorted(path.stem for path in _DIRECTORY.glob("*.so"))


def path(name: str) -> pathlib.Path:
    """Returns the path of a model, `tgc.models.path("digits")`."""
    if name not in names():
        known = ", ".join(names()) or "none"
        raise KeyError(f"no model {name!r}, expected one of {known}")
    return _DIRECTORY / f"{name}.so"


def load(name: str, **options: Any) -> _runtime.Model:
    """Loads a model, with the options of tgc.load()."""
    return _runtime.load(path(name), **options)
