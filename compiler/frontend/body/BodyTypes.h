//===- BodyTypes.h - what crosses the seam between the front and MLIR -----===//
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

/// A value of a body, by number.
using Id = uint32_t;
using Place = std::source_location;

/// A mistake and the user's line; line 0 where none is to blame.
struct Error {
  std::string message, file;
  unsigned line = 0, column = 0;
  /// Further mistakes, in the order in which they were found.
  std::vector<Error> others = {};
};

/// A value, or an error.
template <typename T> struct Result {
  T value = {};
  std::optional<Error> error = {};
};
struct Nothing {};

/// A tensor of a file: elements row-major, truth values as bytes.
struct SavedTensor {
  TensorType type;
  std::vector<char> bytes;
};

/// An attribute of an op, by its name in the dialect.
struct Attribute {
  /// Is there; for flags.
  struct Flag {};
  /// A comparison: eq ne lt le gt ge.
  struct Predicate {
    std::string_view word;
  };
  /// One of the words that the op knows.
  struct Word {
    std::string_view word;
  };
  std::string_view name;
  std::variant<Flag, Predicate, Word, int64_t, std::vector<int64_t>, DType>
      value;
};

/// A variable as it is declared.
struct VariableSpec {
  std::string name;
  TensorType type;
  bool trainable = false;
  /// The variable that this one is a slot of, and "" for none.
  std::string slotOf = {};
  /// The role, where it does not follow from the others: statistic, step,
  /// random; and "" for none.
  std::string role = {};
  /// The options that a step of an optimizer heeds.
  Regularizer regularizer = {};
  Constraint constraint = {};
};

/// The description of a declared variable.
struct VariableInfo {
  VariableSpec spec;
  /// Its read.
  Id read = 0;
  /// Its first value, where there is one.
  std::optional<Id> initial = {};
  Place where;
};

/// A function to be cut out of the body. Ids are values; effects are numbers
/// that assign() and endUpdate() gave.
struct FunctionSpec {
  std::string name;
  std::vector<Id> inputs;
  std::vector<std::pair<std::string, Id>> outputs;
  std::vector<Id> effects;
  bool isInit = false;
  /// Variables that init does not assign.
  std::set<std::string> leftOut = {};
  /// A session's: any value may be an input, and the seed and the number of a
  /// draw are further ones.
  bool isFetch = false;
  /// True if ops carry their own names.
  bool namesOps = false;
  /// Inputs that a session gives by itself where a fetch needs them and they
  /// are not fed.
  std::vector<Id> sources = {};
  /// For a fetch in several calls: effects of earlier calls, which do not
  /// happen again.
  std::vector<Id> doneEffects = {};
};

/// The progress of a fetch in several calls.
struct PartialProgress;

/// One of these calls.
struct PartialPart {
  /// The values that earlier calls kept and this one is to be given, and those
  /// that it is to give for later ones.
  std::vector<Id> taken = {}, kept = {};
  /// The effects of earlier calls.
  std::vector<Id> doneEffects = {};
};

/// The options of a session's compilations.
struct FetchOptions {
  int optimization = 2;
  /// x86-64 levels, ascending.
  std::vector<int> levels = {2};
  /// See ModelOptions.
  std::string kernelCache = {}, trapNan = {};
  /// The devices that there are. What is placed elsewhere, and on none, runs on
  /// the first one; the former is an error without softPlacement.
  std::vector<std::string> devices = {"cpu:0"};
  bool softPlacement = false;
};

/// A function of a library that is part of a run: those of one stage need
/// nothing of each other.
struct FetchPart {
  std::string function = "tg.run";
  unsigned device = 0, stage = 0;
};

/// The library of one run of a session: its one function, with the variables of
/// the whole program in order of declaration.
struct FetchLibrary {
  std::string file;
  /// True if the seed and the number of the draw, scalars i64, stand behind the
  /// feeds, in this order.
  bool takesSeed = false, takesDraw = false;
  /// Numbers of variables: those whose value from before the run is needed, and
  /// those that it assigns.
  std::vector<size_t> reads, writes;
  /// True if the run may fail when it has assigned a variable.
  bool mayFailLate = false;
  /// The inputs that are given by the session itself, behind the feeds.
  std::vector<Id> sources = {};
  /// The functions of the library, in order of their stages. What one needs of
  /// another has the same name as output and input.
  std::vector<FetchPart> parts = {FetchPart()};
  /// The names of the inputs and outputs of the run, in order.
  std::vector<std::string> inputs = {}, outputs = {};
};

/// The place of a variable in the memory of sessions.
struct SlabPlace {
  uint64_t offset = 0, bytes = 0;
};

/// A call of a function of the host.
struct HostCallSpec {
  std::string name;
  /// Values; `sizes` are the unknown extents of the results, in order.
  std::vector<Id> inputs, sizes;
  std::vector<TensorType> results;
  bool isPure = false;
};

/// Calls host functions. Throws nothing.
using HostRunner = std::function<Result<std::vector<SavedTensor>>(
    const HostCallSpec &call, const std::vector<SavedTensor> &inputs)>;

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_BODYTYPES_H
