//===- Build.h - functions shared by the whole C++ frontend ---------------===//
#ifndef TG_COMPILER_FRONTEND_GRAPH_BUILD_H
#define TG_COMPILER_FRONTEND_GRAPH_BUILD_H

#include "compiler/frontend/body/Body.h"
#include "tg/tensor/error.h"
#include "tg/tensor/functional.h"

#include <initializer_list>

namespace tg::dsl {

using BodyPtr = std::shared_ptr<Body>;

/// Throws an error of the MLIR side as GraphError.
[[noreturn]] void raise(const Error &error);
/// Throws an error at the user's line, or at the line of an open scope.
[[noreturn]] void raise(const std::string &message, const BodyPtr &body,
                        Place where);

/// Returns the value of a result; throws its error.
template <typename T> T take(Result<T> result) {
  if (result.error)
    raise(*result.error);
  return std::move(result.value);
}

/// Does the same. An error without a line, such as an error in an option or a
/// file, is reported at the line of the call.
template <typename T> T take(Result<T> result, Place where) {
  if (result.error && result.error->line == 0) {
    result.error->file = where.file_name();
    result.error->line = where.line();
    result.error->column = where.column();
  }
  return take(std::move(result));
}

/// Reports the warnings that were not reported before. `where` is the place of
/// warnings without a line, such as those of an option or a file.
void reportWarnings(Body &body, Place where);

/// Writes a tensor of a graph: Tensor("Relu:0", shape=(?, 4), dtype=float32).
void printSymbol(std::ostream &stream, const Tensor &tensor);

/// Throws if the handle has no value.
void expectDefined(const Tensor &tensor, Place where);

/// Returns the origin and the program of a tensor, for a message at line
/// `where`: "one that line 14 made, of 'net', which line 3 made".
std::string describeOwner(const Tensor &tensor, Place where);

/// Returns the body of the operands' tensors. Throws if no operand is a tensor
/// (at `where` if there are no operands) or if they belong to several programs.
BodyPtr bodyOf(const std::vector<Operand> &operands, Place where = Place());

/// Returns the object of a part of the front end in a body, which makes it at
/// the first call. A name has one type.
template <typename T> T &extensionOf(const BodyPtr &body, const char *name) {
  std::shared_ptr<void> &state = body->extensions[name];
  if (!state)
    state = std::make_shared<T>();
  return *static_cast<T *>(state.get());
}

/// A scope that is open while the object lives. Ops built inside have the place
/// of the outermost open scope that has a place.
class Scope {
public:
  Scope(BodyPtr body, std::string name, std::optional<Place> place,
        std::string fprop = "")
      : body(std::move(body)) {
    this->body->pushScope(std::move(name), place, std::move(fprop));
  }
  /// Opens the scope of a composite, whose ops carry the line of its first
  /// tensor.
  explicit Scope(const Operand &operand)
      : Scope(operand.tensor().body(), "", operand.where()) {}
  ~Scope() { body->popScope(); }
  Scope(const Scope &) = delete;

private:
  BodyPtr body;
};

/// A guard that moves the insertion point, while it lives, out of all branches
/// and loops, or out of those that at least `depth` others enclose.
class TopLevel {
public:
  explicit TopLevel(BodyPtr body, size_t depth = 0) : body(std::move(body)) {
    this->body->leaveRegions(depth);
  }
  ~TopLevel() { body->reenterRegions(); }
  TopLevel(const TopLevel &) = delete;

private:
  BodyPtr body;
};

/// A guard that suspends all controls while it lives: ops that are built depend
/// on no effect.
class Uncontrolled {
public:
  explicit Uncontrolled(BodyPtr body) : body(std::move(body)) {
    this->body->leaveControls();
  }
  ~Uncontrolled() { body->reenterControls(); }
  Uncontrolled(const Uncontrolled &) = delete;

private:
  BodyPtr body;
};

/// Returns true if elements are floats.
bool isFloat(DType dtype);
/// Returns the lowest number of an element type.
double lowestOf(DType dtype);

/// Returns a scalar of a type. Throws if the type is an integer and `number` is
/// not whole.
Tensor scalar(const BodyPtr &body, double number, DType dtype, Place where);

/// Converts a number to a scalar of the element type of `other`. Returns a
/// tensor unchanged.
Operand toTensorLike(const Operand &operand, const Operand &other);

/// Builds an op and returns its results. Numbers become scalars of the element
/// type of the first tensor operand.
std::vector<Tensor> callAll(std::string_view op,
                            const std::vector<Operand> &operands,
                            std::vector<Attribute> attributes = {});
/// Builds an op and returns its first result.
Tensor call(std::string_view op, const std::vector<Operand> &operands,
            std::vector<Attribute> attributes = {});

/// Throws unless a tensor is an integer scalar. `what` names the operand.
void expectIntegerScalar(const Operand &operand, const char *what);

/// Returns axes counted from 0; throws if an axis does not exist.
int64_t resolveAxis(const Operand &input, int64_t axis);
std::vector<int64_t> resolveAxes(const Operand &input,
                                 std::vector<int64_t> axes);

/// Returns the dynamic extents of a tensor as i64 scalars, in order.
/// extentList() returns all extents, with -1 for the dynamic ones.
std::vector<Operand> unknownExtents(const Tensor &input);
std::vector<int64_t> extentList(const Tensor &input);

/// Returns the input with this shape. Each -1 is the extent of the next axis in
/// `sources`, which are axes of the input.
Tensor reshapeFrom(const Operand &input, const std::vector<int64_t> &shape,
                   const std::vector<int64_t> &sources);

/// Returns the input with each group of adjacent dimensions merged into one. An
/// empty group makes a dimension of extent 1.
Tensor regroup(const Operand &input,
               const std::vector<std::vector<int64_t>> &groups);

/// Returns the index along an axis of a shape. Each -1 in `shape` is the next
/// one of `extents`, which are i64 scalars.
Tensor iota(const BodyPtr &body, const std::vector<int64_t> &shape,
            const std::vector<Operand> &extents, int64_t axis, DType dtype,
            Place where);
/// Returns random samples of this step from the op `op`. `shape` and `extents`
/// are as for iota().
Tensor drawSamples(const char *op, const BodyPtr &body,
                   const std::vector<int64_t> &shape,
                   const std::vector<Operand> &extents, DType dtype,
                   Place where);

/// Returns the input with the dimensions a and b, counted from 0, exchanged.
Tensor swapDimensions(const Tensor &input, int64_t a, int64_t b);

/// Returns the attributes of an op for windows over `dimensions` spatial
/// dimensions.
std::vector<Attribute> windowAttributes(const std::vector<int64_t> &strides,
                                        const std::vector<int64_t> &dilations,
                                        const Padding &padding,
                                        int64_t dimensions);

/// Declares a variable and its initial value.
Variable makeVariable(const BodyPtr &body, const VariableSpec &spec,
                      const Initializer &initializer, Place where);
/// Assigns the value from a previously restored file, if any, to a new
/// variable.
void takeRestored(const BodyPtr &body, const std::string &variable,
                  Place where);
/// Returns the part of a message that suggests a similar variable for the
/// unknown name `name`.
std::string suggestVariable(const BodyPtr &body, const std::string &name);
/// Returns the handle of a declared variable.
Variable variableOf(const BodyPtr &body, const VariableInfo &info);
/// The prefix of hidden variables, which the frontend declares itself. Users'
/// variables cannot have it.
inline constexpr char kHiddenPrefix[] = "tg.";
inline constexpr char kSeedVariable[] = "tg.seed";
inline constexpr char kStepVariable[] = "tg.step";
/// Returns true if the frontend declared the variable itself.
bool isHidden(const VariableInfo &info);
/// Return the values of the hidden variables: the seed, which init sets, and
/// the number of training steps so far. The first call declares the variable.
Tensor readSeed(const BodyPtr &body, Place where);
Tensor readStep(const BodyPtr &body, Place where);
/// Returns the counter of random samples: the number of training steps, or the
/// number of the call in sessions and in functions that change no variable. In
/// the body of a loop, iteration i of T has the counter `outer` * T + i, where
/// `outer` is the counter outside the loop.
Tensor readSampleCounter(const BodyPtr &body, Place where);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_BUILD_H
