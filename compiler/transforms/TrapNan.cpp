//===- TrapNan.cpp - checks for NaN and infinity --------------------------===//
#include "compiler/transforms/GradientLocation.h"
#include "compiler/transforms/Passes.h"
#include "dialects/tg/RegionGradient.h"
#include "dialects/tg/StateOps.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/evaluation/HostTensor.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

namespace tg {
#define GEN_PASS_DEF_TRAPNAN
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

/// Whether each element of the results is one of an operand.
static bool onlyMoves(Operation *op) {
  return isa<ViewOpInterface>(op) ||
         (isa<ElementOpInterface>(op) && !isElementwise(op));
}

//===----------------------------------------------------------------------===//
// What may be infinite
//===----------------------------------------------------------------------===//

namespace {
/// The values that may hold NaN or infinity though no check failed: constants,
/// and what elementwise ops, moves, loops and variables make of them.
class OpenValues {
public:
  explicit OpenValues(ModuleOp module);
  bool contains(Value value) const { return open.contains(value); }
  /// Says of a value what holds for another one.
  void copy(Value from, Value to) {
    if (contains(from))
      add(to);
  }

private:
  void visit(Operation *op);
  bool isOpenConstant(Operation *op) const;
  void add(Value value) {
    if (isFloat(value))
      isChanged |= open.insert(value).second;
  }

  llvm::DenseSet<Value> open;
  llvm::StringSet<> variables;
  bool isChanged = true;
};
} // namespace

OpenValues::OpenValues(ModuleOp module) {
  while (isChanged) {
    isChanged = false;
    module.walk([&](Operation *op) { visit(op); });
  }
}

bool OpenValues::isOpenConstant(Operation *op) const {
  auto value = op->getAttrOfType<ElementsAttr>("value");
  if (!op->hasTrait<mlir::OpTrait::ConstantLike>() || !value ||
      !isFloat(op->getResult(0)))
    return false;
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (dense && dense.isSplat())
    return !dense.getSplatValue<APFloat>().isFinite();
  std::optional<HostTensor> tensor =
      HostTensor::fromAttribute(value, std::numeric_limits<int64_t>::max());
  return tensor &&
         llvm::any_of(llvm::seq(tensor->getNumElements()), [&](int64_t at) {
           return !std::isfinite(tensor->numberAt(at));
         });
}

void OpenValues::visit(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op)) {
    if (variables.contains(read.getVariable()))
      add(read.getResult());
    return;
  }
  if (auto assign = dyn_cast<AssignOp>(op)) {
    if (contains(assign.getValue()))
      isChanged |= variables.insert(assign.getVariable()).second;
    return;
  }
  if (auto regions = dyn_cast<DifferentiableRegionOpInterface>(op)) {
    for (const ValueFlow &flow : regions.getValueFlows())
      if (contains(flow.from->get()))
        add(flow.to);
    return;
  }
  bool passes = isElementwise(op) || onlyMoves(op);
  if (isOpenConstant(op) ||
      (passes && llvm::any_of(op->getOperands(),
                              [&](Value value) { return contains(value); })))
    for (Value result : op->getResults())
      add(result);
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
  void checkResults(Operation *op, OpenValues &open);

  unsigned count = 0;
};
} // namespace

Value TrapNan::check(Value value, ValueRange sources, Location loc,
                     const Twine &name) {
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfterValue(value);
  auto checked =
      tgx::CheckFiniteOp::create(builder, loc, value.getType(), value, sources,
                                 builder.getStringAttr(name),
                                 nanOnly ? builder.getUnitAttr() : UnitAttr());
  value.replaceAllUsesExcept(checked.getResult(), checked);
  ++count;
  ++checks;
  return checked.getResult();
}

void TrapNan::checkInputs(func::FuncOp function) {
  for (BlockArgument argument : llvm::reverse(function.getArguments())) {
    if (!isFloat(argument) || argument.use_empty())
      continue;
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      "tg.name");
    check(argument, {}, argument.getLoc(),
          "input '" + (name ? name.getValue() : "") + "'");
  }
}

void TrapNan::checkResults(Operation *op, OpenValues &open) {
  bool isComputed = !isa<ReadOp, RegionOpInterface, tgx::CheckFiniteOp>(op) &&
                    !op->hasTrait<mlir::OpTrait::ConstantLike>() &&
                    !onlyMoves(op) && !isa<func::FuncOp>(op);
  if (!isComputed)
    return;
  SmallVector<Value> sources;
  if (isElementwise(op))
    for (Value operand : op->getOperands())
      if (open.contains(operand) && !llvm::is_contained(sources, operand))
        sources.push_back(operand);
  StringRef name = op->getName().getStringRef();
  StringRef role = isGradientLocation(op->getLoc()) ? " (gradient)" : "";
  for (Value result : op->getResults())
    if (isFloat(result) && !result.use_empty())
      open.copy(result, check(result, sources, op->getLoc(), name + role));
}

void TrapNan::runOnOperation() {
  OpenValues open(getOperation());
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    count = 0;
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      checkResults(op, open);
    checkInputs(function);
    if (count)
      function.emitRemark() << "trap-nan: function '" << function.getSymName()
                            << "' has " << count << " checks";
  }
}
