//===- AffineCode.cpp - numbers that follow from symbols, as LLVM IR ------===//
#include "compiler/codegen/library/AffineCode.h"
#include "compiler/codegen/library/SlabLayout.h"
#include "llvm/IR/Intrinsics.h"

using namespace tg;
using llvm::ConstantInt;
using llvm::Instruction;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

Value *AffineCode::emit(mlir::AffineExpr expr) {
  auto [place, isNew] = known.try_emplace(expr, nullptr);
  if (!isNew)
    return place->second;
  Value *value = emitNew(expr);
  known[expr] = value;
  return value;
}

void AffineCode::failIf(Value *condition) {
  if (checked)
    overflowed = builder.CreateOr(overflowed, condition);
}

Value *AffineCode::combine(Intrinsic::ID checkedForm,
                           Instruction::BinaryOps plainForm, Value *a,
                           Value *b) {
  auto *left = llvm::dyn_cast<ConstantInt>(a);
  auto *right = llvm::dyn_cast<ConstantInt>(b);
  if (!checked)
    return builder.CreateBinOp(plainForm, a, b);
  if (left && right) {
    bool wraps = false;
    const llvm::APInt &x = left->getValue(), &y = right->getValue();
    llvm::APInt result = plainForm == Instruction::Add ? x.sadd_ov(y, wraps)
                                                       : x.smul_ov(y, wraps);
    failIf(builder.getInt1(wraps));
    return builder.getInt(result);
  }
  Value *pair = builder.CreateBinaryIntrinsic(checkedForm, a, b);
  failIf(builder.CreateExtractValue(pair, 1));
  return builder.CreateExtractValue(pair, 0);
}

Value *AffineCode::add(Value *a, Value *b) {
  return combine(Intrinsic::sadd_with_overflow, Instruction::Add, a, b);
}

Value *AffineCode::multiply(Value *a, Value *b) {
  return combine(Intrinsic::smul_with_overflow, Instruction::Mul, a, b);
}

Value *AffineCode::alignUp(Value *bytes) {
  return builder.CreateAnd(add(bytes, builder.getInt64(kAlignment - 1)),
                           builder.getInt64(-kAlignment));
}

Value *AffineCode::maximum(Value *a, Value *b) {
  auto *left = llvm::dyn_cast<ConstantInt>(a);
  auto *right = llvm::dyn_cast<ConstantInt>(b);
  if (left && right)
    return left->getSExtValue() < right->getSExtValue() ? b : a;
  return builder.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
}

Value *AffineCode::minimum(Value *a, Value *b) {
  auto *left = llvm::dyn_cast<ConstantInt>(a);
  auto *right = llvm::dyn_cast<ConstantInt>(b);
  if (left && right)
    return left->getSExtValue() < right->getSExtValue() ? a : b;
  return builder.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
}

Value *AffineCode::positive(Value *divisor) {
  if (auto *constant = llvm::dyn_cast<ConstantInt>(divisor))
    if (constant->getSExtValue() > 0)
      return divisor;
  Value *bad = builder.CreateICmpSLE(divisor, builder.getInt64(0));
  failIf(bad);
  return builder.CreateSelect(bad, builder.getInt64(1), divisor);
}

Value *AffineCode::floorDivide(Value *a, Value *b) {
  Value *quotient = builder.CreateSDiv(a, b);
  Value *isBelow =
      builder.CreateICmpSLT(builder.CreateSRem(a, b), builder.getInt64(0));
  return builder.CreateSub(quotient,
                           builder.CreateZExt(isBelow, builder.getInt64Ty()));
}

Value *AffineCode::emitNew(mlir::AffineExpr expr) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return builder.getInt64(constant.getValue());
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  Value *a = emit(binary.getLHS());
  Value *b = emit(binary.getRHS());
  if (expr.getKind() == mlir::AffineExprKind::Add)
    return add(a, b);
  if (expr.getKind() == mlir::AffineExprKind::Mul)
    return multiply(a, b);
  b = positive(b);
  if (expr.getKind() == mlir::AffineExprKind::FloorDiv)
    return floorDivide(a, b);
  if (expr.getKind() == mlir::AffineExprKind::CeilDiv)
    // ⌈a / b⌉ = -⌊-a / b⌋; a is never the smallest number.
    return builder.CreateNeg(floorDivide(builder.CreateNeg(a), b));
  Value *remainder = builder.CreateSRem(a, b);
  Value *isBelow = builder.CreateICmpSLT(remainder, builder.getInt64(0));
  return builder.CreateSelect(isBelow, builder.CreateAdd(remainder, b),
                              remainder);
}
