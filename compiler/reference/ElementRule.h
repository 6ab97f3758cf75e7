//===- ElementRule.h - the element rule of an op, run on tensors ----------===//
#ifndef TG_COMPILER_REFERENCE_ELEMENTRULE_H
#define TG_COMPILER_REFERENCE_ELEMENTRULE_H

#include "compiler/reference/lanes/LaneProgram.h"
#include "dialects/tg/Tg.h"

namespace tg {

/// Loads the dialects of the ops that rules and reductions build.
void loadScalarDialects(mlir::MLIRContext *context);

/// Compiles a block of scalar ops after replacing math ops by their expansions.
std::unique_ptr<LaneProgram> compileScalars(mlir::Operation *function);

/// The element rule of an op, for operands and results of given extents.
class ElementRule {
public:
  ElementRule(ElementOpInterface op, llvm::ArrayRef<HostTensor> operands,
              llvm::ArrayRef<HostTensor> results);

  /// Computes all elements of the results, which have equal extents.
  /// `valueOf` returns the value of an expression over the symbols of the
  /// function. Returns an empty string, or the reason why that is impossible.
  std::string run(llvm::ArrayRef<HostTensor> operands,
                  llvm::MutableArrayRef<HostTensor> results,
                  llvm::function_ref<int64_t(mlir::AffineExpr)> valueOf) const;

private:
  friend class RuleBuilder;
  /// An argument of the program that has one value for all elements: the value
  /// of an operand of rank 0, or an expression.
  struct Number {
    unsigned argument;
    std::optional<unsigned> operand;
    mlir::AffineExpr expression;
  };

  std::unique_ptr<LaneProgram> program;
  llvm::SmallVector<Number> numbers;
};

} // namespace tg

#endif // TG_COMPILER_REFERENCE_ELEMENTRULE_H
