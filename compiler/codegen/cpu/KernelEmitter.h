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
// The argument block (task) is an array of 8-byte slots:
//
//   inputs    a pointer each, in the order of the kernel's arguments
//   outputs   a pointer each, in the order of tgx.yield
//   symbols   an i64 each
//   scratch   a pointer to the partials buffer of `partialsBytes` bytes, if the
//             kernel has a finalize step, followed by `scratchBytes` bytes of
//             scratch memory for each worker; all aligned as buffers are
//   error     a pointer to the report (tg_embedded_report_t), followed by the
//             error cells
//   workers   the number of workers of the run, an i64 of at least 1
//
// A finalize step is one more tile, which runs after all other tiles are done.
//
// The order of the additions of each sum depends on extents alone, never on the
// number of workers. The elements that a tile covers may depend on both.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_KERNELEMITTER_H
#define TG_COMPILER_CODEGEN_CPU_KERNELEMITTER_H

#include "compiler/codegen/kernel/EmittedKernel.h"
#include "compiler/target/TargetDescription.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/IR/Builders.h"

namespace tg {

/// The layout of a kernel's argument block: the number of slots of each kind,
/// and functions that return the indices of slots.
struct ArgumentBlock {
  unsigned inputs, outputs, symbols;
  explicit ArgumentBlock(tgx::KernelOp kernel);
  unsigned output(unsigned index) const { return inputs + index; }
  unsigned symbol(unsigned index) const { return inputs + outputs + index; }
  unsigned scratch() const { return inputs + outputs + symbols; }
  unsigned error() const { return scratch() + 1; }
  unsigned workers() const { return scratch() + 2; }
  unsigned count() const { return scratch() + 3; }
};

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
