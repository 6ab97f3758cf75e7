//===- Builders.h - small builders that gradient rules and passes share ---===//
#ifndef TG_DIALECTS_TG_BUILDERS_H
#define TG_DIALECTS_TG_BUILDERS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tg {

/// Builds a rank-0 constant of the element type.
mlir::Value buildScalarConstant(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Type elementType, double value);

/// Builds a rank-0 constant of the element type of `like`.
mlir::Value buildScalarLike(mlir::OpBuilder &builder, mlir::Value like,
                            double value);

/// Builds the extent of `value` on an axis, rank 0, i64; a constant if static.
mlir::Value buildDim(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value, int64_t axis);

/// Builds one tg.dim for each `?` of `like`, in order: the `dynamic` operands
/// of an op whose result has the extents of `like`.
llvm::SmallVector<mlir::Value> buildDynamicExtents(mlir::OpBuilder &builder,
                                                   mlir::Value like);
/// Returns the extents of `like` with -1 for each `?`.
llvm::SmallVector<int64_t> extentList(mlir::Value like);

/// Broadcasts `value` to the extents of `like`; returns `value` if the types
/// are equal and static.
mlir::Value buildBroadcastLike(mlir::OpBuilder &builder, mlir::Value value,
                               mlir::Value like);

/// Converts a value to the given type. Extents that are static in only one of
/// the types are checked.
mlir::Value buildOfType(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, mlir::RankedTensorType type);

/// Builds a tensor of zeros with the type and extents of `like`.
mlir::Value buildZerosLike(mlir::OpBuilder &builder, mlir::Value like);

/// Reshapes `value` to the extents of `like`.
mlir::Value buildReshapeLike(mlir::OpBuilder &builder, mlir::Value value,
                             mlir::Value like);

/// Reshapes [..., m, n] to a matrix with columns n, and all other dimensions as
/// its rows.
mlir::Value buildAsMatrix(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value);

/// Builds sum_to(value, like): the sum over the dimensions in which `like` was
/// broadcast to give `value`, in the shape of `like`. This is the adjoint of
/// broadcasting.
mlir::Value buildSumTo(mlir::OpBuilder &builder, mlir::Value value,
                       mlir::Value like);

/// Rebuilds an op with other operands, which determine its result types.
mlir::Operation *buildOnOperands(mlir::OpBuilder &builder, mlir::Operation *op,
                                 mlir::ValueRange operands);

/// Builds the number of elements of `value` along `axes` as a rank-0 tensor of
/// its element type.
mlir::Value buildElementCount(mlir::OpBuilder &builder, mlir::Value value,
                              llvm::ArrayRef<int64_t> axes);

} // namespace tg

#endif // TG_DIALECTS_TG_BUILDERS_H
