"""Prints the graph of event files as TensorBoard reads it: a line for each node.

    ReadGraph.py DIRECTORY
"""

import sys

from tensorboard.backend import process_graph
from tensorboard.backend.event_processing import event_accumulator

events = event_accumulator.EventAccumulator(sys.argv[1])
events.Reload()
graph = events.Graph()
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
    print(node.op, node.name, list(node.input), shapes)
