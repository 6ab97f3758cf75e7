//===- BodyDependence.cpp - differentiable dependences of values ----------===//
#include "compiler/frontend/body/BodyImpl.h"
#include "compiler/frontend/body/EagerEvaluator.h"
#include "compiler/transforms/gradient/GradientExpansion.h"
#include "compiler/transforms/module/ActiveValues.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

namespace {
/// The values that the cotangent of a target reaches.
struct Dependence {
  llvm::DenseSet<Value> values;
  /// The variables whose reads are among the values.
  llvm::DenseSet<StringAttr> variables;
  /// True if requests for gradients are among the values. Their expansion
  /// decides which of their operands they depend on.
  bool hasRequests = false;
};
} // namespace

/// Returns true if a cotangent passes from a result of the op to the operand.
static bool passes(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto rule = dyn_cast<DifferentiableOpInterface>(op))
    return rule.passesGradient(operand.getOperandNumber());
  return isa<GradientOp>(op) || !op->hasTrait<tg::OpTrait::NonDifferentiable>();
}

/// Appends the operands of a branch or loop and the values that its regions
/// yield: a result or an argument may depend on all of them.
static void pushOperands(Operation *op, SmallVectorImpl<Value> &work) {
  if (!isa<RegionOpInterface>(op))
    return;
  llvm::append_range(work, op->getOperands());
  for (Region &region : op->getRegions())
    if (Operation *end = region.empty() || region.front().empty()
                             ? nullptr
                             : &region.front().back())
      llvm::append_range(work, end->getOperands());
}

static Dependence dependenceOf(Value target) {
  Dependence found;
  SmallVector<Value> work = {target};
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!isa<FloatType>(getElementTypeOrSelf(value.getType())) ||
        !found.values.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (!op) {
      pushOperands(value.getParentBlock()->getParentOp(), work);
      continue;
    }
    if (auto variable = dyn_cast<ReadOp>(op))
      found.variables.insert(variable.getVariableAttr().getAttr());
    found.hasRequests |= isa<GradientOp>(op);
    pushOperands(op, work);
    for (OpOperand &operand : op->getOpOperands())
      if (passes(operand))
        work.push_back(operand.get());
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Loops without a gradient
//===----------------------------------------------------------------------===//

std::optional<dsl::Error> Body::Impl::checkLoops(GradientOp request,
                                                 Place where) const {
  SmallVector<WhileOp> loops;
  request->getBlock()->walk([&](WhileOp loop) {
    if (!loop.getMaxTrip())
      loops.push_back(loop);
  });
  if (loops.empty())
    return std::nullopt;
  ActiveValues active(request);
  Dependence dependence = dependenceOf(request.getTarget());
  auto isDifferentiated = [&](WhileOp loop) {
    return llvm::any_of(loop.getResults(), [&](Value result) {
      return active.isActive(result) && dependence.values.contains(result);
    });
  };
  auto found = llvm::find_if(loops, isDifferentiated);
  if (found == loops.end())
    return std::nullopt;
  auto line = (*found)->getLoc()->findInstanceOf<FileLineColLoc>();
  return inScope(makeError(
      ("expected a maxTrip of the whileLoop made in line " +
       Twine(line ? line.getLine() : 0) +
       ", because a gradient is taken through it, found none: the gradient "
       "saves values of each iteration")
          .str(),
      where));
}

llvm::DenseSet<Value> Body::Impl::differentiatedBy(GradientOp request) const {
  ActiveValues active(request);
  llvm::DenseSet<Value> found;
  for (Value value : dependenceOf(request.getTarget()).values)
    if (active.isActive(value))
      found.insert(value);
  return found;
}

//===----------------------------------------------------------------------===//
// Gradients of gradients
//===----------------------------------------------------------------------===//

namespace {
/// A copy of the ops that compute values at the top of a body, with requests
/// for gradients expanded.
class ExpandedSlice {
public:
  ExpandedSlice(Block *top, ArrayRef<Value> values);

  /// Expands the requests; fails if one cannot be expanded.
  LogicalResult expand();
  /// Returns the copy of the value with this index in `values`.
  Value lookup(unsigned index) {
    return function.getBody().front().back().getOperand(index);
  }

private:
  llvm::DenseSet<Operation *> findOps(Block *top, ArrayRef<Value> values);

  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  IRMapping mapping;
};
} // namespace

/// Returns the top-level ops that the values depend on.
llvm::DenseSet<Operation *> ExpandedSlice::findOps(Block *top,
                                                   ArrayRef<Value> values) {
  llvm::DenseSet<Operation *> ops;
  SmallVector<Value> work(values);
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    op = op ? top->findAncestorOpInBlock(*op) : nullptr;
    if (op && ops.insert(op).second)
      op->walk([&](Operation *inner) {
        llvm::append_range(work, inner->getOperands());
      });
  }
  return ops;
}

ExpandedSlice::ExpandedSlice(Block *top, ArrayRef<Value> values) {
  Location loc = top->getParentOp()->getLoc();
  module = ModuleOp::create(loc);
  auto builder = OpBuilder::atBlockEnd(module->getBody());
  auto body = top->getParentOp()->getParentOfType<ModuleOp>();
  for (auto variable : body.getOps<VariableOp>())
    builder.clone(*variable);
  function = func::FuncOp::create(
      builder, loc, "slice",
      builder.getFunctionType(top->getArgumentTypes(),
                              ValueRange(values).getTypes()));
  Block *block = function.addEntryBlock();
  mapping.map(top->getArguments(), block->getArguments());
  builder.setInsertionPointToEnd(block);
  llvm::DenseSet<Operation *> ops = findOps(top, values);
  for (Operation &op : *top)
    if (ops.contains(&op))
      builder.clone(op, mapping);
  func::ReturnOp::create(builder, loc,
                         llvm::map_to_vector(values, [&](Value value) {
                           return mapping.lookup(value);
                         }));
  // The result of a layer's call is a cast to the same type.
  function.walk([](UnrealizedConversionCastOp call) {
    call->replaceAllUsesWith(call.getOperands());
    call.erase();
  });
}

LogicalResult ExpandedSlice::expand() {
  // Errors in a request are reported when a function is made.
  ScopedDiagnosticHandler quiet(module->getContext(),
                                [](Diagnostic &) { return success(); });
  for (auto request :
       llvm::make_early_inc_range(function.getBody().getOps<GradientOp>()))
    if (failed(expandGradient(request)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

std::vector<bool> Body::reaches(Id target, std::span<const Id> sources) const {
  if (impl->evaluator)
    return impl->evaluator->reaches(target, sources);
  SmallVector<Value> values = {impl->values[target]};
  for (Id source : sources)
    values.push_back(impl->values[source]);
  Dependence found = dependenceOf(values[0]);
  std::optional<ExpandedSlice> slice;
  bool isOutside = llvm::all_of(
      values, [&](Value value) { return value.getParentBlock() == impl->top; });
  if (found.hasRequests && isOutside &&
      succeeded(slice.emplace(impl->top, values).expand())) {
    found = dependenceOf(slice->lookup(0));
    for (unsigned i = 0; i < values.size(); ++i)
      values[i] = slice->lookup(i);
  }
  std::vector<bool> reached;
  for (Value value : ArrayRef(values).drop_front()) {
    auto variable = value.getDefiningOp<ReadOp>();
    reached.push_back(variable ? found.variables.contains(
                                     variable.getVariableAttr().getAttr())
                               : found.values.contains(value));
  }
  return reached;
}

std::vector<std::string> Body::parametersOf(Id target) const {
  std::vector<Id> reads;
  std::vector<std::string> names, reached;
  for (const VariableInfo &info : impl->variables) {
    if (!info.spec.trainable)
      continue;
    reads.push_back(info.read);
    names.push_back(info.spec.name);
  }
  std::vector<bool> isReached = reaches(target, reads);
  for (size_t i = 0; i < names.size(); ++i)
    if (isReached[i])
      reached.push_back(names[i]);
  return reached;
}
