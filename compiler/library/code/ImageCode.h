//===- ImageCode.h - the kernels of a device as an image ------------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_IMAGECODE_H
#define TG_COMPILER_LIBRARY_CODE_IMAGECODE_H

#include "compiler/library/code/KernelCode.h"
#include "compiler/library/plan/ModelPlan.h"

namespace tg {

/// The kernels of a plan as an image for one target.
struct ImageCode {
  DeviceImage image;
  /// True if the cache had the image.
  bool wasFound = false;
};

/// Loads the image of a plan from the cache, or compiles and stores it. The key
/// is a hash of everything that affects the image: all kernels with their
/// names, the properties of the plan, the target and the compiler itself. Emits
/// a diagnostic on failure. Kernels of users are no part of the image.
llvm::LogicalResult makeImageCode(const ModelPlan &plan, const Target &target,
                                  const KernelCache &cache, ImageCode &code,
                                  CacheErrors &cacheErrors);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_IMAGECODE_H
