//===- ContractionKernel.cpp - the choice of a contraction's algorithm ----===//
#include "compiler/codegen/cpu/contraction/CpuContraction.h"
#include "compiler/codegen/cpu/contraction/gemm/GemmContraction.h"
#include "compiler/codegen/cpu/contraction/gemm/SplitK.h"
#include "compiler/codegen/cpu/contraction/grouped/FewChannelContraction.h"
#include "compiler/codegen/cpu/contraction/grouped/GroupedContraction.h"
#include "compiler/codegen/cpu/contraction/naive/NaiveContraction.h"
#include "compiler/codegen/cpu/contraction/winograd/Winograd.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/kernel/ReductionPlan.h"

using namespace mlir;
using namespace tg;

ArrayRef<const ContractionAlgorithm *> tg::getCpuContractions() {
  static const WinogradContraction winograd4(4), winograd2(2);
  static const FewChannelContraction fewChannels;
  static const GroupedContraction depthwise("depthwise"), groups("groups"),
      channels("");
  static const SplitKContraction splitK;
  static const GemmContraction gemm;
  static const NaiveContraction naive;
  static const ContractionAlgorithm *const all[] = {
      &winograd4, &winograd2, &fewChannels, &depthwise, &groups,
      &channels,  &splitK,    &gemm,        &naive};
  return all;
}

/// Returns true if the reductions of the kernel run over all rows of the
/// result, and no row needs a reduced value.
static bool reducesAllRows(KernelFrame &frame, const Contraction &contraction) {
  ReductionPlan plan(frame);
  ArrayRef<AffineExpr> extents = plan.getExtents();
  return extents == ArrayRef(contraction.result.extents) &&
         plan.getNumPhases() == 1 && !plan.isReduced(extents.size() - 1) &&
         llvm::all_of(llvm::seq(extents.size() - 1),
                      [&](size_t axis) { return plan.isReduced(axis); });
}

/// Returns the algorithm that the kernel, or the layout of its panels, names;
/// null if neither names one.
static const ContractionAlgorithm *
findNamed(tgx::KernelOp kernel, const ContractionRequest &request) {
  StringRef name = request.layout ? request.layout.getAlgorithm()
                                  : kernel.getAlgorithm().value_or("");
  return findByName(getCpuContractions(), name);
}

LogicalResult tg::emitContraction(KernelFrame &frame) {
  Block &body = frame.kernel.getBlock();
  auto products = body.getOps<ContractionOpInterface>();
  if (products.empty())
    return frame.kernel.emitOpError() << "expected a contraction, found none";
  Contraction contraction =
      (*products.begin()).getContraction(frame.getAnalysis());
  ContractionRequest request = requestOf(frame.kernel, contraction);
  request.laneBytes = chooseLaneBytes(frame.kernel);
  if (request.rowOrder && !reducesAllRows(frame, contraction))
    return frame.kernel.emitOpError()
           << "expected reductions over all rows of the contraction's result, "
              "and no row that reads a reduced value, found others";
  const ContractionAlgorithm *chosen = findNamed(frame.kernel, request);
  if (chosen) {
    StringRef requirement = chosen->findUnmetRequirement(request, frame.target);
    if (!requirement.empty())
      return frame.kernel.emitOpError()
             << "expected " << requirement << " for the algorithm '"
             << chosen->getName() << "'";
    if (chosen->getWinogradTile() != request.getOrder().getWinograd())
      return frame.kernel.emitOpError()
             << "expected an order of the algorithm '" << chosen->getName()
             << "', found " << request.getOrder();
  } else {
    chosen = findFirst(getCpuContractions(), request, frame.target);
  }
  if (!chosen)
    return frame.kernel.emitOpError()
           << "expected "
           << getCpuContractions().back()->findUnmetRequirement(request,
                                                                frame.target);
  return static_cast<const CpuContraction *>(chosen)->emit(
      frame, std::move(contraction));
}
