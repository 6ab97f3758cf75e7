//===- EmittedKernel.h - name and memory sizes of an emitted kernel -------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_EMITTEDKERNEL_H
#define TG_COMPILER_CODEGEN_KERNEL_EMITTEDKERNEL_H

#include "mlir/IR/AffineMap.h"
#include <string>

namespace tg {

/// The offsets of the reported value, of the number of the failing launch of a
/// device, and of the first error cell, in bytes from the error pointer of an
/// argument block.
inline constexpr int32_t kReportedValueBytes = 0, kFailingLaunchBytes = 8,
                         kErrorCellBytes = 16;

/// The properties of an emitted kernel that the library records.
struct EmittedKernel {
  /// The name of the kernel's function.
  std::string name;
  /// The scratch memory in bytes of one worker, or of a launch on a device, as
  /// a function of the kernel's symbols. The size is the minimum of the map's
  /// results, and a multiple of the buffer alignment. Null if the kernel needs
  /// no scratch memory.
  mlir::AffineMap scratchBytes;
  /// The size in bytes of the partials buffer, in the same form. Tiles write
  /// partial results to it, and the finalize step reads them after all tiles
  /// have run. Null if the kernel has no finalize step.
  mlir::AffineMap partialsBytes;
  /// The number of threads of a launch on a device, as a function of the
  /// kernel's symbols. Null for functions that run tiles.
  mlir::AffineMap threads = {};
  /// See KernelLaunch::excess. Null if the kernel runs for any symbols.
  mlir::AffineMap excess = {};
  /// The number of threads of a block of such a launch.
  unsigned blockThreads = 0;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_EMITTEDKERNEL_H
