//===- Builders.h - small builders that gradient rules and passes share ---===//
#ifndef TG_DIALECTS_TG_BUILDERS_H
#define TG_DIALECTS_TG_BUILDERS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tg {

/// A rank-0 constant of the element type.
mlir::Value buildScalarConstant(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Type elementType, double value);

/// The same with the element type of `like`.
mlir::Value buildScalarLike(mlir::OpBuilder &builder, mlir::Value like,
                            double value);

/// The extent of `value` on an axis, rank 0, i64; a constant where static.
mlir::Value buildDim(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value, int64_t axis);

/// One dim per `?` of `like`, in order: the `dynamic` operands of an op that
/// makes a tensor of its extents, and its list with -1 at those places.
llvm::SmallVector<mlir::Value> buildDynamicExtents(mlir::OpBuilder &builder,
                                                   mlir::Value like);
llvm::SmallVector<int64_t> extentList(mlir::Value like);

/// `value` broadcast to the extents of `like`; itself if the types are equal
/// and static.
mlir::Value buildBroadcastLike(mlir::OpBuilder &builder, mlir::Value value,
                               mlir::Value like);

/// The value with the given type: extents are checked where they are static in
/// one of the types only.
mlir::Value buildOfType(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, mlir::RankedTensorType type);

/// A tensor of zeros with the type and extents of `like`.
mlir::Value buildZerosLike(mlir::OpBuilder &builder, mlir::Value like);

/// `value` reshaped to the extents of `like`.
mlir::Value buildReshapeLike(mlir::OpBuilder &builder, mlir::Value value,
                             mlir::Value like);

/// [..., m, n] as [rows, n].
mlir::Value buildAsMatrix(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value);

/// sum_to(value, like): the sum over the dimensions in which `like` was
/// broadcast to give `value`, in the shape of `like`. The adjoint of
/// broadcasting.
mlir::Value buildSumTo(mlir::OpBuilder &builder, mlir::Value value,
                       mlir::Value like);

/// Builds an op again on other operands, from which its result types follow.
mlir::Operation *buildOnOperands(mlir::OpBuilder &builder, mlir::Operation *op,
                                 mlir::ValueRange operands);

/// The number of elements of `value` as a rank-0 tensor of its element type.
mlir::Value buildElementCount(mlir::OpBuilder &builder, mlir::Value value,
                              llvm::ArrayRef<int64_t> axes);

} // namespace tg

#endif // TG_DIALECTS_TG_BUILDERS_H
