//===- OpElement.h - the emitter as one op's element rule sees it ---------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_OPELEMENT_H
#define TG_COMPILER_CODEGEN_KERNEL_OPELEMENT_H

#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// Bytes from the error cell to what belongs to the lowest index in it, where
/// the index that was checked is in no memory: a lock that is 1 while the two
/// change, and the index.
inline constexpr int32_t kCellLockBytes = 12, kCellFoundBytes = 16;

/// Answers the element rule of `op` out of an ElementEmitter.
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
  void require(mlir::Value condition, const Position &position) override;
  mlir::Value pick(mlir::Value condition, bool alwaysReadable,
                   llvm::function_ref<mlir::Value()> inside,
                   mlir::Value otherwise) override;
  mlir::Value operandWithin(unsigned number, const Position &position,
                            unsigned axis, mlir::Value extent,
                            mlir::Value otherwise) override;

  /// The linear index of the result's element at lane 0.
  mlir::Value resultOffset(const Position &position);

private:
  void report(mlir::Value failing, mlir::Value offset, mlir::Value laneStride);
  mlir::Value byLanesWithin(unsigned number, const Position &position,
                            unsigned axis, mlir::Value extent,
                            mlir::Value otherwise);
  /// The integers that were checked, as i64.
  mlir::Value widenChecked();
  /// Lowers the cell's number to `lowest`, and keeps the index that has it.
  void store(mlir::Value lowest, mlir::Value found);
  /// Returns the key of elements with these linear indices in the cell.
  mlir::Value keyOf(mlir::Value offsets);

  ElementEmitter &emitter;
  mlir::Operation *op;
  /// The last value of operand 0.
  mlir::Value checked;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_OPELEMENT_H
