//===- PoolingBase.h - common code of pooling ops -------------------------===//
#ifndef TG_DIALECTS_TG_OPS_WINDOWS_POOLINGBASE_H
#define TG_DIALECTS_TG_OPS_WINDOWS_POOLINGBASE_H

#include "dialects/tg/ops/movement/Movement.h"
#include "dialects/tg/ops/windows/Spatial.h"
#include "dialects/tg/ops/windows/Windows.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tg {

/// Returns the windows of a pooling op or its adaptor.
template <typename OpOrAdaptor> Windows windowsOf(OpOrAdaptor op) {
  return Windows(op, op.getWindow());
}

/// Windows over a tensor [n, s, c] in the compiler's memory.
class HostWindows {
public:
  HostWindows(const Windows &windows, llvm::ArrayRef<int64_t> shape,
              mlir::MLIRContext *context);

  /// Calls `function` for each element of a window with the linear index of the
  /// element and its row-major position in the window, the tap. `index` is the
  /// position of the window in a tensor with one element per window.
  void
  visit(llvm::ArrayRef<int64_t> index,
        llvm::function_ref<void(int64_t element, int64_t tap)> function) const;

  /// Returns the divisor of the sum over a window: the number of its elements,
  /// at least 1, or the number of all its positions.
  double divisor(llvm::ArrayRef<int64_t> index, bool countPadding) const;

private:
  Windows windows;
  llvm::SmallVector<int64_t> shape, paddingsBefore;
};

/// Builds the elements of `from` [n, s, c] that indices of max_pool [n, o, c]
/// select, and 0 for an index that selects none.
mlir::Value buildIndexed(mlir::ImplicitLocOpBuilder &b, const Windows &windows,
                         mlir::Value from, mlir::Value index);

} // namespace tg

#endif // TG_DIALECTS_TG_OPS_WINDOWS_POOLINGBASE_H
