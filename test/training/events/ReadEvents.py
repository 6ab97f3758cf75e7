"""Checks that the files of WriteEvents are read as they were written, by
TensorBoard's accumulator of events, by its data server, and by tbparse."""

import io
import math
import sys

import numpy
from PIL import Image
from tbparse import SummaryReader
from tensorboard import context
from tensorboard.backend import process_graph
from tensorboard.backend.event_processing import event_accumulator
from tensorboard.data import server_ingester
from tensorboard.plugins.hparams import api_pb2, metadata
from tensorboard.util import grpc_util, tensor_util

# The steps of the first run that the second one did not undo, and its own. The
# data server and the accumulator drop steps 6 to 10 of the first one.
STEPS = [1, 2, 3, 4, 5, 6, 7, 8]
LOSSES = [(step, numpy.float32(1 / step)) for step in STEPS]
HPARAMS = {
    "rate": 0.5,
    "layers": 3.0,
    "name": "adam",
    "nesterov": True,
    "filters": "[16,32]",
}


def expect(found, expected, what):
    """Fails if a value is not the expected one."""
    if found != expected:
        sys.exit(f"{what}: expected {expected}, found {found}")


def check_histogram(step, limits, counts, what):
    """Compares the buckets of a step with the numbers that it has."""
    values = numpy.arange(-50.0, 51.0) ** 3 / 1000 * step
    edges = numpy.concatenate([[-math.inf], limits])
    # The last bucket of numpy has both its limits, the others the lower one.
    expected = [((values >= a) & (values < b)).sum() for a, b in zip(edges, limits)]
    expect(list(counts), expected, f"{what}: counts of step {step}")


def check_accumulator(directory):
    """Reads a directory as TensorBoard's own reader in Python."""
    # All events of each tag instead of a sample.
    sizes = dict.fromkeys(event_accumulator.DEFAULT_SIZE_GUIDANCE, 0)
    events = event_accumulator.EventAccumulator(directory, size_guidance=sizes)
    events.Reload()
    scalars = [(event.step, event.value) for event in events.Scalars("train/loss")]
    expect(scalars, LOSSES, "scalars")
    numbers = [(event.step, event.value) for event in events.Scalars("numbers")]
    # The resumption dropped all numbers from step 6 on.
    expect(str(numbers), str([(1, math.nan), (2, -math.inf)]), "numbers")
    histograms = events.Histograms("weights")
    expect([event.step for event in histograms], STEPS, "steps of histograms")
    for event in histograms:
        value = event.histogram_value
        check_histogram(event.step, value.bucket_limit, value.bucket, "accumulator")
        expect(value.num, 101.0, "numbers of a histogram")
        expect((value.min, value.max), (-125.0 * event.step, 125.0 * event.step), "range")
    image = events.Images("image")[0]
    expect((image.step, image.height, image.width), (2, 3, 5), "image")
    pixels = numpy.array(Image.open(io.BytesIO(image.encoded_image_string)))
    expect(pixels.tolist(), (5 * numpy.arange(45)).reshape(3, 5, 3).tolist(), "pixels")
    note = tensor_util.make_ndarray(events.Tensors("note")[0].tensor_proto)
    expect(note.item().decode(), "# A *note* of ä", "text")
    check_graph(events.Graph())
    check_hparams(events.PluginTagToContent("hparams"))


def check_graph(graph):
    """Compares a graph with the nodes that were written."""
    process_graph.prepare_graph_for_ui(graph)
    nodes = [(node.name, node.op, list(node.input), node.device) for node in graph.node]
    expected = [
        ("x", "Placeholder", [], ""),
        ("scope/w", "Variable", [], "cpu:1"),
        ("scope/MatMul", "MatMul", ["x", "scope/w", "^x"], ""),
    ]
    expect(nodes, expected, "nodes")
    shapes = [
        [dim.size for dim in node.attr["_output_shapes"].list.shape[0].dim]
        for node in graph.node
    ]
    expect(shapes, [[-1, 2], [2, 3], [-1, 3]], "shapes")
    expect([node.attr["dtype"].type for node in graph.node], [1, 1, 1], "types")


def check_hparams(content):
    """Compares the data of the hparams plugin, by its own functions."""
    experiment = metadata.parse_experiment_plugin_data(
        content[metadata.EXPERIMENT_TAG]
    )
    expect([info.name for info in experiment.hparam_infos], list(HPARAMS), "names")
    types = [api_pb2.DataType.Name(info.type) for info in experiment.hparam_infos]
    expected = ["FLOAT64", "FLOAT64", "STRING", "BOOL", "STRING"]
    expect(types, [f"DATA_TYPE_{name}" for name in expected], "types of hparams")
    expect(experiment.metric_infos[0].name.tag, "train/loss", "metric")
    start = metadata.parse_session_start_info_plugin_data(
        content[metadata.SESSION_START_INFO_TAG]
    )
    values = {
        name: getattr(value, value.WhichOneof("kind"))
        for name, value in start.hparams.items()
    }
    expect(values, HPARAMS, "values of hparams")
    end = metadata.parse_session_end_info_plugin_data(
        content[metadata.SESSION_END_INFO_TAG]
    )
    expect(end.status, api_pb2.STATUS_SUCCESS, "result")


def check_data_server(directory):
    """Reads a directory as the server that TensorBoard starts."""
    ingester = server_ingester.SubprocessServerDataIngester(
        server_binary=server_ingester.get_server_binary(),
        logdir=directory,
        reload_interval=0,
        channel_creds_type=grpc_util.ChannelCredsType.LOCAL,
    )
    ingester.start()
    server = ingester.data_provider
    ask = {"ctx": context.RequestContext(), "experiment_id": ""}
    runs = server.read_scalars(**ask, plugin_name="scalars", downsample=1000)
    scalars = [(each.step, each.value) for each in runs["."]["train/loss"]]
    expect(scalars, LOSSES, "scalars of the data server")
    runs = server.list_tensors(**ask, plugin_name="histograms")
    expect(list(runs["."]), ["weights"], "histograms of the data server")
    runs = server.list_tensors(**ask, plugin_name="text")
    expect(list(runs["."]), ["note"], "texts of the data server")
    runs = server.list_blob_sequences(**ask, plugin_name="images")
    expect(list(runs["."]), ["image"], "images of the data server")
    runs = server.list_blob_sequences(**ask, plugin_name="graphs")
    expect(list(runs["."]), ["__run_graph__"], "graphs of the data server")
    runs = server.list_tensors(**ask, plugin_name="hparams")
    expect(len(runs["."]), 3, "hparams of the data server")


def check_tbparse(directory):
    """Reads a directory as tables. tbparse reads each file alone, so the steps
    that were undone are in them, too."""
    kinds = {"scalars", "histograms", "text", "hparams"}
    tables = SummaryReader(directory, event_types=kinds)
    table = tables.scalars
    losses = table[table["tag"] == "train/loss"]
    found = sorted(zip(losses["step"], losses["value"]))
    steps = list(range(1, 11)) + [6, 7, 8]
    expect(found, sorted((s, numpy.float32(1 / s)) for s in steps), "table of scalars")
    table = tables.histograms
    expect(sorted(table["step"]), sorted(steps), "table of histograms")
    for step, limits, counts in zip(table["step"], table["limits"], table["counts"]):
        check_histogram(step, limits, counts, "tbparse")
    expect(list(tables.text["value"]), ["# A *note* of ä"], "table of texts")
    found = dict(zip(tables.hparams["tag"], tables.hparams["value"]))
    expect(found, HPARAMS, "table of hparams")


check_accumulator(sys.argv[1])
check_data_server(sys.argv[1])
check_tbparse(sys.argv[1])
print("as written")
