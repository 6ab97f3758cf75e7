//===- PackingOps.cpp - operands in the layout of a target ----------------===//
#include "dialects/tgx/Tgx.h"

using namespace mlir;
using namespace tgx;

//===----------------------------------------------------------------------===//
// pack, unpack
//===----------------------------------------------------------------------===//

/// Checks C1 and C2 of both ops: `packed` is the type of a static tensor in the
/// layout.
static LogicalResult verifyPacked(Operation *op, LayoutAttrInterface layout,
                                  RankedTensorType tensor,
                                  RankedTensorType packed) {
  std::string mismatch = layout.findMismatch(tensor);
  if (!mismatch.empty())
    return op->emitOpError() << mismatch << " [C1]";
  RankedTensorType expected = layout.getPackedType(tensor);
  if (packed != expected)
    return op->emitOpError() << "expected a packed form of type " << expected
                             << ", found " << packed << " [C2]";
  return success();
}

LogicalResult PackOp::verify() {
  return verifyPacked(*this, getLayout(), getInput().getType(),
                      getResult().getType());
}

LogicalResult UnpackOp::verify() {
  return verifyPacked(*this, getLayout(), getResult().getType(),
                      getInput().getType());
}

LogicalResult
UnpackOp::inferExtents(tg::ShapeInference &inference,
                       SmallVectorImpl<tg::TensorExtents> &results) {
  tg::TensorExtents result{getResult().getType().getElementType(), {}};
  for (int64_t extent : getResult().getType().getShape())
    result.dims.push_back(inference.constant(extent));
  results.push_back(result);
  return success();
}
