//===- KernelParts.h - the parts of a kernel ------------------------------===//
#ifndef TG_DIALECTS_TGX_KERNELS_KERNELPARTS_H
#define TG_DIALECTS_TGX_KERNELS_KERNELPARTS_H

#include "dialects/tgx/Tgx.h"

namespace tgx {

/// Checks C11 of a kernel whose extents are known.
llvm::LogicalResult verifyParts(KernelOp kernel);

/// Returns true if only the part of `output` reads an argument. A kernel
/// without parts counts as one part.
bool isReadByPartOf(mlir::BlockArgument argument, mlir::Value output);

} // namespace tgx

#endif // TG_DIALECTS_TGX_KERNELS_KERNELPARTS_H
