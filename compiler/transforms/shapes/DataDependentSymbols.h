//===- DataDependentSymbols.h - symbols of data-dependent sizes -----------===//
#ifndef TG_COMPILER_TRANSFORMS_SHAPES_DATADEPENDENTSYMBOLS_H
#define TG_COMPILER_TRANSFORMS_SHAPES_DATADEPENDENTSYMBOLS_H

#include "dialects/tg/extents/ExtentAnalysis.h"
#include "dialects/tgx/Tgx.h"

namespace tg {

/// The ops of a block that measure symbols, and the ops that must wait for
/// them. The dependence may not be visible in operands.
class DataDependentSymbols {
public:
  DataDependentSymbols(mlir::Block &block, const ExtentAnalysis &extents);

  /// Returns the measures that an op of the block, or an op in its regions,
  /// needs.
  llvm::SmallVector<mlir::Operation *> measuresFor(mlir::Operation *op) const;

private:
  const ExtentAnalysis &extents;
  llvm::DenseMap<unsigned, mlir::Operation *> measures;
};

/// Calls `visit` with each symbol of a number.
void forEachSymbol(mlir::AffineExpr number,
                   llvm::function_ref<void(unsigned)> visit);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SHAPES_DATADEPENDENTSYMBOLS_H
