//===- UnpackedWeights.cpp - unpacking of packed weights ------------------===//
#include "compiler/transforms/layout/UnpackedWeights.h"
#include "compiler/target/PlanTarget.h"
#include "compiler/transforms/layout/PackingKernels.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tg;

/// Returns the op that reads panels as the original weights; null if the
/// argument holds no panels.
static tgx::UnpackOp findUnpack(tgx::KernelOp kernel, unsigned argument) {
  for (Operation *user : kernel.getBlock().getArgument(argument).getUsers())
    if (auto unpack = dyn_cast<tgx::UnpackOp>(user))
      return unpack;
  return {};
}

bool UnpackedWeights::canRestore(tgx::CallOp packing) const {
  if (kernelOf(packing).getBlock().getOps<tgx::PackOp>().empty())
    return false;
  Type type = packing.getInputs().front().getType();
  return llvm::all_of(packing->getUses(), [&](OpOperand &use) {
    auto call = dyn_cast<tgx::CallOp>(use.getOwner());
    tgx::UnpackOp unpack =
        call ? findUnpack(kernelOf(call), use.getOperandNumber()) : nullptr;
    return unpack && unpack.getResult().getType() == type;
  });
}

tgx::KernelOp UnpackedWeights::restore(tgx::KernelOp kernel,
                                       unsigned argument) {
  tgx::KernelOp &restored = restoredKernels[kernel];
  if (restored)
    return restored;
  restored = kernel.clone();
  StringRef name = kernel.getSymName();
  tgx::LayoutAttrInterface layout = findUnpack(restored, argument).getLayout();
  if (name.consume_back(layout.getReaderSuffix()))
    restored.setSymName(name);
  restored.removeAlgorithmAttr();
  tgx::UnpackOp unpack = findUnpack(restored, argument);
  BlockArgument weights = restored.getBlock().getArgument(argument);
  auto type = cast<RankedTensorType>(unpack.getResult().getType());
  unpack.getResult().replaceAllUsesWith(weights);
  unpack.erase();
  weights.setType(type);

  SmallVector<Attribute> extents(restored.getArgumentExtents().getValue());
  SmallVector<AffineExpr> dims;
  for (int64_t extent : type.getShape())
    dims.push_back(getAffineConstantExpr(extent, type.getContext()));
  extents[argument] = AffineMapAttr::get(
      AffineMap::get(0, kernel.getSymbolCount(), dims, type.getContext()));
  restored.setArgumentExtentsAttr(ArrayAttr::get(type.getContext(), extents));
  kernels.insert(restored, Block::iterator(kernel));
  PlanTarget target(cast<ModuleOp>(kernels.getOp()));
  StringRef algorithm =
      target.findAlgorithm(requestOf(restored, *contractionOf(restored)));
  if (!algorithm.empty())
    restored.setAlgorithm(algorithm);
  return restored;
}

unsigned UnpackedWeights::restore(tgx::CallOp packing) {
  unsigned changed = 0;
  Value weights = packing.getInputs().front();
  for (OpOperand &use : llvm::make_early_inc_range(packing->getUses())) {
    auto call = cast<tgx::CallOp>(use.getOwner());
    tgx::KernelOp kernel = restore(kernelOf(call), use.getOperandNumber());
    call.setKernelAttr(FlatSymbolRefAttr::get(kernel.getSymNameAttr()));
    use.set(weights);
    ++changed;
  }
  packing.erase();
  return changed;
}

void tg::eraseUnusedKernels(ModuleOp module) {
  llvm::DenseSet<StringAttr> used;
  module.walk(
      [&](tgx::CallOp call) { used.insert(call.getKernelAttr().getAttr()); });
  for (tgx::KernelOp kernel :
       llvm::make_early_inc_range(module.getOps<tgx::KernelOp>()))
    if (!used.contains(kernel.getSymNameAttr()))
      kernel.erase();
}
