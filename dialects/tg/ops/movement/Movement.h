//===- Movement.h - common code of ops that move elements -----------------===//
#ifndef TG_DIALECTS_TG_OPS_MOVEMENT_MOVEMENT_H
#define TG_DIALECTS_TG_OPS_MOVEMENT_MOVEMENT_H

#include "dialects/tg/elements/ElementBuilder.h"
#include "dialects/tg/evaluation/HostTensor.h"
#include "dialects/tg/extents/ShapeInference.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tg {

/// Returns the type of a value; all values of the dialect are ranked tensors.
inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// An index of a tensor, one number per dimension.
using Index = llvm::SmallVector<int64_t>;

/// A strided box in a tensor: its start, size and stride in each dimension.
struct SliceExtents {
  llvm::SmallVector<mlir::AffineExpr> starts, sizes;
  llvm::SmallVector<int64_t> strides;
};

/// Returns `strides`, or ones if there are none.
llvm::SmallVector<int64_t>
stridesOrOnes(std::optional<llvm::SmallVector<int64_t>> strides, size_t rank);

/// Checks C1 of ops with lists: a list has one entry for each of `rank`
/// dimensions.
llvm::LogicalResult checkListLength(ShapeInference &inference,
                                    llvm::ArrayRef<int64_t> list,
                                    llvm::StringRef listName, int64_t rank);

/// Checks that a box lies within a tensor of the given extents (C2 and C3 of
/// tg.slice). Adds requirements that a run checks for numbers that are not
/// static.
llvm::LogicalResult checkSlice(ShapeInference &inference,
                               llvm::ArrayRef<mlir::AffineExpr> extents,
                               const SliceExtents &slice);

/// Returns the extents of the result of tg.gather. Checks C1 and C2 of gather
/// and scatter.
llvm::FailureOr<llvm::SmallVector<mlir::AffineExpr>>
gatherExtents(ShapeInference &inference, llvm::ArrayRef<mlir::AffineExpr> input,
              llvm::ArrayRef<mlir::AffineExpr> indices, int64_t axis,
              int64_t batchDims);

/// Replaces the -1 entries of a list by the values of rank-0 tensors, in order.
Index fillNumbers(llvm::ArrayRef<int64_t> list,
                  llvm::ArrayRef<HostTensor> dynamic);

/// Copies one element between tensors of one element type.
void copyElement(HostTensor &target, int64_t to, const HostTensor &source,
                 int64_t from);

/// Sets the element of `result` at each position to the element of `source` at
/// sourcePosition(position), in row-major order.
void fillFrom(
    HostTensor &result, const HostTensor &source,
    llvm::function_ref<Index(llvm::ArrayRef<int64_t>)> sourcePosition);

/// Copies the element of `source` at each position to the element of `result`
/// at resultPosition(position), in row-major order.
void copyInto(
    HostTensor &result, const HostTensor &source,
    llvm::function_ref<Index(llvm::ArrayRef<int64_t>)> resultPosition);

/// Builds the slice of `from` with the extents of `like`. Entries -1 of
/// `starts` are filled by `startNumbers`, in order.
mlir::Value buildSliceLike(mlir::OpBuilder &builder, mlir::Value from,
                           llvm::ArrayRef<int64_t> starts,
                           mlir::ValueRange startNumbers,
                           mlir::ArrayAttr strides, mlir::Value like);

/// Builds the scalar i1 that is true if `index` is in [0, extent).
mlir::Value buildWithin(ElementBuilder &element, mlir::Value index,
                        mlir::Value extent);

/// Returns the number of neighbouring lanes that are known to lie either all
/// inside or all outside of a box. `offset` is the position of the first lane
/// relative to the box on an axis of `position`, and `extent` is the extent of
/// the box. Returns 1 if the axis has lane step 0, so that all lanes are at one
/// position on it. Returns 0 if some lanes may lie inside and others outside.
unsigned lanesTogether(ElementBuilder &element, const Position &position,
                       unsigned axis, mlir::Value offset, mlir::Value extent);

/// Builds `index` clamped to [0, extent - lanes]. If `index` is the position of
/// the first of `lanes` neighbouring lanes, all of them then lie in
/// [0, extent). The extent must be at least `lanes`.
mlir::Value buildClamp(ElementBuilder &element, mlir::Value index,
                       mlir::Value extent, unsigned lanes = 1);

/// Checks C1 of constants: `value` is a dense attribute, or refers to an
/// existing resource that has the byte count of the type.
llvm::LogicalResult verifyConstantValue(mlir::Operation *op,
                                        mlir::ElementsAttr value);

/// Returns true if the tensor type is known to have a positive extent on the
/// axis.
bool isNeverEmpty(mlir::Type type, int64_t axis);

} // namespace tg

#endif // TG_DIALECTS_TG_OPS_MOVEMENT_MOVEMENT_H
