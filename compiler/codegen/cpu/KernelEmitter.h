//===- KernelEmitter.h - emission of a kernel as CPU loops ----------------===//
//
// A kernel becomes two functions of func + scf + arith + math + vector with
// LLVM dialect pointers:
//
//   @relu(task: !llvm.ptr, first: i64, last: i64, worker: i32)
//     runs the tiles [first, last); a tg_body_fn of abi.h
//   @relu.tiles(task: !llvm.ptr) -> i64
//     returns the number of tiles, from the extents and the number of workers
//
// The argument block (task) is an array of slots (ArgumentBlock.h). The scratch
// memory is the partials buffer of `partialsBytes` bytes, if the kernel has a
// finalize step, followed by `scratchBytes` bytes for each worker; all aligned
// as buffers are.
//
// A finalize step is one more tile, which runs after all other tiles are done.
//
// The order of the additions of each sum depends on extents alone, never on the
// number of workers. The elements that a tile covers may depend on both.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_KERNELEMITTER_H
#define TG_COMPILER_CODEGEN_CPU_KERNELEMITTER_H

#include "compiler/codegen/kernel/ArgumentBlock.h"
#include "compiler/codegen/kernel/EmittedKernel.h"
#include "compiler/target/TargetDescription.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/IR/Builders.h"

namespace tg {

/// Emits `kernel` at the insertion point of `builder`, which lies in a module.
/// Fails with a diagnostic if an op of the kernel has no emitter.
llvm::FailureOr<EmittedKernel> emitKernel(tgx::KernelOp kernel,
                                          const TargetDescription &target,
                                          mlir::OpBuilder &builder);

class KernelFrame;

/// Emit the code of a tile and the number of tiles, one function for each
/// strategy.
llvm::LogicalResult emitLoop(KernelFrame &frame);
llvm::LogicalResult emitReduction(KernelFrame &frame);
llvm::LogicalResult emitContraction(KernelFrame &frame);
llvm::LogicalResult emitCustom(KernelFrame &frame);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_KERNELEMITTER_H
