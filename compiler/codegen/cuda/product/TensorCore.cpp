//===- TensorCore.cpp - instructions of tensor cores ----------------------===//
#include "compiler/codegen/cuda/product/TensorCore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

Value tg::roundToTf32(OpBuilder &builder, Location loc, Value value) {
  auto name = builder.getStringAttr("llvm.nvvm.f2tf32.rna");
  auto rounded = LLVM::CallIntrinsicOp::create(
      builder, loc, builder.getI32Type(), name, value);
  return arith::BitcastOp::create(builder, loc, value.getType(),
                                  rounded.getResult(0));
}

SmallVector<Value> tg::multiplyTf32(OpBuilder &builder, Location loc,
                                    ValueRange lhs, ValueRange rhs,
                                    ValueRange sums) {
  SmallVector<Value> operands;
  for (ValueRange values : {lhs, rhs})
    for (Value value : values)
      operands.push_back(
          arith::BitcastOp::create(builder, loc, builder.getI32Type(), value));
  llvm::append_range(operands, sums);
  auto matrix = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(sums.getTypes()));
  auto name = builder.getStringAttr("llvm.nvvm.mma.m16n8k8.row.col.tf32");
  Value result =
      LLVM::CallIntrinsicOp::create(builder, loc, matrix, name, operands)
          .getResult(0);
  return llvm::map_to_vector(llvm::seq<int64_t>(sums.size()), [&](int64_t i) {
    return Value(LLVM::ExtractValueOp::create(builder, loc, result, i));
  });
}
