//===- AsyncCopy.cpp - copies to shared memory that run meanwhile ---------===//
#include "compiler/codegen/cuda/product/AsyncCopy.h"
#include "compiler/codegen/cuda/JoinedAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

/// Returns the i32 `number`.
static Value constantWord(OpBuilder &builder, Location loc, unsigned number) {
  return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(),
                                      number);
}

/// Emits a call of the intrinsic `llvm.nvvm.cp.async.` and `name`.
static void callIntrinsic(OpBuilder &builder, Location loc, const Twine &name,
                          ValueRange operands) {
  LLVM::CallIntrinsicOp::create(
      builder, loc, builder.getStringAttr("llvm.nvvm.cp.async." + name),
      operands);
}

void tg::beginCopy(OpBuilder &builder, Location loc, Value shared, Value global,
                   unsigned bytes, Value exists) {
  // The longest copies need not stay in the cache of the multiprocessor.
  StringRef caches = bytes == kAccessBytes ? "cg" : "ca";
  SmallVector<Value> operands = {shared, global};
  if (exists)
    operands.push_back(arith::SelectOp::create(
        builder, loc, exists, constantWord(builder, loc, bytes),
        constantWord(builder, loc, 0)));
  callIntrinsic(builder, loc,
                caches + ".shared.global." + Twine(bytes) +
                    (exists ? ".s" : ""),
                operands);
}

void tg::commitCopies(OpBuilder &builder, Location loc) {
  callIntrinsic(builder, loc, "commit.group", {});
}

void tg::waitForCopies(OpBuilder &builder, Location loc) {
  callIntrinsic(builder, loc, "wait.group", constantWord(builder, loc, 0));
}
