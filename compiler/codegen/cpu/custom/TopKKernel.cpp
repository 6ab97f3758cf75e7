//===- TopKKernel.cpp - the greatest elements of each row -----------------===//
#include "compiler/codegen/cpu/custom/CustomKernel.h"
#include "compiler/codegen/kernel/custom/TopKHeap.h"

using namespace mlir;
using namespace tg;

/// Finds the memory of the heap of a row. A result without uses is in scratch
/// memory.
static HeapMemory allocateHeap(KernelFrame &frame, TopKOp op, Value count) {
  IntegerOps ops = frame.integers();
  AffineExpr k = frame.extentsOf(op.getValues()).back();
  HeapMemory heap;
  SmallVector<std::tuple<Value, Elements *, Value *>> unused;
  SmallVector<AffineExpr> bytes;
  for (auto [result, memory, offset] :
       {std::tuple(Value(op.getValues()), &heap.values, &heap.valueOffset),
        {Value(op.getIndices()), &heap.indices, &heap.indexOffset}}) {
    if (!result.use_empty()) {
      *memory = resultMemory(frame, result);
      *offset = ops.mul(frame.tile, count);
      continue;
    }
    unused.push_back({result, memory, offset});
    bytes.push_back(k * elementBytes(getElementTypeOrSelf(result)));
  }
  if (unused.empty())
    return heap;
  SmallVector<Value> scratch = frame.takeScratch(bytes);
  for (auto [entry, pointer] : llvm::zip_equal(unused, scratch)) {
    auto [result, memory, offset] = entry;
    *memory = {pointer, getElementTypeOrSelf(result)};
    *offset = ops.constant(0);
  }
  return heap;
}

namespace {
/// Selects row by row: a tile is a row.
struct TopKKernel : CustomKernelOpInterface::ExternalModel<TopKKernel, TopKOp> {
  LogicalResult emitCustomKernel(Operation *op, KernelFrame &frame) const {
    auto topK = cast<TopKOp>(op);
    AffineExpr rows = productOf(frame.extentsOf(topK.getInput()).drop_back(),
                                op->getContext());
    frame.setTiles([&](EntryExtents &entry) { return entry.get(rows); });
    TopKHeap heap(frame, topK);
    return heap.emit(frame.tile, allocateHeap(frame, topK, heap.getCount()));
  }
};
} // namespace

void tg::attachTopKKernel(MLIRContext *context) {
  TopKOp::attachInterface<TopKKernel>(*context);
}
