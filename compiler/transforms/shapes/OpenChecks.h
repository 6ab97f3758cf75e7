//===- OpenChecks.h - what is checked while extents have names ------------===//
#ifndef TG_COMPILER_TRANSFORMS_SHAPES_OPENCHECKS_H
#define TG_COMPILER_TRANSFORMS_SHAPES_OPENCHECKS_H

#include "compiler/transforms/shapes/FunctionSymbols.h"

namespace tg {

/// What a function checks of its extents before numbers are bound to their
/// names. A `?` never broadcasts, a static 1 does: where a number makes an
/// extent 1, ops take what they would have refused.
class OpenChecks {
public:
  /// Of a function whose names are not bound yet, and whose ops stay.
  explicit OpenChecks(mlir::func::FuncOp function)
      : open(function.getOperation()) {}

  /// Lets the function, inferred with bound names, check what it checked
  /// before. Gives whether that took ops: what follows from them is to be
  /// inferred, and kept in turn. Fails with a diagnostic where a check fails in
  /// every run.
  mlir::FailureOr<bool> keep(const llvm::StringMap<int64_t> &numbers,
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
