"""Wrong calls and wrong data: exceptions that say what was found."""

import copy
import pickle
import re
from types import MappingProxyType

import numpy
import pytest

import tgc


def raises(status, text=""):
    """Expects an exception of a status."""
    return pytest.raises(tgc.Error, match=f"^TG_ERROR_{status}: .*{text}")


def test_what_an_exception_has(load):
    context = load("mlp").context(seed=1)
    x = numpy.zeros((2, 784), numpy.float32)
    with raises("INDEX", "label 12") as caught:
        context.run("train", x=x, label=numpy.array([1, 12], numpy.int32), learning_rate=1)
    error = caught.value
    assert isinstance(error, tgc.DataError) and isinstance(error, ValueError)
    assert error.status == "TG_ERROR_INDEX" and error.code == 0x201
    assert (error.element, error.found, error.expected) == (1, 12, 10)
    assert error.location.op == "tg.softmax_cross_entropy" and error.location.line == 60
    assert not error.variables_changed
    assert error.message in str(error)


def test_names(line, x):
    with raises("NOT_FOUND", "no function 'tset'; did you mean 'test'?"):
        line.run("tset", x=x)
    with raises("NOT_FOUND", "test: no input 'x' was given, found 'z'"):
        line.run("test", z=x)
    with raises("NOT_FOUND", "test: no input 'x' was given"):
        line.run("test")
    with raises("COUNT", "test: 2 inputs, expected 1; too many: 'z'"):
        line.run("test", x=x, z=x)
    with raises("COUNT", "too many: 'x'"):
        line.run("test", {"x": x}, x=x)
    with raises("NOT_FOUND", "test: no output 'z', expected one of y"):
        line.run("test", x=x, out={"z": x})
    with raises("NOT_FOUND", "no variable 'v'"):
        line.get("v")
    for wrong in [(), ("test", {}, {})]:
        with pytest.raises(TypeError, match="run\\(\\) takes"):
            line.run(*wrong)
    with pytest.raises(TypeError):
        line.run(1, x=x)


def test_values_without_names(line, load, x):
    """Arrays in the place of a mapping, and keys that are no names."""
    inputs = re.escape('run("test", ...): inputs are given by name, as in run("test", x=array); found ')
    outputs = re.escape('run("test", ...): outputs are given by name, as in run("test", out={"y": array}); found ')
    for wrong, found in [(x, "a numpy.ndarray"), (3, "an int"), ([x], "a list"), ("x", "a str")]:
        with pytest.raises(TypeError, match=f"^{inputs}{found}$"):
            line.run("test", wrong)
        with pytest.raises(TypeError, match=f"^{outputs}{found}$"):
            line.run("test", x=x, out=wrong)
    with pytest.raises(TypeError, match=f"^{inputs}the name 1$"):
        line.run("test", {1: x})
    with pytest.raises(TypeError, match=f"^{inputs}the name None$"):
        line.run("test", {None: x}, x=x)
    with pytest.raises(TypeError, match=f"^{outputs}the name 1$"):
        line.run("test", x=x, out={1: x})
    with pytest.raises(UnicodeEncodeError):
        line.run("test", {"\ud800": x})
    with pytest.raises(TypeError, match="the name of a function is 1, expected a str"):
        line.run(1, x=x)
    assert line.run("test", MappingProxyType({"x": x})).y.tolist() == x.tolist()


def test_names_in_options(line, load, tmp_path):
    with pytest.raises(TypeError, match="a name of renames is 1, expected a str"):
        line.load(tmp_path / "none", renames={1: "w"})
    with pytest.raises(TypeError, match="a new name of renames is 1, expected a str"):
        line.load(tmp_path / "none", renames={"w": 1})
    with pytest.raises(TypeError, match="a key of entries is 1, expected a str"):
        line.save(tmp_path / "none", {1: "text"})
    with pytest.raises(TypeError, match="a value of entries is 1, expected a str"):
        line.save(tmp_path / "none", {"text": 1})
    with pytest.raises(TypeError, match="the name of a function of the host is 1, expected a str"):
        load("line").context(host={1: print})
    with pytest.raises(TypeError, match="threads is 'two', expected a number of threads, or a tgc.Pool"):
        load("line").context(threads="two")


def test_element_types(line, x):
    with raises("DTYPE", "input 'x' has element type f64, expected f32") as caught:
        line.run("test", x=x.astype(numpy.float64))
    assert caught.value.hint == "array.astype(dtype) converts an array of NumPy"
    assert str(caught.value).endswith(f"f32 [R0]\nhint: {caught.value.hint}")
    assert "hint" not in caught.value.message
    with raises("DTYPE", "output 'y' has element type i32, expected f32"):
        line.run("test", x=x, out={"y": numpy.empty(4, numpy.int32)})
    with raises("DTYPE", "element type f16, expected f32"):
        line.run("test", x=x.astype("f2"))
    for wrong, kind in [(x.astype(">f4"), ">f4"), (x.astype("c8"), "complex64"), (numpy.array(["a", "b"]), "<U1"),
                        (numpy.array([None, None]), "object")]:
        with raises("DTYPE", f"'x' has element type '{kind}', expected f32\nhint: array.astype"):
            line.run("test", x=wrong)
    for wrong, kind in [("text", "a str"), (None, "a NoneType"), ({}, "a dict"), (object(), "an object"),
                        ([[1], [1, 2]], "a list whose rows have different lengths"),
                        ([None], "a list with elements that are no numbers"),
                        ((1.0, 1e300), r"a tuple with 1e\+300, which is too large")]:
        with raises("DTYPE", f"'x' is {kind}, expected an array of f32$") as caught:
            line.run("test", x=wrong)
        assert caught.value.hint is None
    assert line.run("test", x=[float("inf")]).y == float("inf")
    with raises("DTYPE", "'y' is a list, expected an array"):
        line.run("test", x=x, out={"y": [1.0]})


def test_numbers_beyond_the_element_type(line, x):
    """A number is not made infinite, and a bool is no number."""
    for wrong in [1e300, -1e39, True]:
        with raises("DTYPE", f"'rate' is {re.escape(repr(wrong))}, expected a number that f32 can represent$"):
            line.run("train", x=x, target=x, rate=wrong)
    with raises("DTYPE", "'rate' is 1000"):
        line.run("train", x=x, target=x, rate=10**400)
    with raises("DTYPE", "input 'rate' has element type i1, expected f32"):
        line.run("train", x=x, target=x, rate=numpy.bool_(True))
    line.run("train", x=x, target=x, rate=0)
    line.run("train", x=x, target=x, rate=float("inf"))


def test_lists_do_not_lose_numbers(load):
    context = load("kinds").context()
    good = {"f64": numpy.zeros((2, 3)), "i8": [1, 2, 3], "i16": [1, 2, 3], "i64": [1, 2, 3],
            "u8": [0, 1, 255], "b": [True, False, True]}
    assert context.run("copy", good).u8_out.tolist() == [0, 1, 255]
    for name, wrong in [("i8", [1, 2, 300]), ("i16", [0.5, 1, 2]), ("u8", [-1, 0, 1]), ("b", [0, 1, 2])]:
        with raises("DTYPE", f"'{name}'"):
            context.run("copy", {**good, name: wrong})


def test_shapes(line, x):
    with raises("RANK", "'x' has shape \\[1, 4\\], expected \\[batch\\]"):
        line.run("test", x=x[None])
    with raises("RANK", "'x' is a number, expected an array of rank 1"):
        line.run("test", x=1.0)
    with raises("DIM", "expected 4"):
        line.run("train", x=x, target=x[:3], rate=0)
    with raises("DIM"):
        line.run("test", x=x, out={"y": numpy.empty(5, numpy.float32)})
    with raises("RANK"):
        line.run("test", x=x, out={"y": numpy.empty((4, 1), numpy.float32)})


def test_memory_that_is_not_compact(line, x):
    """Nothing is copied silently: numpy.ascontiguousarray() is the user's choice."""
    wide = numpy.zeros((4, 2), numpy.float32)
    for wrong in [wide[:, 0], x[::-1]]:
        with raises("STRIDES") as caught:
            line.run("test", x=wrong)
        assert str(caught.value).endswith("\nhint: numpy.ascontiguousarray(array) makes a compact copy")
        line.run("test", x=numpy.ascontiguousarray(wrong))
    with raises("STRIDES"):
        line.run("test", x=x, out={"y": wide[:, 1]})
    fields = numpy.zeros(4, [("a", "f4"), ("b", "u1")])
    with raises("STRIDES", "'x' is an array with a stride of 5 bytes, expected a multiple of 4"):
        line.run("test", x=fields["a"])
    with raises("ALIGNMENT"):
        line.run("test", x=numpy.zeros(17, numpy.uint8)[1:].view(numpy.float32))
    line.run("test", x=wide[:1, 0])  # one element has no stride


def test_read_only_memory(line, x):
    x.flags.writeable = False
    assert line.run("test", x=x).y.tolist() == x.tolist()
    with pytest.raises(tgc.CallError, match="^'y' is a read-only array, expected one that can be written$") as caught:
        line.run("test", x=x, out={"y": x})
    assert caught.value.status is None and isinstance(caught.value, ValueError)
    with pytest.raises(tgc.CallError, match="'y' is a read-only array"):
        line.run("test", x=x, out={"y": bytes(16)})


def test_a_context_without_values(load, x, tmp_path):
    context = load("line").context()
    hint = r"\nhint: model.context\(seed=1\) or context.load\(path\) gives the variables values$"
    for call in [lambda: context.run("test", x=x), lambda: context.save(tmp_path / "none"),
                 lambda: context.get("w")]:
        with raises("SLAB", f"the variables have no values yet.*{hint}"):
            call()
    with raises("SLAB", "the block holds no variables of this model") as caught:
        load("mlp").context().restore(bytes(len(load("mlp").context(seed=1).snapshot())))
    assert caught.value.hint is None
    context.init(3)
    context.run("test", x=x)


def test_options(load):
    for wrong in ["gpu", "cuda:", "cuda:x", "cuda:99999", ""]:
        with raises("NOT_FOUND", f"device '{wrong}', expected cpu, cuda or cuda:<number>"):
            load("line", device=wrong)
    with raises("NOT_FOUND", "target 'v3', expected x86-64-v2"):
        load("line", target="v3")
    for wrong in [-1, "two", 1.5]:
        with pytest.raises(TypeError):
            load("line").context(threads=wrong)
    for wrong, reason in [({"thread": 2}, "context\\(\\) got an unexpected keyword argument 'thread'"),
                          ({"seed": 1.5}, "seed is 1.5, expected an integer of 64 bits"),
                          ({"seed": 2**63}, "seed is 9223372036854775808, expected an integer of 64 bits"),
                          ({"stream": None}, "stream is None, expected an integer"),
                          ({"variables": {}}, "variables is {}, expected a tgc.SharedVariables")]:
        with pytest.raises(TypeError, match=f"^{reason}"):
            load("line").context(**wrong)
    with pytest.raises(TypeError, match="^context\\(\\) takes 0 positional arguments"):
        load("line").context(5)
    context = load("line").context(seed=numpy.int64(1))
    assert context.snapshot() == load("line").context(seed=1).snapshot()
    for call in [context.init, context.set_seed]:
        with pytest.raises(TypeError, match="^seed is 1.5, expected an integer of 64 bits$"):
            call(1.5)


def test_what_contexts_and_models_do_not_have(line):
    with pytest.raises(AttributeError, match=r"""no attribute 'test'; run\("test", ...\) runs the function of"""):
        line.test
    with pytest.raises(AttributeError, match="^'tgc.Context' object has no attribute 'close'$"):
        line.close()
    assert not hasattr(line, "__array__")
    for refuse in [copy.copy, copy.deepcopy, pickle.dumps]:
        with pytest.raises(TypeError, match=r"^a tgc.Context cannot be copied or pickled: model.context\(\) makes"):
            refuse(line)
        with pytest.raises(TypeError, match="^a tgc.Model cannot be copied or pickled: contexts share it"):
            refuse(line.model)


def test_the_cause_of_an_error_stays_with_the_data(line, x):
    """A failing run keeps the variables, and the context works on."""
    before = line.snapshot()
    with raises("DIM"):
        line.run("train", x=x, target=x[:2], rate=1)
    assert line.snapshot() == before
    assert line.run("test", x=x).y.tolist() == x.tolist()
