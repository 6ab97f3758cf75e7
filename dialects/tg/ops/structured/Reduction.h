//===- Reduction.h - common code of ops that reduce over axes -------------===//
#ifndef TG_DIALECTS_TG_OPS_STRUCTURED_REDUCTION_H
#define TG_DIALECTS_TG_OPS_STRUCTURED_REDUCTION_H

#include "dialects/tg/evaluation/HostTensor.h"
#include "dialects/tg/extents/ShapeInference.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace tg {

/// Returns the reduced axes, ascending; an absent list means all.
llvm::SmallVector<int64_t>
resolveAxes(std::optional<llvm::ArrayRef<int64_t>> axes, int64_t rank);

/// The shape rule of reductions: the extents that are not reduced, with 1s in
/// place of the others under `keepDims`.
llvm::LogicalResult
inferReduction(mlir::Value input, std::optional<llvm::ArrayRef<int64_t>> axes,
               bool keepDims, ShapeInference &inference,
               llvm::SmallVectorImpl<TensorExtents> &results);

/// The shape rule of ops that work along one axis: the operand's type.
llvm::LogicalResult
inferAlongAxis(mlir::Value input, int64_t axis, ShapeInference &inference,
               llvm::SmallVectorImpl<TensorExtents> &results);

/// Reshapes `reduced`, a reduction of `input` over the axes, so that it has
/// extents of 1 at the reduced axes and broadcasts against `input`. Returns
/// `reduced` itself if it already has these extents.
mlir::Value buildKeptDims(mlir::OpBuilder &builder, mlir::Value reduced,
                          mlir::Value input, llvm::ArrayRef<int64_t> axes);

/// Removes the extents of 1 at the axes from `kept`.
mlir::Value buildDroppedDims(mlir::OpBuilder &builder, mlir::Value kept,
                             llvm::ArrayRef<int64_t> axes);

/// Returns, for each element of a tensor of the shape, the linear index of the
/// element that it is reduced into.
std::vector<int64_t> reducedElements(llvm::ArrayRef<int64_t> shape,
                                     llvm::ArrayRef<int64_t> axes);

/// The type in which evaluation accumulates sums and products of T: double for
/// floats.
template <typename T>
using Accumulator =
    std::conditional_t<std::is_floating_point_v<T>, double, Wrapping<T>>;

/// A tensor viewed as `outer` times `inner` rows along one axis. Neighbouring
/// elements of a row are `inner` elements apart in memory.
struct Rows {
  int64_t outer = 1, extent = 1, inner = 1;

  Rows(llvm::ArrayRef<int64_t> shape, int64_t axis);
  int64_t count() const { return outer * inner; }
  /// Returns the linear index of element `i` of a row.
  int64_t element(int64_t row, int64_t i) const {
    return (row / inner * extent + i) * inner + row % inner;
  }
};

} // namespace tg

#endif // TG_DIALECTS_TG_OPS_STRUCTURED_REDUCTION_H
