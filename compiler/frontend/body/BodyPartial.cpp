//===- BodyPartial.cpp - fetches that take several calls ------------------===//
#include "compiler/frontend/body/Cut.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/StateOps.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

struct dsl::PartialProgress {
  /// The top-level ops that ran, the effects that happened, and for each
  /// variable (by index) the number of its assignments when a part first read
  /// it.
  llvm::SetVector<Operation *> done;
  std::vector<Id> effects;
  llvm::DenseMap<size_t, uint64_t> assignmentsAtRead;
  /// The values that were saved for later parts.
  llvm::SetVector<Value> saved;

  /// The contents of the part that was planned last. finishPart() adds them.
  llvm::SetVector<Operation *> planned;
  std::vector<Id> plannedEffects;
  llvm::SetVector<Value> plannedSaved;
  llvm::DenseMap<size_t, uint64_t> plannedReads;
};

namespace {
/// The plan of one part of a fetch.
class PartPlan {
public:
  PartPlan(Body::Impl &impl, PartialProgress &progress,
           std::span<const uint64_t> assignments, Location loc)
      : impl(impl), progress(progress), assignments(assignments), loc(loc) {}

  LogicalResult run(FunctionSpec part, FunctionSpec rest);
  /// The values that the part takes from earlier parts and saves for later
  /// ones.
  llvm::SetVector<Value> taken, saved;

private:
  LogicalResult chooseOps(FunctionSpec part);
  LogicalResult checkReads();
  void chooseSaved(const FunctionSpec &rest);
  Operation *topOf(Operation *op) const {
    return impl.top->findAncestorOpInBlock(*op);
  }
  std::vector<Id> idsOf(ArrayRef<Value> values) const;

  Body::Impl &impl;
  PartialProgress &progress;
  /// The number of assignments of each variable so far.
  std::span<const uint64_t> assignments;
  Location loc;
  /// The ops that the part runs, and the ops that the later parts need.
  llvm::SetVector<Operation *> needed, remaining;
};
} // namespace

/// Returns the first id of a value, so that equal parts have equal specs.
static Id idOf(Body::Impl &impl, Value value) {
  auto found = llvm::find(impl.values, value);
  return found == impl.values.end() ? impl.add(value)
                                    : Id(found - impl.values.begin());
}

std::vector<Id> PartPlan::idsOf(ArrayRef<Value> values) const {
  std::vector<Id> ids;
  for (Value value : values)
    ids.push_back(idOf(impl, value));
  return ids;
}

/// Returns the values that the requests for gradients among `ops`
/// differentiate, for the requests that satisfy `counts`.
template <typename Filter>
static llvm::DenseSet<Value> differentiatedBy(const Body::Impl &impl,
                                              ArrayRef<Operation *> ops,
                                              Filter counts) {
  llvm::DenseSet<Value> values;
  for (Operation *op : ops) // requests are top-level ops
    if (auto request = dyn_cast<GradientOp>(op); request && counts(op))
      values.insert_range(impl.differentiatedBy(request));
  return values;
}

/// Determines the ops of the part. Values on the path of a gradient are
/// recomputed, because a fed value has no gradient.
LogicalResult PartPlan::chooseOps(FunctionSpec part) {
  const std::vector<Id> feeds = part.inputs;
  llvm::DenseSet<Value> fed;
  for (Id feed : feeds)
    fed.insert(impl.values[feed]);
  SmallVector<Value> candidates;
  for (Value value : progress.saved)
    if (!fed.contains(value))
      candidates.push_back(value);
  for (bool isChanged = true; isChanged;) {
    part.inputs = feeds;
    llvm::append_range(part.inputs, idsOf(candidates));
    Cut cut(impl, part, loc);
    if (failed(cut.collect()))
      return failure();
    needed = cut.ops();
    progress.plannedEffects = cut.effectIds();
    llvm::DenseSet<Value> differentiated = differentiatedBy(
        impl, needed.getArrayRef(), [](Operation *) { return true; });
    size_t before = candidates.size();
    llvm::erase_if(candidates,
                   [&](Value value) { return differentiated.contains(value); });
    isChanged = candidates.size() != before;
  }
  llvm::DenseSet<Value> outputs;
  for (const auto &[name, id] : part.outputs)
    outputs.insert(impl.values[id]);
  for (Value value : candidates)
    if (outputs.contains(value) ||
        llvm::any_of(value.getUsers(), [&](Operation *user) {
          return needed.contains(topOf(user));
        }))
      taken.insert(value);
  return success();
}

/// Fails if the part reads a variable again that was assigned after an earlier
/// part read it.
LogicalResult PartPlan::checkReads() {
  progress.plannedReads.clear();
  for (Operation *op : needed) {
    auto check = [&](ReadOp read) { // also for reads in regions
      size_t variable = impl.variableByName.lookup(read.getVariable());
      uint64_t count =
          variable < assignments.size() ? assignments[variable] : 0;
      progress.plannedReads[variable] = count;
      auto earlier = progress.assignmentsAtRead.find(variable);
      if (!progress.done.contains(op) || earlier->second == count)
        return WalkResult::advance();
      emitError(loc)
          << "expected no assignment of variable '" << read.getVariable()
          << "' since an earlier part of the run read it, because a gradient "
             "of this part depends on it, found one";
      return WalkResult::interrupt();
    };
    if (op->walk(check).wasInterrupted())
      return failure();
  }
  return success();
}

/// Determines the values to save for later parts.
void PartPlan::chooseSaved(const FunctionSpec &rest) {
  llvm::DenseSet<Value> outputs;
  for (const auto &[name, id] : rest.outputs)
    outputs.insert(impl.values[id]);
  llvm::DenseSet<Value> differentiated =
      differentiatedBy(impl, remaining.getArrayRef(),
                       [&](Operation *op) { return !needed.contains(op); });
  // The operands of ops that a gradient recomputes are saved as well.
  auto isComputedAgain = [&](Operation *op) {
    return llvm::any_of(op->getResults(), [&](Value result) {
      return differentiated.contains(result);
    });
  };
  auto isUsed = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      Operation *top = topOf(user);
      bool isLater = remaining.contains(top) && !needed.contains(top) &&
                     !progress.done.contains(top);
      return isLater || isComputedAgain(top);
    });
  };
  for (Operation *op : needed) {
    // Each part makes its own constants.
    if (op->hasTrait<mlir::OpTrait::ConstantLike>())
      continue;
    for (Value result : op->getResults())
      if (outputs.contains(result) || isUsed(result))
        saved.insert(result);
  }
}

LogicalResult PartPlan::run(FunctionSpec part, FunctionSpec rest) {
  part.doneEffects = rest.doneEffects = progress.effects;
  if (failed(chooseOps(part)) || failed(checkReads()))
    return failure();
  if (!rest.outputs.empty() || !rest.effects.empty()) {
    Cut cut(impl, rest, loc);
    if (failed(cut.collect()))
      return failure();
    remaining = cut.ops();
    chooseSaved(rest);
  }
  progress.planned = needed;
  progress.plannedSaved = saved;
  return success();
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

std::shared_ptr<PartialProgress> Body::beginPartial() {
  return std::make_shared<PartialProgress>();
}

Result<PartialPart> Body::planPart(PartialProgress &progress,
                                   const FunctionSpec &part,
                                   const FunctionSpec &rest,
                                   std::span<const uint64_t> assignments,
                                   Place where) {
  Capture capture(&impl->context);
  PartPlan plan(*impl, progress, assignments, impl->locate(where));
  if (failed(plan.run(part, rest)))
    return {{}, capture.takeAll("a part of a run")};
  PartialPart result;
  for (Value value : plan.taken)
    result.taken.push_back(idOf(*impl, value));
  for (Value value : plan.saved)
    result.saved.push_back(idOf(*impl, value));
  result.doneEffects = progress.effects;
  return {std::move(result)};
}

void Body::finishPart(PartialProgress &progress) {
  progress.done.insert_range(progress.planned);
  progress.saved.insert_range(progress.plannedSaved);
  progress.assignmentsAtRead.insert(progress.plannedReads.begin(),
                                    progress.plannedReads.end());
  llvm::append_range(progress.effects, progress.plannedEffects);
  progress.planned.clear();
  progress.plannedSaved.clear();
  progress.plannedEffects.clear();
}
