//===- IndexBound.cpp - the largest indices of a kernel -------------------===//
#include "compiler/codegen/kernel/IndexBound.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tg;

/// Returns the number of elements from the first to the last one of a value in
/// memory.
static AffineExpr spanOf(const KernelContext &context, Value tensor) {
  ArrayRef<AffineExpr> extents = context.extentsOf(tensor);
  return extents.empty()
             ? getAffineConstantExpr(1, tensor.getContext())
             : extents.front() * context.strideOf(tensor, /*axis=*/0);
}

/// Returns the number of products of a sum of a contraction.
static AffineExpr countProducts(ContractionOpInterface op,
                                const KernelContext &context) {
  Contraction contraction = op.getContraction(context.getAnalysis());
  AffineExpr count = getAffineConstantExpr(1, op.getContext());
  for (unsigned dimension : contraction.dimensionsOf(DimensionKind::reduced))
    count = count * contraction.dimensions[dimension].extent;
  return count;
}

IndexBound::IndexBound(const KernelContext &context) {
  llvm::SetVector<AffineExpr> dynamic;
  auto add = [&](AffineExpr count) {
    if (std::optional<int64_t> number = staticExtent(count))
      largest = std::max(largest, *number);
    else
      dynamic.insert(count);
  };
  Block &body = tgx::KernelOp(context.kernel).getBlock();
  for (Value argument : body.getArguments())
    add(spanOf(context, argument));
  for (Operation &op : body.without_terminator()) {
    for (Value result : op.getResults())
      add(spanOf(context, result));
    if (auto contraction = dyn_cast<ContractionOpInterface>(op))
      add(countProducts(contraction, context));
  }
  for (AffineExpr count : dynamic)
    dynamicSum = dynamicSum ? dynamicSum + count : count;
}

AffineExpr IndexBound::excess() const {
  return dynamicSum ? dynamicSum - kMaxNarrowElements : AffineExpr();
}
