//===- Build.h - what the C++ front shares above the seam -----------------===//
#ifndef TG_COMPILER_FRONTEND_GRAPH_BUILD_H
#define TG_COMPILER_FRONTEND_GRAPH_BUILD_H

#include "compiler/frontend/body/Body.h"
#include "tg/tensor/error.h"
#include "tg/tensor/functional.h"

#include <initializer_list>

namespace tg::dsl {

using Bodies = std::shared_ptr<Body>;

/// Throws what went wrong below the seam.
[[noreturn]] void raise(const Error &error);
/// Throws a mistake at the user's line, which an open scope may have set.
[[noreturn]] void raise(const std::string &message, const Bodies &body,
                        Place where);

/// The value of a result; throws its error.
template <typename T> T take(Result<T> result) {
  if (result.error)
    raise(*result.error);
  return std::move(result.value);
}

/// The same; an error that is of no line, as of an option or a file, is at that
/// of the call.
template <typename T> T take(Result<T> result, Place where) {
  if (result.error && result.error->line == 0) {
    result.error->file = where.file_name();
    result.error->line = where.line();
    result.error->column = where.column();
  }
  return take(std::move(result));
}

/// Tells what was found, if it was not told before. `where` is the place of
/// what is of no line, as of an option or a file.
void tellWarnings(Body &body, Place where);

/// Writes a tensor of a graph: Tensor("Relu:0", shape=(?, 4), dtype=float32).
void printSymbol(std::ostream &stream, const Tensor &tensor);

/// Throws on a handle without value.
void expectDefined(const Tensor &tensor, Place where);

/// Returns whose a tensor is, and where it was made, for a message at the line
/// `where`: "one that line 14 made, of 'net', which line 3 made".
std::string describeOwner(const Tensor &tensor, Place where);

/// The body of the operands' tensors, which must be of one program; throws
/// where there is no tensor, without any operand at the line given.
Bodies bodyOf(const std::vector<Operand> &operands, Place where = Place());

/// The ops built while it lives carry one place: that of the outermost.
class Scope {
public:
  Scope(Bodies body, std::string name, std::optional<Place> place,
        std::string fprop = "")
      : body(std::move(body)) {
    this->body->pushScope(std::move(name), place, std::move(fprop));
  }
  /// A composite: its ops carry the line of its first tensor.
  explicit Scope(const Operand &operand)
      : Scope(operand.tensor().body(), "", operand.where()) {}
  ~Scope() { body->popScope(); }
  Scope(const Scope &) = delete;

private:
  Bodies body;
};

/// Ops are built outside of branches and loops while it lives, or of those that
/// have at least `depth` ones around them.
class TopLevel {
public:
  explicit TopLevel(Bodies body, size_t depth = 0) : body(std::move(body)) {
    this->body->leaveRegions(depth);
  }
  ~TopLevel() { body->reenterRegions(); }
  TopLevel(const TopLevel &) = delete;

private:
  Bodies body;
};

/// Leaves all controls while it lives: ops that are built follow nothing.
class Uncontrolled {
public:
  explicit Uncontrolled(Bodies body) : body(std::move(body)) {
    this->body->leaveControls();
  }
  ~Uncontrolled() { body->reenterControls(); }
  Uncontrolled(const Uncontrolled &) = delete;

private:
  Bodies body;
};

/// Returns true if elements are floats.
bool isFloat(DType dtype);
/// The lowest number of an element type.
double lowestOf(DType dtype);

/// A scalar of a type in a program; throws where an integer type gets a
/// fraction.
Tensor scalar(const Bodies &body, double number, DType dtype, Place where);

/// A number beside a tensor, as a scalar of its type; else the tensor.
Operand beside(const Operand &operand, const Operand &other);

/// Builds an op. Numbers become scalars of the element type of the first
/// tensor operand.
std::vector<Tensor> callAll(std::string_view op,
                            const std::vector<Operand> &operands,
                            std::vector<Attribute> attributes = {});
/// The same for its first result.
Tensor call(std::string_view op, const std::vector<Operand> &operands,
            std::vector<Attribute> attributes = {});

/// Throws unless a tensor is an integer scalar, as `what` is expected to be.
void expectIntegerScalar(const Operand &operand, const char *what);

/// Axes counted from 0; throws where one does not exist.
int64_t resolveAxis(const Operand &input, int64_t axis);
std::vector<int64_t> resolveAxes(const Operand &input,
                                 std::vector<int64_t> axes);

/// The scalar i64 extents of the unknown dimensions of a tensor, in order, and
/// its extents with -1 at those places.
std::vector<Operand> unknownExtents(const Tensor &input);
std::vector<int64_t> extentList(const Tensor &input);

/// The input with this shape. Each -1 is the extent of one of `sources`, axes
/// of the input, in order.
Tensor reshapeFrom(const Operand &input, const std::vector<int64_t> &shape,
                   const std::vector<int64_t> &sources);

/// The input with each group of neighbouring dimensions as one; an empty group
/// is a dimension of extent 1.
Tensor regroup(const Operand &input,
               const std::vector<std::vector<int64_t>> &groups);

/// The index along an axis of a shape; each -1 is one of `extents`, scalars
/// i64, in order.
Tensor iota(const Bodies &body, const std::vector<int64_t> &shape,
            const std::vector<Operand> &extents, int64_t axis, DType dtype,
            Place where);
/// A draw of this step in such a shape.
Tensor draw(const char *op, const Bodies &body,
            const std::vector<int64_t> &shape,
            const std::vector<Operand> &extents, DType dtype, Place where);

/// The dimensions a and b, counted from 0, in each other's place.
Tensor exchange(const Tensor &input, int64_t a, int64_t b);

/// Returns the attributes of windows over a number of spatial dimensions, as
/// ops have them.
std::vector<Attribute> windowAttributes(const std::vector<int64_t> &strides,
                                        const std::vector<int64_t> &dilations,
                                        const Padding &padding,
                                        int64_t dimensions);

/// Declares a variable and its first value.
Variable makeVariable(const Bodies &body, const VariableSpec &spec,
                      const Initializer &initializer, Place where);
/// Gives a new variable what a file that was restored before has for it.
void takeRestored(const Bodies &body, const std::string &variable, Place where);
/// Returns what a message says of a variable that there is not: which one may
/// be meant.
std::string suggestVariable(const Bodies &body, const std::string &name);
/// A variable that there is.
Variable variableOf(const Bodies &body, const VariableInfo &info);
/// The names of the variables that nobody declares: users' own do not begin as
/// they do.
inline constexpr char kHiddenPrefix[] = "tg.";
inline constexpr char kSeedVariable[] = "tg.seed";
inline constexpr char kStepVariable[] = "tg.step";
/// Returns true for a variable that no user declared.
bool isHidden(const VariableInfo &info);
/// Reads the hidden variables: the seed, set by init, and the number of
/// training steps so far; made when first asked for.
Tensor readSeed(const Bodies &body, Place where);
Tensor readStep(const Bodies &body, Place where);
/// The counter of random draws: that number of steps, and the number of the
/// call in functions that change no variable and in sessions; in the body of a
/// loop of T trips, counter · T + the number of the trip.
Tensor readDraw(const Bodies &body, Place where);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_BUILD_H
