//===- Body.h - the seam between the C++ front and MLIR -------------------===//
//
// Everything above this header is ordinary C++ with exceptions and without
// MLIR; everything below is MLIR without either. Nothing throws across it.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_FRONTEND_DSL_BODY_H
#define TG_COMPILER_FRONTEND_DSL_BODY_H

#include "compiler/frontend/dsl/Names.h"
#include "tg/program.h"
#include "tg/types.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <source_location>
#include <span>
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
  /// What else was found, in the order in which it was found.
  std::vector<Error> others = {};
};

/// A value, or an error.
template <typename T> struct Result {
  T value = {};
  std::optional<Error> error = {};
};
struct Nothing {};

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
  /// What a step of an optimizer heeds.
  Regularizer regularizer = {};
  Constraint constraint = {};
};

/// What is known of a variable that was declared.
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
};

/// A program under construction: one private body of ops in program order, the
/// variables, and the functions cut out of the body so far. One thread.
class Body {
public:
  static std::shared_ptr<Body> create(std::string name, Place where);
  ~Body();

  const std::string &name() const;

  /// An argument of functions.
  Result<Id> addInput(const std::string &name, const TensorType &type,
                      Place where);
  /// The seed of the init function, a scalar i64, as the initializer of a
  /// variable sees it.
  Id initSeed(const std::string &variable);

  /// Builds an op by its mnemonic, with the types that it infers itself. The
  /// attributes are complete; ops with regions have functions of their own.
  Result<std::vector<Id>> build(std::string_view op, std::span<const Id> inputs,
                                std::span<const Attribute> attributes,
                                Place where);
  /// A constant of a known shape; one element is repeated.
  Result<Id> constant(const TensorType &type, std::span<const double> elements,
                      Place where);
  /// The derivatives of `target` for values, then for variables.
  Result<std::vector<Id>> gradient(Id target, std::span<const Id> values,
                                   std::span<const std::string> variables,
                                   Place where);
  /// The trainable variables that `target` depends on differentiably, in order
  /// of declaration.
  std::vector<std::string> parametersOf(Id target) const;

  TensorType type(Id value) const;
  /// The number of the next random stream of a function, from 1.
  int64_t nextStream();
  /// The stream of the next draw from what initSeed() gave. It follows from the
  /// variable's name, so that first values do not depend on what else there is.
  int64_t initStream(Id seed);

  /// Declares a variable and reads it.
  Result<Nothing> addVariable(const VariableSpec &spec, Place where);
  /// What init assigns; a slot without one becomes zeros.
  void setInitial(const std::string &variable, Id value);
  /// Null where there is none of the name.
  const VariableInfo *findVariable(std::string_view name) const;
  std::span<const VariableInfo> variables() const;

  Result<Id> assign(const std::string &variable, Id value, Place where);
  /// Opens a tg.update over groups of variables; gives the values of one
  /// element, variables first, then the input. Ops are built inside until
  /// endUpdate(), which takes the new values.
  Result<std::vector<Id>>
  beginUpdate(const std::vector<std::vector<std::string>> &groups,
              std::span<const Id> inputs, Place where);
  Result<Id> endUpdate(std::span<const Id> elements, Place where);

  /// The same value as a layer's call gives it: every function that contains it
  /// has these effects, and no function because of the value alone.
  Id withEffects(Id value, std::span<const Id> effects);

  /// Cuts out a public function.
  Result<Nothing> addFunction(const FunctionSpec &spec, Place where);

  /// The module with init and without the body, verified.
  Result<std::string> text();
  /// Tables of layers for people.
  Result<std::string> summary();
  /// As text, or for a path that ends in .dot as a graph.
  Result<Nothing> write(const std::string &path);
  Result<Nothing> compile(const std::string &path, const ModelOptions &options);

  /// Scopes: components of paths and of locations. With a place, ops inside
  /// carry it instead of their own; the outermost such place counts.
  void pushScope(std::string name, std::optional<Place> place);
  void popScope();
  /// The names of the open scopes, "net/Conv2D_1"; "" for none.
  std::string path() const;
  /// The place of an op built now by the line `where`.
  Place effectivePlace(Place where) const;

  /// The layers being traced, outermost first, and the names at the top of the
  /// program: the C++ side's own.
  std::vector<void *> openLayers;
  Names names;

  /// The warnings so far, and those of the module when it was last made. They
  /// leave the body.
  std::vector<Error> takeWarnings();
  void warn(const std::string &message, Place where);
  /// Who is told of warnings and what was told: the C++ side's own.
  std::function<void(const Warning &)> onWarning;
  std::set<std::string> told;
  /// The first input, and its axis, with an extent of a name: the C++ side's
  /// own.
  std::map<std::string, std::pair<Id, int64_t>> namedExtents;

  /// The MLIR side's own.
  struct Impl;

private:
  explicit Body(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_DSL_BODY_H
