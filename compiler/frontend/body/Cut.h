//===- Cut.h - extracts one function from a body --------------------------===//
#ifndef TG_COMPILER_FRONTEND_BODY_CUT_H
#define TG_COMPILER_FRONTEND_BODY_CUT_H

#include "compiler/frontend/body/BodyImpl.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include <set>

namespace tg::dsl {

/// The extraction of one function: a clone of the backward slice of its outputs
/// and effects.
class Cut {
public:
  Cut(Body::Impl &impl, const FunctionSpec &spec, mlir::Location loc)
      : impl(impl), spec(spec), loc(loc), builder(&impl.context) {}

  /// Makes the function; fails with a diagnostic.
  mlir::FailureOr<mlir::func::FuncOp> run();

  /// Finds the contents of the function without making it: the top-level ops of
  /// the body, and the effects in program order.
  mlir::LogicalResult collect();
  const llvm::SetVector<mlir::Operation *> &ops() const { return needed; }
  std::vector<Id> effectIds() const;

  /// Return true if random samples add an input, the seed and then the counter.
  /// This happens in fetches and in functions that change no variable.
  bool takesSeed() const { return !seeds.empty(); }
  bool takesSample = false;
  /// The needed inputs that the session supplies, after the feeds.
  std::vector<Id> sources;

private:
  bool isSampledFrom(mlir::Value value);
  void need(mlir::Value value);
  void need(mlir::Operation *op);
  void needAll(mlir::Operation *op);
  void addEffect(mlir::Operation *effect);
  void addLayerUpdates();
  mlir::LogicalResult collectAll();
  mlir::LogicalResult collectInputs();
  mlir::LogicalResult checkInputs();
  void emitHeader();
  mlir::Location locationOf(mlir::Operation *op);
  void eraseUnneeded(mlir::Operation &op, mlir::Operation *made);
  mlir::Operation *clone(mlir::Operation &op);
  void emitOp(mlir::Operation &op);
  void emitOps();
  void emitEffect(mlir::Operation *op);
  mlir::Value recompute(mlir::Value value, mlir::IRMapping &replacements);
  void countStep();

  // The signature.
  /// Fails if two inputs of the function have the same name.
  mlir::LogicalResult checkNames();
  void nameResults();
  void nameArguments();
  Shape shapeOf(mlir::Value input);
  std::string inputNameOf(mlir::Value input);
  std::string takeName(const std::string &base);
  mlir::Attribute dimsOf(llvm::ArrayRef<std::string> names);

  Body::Impl &impl;
  const FunctionSpec &spec;
  mlir::Location loc;
  mlir::OpBuilder builder;
  llvm::SetVector<mlir::Operation *> needed;
  /// The inputs of the function, and the arguments of the body that it needs.
  llvm::SetVector<mlir::Value> inputs;
  llvm::SetVector<mlir::BlockArgument> arguments;
  /// The values that the seed replaces.
  llvm::SetVector<mlir::Value> seeds;
  /// True if random samples take the seed and the counter from inputs, not from
  /// variables.
  bool samplesFromInputs = false;
  llvm::SmallVector<mlir::Operation *> work;
  /// The effects of the function, at the top level and in regions.
  llvm::DenseSet<mlir::Operation *> effects;
  /// The effects of earlier calls, for a fetch in several calls.
  llvm::DenseSet<mlir::Operation *> doneEffects;
  /// Updates of layers, which the function contains if it trains.
  llvm::SetVector<mlir::Operation *> layerUpdates;
  /// True if the function assigns variables.
  bool changesVariables = false;
  /// True if all effects must stay in program order (see emitOps()).
  bool isOrdered = false;
  /// Maps the read of a variable in the body to the value that layers assigned
  /// last.
  mlir::IRMapping assigned;
  mlir::func::FuncOp function;
  mlir::IRMapping mapping;
  std::set<std::string> signatureNames;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_CUT_H
