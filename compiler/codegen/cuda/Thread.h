//===- Thread.h - the number of a thread, and launches that fail ----------===//
//
// The threads of a launch are divided into teams, which are single threads, or
// some warps each. A team does nothing if its number is not below the number of
// teams of the launch, or if an earlier launch of the run found an error in its
// data.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_THREAD_H
#define TG_COMPILER_CODEGEN_CUDA_THREAD_H

#include "mlir/IR/Builders.h"

namespace tg {

/// The number of threads of a block unless a kernel chooses another one: four
/// warps, of which each multiprocessor holds enough to fill its registers.
inline constexpr unsigned kBlockThreads = 128;

/// The greatest number of parameters of a kernel: they have 4 KiB.
inline constexpr unsigned kMaxParameters = 512;

/// The number of the global address space.
inline constexpr unsigned kGlobalMemory = 1;
/// The number of the address space that the threads of a block share.
inline constexpr unsigned kSharedMemory = 3;

/// The number of threads of a warp, whose instructions run side by side.
inline constexpr unsigned kWarpThreads = 32;

/// The number of threads of a team and of a block. A team is a single thread or
/// some warps of one block, so that all threads of a warp are active or none.
struct TeamShape {
  unsigned teamThreads = 1, blockThreads = kBlockThreads;
};

/// A thread that does something: the number of its team, its number in the
/// team, and the block of its code.
struct Thread {
  mlir::Value team, member;
  mlir::Block *body;
};

/// Emits the begin of a thread. `count` is the number of teams, `report` the
/// address of the report (tg_embedded_report_t), and `launch` the number of the
/// launch.
Thread beginThread(mlir::OpBuilder &builder, mlir::Location loc,
                   const TeamShape &shape, mlir::Value count,
                   mlir::Value report, mlir::Value launch);

/// Waits until all threads of the block are at this point, and until they see
/// each other's stores. All threads of the block must run it.
void emitBarrier(mlir::OpBuilder &builder, mlir::Location loc);

/// Marks the launch as failing if `fails` is true.
void markFailing(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value fails, mlir::Value report, mlir::Value launch);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_THREAD_H
