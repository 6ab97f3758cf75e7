//===- MeasureBuilder.h - ops that measure data-dependent sizes -----------===//
#ifndef TG_COMPILER_TRANSFORMS_SHAPES_MEASUREBUILDER_H
#define TG_COMPILER_TRANSFORMS_SHAPES_MEASUREBUILDER_H

#include "dialects/tg/Tg.h"
#include "dialects/tg/extents/ExtentAnalysis.h"

namespace tg {

/// A data-dependent extent of a result.
struct FoundAxis {
  unsigned axis;
  DataDependentSize number;
};

/// Builds the measures of data-dependent sizes, the valid elements of a tensor,
/// and tensors with room for the upper bounds of extents.
class MeasureBuilder {
public:
  /// `firstSymbol` is the symbol that the first measure defines.
  explicit MeasureBuilder(unsigned firstSymbol) : nextSymbol(firstSymbol) {}

  /// Builds a measure, which defines a new symbol for the number.
  mlir::Value buildMeasure(mlir::OpBuilder &builder, mlir::Value number,
                           const DataDependentSize &found);
  /// Builds the valid elements of `whole`, as measured by `numbers`.
  mlir::Value buildThere(mlir::OpBuilder &builder, mlir::Value whole,
                         mlir::RankedTensorType type,
                         llvm::ArrayRef<FoundAxis> axes,
                         mlir::ValueRange numbers);
  /// Builds a tensor of zeros with the upper bound of the extents of `like`.
  mlir::Value buildRoom(mlir::OpBuilder &builder, mlir::Value like,
                        llvm::ArrayRef<FoundAxis> axes);
  /// Writes `value` to the beginning of `room`.
  mlir::Value buildInRoom(mlir::OpBuilder &builder, mlir::Value room,
                          mlir::Value value);
  /// Builds the extents of `value` along the axes, each a tensor of rank 0.
  llvm::SmallVector<mlir::Value> buildNumbers(mlir::OpBuilder &builder,
                                              mlir::Value value,
                                              llvm::ArrayRef<FoundAxis> axes);
  /// Replaces the uses of `value`, which now has its upper bound of extents, by
  /// its valid elements.
  void replaceByThere(mlir::OpBuilder &builder, mlir::Value value,
                      mlir::RankedTensorType type,
                      llvm::ArrayRef<FoundAxis> axes, mlir::ValueRange numbers);

private:
  /// Builds the number as a tensor of rank 0.
  mlir::Value buildSize(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::AffineExpr number);

  unsigned nextSymbol;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SHAPES_MEASUREBUILDER_H
