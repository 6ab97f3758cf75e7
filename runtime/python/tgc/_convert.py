"""Converts values that are no arrays, for the extension."""

import numpy


def to_array(value, dtype):
    """Returns a value as an array for an input of a dtype, or None.

    The numbers of a list are converted to the dtype if that loses nothing but
    precision. A list that cannot be converted is returned as a text that says
    why. An object with `__array__`, such as a column of pandas, keeps its dtype.
    """
    if hasattr(value, "__array__"):
        return numpy.asarray(value)
    if not isinstance(value, (list, tuple, range)):
        return None
    wanted = numpy.dtype(dtype)
    try:
        array = numpy.asarray(value)
    except ValueError:
        return f"a {type(value).__name__} whose rows have different lengths"
    if array.dtype == object:
        return f"a {type(value).__name__} with elements that are no numbers"
    if array.size == 0 or (wanted.kind == "f" and array.dtype.kind in "iuf"):
        with numpy.errstate(over="ignore"):
            converted = array.astype(wanted)
        lost = numpy.isinf(converted) & ~numpy.isinf(array)
        if lost.any():
            return f"a {type(value).__name__} with {array[lost][0]}, which is too large"
        return converted
    if wanted.kind in "iu" and array.dtype.kind in "iu":
        converted = array.astype(wanted)
        if numpy.array_equal(converted, array):
            return converted
    return array


def print_value(label, value):
    """Prints a value that a model prints, the default of `on_print`."""
    print(f"{label}: {value}")


def context(*, threads=1, seed=None, host=None, on_print=None, shared=False,
            variables=None, stream=0):
    """Returns the arguments of Model.context() in order."""
    return (threads, seed, dict(host or {}), on_print or print_value, bool(shared),
            variables, stream)
