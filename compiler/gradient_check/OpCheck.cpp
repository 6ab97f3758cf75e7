//===- OpCheck.cpp - the gradient rule of each op in isolation ------------===//
#include "compiler/gradient_check/Comparisons.h"
#include "compiler/transforms/gradient/FlowingValues.h"
#include "compiler/transforms/gradient/GradientExpansion.h"
#include "compiler/transforms/loops/NestedBlocks.h"
#include "compiler/transforms/module/ActiveValues.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/structured/ReductionOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/BitVector.h"
#include <cmath>

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Selection of ops
//===----------------------------------------------------------------------===//

/// Returns the values that depend on the requested ones through ops on floats,
/// even where a gradient rule stops the gradient.
static FlowingValues findVarying(GradientSubject &subject, bool holdsStopped) {
  return FlowingValues(
      subject.getFunction(), subject.getValues(), subject.getVariables(),
      [&](Operation *op, bool reached) {
        return reached && !(holdsStopped && isa<StopGradientOp>(op));
      });
}

/// Returns the ops of the body that the target depends on.
static llvm::DenseSet<Operation *> findNeeded(GradientSubject &subject) {
  llvm::DenseSet<Operation *> needed;
  SmallVector<Value> worklist = {subject.getTargetValue()};
  auto addOp = [&](Operation *op) {
    if (needed.insert(op).second)
      llvm::append_range(worklist, usedValues(op));
  };
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (op && op->getParentOp() == subject.getFunction())
      addOp(op);
    // An assigned variable may have been read.
    if (worklist.empty() && op)
      for (auto assign : subject.getFunction().getOps<AssignOp>())
        addOp(assign);
  }
  return needed;
}

/// Returns the ops with a gradient rule between a requested value and the
/// target, in program order. Ops inside a tg.custom_gradient are skipped,
/// because they are not differentiated.
static SmallVector<Operation *> findOps(GradientSubject &subject,
                                        const FlowingValues &varying,
                                        bool holdsGiven) {
  llvm::DenseSet<Operation *> needed = findNeeded(subject);
  SmallVector<Operation *> ops;
  subject.getFunction().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == subject.getFunction())
      return WalkResult::advance();
    if (op->getParentOp() == subject.getFunction() && !needed.contains(op))
      return WalkResult::skip();
    bool hasRule =
        isa<DifferentiableOpInterface, DifferentiableRegionOpInterface>(op) &&
        !(holdsGiven && isa<CustomGradientOp>(op));
    auto varies = [&](Value value) { return varying.contains(value); };
    if (hasRule && llvm::any_of(usedValues(op), varies) &&
        llvm::any_of(op->getResults(), hasFloatElements))
      ops.push_back(op);
    return isa<CustomGradientOp>(op) ? WalkResult::skip()
                                     : WalkResult::advance();
  });
  return ops;
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

namespace {
/// An op as a function of the values that it uses, and that function with
/// gradients of the weighted sum of its results.
class SingleOp {
public:
  SingleOp(Operation *op, const GradientSubject &subject)
      : op(op), subject(subject), used(usedValues(op)) {}

  /// Builds both functions for derivatives with respect to the used values with
  /// these indices. Fails without a diagnostic if the rule cannot be built for
  /// the op alone.
  LogicalResult build(ArrayRef<unsigned> indices);
  ArrayRef<Value> getUsed() const { return used; }
  /// Returns the relative rounding error of the results.
  double getRounding() const { return roundingOf(op, subject.getHost()); }

  /// Returns the results for other values; none if the op fails.
  std::optional<SmallVector<HostTensor>> run(ArrayRef<HostTensor> inputs);
  std::optional<SmallVector<HostTensor>>
  differentiate(ArrayRef<HostTensor> inputs, ArrayRef<HostTensor> weights);

private:
  func::FuncOp beginFunction(StringRef name, ArrayRef<Type> types,
                             SmallVectorImpl<Value> &results);

  Operation *op;
  const GradientSubject &subject;
  SmallVector<Value> used;
  OwningOpRef<ModuleOp> module;
  func::FuncOp forward, backward;
};
} // namespace

/// Begins a function of the module that takes values of these types and applies
/// the op.
func::FuncOp SingleOp::beginFunction(StringRef name, ArrayRef<Type> types,
                                     SmallVectorImpl<Value> &results) {
  OpBuilder builder(module->getBodyRegion());
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(builder, op->getLoc(), name,
                                       builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  for (auto [value, argument] :
       llvm::zip(used, function.getArguments().take_front(used.size())))
    mapping.map(value, argument);
  llvm::append_range(results, builder.clone(*op, mapping)->getResults());
  return function;
}

/// Ends a function that `beginFunction` began.
static void endFunction(func::FuncOp function, ValueRange results) {
  OpBuilder builder = OpBuilder::atBlockEnd(&function.getBody().front());
  func::ReturnOp::create(builder, function.getLoc(), results);
  function.setFunctionType(
      builder.getFunctionType(function.getArgumentTypes(), results.getTypes()));
}

/// Builds Σ result · weight over all float results.
static Value buildTarget(ImplicitLocOpBuilder &builder, ValueRange results,
                         ValueRange weights) {
  Value sum;
  auto weight = weights.begin();
  for (Value result : results) {
    if (!hasFloatElements(result))
      continue;
    Value product = MulOp::create(builder, result, *weight++);
    auto rank = cast<RankedTensorType>(product.getType()).getRank();
    auto axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    Value partialSum = ReduceSumOp::create(builder, product, ArrayRef(axes));
    sum = sum ? Value(AddOp::create(builder, sum, partialSum)) : partialSum;
  }
  return sum;
}

LogicalResult SingleOp::build(ArrayRef<unsigned> indices) {
  Location loc = op->getLoc();
  module = ModuleOp::create(loc);
  OpBuilder builder(module->getBodyRegion());
  auto parent = op->getParentOfType<ModuleOp>();
  if (op->getNumRegions() != 0)
    for (auto variable : parent.getOps<VariableOp>())
      builder.clone(*variable);
  auto types = llvm::to_vector(ValueRange(used).getTypes());
  SmallVector<Value> results, backwardResults;
  forward = beginFunction("forward", types, results);
  endFunction(forward, results);
  for (Value result : op->getResults())
    if (hasFloatElements(result))
      types.push_back(result.getType());
  backward = beginFunction("backward", types, backwardResults);
  auto bodyBuilder =
      ImplicitLocOpBuilder::atBlockEnd(loc, &backward.getBody().front());
  ValueRange arguments = backward.getArguments();
  Value target = buildTarget(bodyBuilder, backwardResults,
                             arguments.drop_front(used.size()));
  auto values = llvm::map_to_vector(
      indices, [&](unsigned index) -> Value { return arguments[index]; });
  auto request = GradientOp::create(
      bodyBuilder, ValueRange(values).getTypes(), target, values,
      /*variables=*/ArrayAttr(), bodyBuilder.getUnitAttr());
  endFunction(backward, request.getGradients());
  // A diagnostic about a request for the op alone does not help the user.
  ScopedDiagnosticHandler quiet(op->getContext(),
                                [](Diagnostic &) { return success(); });
  return expandGradient(request);
}

std::optional<SmallVector<HostTensor>>
SingleOp::run(ArrayRef<HostTensor> inputs) {
  Interpreter interpreter = subject.getInitialState();
  SmallVector<HostTensor> results;
  if (!interpreter.run(forward, inputs, results).empty())
    return std::nullopt;
  return results;
}

std::optional<SmallVector<HostTensor>>
SingleOp::differentiate(ArrayRef<HostTensor> inputs,
                        ArrayRef<HostTensor> weights) {
  Interpreter interpreter = subject.getInitialState();
  SmallVector<HostTensor> all(inputs), results;
  llvm::append_range(all, weights);
  if (!interpreter.run(backward, all, results).empty())
    return std::nullopt;
  return results;
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

/// Returns Σ result · weight, and sets `magnitude` to Σ |result · weight|.
static std::optional<double> sumWeighted(ArrayRef<HostTensor> results,
                                         ArrayRef<HostTensor> weights,
                                         double &magnitude) {
  double sum = 0;
  magnitude = 0;
  auto weight = weights.begin();
  for (const HostTensor &result : results) {
    if (!isa<FloatType>(result.getElementType()))
      continue;
    for (auto [number, factor] :
         llvm::zip(result.values<double>(), (weight++)->values<double>())) {
      sum += number * factor;
      magnitude += std::abs(number * factor);
    }
  }
  return std::isfinite(sum) ? std::optional(sum) : std::nullopt;
}

/// Returns random weights in [-1, 1) for each float result.
static SmallVector<HostTensor> sampleWeights(ArrayRef<HostTensor> results,
                                             RandomGenerator &random) {
  SmallVector<HostTensor> weights;
  for (const HostTensor &result : results)
    if (isa<FloatType>(result.getElementType())) {
      HostTensor &weight =
          weights.emplace_back(result.getElementType(), result.getShape());
      for (double &number : weight.values<double>())
        number = 2 * random.uniform() - 1;
    }
  return weights;
}

/// Compares the derivatives of an op on one sample of its values. Returns a
/// mask of the operands that are wrong.
static llvm::BitVector checkSample(SingleOp &single, const OpSample &sample,
                                   ArrayRef<unsigned> indices,
                                   const GradientCheckOptions &options,
                                   const TimeLimit &limit,
                                   RandomGenerator &random,
                                   CheckedOp &checked) {
  llvm::BitVector wrong(indices.size());
  if (limit.isOver()) {
    for (ComparedDerivatives &operand : checked.operands)
      operand.isCutShort = true;
    return wrong;
  }
  SmallVector<HostTensor> inputs = llvm::map_to_vector(
      single.getUsed(), [&](Value value) { return sample.lookup(value); });
  auto results = single.run(inputs);
  if (!results)
    return wrong;
  SmallVector<HostTensor> weights = sampleWeights(*results, random);
  double magnitude = 0;
  auto gradients = single.differentiate(inputs, weights);
  if (!gradients || !sumWeighted(*results, weights, magnitude))
    return wrong;
  SlopeComparison comparison(options, magnitude, single.getRounding());
  for (auto [i, index] : llvm::enumerate(indices)) {
    auto evaluate = [&](const HostTensor &content) -> std::optional<double> {
      SmallVector<HostTensor> moved(inputs);
      moved[index] = content;
      auto movedResults = single.run(moved);
      double ignored;
      return movedResults ? sumWeighted(*movedResults, weights, ignored)
                          : std::nullopt;
    };
    if (compareTensor(inputs[index], (*gradients)[i], evaluate,
                      (options.elements + 1) / 2, comparison, random,
                      limit.shareOf(indices.size() - i), checked.operands[i]))
      wrong.set(i);
  }
  return wrong;
}

/// Returns the readable name of a value that an op uses.
static std::string nameOfUsed(Operation *op, Value value) {
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() == value)
      return "operand " + std::to_string(operand.getOperandNumber());
  if (auto read = value.getDefiningOp<ReadOp>())
    return "variable '" + read.getVariable().str() + "'";
  return "a value that its regions use";
}

/// Returns true if all derivatives of the target were compared and are right.
static bool areRight(ArrayRef<ComparedDerivatives> all) {
  return llvm::all_of(all, [](const ComparedDerivatives &derivatives) {
    return derivatives.compared > 0 && !derivatives.isWrong;
  });
}

static unsigned checkOp(Operation *op, GradientSubject &subject,
                        const FlowingValues &varying,
                        const GradientCheckOptions &options,
                        const TimeLimit &limit, CheckedRequest &request) {
  SingleOp single(op, subject);
  SmallVector<unsigned> indices;
  if (!llvm::any_of(op->getResults(),
                    [&](Value result) { return varying.contains(result); }))
    return 0;
  for (auto [index, value] : llvm::enumerate(single.getUsed()))
    if (varying.contains(value))
      indices.push_back(index);
  ArrayRef<OpSample> samples = subject.samplesOf(op);
  if (samples.empty() || failed(single.build(indices)))
    return 0;
  CheckedOp checked{op->getName().getStringRef().str(), op->getLoc(), {}};
  for (unsigned index : indices)
    checked.operands.emplace_back().name =
        nameOfUsed(op, single.getUsed()[index]);
  llvm::BitVector wrong(indices.size());
  RandomGenerator random(options.seed);
  for (const OpSample &sample : samples)
    wrong |=
        checkSample(single, sample, indices, options, limit, random, checked);
  auto stop = dyn_cast<StopGradientOp>(op);
  if (wrong.any() && stop &&
      (areRight(request.wanted) || !subject.isChangedBy(stop))) {
    wrong.reset();
    for (ComparedDerivatives &operand : checked.operands)
      operand.isWrong = false;
  }
  for (unsigned i : wrong.set_bits())
    op->emitOpError() << "expected its derivative for "
                      << checked.operands[i].name << " "
                      << describeWorst(checked.operands[i]);
  request.ops.push_back(std::move(checked));
  return wrong.count();
}

LogicalResult tg::checkOps(GradientSubject &subject,
                           const GradientCheckOptions &options,
                           const TimeLimit &limit, CheckedRequest &request,
                           unsigned &wrong) {
  FlowingValues varying = findVarying(subject, options.holdsStopped);
  SmallVector<Operation *> ops = findOps(subject, varying, options.holdsGiven);
  for (auto [index, op] : llvm::enumerate(ops))
    wrong += checkOp(op, subject, varying, options,
                     limit.shareOf(ops.size() - index), request);
  return success();
}
