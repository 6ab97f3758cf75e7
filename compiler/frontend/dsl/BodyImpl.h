//===- BodyImpl.h - what a body is made of --------------------------------===//
#ifndef TG_COMPILER_FRONTEND_DSL_BODYIMPL_H
#define TG_COMPILER_FRONTEND_DSL_BODYIMPL_H

#include "compiler/frontend/dsl/Body.h"
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <map>

namespace tg::dsl {

/// The function that a program makes of the variables' first values.
inline constexpr char kInit[] = "init";

/// The diagnostics of a context of one severity, while it lives; errors, where
/// nothing else is said.
class Capture {
public:
  explicit Capture(
      mlir::MLIRContext *context,
      mlir::DiagnosticSeverity severity = mlir::DiagnosticSeverity::Error);
  /// The first error, which is the op's own; `otherwise` where a failure was
  /// silent.
  Error take(llvm::StringRef otherwise);
  /// The first error and all others: the mistakes of a whole module.
  Error takeAll(llvm::StringRef otherwise);
  const std::vector<Error> &all() const { return errors; }

private:
  std::vector<Error> errors;
  mlir::ScopedDiagnosticHandler handler;
};

struct Body::Impl {
  /// An open scope.
  struct Scope {
    std::string name;
    std::optional<Place> place;
  };

  Impl(const mlir::DialectRegistry &registry) : context(registry) {}

  /// The names of the open scopes, joined.
  std::string path() const;
  mlir::Location locate(Place where);
  mlir::RankedTensorType convert(const TensorType &type);
  mlir::Type convert(DType dtype);
  mlir::Attribute convert(const Attribute &attribute);
  Id add(mlir::Value value);
  std::vector<Id> addAll(mlir::ValueRange values);
  /// The op of the values and attributes, with inferred types, verified.
  mlir::Operation *buildOp(llvm::StringRef mnemonic, mlir::ValueRange operands,
                           mlir::DictionaryAttr attributes, mlir::Location loc);
  /// Erases an op that did not verify.
  bool verifyOrErase(mlir::Operation *op);
  mlir::FailureOr<mlir::func::FuncOp> cut(const FunctionSpec &spec,
                                          mlir::Location loc);
  /// Fails where a function cannot have the name.
  mlir::LogicalResult checkFunctionName(llvm::StringRef name,
                                        mlir::Location loc);
  /// Fails where a program made updates that none of its functions has.
  mlir::LogicalResult checkEffects();
  /// Collects what serves nothing in a valid module.
  void collectWarnings(mlir::ModuleOp finished);
  /// The module as users see it; null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> finish();

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  mlir::Block *top = nullptr;
  std::optional<mlir::OpBuilder> builder;
  std::string name;
  std::vector<mlir::Value> values;
  /// tg.assign and tg.update ops in the order of their numbers.
  std::vector<mlir::Operation *> effects;
  /// What layers' calls gave (a cast to the same type, which no function gets),
  /// with their effects.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>>
      attached;
  /// The effects among these, and those that functions were given.
  llvm::DenseSet<mlir::Operation *> layerEffects, usedEffects;
  std::vector<Error> warnings;
  /// The inputs that functions list, init's seed among them.
  llvm::DenseSet<mlir::Value> listedInputs;
  /// Names and named extents of the body's arguments, by position.
  std::vector<std::pair<std::string, TensorType>> inputs;
  std::optional<Id> seed;
  std::vector<VariableInfo> variables;
  llvm::StringMap<size_t> variableByName;
  std::vector<Scope> scopes;
  /// The open tg.update.
  mlir::Operation *update = nullptr;
  int64_t streams = 0;
  /// What initSeed() gave: the variable, and the draws so far.
  std::map<Id, std::pair<std::string, unsigned>> initDraws;
  llvm::DenseSet<int64_t> initStreams;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_DSL_BODYIMPL_H
