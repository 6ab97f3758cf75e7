/// The ops of a program as nodes of a graph, for event files:
///
///   EventWriter("logs").addGraph(graphNodes(program));
#ifndef TG_GRAPH_GRAPH_NODES_H
#define TG_GRAPH_GRAPH_NODES_H

#include "../training/events.hpp"
#include "program.h"

namespace tg {

/// Returns the ops of a program, or of the default graph, in program order,
/// inputs first: names with name scopes, kinds such as MatMul, inputs, devices,
/// types and shapes. An assignment also takes its variable, and a node in
/// control dependencies follows their ops. None in eager mode.
std::vector<training::GraphNode> graphNodes(const Program &program);
std::vector<training::GraphNode> graphNodes();

} // namespace tg

#endif // TG_GRAPH_GRAPH_NODES_H
