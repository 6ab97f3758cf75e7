//===- GraphNames.cpp - names, scopes, collections, control dependencies --===//
#include "compiler/frontend/graph/Scopes.h"
#include "tg/graph/default_graph.h"

#include <ostream>

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

std::string Tensor::name(std::source_location where) const {
  expectDefined(*this, where);
  if (owner->isEager())
    raise("expected a tensor of a graph, found one of an eager program, "
          "whose tensors have values but no names",
          owner, where);
  return owner->nameOf(number);
}

Tensor Tensor::named(const std::string &opName,
                     std::source_location where) const {
  expectDefined(*this, where);
  take(owner->setName(number, opName, where));
  return *this;
}

/// Returns the name and the origin of a tensor for a message: "'x:0', which
/// line 14 made". If setShape() was called on the tensor before, describes the
/// tensor before those calls.
static std::string describeOriginal(const Tensor &tensor, Place where) {
  const BodyPtr &body = tensor.body();
  if (body->isEager())
    return "the tensor";
  Id original = body->withoutShapes(tensor.id());
  return "'" + body->nameOf(original) + "', which " +
         body->placeOf(original, body->effectivePlace(where)) + " made";
}

void Tensor::setShape(const Shape &shape, std::source_location where) {
  Shape found = this->shape(where);
  bool fits = found.size() == shape.size();
  bool addsNothing = true;
  std::vector<int64_t> extents;
  for (size_t axis = 0; fits && axis < shape.size(); ++axis) {
    const Extent &old = found[axis], &requested = shape[axis];
    fits =
        !old.isKnown() || !requested.isKnown() || old.value == requested.value;
    addsNothing &= old.isKnown() || !requested.isKnown();
    extents.push_back(old.isKnown() ? old.value : requested.value);
  }
  if (!fits)
    raise("expected a shape that fits " + toString(found) + " of " +
              describeOriginal(*this, where) + ", found " + toString(shape),
          owner, where);
  if (addsNothing)
    return;
  // A run with another shape fails in this op, so the name of the op tells
  // which tensor it is.
  std::optional<Scope> scope;
  if (!owner->isEager()) {
    std::string name = owner->nameOf(owner->withoutShapes(id()));
    name = name.substr(0, name.find(':'));
    scope.emplace(owner, "shape_of_" + name.substr(name.rfind('/') + 1), where);
  }
  *this = ensureShape({*this, where}, extents);
}

/// Returns the NumPy name of a type, such as float32.
static std::string numpyName(DType dtype) {
  switch (dtype) {
#define TG_KIND_FLOAT "float"
#define TG_KIND_INT "int"
#define TG_KIND_UINT "uint"
#define TG_KIND_BOOL ""
#define TG_NAMED(name, front, code, bits, ...)                                 \
  case DType::front: {                                                         \
    std::string kind = TG_KIND_##code;                                         \
    return kind.empty() ? "bool" : kind + #bits;                               \
  }
    TG_DTYPES(TG_NAMED)
#undef TG_NAMED
#undef TG_KIND_FLOAT
#undef TG_KIND_INT
#undef TG_KIND_UINT
#undef TG_KIND_BOOL
  }
  return "";
}

void dsl::printSymbol(std::ostream &stream, const Tensor &tensor) {
  stream << "Tensor(\"" << tensor.Tensor::name() << "\", shape=(";
  Shape shape = tensor.shape();
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    stream << (axis ? ", " : "");
    if (shape[axis].isKnown())
      stream << shape[axis].value;
    else
      stream << '?';
  }
  stream << (shape.size() == 1 ? ",)" : ")")
         << ", dtype=" << numpyName(tensor.dtype()) << ')';
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

Tensor Program::tensor(const std::string &name,
                       std::source_location where) const {
  if (owner->isEager())
    raise("expected a graph, found an eager program: its tensors have no names",
          owner, where);
  if (std::optional<Id> found = owner->find(name).value)
    return Tensor(owner, *found);
  if (std::optional<Id> found = findValue(owner, name))
    return Tensor(owner, *found);
  raise("expected the name of a tensor of graph '" + owner->name() +
            "', such as MatMul:0, found '" + name + "'" + owner->suggest(name),
        owner, where);
}

std::vector<OperationInfo> Program::operations() const {
  return owner->isEager() ? std::vector<OperationInfo>() : owner->operations();
}

std::string Program::graphText() const { return take(owner->graphText()); }

void Program::writeGraph(const std::string &path,
                         std::source_location where) const {
  take(owner->writeGraph(path), where);
}

void Program::addToCollection(const std::string &collection,
                              const Tensor &tensor,
                              std::source_location where) {
  expectDefined(tensor, where);
  if (tensor.body() != owner)
    raise("expected a tensor of graph '" + owner->name() + "', found one of '" +
              tensor.body()->name() + "'",
          owner, where);
  owner->collections[collection].push_back(tensor.id());
}

std::vector<Tensor> Program::collection(const std::string &name) const {
  std::vector<Tensor> tensors;
  if (name == GraphKeys::updateOps)
    for (Id effect : owner->layerUpdates)
      tensors.emplace_back(owner, owner->valueOfEffect(effect));
  if (auto found = owner->collections.find(name);
      found != owner->collections.end())
    for (Id id : found->second)
      tensors.emplace_back(owner, id);
  return tensors;
}

Updates Program::initializer(const std::vector<Variable> &variables,
                             std::source_location where) const {
  std::vector<std::string> names;
  for (const Variable &variable : variables) {
    expectDefined(variable, where);
    if (variable.body() != owner)
      raise("expected a variable of graph '" + owner->name() + "', found '" +
                variable.name() + "' of '" + variable.body()->name() + "'",
            owner, where);
    names.push_back(variable.name());
  }
  return Updates(owner, take(owner->initialize(names, where)));
}

Updates Program::initializer(std::source_location where) const {
  std::vector<Variable> all;
  for (const VariableInfo &info : owner->variables())
    all.push_back(variableOf(owner, info));
  return initializer(all, where);
}

//===----------------------------------------------------------------------===//
// Scopes and control dependencies
//===----------------------------------------------------------------------===//

NameScope::NameScope(const Program &program, const std::string &name,
                     std::source_location where)
    : owner(program.body()) {
  take(owner->pushUniqueScope(name, where));
  path = owner->path();
}

NameScope::NameScope(const std::string &name, std::source_location where)
    : NameScope(defaultGraph(), name, where) {}

NameScope::~NameScope() { owner->popScope(); }

ControlDependencies::ControlDependencies(
    const std::vector<Dependency> &dependencies, std::source_location where) {
  std::vector<Id> values, effects;
  for (const Dependency &each : dependencies) {
    const BodyPtr &body =
        each.tensor.isDefined() ? each.tensor.body() : each.updates.body();
    if (!body)
      throw GraphError("expected defined tensors or updates as control "
                       "dependencies, found a default-constructed one",
                       where);
    if (owner && body != owner)
      raise("expected control dependencies of one graph, found those of '" +
                owner->name() + "' and '" + body->name() + "'",
            owner, where);
    owner = body;
    if (each.tensor.isDefined())
      values.push_back(each.tensor.id());
    effects.insert(effects.end(), each.updates.effects().begin(),
                   each.updates.effects().end());
  }
  if (!owner)
    owner = defaultGraph().body();
  owner->pushControls(values, effects);
}

ControlDependencies::~ControlDependencies() { owner->popControls(); }

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

/// Builds an assignment whose op is named `kind`, as in TensorFlow, in listings
/// of the graph.
static Assignment assignAs(const char *kind, const Variable &variable,
                           const Tensor &value, Place where) {
  const BodyPtr &body = variable.body();
  // bodyOf() throws if variable and value belong to different programs.
  (void)bodyOf({Operand(variable, where), Operand(value, where)});
  Id effect = take(body->assign(variable.name(), value.id(), where));
  if (body->isEager())
    return Assignment(Updates(), value);
  body->setEffectKind(effect, kind);
  return Assignment(Updates(body, {effect}),
                    Tensor(body, body->valueOfEffect(effect)));
}

Assignment tg::assign(const Variable &variable, Operand value) {
  expectDefined(variable, value.where());
  Tensor assigned = value.isNumber() ? scalar(variable.body(), value.number(),
                                              variable.dtype(), value.where())
                                     : value.tensor();
  return assignAs("Assign", variable, assigned, value.where());
}

Assignment tg::assignAdd(const Variable &variable, Operand value) {
  Operand old(variable, value.where());
  return assignAs("AssignAdd", variable, old + value, value.where());
}

Assignment tg::assignSub(const Variable &variable, Operand value) {
  Operand old(variable, value.where());
  return assignAs("AssignSub", variable, old - value, value.where());
}

Tensor tg::readValue(const Variable &variable, std::source_location where) {
  expectDefined(variable, where);
  return Tensor(variable.body(),
                variable.body()->readAgain(variable.name(), where));
}

Tensor tg::identity(Operand input) {
  const Tensor &tensor = input.tensor();
  return Tensor(tensor.body(),
                take(tensor.body()->identity(tensor.id(), input.where())));
}
