//===- GraphMessage.cpp - graphs as tensorflow.GraphDef -------------------===//
#include "Messages.h"
#include "RunMessages.h"

#include <algorithm>
#include <set>

using namespace tg;
using namespace tg::training;
using data::DataError;

/// The version of GraphDef as of TensorFlow 1.0, which all readers know.
static constexpr int producerVersion = 21;

/// Returns an element type as DataType of TensorFlow, or `invalid` for one that
/// it lacks.
static TensorType tensorType(tg_dtype_t dtype) {
  switch (TG_DTYPE_KEY(dtype.code, dtype.bits)) {
#define TG_TYPE(name, front, code, bits, ...)                                  \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    return TensorType::name;
    TG_DTYPES(TG_TYPE)
#undef TG_TYPE
#define TG_TYPE(name, code, bits, ...)                                         \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    return TensorType::name;
    TG_FOREIGN_DTYPES(TG_TYPE)
#undef TG_TYPE
  }
  return TensorType::invalid;
}

/// Returns the TensorShapeProto of a value.
static std::string shapeMessage(const std::vector<int64_t> &shape) {
  std::string message;
  Builder<ShapeField> dims(message);
  for (const int64_t extent : shape)
    Builder<DimField>(dims, ShapeField::dim)
        .add_int64(DimField::size, std::max<int64_t>(extent, -1));
  return message;
}

/// Appends an attribute of a node.
static void addAttribute(Builder<NodeField> &node, const char *name,
                         const std::string &attribute) {
  Builder<EntryField> entry(node, NodeField::attr);
  entry.add_string(EntryField::key, name);
  entry.add_message(EntryField::value, attribute);
}

/// Appends the types and shapes of the values of a node.
static void addOutputs(Builder<NodeField> &node,
                       const std::vector<GraphValue> &outputs) {
  if (outputs.empty())
    return;
  std::string shapes;
  Builder<AttributeField> attribute(shapes);
  {
    Builder<ListField> list(attribute, AttributeField::list);
    for (const GraphValue &output : outputs)
      list.add_message(ListField::shape, shapeMessage(output.shape));
  }
  addAttribute(node, "_output_shapes", shapes);
  const TensorType type = tensorType(outputs[0].dtype);
  if (type == TensorType::invalid)
    return;
  std::string dtype;
  Builder<AttributeField>(dtype).add_enum(AttributeField::type, int(type));
  addAttribute(node, "dtype", dtype);
}

static void checkNode(const GraphNode &node) {
  if (node.name.empty() || node.op.empty())
    throw DataError("expected a name and an op of each node of a graph, found "
                    "the name '" +
                    node.name + "' and the op '" + node.op + "'");
  for (const std::string &text : {node.name, node.op, node.device})
    expectUtf8(text, "names of graphs");
  for (const std::string &input : node.inputs)
    expectUtf8(input, "names of graphs");
}

std::string training::graphMessage(std::span<const GraphNode> nodes) {
  std::string message;
  Builder<GraphField> graph(message);
  std::set<std::string_view> names;
  for (const GraphNode &node : nodes) {
    checkNode(node);
    if (!names.insert(node.name).second)
      throw DataError("expected different names of nodes, found '" + node.name +
                      "' twice");
    Builder<NodeField> fields(graph, GraphField::node);
    fields.add_string(NodeField::name, node.name);
    fields.add_string(NodeField::op, node.op);
    for (const std::string &input : node.inputs)
      fields.add_string(NodeField::input, input);
    if (!node.device.empty())
      fields.add_string(NodeField::device, node.device);
    addOutputs(fields, node.outputs);
  }
  Builder<VersionField>(graph, GraphField::versions)
      .add_int32(VersionField::producer, producerVersion);
  return message;
}
