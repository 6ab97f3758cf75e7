//===- ModuleGraph.cpp - a program as a Graphviz graph --------------------===//
#include "compiler/frontend/body/ModuleView.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/control/VariableAccess.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "llvm/Support/GraphWriter.h"
#include <vector>

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

namespace {
/// A layer: its own nodes, and the layers inside.
struct Cluster {
  /// Returns the inner layer with a name; creates it on first use.
  Cluster &find(StringRef layer) {
    for (Cluster &each : inner)
      if (each.name == layer)
        return each;
    inner.push_back({layer.str(), {}, {}});
    return inner.back();
  }

  std::string name;
  std::vector<std::string> nodes;
  /// The inner layers, in the order of their first ops.
  std::vector<Cluster> inner;
};

/// A writer of a function as nested clusters.
class FunctionGraph {
public:
  FunctionGraph(FunctionView &view, llvm::raw_ostream &stream, bool namesOps)
      : view(view), stream(stream), prefix(nameOf(view.function).str()),
        namesOps(namesOps) {}
  void print();

private:
  void addArguments();
  void nameOps(llvm::ArrayRef<Operation *> ops);
  void addOp(Operation *op);
  void addResults();
  /// Adds a node to the cluster of the function or of a layer.
  void addNode(const std::string &id, StringRef label, StringRef shape,
               StringRef layer = "");
  void addEdge(Value from, const std::string &to);
  void print(const Cluster &cluster, const std::string &path, unsigned depth);

  FunctionView &view;
  llvm::raw_ostream &stream;
  std::string prefix;
  /// True if the last component of an op's location is its own name.
  bool namesOps;
  Cluster top;
  llvm::DenseMap<Value, std::string> nodeOf;
  llvm::DenseMap<Operation *, std::string> idOf;
  std::vector<std::string> edges;
};
} // namespace

/// Returns a text in quotes, escaped.
static std::string quoted(StringRef text) {
  return "\"" + llvm::DOT::EscapeString(text.str()) + "\"";
}

void FunctionGraph::addNode(const std::string &id, StringRef label,
                            StringRef shape, StringRef layer) {
  Cluster *cluster = &top;
  SmallVector<StringRef> names;
  layer.split(names, '/', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef name : names)
    cluster = &cluster->find(name);
  cluster->nodes.push_back(quoted(id) + " [label=" + quoted(label) +
                           ", shape=" + shape.str() + "];");
}

void FunctionGraph::addEdge(Value from, const std::string &to) {
  auto node = nodeOf.find(from);
  if (node != nodeOf.end())
    edges.push_back(quoted(node->second) + " -> " + quoted(to) + ";");
}

void FunctionGraph::addArguments() {
  for (BlockArgument argument : view.function.getArguments()) {
    std::string name = view.nameOf(argument.getArgNumber(), /*isResult=*/false);
    nodeOf[argument] = prefix + ".in." + name;
    addNode(nodeOf[argument], name + "\n" + view.typeOf(argument), "ellipse");
  }
}

/// Returns the variables that an op names, for its label.
static std::string variablesOf(Operation *op) {
  std::string text;
  op->getAttrDictionary().walk([&](FlatSymbolRefAttr symbol) {
    text += "\n" + symbol.getValue().str();
  });
  return text;
}

/// Assigns ids to ops. The arguments of regions share the node of their op, to
/// which the yielded values lead back.
void FunctionGraph::nameOps(ArrayRef<Operation *> ops) {
  for (auto [number, op] : llvm::enumerate(ops)) {
    idOf[op] = prefix + "." + std::to_string(number);
    if (isa<RegionOpInterface>(op))
      for (Region &region : op->getRegions())
        for (BlockArgument argument : region.getArguments())
          nodeOf[argument] = idOf[op];
  }
}

void FunctionGraph::addOp(Operation *op) {
  std::string id = idOf[op];
  std::string kind = op->getName().stripDialect().str();
  std::string layer = FunctionView::layerOf(op);
  std::string label = kind + variablesOf(op);
  if (namesOps && !layer.empty()) {
    auto [scope, name] = llvm::StringRef(layer).rsplit('/');
    label = (name.empty() ? scope : name).str() + "\n" + kind;
    layer = name.empty() ? "" : scope.str();
  }
  for (Value result : op->getResults()) {
    nodeOf[result] = id;
    label += "\n" + view.typeOf(result);
  }
  addNode(id, label, accessesVariables(op) ? "cylinder" : "box", layer);
  for (Value operand : op->getOperands())
    addEdge(operand, id);
  if (isa<RegionOpInterface>(op))
    for (Region &region : op->getRegions())
      for (Value yielded : region.front().getTerminator()->getOperands())
        addEdge(yielded, id);
}

void FunctionGraph::addResults() {
  Operation *end = view.function.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(end->getOperands())) {
    std::string name = view.nameOf(number, /*isResult=*/true);
    std::string id = prefix + ".out." + name;
    addNode(id, name + "\n" + view.typeOf(value), "ellipse");
    addEdge(value, id);
  }
}

void FunctionGraph::print(const Cluster &cluster, const std::string &path,
                          unsigned depth) {
  stream.indent(2 * depth) << "subgraph " << quoted("cluster " + path)
                           << " {\n";
  stream.indent(2 * depth + 2) << "label=" << quoted(cluster.name) << ";\n";
  for (const std::string &node : cluster.nodes)
    stream.indent(2 * depth + 2) << node << '\n';
  for (const Cluster &inner : cluster.inner)
    print(inner, path + "/" + inner.name, depth + 1);
  stream.indent(2 * depth) << "}\n";
}

void FunctionGraph::print() {
  addArguments();
  SmallVector<Operation *> ops = view.getOps(/*all=*/namesOps);
  nameOps(ops);
  for (Operation *op : ops)
    addOp(op);
  addResults();
  top.name = prefix;
  print(top, prefix, /*depth=*/1);
  for (const std::string &edge : edges)
    stream.indent(2) << edge << '\n';
}

LogicalResult tg::dsl::printGraph(ModuleOp module, llvm::raw_ostream &stream,
                                  bool namesOps) {
  stream << "digraph " << quoted(module.getSymName().value_or("model"))
         << " {\n";
  for (auto function : module.getOps<func::FuncOp>()) {
    if (roleOf(function) == "init")
      continue;
    FailureOr<FunctionView> view = FunctionView::create(function);
    if (failed(view))
      return failure();
    FunctionGraph(*view, stream, namesOps).print();
  }
  stream << "}\n";
  return success();
}
