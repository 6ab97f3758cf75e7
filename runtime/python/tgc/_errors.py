"""The exceptions of tgc."""

from __future__ import annotations

import keyword
from typing import Any, NamedTuple, Optional


class Location(NamedTuple):
    """The place of an operation in the source of a model."""

    #: The file, as the compiler was told.
    file: str
    #: The line, from 1.
    line: int
    #: The column, from 1.
    column: int
    #: The operation, such as `"tg.gather"`.
    op: str
    #: The layer, such as `"digits/embedding"`, or nothing.
    layer: str


class Error(Exception):
    """A failure of libtgrt or of the compiler.

    `str(error)` is the name of the status, the sentence of libtgrt, and where there
    is one, a hint on a line of its own. The status tells programs what failed:
    `"TG_ERROR_DIM"`, and `code` is its number.
    """

    #: The name of the status, such as `"TG_ERROR_DIM"`, or None for a failure that
    #: only Python finds, such as an output that is read-only.
    status: Optional[str] = None
    #: The number of the status.
    code: int = 0
    #: The sentence of libtgrt.
    message: str = ""
    #: A remedy in Python.
    hint: Optional[str] = None
    #: The place in the model's source of the operation that failed.
    location: Optional[Location] = None
    #: The number of the input, or the number of inputs plus that of the output.
    argument: Optional[int] = None
    #: The index of the wrong element, in row-major order.
    element: Optional[int] = None
    #: The number that was found, such as an extent, if the message has one.
    found: int = 0
    #: The number that was expected.
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
# The remedy of errors with a status and with words in their messages.
_HINTS = {
    ("TG_ERROR_DTYPE", "has element type"): "array.astype(dtype) converts an array of NumPy",
    ("TG_ERROR_STRIDES", "stride"): "numpy.ascontiguousarray(array) makes a compact copy",
    ("TG_ERROR_SLAB", "have no values yet"): "model.context(seed=1) or context.load(path) "
    "gives the variables values",
    ("TG_ERROR_SLAB", "were published"): "model.publish(context) publishes the values of a "
    "context that has its own",
    ("TG_ERROR_FORMAT", "found no ELF file"): "tgc.compile(path) returns the library of a "
    "model that is text",
    ("TG_ERROR_FORMAT", "found a checkpoint"): "tgc.load(library).context().load(path) "
    "loads a checkpoint",
}


def _find_hint(status, message):
    """Returns the remedy of an error, or None."""
    for (of_status, words), hint in _HINTS.items():
        if status == of_status and words in message:
            return hint
    return None


def make(code, status, message, location, argument, element, found, expected,
         variables_changed):
    """Returns the exception of an error of libtgrt."""
    kind = BusyError if status == _BUSY else _CLASSES.get(code >> 8, Error)
    hint = _find_hint(status, message)
    error = kind(f"{status}: {message}" + (f"\nhint: {hint}" if hint else ""))
    error.status = status
    error.code = code
    error.message = message
    error.hint = hint
    error.location = Location(*location) if location else None
    error.argument = argument if argument >= 0 else None
    error.element = element if element >= 0 else None
    error.found = found
    error.expected = expected
    error.variables_changed = variables_changed
    return error


def _describe_type(value: Any) -> str:
    """Returns the type of a value with an article: "a numpy.ndarray"."""
    name = type(value).__qualname__
    if type(value).__module__ != "builtins":
        name = f"{type(value).__module__}.{name}"
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def read_only(name: str) -> CallError:
    """Returns the exception of an output that cannot be written."""
    message = f"'{name}' is a read-only array, expected one that can be written"
    error = CallError(message)
    error.message = message
    return error


def not_by_name(function: Any, kind: str, found: Any, is_key: bool) -> TypeError:
    """Returns the exception of inputs or outputs of a run without their names.

    `found` is what was given instead of a mapping, or a key that is no name.
    """
    inputs = [value.name for value in function.inputs.values() if not value.optional]
    names = inputs if kind == "inputs" else list(function.outputs)
    name = names[0] if names else "name"
    if kind == "outputs":
        example = f'out={{"{name}": array}}'
    elif name.isidentifier() and not keyword.iskeyword(name) and name != "out":
        example = f"{name}=array"
    else:
        example = f'{{"{name}": array}}'
    what = f"the name {found!r}" if is_key else _describe_type(found)
    return TypeError(
        f'run("{function.name}", ...): {kind} are given by name, as in '
        f'run("{function.name}", {example}); found {what}'
    )


def no_attribute(context: Any, name: str) -> AttributeError:
    """Returns the exception of an attribute that a context does not have."""
    text = f"'tgc.Context' object has no attribute {name!r}"
    if name in context.model.functions:
        text += f'; run("{name}", ...) runs the function of this name'
    return AttributeError(text, name=name, obj=context)
