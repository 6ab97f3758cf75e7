"""Runs: inputs of all kinds, outputs, and the bits of tgc-run."""

import subprocess

import numpy
import pytest

import tgc


def test_outputs_have_names_and_own_their_memory(line, x):
    outputs = line.run("test", x=x)
    assert list(outputs) == ["y"]
    assert outputs.y is outputs["y"]
    assert outputs.y.flags.owndata and outputs.y.flags.writeable
    numpy.testing.assert_array_equal(outputs.y, x)
    assert "y" in dir(outputs)
    with pytest.raises(KeyError, match="no output 'z', expected one of y"):
        outputs["z"]
    with pytest.raises(AttributeError, match="no output 'z'"):
        outputs.z


def test_a_scalar_is_a_number(line, x):
    loss = line.run("train", x=x, target=x + 1, rate=0.01).loss
    assert isinstance(loss, numpy.float32)
    assert f"{loss:.1f}" == "4.0"


def test_inputs_in_a_mapping(line, x):
    first = line.run("test", {"x": x}).y
    assert (first == line.run("test", x=x).y).all()
    trained = line.run("train", {"x": x, "target": x}, rate=0.5)
    assert trained.loss == 0


def test_numbers_and_lists(line):
    outputs = line.run("train", x=[1, 2], target=[1.5, 2.5], rate=numpy.float64(0.1))
    assert outputs.loss == 0.5
    line.run("train", x=(1, 2), target=range(2), rate=numpy.float32(0))
    line.run("train", x=[1], target=[1], rate=0)


def test_every_element_type_keeps_its_values(load):
    context = load("kinds").context()
    generator = numpy.random.default_rng(0)
    values = {"f64": generator.random((2, 3)), "b": numpy.array([True, False, True])}
    for name, dtype in [("i8", "i1"), ("i16", "i2"), ("i64", "i8"), ("u8", "u1")]:
        limits = numpy.iinfo(dtype)
        values[name] = numpy.array([limits.min, 1, limits.max], dtype)
    outputs = context.run("copy", values)
    for name, value in values.items():
        assert outputs[name + "_out"].dtype == value.dtype
        numpy.testing.assert_array_equal(outputs[name + "_out"], value)


def test_scalars_of_python_become_the_type_of_the_input(load):
    context = load("kinds").context()
    outputs = context.run("scalars", f=2, i=-128.0, b=True)
    assert (outputs.f_out, outputs.i_out, outputs.b_out) == (2, -128, True)
    for wrong in [128, 1.5, 2**70, float("nan"), float("inf")]:
        with pytest.raises(tgc.CallError, match="'i' is .*, expected a number that i8"):
            context.run("scalars", f=2, i=wrong, b=True)
    with pytest.raises(tgc.CallError, match="'b' is 1, expected a number that i1"):
        context.run("scalars", f=2, i=1, b=1)


def test_an_extent_that_the_run_finds(load):
    context = load("kinds").context()
    found = context.run("find", p=numpy.array([False, True, True, False])).where
    assert found.tolist() == [[1], [2]] and found.flags.owndata
    room = numpy.empty((4, 1), numpy.int64)
    found = context.run("find", {"p": [False, True]}, out={"where": room[:2]}).where
    assert found.tolist() == [[1]] and numpy.shares_memory(found, room)
    assert context.run("find", p=numpy.zeros(0, bool)).where.shape == (0, 1)


def test_outputs_in_given_memory(line, x):
    y = numpy.full(4, 7, numpy.float32)
    outputs = line.run("test", x=x, out={"y": y})
    assert outputs.y is y
    numpy.testing.assert_array_equal(y, x)
    whole = numpy.zeros((3, 4), numpy.float32)
    line.run("test", x=x, out={"y": whole[1]})
    assert whole[1].tolist() == x.tolist() and not whole[::2].any()


def test_inputs_are_read_in_place(line):
    """Memory that is shared with the run raises, so it was not copied."""
    x = numpy.ones(4, numpy.float32)
    with pytest.raises(tgc.CallError, match="TG_ERROR_OVERLAP"):
        line.run("test", x=x, out={"y": x})


def test_buffers_of_others(line):
    assert line.run("test", x=memoryview(numpy.ones(2, numpy.float32))).y.sum() == 2
    import array

    assert line.run("test", x=array.array("f", [1, 2])).y.sum() == 3


def test_extents_differ_between_runs(line):
    for size in [1, 1000, 3, 1, 0, 5]:
        ones = numpy.ones(size, numpy.float32)
        assert line.run("test", x=ones).y.shape == (size,)


def test_the_same_bits_as_tgc_run(compiled, load, tmp_path):
    """Trains three steps here and in tgc-run: equal losses and checkpoints."""
    generator = numpy.random.default_rng(1)
    x = generator.random((32, 784)).astype(numpy.float32)
    label = generator.integers(0, 10, 32).astype(numpy.int32)
    numpy.save(tmp_path / "x.npy", x)
    numpy.save(tmp_path / "label.npy", label)
    command = ["tgc-run", compiled("mlp"), "train", "--input", f"x={tmp_path}/x.npy",
               "--input", f"label={tmp_path}/label.npy", "--input", "learning_rate=0.001"]
    context = load("mlp").context(seed=1)
    context.save(tmp_path / "checkpoint")
    for step in range(3):
        subprocess.run([*command, "--load", tmp_path / "checkpoint", "--output",
                        f"loss={tmp_path}/loss.npy", "--save", tmp_path / "checkpoint"],
                       check=True, stdout=subprocess.DEVNULL)
        loss = context.run("train", x=x, label=label, learning_rate=1e-3).loss
        assert loss.tobytes() == numpy.load(tmp_path / "loss.npy").tobytes()
    context.save(tmp_path / "mine")
    assert (tmp_path / "mine").read_bytes() == (tmp_path / "checkpoint").read_bytes()


def test_threads_give_the_same_bits(load):
    x = numpy.random.default_rng(2).random((64, 784)).astype(numpy.float32)
    model = load("mlp")
    pool = tgc.Pool(3)
    assert pool.threads == 3
    results = [model.context(threads=threads, seed=1).run("test", x=x).probabilities.tobytes()
               for threads in [1, 2, 0, pool]]
    assert len(set(results)) == 1
