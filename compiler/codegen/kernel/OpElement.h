//===- OpElement.h - the element rule interface of one op -----------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_OPELEMENT_H
#define TG_COMPILER_CODEGEN_KERNEL_OPELEMENT_H

#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// Byte offsets from the error cell. An index that was checked may be a
/// computed value that error messages cannot read from memory. The cell then
/// stores the index that belongs to its lowest key, and a spin lock that is 1
/// while key and index change.
inline constexpr int32_t kCellLockBytes = 12, kCellFoundBytes = 16;

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
  void require(mlir::Value condition, const Position &position) override;
  mlir::Value pick(mlir::Value condition, bool alwaysReadable,
                   llvm::function_ref<mlir::Value()> inside,
                   mlir::Value otherwise) override;
  mlir::Value operandWithin(unsigned number, const Position &position,
                            unsigned axis, mlir::Value extent,
                            mlir::Value otherwise) override;

  /// Returns the row-major linear index of lane 0 in the result.
  mlir::Value resultOffset(const Position &position);

private:
  void report(mlir::Value failing, mlir::Value offset, mlir::Value laneStride);
  mlir::Value byLanesWithin(unsigned number, const Position &position,
                            unsigned axis, mlir::Value extent,
                            mlir::Value otherwise);
  /// Returns the integers that were checked, extended to i64.
  mlir::Value widenChecked();
  /// Emits code that lowers the key in the error cell to `lowest`, and stores
  /// the index `found` if it belongs to the lowest key. `found` may be null.
  void store(mlir::Value lowest, mlir::Value found);
  /// Returns the error cell's keys for elements with the given linear indices.
  mlir::Value keyOf(mlir::Value offsets);

  ElementEmitter &emitter;
  mlir::Operation *op;
  /// The value of operand 0 that was emitted last.
  mlir::Value checked;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_OPELEMENT_H
