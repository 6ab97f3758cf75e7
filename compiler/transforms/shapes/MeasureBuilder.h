//===- MeasureBuilder.h - ops that measure data-dependent sizes -----------===//
#ifndef TG_COMPILER_TRANSFORMS_SHAPES_MEASUREBUILDER_H
#define TG_COMPILER_TRANSFORMS_SHAPES_MEASUREBUILDER_H

#include "dialects/tg/Tg.h"
#include "dialects/tg/extents/ExtentAnalysis.h"

namespace tg {

/// An axis of a result that has a data-dependent extent.
struct FoundAxis {
  unsigned axis;
  DataDependentSize number;
};

/// Builds the ops for data-dependent extents: the measures of the extents,
/// tensors with the upper bounds as extents, and the slices of these tensors
/// that hold the valid elements.
class MeasureBuilder {
public:
  /// `firstSymbol` is the symbol that the first measure defines.
  explicit MeasureBuilder(unsigned firstSymbol) : nextSymbol(firstSymbol) {}

  /// Builds a measure, which defines a new symbol with the value of `number`.
  /// Returns the value of the symbol as a tensor of rank 0.
  mlir::Value buildMeasure(mlir::OpBuilder &builder, mlir::Value number,
                           const DataDependentSize &found);
  /// Builds the slice of `whole` with the valid elements. `numbers` are the
  /// numbers of valid elements along `axes`.
  mlir::Value buildThere(mlir::OpBuilder &builder, mlir::Value whole,
                         mlir::RankedTensorType type,
                         llvm::ArrayRef<FoundAxis> axes,
                         mlir::ValueRange numbers);
  /// Builds a tensor of zeros with the extents of `like`, but with their upper
  /// bounds along `axes`.
  mlir::Value buildRoom(mlir::OpBuilder &builder, mlir::Value like,
                        llvm::ArrayRef<FoundAxis> axes);
  /// Writes `value` to the beginning of `room`.
  mlir::Value buildInRoom(mlir::OpBuilder &builder, mlir::Value room,
                          mlir::Value value);
  /// Builds the extents of `value` along the axes, each a tensor of rank 0.
  llvm::SmallVector<mlir::Value> buildNumbers(mlir::OpBuilder &builder,
                                              mlir::Value value,
                                              llvm::ArrayRef<FoundAxis> axes);
  /// Replaces the uses of `value`, whose extents along `axes` are now upper
  /// bounds, by the slice with its valid elements.
  void replaceByThere(mlir::OpBuilder &builder, mlir::Value value,
                      mlir::RankedTensorType type,
                      llvm::ArrayRef<FoundAxis> axes, mlir::ValueRange numbers);

private:
  /// Builds the value of an expression over symbols, as a tensor of rank 0.
  mlir::Value buildSize(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::AffineExpr number);

  unsigned nextSymbol;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SHAPES_MEASUREBUILDER_H
