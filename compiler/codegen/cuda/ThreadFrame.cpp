//===- ThreadFrame.cpp - the function of a kernel and its threads ---------===//
#include "compiler/codegen/cuda/ThreadFrame.h"
#include "compiler/codegen/cuda/Ptx.h"
#include "compiler/codegen/kernel/IndexBound.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// ParameterValues
//===----------------------------------------------------------------------===//

ParameterValues::ParameterValues(func::FuncOp function, ArgumentBlock layout)
    : ExtentValues(OpBuilder(function.front().getTerminator()),
                   function.getLoc()),
      function(function), layout(layout) {}

/// Tells LLVM the alignment of an address in bytes, from which the alignments
/// of loads and stores follow. Does nothing if it is 1.
static void assumeAlignment(OpBuilder &builder, Location loc, Value address,
                            int64_t alignment) {
  if (alignment == 1)
    return;
  Value holds =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  Value bytes = arith::ConstantOp::create(builder, loc,
                                          builder.getI64IntegerAttr(alignment));
  LLVM::AssumeOp::create(builder, loc, holds, LLVM::AssumeAlignTag(), address,
                         bytes);
}

Value ParameterValues::pointer(unsigned slot) {
  Value &pointer = pointers[slot];
  if (pointer)
    return pointer;
  pointer = LLVM::IntToPtrOp::create(
      builder, loc,
      LLVM::LLVMPointerType::get(builder.getContext(), kGlobalMemory),
      function.getArgument(slot));
  assumeAlignment(builder, loc, pointer, layout.alignmentOf(slot));
  return pointer;
}

Value ParameterValues::slot(unsigned slot) {
  return function.getArgument(slot);
}

Value ParameterValues::symbol(unsigned position) {
  return function.getArgument(layout.symbol(position));
}

//===----------------------------------------------------------------------===//
// ThreadFrame
//===----------------------------------------------------------------------===//

ThreadFrame::ThreadFrame(tgx::KernelOp kernel, const TargetDescription &target,
                         func::FuncOp function)
    : KernelContext(kernel, target,
                    OpBuilder(function.front().getTerminator())),
      function(function), layout(kernel), entry(function, layout) {}

std::unique_ptr<ThreadFrame>
ThreadFrame::create(tgx::KernelOp kernel, StringRef name,
                    const TargetDescription &target, IndexWidth width,
                    OpBuilder &builder) {
  Location loc = kernel.getLoc();
  unsigned count = ArgumentBlock(kernel).count();
  if (count > kMaxParameters) {
    kernel.emitOpError() << "expected at most " << kMaxParameters
                         << " parameters on a device, found " << count;
    return nullptr;
  }
  SmallVector<Type> slots(count, builder.getI64Type());
  auto function = func::FuncOp::create(
      builder, loc, name, builder.getFunctionType(slots, TypeRange()));
  OpBuilder inside = OpBuilder::atBlockBegin(function.addEntryBlock());
  func::ReturnOp::create(inside, loc);
  std::unique_ptr<ThreadFrame> frame(new ThreadFrame(kernel, target, function));
  if (failed(frame->analyze()))
    return nullptr;
  IndexBound bound(*frame);
  if (width == IndexWidth::wide || !bound.allowsNarrow())
    return frame;
  frame->indexWidth = IndexWidth::narrow;
  if (AffineExpr excess = bound.excess())
    frame->excess = AffineMap::get(0, frame->layout.symbols, excess);
  return frame;
}

Value ThreadFrame::beginThread(AffineExpr count) {
  return beginTeam(count, TeamShape()).team;
}

/// Sets the number of threads of a function's blocks.
static void setBlockThreads(func::FuncOp function, unsigned count) {
  Builder builder(function);
  Attribute bound =
      builder.getStrArrayAttr({"nvvm.maxntid", std::to_string(count)});
  function->setAttr("passthrough", builder.getArrayAttr(bound));
}

Thread ThreadFrame::beginTeam(AffineExpr count, const TeamShape &teamShape) {
  assert(!threads && "threads begin once");
  shape = teamShape;
  threads = AffineMap::get(0, layout.symbols, count * shape.teamThreads);
  setBlockThreads(function, shape.blockThreads);
  Thread thread = tg::beginThread(entry.builder, loc, shape, entry.get(count),
                                  entry.pointer(layout.error()),
                                  entry.slot(layout.workers()));
  entry.builder.setInsertionPoint(thread.body->getParentOp());
  builder.setInsertionPoint(thread.body->getTerminator());
  return thread;
}

BlockThread ThreadFrame::beginBlock(AffineExpr count) {
  Thread thread = beginTeam(count, {kBlockThreads, kBlockThreads});
  return {thread.team, thread.member};
}

Elements ThreadFrame::share(Type elementType, unsigned count) {
  OpBuilder outside(function);
  std::string name = "tg.shared." + std::to_string(shared.size()) + "." +
                     function.getName().str();
  auto memory = LLVM::GlobalOp::create(
      outside, loc, LLVM::LLVMArrayType::get(memoryType(elementType), count),
      /*isConstant=*/false, LLVM::Linkage::Internal, ptxNameOf(name),
      /*value=*/Attribute(), /*alignment=*/16, kSharedMemory);
  shared.push_back(memory);
  return {LLVM::AddressOfOp::create(entry.builder, loc, memory), elementType};
}

SmallVector<Value> ThreadFrame::takeScratch(ArrayRef<AffineExpr> bytes) {
  assert(!scratchBytes && "scratch memory is allocated once");
  Elements memory{entry.pointer(layout.scratch()),
                  entry.builder.getIntegerType(8)};
  AffineExpr end = getAffineConstantExpr(0, builder.getContext());
  SmallVector<Value> regions;
  for (AffineExpr size : bytes) {
    regions.push_back(addressOf(entry.builder, loc, memory, entry.get(end)));
    end = end + size.ceilDiv(target.alignment) * target.alignment;
  }
  scratchBytes = AffineMap::get(0, layout.symbols, end);
  return regions;
}

Elements ThreadFrame::argument(BlockArgument tensor) {
  return {entry.pointer(tensor.getArgNumber()),
          getElementTypeOrSelf(tensor.getType())};
}

Elements ThreadFrame::output(unsigned index) {
  return outputOf(kernel.getOutputs()[index]);
}

Elements ThreadFrame::outputOf(Value tensor) {
  return {entry.pointer(slotOf(tensor)),
          getElementTypeOrSelf(tensor.getType())};
}

unsigned ThreadFrame::slotOf(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return argument.getArgNumber();
  OperandRange outputs = kernel.getOutputs();
  return layout.output(llvm::find(outputs, tensor) - outputs.begin());
}

void ThreadFrame::setAddress(Value tensor, Value address) {
  if (address)
    address = LLVM::IntToPtrOp::create(
        builder, loc,
        LLVM::LLVMPointerType::get(builder.getContext(), kGlobalMemory),
        address);
  entry.setPointer(slotOf(tensor), address);
}

void ThreadFrame::report(Value fails, tgx::ElementCheckOpInterface check,
                         function_ref<FailingElement()> describe) {
  Value errors = entry.pointer(layout.error());
  reportTo(errors, fails, check, describe);
  markFailing(builder, loc, fails, errors, entry.slot(layout.workers()));
}

EmittedKernel ThreadFrame::finish() {
  return {function.getName().str(), scratchBytes,
          /*partialsBytes=*/{},     threads,      excess, shape.blockThreads};
}

void ThreadFrame::erase() {
  function.erase();
  for (LLVM::GlobalOp memory : shared)
    memory.erase();
}
