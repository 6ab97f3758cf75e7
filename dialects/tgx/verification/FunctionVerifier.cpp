//===- FunctionVerifier.cpp - verification of functions step by step ------===//
#include "dialects/tgx/verification/FunctionVerifier.h"
#include "dialects/tgx/verification/LiveWorkspaces.h"
#include "dialects/tgx/verification/Verification.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace tgx;

/// Returns true if two buffers in the same memory have common elements.
static bool overlap(Value a, Value b) {
  PartOp one = partOf(a);
  PartOp other = partOf(b);
  if (!one || !other)
    return true;
  Span first = spanOf(one);
  Span second = spanOf(other);
  return first.begin < second.end && second.begin < first.end;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void FunctionVerifier::touch(Value buffer) {
  if (Operation *memory = memoryOf(buffer); isa<WorkspaceOp>(memory))
    lives.insert({memory, {stepNumber, stepNumber}}).first->second.last =
        stepNumber;
}

/// Returns true if all elements of a buffer were written.
bool FunctionVerifier::isFilled(Value buffer) const {
  Operation *memory = memoryOf(buffer);
  PartOp somePart = parts.lookup(memory);
  if (!somePart)
    return filled.contains(memory);
  PartOp part = partOf(buffer);
  auto whole = cast<RankedTensorType>(somePart.getSource().getType());
  return filled.contains(
      memory,
      part ? spanOf(part) : Span{0, elementsFrom(whole, somePart.getAxis())});
}

LogicalResult FunctionVerifier::checkSource(Operation *step, Value source) {
  if (isFilled(source))
    return success();
  return step->emitOpError() << "expected " << memoryOf(source)->getName()
                             << " to be written before it is read [C4]";
}

LogicalResult FunctionVerifier::checkTarget(Operation *step, Value target) {
  Operation *memory = memoryOf(target);
  if (cast<BufferOpInterface>(memory).isWritable())
    return success();
  return step->emitOpError()
         << "expected to write outputs, variables and workspaces, found "
         << memory->getName() << " [C5]";
}

LogicalResult FunctionVerifier::visitStep(StepOpInterface step) {
  for (auto [index, buffer] : llvm::enumerate(step->getOperands()))
    if (!memoryOf(buffer))
      return step->emitOpError() << "expected operands that are defined before "
                                    "it, found operand "
                                 << index << ", which is not [C4]";
  for (Value source : step.getSources())
    if (failed(checkSource(step, source)))
      return failure();
  for (Value target : step.getTargets())
    if (failed(checkTarget(step, target)))
      return failure();
  LogicalResult visited =
      llvm::TypeSwitch<Operation *, LogicalResult>(step)
          .Case([&](LaunchOp launch) { return visitLaunch(launch); })
          .Case([&](CopyOp copy) { return visitCopy(copy); })
          .Case([&](HostOp host) { return visitHost(host); })
          .Case([&](SwapOp swap) { return visitSwap(swap); })
          .Default([](Operation *) { return success(); });
  if (failed(visited))
    return failure();
  llvm::for_each(step->getOperands(), [&](Value buffer) { touch(buffer); });
  for (Value target : step.getTargets()) {
    if (PartOp part = partOf(target))
      filled.add(memoryOf(target), spanOf(part));
    else
      filled.add(memoryOf(target));
    if (elements.contains(target))
      stacked.insert(memoryOf(target));
  }
  ++stepNumber;
  return step->getNumRegions() ? visitRegions(step) : success();
}

/// Visits the regions of a step. A branch fills the memory that both of its
/// regions fill. A loop fills only memory that it writes element by element: if
/// it has no iteration, that memory is empty.
LogicalResult FunctionVerifier::visitRegions(Operation *control) {
  unsigned begin = stepNumber - 1;
  size_t firstSwap = swapped.size();
  FilledMemory before = filled, after;
  for (Region &region : control->getRegions()) {
    filled = before;
    if (failed(visitBlock(region.front())))
      return failure();
    if (region.getRegionNumber() == 0)
      after = filled;
    else
      after.keepCommon(filled);
  }
  filled = isa<IfOp>(control) ? after : before;
  for (Operation *memory : stacked)
    filled.add(memory);
  // A loop reads its flag again.
  llvm::for_each(control->getOperands(), [&](Value flag) { touch(flag); });
  extendLives(begin, firstSwap);
  ++stepNumber;
  return success();
}

/// Extends the life of buffers that were live before a loop, or that the loop
/// swaps, to the end of the loop.
void FunctionVerifier::extendLives(unsigned begin, size_t firstSwap) {
  for (auto &[memory, life] : lives)
    if (life.first <= begin && life.last > begin)
      life.last = stepNumber;
  for (auto [one, other] : ArrayRef(swapped).drop_front(firstSwap))
    for (Operation *memory : {one, other}) {
      Life &life = lives.find(memory)->second;
      life = {std::min(life.first, begin), stepNumber};
    }
}

const KernelFacts &FunctionVerifier::factsOf(KernelOp kernel) {
  std::unique_ptr<KernelFacts> &facts = kernels[kernel];
  if (facts)
    return *facts;
  facts.reset(
      new KernelFacts{kernel, tg::ExtentAnalysis(kernel.getContext()), {}, {}});
  // The verifier of the kernel has checked that this succeeds.
  (void)kernel.analyzeExtents(facts->extents);
  auto bytes = [&](Value value) {
    return tg::productOf(facts->extents.extentsOf(value), value.getContext()) *
           tg::elementBytes(getElementTypeOrSelf(value));
  };
  for (Value argument : kernel.getBlock().getArguments())
    facts->argumentBytes.push_back(bytes(argument));
  for (Value output : kernel.getOutputs())
    facts->outputBytes.push_back(bytes(output));
  return *facts;
}

LogicalResult FunctionVerifier::visitLaunch(LaunchOp launch) {
  KernelOp kernel = verifyKernelUse(
      launch, launch.getKernelAttr(), launch.getInputs().getTypes(),
      launch.getOutputs().getTypes(), launch.getExtents(), symbols);
  if (!kernel)
    return failure();
  const KernelFacts &facts = factsOf(kernel);
  auto check = [&](OperandRange buffers, ArrayRef<AffineExpr> bytes,
                   StringRef what) -> LogicalResult {
    for (auto [index, buffer, size] : llvm::enumerate(buffers, bytes))
      if (failed(
              checkSize(launch, buffer,
                        size.replaceSymbols(launch.getExtents().getResults()),
                        what + " " + Twine(index), "C6")))
        return failure();
    return success();
  };
  if (failed(check(launch.getInputs(), facts.argumentBytes, "input")) ||
      failed(check(launch.getOutputs(), facts.outputBytes, "output")))
    return failure();
  if (failed(checkRows(launch, kernel)) || failed(checkOutputMemory(launch)))
    return failure();
  return checkOverwrites(launch, facts);
}

LogicalResult FunctionVerifier::checkRows(LaunchOp launch, KernelOp kernel) {
  auto check = [&](ValueRange buffers, ValueRange values,
                   StringRef what) -> LogicalResult {
    for (auto [index, buffer, value] : llvm::enumerate(buffers, values)) {
      PartOp part = partOf(buffer);
      RowsAttr found = part ? part.getRows() : RowsAttr();
      RowsAttr expected = kernel.rowsOf(value);
      auto print = [](RowsAttr rows) {
        return rows ? llvm::to_string(rows) : "contiguous rows";
      };
      if (found != expected)
        return launch.emitOpError()
               << "expected " << print(expected) << " in " << what << " "
               << index << ", found " << print(found) << " [C8]";
    }
    return success();
  };
  if (failed(
          check(launch.getInputs(), kernel.getBlock().getArguments(), "input")))
    return failure();
  return check(launch.getOutputs(), kernel.getOutputs(), "output");
}

LogicalResult FunctionVerifier::checkOutputMemory(LaunchOp launch) {
  DenseMap<Operation *, SmallVector<Value, 1>> outputs;
  for (auto [index, buffer] : llvm::enumerate(launch.getOutputs())) {
    SmallVector<Value, 1> &others = outputs[memoryOf(buffer)];
    if (llvm::any_of(others,
                     [&](Value other) { return overlap(buffer, other); }))
      return launch.emitOpError() << "expected outputs in different memory, "
                                     "found output "
                                  << index << " in the memory of another [C5]";
    others.push_back(buffer);
  }
  return success();
}

LogicalResult FunctionVerifier::checkOverwrites(LaunchOp launch,
                                                const KernelFacts &facts) {
  KernelOp kernel = facts.kernel;
  DenseMap<Operation *, SmallVector<unsigned, 1>> outputs;
  for (auto [index, buffer] : llvm::enumerate(launch.getOutputs()))
    outputs[memoryOf(buffer)].push_back(index);
  for (auto [index, buffer] : llvm::enumerate(launch.getInputs()))
    for (unsigned output : outputs.lookup(memoryOf(buffer))) {
      Value target = launch.getOutputs()[output];
      bool isSame = !partOf(buffer) && !partOf(target);
      if (!overlap(buffer, target) ||
          (isSame &&
           kernel.mayOverwrite(kernel.getBlock().getArgument(index),
                               kernel.getOutputs()[output], facts.extents)))
        continue;
      return launch.emitOpError()
             << "expected kernel " << launch.getKernelAttr()
             << " to read input " << index
             << " element by element, found that output " << output
             << " overwrites it [C7]";
    }
  return success();
}

LogicalResult FunctionVerifier::visitCopy(CopyOp copy) {
  if (partOf(copy.getSource()) || partOf(copy.getTarget()))
    return copy.emitOpError() << "expected whole buffers, found a part [C5]";
  if (memoryOf(copy.getSource()) == memoryOf(copy.getTarget()))
    return copy.emitOpError()
           << "expected a target in other memory than the source, found both "
              "in "
           << memoryOf(copy.getSource())->getName() << " [C5]";
  AffineExpr bytes = copy.getBytes().getResult(0);
  if (failed(checkSize(copy, copy.getSource(), bytes, "the source", "C6")))
    return failure();
  return checkSize(copy, copy.getTarget(), bytes, "the target", "C6");
}

LogicalResult FunctionVerifier::visitHost(HostOp host) {
  llvm::SmallPtrSet<Operation *, 4> outputs;
  for (auto [index, output] : llvm::enumerate(host.getOutputs()))
    if (!outputs.insert(memoryOf(output)).second)
      return host.emitOpError() << "expected outputs in different memory, "
                                   "found output "
                                << index << " in the memory of another [C5]";
  for (auto [index, buffer] : llvm::enumerate(host->getOperands())) {
    if (partOf(buffer))
      return host.emitOpError() << "expected whole buffers, found a part [C5]";
    if (failed(checkSize(host, buffer, host.countBytesOf(index),
                         "operand " + Twine(index), "C6")))
      return failure();
  }
  return success();
}

LogicalResult FunctionVerifier::visitSwap(SwapOp swap) {
  Operation *one = memoryOf(swap.getFirst());
  Operation *other = memoryOf(swap.getSecond());
  auto first = dyn_cast<WorkspaceOp>(one);
  auto second = dyn_cast<WorkspaceOp>(other);
  if (!first || !second || first == second ||
      swap.getFirst() != first.getBuffer() ||
      swap.getSecond() != second.getBuffer())
    return swap.emitOpError()
           << "expected two workspaces, found " << one->getName() << " and "
           << other->getName() << " [C5]";
  swapped.push_back({one, other});
  return checkSize(swap, swap.getFirst(), second.countBytes(), "both", "C2");
}

//===----------------------------------------------------------------------===//
// The whole function
//===----------------------------------------------------------------------===//

LogicalResult FunctionVerifier::checkOutputs() {
  llvm::BitVector missing(function.getOutputs().size(), true);
  for (auto output : function.getBlock().getOps<OutputOp>())
    if (isFilled(output.getBuffer()))
      missing.reset(output.getIndex());
  int first = missing.find_first();
  if (first < 0)
    return success();
  return function.emitOpError()
         << "expected output " << first
         << " to be written, found no step that writes it [C6]";
}

LogicalResult FunctionVerifier::checkWorkspaces() {
  // Two swapped memories are live while either of them is.
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (auto [one, other] : swapped) {
      Life &a = lives.find(one)->second;
      Life &b = lives.find(other)->second;
      Life both = {std::min(a.first, b.first), std::max(a.last, b.last)};
      for (Life *life : {&a, &b}) {
        isDone &= life->first == both.first && life->last == both.last;
        *life = both;
      }
    }
  }
  LiveWorkspaces live(workspaces);
  for (auto [workspace, life] : lives)
    live.setLife(cast<WorkspaceOp>(workspace).getId(), life.first, life.last);
  return live.verify();
}

LogicalResult FunctionVerifier::visitBlock(Block &block) {
  for (auto check : block.getOps<EntryCheckOp>())
    if (check.getRelation() == tg::ExtentRelation::equal)
      equalities.assume(check.getFound().getResult(0),
                        check.getExpected().getResult(0));
  for (Operation &op : block) {
    LogicalResult visited =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case([&](BufferOpInterface buffer) { return visitBuffer(buffer); })
            .Case([&](StepOpInterface step) { return visitStep(step); })
            .Default([](Operation *) { return success(); });
    if (failed(visited))
      return failure();
  }
  return success();
}

LogicalResult FunctionVerifier::run() {
  if (failed(visitBlock(function.getBlock())) || failed(checkOutputs()))
    return failure();
  return checkWorkspaces();
}

LogicalResult FunctionOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return FunctionVerifier(*this, symbols).run();
}
