//===- NaiveContraction.cpp - contractions of any maps and types ----------===//
#include "compiler/codegen/cpu/contraction/naive/NaiveContraction.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/ElementLoops.h"
#include "compiler/codegen/cpu/layout/CpuDialect.h"
#include "compiler/codegen/kernel/sums/ProductSum.h"

using namespace mlir;
using namespace tg;

/// Returns an element of a tensor from its panels [n / w, k, n % w].
static Value emitUnpacked(ElementEmitter &elements, tgx::UnpackOp unpack,
                          const Position &position, unsigned lanes) {
  // A vector may cross from one panel to the next.
  if (lanes > 1)
    return {};
  IntegerOps ops = elements.context.integers();
  unsigned axis = panelsOf(unpack).getAxis();
  Value width = ops.constant(panelsOf(unpack).getWidth());
  Value column = position.index[axis];
  Value k = ops.constant(0);
  ArrayRef<int64_t> extents = unpack.getResult().getType().getShape();
  for (auto [dimension, index] : llvm::enumerate(position.index))
    if (dimension != axis)
      k = ops.add(ops.mul(k, ops.constant(extents[dimension])), index);
  Position packed{{ops.div(column, width), k, ops.rem(column, width)},
                  {0, 0, 0}};
  FailureOr<Value> value = elements.element(unpack.getInput(), packed, lanes);
  return succeeded(value) ? *value : Value();
}

StringRef
NaiveContraction::findUnmetRequirement(const ContractionRequest &request,
                                       const TargetDescription &) const {
  if (request.rowOrder)
    return "vectors, and a floating-point matrix product without batch "
           "dimensions or a convolution, to reduce rows of the result";
  return {};
}

LogicalResult NaiveContraction::emit(KernelFrame &frame,
                                     Contraction contraction) const {
  ElementEmitter elements(frame);
  elements.provide(
      contraction.result.value, [&](const Position &position, unsigned lanes) {
        return ProductSum(elements, contraction, lanes).emit(position);
      });
  for (auto unpack : frame.kernel.getBlock().getOps<tgx::UnpackOp>())
    elements.provide(unpack.getResult(),
                     [&, unpack](const Position &position, unsigned lanes) {
                       return emitUnpacked(elements, unpack, position, lanes);
                     });
  return emitElementLoops(frame, elements, tuning::kNaiveTileElements);
}
