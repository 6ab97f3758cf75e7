//===- GraphNodes.cpp - nodes of graphs for event files -------------------===//
#include "tg/graph/graph_nodes.h"

#include "compiler/frontend/body/Body.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/graph/default_graph.h"

using namespace tg;

/// Returns the type of a value with dynamic extents as FeatureType::anyExtent.
static training::GraphValue valueOf(const TensorType &type) {
  training::GraphValue value = {dsl::storedType(type.dtype)};
  for (const Extent &extent : type.shape)
    value.shape.push_back(extent.isKnown() ? extent.value
                                           : data::FeatureType::anyExtent);
  return value;
}

std::vector<training::GraphNode> tg::graphNodes(const Program &program) {
  std::vector<training::GraphNode> nodes;
  if (program.isEager())
    return nodes;
  for (dsl::OperationNode &node : program.body()->nodes()) {
    training::GraphNode made = {std::move(node.operation.name),
                                std::move(node.kind), std::move(node.inputs),
                                std::move(node.operation.device)};
    for (const TensorType &type : node.types)
      made.outputs.push_back(valueOf(type));
    nodes.push_back(std::move(made));
  }
  return nodes;
}

std::vector<training::GraphNode> tg::graphNodes() {
  return graphNodes(defaultGraph());
}
