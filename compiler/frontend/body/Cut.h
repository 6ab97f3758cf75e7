//===- Cut.h - one function on its way out of a body ----------------------===//
#ifndef TG_COMPILER_FRONTEND_BODY_CUT_H
#define TG_COMPILER_FRONTEND_BODY_CUT_H

#include "compiler/frontend/body/BodyImpl.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include <set>

namespace tg::dsl {

/// Clones the backward slice of a function's outputs and effects.
class Cut {
public:
  Cut(Body::Impl &impl, const FunctionSpec &spec, mlir::Location loc)
      : impl(impl), spec(spec), loc(loc), builder(&impl.context) {}

  mlir::FailureOr<mlir::func::FuncOp> run();

  /// Finds what the function has, without making it: the ops at the top of the
  /// body, and the effects in the order in which they were made.
  mlir::LogicalResult collect();
  const llvm::SetVector<mlir::Operation *> &ops() const { return needed; }
  std::vector<Id> effectIds() const;

  /// Returns true if random samples add inputs to functions that change no
  /// variable, and to a session's: the seed and the number of the call, in this
  /// order.
  bool takesSeed() const { return !seeds.empty(); }
  bool takesDraw = false;
  /// The sources that are needed: inputs behind the feeds.
  std::vector<Id> sources;

private:
  bool isDrawnFrom(mlir::Value value);
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
  void leaveOut(mlir::Operation &op, mlir::Operation *made);
  mlir::Operation *clone(mlir::Operation &op);
  void emitOp(mlir::Operation &op);
  void emitOps();
  void emitEffect(mlir::Operation *op);
  mlir::Value cloneAgain(mlir::Value value, mlir::IRMapping &again);
  void countStep();

  // The signature.
  /// Fails where two inputs of a function have one name.
  mlir::LogicalResult checkNames();
  void nameResults();
  void nameArguments();
  Shape shapeOf(mlir::Value input);
  std::string inputNameOf(mlir::Value input);
  std::string takeName(const std::string &wanted);
  mlir::Attribute dimsOf(llvm::ArrayRef<std::string> names);

  Body::Impl &impl;
  const FunctionSpec &spec;
  mlir::Location loc;
  mlir::OpBuilder builder;
  llvm::SetVector<mlir::Operation *> needed;
  /// The inputs that the function lists, and others that it needs.
  llvm::SetVector<mlir::Value> given;
  llvm::SetVector<mlir::BlockArgument> arguments;
  /// The values that the seed replaces.
  llvm::SetVector<mlir::Value> seeds;
  /// True if draws follow from inputs rather than from variables.
  bool drawsFromInputs = false;
  llvm::SmallVector<mlir::Operation *> work;
  /// The effects that the function has, at the top and in regions.
  llvm::DenseSet<mlir::Operation *> effects;
  /// The effects of earlier calls, for a fetch in several calls.
  llvm::DenseSet<mlir::Operation *> doneEffects;
  /// Updates of layers that the function has where it trains.
  llvm::SetVector<mlir::Operation *> layerUpdates;
  bool changes = false, isOrdered = false;
  /// The values that layers assigned so far, by the variable's read in the
  /// body.
  mlir::IRMapping assigned;
  mlir::func::FuncOp function;
  mlir::IRMapping mapping;
  std::set<std::string> signatureNames;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_CUT_H
