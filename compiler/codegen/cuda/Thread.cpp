//===- Thread.cpp - the number of a thread, and launches that fail --------===//
#include "compiler/codegen/cuda/Thread.h"
#include "compiler/codegen/kernel/EmittedKernel.h"
#include "dialects/tg/elements/IntegerOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tg;

/// Returns a special register of the thread as an i64.
static Value readRegister(OpBuilder &builder, Location loc, StringRef name) {
  auto read = LLVM::CallIntrinsicOp::create(
      builder, loc, builder.getI32Type(),
      builder.getStringAttr("llvm.nvvm.read.ptx.sreg." + name), ValueRange());
  return arith::ExtUIOp::create(builder, loc, builder.getI64Type(),
                                read.getResult(0));
}

/// Returns the address of byte `offset` after `base`.
static Value addressAt(OpBuilder &builder, Location loc, Value base,
                       LLVM::GEPArg offset) {
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(),
                             base, offset);
}

Thread tg::beginThread(OpBuilder &builder, Location loc, const TeamShape &shape,
                       Value count, Value report, Value launch) {
  IntegerOps ops(builder, loc);
  Type word = builder.getI64Type();
  Value team = readRegister(builder, loc, "ctaid.x");
  Value member = readRegister(builder, loc, "tid.x");
  if (shape.teamThreads != shape.blockThreads) {
    Value teamThreads = ops.constant(shape.teamThreads);
    Value inBlock = member;
    Value first =
        ops.mul(team, ops.constant(shape.blockThreads / shape.teamThreads));
    team = ops.add(first, ops.div(inBlock, teamThreads));
    member = ops.rem(inBlock, teamThreads);
  }
  Value isActive = ops.compare(arith::CmpIPredicate::slt, team, count);
  // Other threads of this launch may lower the number to that of this launch at
  // the same time, which makes no difference here.
  Value failing = LLVM::LoadOp::create(
      builder, loc, word, addressAt(builder, loc, report, kFailingLaunchBytes),
      /*alignment=*/8);
  Value mayRun = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                       failing, launch);
  auto branch = scf::IfOp::create(
      builder, loc, arith::AndIOp::create(builder, loc, isActive, mayRun),
      /*withElseRegion=*/false);
  return {team, member, branch.thenBlock()};
}

void tg::emitBarrier(OpBuilder &builder, Location loc) {
  Value barrier =
      arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 0);
  LLVM::CallIntrinsicOp::create(
      builder, loc,
      builder.getStringAttr("llvm.nvvm.barrier.cta.sync.aligned.all"),
      ValueRange(barrier));
}

void tg::markFailing(OpBuilder &builder, Location loc, Value fails,
                     Value report, Value launch) {
  auto branch = scf::IfOp::create(builder, loc, fails, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  LLVM::AtomicRMWOp::create(
      builder, loc, LLVM::AtomicBinOp::min,
      addressAt(builder, loc, report, kFailingLaunchBytes), launch,
      LLVM::AtomicOrdering::monotonic);
}
