"""Runs that are observed: the times of their steps, and their results."""

import numpy
import pytest

import tgc

ONES = numpy.ones(3, numpy.float32)


def test_a_profile_has_all_steps(load):
    context = load("mlp").context(seed=1)
    x = numpy.random.default_rng(0).random((32, 784)).astype(numpy.float32)
    expected = context.run("test", x=x).probabilities
    profile = context.profile("test", x=x)
    assert isinstance(profile, tgc.Profile) and isinstance(profile.outputs, tgc.Outputs)
    assert (profile.outputs.probabilities == expected).all() and profile.function == "test"
    assert tuple(time.step for time in profile.steps) == context.model.functions["test"].steps
    assert profile.nanoseconds == sum(time.nanoseconds for time in profile.steps) > 0
    products = [time for time in profile.steps if "tg.matmul" in time.step.ops]
    # 784 x 100 and 100 x 10 weights for 32 rows, each a product and a sum.
    assert sum(time.flops for time in products) >= 2 * 32 * (784 * 100 + 100 * 10)
    assert sum(time.traffic_bytes for time in products) >= 4 * (784 * 100 + 32 * 784)
    step = products[0].step
    assert step.location.file.endswith("mlp.mlir") and step.location.line > 0


def test_a_profile_is_for_people(load):
    context = load("mlp").context(seed=1)
    profile = context.profile("test", x=numpy.zeros((2, 784), numpy.float32))
    lines = str(profile).splitlines()
    assert lines[0].startswith(f"test: {len(profile.steps)} steps, ")
    assert lines[1].split() == ["ms", "share", "GFLOP/s", "GB/s", "step"]
    assert len(lines) == 2 + len(profile.steps)
    times = [float(line.split()[0]) for line in lines[2:]]
    assert times == sorted(times, reverse=True)
    assert repr(profile).startswith("<tgc.Profile of 'test': ")


def test_costs_follow_the_extents(load):
    context = load("line").context(seed=1)
    flops = [sum(time.flops for time in context.profile("test", x=numpy.zeros(size, numpy.float32)).steps)
             for size in (10, 1000)]
    assert flops[1] == 100 * flops[0] > 0
    assert context.profile("init", seed=1).outputs == {}


def test_a_trace_has_the_results_of_all_steps(load):
    context = load("mlp").context(seed=1)
    x = numpy.random.default_rng(0).random((4, 784)).astype(numpy.float32)
    seen = []
    outputs = context.trace("test", lambda step, values: seen.append((step, values)), x=x)
    assert (outputs.probabilities == context.run("test", x=x).probabilities).all()
    steps = context.model.functions["test"].steps
    order = [steps.index(step) for step, _ in seen]
    assert order == sorted(order) and seen
    results = [values.tobytes() for _, values in seen]
    assert outputs.probabilities.tobytes() in results and outputs.digit.tobytes() in results
    again = []
    context.trace("test", lambda step, values: again.append(values.tobytes()), {"x": x})
    assert again == results
    seen[0][1][:] = 0  # the receiver owns its arrays


def test_a_run_that_fails_passes_on_what_it_computed(load):
    context = load("mlp").context(seed=1)
    seen = []
    label = numpy.array([3, 10], numpy.int32)
    with pytest.raises(tgc.DataError, match="TG_ERROR_INDEX"):
        context.trace("train", lambda *result: seen.append(result), label=label, learning_rate=0.01,
                      x=numpy.zeros((2, 784), numpy.float32))
    assert len(seen) < len(context.model.functions["train"].steps)


def test_exceptions_of_the_receiver(load, line, x):
    seen = []

    def fail(step, values):
        seen.append(step)
        raise LookupError("no record")

    for error in range(2):
        with pytest.raises(LookupError, match="no record"):
            line.trace("test", fail, x=x)
    assert len(seen) == 2  # once in each run
    with pytest.raises(TypeError):
        line.trace("test", lambda: None, x=x)
    busy = []

    def call(step, values):
        with pytest.raises(tgc.BusyError):
            line.run("test", x=x)
        busy.append(True)

    assert line.trace("test", call, x=x).y.tolist() == x.tolist() and busy
    assert line.run("test", x=x).y.tolist() == x.tolist()


def test_wrong_calls(line, x):
    with pytest.raises(TypeError, match="the receiver of results is .*, expected a function"):
        line.trace("test", {"x": x})
    with pytest.raises(TypeError, match="the receiver of results is None, expected a function"):
        line.trace("test", x=x)
    with pytest.raises(TypeError, match="trace.. takes the name of a function, a receiver"):
        line.trace("test", print, {}, {})
    with pytest.raises(TypeError, match="profile.. takes the name of a function"):
        line.profile()
    with pytest.raises(tgc.CallError, match="no input|input 'x'|expected"):
        line.profile("test", z=x)
    assert line.run("test", x=x).y.tolist() == x.tolist()


def test_functions_of_the_host_are_steps(load):
    prints = []
    context = load("host").context(host={"square": lambda x: x * x},
                                   on_print=lambda *value: prints.append(value))
    profile = context.profile("square", x=ONES)
    assert profile.outputs.y.tolist() == [1, 1, 1] and len(prints) == 1
    assert any("tg.host_call" in time.step.ops for time in profile.steps)
