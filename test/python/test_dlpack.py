"""Arrays of other libraries, through DLPack."""

import numpy
import pytest

import tgc


def exports_versions():
    """Returns true if NumPy knows versions of DLPack, which mark read-only arrays."""
    try:
        numpy.zeros(1).__dlpack__(max_version=(1, 0))
    except TypeError:
        return False
    return True


VERSIONED = exports_versions()


class Exporter:
    """An array that has DLPack and no buffer, as a tensor of torch."""

    def __init__(self, array, old=False, device=None):
        self.array, self.old, self.device = array, old, device
        self.exports = 0

    def __dlpack_device__(self):
        return self.device or self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        self.exports += 1
        if self.old and "max_version" in options:
            raise TypeError("unexpected keyword max_version")
        return self.array.__dlpack__(**options)


@pytest.mark.parametrize("old", [False, True])
def test_inputs_and_outputs(line, x, old):
    y = numpy.zeros(4, numpy.float32)
    given, written = Exporter(x, old), Exporter(y, old)
    outputs = line.run("test", x=given, out={"y": written})
    assert outputs.y is written
    assert y.tolist() == x.tolist()
    assert given.exports == 1 + (old or not VERSIONED)


def test_arrays_are_not_copied(line, x):
    """An output in the memory of its input is refused, so both are in place."""
    with pytest.raises(tgc.CallError, match="TG_ERROR_OVERLAP"):
        line.run("test", x=Exporter(x), out={"y": x})


def test_read_only_outputs(line, x):
    y = numpy.zeros(4, numpy.float32)
    y.flags.writeable = False
    if not VERSIONED:
        with pytest.raises(BufferError):  # of NumPy, which exports no such array
            line.run("test", x=x, out={"y": Exporter(y)})
        return
    with pytest.raises(tgc.CallError, match="'y' is a read-only array"):
        line.run("test", x=x, out={"y": Exporter(y)})
    assert line.run("test", x=Exporter(y)).y.tolist() == [0] * 4


def test_strides_and_types(line, x):
    with pytest.raises(tgc.CallError, match="STRIDES"):
        line.run("test", x=Exporter(numpy.zeros((4, 2), numpy.float32)[:, 0]))
    with pytest.raises(tgc.CallError, match="element type f64, expected f32"):
        line.run("test", x=Exporter(numpy.zeros(4)))
    with pytest.raises(tgc.CallError, match="element type f16, expected f32"):
        line.run("test", x=Exporter(numpy.zeros(4, numpy.float16)))


def test_memory_of_a_gpu(line, x):
    with pytest.raises(tgc.CallError, match="TG_ERROR_DEVICE: 'x' is in the memory of a GPU"):
        line.run("test", x=Exporter(x, device=(2, 0)))


def test_errors_of_the_other_library(line):
    class Refusing(Exporter):
        def __dlpack__(self, **options):
            raise BufferError("this tensor has a gradient")

    with pytest.raises(BufferError, match="has a gradient"):
        line.run("test", x=Refusing(numpy.zeros(4, numpy.float32)))

    class Wrong(Exporter):
        def __dlpack__(self, **options):
            return 3

    with pytest.raises(tgc.CallError, match="DLPack"):
        line.run("test", x=Wrong(numpy.zeros(4, numpy.float32)))


def test_tensors_are_released(line):
    import sys

    x = numpy.zeros(4, numpy.float32)
    count = sys.getrefcount(x)
    for _ in range(3):
        line.run("test", x=Exporter(x))
    assert sys.getrefcount(x) == count


def test_tensors_of_torch(line):
    torch = pytest.importorskip("torch")
    x = torch.arange(4, dtype=torch.float32)
    y = torch.zeros(4)
    line.run("test", x=x, out={"y": y})
    assert y.tolist() == x.tolist()
    assert torch.from_dlpack(line.run("test", x=x).y).tolist() == x.tolist()
    with pytest.raises(tgc.CallError, match="OVERLAP"):
        line.run("test", x=x, out={"y": x})
    with pytest.raises(tgc.CallError, match="bf16, expected f32"):
        line.run("test", x=x.bfloat16())
    with pytest.raises(BufferError, match="grad"):
        line.run("test", x=torch.zeros(4, requires_grad=True))


def test_arrays_of_jax(line):
    jax = pytest.importorskip("jax.numpy")
    x = jax.arange(4, dtype=jax.float32)
    y = line.run("test", x=x).y
    assert y.tolist() == x.tolist()
    with pytest.raises(tgc.CallError, match="read-only"):
        line.run("test", x=x, out={"y": x})
    with pytest.raises(tgc.CallError, match="bf16, expected f32"):
        line.run("test", x=x.astype(jax.bfloat16))
