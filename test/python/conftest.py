"""Models for the tests of the Python package, compiled once."""

import pathlib

import numpy
import pytest

import tgc

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """Returns the path of a library, by the name of its model."""
    directory = tmp_path_factory.mktemp("models")

    def find(name):
        library = directory / f"{name}.so"
        if not library.exists():
            source = HERE / "Inputs" / f"{name}.mlir"
            if not source.exists():
                source = ROOT / "examples" / "mlir" / f"{name}.mlir"
            tgc.compile(source, library, levels="native", kernel_cache="")
        return library

    return find


@pytest.fixture
def load(compiled):
    """Returns a loaded model, by its name."""
    return lambda name, **options: tgc.load(compiled(name), **options)


@pytest.fixture
def line(load):
    """Returns a context of y = w x + b."""
    return load("line").context(seed=1)


@pytest.fixture
def x():
    """Returns an input of the line."""
    return numpy.arange(4, dtype=numpy.float32)
