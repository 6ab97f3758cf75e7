//===- KernelFrame.cpp - the functions of a kernel and their entry --------===//
#include "compiler/codegen/cpu/KernelFrame.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// EntryExtents
//===----------------------------------------------------------------------===//

Value EntryExtents::slot(unsigned index, Type type) {
  Value &value = slots[index];
  if (value)
    return value;
  auto pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  Value address =
      LLVM::GEPOp::create(builder, loc, pointerType, builder.getI64Type(), task,
                          ArrayRef<LLVM::GEPArg>{int32_t(index)});
  value = LLVM::LoadOp::create(builder, loc, type, address, /*alignment=*/8);
  return value;
}

Value EntryExtents::pointer(unsigned index) {
  return slot(index, LLVM::LLVMPointerType::get(builder.getContext()));
}

Value EntryExtents::workers() {
  return slot(layout.workers(), builder.getI64Type());
}

Value EntryExtents::symbol(unsigned position) {
  return slot(layout.symbol(position), builder.getI64Type());
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
      entry(OpBuilder(tileLoop.getStep().getDefiningOp()), loc,
            body.getArgument(0), layout),
      body(body), tiles(tiles) {}

std::unique_ptr<KernelFrame>
KernelFrame::create(tgx::KernelOp kernel, const TargetDescription &target,
                    OpBuilder &builder) {
  Location loc = kernel.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type();
  Type i32 = builder.getI32Type();
  func::FuncOp body = createFunction(builder, loc, kernel.getSymName(),
                                     {pointer, i64, i64, i32}, {});
  func::FuncOp tiles = createFunction(
      builder, loc, kernel.getSymName() + ".tiles", {pointer}, {i64});

  OpBuilder inside = OpBuilder::atBlockBegin(&body.front());
  // Entry code is inserted before this constant. Code that is hoisted out of
  // the tile loop is inserted after it, so it can use values of the entry code
  // in branches and loops.
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

Elements KernelFrame::output(unsigned index) {
  Value tensor = kernel.getOutputs()[index];
  return {entry.pointer(layout.output(index)),
          getElementTypeOrSelf(tensor.getType())};
}

void KernelFrame::report(Value fails, tgx::ElementCheckOpInterface check,
                         function_ref<FailingElement()> describe) {
  reportTo(entry.pointer(layout.error()), fails, check, describe);
}

/// Returns the offsets of consecutive regions of the given sizes, each aligned,
/// followed by the end of the last one.
static SmallVector<AffineExpr>
offsetsOf(ArrayRef<AffineExpr> bytes, int64_t alignment, MLIRContext *context) {
  SmallVector<AffineExpr> offsets = {getAffineConstantExpr(0, context)};
  for (AffineExpr size : bytes)
    offsets.push_back(offsets.back() + size.ceilDiv(alignment) * alignment);
  return offsets;
}

/// Allocates consecutive regions. `begin` returns the offset of the first
/// region, given the total size. Sets `totals` to the total of `bytes` and, if
/// there are upper bounds `maxBytes`, also to their total; the size is the
/// smaller total.
SmallVector<Value> KernelFrame::layOut(ArrayRef<AffineExpr> bytes,
                                       ArrayRef<AffineExpr> maxBytes,
                                       AffineMap &totals,
                                       function_ref<Value(Value size)> begin) {
  assert(!totals && "memory is allocated once");
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> offsets = offsetsOf(bytes, target.alignment, context);
  SmallVector<AffineExpr> limits =
      offsetsOf(maxBytes, target.alignment, context);
  SmallVector<AffineExpr> sizes = {offsets.back()};
  if (!maxBytes.empty())
    sizes.push_back(limits.back());
  totals = AffineMap::get(0, layout.symbols, sizes, context);
  IntegerOps ops = entry.integers();
  auto offsetOf = [&](size_t region) {
    Value offset = entry.get(offsets[region]);
    return maxBytes.empty() ? offset
                            : ops.min(offset, entry.get(limits[region]));
  };
  Value base = begin(offsetOf(bytes.size()));
  Elements memory{entry.pointer(layout.scratch()),
                  entry.builder.getIntegerType(8)};
  return llvm::map_to_vector(llvm::seq(bytes.size()), [&](size_t region) {
    return addressOf(entry.builder, loc, memory,
                     ops.add(base, offsetOf(region)));
  });
}

SmallVector<Value> KernelFrame::takeScratch(ArrayRef<AffineExpr> bytes,
                                            ArrayRef<AffineExpr> maxBytes) {
  return layOut(bytes, maxBytes, scratchBytes, [&](Value size) {
    IntegerOps ops = entry.integers();
    Value worker = arith::ExtUIOp::create(
        entry.builder, loc, entry.builder.getI64Type(), body.getArgument(3));
    Value offset = ops.mul(worker, size);
    return partialsSize ? ops.add(partialsSize, offset) : offset;
  });
}

SmallVector<Value> KernelFrame::takePartials(ArrayRef<AffineExpr> bytes,
                                             ArrayRef<AffineExpr> maxBytes) {
  assert(!scratchBytes && "the partials buffer precedes scratch memory");
  return layOut(bytes, maxBytes, partialsBytes, [&](Value size) {
    partialsSize = size;
    return entry.integers().constant(0);
  });
}

EmittedKernel KernelFrame::finish() {
  return {kernel.getSymName().str(), scratchBytes, partialsBytes};
}
