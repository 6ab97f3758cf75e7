//===- Costs.cpp - arithmetic and memory traffic of functions -------------===//
#include "compiler/codegen/library/Costs.h"

using namespace mlir;
using namespace tg;

AffineExpr tg::substitute(AffineExpr expr, AffineMap extents) {
  return expr.replaceSymbols(extents.getResults());
}

FailureOr<Cost> tg::costOf(tgx::KernelOp kernel) {
  ExtentAnalysis analysis(kernel.getContext());
  if (failed(kernel.analyzeExtents(analysis)))
    return failure();
  AffineExpr zero = getAffineConstantExpr(0, kernel.getContext());
  Cost cost{zero, zero};
  for (Operation &op : kernel.getBlock().without_terminator())
    if (auto computing = dyn_cast<CostOpInterface>(op))
      cost.flops = cost.flops + computing.countFlops(analysis);
  for (Value argument : kernel.getBlock().getArguments())
    cost.traffic = cost.traffic + analysis.countBytes(argument);
  for (Value output : kernel.getOutputs())
    cost.traffic = cost.traffic + analysis.countBytes(output);
  return cost;
}

FailureOr<Cost> tg::costOf(tgx::FunctionOp function) {
  AffineExpr zero = getAffineConstantExpr(0, function.getContext());
  Cost cost{zero, zero};
  SymbolTableCollection symbols;
  for (Operation &op : function.getBlock()) {
    if (auto copy = dyn_cast<tgx::CopyOp>(op))
      cost.traffic = cost.traffic + copy.getBytes().getResult(0) * 2;
    auto launch = dyn_cast<tgx::LaunchOp>(op);
    if (!launch)
      continue;
    auto kernel = symbols.lookupNearestSymbolFrom<tgx::KernelOp>(
        launch, launch.getKernelAttr());
    FailureOr<Cost> one = costOf(kernel);
    if (failed(one))
      return failure();
    cost.flops = cost.flops + substitute(one->flops, launch.getExtents());
    cost.traffic = cost.traffic + substitute(one->traffic, launch.getExtents());
  }
  // Collects equal terms.
  unsigned count = function.getSymbols().size();
  cost.flops = simplifyAffineExpr(cost.flops, /*numDims=*/0, count);
  cost.traffic = simplifyAffineExpr(cost.traffic, /*numDims=*/0, count);
  return cost;
}
