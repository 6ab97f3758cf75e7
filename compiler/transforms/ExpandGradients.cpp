//===- ExpandGradients.cpp - replace gradient requests by ordinary ops ----===//
#include "compiler/transforms/ActiveValues.h"
#include "compiler/transforms/GradientLocation.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/SourceOrder.h"
#include "dialects/tg/BinaryOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ConstantOps.h"
#include "dialects/tg/GradientOps.h"
#include "dialects/tg/ShapeOps.h"
#include "dialects/tg/StateOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

namespace tg {
#define GEN_PASS_DEF_EXPANDGRADIENTS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

/// The most ops that the gradients of a module build: a gradient of a gradient
/// multiplies them.
static constexpr unsigned kMaximumBuilt = 1u << 16;

/// The most ops that all requests go over.
static constexpr unsigned kMaximumVisited = 1u << 21;

namespace {

/// What the expansion of all requests of a module costs; counts the ops that
/// are built, and says of each that it is part of a gradient.
class ExpansionCost : public OpBuilder::Listener {
public:
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    ++built;
    op->setLoc(gradientLocation(op->getLoc()));
  }
  bool isTooHigh() const {
    return built > kMaximumBuilt || visited > kMaximumVisited;
  }

  unsigned built = 0, visited = 0;
};

/// Expands one request: a sweep over the ops before it, last to first.
class Expansion {
public:
  Expansion(GradientOp request, ExpansionCost &cost)
      : request(request), cost(cost), builder(request), active(request) {
    builder.setListener(&cost);
  }

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
  /// Fails when the requests cost too much.
  LogicalResult checkCost();

  GradientOp request;
  ExpansionCost &cost;
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
  for (Operation *op = last; op; op = op->getPrevNode()) {
    ++cost.visited;
    if (failed(checkCost()))
      return failure();
    if (failed(visit(op)))
      result = failure();
  }
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

LogicalResult Expansion::checkCost() {
  if (!cost.isTooHigh())
    return success();
  if (cost.visited > kMaximumVisited)
    return request.emitOpError()
           << "expected gradients that go over at most " << kMaximumVisited
           << " ops, found more with this one";
  return request.emitOpError()
         << "expected gradients that build at most " << kMaximumBuilt
         << " ops, found more with this one; each gradient of a gradient "
            "multiplies them";
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

/// Whether a request differentiates what follows from another one.
static bool hasNestedRequest(func::FuncOp function) {
  llvm::DenseSet<Value> following;
  for (Operation &op : function.getBody().front()) {
    bool follows = llvm::any_of(op.getOperands(), [&](Value operand) {
      return following.contains(operand);
    });
    if (isa<GradientOp>(op) && follows)
      return true;
    if (isa<GradientOp>(op) || follows)
      following.insert_range(op.getResults());
  }
  return false;
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
  void runOnOperation() override;

private:
  LogicalResult expand(GradientOp request, ExpansionCost &cost);
  /// Expands what can be expanded, so that all mistakes are told.
  LogicalResult expandAll();
  /// Expands the requests of a function whose gradients have gradients. Equal
  /// ops are shared after each: the next differentiates every one of them.
  /// Gives the request that fails, none if all are expanded.
  GradientOp expandNested(func::FuncOp function, ExpansionCost &cost);
};
} // namespace

LogicalResult ExpandGradients::expand(GradientOp request, ExpansionCost &cost) {
  if (!isa<func::FuncOp>(request->getParentOp()))
    return request.emitOpError()
           << "expected to stand at the top level of a function [C3]";
  // The mistake was told at the request that the target depends on.
  if (dependsOnRequest(request))
    return failure();
  Expansion expansion(request, cost);
  if (failed(expansion.run()))
    return failure();
  ++requestsExpanded;
  opsDifferentiated += expansion.differentiated;
  return success();
}

GradientOp ExpandGradients::expandNested(func::FuncOp function,
                                         ExpansionCost &cost) {
  Block &body = function.getBody().front();
  IRRewriter rewriter(&getContext());
  for (;;) {
    auto requests = body.getOps<GradientOp>();
    if (requests.empty())
      return {};
    GradientOp request = *requests.begin();
    if (failed(expand(request, cost)))
      return request;
    DominanceInfo dominance(function);
    eliminateCommonSubExpressions(rewriter, dominance, function);
    // Sharing costs as much as a sweep there and back.
    cost.visited += 2 * body.getOperations().size();
  }
}

LogicalResult ExpandGradients::expandAll() {
  SourceOrder order(&getContext());
  ExpansionCost cost;
  llvm::DenseSet<Operation *> told;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (function.getBody().hasOneBlock() && hasNestedRequest(function))
      if (GradientOp request = expandNested(function, cost))
        told.insert(request);
  // In program order: a later request may differentiate an earlier result.
  SmallVector<GradientOp> requests;
  getOperation().walk([&](GradientOp op) { requests.push_back(op); });
  LogicalResult result = success();
  for (GradientOp request : requests) {
    if (cost.isTooHigh())
      return failure();
    if (order.isFull() || told.contains(request) ||
        failed(expand(request, cost)))
      result = failure();
  }
  return result;
}

void ExpandGradients::runOnOperation() {
  if (failed(expandAll()) || failed(verifyExpanded(getOperation())))
    signalPassFailure();
}
