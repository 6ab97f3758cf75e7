"""Calls the compiler, where it is installed."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import warnings
from typing import Any, Iterator, Optional, Union

from ._errors import CompileError

_Path = Union[str, "os.PathLike[str]"]
# The options that make another model, which may not replace the whole one.
_PARTS = ("dim", "functions", "keep", "stop_after", "weights")


class CompileWarning(UserWarning):
    """The warnings and remarks of a compilation that succeeded."""


def find_compiler() -> str:
    """Returns the path of the program tgc: of the variable TGC, or on PATH."""
    named = os.environ.get("TGC")
    found = shutil.which(named or "tgc")
    if found:
        return found
    where = f"{named!r}, which TGC names," if named else "tgc"
    raise CompileError(
        f"{where} was not found, expected the compiler on PATH or in TGC; "
        "the package tgc of Debian, or the tarball, has it"
    )


def _arguments(options: dict[str, Any]) -> Iterator[str]:
    """Yields the command line of options given by keywords."""
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if name == "O":
            yield f"-O{value}"
        elif value is True:
            yield option
        elif isinstance(value, dict):
            for key, extent in value.items():
                yield f"{option}={key}={extent}"
        elif isinstance(value, (list, tuple)):
            yield f"{option}={','.join(map(str, value))}"
        elif value is not None and value is not False:
            yield f"{option}={os.fspath(value) if hasattr(value, '__fspath__') else value}"


def _default_output(source: Optional[_Path], options: dict[str, Any]) -> pathlib.Path:
    """Returns the path of the library of a whole model."""
    if source is None:
        raise TypeError("expected an output for a text")
    library = pathlib.Path(source).with_suffix(".so")
    for name in _PARTS:
        if options.get(name):
            raise TypeError(
                f"expected an output: with {name} the library has another model than "
                f"{os.fspath(library)!r}, the default, which it would replace"
            )
    return library


def compile(
    source: Optional[_Path] = None,
    output: Optional[_Path] = None,
    *,
    text: Optional[str] = None,
    **options: Any,
) -> pathlib.Path:
    """Compiles a model to a library, and returns the path of the library.

        >>> tgc.compile("mlp.mlir")  # writes mlp.so
        >>> tgc.compile("mlp.mlir", "serve.so", functions=["test"], dim={"batch": 32})
        >>> tgc.compile(text=program, output="line.so", O=3, trap_nan=True)

    The default of `output` is the path of the model with the suffix .so. It must be
    given for a text, and with dim, functions, keep, stop_after and weights, so that
    a part of a model does not replace the library of the whole one.

    Keywords are the options of the program tgc, which `tgc --help` lists. Raises
    CompileError with the diagnostics, and warns of the compiler's warnings.
    """
    if (source is None) == (text is None):
        raise TypeError("expected either the path of a model or a text")
    if output is None:
        output = _default_output(source, options)
    command = [
        find_compiler(),
        "-" if source is None else os.fspath(source),
        "-o",
        os.fspath(output),
        *_arguments(options),
    ]
    done = subprocess.run(
        command,
        input=text if text is not None else "",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    diagnostics = done.stderr.strip()
    if done.returncode != 0:
        raise CompileError(diagnostics or f"tgc ended with status {done.returncode}")
    if diagnostics:
        warnings.warn(diagnostics, CompileWarning, stacklevel=2)
    return pathlib.Path(output)
