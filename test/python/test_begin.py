"""Runs in two calls: begin() and finish(), and the uses that go wrong."""

import gc
import sys
import threading
import weakref

import numpy
import pytest

import tgc

ONES = numpy.ones(3, numpy.float32)


def test_a_run_has_the_outputs_of_run(line, x):
    run = line.begin("test", x=x)
    assert isinstance(run, tgc.Run)
    outputs = run.finish()
    assert isinstance(outputs, tgc.Outputs)
    assert outputs.y.tolist() == line.run("test", x=x).y.tolist()
    assert line.begin("train", {"x": x}, target=x, rate=0.5).finish().loss == 0
    y = numpy.zeros(4, numpy.float32)
    assert line.begin("test", x=x, out={"y": y}).finish().y is y and y.tolist() == x.tolist()


def test_the_same_training(load, x):
    first, second = (load("line").context(seed=1) for _ in range(2))
    for step in range(3):
        inputs = {"x": x, "target": x * 2, "rate": 0.01}
        assert first.begin("train", inputs).finish() == second.run("train", inputs)
    assert first.snapshot() == second.snapshot()


def test_a_run_is_finished_once(line, x):
    run = line.begin("test", x=x)
    run.finish()
    for _ in range(2):
        with pytest.raises(tgc.CallError, match="TG_ERROR_NOT_FOUND: finish: the run has ended"):
            run.finish()
    other = line.begin("test", x=x)
    with pytest.raises(tgc.CallError, match="the run has ended"):
        run.finish()
    assert other.finish().y.tolist() == x.tolist()
    with pytest.raises(TypeError):
        tgc.Run()


def test_the_context_is_in_use_until_the_end(line, x):
    run = line.begin("test", x=x)
    calls = [lambda: line.begin("test", x=x), lambda: line.run("test", x=x), line.snapshot,
             lambda: line.profile("test", x=x), lambda: line.trace("test", print, x=x),
             lambda: line.init(1), lambda: line.get("w"), lambda: line.set("w", 1),
             lambda: line.model.publish(line), lambda: line.load("none")]
    for call in calls:
        with pytest.raises(tgc.BusyError, match="the context is running 'test', expected a call after finish"):
            call()
    assert run.finish().y.tolist() == x.tolist()
    assert line.run("test", x=x).y.tolist() == x.tolist()


def test_a_run_that_does_not_begin(line, x):
    for wrong in [lambda: line.begin("none"), lambda: line.begin("test"), lambda: line.begin(),
                  lambda: line.begin("test", x=x.astype(float)), lambda: line.begin("test", x),
                  lambda: line.begin("test", x=x, out={"y": x}), lambda: tgc.Context.begin(3, "test")]:
        with pytest.raises((tgc.CallError, TypeError)):
            wrong()
        assert line.run("test", x=x).y.tolist() == x.tolist()


def test_the_run_keeps_its_arrays(line):
    x, y = numpy.ones(4, numpy.float32), numpy.zeros(4, numpy.float32)
    count = sys.getrefcount(x), sys.getrefcount(y)
    run = line.begin("test", x=x, out={"y": y})
    assert sys.getrefcount(x) > count[0] and sys.getrefcount(y) > count[1]
    with pytest.raises(ValueError):
        x.resize(8)  # its memory is in use
    run.finish()
    assert (sys.getrefcount(x), sys.getrefcount(y)) == count
    run = line.begin("test", x=numpy.ones(1000, numpy.float32))
    gc.collect()
    assert run.finish().y.sum() == 1000


def test_a_run_that_is_dropped(line, x):
    count = sys.getrefcount(x)
    for _ in range(3):
        line.begin("test", x=x)
        assert sys.getrefcount(x) == count
        assert line.run("test", x=x).y.tolist() == x.tolist()
    try:
        raise_within(line.begin("test", x=x))
    except LookupError:
        pass
    gc.collect()
    assert line.run("test", x=x).y.tolist() == x.tolist()


def raise_within(run):
    raise LookupError


def test_a_run_outlives_the_names_of_its_context(load, x):
    run = load("line").context(seed=1).begin("test", x=x)
    gc.collect()
    assert run.finish().y.tolist() == x.tolist()
    load("line").context(seed=1).begin("test", x=x)
    gc.collect()


class Holder(numpy.ndarray):
    """An array with attributes."""


def test_cycles_with_a_run_are_collected(load):
    """The input of a run that is dropped refers to the run, and a function of the host does."""
    x = numpy.ones(4, numpy.float32).view(Holder)
    x.run = load("line").context(seed=1).begin("test", x=x)
    seen = weakref.ref(x)
    del x
    gc.collect()
    assert seen() is None

    class Square:
        def __call__(self, x):
            return x * x

    square = Square()
    context = load("host").context(host={"square": square}, on_print=lambda *_: None)
    square.run = context.begin("square", x=ONES)
    seen = weakref.ref(square)
    del square, context
    gc.collect()
    assert seen() is None


def test_a_run_may_end_on_another_thread(line, x):
    run, found = line.begin("test", x=x), []
    thread = threading.Thread(target=lambda: found.append(run.finish().y.tolist()))
    thread.start()
    thread.join()
    assert found == [x.tolist()]


def test_of_many_threads_one_finishes(line, x):
    for _ in range(20):
        run, results, start = line.begin("test", x=x), [], threading.Barrier(4)

        def finish():
            start.wait()
            try:
                results.append(run.finish().y.tolist())
            except tgc.CallError as error:
                results.append(error.status)

        threads = [threading.Thread(target=finish) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results.count(x.tolist()) == 1
        assert set(map(str, results)) <= {str(x.tolist()), "TG_ERROR_NOT_FOUND", "TG_ERROR_BUSY"}


def test_exceptions_within_begin(load):
    def fail(*_):
        raise LookupError("no square")

    context = load("host").context(host={"square": fail}, on_print=lambda *_: None)
    for _ in range(2):
        with pytest.raises(tgc.ResourceError, match="LookupError: no square"):
            context.begin("square", x=ONES)
    context = load("host").context(host={"square": lambda x: x}, on_print=fail)
    for _ in range(2):
        with pytest.raises(LookupError, match="no square"):
            context.begin("square", x=ONES)


def test_the_function_of_the_host_calls_its_context(load):
    statuses = []

    def square(x):
        for call in [lambda: context.begin("square", x=x), lambda: context.run("square", x=x)]:
            with pytest.raises(tgc.BusyError) as caught:
                call()
            statuses.append(caught.value.status)
        return x * x

    context = load("host").context(host={"square": square}, on_print=lambda *_: None)
    assert context.begin("square", x=ONES).finish().y.tolist() == [1, 1, 1]
    assert statuses == ["TG_ERROR_BUSY"] * 2
