//===- TrapNan.cpp - checks for NaN and infinity --------------------------===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/gradient/FlowingValues.h"
#include "compiler/transforms/module/ActiveValues.h"
#include "compiler/transforms/module/GradientLocation.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/evaluation/HostTensor.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "dialects/tgx/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

namespace tg {
#define GEN_PASS_DEF_TRAPNAN
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

/// Returns true if each element of the results is an element of an operand.
static bool onlyMovesElements(Operation *op) {
  return isa<ViewOpInterface>(op) ||
         (isa<ElementOpInterface>(op) && !isElementwise(op));
}

//===----------------------------------------------------------------------===//
// Ops that keep values finite
//===----------------------------------------------------------------------===//

/// Returns true if an op on scalars maps finite numbers to finite ones.
static bool isFiniteScalar(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto number = dyn_cast<FloatAttr>(constant.getValue());
    return !number || number.getValue().isFinite();
  }
  bool isFloat = llvm::any_of(op->getResultTypes(), llvm::IsaPred<FloatType>);
  return !isFloat ||
         isa<arith::SelectOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::NegFOp, math::AbsFOp,
             math::CopySignOp, math::FloorOp, math::CeilOp, math::RoundOp,
             math::RoundEvenOp, math::SinOp, math::CosOp, math::AtanOp,
             math::TanhOp, math::ErfOp, arith::SIToFPOp, arith::UIToFPOp>(op);
}

/// Returns true if an elementwise op maps finite numbers to finite ones. This
/// holds if all ops of its formula do.
static bool keepsFinite(ElementwiseOpInterface op) {
  Block formula;
  for (Value operand : op->getOperands()) {
    Type type = getElementTypeOrSelf(operand);
    if (type.isInteger())
      type = IntegerType::get(op.getContext(), type.getIntOrFloatBitWidth());
    formula.addArgument(type, op.getLoc());
  }
  OpBuilder builder(op.getContext());
  builder.setInsertionPointToEnd(&formula);
  op.buildScalar(builder, op.getLoc(), formula.getArguments());
  return llvm::all_of(formula,
                      [](Operation &inner) { return isFiniteScalar(&inner); });
}

//===----------------------------------------------------------------------===//
// Values that may be infinite
//===----------------------------------------------------------------------===//

/// Returns true if a constant holds NaN or infinity.
static bool isNonFiniteConstant(Operation *op) {
  auto value = op->getAttrOfType<ElementsAttr>("value");
  if (!op->hasTrait<mlir::OpTrait::ConstantLike>() || !value ||
      !hasFloatElements(op->getResult(0)))
    return false;
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (dense && dense.isSplat())
    return !dense.getSplatValue<APFloat>().isFinite();
  std::optional<HostTensor> tensor =
      HostTensor::fromAttribute(value, std::numeric_limits<int64_t>::max());
  return tensor &&
         llvm::any_of(llvm::seq(tensor->getNumElements()), [&](int64_t index) {
           return !std::isfinite(tensor->numberAt(index));
         });
}

/// Returns the values that may hold NaN or infinity although no check failed:
/// constants, and values that elementwise ops, moves, loops and variables
/// compute from them.
static FlowingValues findNonFiniteValues(ModuleOp module) {
  return FlowingValues(module, {}, {}, [](Operation *op, bool reached) {
    return isNonFiniteConstant(op) ||
           (reached && (isElementwise(op) || onlyMovesElements(op)));
  });
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

namespace {
struct TrapNan : tg::impl::TrapNanBase<TrapNan> {
  using TrapNanBase::TrapNanBase;
  void runOnOperation() override;

private:
  Value check(Value value, ValueRange sources, Location loc, const Twine &name);
  void checkInputs(func::FuncOp function);
  void checkResults(Operation *op, FlowingValues &nonFinite);

  unsigned count = 0;
};
} // namespace

Value TrapNan::check(Value value, ValueRange sources, Location loc,
                     const Twine &name) {
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfterValue(value);
  Operation *check =
      tgx::checkFinite(builder, loc, value, sources, name, nanOnly);
  value.replaceAllUsesExcept(check->getResult(0), check);
  ++count;
  ++checks;
  return check->getResult(0);
}

void TrapNan::checkInputs(func::FuncOp function) {
  for (BlockArgument argument : llvm::reverse(function.getArguments())) {
    if (!hasFloatElements(argument) || argument.use_empty())
      continue;
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      "tg.name");
    check(argument, {}, argument.getLoc(),
          "input '" + (name ? name.getValue() : "") + "'");
  }
}

void TrapNan::checkResults(Operation *op, FlowingValues &nonFinite) {
  bool isComputed =
      !isa<ReadOp, RegionOpInterface, tgx::ElementCheckOpInterface>(op) &&
      !op->hasTrait<mlir::OpTrait::ConstantLike>() && !onlyMovesElements(op) &&
      !isa<func::FuncOp>(op);
  auto elementwise = dyn_cast<ElementwiseOpInterface>(op);
  if (!isComputed || (elementwise && keepsFinite(elementwise)))
    return;
  SmallVector<Value> sources;
  if (isElementwise(op))
    for (Value operand : op->getOperands())
      if (nonFinite.contains(operand) && !llvm::is_contained(sources, operand))
        sources.push_back(operand);
  StringRef name = op->getName().getStringRef();
  StringRef role = isGradientLocation(op->getLoc()) ? " (gradient)" : "";
  for (Value result : op->getResults())
    if (hasFloatElements(result) && !result.use_empty())
      nonFinite.copy(result, check(result, sources, op->getLoc(), name + role));
}

void TrapNan::runOnOperation() {
  FlowingValues nonFinite = findNonFiniteValues(getOperation());
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    count = 0;
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      checkResults(op, nonFinite);
    checkInputs(function);
    if (count)
      function.emitRemark() << "trap-nan: function '" << nameOf(function)
                            << "' has " << count << " checks";
  }
}
