//===- ReductionPlan.cpp - the phases of a reduction kernel ---------------===//
#include "compiler/codegen/kernel/ReductionPlan.h"
#include "compiler/codegen/kernel/Cost.h"
#include "dialects/tg/Order.h"

using namespace mlir;
using namespace tg;

/// Returns the first reduction. Every kernel of this strategy has one.
static ReductionOpInterface firstReduction(Block &body) {
  return *body.getOps<ReductionOpInterface>().begin();
}

ReductionPlan::ReductionPlan(KernelContext &context)
    : body(context.kernel.getBlock()), outputs(context.kernel.getOutputs()),
      extents(context.extentsOf(firstReduction(body)->getOperand(0))),
      axes(firstReduction(body).getReducedAxes()),
      order(orderOf(firstReduction(body))),
      firstLineAxis(extents.size() - countLineAxes(axes, extents.size())) {
  findDropped(body);
  findPhases(body);
  classifyOutputs(context);
}

bool ReductionPlan::reducesTrailingAxes() const {
  for (unsigned axis = extents.size() - axes.size(); axis < extents.size();
       ++axis)
    if (!isReduced(axis))
      return false;
  return true;
}

bool ReductionPlan::usesShifts() const {
  return llvm::any_of(
      body.getOps<ReductionOpInterface>(),
      [](ReductionOpInterface each) { return each.usesShift(); });
}

void tg::provideResults(ElementEmitter &elements,
                        ArrayRef<ReductionOpInterface> reductions,
                        ValueRange results) {
  for (ReductionOpInterface reduction : reductions)
    for (Value result : reduction->getResults()) {
      elements.provide(result,
                       [value = results.front()](const Position &, unsigned) {
                         return value;
                       });
      results = results.drop_front();
    }
}

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// Returns true if a value has a single element for all extents, and therefore
/// fits every space.
static bool isOneElement(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.hasStaticShape() && type.getNumElements() == 1;
}

/// Finds the values of the dropped space: the results of reductions that drop
/// their axes, and the values that are computed from them or combined with
/// them.
void ReductionPlan::findDropped(Block &body) {
  SmallVector<Value> worklist;
  auto add = [&](Value value) {
    if (value.getDefiningOp() && dropped.insert(value).second)
      worklist.push_back(value);
  };
  for (auto reduction : body.getOps<ReductionOpInterface>())
    if (!reduction.keepsReducedAxes())
      llvm::for_each(reduction->getResults(), add);
  // Outputs whose rank differs from the full space have the dropped space.
  for (Value output : outputs)
    if (cast<RankedTensorType>(output.getType()).getRank() !=
        int64_t(extents.size()))
      add(output);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (Operation *user : value.getUsers())
      llvm::for_each(user->getResults(), add);
    if (isa<ReductionOpInterface>(value.getDefiningOp()))
      continue;
    for (Value operand : value.getDefiningOp()->getOperands())
      if (!isOneElement(operand))
        add(operand);
  }
}

ReductionPlan::Phase &ReductionPlan::phaseOf(unsigned index) {
  if (phases.size() <= index)
    phases.resize(index + 1);
  return phases[index];
}

void ReductionPlan::findPhases(Block &body) {
  for (Operation &op : body.without_terminator()) {
    unsigned phase = 0;
    for (Value operand : op.getOperands())
      phase = std::max(phase, phaseOfValue.lookup(operand));
    if (auto reduction = dyn_cast<ReductionOpInterface>(&op))
      phaseOf(phase++).reductions.push_back(reduction);
    for (Value result : op.getResults())
      phaseOfValue[result] = phase;
  }
}

void ReductionPlan::classifyOutputs(KernelContext &context) {
  for (auto [index, output] : llvm::enumerate(outputs)) {
    bool hasRank = context.extentsOf(output).size() == extents.size();
    bool isFull =
        hasRank && !dropped.contains(output) &&
        llvm::any_of(axes, [&](auto axis) {
          return IterationSpace::varies(context, output, axis, extents.size());
        });
    if (isFull)
      phaseOf(phaseOfValue.lookup(output)).fullOutputs.push_back(index);
    else
      reducedOutputs.push_back(index);
  }
}

//===----------------------------------------------------------------------===//
// Spaces
//===----------------------------------------------------------------------===//

IterationSpace ReductionPlan::makeSpace(KernelContext &context) const {
  unsigned rank = extents.size();
  SmallVector<unsigned> parallelAxes;
  for (unsigned axis = 0; axis < rank; ++axis)
    if (!isReduced(axis))
      parallelAxes.push_back(axis);
  // Returns true if a value varies along an axis of the full space. The value
  // has the dropped space if `isDropped`.
  auto varies = [&](Value value, bool isDropped, unsigned axis) {
    if (!isDropped)
      return IterationSpace::varies(context, value, axis, rank);
    const unsigned *found = llvm::find(parallelAxes, axis);
    return found == parallelAxes.end() ||
           IterationSpace::varies(context, value, found - parallelAxes.begin(),
                                  parallelAxes.size());
  };
  auto agree = [&](Operation &op, unsigned axis, unsigned previous) {
    bool isReduction = isa<ReductionOpInterface>(&op);
    if (!isReduction && !isElementwise(&op))
      return false;
    bool isDropped = !isReduction && dropped.contains(op.getResult(0));
    return llvm::all_of(op.getOperands(), [&](Value operand) {
      return varies(operand, isDropped, axis) ==
             varies(operand, isDropped, previous);
    });
  };
  return IterationSpace(
      context, extents, [&](unsigned axis, unsigned previous) {
        return isReduced(axis) == isReduced(previous) &&
               (previous < firstLineAxis) == (axis < firstLineAxis) &&
               llvm::all_of(body.without_terminator(), [&](Operation &op) {
                 return agree(op, axis, previous);
               });
      });
}

void ReductionPlan::divideGroups(const IterationSpace &space,
                                 SmallVectorImpl<unsigned> &parallel,
                                 SmallVectorImpl<unsigned> &outer,
                                 SmallVectorImpl<unsigned> &line) const {
  for (unsigned group = 0; group < space.getNumGroups(); ++group) {
    unsigned axis = space.getLastAxis(group);
    if (!isReduced(axis))
      parallel.push_back(group);
    else
      (axis < firstLineAxis ? outer : line).push_back(group);
  }
}

Position ReductionPlan::reducedPosition(KernelContext &context, Value value,
                                        const Position &position) const {
  Position reduced;
  Value zero = context.integers().constant(0);
  ArrayRef<AffineExpr> valueExtents = context.extentsOf(value);
  bool isDropped =
      valueExtents.size() != extents.size() || dropped.contains(value);
  for (unsigned axis = 0; axis < position.rank(); ++axis) {
    if (!isReduced(axis)) {
      reduced.index.push_back(position.index[axis]);
      reduced.laneStep.push_back(position.laneStep[axis]);
    } else if (!isDropped) {
      reduced.index.push_back(zero);
      reduced.laneStep.push_back(0);
    }
  }
  // A value that is computed from arguments alone may have a lower rank than
  // the space.
  size_t excess =
      reduced.rank() - std::min<size_t>(reduced.rank(), valueExtents.size());
  reduced.index.erase(reduced.index.begin(), reduced.index.begin() + excess);
  reduced.laneStep.erase(reduced.laneStep.begin(),
                         reduced.laneStep.begin() + excess);
  for (auto [axis, extent] : llvm::enumerate(valueExtents))
    if (staticExtent(extent) == 1) {
      reduced.index[axis] = zero;
      reduced.laneStep[axis] = 0;
    }
  return reduced;
}

//===----------------------------------------------------------------------===//
// Saved values
//===----------------------------------------------------------------------===//

/// Collects `value` and the values of the full space that it is computed from.
void ReductionPlan::collect(Value value, DenseSet<Value> &values) const {
  Operation *op = value.getDefiningOp();
  if (!op || isa<ReductionOpInterface>(op) || !values.insert(value).second)
    return;
  for (Value operand : op->getOperands())
    collect(operand, values);
}

DenseSet<Value> ReductionPlan::valuesNeededIn(unsigned phase) const {
  DenseSet<Value> values;
  for (ReductionOpInterface reduction : phases[phase].reductions)
    collect(reduction->getOperand(0), values);
  for (unsigned output : phases[phase].fullOutputs)
    collect(outputs[output], values);
  return values;
}

bool ReductionPlan::isExpensivePhase(unsigned phase) const {
  return llvm::any_of(valuesNeededIn(phase), [](Value value) {
    return isExpensive(value.getDefiningOp());
  });
}

SmallVector<Value> ReductionPlan::getReusedValues(unsigned phase) const {
  DenseSet<Value> later;
  for (unsigned next = phase + 1; next < phases.size(); ++next)
    later.insert_range(valuesNeededIn(next));
  DenseSet<Value> now = valuesNeededIn(phase);
  SmallVector<Value> reused;
  for (Operation &op : body.without_terminator()) {
    if (op.getNumResults() != 1 || !isExpensive(&op))
      continue;
    Value result = op.getResult(0);
    bool isFull = llvm::equal(
        cast<RankedTensorType>(result.getType()).getShape(),
        cast<RankedTensorType>(firstReduction(body)->getOperand(0).getType())
            .getShape());
    if (isFull && phaseOfValue.lookup(result) == phase &&
        now.contains(result) && later.contains(result))
      reused.push_back(result);
  }
  return reused;
}
