"""Threads, functions of the host, lifetimes and the end of the interpreter."""

import gc
import os
import subprocess
import sys
import threading
import weakref

import numpy
import pytest

import tgc

ONES = numpy.ones(3, numpy.float32)


def resident():
    """Returns the resident memory of this process in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_contexts_run_side_by_side(load):
    """A run that waits for another one in a second thread ends."""
    model = load("host")
    meeting = threading.Barrier(2, timeout=60)
    results = []

    def square(x):
        meeting.wait()
        return x * x

    def work():
        context = model.context(host={"square": square}, on_print=lambda *_: None)
        results.append(context.run("square", x=ONES * 2).y.tolist())

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[4, 4, 4]] * 2


def test_a_context_serves_one_thread_at_a_time(load):
    entered, left = threading.Event(), threading.Event()

    def square(x):
        entered.set()
        assert left.wait(60)
        return x

    context = load("host").context(host={"square": square}, on_print=lambda *_: None)
    thread = threading.Thread(target=lambda: context.run("square", x=ONES))
    thread.start()
    assert entered.wait(60)
    calls = [lambda: context.run("square", x=ONES), context.snapshot, lambda: context.init(1),
             lambda: context.save("none"), lambda: context.load("none"), lambda: context.get("w"),
             lambda: context.restore(b""), lambda: context.set("w", 1), lambda: context.set_seed(1),
             lambda: context.model.publish(context)]
    for call in calls:
        with pytest.raises(tgc.BusyError, match="TG_ERROR_BUSY: .*the context is running another call"):
            call()
    left.set()
    thread.join()
    assert context.run("square", x=ONES).y.tolist() == [1, 1, 1]


def test_functions_of_the_host(load):
    prints = []
    model = load("host")
    assert model.functions["square"].host == ("square",)
    context = model.context(host={"square": lambda x: x * x},
                            on_print=lambda label, value: prints.append((label, value.tolist())))
    assert context.run("square", x=ONES * 3).y.tolist() == [9, 9, 9]
    assert prints == [("x", [3, 3, 3])]
    with pytest.raises(tgc.CallError, match="TG_ERROR_NOT_FOUND: .*no function 'square' of the host"):
        model.context(on_print=lambda *_: None).run("square", x=ONES)


def test_prints_go_to_the_standard_output(load, capsys):
    load("host").context(host={"square": lambda x: x}).run("square", x=ONES)
    assert capsys.readouterr().out == "x: [1. 1. 1.]\n"


class Stop(BaseException):
    """An exception that programs do not handle, as KeyboardInterrupt."""


def test_exceptions_in_the_middle_of_a_run(load):
    quiet = {"on_print": lambda *_: None}
    model = load("host")

    def fail(x):
        raise LookupError("no square")

    with pytest.raises(tgc.ResourceError, match="TG_ERROR_HOST: .*LookupError: no square") as caught:
        model.context(host={"square": fail}, **quiet).run("square", x=ONES)
    assert isinstance(caught.value.__cause__, LookupError)
    assert caught.value.location.op == "tg.host_call"

    def stop(*_):
        raise Stop

    with pytest.raises(Stop):
        model.context(host={"square": stop}, **quiet).run("square", x=ONES)
    with pytest.raises(Stop):
        model.context(host={"square": lambda x: x}, on_print=stop).run("square", x=ONES)
    for wrong, text in [(lambda x: (x, x), "returned 2 results, expected 1"),
                        (lambda x: "text", "could not convert|ValueError|TypeError"),
                        (lambda x: x[:2], "could not broadcast"), (lambda: 0, "TypeError")]:
        context = model.context(host={"square": wrong}, **quiet)
        with pytest.raises(tgc.ResourceError, match=text):
            context.run("square", x=ONES)
        with pytest.raises(tgc.ResourceError, match=text):
            context.run("square", x=ONES)


def test_a_context_outlives_its_model(load):
    context = load("line").context(seed=1)
    gc.collect()
    assert context.run("test", x=ONES).y.tolist() == [1, 1, 1]
    assert context.model.name == "line"
    y = context.run("test", x=ONES).y
    del context
    gc.collect()
    assert y.tolist() == [1, 1, 1]


def test_cycles_are_collected(load):
    """A function of the host that refers to its context."""

    class Square:
        context = None

        def __call__(self, x):
            return x * x

    square = Square()
    square.context = load("host").context(host={"square": square})
    seen = weakref.ref(square)
    del square
    gc.collect()
    assert seen() is None


def test_values_are_released(line):
    x = numpy.ones(4, numpy.float32)
    y = numpy.ones(4, numpy.float32)
    count = sys.getrefcount(x), sys.getrefcount(y)
    for _ in range(3):
        line.run("test", x=x, out={"y": y})
        with pytest.raises(tgc.CallError):
            line.run("train", x=x, target=y, rate="text")
    assert (sys.getrefcount(x), sys.getrefcount(y)) == count
    x.resize(8)  # fails while a buffer is in use


def test_failing_calls_leak_nothing(load, compiled):
    context = load("line").context(seed=1)
    x = numpy.ones(4, numpy.float32)
    host = load("host").context(host={"square": lambda x: 1 / 0}, on_print=lambda *_: None)
    library = compiled("line")

    def fail():
        for call in [lambda: context.run("test", z=x), lambda: context.run("test", x=x[::2]),
                     lambda: context.begin("test", z=x), lambda: host.begin("square", x=ONES),
                     lambda: context.profile("test", z=x), lambda: context.begin("test", x=x, out={"y": x}),
                     lambda: context.run("test", x=[[1], [1, 2]]),
                     lambda: context.run("train", x=x, target=x[:3].copy(), rate=0),
                     lambda: context.run("test", x=x, out={"y": b"1234"}),
                     lambda: host.run("square", x=ONES), lambda: context.get("v"),
                     lambda: context.restore(b""), lambda: tgc.load(library, target="x"),
                     lambda: tgc.load_bytes(b"text")]:
            with pytest.raises(tgc.Error):
                call()

    for _ in range(100):
        fail()
    gc.collect()
    before = resident()
    for _ in range(1000):
        fail()
    gc.collect()
    assert resident() - before < 1 << 20


def test_successful_calls_leak_nothing(load, compiled):
    x = numpy.ones(1000, numpy.float32)

    def work(count):
        for _ in range(count):
            context = load("line").context(seed=1)
            context.run("test", x=x)
            context.begin("test", x=x).finish()
            context.begin("test", x=x)
            context.profile("test", x=x)
            context.trace("test", lambda step, values: None, x=x)
            context.restore(context.snapshot())
            context.variables["w"] = context.variables["w"]
        gc.collect()

    work(100)
    before = resident()
    work(300)
    assert resident() - before < 1 << 20


def test_weights_are_published_to_shared_contexts(load):
    model = load("line")
    trainer = model.context(seed=1)
    server = model.context(shared=True)
    with pytest.raises(tgc.CallError, match="SLAB") as caught:
        server.run("test", x=ONES)
    assert caught.value.hint == "model.publish(context) publishes the values of a context that has its own"
    model.publish(trainer)
    assert server.run("test", x=ONES).y.tolist() == [1, 1, 1]
    trainer.variables["w"] = 2
    assert server.run("test", x=ONES).y.tolist() == [1, 1, 1]
    model.publish(trainer)
    assert server.run("test", x=ONES).y.tolist() == [2, 2, 2]


def test_contexts_share_variables(load):
    variables = tgc.SharedVariables()
    trainer = load("line").context(seed=1, variables=variables)
    server = load("line").context(variables=variables)
    trainer.run("train", x=ONES, target=ONES * 3, rate=0.1)
    assert server.variables["w"] == trainer.variables["w"] != 1


END = """
import threading, time, sys, numpy, tgc
x = numpy.ones(1 << 20, numpy.float32)
def work():
    context = tgc.load(sys.argv[1]).context(seed=1)
    while True:
        context.run("test", x=x)
for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.05)
"""


def run_program(program, library):
    """Runs a program on a library. Returns its status and what it printed."""
    done = subprocess.run([sys.executable, "-c", program, library], timeout=60,
                          capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_the_interpreter_ends_within_runs(compiled):
    """Daemon threads are in libtgrt when the interpreter ends."""
    for _ in range(3):
        assert run_program(END, compiled("line")) == (0, "", "")


def test_objects_alive_at_the_end_print_nothing(compiled):
    program = ("import sys, tgc, builtins\n"
               "builtins.kept = tgc.load(sys.argv[1]).context(seed=1, threads=2)\n"
               "builtins.kept_array = builtins.kept.run('test', x=[1, 2]).y\n"
               "builtins.kept_run = builtins.kept.begin('test', x=[1, 2])\n")
    assert run_program(program, compiled("line")) == (0, "", "")


def test_a_forked_process_runs(compiled):
    program = ("import os, sys, tgc\n"
               "context = tgc.load(sys.argv[1]).context(seed=1, threads=2)\n"
               "child = os.fork()\n"
               "y = context.run('test', x=[1, 2]).y.tolist()\n"
               "assert y == [1, 2]\n"
               "if child: assert os.waitpid(child, 0)[1] == 0\n")
    status, printed, errors = run_program(program, compiled("line"))
    assert (status, printed) == (0, ""), errors
