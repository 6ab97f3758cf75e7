//===- VectorLoop.h - a loop over elements, several at a time -------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_VECTORLOOP_H
#define TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_VECTORLOOP_H

#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// Lanes of the vectors that a kernel computes with: a register of its
/// narrowest elements of at least 4 bytes, else of its widest; 1 where code
/// stays scalar.
unsigned chooseLanes(tgx::KernelOp kernel, const TargetDescription &target);

/// Returns the bytes of these elements.
unsigned chooseLaneBytes(tgx::KernelOp kernel);

/// Emits one step of a loop: for the elements from `index` on, as many as
/// `lanes`; `copies` such groups one after the other when it is unrolled.
using VectorStep = llvm::function_ref<llvm::LogicalResult(
    mlir::Value index, unsigned lanes, unsigned copies)>;

/// for index in [begin, end): vectors of `lanes`, `unroll` at a time, then
/// one at a time, then the remainder under the emitter's mask or as scalars.
/// What cannot occur because `end - begin` is a multiple of `divisor` leaves no
/// code.
llvm::LogicalResult emitVectorLoop(ElementEmitter &emitter, mlir::Value begin,
                                   mlir::Value end, unsigned lanes,
                                   unsigned unroll, VectorStep step,
                                   int64_t divisor = 1);

/// Emits the rounds of a loop that carries values, possibly none.
using CarryStep = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::Value index, mlir::ValueRange carried)>;

/// for index in [begin, end) by `step`, where the range is a multiple of it:
/// nothing when it is empty, no loop when it is one round.
llvm::SmallVector<mlir::Value>
emitCarryLoop(KernelContext &context, mlir::Value begin, mlir::Value end,
              int64_t step, mlir::ValueRange initial, CarryStep build);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_VECTORLOOP_H
