//===- Costs.cpp - arithmetic and memory traffic of functions -------------===//
#include "compiler/library/plan/Costs.h"
#include "compiler/library/plan/ModelPlan.h"
#include "dialects/tg/Tg.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tg;

AffineExpr tg::substitute(AffineExpr expr, AffineMap extents) {
  return expr.replaceSymbols(extents.getResults());
}

/// Returns the smaller of two byte counts if both are constant, otherwise
/// `rows`.
static AffineExpr lesserOf(AffineExpr all, AffineExpr rows) {
  auto allBytes = dyn_cast<AffineConstantExpr>(all);
  auto rowBytes = dyn_cast<AffineConstantExpr>(rows);
  return allBytes && rowBytes && allBytes.getValue() < rowBytes.getValue()
             ? all
             : rows;
}

/// Returns a lower bound on the bytes that a kernel reads from an argument. An
/// op that looks up or changes rows of a table reads only those rows.
static AffineExpr countRead(BlockArgument argument,
                            const ExtentAnalysis &analysis) {
  AffineExpr all = analysis.countBytes(argument);
  if (!argument.hasOneUse() || argument.use_begin()->getOperandNumber() != 0)
    return all;
  auto user = dyn_cast<PartialAccessOpInterface>(*argument.user_begin());
  return user ? lesserOf(all, analysis.countBytes(user.getAccessed())) : all;
}

/// Returns a lower bound on the bytes that a kernel writes to an output. An op
/// that changes rows of an argument in place writes only those rows; a new
/// tensor of zeros and rows is written completely.
static AffineExpr countWritten(Value output, const ExtentAnalysis &analysis) {
  AffineExpr all = analysis.countBytes(output);
  auto op = output.getDefiningOp<PartialAccessOpInterface>();
  bool changesRows = op && isa<OverwritingOpInterface>(*op) &&
                     isa<BlockArgument>(op->getOperand(0));
  return changesRows ? lesserOf(all, analysis.countBytes(op.getAccessed()))
                     : all;
}

FailureOr<Cost> tg::costOf(tgx::KernelOp kernel) {
  ExtentAnalysis analysis(kernel.getContext());
  if (failed(kernel.analyzeExtents(analysis)))
    return failure();
  Cost cost{kernel.countFlops(analysis),
            getAffineConstantExpr(0, kernel.getContext())};
  for (BlockArgument argument : kernel.getBlock().getArguments())
    cost.traffic = cost.traffic + countRead(argument, analysis);
  for (Value output : kernel.getOutputs())
    cost.traffic = cost.traffic + countWritten(output, analysis);
  return cost;
}

FailureOr<Cost> tg::costOf(tgx::FunctionOp function) {
  AffineExpr zero = getAffineConstantExpr(0, function.getContext());
  Cost cost{zero, zero};
  // Equal launches are counted first, because each addition traverses the whole
  // sum.
  auto add = [&](AffineExpr &sum, AffineExpr term) {
    sum = simplifyAffineExpr(sum + term, /*numDims=*/0,
                             function.getSymbols().size());
  };
  llvm::MapVector<std::tuple<Attribute, AffineMap, AffineExpr>, int64_t>
      launches;
  function.walk([&](tgx::StepOpInterface op) {
    if (auto copy = dyn_cast<tgx::CopyOp>(*op))
      add(cost.traffic, copy.getBytes().getResult(0) * 2 * iterationsOf(copy));
    if (auto host = dyn_cast<tgx::HostOp>(*op))
      add(cost.traffic, host.countBytes() * iterationsOf(host));
    if (auto launch = dyn_cast<tgx::LaunchOp>(*op))
      ++launches[{launch.getKernelAttr(), launch.getExtents(),
                  iterationsOf(launch)}];
  });
  SymbolTableCollection symbols;
  for (auto [launch, count] : launches) {
    auto [kernel, extents, iterations] = launch;
    FailureOr<Cost> one = costOf(symbols.lookupNearestSymbolFrom<tgx::KernelOp>(
        function, cast<FlatSymbolRefAttr>(kernel)));
    if (failed(one))
      return failure();
    add(cost.flops, substitute(one->flops, extents) * iterations * count);
    add(cost.traffic, substitute(one->traffic, extents) * iterations * count);
  }
  return cost;
}
