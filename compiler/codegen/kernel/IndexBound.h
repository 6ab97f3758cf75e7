//===- IndexBound.h - the largest indices of a kernel ---------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_INDEXBOUND_H
#define TG_COMPILER_CODEGEN_KERNEL_INDEXBOUND_H

#include "compiler/codegen/kernel/KernelContext.h"

namespace tg {

/// The numbers of elements of the values of a kernel: no linear index, and no
/// number of products of a sum, is greater than all of them.
struct IndexBound {
  explicit IndexBound(const KernelContext &context);

  /// Returns true if indices have 32 bits for any symbols for which `excess` is
  /// not positive.
  bool allowsNarrow() const { return largest <= kMaxNarrowElements; }
  /// Returns the sum of the numbers that depend on symbols, minus the greatest
  /// one for which indices have 32 bits. Null if no number depends on symbols.
  mlir::AffineExpr excess() const;

private:
  /// 2^31 would leave no room for the last step of a loop.
  static constexpr int64_t kMaxNarrowElements = int64_t(1) << 30;

  int64_t largest = 0;
  mlir::AffineExpr dynamicSum;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_INDEXBOUND_H
