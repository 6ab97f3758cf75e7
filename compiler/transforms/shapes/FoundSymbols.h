//===- FoundSymbols.h - the extents that a run finds, and who needs them --===//
#ifndef TG_COMPILER_TRANSFORMS_SHAPES_FOUNDSYMBOLS_H
#define TG_COMPILER_TRANSFORMS_SHAPES_FOUNDSYMBOLS_H

#include "dialects/tg/extents/Extents.h"
#include "dialects/tgx/Tgx.h"

namespace tg {

/// The ops of a block that measure symbols, and which ops of it must wait for
/// them: no operand may tell.
class FoundSymbols {
public:
  FoundSymbols(mlir::Block &block, const ExtentAnalysis &extents);

  /// The measures that an op of the block, or one in its regions, needs.
  llvm::SmallVector<mlir::Operation *> measuresFor(mlir::Operation *op) const;

private:
  const ExtentAnalysis &extents;
  llvm::DenseMap<unsigned, mlir::Operation *> measures;
};

/// Calls `visit` with each symbol of a number.
void forEachSymbol(mlir::AffineExpr number,
                   llvm::function_ref<void(unsigned)> visit);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SHAPES_FOUNDSYMBOLS_H
