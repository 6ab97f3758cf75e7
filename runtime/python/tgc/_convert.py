"""Converts values that are no arrays, for the extension."""

import numpy


def to_array(value, dtype):
    """Returns a value as an array for an input of a dtype, or None.

    The numbers of a list are converted to the dtype if that loses nothing but
    precision. An object with `__array__`, such as a column of pandas, keeps its
    dtype.
    """
    if hasattr(value, "__array__"):
        return numpy.asarray(value)
    if not isinstance(value, (list, tuple, range)):
        return None
    wanted = numpy.dtype(dtype)
    try:
        array = numpy.asarray(value)
    except ValueError:  # rows of different lengths
        return None
    if array.dtype == object:
        return None
    if array.size == 0 or (wanted.kind == "f" and array.dtype.kind in "iuf"):
        return array.astype(wanted)
    if wanted.kind in "iu" and array.dtype.kind in "iu":
        converted = array.astype(wanted)
        if numpy.array_equal(converted, array):
            return converted
    return array


def print_value(label, value):
    """Prints a value that a model prints, the default of `on_print`."""
    print(f"{label}: {value}")
