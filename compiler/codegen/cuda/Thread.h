//===- Thread.h - the number of a thread, and launches that fail ----------===//
//
// A thread does nothing if its number is not below the number of threads of the
// launch, or if an earlier launch of the run found an error in its data.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_THREAD_H
#define TG_COMPILER_CODEGEN_CUDA_THREAD_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {

/// The number of threads of a block: four warps, of which each multiprocessor
/// holds enough to fill its registers.
inline constexpr unsigned kBlockThreads = 128;

/// The number of the global address space.
inline constexpr unsigned kGlobalMemory = 1;

/// The number of the shared address space.
inline constexpr unsigned kSharedMemory = 3;

/// A thread that does something: its number, the number of its block and its
/// number there, and the block of its code.
struct Thread {
  mlir::Value number, block, inBlock;
  mlir::Block *body;
};

/// Emits the begin of a thread. `count` is the number of threads, `report` the
/// address of the report (tg_embedded_report_t), and `launch` the number of the
/// launch.
Thread beginThread(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value count, mlir::Value report, mlir::Value launch);

/// Waits until all threads of the block are at this point, and until they see
/// each other's stores to shared memory. All threads of the block must run it.
void emitBarrier(mlir::OpBuilder &builder, mlir::Location loc);

/// Marks the launch as failing if `fails` is true.
void markFailing(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value fails, mlir::Value report, mlir::Value launch);

/// Emits the function of a kernel that copies bytes, one in a thread, at the
/// insertion point of `builder`: see DeviceImage::copy.
mlir::func::FuncOp emitCopyKernel(mlir::OpBuilder &builder, mlir::Location loc);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_THREAD_H
