//===- ExpandGradients.cpp - replace gradient requests by ordinary ops ----===//
#include "compiler/transforms/ActiveValues.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/SourceOrder.h"
#include "dialects/tg/BinaryOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ConstantOps.h"
#include "dialects/tg/GradientOps.h"
#include "dialects/tg/ShapeOps.h"
#include "dialects/tg/StateOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {
#define GEN_PASS_DEF_EXPANDGRADIENTS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {

/// Expands one request: a sweep over the ops before it, last to first.
class Expansion {
public:
  explicit Expansion(GradientOp request)
      : request(request), builder(request), active(request) {}

  /// Builds the gradients before the request and replaces it.
  LogicalResult run();

  unsigned differentiated = 0;

private:
  LogicalResult visit(Operation *op);
  LogicalResult visitRead(ReadOp read);
  LogicalResult differentiate(DifferentiableOpInterface op);

  /// Adds to the cotangent of a value.
  LogicalResult accumulate(Value value, Value cotangent, Operation *user);

  /// The sum of two cotangents; the first may be absent.
  Value add(Value sum, Value cotangent, Location loc);

  /// The results of the request, zeros where unconnected; null after an error.
  Value gradientOfValue(unsigned number);
  Value gradientOfVariable(StringAttr variable, RankedTensorType type);
  LogicalResult reportUnconnected(const Twine &what);

  GradientOp request;
  OpBuilder builder;
  ActiveValues active;
  DenseMap<Value, Value> cotangents;
  DenseMap<StringAttr, Value> variableCotangents;
};

} // namespace

/// The value with the given type: extents are checked where they are static
/// in one of the types only.
static Value buildOfType(OpBuilder &builder, Location loc, Value value,
                         RankedTensorType type) {
  if (value.getType() == type)
    return value;
  SmallVector<int64_t> shape =
      llvm::map_to_vector(type.getShape(), [](int64_t extent) {
        return ShapedType::isDynamic(extent) ? -1 : extent;
      });
  return EnsureShapeOp::create(builder, loc, value,
                               builder.getI64ArrayAttr(shape));
}

LogicalResult Expansion::run() {
  // What the rules build goes before the request, so after this op.
  Operation *last = request->getPrevNode();
  Value target = request.getTarget();
  if (active.isActive(target))
    cotangents[target] = buildScalarConstant(builder, request.getLoc(),
                                             getElementTypeOrSelf(target), 1.0);
  LogicalResult result = success();
  for (Operation *op = last; op; op = op->getPrevNode())
    if (failed(visit(op)))
      result = failure();
  // Beyond an op without a rule nothing is connected.
  if (failed(result))
    return failure();

  SmallVector<Value> gradients;
  for (unsigned number = 0; number < request.getValues().size(); ++number)
    gradients.push_back(gradientOfValue(number));
  if (ArrayAttr variables = request.getVariablesAttr())
    for (auto variable : variables.getAsRange<FlatSymbolRefAttr>()) {
      Value result = request.getGradients()[gradients.size()];
      gradients.push_back(gradientOfVariable(
          variable.getAttr(), cast<RankedTensorType>(result.getType())));
    }
  if (llvm::is_contained(gradients, Value()))
    return failure();
  request->replaceAllUsesWith(gradients);
  request->erase();
  return success();
}

LogicalResult Expansion::visit(Operation *op) {
  bool reached = llvm::any_of(op->getResults(), [&](Value result) {
    return active.isActive(result) && cotangents.contains(result);
  });
  if (!reached)
    return success();
  if (auto read = dyn_cast<ReadOp>(op))
    return visitRead(read);
  // A wanted value may depend on nothing that is wanted itself.
  auto isActiveOperand = [&](Value value) { return active.isActive(value); };
  if (llvm::none_of(op->getOperands(), isActiveOperand))
    return success();
  if (auto rule = dyn_cast<DifferentiableOpInterface>(op))
    return differentiate(rule);
  return op->emitOpError()
         << "has no gradient and stands between the target of a gradient and a "
            "wanted value; expected tg.stop_gradient before it [C5]";
}

LogicalResult Expansion::visitRead(ReadOp read) {
  Value cotangent = cotangents.lookup(read.getResult());
  auto [writer, contentActive] = active.getContent(read);
  if (!contentActive)
    return success();
  if (!writer) {
    Value &sum = variableCotangents[read.getVariableAttr().getAttr()];
    sum = add(sum, cotangent, read.getLoc());
    return success();
  }
  if (auto assign = dyn_cast<AssignOp>(writer))
    return accumulate(assign.getValue(), cotangent, read);
  InFlightDiagnostic diagnostic =
      read.emitOpError()
      << "expected no tg.update of @" << read.getVariable()
      << " before a read that a gradient passes; a read before the update or "
         "tg.stop_gradient avoids it [C5]";
  diagnostic.attachNote(writer->getLoc()) << "updated here";
  return diagnostic;
}

LogicalResult Expansion::differentiate(DifferentiableOpInterface op) {
  SmallVector<Value> given =
      llvm::map_to_vector(op->getResults(), [&](Value result) -> Value {
        return cotangents.lookup(result);
      });
  SmallVector<Value> built = op.buildGradient(builder, given);
  ++differentiated;
  if (built.size() != op->getNumOperands())
    return op->emitOpError()
           << "expected its gradient rule to give " << op->getNumOperands()
           << " cotangents, found " << built.size();
  for (unsigned number = built.size(); number-- > 0;) {
    Value operand = op->getOperand(number);
    if (built[number] && active.isActive(operand) &&
        hasFloatElements(operand) && op.passesGradient(number) &&
        failed(accumulate(operand, built[number], op)))
      return failure();
  }
  return success();
}

LogicalResult Expansion::accumulate(Value value, Value cotangent,
                                    Operation *user) {
  auto type = cast<RankedTensorType>(value.getType());
  auto found = cast<RankedTensorType>(cotangent.getType());
  if (found.getElementType() != type.getElementType() ||
      failed(verifyCompatibleShape(found, type)))
    return user->emitOpError() << "expected its gradient rule to give " << type
                               << ", found " << found;
  Value &sum = cotangents[value];
  sum = add(sum, buildOfType(builder, user->getLoc(), cotangent, type),
            user->getLoc());
  return success();
}

Value Expansion::add(Value sum, Value cotangent, Location loc) {
  if (!sum)
    return cotangent;
  return AddOp::create(builder, loc, sum, cotangent);
}

LogicalResult Expansion::reportUnconnected(const Twine &what) {
  if (request.getAllowUnconnected())
    return success();
  return request.emitOpError()
         << "expected the target to depend differentiably on " << what
         << "; allow_unconnected gives zeros [C4]";
}

Value Expansion::gradientOfValue(unsigned number) {
  Value value = request.getValues()[number];
  if (Value cotangent = cotangents.lookup(value))
    return cotangent;
  if (failed(reportUnconnected("value " + Twine(number))))
    return {};
  return buildZerosLike(builder, value);
}

Value Expansion::gradientOfVariable(StringAttr variable,
                                    RankedTensorType type) {
  if (Value cotangent = variableCotangents.lookup(variable))
    return buildOfType(builder, request.getLoc(), cotangent, type);
  if (failed(reportUnconnected("variable @" + variable.getValue())))
    return {};
  return ConstantOp::create(
      builder, request.getLoc(),
      SplatElementsAttr::get(type, builder.getZeroAttr(type.getElementType())));
}

/// Whether the target follows from a request that could not be expanded.
static bool dependsOnRequest(GradientOp request) {
  SmallVector<Value> open = {request.getTarget()};
  llvm::DenseSet<Operation *> seen;
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<GradientOp>(op))
      return true;
    llvm::append_range(open, op->getOperands());
  }
  return false;
}

/// The invariant: no request is left.
static LogicalResult verifyExpanded(ModuleOp module) {
  WalkResult walk = module.walk([](GradientOp request) {
    request.emitOpError() << "expected to be replaced";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

namespace {
struct ExpandGradients : public tg::impl::ExpandGradientsBase<ExpandGradients> {
  void runOnOperation() override {
    if (failed(expandAll()) || failed(verifyExpanded(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult expand(GradientOp request);
  /// Expands what can be expanded, so that all mistakes are told.
  LogicalResult expandAll();
};
} // namespace

LogicalResult ExpandGradients::expand(GradientOp request) {
  if (!isa<func::FuncOp>(request->getParentOp()))
    return request.emitOpError()
           << "expected to stand at the top level of a function [C3]";
  // The mistake was told at the request that the target depends on.
  if (dependsOnRequest(request))
    return failure();
  Expansion expansion(request);
  if (failed(expansion.run()))
    return failure();
  ++requestsExpanded;
  opsDifferentiated += expansion.differentiated;
  return success();
}

LogicalResult ExpandGradients::expandAll() {
  SourceOrder order(&getContext());
  // In program order: a later request may differentiate an earlier result.
  SmallVector<GradientOp> requests;
  getOperation().walk([&](GradientOp op) { requests.push_back(op); });
  LogicalResult result = success();
  for (GradientOp request : requests)
    if (order.isFull() || failed(expand(request)))
      result = failure();
  return result;
}
