//===- CudaKernelAttr.cpp - kernels of users ------------------------------===//
#include "dialects/tg/Tg.h"

using namespace mlir;
using namespace tg;

static constexpr int64_t kDefaultThreads = 256;
/// The limits of a launch that hold for every device.
static constexpr int64_t kMaximumBlock[] = {1024, 1024, 64};
static constexpr int64_t kMaximumGrid[] = {INT32_MAX, 65535, 65535};
static constexpr int64_t kMaximumThreads = 1024;
/// The most of any device; a launch compares with its own.
static constexpr int64_t kMaximumSharedBytes = 227 << 10;

/// Checks up to three extents of a launch, each from 1 to a limit.
static LogicalResult verifyDims(function_ref<InFlightDiagnostic()> emitError,
                                StringRef what, DenseI64ArrayAttr dims,
                                ArrayRef<int64_t> limits) {
  if (!dims)
    return success();
  if (dims.empty() || dims.size() > 3)
    return emitError() << "expected " << what << " to have 1 to 3 extents, "
                       << "found " << dims.size();
  for (auto [dim, limit] : llvm::zip(dims.asArrayRef(), limits))
    if (dim < 1 || dim > limit)
      return emitError() << "expected an extent of " << what << " from 1 to "
                         << limit << ", found " << dim;
  return success();
}

LogicalResult
CudaKernelAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       StringAttr cuda, StringAttr ptx, StringAttr,
                       DenseI64ArrayAttr block, DenseI64ArrayAttr grid,
                       int64_t elementsPerBlock, int64_t sharedBytes) {
  if (bool(cuda) == bool(ptx))
    return emitError() << "expected one of cuda and ptx, found "
                       << (cuda ? "both" : "none");
  if (failed(verifyDims(emitError, "block", block, kMaximumBlock)) ||
      failed(verifyDims(emitError, "grid", grid, kMaximumGrid)))
    return failure();
  int64_t threads = 1;
  for (int64_t dim : block ? block.asArrayRef() : ArrayRef<int64_t>())
    threads *= dim;
  if (threads > kMaximumThreads)
    return emitError() << "expected at most " << kMaximumThreads
                       << " threads in a block, found " << threads;
  if (elementsPerBlock < 0 || (grid && elementsPerBlock))
    return emitError() << "expected elements_per_block above 0 and no grid, "
                       << "found " << elementsPerBlock;
  if (sharedBytes >= 0 && sharedBytes <= kMaximumSharedBytes)
    return success();
  return emitError() << "expected shared_bytes from 0 to "
                     << kMaximumSharedBytes << ", found " << sharedBytes;
}

std::array<uint32_t, 3> CudaKernelAttr::getThreads() const {
  std::array<uint32_t, 3> threads = {uint32_t(kDefaultThreads), 1, 1};
  if (getBlock())
    llvm::copy(getBlock().asArrayRef(), threads.begin());
  return threads;
}

std::array<AffineExpr, 3>
CudaKernelAttr::countBlocks(AffineExpr elements) const {
  AffineExpr one = getAffineConstantExpr(1, getContext());
  std::array<AffineExpr, 3> blocks = {one, one, one};
  if (getGrid()) {
    for (auto [dim, count] : llvm::zip(getGrid().asArrayRef(), blocks))
      count = getAffineConstantExpr(dim, getContext());
    return blocks;
  }
  auto [x, y, z] = getThreads();
  int64_t unit = getElementsPerBlock();
  blocks[0] = elements.ceilDiv(unit ? unit : int64_t(x) * y * z);
  return blocks;
}
