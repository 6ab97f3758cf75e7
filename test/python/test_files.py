"""Libraries and checkpoints: whole ones, and files that are none."""

import os
import pathlib
import struct

import numpy
import pytest

import tgc


def raises(status, text=""):
    """Expects an exception of a status."""
    return pytest.raises(tgc.Error, match=f"^TG_ERROR_{status}: .*{text}")


def test_paths(compiled):
    library = compiled("line")
    for path in [library, str(library), os.fsencode(library)]:
        assert tgc.load(path).name == "line"
    assert tgc.load(library).origin == str(library)
    with pytest.raises(ValueError, match="null"):
        tgc.load("a\0b")
    with pytest.raises(TypeError):
        tgc.load(3)


def test_files_that_are_no_models(compiled, tmp_path):
    with raises("IO", "cannot open: No such file"):
        tgc.load(tmp_path / "none.so")
    with raises("IO"):
        tgc.load(tmp_path)
    content = compiled("line").read_bytes()
    wrong = tmp_path / "wrong.so"
    for bytes, status in [(b"", "FORMAT"), (b"text" * 100, "FORMAT"), (content[:-1], "FORMAT"),
                          (content[:1000] + b"!" + content[1001:], "CORRUPT")]:
        wrong.write_bytes(bytes)
        with raises(status) as caught:
            tgc.load(wrong)
        assert isinstance(caught.value, tgc.LibraryError)
        with raises(status):
            tgc.load_bytes(bytes)


def test_the_text_of_a_model(tmp_path):
    """A model that was not compiled yet is recognized, whatever its length."""
    path = tmp_path / "model.mlir"
    for text in [b"m", b"func.func @main() { return }" * 100]:
        path.write_bytes(text)
        for load in [lambda: tgc.load(path), lambda: tgc.load_bytes(text)]:
            with raises("FORMAT", "found no ELF file, expected a library that tgc compiled") as caught:
                load()
            assert caught.value.hint == "tgc.compile(path) returns the library of a model that is text"


def test_a_checkpoint_is_no_library(line, tmp_path):
    """The message of a checkpoint says how it is loaded."""
    path = tmp_path / "values.safetensors"
    line.save(path)
    for load in [lambda: tgc.load(path), lambda: tgc.load_bytes(path.read_bytes())]:
        with raises("FORMAT", "found a checkpoint, expected a library") as caught:
            load()
        assert caught.value.hint == "tgc.load(library).context().load(path) loads a checkpoint"
    path.write_bytes(path.read_bytes()[:-1])
    with raises("FORMAT", "the file is cut short: tensor '.*' ends at byte"):
        line.load(path)


def test_a_library_of_a_newer_compiler(compiled):
    """The version in the trailer, with hashes that fit."""
    import hashlib

    content = bytearray(compiled("line").read_bytes())
    trailer = content[-256:]
    struct.pack_into("<I", trailer, 12, 2 << 16 | 3)
    trailer[224:] = hashlib.sha256(trailer[:224]).digest()
    content[-256:] = trailer
    with raises("ABI", "the library has ABI 2.3, expected 1.0 to 1.4, which this libtgrt runs$") as caught:
        tgc.load_bytes(bytes(content))
    assert isinstance(caught.value, tgc.LibraryError)


def test_bytes_of_a_file(compiled, x):
    model = tgc.load_bytes(compiled("line").read_bytes())
    assert model.context(seed=1).run("test", x=x).y.tolist() == x.tolist()


def test_a_host_may_refuse_a_file(compiled):
    library = compiled("line")
    seen = []
    tgc.load(library, verify=lambda content: seen.append(content) or True)
    assert seen == [library.read_bytes()]
    with raises("HOST"):
        tgc.load(library, verify=lambda content: False)
    with pytest.raises(ZeroDivisionError):
        tgc.load(library, verify=lambda content: 1 / 0)


def test_a_checkpoint_goes_round(line, x, tmp_path):
    line.run("train", x=x, target=2 * x, rate=0.01)
    path = tmp_path / "line.safetensors"
    line.save(path, entries={"step": "1", "Datum": "März"})
    assert tgc.checkpoint_entries(path) == {"step": "1", "Datum": "März"}
    other = line.model.context()
    other.load(path)
    assert other.snapshot()[64:] == line.snapshot()[64:]
    line.save(path)
    assert tgc.checkpoint_entries(path) == {}


def test_a_snapshot_is_saved_by_the_model(line, x, tmp_path):
    block = line.snapshot()
    line.run("train", x=x, target=2 * x, rate=0.01)
    line.model.save(block, tmp_path / "old", {"step": "0"})
    line.restore(block)
    line.save(tmp_path / "restored", {"step": "0"})
    assert (tmp_path / "old").read_bytes() == (tmp_path / "restored").read_bytes()
    for wrong in [b"", block[:-1], block + b"x"]:
        with raises("SIZE"):
            line.restore(wrong)
    with raises("SLAB"):
        line.restore(bytes(len(block)))


def test_wrong_checkpoints(line, load, tmp_path):
    with raises("IO"):
        line.load(tmp_path / "none")
    with raises("IO"):
        line.save(tmp_path / "no" / "directory")
    (tmp_path / "text").write_text("text")
    with raises("FORMAT"):
        line.load(tmp_path / "text")
    with raises("FORMAT"):
        tgc.checkpoint_entries(tmp_path / "text")
    load("mlp").context(seed=1).save(tmp_path / "mlp")
    with raises("NOT_FOUND|FORMAT"):
        line.load(tmp_path / "mlp")
    with raises("FORMAT"):
        line.save(tmp_path / "x", {"tg.own": "text"})


def write_safetensors(path, tensors):
    """Writes a file as another library would."""
    import json

    header, data = {}, b""
    for name, array in tensors.items():
        header[name] = {"dtype": "F32", "shape": array.shape,
                        "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def test_files_of_other_programs(line, tmp_path):
    path = tmp_path / "other.safetensors"
    write_safetensors(path, {"net.weight": numpy.float32(3), "net.b": numpy.float32(4),
                             "rest": numpy.zeros(2, numpy.float32)})
    line.load(path, ignore_others=True, renames={"net.weight": "w"}, strip_prefix="net.")
    assert line.variables["w"] == 3 and line.variables["b"] == 4


def test_transposed_matrices(load, tmp_path):
    context = load("mlp").context(seed=1)
    tensors = {name: numpy.asarray(value) for name, value in context.variables.items()
               if value.dtype == numpy.float32}
    turned = numpy.arange(1000, dtype=numpy.float32).reshape(10, 100)
    small = {"w2": turned, "step": None, "seed": None}
    small = {**tensors, "w2": turned}
    write_safetensors(tmp_path / "torch", small)
    with raises("NOT_FOUND", "step"):
        context.load(tmp_path / "torch", renames={"w2": "w2.T"})


def test_variables(line, load):
    variables = line.variables
    assert list(variables) == ["w", "b"] and len(variables) == 2 and "w" in variables
    with pytest.raises(KeyError, match="no variable 'v', expected one of w, b"):
        variables["v"]
    variables["w"] = 5
    assert variables["w"] == 5 and variables["w"].dtype == numpy.float32
    with raises("DTYPE"):
        variables["w"] = numpy.float16(5)
    with raises("RANK"):
        line.set("w", numpy.zeros(1, numpy.float32))
    with pytest.raises(KeyError):
        variables["v"]
    with pytest.raises(TypeError):
        del variables["w"]
    mlp = load("mlp").context(seed=1)
    values = numpy.random.default_rng(3).random((784, 100)).astype(numpy.float32)
    mlp.variables["w1"] = values
    assert (mlp.variables["w1"] == values).all()
    with raises("STRIDES"):
        mlp.variables["w1"] = values.T.copy().T
    assert "w1: float32[784, 100]" in repr(mlp.variables)
