//===- CopyKernel.cpp - the kernel that copies bytes ----------------------===//
#include "compiler/codegen/cuda/CopyKernel.h"
#include "compiler/codegen/cuda/JoinedAccess.h"
#include "compiler/codegen/cuda/Ptx.h"
#include "compiler/codegen/cuda/Thread.h"
#include "compiler/codegen/kernel/Loops.h"
#include "dialects/tg/elements/ElementTypes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

/// The number of bytes that a block copies.
static constexpr int64_t kBlockBytes = kBlockThreads * kAccessBytes;

namespace {
/// Emits the code of a block.
class CopyKernel {
public:
  CopyKernel(OpBuilder &outside, Location loc);
  void emit();
  func::FuncOp function;

private:
  Value pointerOf(unsigned parameter);
  Value areAligned();
  void copyJoined(Value number);
  void copySingle(Value first, Value end, int64_t step);
  void copy(Type type, Value offset, unsigned count);

  Location loc;
  OpBuilder builder;
  /// The address of the source or 0, that of the target, and the number of
  /// bytes.
  Value source, target, bytes;
};
} // namespace

CopyKernel::CopyKernel(OpBuilder &outside, Location loc)
    : function(func::FuncOp::create(
          outside, loc, "tg.copy",
          outside.getFunctionType(SmallVector<Type>(5, outside.getI64Type()),
                                  TypeRange()))),
      loc(loc), builder(OpBuilder::atBlockBegin(function.addEntryBlock())),
      source(function.getArgument(0)), target(function.getArgument(1)),
      bytes(function.getArgument(2)) {}

Value CopyKernel::pointerOf(unsigned parameter) {
  return LLVM::IntToPtrOp::create(
      builder, loc,
      LLVM::LLVMPointerType::get(builder.getContext(), kGlobalMemory),
      function.getArgument(parameter));
}

/// Returns true as a value if the addresses allow accesses of `kAccessBytes`.
Value CopyKernel::areAligned() {
  IntegerOps ops(builder, loc);
  Value low = arith::AndIOp::create(
      builder, loc, arith::OrIOp::create(builder, loc, source, target),
      ops.constant(kAccessBytes - 1));
  return ops.compare(arith::CmpIPredicate::eq, low, ops.constant(0));
}

/// Copies `count` neighbours of a type, of which `offset` precede them, by one
/// access.
void CopyKernel::copy(Type type, Value offset, unsigned count) {
  IntegerOps ops(builder, loc);
  Value hasSource =
      ops.compare(arith::CmpIPredicate::ne, source, ops.constant(0));
  auto branch =
      scf::IfOp::create(builder, loc, SmallVector<Type>(count, type), hasSource,
                        /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(
        builder, loc,
        loadJoined(builder, loc, {pointerOf(0), type}, offset, count));
    builder.setInsertionPointToStart(branch.elseBlock());
    Value zero = arith::ConstantIntOp::create(builder, loc, type, 0);
    scf::YieldOp::create(builder, loc, SmallVector<Value>(count, zero));
  }
  storeJoined(builder, loc, {pointerOf(1), type}, offset,
              SmallVector<Value>(branch.getResults()));
}

/// Copies run `number` of `kAccessBytes`. The last one may be short.
void CopyKernel::copyJoined(Value number) {
  IntegerOps ops(builder, loc);
  Type word = builder.getI32Type();
  const unsigned words = kAccessBytes / elementBytes(word);
  Value first = ops.mul(number, ops.constant(kAccessBytes));
  Value isWhole =
      ops.compare(arith::CmpIPredicate::sle,
                  ops.add(first, ops.constant(kAccessBytes)), bytes);
  auto branch = scf::IfOp::create(builder, loc, isWhole,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  copy(word, ops.mul(number, ops.constant(words)), words);
  builder.setInsertionPointToStart(branch.elseBlock());
  copySingle(first, bytes, /*step=*/1);
}

/// Copies each byte of [first, end) that some steps reach.
void CopyKernel::copySingle(Value first, Value end, int64_t step) {
  buildFor(builder, loc, first, end, step, [&](Value offset) {
    copy(builder.getIntegerType(8), offset, /*count=*/1);
  });
}

// Neighbouring threads copy neighbouring bytes if accesses cannot be joined.
void CopyKernel::emit() {
  builder.setInsertionPoint(func::ReturnOp::create(builder, loc));
  IntegerOps ops(builder, loc);
  Value size = ops.constant(kBlockBytes);
  Thread thread = beginThread(builder, loc, {kBlockThreads, kBlockThreads},
                              ops.ceilDiv(bytes, size), pointerOf(3),
                              function.getArgument(4));
  builder.setInsertionPoint(thread.body->getTerminator());
  auto branch = scf::IfOp::create(builder, loc, areAligned(),
                                  /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  copyJoined(ops.add(ops.mul(thread.team, ops.constant(kBlockThreads)),
                     thread.member));
  builder.setInsertionPointToStart(branch.elseBlock());
  Value first = ops.mul(thread.team, size);
  copySingle(ops.add(first, thread.member),
             ops.min(ops.add(first, size), bytes), kBlockThreads);
}

KernelLaunch tg::emitCopyKernel(OpBuilder &builder, Location loc) {
  CopyKernel kernel(builder, loc);
  kernel.emit();
  AffineExpr bytes = getAffineSymbolExpr(0, builder.getContext());
  return {ptxNameOf(kernel.function.getName()),
          kernel.function.getNumArguments(), kBlockThreads,
          AffineMap::get(0, 1, bytes.ceilDiv(kBlockBytes) * kBlockThreads)};
}
