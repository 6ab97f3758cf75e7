//===- KernelParts.cpp - the parts of a kernel ----------------------------===//
#include "dialects/tgx/kernels/KernelParts.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

using namespace mlir;
using namespace tgx;

/// Returns true if an op may serve several parts: a constant or a size.
static bool isShared(Operation &op) { return op.getNumOperands() == 0; }

/// Returns the ops that compute values, in the order of the body.
static SmallVector<Operation *> opsOf(ValueRange outputs) {
  llvm::SetVector<Operation *> ops;
  for (Value output : outputs)
    ops.insert(output.getDefiningOp());
  for (unsigned index = 0; index < ops.size(); ++index)
    for (Value operand : ops[index]->getOperands())
      if (Operation *source = operand.getDefiningOp())
        ops.insert(source);
  SmallVector<Operation *> sorted = ops.takeVector();
  llvm::sort(sorted, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  return sorted;
}

SmallVector<KernelPart> KernelOp::divideIntoParts() {
  SmallVector<KernelPart> result;
  ValueRange outputs = getOutputs();
  for (int64_t count : getParts().value_or(ArrayRef<int64_t>())) {
    ValueRange own = outputs.take_front(count);
    outputs = outputs.drop_front(count);
    result.push_back({SmallVector<Value>(own), opsOf(own)});
  }
  return result;
}

unsigned KernelOp::partOf(unsigned output) {
  unsigned part = 0;
  int64_t end = 0;
  for (int64_t count : getParts().value_or(ArrayRef<int64_t>())) {
    end += count;
    if (int64_t(output) < end)
      return part;
    ++part;
  }
  return 0;
}

bool tgx::isReadByPartOf(BlockArgument argument, Value output) {
  auto kernel = cast<KernelOp>(argument.getOwner()->getParentOp());
  if (!kernel.getParts())
    return true;
  OperandRange outputs = kernel.getOutputs();
  unsigned part = kernel.partOf(llvm::find(outputs, output) - outputs.begin());
  llvm::SetVector<Value> followed;
  followed.insert(argument);
  for (unsigned index = 0; index < followed.size(); ++index)
    for (OpOperand &use : followed[index].getUses()) {
      if (!isa<YieldOp>(use.getOwner()))
        followed.insert_range(use.getOwner()->getResults());
      else if (kernel.partOf(use.getOperandNumber()) != part)
        return false;
    }
  return true;
}

/// Returns true if the numbers of outputs of the parts fit the kernel.
static bool coverOutputs(KernelOp kernel, ArrayRef<int64_t> counts) {
  // No count exceeds the number of outputs, so that the sum does not overflow.
  int64_t outputs = kernel.getOutputs().size();
  return counts.size() >= 2 && int64_t(counts.size()) <= outputs &&
         llvm::all_of(
             counts,
             [&](int64_t count) { return count > 0 && count <= outputs; }) &&
         std::accumulate(counts.begin(), counts.end(), int64_t(0)) == outputs;
}

/// Returns what is wrong with the parts of a kernel: outputs of different
/// extents, or an op of two parts that is neither a constant nor a size.
/// Returns an empty string if nothing is.
static std::string findPartFault(KernelOp kernel) {
  tg::ExtentAnalysis extents(kernel.getContext());
  // The verifier has checked that this succeeds.
  (void)kernel.analyzeExtents(extents);
  llvm::SmallPtrSet<Operation *, 16> seen;
  for (auto [index, part] : llvm::enumerate(kernel.divideIntoParts())) {
    std::string place = " in part " + std::to_string(index);
    for (Value output : part.outputs)
      if (extents.extentsOf(output) != extents.extentsOf(part.outputs.front()))
        return "outputs of different extents" + place;
    for (Operation *op : part.ops)
      if (!seen.insert(op).second && !isShared(*op))
        return "'" + op->getName().getStringRef().str() + "'" + place +
               " and in another one";
  }
  return "";
}

LogicalResult tgx::verifyParts(KernelOp kernel) {
  std::optional<ArrayRef<int64_t>> counts = kernel.getParts();
  if (!counts)
    return success();
  Block &body = kernel.getBlock();
  bool isPlain = kernel.getStrategy() == Strategy::loop &&
                 body.getOps<ElementCheckOpInterface>().empty() &&
                 !kernel.getArgumentRows() && !kernel.getOutputRows();
  if (!isPlain)
    return kernel.emitOpError()
           << "expected parts of a loop without checks and rows, found "
              "strategy "
           << stringifyStrategy(kernel.getStrategy()) << ", "
           << kernel.countCells() << " predicates of checks and "
           << (kernel.getArgumentRows() || kernel.getOutputRows() ? "" : "no ")
           << "rows [C11]";
  if (!coverOutputs(kernel, *counts))
    return kernel.emitOpError() << "expected at least two parts with all of "
                                << kernel.getOutputs().size()
                                << " outputs, found " << *counts << " [C11]";
  std::string fault = findPartFault(kernel);
  if (fault.empty())
    return success();
  return kernel.emitOpError()
         << "expected parts that share constants and sizes alone, with outputs "
            "of equal extents each, found "
         << fault << " [C11]";
}
