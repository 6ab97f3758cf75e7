//===- TopKThreads.cpp - a thread for each row of a selection -------------===//
#include "compiler/codegen/cuda/custom/CustomThreads.h"
#include "compiler/codegen/kernel/custom/TopKHeap.h"

using namespace mlir;
using namespace tg;

/// Finds the memory of the heap of row `row`, one of `rows`. A result without
/// uses is in scratch memory.
static HeapMemory allocateHeap(ThreadFrame &frame, TopKOp op, Value row,
                               AffineExpr rows) {
  AffineExpr k = frame.extentsOf(op.getValues()).back();
  Value offset = frame.integers().mul(row, frame.extent(k));
  auto find = [&](Value result) -> Elements {
    if (!result.use_empty())
      return resultMemory(frame, result);
    Type type = getElementTypeOrSelf(result);
    // The verifier of the kernel guarantees that the other result is used.
    return {frame.takeScratch({rows * k * elementBytes(type)})[0], type};
  };
  return {find(op.getValues()), find(op.getIndices()), offset, offset};
}

namespace {
struct TopKThreads
    : CustomThreadsOpInterface::ExternalModel<TopKThreads, TopKOp> {
  LogicalResult emitCustomThreads(Operation *op, ThreadFrame &frame) const {
    auto topK = cast<TopKOp>(op);
    AffineExpr rows = productOf(frame.extentsOf(topK.getInput()).drop_back(),
                                op->getContext());
    Value row = frame.beginThread(rows);
    return TopKHeap(frame, topK)
        .emit(row, allocateHeap(frame, topK, row, rows));
  }
};
} // namespace

void tg::attachTopKThreads(MLIRContext *context) {
  TopKOp::attachInterface<TopKThreads>(*context);
}
