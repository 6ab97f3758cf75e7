//===- CudaOps.cpp - operations of users, as CUDA kernels -----------------===//
#include "dialects/tg/ops/control/CudaOps.h"
#include "dialects/tg/ops/control/HostResults.h"

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/control/CudaOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// cuda_call
//===----------------------------------------------------------------------===//

LogicalResult CudaCallOp::verify() {
  if (failed(verifyHostCall(*this, getCallee(), getDynamic())))
    return failure();
  if (getNumResults() > 0)
    return success();
  return emitOpError() << "expected at least one result, found none [C3]";
}

LogicalResult
CudaCallOp::inferExtents(ShapeInference &inference,
                         SmallVectorImpl<TensorExtents> &results) {
  return inferHostResults(*this, getDynamic(), inference, results);
}

SmallVector<StringRef> CudaCallOp::getSizeAttributes() { return {}; }

void CudaCallOp::setSize(unsigned index, int64_t size) {
  setHostSize(*this, index, size);
}

HostAction CudaCallOp::getHostAction() { return HostAction::call; }

StringRef CudaCallOp::getHostText() { return getCallee(); }

OperandRange CudaCallOp::getHostInputs() { return getInputs(); }

CudaKernelAttr CudaCallOp::getDeviceKernel() { return getKernel(); }
