//===- OpElement.h - the element rule interface of one op -----------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_OPELEMENT_H
#define TG_COMPILER_CODEGEN_KERNEL_OPELEMENT_H

#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// Implements the ElementBuilder interface for the element rule of `op`, on top
/// of an ElementEmitter.
class OpElement : public ElementBuilder {
public:
  OpElement(ElementEmitter &emitter, mlir::Operation *op, unsigned lanes)
      : ElementBuilder(emitter.context.builder, op->getLoc(), lanes),
        emitter(emitter), op(op) {}

  mlir::Value operand(unsigned number, const Position &position) override;
  mlir::Value operandExtent(unsigned number, unsigned axis) override;
  mlir::Value resultExtent(unsigned number, unsigned axis) override;
  mlir::Value scalar(unsigned operand) override;
  mlir::Value expression(mlir::AffineExpr expression) override {
    return emitter.context.extent(expression);
  }
  void require(mlir::Value condition, const Position &position,
               mlir::Value value,
               llvm::function_ref<mlir::Value()> findPredicate) override;
  mlir::Value pick(mlir::Value condition, bool alwaysReadable,
                   llvm::function_ref<mlir::Value()> inside,
                   mlir::Value otherwise) override;
  mlir::Value operandWithin(unsigned number, const Position &position,
                            unsigned axis, mlir::Value extent,
                            mlir::Value otherwise) override;

  /// Returns the row-major linear index of lane 0 in the result.
  mlir::Value resultOffset(const Position &position);

private:
  mlir::Value readLaneByLane(unsigned number, const Position &position,
                             unsigned axis, mlir::Value extent,
                             mlir::Value otherwise);
  ElementEmitter &emitter;
  mlir::Operation *op;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_OPELEMENT_H
