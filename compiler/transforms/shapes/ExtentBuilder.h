//===- ExtentBuilder.h - extents as ops -----------------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_SHAPES_EXTENTBUILDER_H
#define TG_COMPILER_TRANSFORMS_SHAPES_EXTENTBUILDER_H

#include "dialects/tg/extents/ExtentAnalysis.h"
#include "mlir/IR/Builders.h"

namespace tg {

/// Builds extents from the extents of the available values: the arguments of a
/// function, and values in scope.
class ExtentBuilder {
public:
  ExtentBuilder(const ExtentAnalysis &analysis, mlir::ValueRange arguments,
                mlir::ValueRange available)
      : analysis(analysis), arguments(arguments), available(available) {}

  /// Builds `extent` as a value of rank 0 and type i64. Returns null if it
  /// cannot be computed from the available values.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::AffineExpr extent) const;

private:
  mlir::Value find(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::ValueRange values, mlir::AffineExpr extent) const;
  mlir::Value compute(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::AffineExpr extent) const;
  bool canCompute(mlir::AffineExpr extent) const;

  const ExtentAnalysis &analysis;
  mlir::ValueRange arguments, available;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SHAPES_EXTENTBUILDER_H
