//===- BodyTypes.h - types of the interface between the frontend and MLIR -===//
#ifndef TG_COMPILER_FRONTEND_BODY_BODYTYPES_H
#define TG_COMPILER_FRONTEND_BODY_BODYTYPES_H

#include "tg/graph/program.h"
#include "tg/tensor/types.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tg::dsl {

/// The id of a value of a body.
using Id = uint32_t;
using Place = std::source_location;

/// An error and the user's line; line 0 if no line is at fault.
struct Error {
  std::string message, file;
  unsigned line = 0, column = 0;
  /// Further errors, in the order in which they were found.
  std::vector<Error> others = {};
};

/// A value, or an error.
template <typename T> struct Result {
  T value = {};
  std::optional<Error> error = {};
};
/// The value of a Result that holds no value, only a possible error.
struct Nothing {};

/// The type of a tensor and its elements in row-major order, with one byte per
/// boolean.
struct SavedTensor {
  TensorType type;
  std::vector<char> bytes;
};

/// An attribute of an op, by its name in the dialect.
struct Attribute {
  /// A unit attribute.
  struct Flag {};
  /// A comparison predicate: eq, ne, lt, le, gt or ge.
  struct Predicate {
    std::string_view word;
  };
  /// One of the keywords that the op accepts.
  struct Word {
    std::string_view word;
  };
  std::string_view name;
  std::variant<Flag, Predicate, Word, int64_t, std::vector<int64_t>, DType>
      value;
};

/// The declaration of a variable.
struct VariableSpec {
  std::string name;
  TensorType type;
  bool trainable = false;
  /// The name of the variable for which an optimizer created this one as a
  /// slot; "" for other variables.
  std::string slotOf = {};
  /// The role: "statistic", "step" or "random". "" if it follows from the other
  /// fields.
  std::string role = {};
  /// Options for the update step of an optimizer.
  Regularizer regularizer = {};
  Constraint constraint = {};
};

/// The description of a declared variable.
struct VariableInfo {
  VariableSpec spec;
  /// The value that reads the variable.
  Id read = 0;
  /// The initial value, if there is one.
  std::optional<Id> initial = {};
  Place where;
};

/// An op as a node of a graph.
struct OperationNode {
  OperationInfo operation;
  /// The kind in camel case, such as MatMul.
  std::string kind;
  std::vector<TensorType> types;
  /// The tensors and variables that the op takes, by name, and the ops that it
  /// follows, such as ^Assign.
  std::vector<std::string> inputs;
};

/// A function to extract from the body. Ids denote values; effects are the ids
/// that assign() and endUpdate() returned.
struct FunctionSpec {
  std::string name;
  std::vector<Id> inputs;
  std::vector<std::pair<std::string, Id>> outputs;
  std::vector<Id> effects;
  bool isInit = false;
  /// The variables that an init function does not assign.
  std::set<std::string> excludedVariables = {};
  /// True for a fetch of a session. Any value may be an input, and the seed and
  /// the counter of random samples may be additional inputs.
  bool isFetch = false;
  /// True if the locations of ops carry the names of the ops.
  bool namesOps = false;
  /// Inputs that a session supplies by itself if a fetch needs them and they
  /// are not fed.
  std::vector<Id> sources = {};
  /// For a fetch in several calls: effects of earlier calls, which are not
  /// repeated.
  std::vector<Id> doneEffects = {};
};

/// The progress of a fetch in several calls.
struct PartialProgress;

/// One call of a fetch in several calls.
struct PartialPart {
  /// The values that this call takes from earlier calls, and the values that it
  /// saves for later calls.
  std::vector<Id> taken = {}, saved = {};
  /// The effects of earlier calls.
  std::vector<Id> doneEffects = {};
};

/// The options of a session's compilations.
struct FetchOptions {
  int optimization = 2;
  /// x86-64 ISA levels, ascending.
  std::vector<int> levels = {2};
  /// As in ModelOptions.
  std::string kernelCache = {}, trapNan = {};
  /// The available devices, cpu:N and gpu:N. Ops without a device run on the
  /// first one. An op with an unavailable device also runs on the first one if
  /// `softPlacement` is set; otherwise it is an error.
  std::vector<std::string> devices = {"cpu:0"};
  bool softPlacement = false;
};

/// A function of a library that a run calls. Functions of the same stage do not
/// depend on each other.
struct FetchPart {
  std::string function = "tg.run";
  unsigned device = 0, stage = 0;
};

/// The compiled library of one run of a session. Its slab holds all variables
/// of the program, in order of declaration.
struct FetchLibrary {
  std::string file;
  /// True if the seed and the counter of random samples, scalars i64, follow
  /// the feeds, in this order.
  bool takesSeed = false, takesSample = false;
  /// The indices of the variables that the run reads before it assigns them,
  /// and of the variables that it assigns.
  std::vector<size_t> reads, writes;
  /// True if the run may fail after it has assigned a variable.
  bool mayFailLate = false;
  /// The inputs that the session supplies by itself, after the feeds.
  std::vector<Id> sources = {};
  /// The functions of the library, in order of their stages. A value that one
  /// function passes to another has the same name as output and input.
  std::vector<FetchPart> parts = {FetchPart()};
  /// The names of the inputs and outputs of the run, in order.
  std::vector<std::string> inputs = {}, outputs = {};
};

/// The offset and the size, in bytes, of a variable in the memory of a session.
struct SlabPlace {
  uint64_t offset = 0, bytes = 0;
};

/// A call of a host function.
/// The CUDA kernel of a call, and its launch: see CustomOp.
struct CudaKernelSpec {
  std::string cuda, ptx, entry;
  std::vector<int64_t> block, grid;
  int64_t elementsPerBlock = 0, sharedBytes = 0;
};

struct HostCallSpec {
  std::string name;
  /// Ids of values; `sizes` are the dynamic extents of the results, in order.
  std::vector<Id> inputs, sizes;
  std::vector<TensorType> results;
  bool isPure = false;
  /// The kernel that devices launch in place of the call, which is pure.
  std::optional<CudaKernelSpec> kernel = std::nullopt;
};

/// A function that calls host functions. It does not throw.
using HostRunner = std::function<Result<std::vector<SavedTensor>>(
    const HostCallSpec &call, const std::vector<SavedTensor> &inputs)>;

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_BODYTYPES_H
