//===- KernelFrame.cpp - the functions of a kernel and their entry --------===//
#include "compiler/codegen/cpu/KernelFrame.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

ArgumentBlock::ArgumentBlock(tgx::KernelOp kernel)
    : inputs(kernel.getBlock().getNumArguments()),
      outputs(kernel.getOutputs().size()), symbols(kernel.getSymbolCount()) {}

//===----------------------------------------------------------------------===//
// EntryExtents
//===----------------------------------------------------------------------===//

Value EntryExtents::slot(unsigned number, Type type) {
  Value &value = slots[number];
  if (value)
    return value;
  auto pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  Value address =
      LLVM::GEPOp::create(builder, loc, pointerType, builder.getI64Type(), task,
                          ArrayRef<LLVM::GEPArg>{int32_t(number)});
  value = LLVM::LoadOp::create(builder, loc, type, address, /*alignment=*/8);
  return value;
}

Value EntryExtents::pointer(unsigned number) {
  return slot(number, LLVM::LLVMPointerType::get(builder.getContext()));
}

Value EntryExtents::workers() {
  return slot(layout.workers(), builder.getI64Type());
}

Value EntryExtents::get(AffineExpr expression) {
  if (Value value = known.lookup(expression))
    return value;
  Value value = compute(expression);
  known[expression] = value;
  return value;
}

Value EntryExtents::compute(AffineExpr expression) {
  IntegerOps ops = integers();
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return ops.constant(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return slot(layout.symbol(symbol.getPosition()), builder.getI64Type());
  auto binary = cast<AffineBinaryOpExpr>(expression);
  Value lhs = get(binary.getLHS()), rhs = get(binary.getRHS());
  Value zero = ops.constant(0);
  switch (expression.getKind()) {
  case AffineExprKind::Add:
    return ops.add(lhs, rhs);
  case AffineExprKind::Mul:
    return ops.mul(lhs, rhs);
  case AffineExprKind::Mod:
    return ops.sub(lhs, ops.mul(ops.floorDiv(lhs, rhs), rhs));
  case AffineExprKind::CeilDiv:
    return ops.sub(zero, ops.floorDiv(ops.sub(zero, lhs), rhs));
  default:
    return ops.floorDiv(lhs, rhs);
  }
}

//===----------------------------------------------------------------------===//
// KernelFrame
//===----------------------------------------------------------------------===//

/// Creates a function with an empty entry block.
static func::FuncOp createFunction(OpBuilder &builder, Location loc,
                                   const Twine &name, TypeRange inputs,
                                   TypeRange results) {
  auto function = func::FuncOp::create(
      builder, loc, name.str(), builder.getFunctionType(inputs, results));
  function.addEntryBlock();
  return function;
}

KernelFrame::KernelFrame(tgx::KernelOp kernel, const TargetDescription &target,
                         scf::ForOp tileLoop, func::FuncOp body,
                         func::FuncOp tiles)
    : KernelContext(kernel, target,
                    OpBuilder(tileLoop.getBody()->getTerminator())),
      layout(kernel), tile(tileLoop.getInductionVar()),
      entry(OpBuilder(tileLoop), loc, body.getArgument(0), layout), body(body),
      tiles(tiles) {}

std::unique_ptr<KernelFrame>
KernelFrame::create(tgx::KernelOp kernel, const TargetDescription &target,
                    OpBuilder &builder) {
  Location loc = kernel.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
  func::FuncOp body = createFunction(builder, loc, kernel.getSymName(),
                                     {pointer, i64, i64, i32}, {});
  func::FuncOp tiles = createFunction(
      builder, loc, kernel.getSymName() + ".tiles", {pointer}, {i64});

  OpBuilder inside = OpBuilder::atBlockBegin(&body.front());
  Value one =
      arith::ConstantOp::create(inside, loc, inside.getI64IntegerAttr(1));
  auto tileLoop = scf::ForOp::create(inside, loc, body.getArgument(1),
                                     body.getArgument(2), one);
  func::ReturnOp::create(inside, loc);

  std::unique_ptr<KernelFrame> frame(
      new KernelFrame(kernel, target, tileLoop, body, tiles));
  if (failed(frame->analyze()))
    return nullptr;
  return frame;
}

void KernelFrame::setTiles(TileCountBuilder count) {
  Block &block = tiles.front();
  OpBuilder inside = OpBuilder::atBlockBegin(&block);
  Operation *end = func::ReturnOp::create(inside, loc, block.getArgument(0));
  EntryExtents extents(OpBuilder(end), loc, block.getArgument(0), layout);
  end->setOperand(0, count(extents));
}

Elements KernelFrame::argument(BlockArgument tensor) {
  return {entry.pointer(tensor.getArgNumber()),
          getElementTypeOrSelf(tensor.getType())};
}

Elements KernelFrame::output(unsigned number) {
  Value tensor = kernel.getOutputs()[number];
  return {entry.pointer(layout.output(number)),
          getElementTypeOrSelf(tensor.getType())};
}

void KernelFrame::report(Value fails, tgx::ElementCheckOpInterface check,
                         function_ref<FailingElement()> describe) {
  // Values from the entry must stand before the branch, even when the check
  // itself was hoisted there.
  Value errors = entry.pointer(layout.error());
  auto branch = scf::IfOp::create(builder, loc, fails, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  FailingElement failure = describe();
  auto at = [&](Value bytes) {
    return addressOf(builder, loc, {errors, builder.getIntegerType(8)}, bytes);
  };
  IntegerOps ops = integers();
  Value cell =
      ops.constant(kErrorCellBytes + 8 * int64_t(kernel.firstCellOf(check)));
  if (failure.predicate)
    cell = ops.add(cell, ops.mul(failure.predicate, ops.constant(8)));
  Value before = LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::min,
                                           at(cell), failure.element,
                                           LLVM::AtomicOrdering::monotonic);
  if (!failure.value)
    return;
  Value isKnown =
      ops.compare(arith::CmpIPredicate::eq, before, failure.element);
  auto again = scf::IfOp::create(builder, loc, isKnown, /*withElse=*/false);
  builder.setInsertionPoint(again.thenBlock()->getTerminator());
  LLVM::StoreOp::create(builder, loc, failure.value,
                        at(ops.constant(kReportedValueBytes)), /*alignment=*/8,
                        /*isVolatile=*/false, /*isNonTemporal=*/false,
                        /*isInvariantGroup=*/false,
                        LLVM::AtomicOrdering::monotonic);
}

/// Returns the offsets of consecutive regions of the given sizes, each aligned,
/// followed by the end of the last one.
static SmallVector<AffineExpr>
offsetsOf(ArrayRef<AffineExpr> bytes, int64_t alignment, MLIRContext *context) {
  SmallVector<AffineExpr> offsets = {getAffineConstantExpr(0, context)};
  for (AffineExpr part : bytes)
    offsets.push_back(offsets.back() + part.ceilDiv(alignment) * alignment);
  return offsets;
}

/// Allocates consecutive regions. `begin` returns the offset of the first
/// region for a given total size. Stores the possible total sizes in `totals`.
SmallVector<Value> KernelFrame::layOut(ArrayRef<AffineExpr> bytes,
                                       ArrayRef<AffineExpr> most,
                                       AffineMap &totals,
                                       function_ref<Value(Value size)> begin) {
  assert(!totals && "memory is taken once");
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> offsets = offsetsOf(bytes, target.alignment, context);
  SmallVector<AffineExpr> limits = offsetsOf(most, target.alignment, context);
  SmallVector<AffineExpr> sizes = {offsets.back()};
  if (!most.empty())
    sizes.push_back(limits.back());
  totals = AffineMap::get(0, layout.symbols, sizes, context);
  IntegerOps ops = entry.integers();
  auto offset = [&](size_t part) {
    Value number = entry.get(offsets[part]);
    return most.empty() ? number : ops.min(number, entry.get(limits[part]));
  };
  Value base = begin(offset(bytes.size()));
  Elements memory{entry.pointer(layout.scratch()),
                  entry.builder.getIntegerType(8)};
  return llvm::map_to_vector(llvm::seq(bytes.size()), [&](size_t part) {
    return addressOf(entry.builder, loc, memory, ops.add(base, offset(part)));
  });
}

SmallVector<Value> KernelFrame::takeScratch(ArrayRef<AffineExpr> bytes,
                                            ArrayRef<AffineExpr> most) {
  return layOut(bytes, most, scratchBytes, [&](Value size) {
    IntegerOps ops = entry.integers();
    Value worker = arith::ExtUIOp::create(
        entry.builder, loc, entry.builder.getI64Type(), body.getArgument(3));
    Value before = ops.mul(worker, size);
    return partialsSize ? ops.add(partialsSize, before) : before;
  });
}

SmallVector<Value> KernelFrame::takePartials(ArrayRef<AffineExpr> bytes,
                                             ArrayRef<AffineExpr> most) {
  assert(!scratchBytes && "shared memory lies before scratch memory");
  return layOut(bytes, most, partialsBytes, [&](Value size) {
    partialsSize = size;
    return entry.integers().constant(0);
  });
}

EmittedKernel KernelFrame::finish() {
  return {kernel.getSymName().str(), scratchBytes, partialsBytes};
}
