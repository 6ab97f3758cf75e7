//===- BlockDifferentiator.h - reverse mode over the ops of a block -------===//
#ifndef TG_COMPILER_TRANSFORMS_GRADIENT_BLOCKDIFFERENTIATOR_H
#define TG_COMPILER_TRANSFORMS_GRADIENT_BLOCKDIFFERENTIATOR_H

#include "compiler/transforms/module/ActiveValues.h"
#include "compiler/transforms/module/GradientLocation.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/Device.h"
#include "dialects/tg/gradient/RegionGradient.h"
#include <memory>

namespace tg {

/// The cost of expanding all requests of a module. Counts the ops that are
/// built, and marks each as part of a gradient and with its device.
class GradientCost : public mlir::OpBuilder::Listener {
public:
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint) override {
    ++built;
    op->setLoc(gradientLocation(op->getLoc()));
    if (device)
      op->setDiscardableAttr(kDeviceAttr, device);
  }
  bool isTooHigh() const;
  /// Fails, at the request, if the requests cost too much.
  llvm::LogicalResult check(GradientOp request) const;

  unsigned built = 0, visited = 0;
  /// The tg.device of new ops; null for none.
  mlir::Attribute device;
};

/// The backward sweeps for one request, over its own block and over the blocks
/// of nested regions.
class BlockDifferentiator : public RegionDifferentiator {
public:
  BlockDifferentiator(GradientOp request, GradientCost &cost)
      : request(request), cost(cost), active(request) {}
  ~BlockDifferentiator() override;

  bool isActive(mlir::Value value) const override {
    return active.isActive(value);
  }
  llvm::FailureOr<Cotangents> differentiate(mlir::Operation *last,
                                            Cotangents initial,
                                            mlir::OpBuilder &builder) override;
  llvm::DenseSet<mlir::Value> findReached(mlir::Operation *op,
                                          mlir::ValueRange results) override;
  mlir::Value buildExtent(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, unsigned axis,
                          mlir::ValueRange available) override;
  void replace(mlir::Operation *op, mlir::ValueRange values) override;
  void discard(mlir::Operation *op) override;
  void addCopies(const mlir::IRMapping &copies) override;

  /// Returns the cotangent of the content of a variable on entry; null if there
  /// is none.
  mlir::Value lookUpVariable(mlir::StringAttr variable) const {
    return variableCotangents.lookup(variable);
  }
  /// Returns the number of differentiated ops.
  unsigned countDifferentiated() const { return differentiated; }

private:
  /// A sweep over one block.
  struct Sweep {
    Cotangents cotangents;
    mlir::OpBuilder &builder;
  };

  llvm::LogicalResult visit(mlir::Operation *op);
  llvm::LogicalResult visitRead(ReadOp read);
  llvm::LogicalResult differentiateOp(DifferentiableOpInterface op);
  llvm::LogicalResult differentiateRegions(DifferentiableRegionOpInterface op);
  /// Returns true if an active result has a cotangent.
  bool isReached(mlir::Operation *op) const;
  /// Replaces an op by simpler ops. Returns false if there are none.
  bool split(DifferentiableRegionOpInterface op);
  /// Adds to the cotangent of a value.
  llvm::LogicalResult accumulate(mlir::Value value, mlir::Value cotangent,
                                 mlir::Operation *user);
  FunctionSymbols &getSymbols();
  /// Removes replaced ops from their blocks, from index `from` on.
  void removeReplaced(size_t from);

  GradientOp request;
  GradientCost &cost;
  ActiveValues active;
  std::unique_ptr<FunctionSymbols> symbols;
  Sweep *sweep = nullptr;
  /// Replaced and discarded ops. The destructor frees them.
  llvm::SmallVector<mlir::Operation *> replaced;
  llvm::DenseMap<mlir::StringAttr, mlir::Value> variableCotangents;
  unsigned differentiated = 0;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_GRADIENT_BLOCKDIFFERENTIATOR_H
