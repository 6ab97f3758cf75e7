"""The exceptions of tgc."""

from __future__ import annotations

from typing import NamedTuple, Optional


class Location(NamedTuple):
    """The place of an operation in the source of a model."""

    file: str
    line: int
    column: int
    op: str
    layer: str


class Error(Exception):
    """A failure of libtgrt or of the compiler.

    `str(error)` is the name of the status, and the sentence of libtgrt. The
    status tells programs what failed: "TG_ERROR_DIM", and `code` is its number.
    """

    status: Optional[str] = None
    code: int = 0
    message: str = ""
    #: The place in the model's source of the operation that failed.
    location: Optional[Location] = None
    #: The number of the input, or the number of inputs plus that of the output.
    argument: Optional[int] = None
    #: The index of the wrong element, in row-major order.
    element: Optional[int] = None
    found: int = 0
    expected: int = 0
    #: True if the run may have changed variables before it failed.
    variables_changed: bool = False


class CallError(Error, ValueError):
    """A wrong call: a name, an element type, a shape, or memory."""


class BusyError(CallError):
    """An object that another call is using, for example on another thread."""


class DataError(Error, ValueError):
    """Wrong data of a run: an index out of range, a NaN, a failed assertion."""


class LibraryError(Error):
    """A file that is no whole model, or one for other machines or hosts."""


class ResourceError(Error, RuntimeError):
    """A failure of the machine: memory, a file, a driver, a host function."""


class CompileError(Error):
    """A model that does not compile; the message has the diagnostics."""


_CLASSES = {1: CallError, 2: DataError, 3: LibraryError, 4: ResourceError}
_BUSY = "TG_ERROR_BUSY"
_HINTS = {
    "TG_ERROR_DTYPE": "hint: array.astype(dtype) converts an array of NumPy",
    "TG_ERROR_STRIDES": "hint: numpy.ascontiguousarray(array) makes a compact copy",
    "TG_ERROR_SLAB": "hint: a context without a seed has no values until load()",
}


def make(code, status, message, location, argument, element, found, expected,
         variables_changed):
    """Returns the exception of an error of libtgrt."""
    kind = BusyError if status == _BUSY else _CLASSES.get(code >> 8, Error)
    error = kind(f"{status}: {message}")
    error.status = status
    error.code = code
    error.message = message
    error.location = Location(*location) if location else None
    error.argument = argument if argument >= 0 else None
    error.element = element if element >= 0 else None
    error.found = found
    error.expected = expected
    error.variables_changed = variables_changed
    if status in _HINTS:
        error.add_note(_HINTS[status])
    return error
