//===- DefaultGraph.cpp - the default graph of a thread -------------------===//
#include "compiler/frontend/eager/Eager.h"
#include "compiler/frontend/graph/Build.h"
#include "tg/graph/default_graph.h"

using namespace tg;
using namespace tg::dsl;

namespace {
/// The graphs of a thread.
struct Graphs {
  std::vector<Program> open;
  /// The thread's own graphs by mode.
  std::optional<Program> own[3];

  std::optional<Program> &ownGraph() { return own[int(executionMode())]; }
};
} // namespace

static Graphs &graphsOfThread() {
  static thread_local Graphs graphs;
  return graphs;
}

Program tg::defaultGraph() {
  Graphs &graphs = graphsOfThread();
  if (!graphs.open.empty())
    return graphs.open.back();
  std::optional<Program> &own = graphs.ownGraph();
  if (!own)
    own.emplace("graph", std::source_location()); // no user line
  return *own;
}

void tg::resetDefaultGraph(std::source_location where) {
  Graphs &graphs = graphsOfThread();
  if (!graphs.open.empty())
    throw GraphError("expected no open Program::asDefault(), found " +
                         std::to_string(graphs.open.size()),
                     where);
  graphs.ownGraph().reset();
}

DefaultGraph Program::asDefault() const { return DefaultGraph(*this); }

DefaultGraph::DefaultGraph(const Program &program) {
  graphsOfThread().open.push_back(program);
}

DefaultGraph::~DefaultGraph() { graphsOfThread().open.pop_back(); }

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Tensor tg::placeholder(DType dtype, const Shape &shape, const std::string &name,
                       std::source_location where) {
  Program graph = defaultGraph();
  const BodyPtr &body = graph.body();
  std::string full = joinPath(body->path(), name);
  return graph.input(body->uniqueName(full), dtype, shape, where);
}

Tensor tg::constant(const Literal &value, std::optional<DType> dtype,
                    std::source_location where) {
  Shape shape(value.shape().begin(), value.shape().end());
  return defaultGraph().constant(value.elements(),
                                 dtype.value_or(value.dtype()), shape, where);
}

Tensor dsl::constantOf(const Array &value, std::source_location where) {
  Shape shape(value.shape().begin(), value.shape().end());
  return defaultGraph().constant(value.to<double>(where), value.dtype(), shape,
                                 where);
}

Tensor tg::zeros(const Shape &shape, DType dtype, std::source_location where) {
  return defaultGraph().zeros(shape, dtype, where);
}

Tensor tg::ones(const Shape &shape, DType dtype, std::source_location where) {
  return defaultGraph().ones(shape, dtype, where);
}

Tensor tg::fill(const Shape &shape, const Literal &value,
                std::source_location where) {
  if (!value.shape().empty())
    throw GraphError("expected a number, found a list", where);
  return defaultGraph().fill(shape, value.elements().front(), value.dtype(),
                             where);
}

Tensor tg::range(double start, double limit, double step, DType dtype,
                 std::source_location where) {
  return defaultGraph().range(start, limit, step, dtype, where);
}

Tensor tg::range(double limit, DType dtype, std::source_location where) {
  return defaultGraph().range(0, limit, 1, dtype, where);
}

Tensor tg::linspace(double start, double stop, int64_t count, DType dtype,
                    std::source_location where) {
  return defaultGraph().linspace(start, stop, count, dtype, where);
}

Tensor tg::eye(const Extent &rows, DType dtype, std::source_location where) {
  return defaultGraph().eye(rows, dtype, where);
}

Tensor tg::randomUniform(const Shape &shape, UniformOptions options,
                         DType dtype, std::source_location where) {
  return defaultGraph().randomUniform(shape, options, dtype, where);
}

Tensor tg::randomNormal(const Shape &shape, NormalOptions options, DType dtype,
                        std::source_location where) {
  return defaultGraph().randomNormal(shape, options, dtype, where);
}

//===----------------------------------------------------------------------===//
// Variables and collections
//===----------------------------------------------------------------------===//

/// Declares a variable of the default graph, prefixed by the open scopes.
static Variable makeHere(NewVariableOptions options, DType dtype,
                         const Shape &shape, const Initializer &initial,
                         std::source_location where) {
  Program graph = defaultGraph();
  const BodyPtr &body = graph.body();
  options.variable.trainable &= isFloat(dtype);
  return graph.variable(body->uniqueName(joinPath(body->path(), options.name)),
                        dtype, shape, initial, options.variable, where);
}

Variable tg::variable(const Literal &initial, NewVariableOptions options,
                      std::source_location where) {
  DType dtype = options.dtype.value_or(initial.dtype());
  Shape shape(initial.shape().begin(), initial.shape().end());
  return makeHere(std::move(options), dtype, shape, values(initial.elements()),
                  where);
}

Variable tg::variable(const Shape &shape, const Initializer &initial,
                      NewVariableOptions options, std::source_location where) {
  DType dtype = options.dtype.value_or(f32);
  return makeHere(std::move(options), dtype, shape, initial, where);
}

std::vector<Variable> tg::globalVariables() {
  return defaultGraph().variables();
}

std::vector<Variable> tg::trainableVariables() {
  std::vector<Variable> variables = defaultGraph().variables();
  std::erase_if(variables, [](const Variable &variable) {
    return !variable.isTrainable();
  });
  return variables;
}

Updates tg::globalVariablesInitializer(std::source_location where) {
  return defaultGraph().initializer(where);
}

void tg::addToCollection(const std::string &collection, const Tensor &tensor,
                         std::source_location where) {
  Program::of(tensor, where).addToCollection(collection, tensor, where);
}

std::vector<Tensor> tg::collection(const std::string &name) {
  return defaultGraph().collection(name);
}
