"""Runs that have begun and not ended: device.test says on which device."""

import gc
import sys
import threading
import weakref

import numpy
import pytest

import tgc


@pytest.fixture(scope="session")
def path(tmp_path_factory):
    """Returns the path of a library for the CPU and the GPU."""
    source = tmp_path_factory.getbasetemp() / "line.mlir"
    here = __import__("pathlib").Path(__file__).parents[1]
    source.write_text((here / "Inputs" / "line.mlir").read_text())
    return tgc.compile(source, targets=["cpu", "cuda"], levels="v3", kernel_cache="")


@pytest.fixture
def context(path):
    """Returns a context of the GPU, whose workspace has room."""
    context = tgc.load(path, device="cuda").context(seed=1)
    context.run("test", x=numpy.zeros(4, numpy.float32))
    context.run("train", x=[1], target=[1], rate=0)
    return context


@pytest.fixture
def x():
    return numpy.arange(4, dtype=numpy.float32)


def test_outputs_come_with_finish(context, x):
    y = numpy.full(4, -1, numpy.float32)
    run = context.begin("test", x=x, out={"y": y})
    assert y.tolist() == [-1] * 4
    assert run.finish().y is y
    assert y.tolist() == x.tolist()


def test_two_runs_at_a_time(context, path, x):
    other = tgc.load(path, device="cuda").context(seed=1)
    first, second = context.begin("test", x=x), other.begin("test", x=x + 1)
    assert second.finish().y.tolist() == (x + 1).tolist()
    assert first.finish().y.tolist() == x.tolist()


def test_the_bits_of_the_cpu(context, path, x):
    cpu = tgc.load(path).context(seed=1)
    for step in range(3):
        inputs = {"x": x, "target": x * 2, "rate": 0.01}
        run = context.begin("train", inputs)
        assert run.finish() == cpu.run("train", inputs)
    for name, value in cpu.variables.items():
        assert context.variables[name].tobytes() == value.tobytes()


def test_the_context_is_in_use(context, x):
    run = context.begin("test", x=x)
    for call in [lambda: context.run("test", x=x), lambda: context.begin("test", x=x), context.snapshot]:
        with pytest.raises(tgc.BusyError):
            call()
    assert run.finish().y.tolist() == x.tolist()
    with pytest.raises(tgc.CallError, match="the run has ended"):
        run.finish()


def test_arrays_that_are_dropped(context):
    runs = context.begin("test", x=numpy.full(4, 5, numpy.float32))
    gc.collect()
    numpy.full(4, 7, numpy.float32)
    assert runs.finish().y.tolist() == [5] * 4


def test_a_run_that_is_dropped(context, x):
    y = numpy.full(4, -1, numpy.float32)
    count = sys.getrefcount(x)
    run = context.begin("test", x=x, out={"y": y})
    del run
    assert sys.getrefcount(x) == count
    before = y.tolist()
    assert context.run("test", x=x).y.tolist() == x.tolist()
    assert y.tolist() == before  # nothing writes it any more


def test_the_context_is_collected_while_it_runs(path, x):
    class Holder(numpy.ndarray):
        """An array with attributes."""

    for _ in range(3):
        given = x.view(Holder)
        given.run = tgc.load(path, device="cuda").context(seed=1).begin("test", x=given)
        seen = weakref.ref(given)
        del given
        gc.collect()
        assert seen() is None


def test_a_failed_training_step(context, x):
    class Stop(BaseException):
        pass

    with pytest.raises(Stop):
        run = context.begin("train", x=x, target=x, rate=0.1)
        raise Stop
    assert run.finish().loss == 0


def test_other_threads_run_meanwhile(context, path):
    """Two threads finish runs of two contexts, and a third one counts."""
    other = tgc.load(path, device="cuda").context(seed=1)
    big = numpy.ones(2000, numpy.float32)
    runs = [context.begin("test", x=big), other.begin("test", x=big)]
    results = [None, None]

    def finish(index):
        results[index] = runs[index].finish().y.sum()

    threads = [threading.Thread(target=finish, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [2000, 2000]


def test_a_trace_is_of_the_cpu(context, x):
    with pytest.raises(tgc.CallError, match="TG_ERROR_NOT_FOUND"):
        context.trace("test", print, x=x)
    assert context.profile("test", x=x).outputs.y.tolist() == x.tolist()
