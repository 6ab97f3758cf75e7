//===- KernelEmitter.h - one kernel as loops over pointers ----------------===//
//
// A kernel becomes two functions of func + scf + arith + math + vector with
// LLVM dialect pointers:
//
//   @relu(task: !llvm.ptr, first: i64, last: i64, worker: i32)
//     runs the tiles [first, last); a tg_body_fn of abi.h
//   @relu.tiles(task: !llvm.ptr) -> i64
//     the number of tiles, from extents and the number of workers
//
// The task is an array of 8-byte slots:
//
//   inputs    one pointer each, in the order of the kernel's arguments
//   outputs   one pointer each, in the order of tgx.yield
//   symbols   one i64 each
//   scratch   pointer to the memory that tiles share if there is a combining
//             stage (`sharedBytes`), then scratch memory, `scratchBytes` for
//             each worker; aligned as buffers are
//   error     pointer to the error cell (tg_embedded_cell_t)
//   workers   how many workers the run has, an i64 of at least 1
//
// A combining stage is one more tile behind the others, which runs when they
// are done.
//
// In which order each sum is taken follows from extents alone, never from the
// number of workers; which elements a tile covers may follow from both.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_KERNELEMITTER_H
#define TG_COMPILER_CODEGEN_CPU_KERNELEMITTER_H

#include "compiler/codegen/kernel/EmittedKernel.h"
#include "compiler/target/TargetDescription.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/IR/Builders.h"

namespace tg {

/// Slots of the task of a kernel.
struct TaskLayout {
  unsigned inputs, outputs, symbols;
  explicit TaskLayout(tgx::KernelOp kernel);
  unsigned output(unsigned number) const { return inputs + number; }
  unsigned symbol(unsigned number) const { return inputs + outputs + number; }
  unsigned scratch() const { return inputs + outputs + symbols; }
  unsigned error() const { return scratch() + 1; }
  unsigned workers() const { return scratch() + 2; }
  unsigned count() const { return scratch() + 3; }
};

/// Emits `kernel` at the builder's place, inside a module. Fails with a
/// diagnostic when an op of the kernel has no emitter.
llvm::FailureOr<EmittedKernel> emitKernel(tgx::KernelOp kernel,
                                          const TargetDescription &target,
                                          mlir::OpBuilder &builder);

class KernelFrame;

/// Emits the code of a tile for a kernel of each strategy; each has a file of
/// its own.
llvm::LogicalResult emitLoop(KernelFrame &frame);
llvm::LogicalResult emitReduction(KernelFrame &frame);
llvm::LogicalResult emitContraction(KernelFrame &frame);
llvm::LogicalResult emitCustom(KernelFrame &frame);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_KERNELEMITTER_H
