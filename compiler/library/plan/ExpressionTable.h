//===- ExpressionTable.h - expressions as words ---------------------------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_EXPRESSIONTABLE_H
#define TG_COMPILER_LIBRARY_PLAN_EXPRESSIONTABLE_H

#include "compiler/library/plan/ModelPlan.h"

namespace tg {

/// A table of affine expressions over symbols, encoded as the words that the
/// embedded runtime evaluates.
class ExpressionTable {
public:
  /// Returns the index of the first word of `expr`. Equal expressions are
  /// stored once.
  uint32_t add(mlir::AffineExpr expr);

  const std::vector<int64_t> &getWords() const { return words; }
  /// Returns true if an expression needs a stack of more than
  /// TG_EMBEDDED_MAX_DEPTH numbers.
  bool isTooDeep() const { return tooDeep; }

private:
  /// Returns the depth of the stack that evaluating `expr` needs.
  unsigned depthOf(mlir::AffineExpr expr);
  void append(mlir::AffineExpr expr);

  std::vector<int64_t> words;
  llvm::DenseMap<mlir::AffineExpr, uint32_t> known;
  llvm::DenseMap<mlir::AffineExpr, unsigned> depths;
  bool tooDeep = false;
};

/// Emits a diagnostic and fails if an expression of the function is too deep
/// for the embedded runtime.
llvm::LogicalResult checkDepth(const ExpressionTable &expressions,
                               const FunctionPlan &function);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_EXPRESSIONTABLE_H
