"""Prints the events of a directory as TensorBoard reads them: a line for each
value and each node of the graph.

    ShowEvents.py DIRECTORY
"""

import io
import sys

from PIL import Image
from tensorboard.backend import process_graph
from tensorboard.backend.event_processing import event_accumulator


def show_values(events, tags):
    """Prints the values of all tags, in order of their steps."""
    for tag in tags["scalars"]:
        for event in events.Scalars(tag):
            print("scalar", tag, event.step, f"{event.value:.6g}")
    for tag in tags["histograms"]:
        for event in events.Histograms(tag):
            value = event.histogram_value
            print("histogram", tag, event.step, f"{value.num:g} from {value.min:g} to {value.max:g}")
    for tag in tags["images"]:
        for event in events.Images(tag):
            image = Image.open(io.BytesIO(event.encoded_image_string))
            image.load()
            if image.size != (event.width, event.height):
                sys.exit(f"{tag}: expected {event.width}x{event.height}, found {image.size}")
            print("image", tag, event.step, image.mode, *image.size)


def show_graph(graph):
    """Prints the nodes of a graph. Fails if an input is no node."""
    process_graph.prepare_graph_for_ui(graph)
    names = {node.name for node in graph.node}
    for node in graph.node:
        for name in node.input:
            if name.lstrip("^").split(":")[0] not in names:
                sys.exit(f"{node.name}: expected an input that is a node, found {name}")
        shapes = [
            [dim.size for dim in shape.dim]
            for shape in node.attr["_output_shapes"].list.shape
        ]
        print("node", node.op, node.name, list(node.input), shapes)


sizes = dict.fromkeys(event_accumulator.DEFAULT_SIZE_GUIDANCE, 0)
reader = event_accumulator.EventAccumulator(sys.argv[1], size_guidance=sizes)
reader.Reload()
found = reader.Tags()
show_values(reader, found)
if found["graph"]:
    show_graph(reader.Graph())
