//===- DataDependentSymbols.h - symbols of data-dependent sizes -----------===//
#ifndef TG_COMPILER_TRANSFORMS_SHAPES_DATADEPENDENTSYMBOLS_H
#define TG_COMPILER_TRANSFORMS_SHAPES_DATADEPENDENTSYMBOLS_H

#include "dialects/tg/extents/ExtentAnalysis.h"
#include "dialects/tgx/Tgx.h"

namespace tg {

/// The tgx.measure ops of a block, which define symbols of data-dependent
/// sizes. Other ops depend on a measure through the symbols in their extents
/// and attributes, so their operands may not show the dependence.
class DataDependentSymbols {
public:
  DataDependentSymbols(mlir::Block &block, const ExtentAnalysis &extents);

  /// Returns the measures that must run before an op of the block: they define
  /// symbols that the op, or an op in its regions, uses.
  llvm::SmallVector<mlir::Operation *> measuresFor(mlir::Operation *op) const;

private:
  const ExtentAnalysis &extents;
  llvm::DenseMap<unsigned, mlir::Operation *> measures;
};

/// Calls `visit` with the position of each symbol in an expression.
void forEachSymbol(mlir::AffineExpr number,
                   llvm::function_ref<void(unsigned)> visit);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SHAPES_DATADEPENDENTSYMBOLS_H
