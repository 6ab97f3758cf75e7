//===- FlatLoop.h - loops over one dimension ------------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULE_FLATLOOP_H
#define TG_COMPILER_TRANSFORMS_SCHEDULE_FLATLOOP_H

#include "dialects/tgx/Tgx.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/MapVector.h"

namespace tg {

/// Returns the extents of a kernel's first output, over its symbols.
llvm::SmallVector<mlir::AffineExpr> outputExtentsOf(tgx::KernelOp kernel);

/// Returns the type of a list of elements.
mlir::RankedTensorType flatType(mlir::Type elementType, int64_t count);

/// A loop whose values are numbers or have the same extents. Its flat form has
/// one dimension, whose extent is the only symbol of the kernel.
struct FlatLoop {
  /// The flat form, outside of any module.
  mlir::OwningOpRef<tgx::KernelOp> kernel;
  /// Equal for flat forms that differ at most in their locations.
  std::string key;
};

/// The flat forms of kernels.
class FlatLoops {
public:
  /// Returns the flat form of a kernel; null if it has none.
  const FlatLoop *find(tgx::KernelOp kernel);

private:
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<FlatLoop>> loops;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULE_FLATLOOP_H
