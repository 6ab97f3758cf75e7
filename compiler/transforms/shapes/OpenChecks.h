//===- OpenChecks.h - checks of extents before binding --------------------===//
#ifndef TG_COMPILER_TRANSFORMS_SHAPES_OPENCHECKS_H
#define TG_COMPILER_TRANSFORMS_SHAPES_OPENCHECKS_H

#include "compiler/transforms/shapes/FunctionSymbols.h"

namespace tg {

/// The checks of a function on its extents before the names of extents are
/// bound to numbers. A `?` never broadcasts, but a static 1 does. If binding
/// makes an extent 1, ops would accept inputs that they rejected before.
class OpenChecks {
public:
  /// Analyzes a function whose names are not bound yet. Its ops must stay
  /// alive.
  explicit OpenChecks(mlir::func::FuncOp function)
      : open(function.getOperation()) {}

  /// Makes the function, inferred with bound names, check what it checked
  /// before. Returns true if ops were added for that. The types that follow
  /// from them must then be inferred, and `restore` must be called again. Fails
  /// with a diagnostic if a check fails in every run.
  mlir::FailureOr<bool> restore(const llvm::StringMap<int64_t> &numbers,
                                const FunctionSymbols &bound);

private:
  std::optional<int64_t> numberOf(const ExtentCheck &check,
                                  mlir::AffineExpr extent,
                                  mlir::AffineExpr replaced) const;
  bool ensure(const ExtentCheck &check, mlir::AffineExpr extent,
              int64_t number);

  FunctionSymbols open;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SHAPES_OPENCHECKS_H
