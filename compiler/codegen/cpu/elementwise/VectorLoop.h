//===- VectorLoop.h - loops that are vectorized ---------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_VECTORLOOP_H
#define TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_VECTORLOOP_H

#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// Returns the number of lanes of a kernel's vectors. A vector register holds
/// that many elements of chooseLaneBytes() bytes. Returns 1 for scalar code.
unsigned chooseLanes(tgx::KernelOp kernel, const TargetDescription &target);

/// Returns the size in bytes of the elements that fill a kernel's vectors: of
/// the narrowest type of at least 4 bytes or, if only arguments of rank 0 have
/// such a type, of the widest of the narrower types.
unsigned chooseLaneBytes(tgx::KernelOp kernel);

/// Emits one iteration of a vectorized loop: `copies` consecutive groups of
/// `lanes` elements, the first of which starts at `index`. `copies` is the
/// unroll factor.
using VectorStep = llvm::function_ref<llvm::LogicalResult(
    mlir::Value index, unsigned lanes, unsigned copies)>;

/// Emits `for index in [begin, end)` in vectors of `lanes`. The main loop is
/// unrolled by `unroll` and is followed by a loop of single vectors. The
/// remainder is one vector under the emitter's mask, or a scalar loop. `end -
/// begin` is a multiple of `divisor`; parts that cannot run for such a range
/// are not emitted.
llvm::LogicalResult emitVectorLoop(ElementEmitter &emitter, mlir::Value begin,
                                   mlir::Value end, unsigned lanes,
                                   unsigned unroll, VectorStep step,
                                   int64_t divisor = 1);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_VECTORLOOP_H
