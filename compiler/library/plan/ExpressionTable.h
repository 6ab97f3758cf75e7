//===- ExpressionTable.h - expressions as words ---------------------------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_EXPRESSIONTABLE_H
#define TG_COMPILER_LIBRARY_PLAN_EXPRESSIONTABLE_H

#include "compiler/library/plan/ModelPlan.h"

namespace tg {

/// Expressions over symbols as the words that the embedded runtime evaluates.
class ExpressionTable {
public:
  /// The first word of an expression; equal ones exist once.
  uint32_t add(mlir::AffineExpr expr);

  const std::vector<int64_t> &getWords() const { return words; }
  /// Returns true if one needs more than TG_EMBEDDED_MAX_DEPTH numbers under
  /// way.
  bool isTooDeep() const { return tooDeep; }

private:
  /// Numbers under way while `expr` is computed.
  unsigned depthOf(mlir::AffineExpr expr);
  void append(mlir::AffineExpr expr);

  std::vector<int64_t> words;
  llvm::DenseMap<mlir::AffineExpr, uint32_t> known;
  llvm::DenseMap<mlir::AffineExpr, unsigned> depths;
  bool tooDeep = false;
};

/// Fails, with a diagnostic, where the embedded runtime could not evaluate an
/// expression of the function.
llvm::LogicalResult checkDepth(const ExpressionTable &expressions,
                               const FunctionPlan &function);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_EXPRESSIONTABLE_H
