//===- Build.cpp - calls of ops, scalars, variables -----------------------===//
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "compiler/frontend/graph/OpenControl.h"
#include "tg/dtypes.h"
#include "tg/graph/initializer.h"
#include "tg/tensor/functional.h"

#include <cmath>
#include <limits>
#include <ostream>

using namespace tg;
using namespace tg::dsl;

/// Converts an error, with all further ones, to an exception.
static GraphError graphErrorOf(const Error &error) {
  std::vector<GraphError> others;
  for (const Error &other : error.others)
    others.push_back(graphErrorOf(other));
  return GraphError(error.message, error.file, error.line, error.column,
                    std::move(others));
}

void dsl::raise(const Error &error) { throw graphErrorOf(error); }

void dsl::raise(const std::string &message, const BodyPtr &body, Place where) {
  throw GraphError(message, body ? body->effectivePlace(where) : where);
}

void dsl::raiseInexact(const std::string &digits,
                       const std::source_location &where) {
  throw GraphError("expected a number that a double holds exactly, found " +
                       digits + "; give an Array of integers",
                   where);
}

void dsl::raiseEmpty(const char *what, const std::source_location &where) {
  throw GraphError(
      "expected " + std::string(what) + ", found an empty function", where);
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

std::string tg::toString(const Shape &shape) {
  std::string text = "[";
  for (const Extent &extent : shape) {
    if (text.size() > 1)
      text += ", ";
    text += extent.isKnown()      ? std::to_string(extent.value)
            : extent.name.empty() ? "?"
                                  : extent.name;
  }
  return text + "]";
}

std::string tg::toString(DType dtype) {
  switch (dtype) {
#define TG_NAMED(name, front, ...)                                             \
  case DType::front:                                                           \
    return #front;
    TG_DTYPES(TG_NAMED)
#undef TG_NAMED
  }
  return "";
}

std::ostream &tg::operator<<(std::ostream &stream, DType dtype) {
  return stream << toString(dtype);
}

std::ostream &tg::operator<<(std::ostream &stream, const Shape &shape) {
  return stream << toString(shape);
}

std::ostream &tg::operator<<(std::ostream &stream, const TensorType &type) {
  return stream << type.dtype << ' ' << type.shape;
}

int64_t TensorType::dim(int64_t axis, std::source_location where) const {
  int64_t resolved = axis < 0 ? axis + rank() : axis;
  if (resolved < 0 || resolved >= rank())
    throw GraphError("expected a dim " + std::to_string(axis) + " of shape " +
                         toString(shape),
                     where);
  if (!shape[resolved].isKnown())
    throw GraphError("expected dim " + std::to_string(axis) + " of shape " +
                         toString(shape) + " to be known",
                     where);
  return shape[resolved].value;
}

void dsl::expectDefined(const Tensor &tensor, Place where) {
  if (tensor.whyMissing())
    throw GraphError(*tensor.whyMissing(), where);
  if (!tensor.isDefined())
    throw GraphError("expected a tensor with a value, found one that is only "
                     "declared",
                     where);
}

void dsl::expectIntegerScalar(const Operand &operand, const char *what) {
  const Tensor &tensor = operand.tensor();
  DType dtype = tensor.dtype();
  if (tensor.rank() != 0 || isFloat(dtype) || dtype == boolean)
    raise(std::string("expected ") + what +
              " that is an integer scalar, found " + toString(dtype) + " " +
              toString(tensor.shape()),
          tensor.body(), operand.where());
}

Tensor Tensor::missing(std::string sentence) {
  Tensor tensor;
  tensor.holder = std::make_shared<const std::string>(std::move(sentence));
  return tensor;
}

void Variable::raiseMissing(const std::source_location &where) const {
  throw GraphError(*whyMissing(), where);
}

Tensor::Tensor(std::shared_ptr<dsl::Body> body, uint32_t id)
    : owner(std::move(body)), number(id), holder(owner->hold(id)) {}

TensorType Tensor::type(std::source_location where) const {
  expectDefined(*this, where);
  return owner->type(number);
}

int64_t Variable::size(std::source_location where) const {
  int64_t count = 1;
  for (const Extent &extent : shape(where))
    count *= extent.value;
  return count;
}

Operands::Operands(std::initializer_list<Operand> operands)
    : vector(operands) {}
Operands::Operands(std::vector<Operand> operands)
    : vector(std::move(operands)) {}
Operands::Operands(const std::vector<Tensor> &tensors,
                   std::source_location where) {
  for (const Tensor &tensor : tensors)
    emplace_back(tensor, where);
}

Operand::Operand(Tensor tensor, std::source_location where)
    : value(std::move(tensor)), place(where) {
  expectDefined(value, where);
}

const Tensor &Operand::tensor() const {
  if (isNumber())
    throw GraphError("expected a tensor, found the number " + textOf(scalar),
                     place);
  return value;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool dsl::isFloat(DType dtype) {
  switch (dtype) {
#define TG_ROUNDED(name, front, code, bits, host, rounding, ...)               \
  case DType::front:                                                           \
    return TG_ROUNDING_##rounding == TG_ROUNDING_NEAREST;
    TG_DTYPES(TG_ROUNDED)
#undef TG_ROUNDED
  }
  return false; // all element types are above
}

double dsl::lowestOf(DType dtype) {
  switch (dtype) {
#define TG_LOWEST(name, front, code, bits, host, ...)                          \
  case DType::front:                                                           \
    return static_cast<double>(std::numeric_limits<host>::lowest());
    TG_DTYPES(TG_LOWEST)
#undef TG_LOWEST
  }
  return 0; // all element types are above
}

Tensor dsl::scalar(const BodyPtr &body, double number, DType dtype,
                   Place where) {
  if (!isFloat(dtype) && number != std::trunc(number))
    raise("expected a whole number with integer operands, found " +
              textOf(number),
          body, where);
  double elements[] = {number};
  return Tensor(body, take(body->constant({dtype, {}}, elements, where)));
}

Operand dsl::toTensorLike(const Operand &operand, const Operand &other) {
  if (!operand.isNumber())
    return operand;
  const Tensor &typed = other.tensor();
  return {
      scalar(typed.body(), operand.number(), typed.dtype(), operand.where()),
      operand.where()};
}

std::vector<Tensor> dsl::callAll(std::string_view op,
                                 const std::vector<Operand> &operands,
                                 std::vector<Attribute> attributes) {
  BodyPtr body = bodyOf(operands);
  Place where = operands.front().where();
  std::optional<DType> dtype;
  for (const Operand &operand : operands)
    if (!dtype && !operand.isNumber())
      dtype = operand.tensor().dtype();
  std::vector<Id> ids;
  std::vector<Tensor> scalars;
  for (const Operand &operand : operands) {
    if (operand.isNumber())
      scalars.push_back(scalar(body, operand.number(), *dtype, where));
    ids.push_back(operand.isNumber() ? scalars.back().id()
                                     : operand.tensor().id());
  }
  std::vector<Tensor> results;
  for (Id id : take(body->build(op, ids, attributes, where)))
    results.emplace_back(body, id);
  return results;
}

Tensor dsl::call(std::string_view op, const std::vector<Operand> &operands,
                 std::vector<Attribute> attributes) {
  return callAll(op, operands, std::move(attributes)).front();
}

//===----------------------------------------------------------------------===//
// Axes and extents
//===----------------------------------------------------------------------===//

int64_t dsl::resolveAxis(const Operand &input, int64_t axis) {
  int64_t rank = input.tensor().rank();
  int64_t resolved = axis < 0 ? axis + rank : axis;
  if (resolved < 0 || resolved >= rank)
    raise("expected an axis in [" + std::to_string(-rank) + ", " +
              std::to_string(rank) + "), found " + std::to_string(axis),
          input.tensor().body(), input.where());
  return resolved;
}

std::vector<int64_t> dsl::resolveAxes(const Operand &input,
                                      std::vector<int64_t> axes) {
  for (int64_t &axis : axes)
    axis = resolveAxis(input, axis);
  return axes;
}

std::vector<Operand> dsl::unknownExtents(const Tensor &input) {
  std::vector<Operand> extents;
  Shape shape = input.shape();
  for (size_t axis = 0; axis < shape.size(); ++axis)
    if (!shape[axis].isKnown())
      extents.push_back(extentOf(input, static_cast<int64_t>(axis)));
  return extents;
}

std::vector<int64_t> dsl::extentList(const Tensor &input) {
  std::vector<int64_t> extents;
  for (const Extent &extent : input.shape())
    extents.push_back(extent.value);
  return extents;
}

Tensor dsl::reshapeFrom(const Operand &input, const std::vector<int64_t> &shape,
                        const std::vector<int64_t> &sources) {
  std::vector<Operand> operands = {input};
  bool hasZero = std::find(shape.begin(), shape.end(), 0) != shape.end();
  if (sources.size() > 1 || (hasZero && !sources.empty()))
    for (int64_t axis : sources)
      operands.push_back(extentOf(input, axis));
  return call("reshape", operands, {{"shape", shape}});
}

Tensor dsl::regroup(const Operand &input,
                    const std::vector<std::vector<int64_t>> &groups) {
  std::vector<int64_t> extents = extentList(input);
  std::vector<int64_t> shape;
  std::vector<Operand> operands = {input};
  bool isSame = groups.size() == extents.size();
  for (const std::vector<int64_t> &group : groups) {
    bool isKnown = true;
    int64_t product = 1;
    for (int64_t axis : group) {
      isKnown &= extents[axis] != -1;
      product *= extents[axis];
    }
    isSame &= group.size() == 1;
    shape.push_back(isKnown ? product : -1);
    if (!isKnown)
      operands.push_back(elementCount(input, group, i64));
  }
  if (isSame)
    return input;
  return call("reshape", operands, {{"shape", shape}});
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

Variable dsl::variableOf(const BodyPtr &body, const VariableInfo &info) {
  return Variable(Tensor(body, info.read), info.spec.name, info.spec.trainable);
}

void dsl::takeRestored(const BodyPtr &body, const std::string &variable,
                       Place where) {
  auto found = body->restored.find(variable);
  if (found == body->restored.end())
    return;
  SavedTensor saved = std::move(found->second);
  body->restored.erase(found);
  Tensor value(body, take(body->fromBytes(saved.type, saved.bytes, where)));
  take(body->assign(variable, value.id(), where));
}

Variable dsl::makeVariable(const BodyPtr &body, const VariableSpec &spec,
                           const Initializer &initializer, Place where) {
  if (spec.trainable && !body->reuser.empty())
    raise("expected no new trainable variable in " + body->reuser +
              ", which reuses existing ones, found '" + spec.name + "'",
          body, where);
  bool isOwn = spec.role == "step" || spec.role == "random";
  if (!isOwn && spec.name.starts_with(kHiddenPrefix))
    raise(
        "expected another name for variable '" + spec.name +
            "': names that begin with '" + kHiddenPrefix +
            "' are reserved for variables that the compiler makes, such as '" +
            kStepVariable +
            "', in which optimizers count training steps, "
            "and '" +
            kSeedVariable + "', the seed of random samples",
        body, where);
  TopLevel outside(body);
  // The initial value must not depend on the effects of a run.
  Uncontrolled initial(body);
  take(body->addVariable(spec, where));
  Tensor seed(body, body->initSeed(spec.name));
  Tensor first;
  {
    Scope scope(body, "", body->effectivePlace(where));
    first = initializer.build(spec.type, seed);
  }
  expectDefined(first, body->effectivePlace(where));
  if (extentList(first) !=
          extentList(Tensor(body, body->findVariable(spec.name)->read)) ||
      first.dtype() != spec.type.dtype)
    raise("expected the initializer of '" + spec.name + "' to give " +
              toString(spec.type.shape) + ", found " + toString(first.shape()) +
              " or another element type",
          body, where);
  body->setInitial(spec.name, first.id());
  takeRestored(body, spec.name, where);
  return variableOf(body, *body->findVariable(spec.name));
}

bool dsl::isHidden(const VariableInfo &info) {
  return info.spec.name == kSeedVariable || info.spec.name == kStepVariable;
}

/// Reads a hidden i64 scalar variable; declares it on first use.
static Tensor readCounter(const BodyPtr &body, const std::string &name,
                          const std::string &role, Place where,
                          const Initializer &initializer) {
  if (const VariableInfo *info = body->findVariable(name))
    return Tensor(body, info->read);
  return makeVariable(body, {.name = name, .type = {i64, {}}, .role = role},
                      initializer, where);
}

Tensor dsl::readSeed(const BodyPtr &body, Place where) {
  return readCounter(
      body, kSeedVariable, "random", where,
      Initializer([](const TensorType &, Tensor seed) { return seed; }));
}

Tensor dsl::readStep(const BodyPtr &body, Place where) {
  return readCounter(body, kStepVariable, "step", where, 0.0);
}

Tensor dsl::readSampleCounter(const BodyPtr &body, Place where) {
  Tensor counter(body, body->sampleNumber(readStep(body, where).id()));
  for (OpenLoop *loop : body->openLoops)
    counter = loop->countIterations(counter, where);
  return counter;
}
