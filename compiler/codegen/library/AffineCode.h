//===- AffineCode.h - numbers that follow from symbols, as LLVM IR --------===//
#ifndef TG_COMPILER_CODEGEN_LIBRARY_AFFINECODE_H
#define TG_COMPILER_CODEGEN_LIBRARY_AFFINECODE_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace tg {

/// Emits affine expressions over symbols as i64 arithmetic. With checks it
/// remembers whether anything overflowed; without, it assumes that a checked
/// run of the same arithmetic came before.
///
/// Values are reused, so each place where it emits must be dominated by the
/// places before.
class AffineCode {
public:
  /// Starts without symbols; `defineSymbol` gives them values in order.
  AffineCode(llvm::IRBuilder<> &builder, bool checked)
      : builder(builder), checked(checked), overflowed(builder.getFalse()) {}

  void defineSymbol(llvm::Value *value) { symbols.push_back(value); }

  llvm::Value *emit(mlir::AffineExpr expr);

  /// a + b, a * b and the next multiple of 64, all checked like expressions.
  llvm::Value *add(llvm::Value *a, llvm::Value *b);
  llvm::Value *multiply(llvm::Value *a, llvm::Value *b);
  llvm::Value *alignUp(llvm::Value *bytes);
  llvm::Value *maximum(llvm::Value *a, llvm::Value *b);
  llvm::Value *minimum(llvm::Value *a, llvm::Value *b);

  /// Also counts as an overflow where `condition` holds.
  void failIf(llvm::Value *condition);
  /// An i1: whether anything overflowed so far.
  llvm::Value *getOverflowed() const { return overflowed; }

  llvm::IRBuilder<> &builder;

private:
  llvm::Value *emitNew(mlir::AffineExpr expr);
  llvm::Value *combine(llvm::Intrinsic::ID checkedForm,
                       llvm::Instruction::BinaryOps plainForm, llvm::Value *a,
                       llvm::Value *b);
  /// `divisor` itself, or 1 where it is not above 0.
  llvm::Value *positive(llvm::Value *divisor);
  llvm::Value *floorDivide(llvm::Value *a, llvm::Value *b);

  bool checked;
  llvm::Value *overflowed;
  llvm::SmallVector<llvm::Value *> symbols;
  llvm::DenseMap<mlir::AffineExpr, llvm::Value *> known;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_LIBRARY_AFFINECODE_H
