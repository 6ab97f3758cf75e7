//===- Rematerializer.cpp - rematerialization in a function ---------------===//
#include "compiler/transforms/schedule/Rematerializer.h"
#include "compiler/transforms/memory/PartPlace.h"
#include "compiler/transforms/shapes/DataDependentSymbols.h"
#include "dialects/tg/ops/control/StateOps.h"

using namespace mlir;
using namespace tg;

LogicalResult Rematerializer::checkExtents() {
  // Dynamic extents of inputs are reported even if no buffer depends on them,
  // because fusion decides which buffers exist.
  llvm::SetVector<unsigned> unknown;
  for (unsigned symbol = 0; symbol < symbols.getBoundCount(); ++symbol)
    unknown.insert(symbol);
  AffineExpr bytes;
  for (Value value : workspaces.values) {
    AffineExpr own = extents.countBytes(value);
    if (!bytes && !isa<AffineConstantExpr>(own))
      bytes = own;
    forEachSymbol(own, [&](unsigned symbol) { unknown.insert(symbol); });
  }
  if (unknown.empty())
    return success();
  InFlightDiagnostic error = function.emitError();
  error << "option 'memory-budget': expected a number for every extent of "
           "function '"
        << function.getSymName()
        << "' (option 'dim', as in batch=32), found none for ";
  llvm::interleaveComma(unknown, error, [&](unsigned symbol) {
    error << "'" << symbols.getNames()[symbol] << "'";
  });
  if (bytes)
    error << ", so that a buffer has '" << symbols.print(bytes) << "' bytes";
  return error;
}

//===----------------------------------------------------------------------===//
// From calls to the model
//===----------------------------------------------------------------------===//

int64_t Rematerializer::countFlops(tgx::CallOp call) {
  tgx::KernelOp kernel = kernelOf(call);
  ExtentAnalysis analysis(kernel.getContext());
  if (failed(kernel.analyzeExtents(analysis)))
    return 0;
  return plannedNumber(kernel.countFlops(analysis).replaceSymbols(
      call.getExtents().getResults()));
}

/// Returns the cost of a call: FLOPs and bytes together, because neither is
/// free. Returns none for calls whose results are not in workspaces, and for
/// kernels that only check.
std::optional<int64_t> Rematerializer::costOf(tgx::CallOp call) {
  bool isInWorkspace = llvm::all_of(call.getOutputs(), [&](Value result) {
    return workspaces.indexOf.contains(result);
  });
  if (!isInWorkspace || !UncheckedKernels::hasUnchecked(kernelOf(call)))
    return std::nullopt;
  int64_t cost = 1 + countFlops(call);
  for (Value value : llvm::concat<Value>(SmallVector<Value>(call.getInputs()),
                                         SmallVector<Value>(call.getOutputs())))
    cost += plannedNumber(extents.countBytes(value));
  return cost;
}

SmallVector<const Step *>
Rematerializer::listSteps(const ScheduleGraph &graph) const {
  SmallVector<const Step *> listed;
  for (const Step &step : graph.getSteps()) {
    listed.push_back(&step);
    if (!step.getControl())
      continue;
    for (const auto &region : graph.regionsOf(step.op))
      listed.append(listSteps(*region).size(), nullptr);
    listed.push_back(nullptr);
  }
  return listed;
}

/// Returns the model of a step. `listed` is null for steps in branches or loops
/// and for their ends; these only have uses.
Recomputation::Step Rematerializer::modelOf(const Step *listed,
                                            const Workspaces::Uses &uses) {
  Recomputation::Step result;
  result.reads = uses.reads;
  result.creates = uses.creates;
  auto idOf = [&](FlatSymbolRefAttr variable) {
    variables.insert(variable);
    return unsigned(llvm::find(variables, variable) - variables.begin());
  };
  auto addWrite = [&](const BufferAssignment &assignment) {
    if (assignment.kind == BufferAssignment::slab)
      result.variablesWritten.push_back(idOf(assignment.variable));
  };
  tgx::CallOp call = listed ? listed->getCall() : tgx::CallOp();
  // Copies, host ops, branches and loops read fixed buffers, and run once.
  result.isFlexible = bool(call);
  if (!listed)
    return result;
  const Step &step = *listed;
  if (!step.op) {
    addWrite(step.target);
    return result;
  }
  if (call) {
    result.cost = costOf(call);
    result.isChecked = hasChecks(kernelOf(call));
  }
  for (Value input : step.getInputs())
    if (auto read = withoutViews(input).getDefiningOp<ReadOp>())
      result.variablesRead.push_back(idOf(read.getVariableAttr()));
  for (Value output : step.getOutputs())
    addWrite(graph.assignmentOf(output));
  return result;
}

/// Models all steps. If a branch or loop extends the lifetime of a buffer
/// beyond its uses, the model creates the buffer in the step at which the
/// lifetime begins, and reads it in the step at which it ends.
std::vector<Recomputation::Step>
Rematerializer::modelAll(ArrayRef<const Step *> listed) {
  std::vector<Recomputation::Step> steps;
  for (auto [step, uses] : llvm::zip_equal(listed, workspaces.steps))
    steps.push_back(modelOf(step, uses));
  for (auto [position, uses] : llvm::enumerate(workspaces.steps))
    for (unsigned buffer : uses.creates) {
      const Lifetime &life = workspaces.lifetimes[buffer];
      Recomputation::Step &first = steps[life.first], &last = steps[life.last];
      if (life.first != position) {
        llvm::erase(steps[position].creates, buffer);
        steps[position].reads.push_back(buffer);
        first.creates.push_back(buffer);
        first.cost = std::nullopt;
      }
      if (!llvm::is_contained(last.reads, buffer) && life.last != life.first) {
        last.reads.push_back(buffer);
        last.cost = std::nullopt;
      }
    }
  return steps;
}

//===----------------------------------------------------------------------===//
// From the model to calls
//===----------------------------------------------------------------------===//

/// Moves an op to the end of its block, followed by views of its results and
/// joins of these. A join then comes after the last of its parts.
void Rematerializer::moveToEnd(Operation *op) {
  op->moveBefore(op->getBlock()->getTerminator());
  for (OpOperand &use : op->getUses()) {
    if (use.getOwner()->getBlock() != op->getBlock())
      continue;
    auto view = dyn_cast<ViewOpInterface>(use.getOwner());
    if (isa<tgx::JoinOp>(use.getOwner()) ||
        (view && &view.getViewedOperand() == &use))
      moveToEnd(use.getOwner());
  }
}

/// Puts calls, including calls in regions, into the order in which they will
/// run.
void Rematerializer::putInOrder(const ScheduleGraph &graph) {
  auto assigns = llvm::to_vector(graph.getBlock().getOps<AssignOp>());
  for (const Step &step : graph.getSteps()) {
    if (step.op)
      moveToEnd(step.op);
    if (step.getControl())
      for (const auto &region : graph.regionsOf(step.op))
        putInOrder(*region);
  }
  for (AssignOp assign : assigns)
    moveToEnd(assign);
}

/// Copies the chain of views that leads from `root` to `value`, so that it
/// starts at `newRoot`.
Value Rematerializer::copyViews(OpBuilder &builder, Value value, Value root,
                                Value newRoot) {
  if (value == root)
    return newRoot;
  auto view = value.getDefiningOp<ViewOpInterface>();
  Value viewed = view.getViewedOperand().get();
  IRMapping mapping;
  mapping.map(viewed, copyViews(builder, viewed, root, newRoot));
  Operation *copy = builder.clone(*view, mapping);
  symbols.add(copy);
  return copy->getResult(0);
}

/// Makes the call of a step, or a copy of the call, read the buffers that
/// `step` reads in the recomputation.
void Rematerializer::replaceReads(tgx::CallOp call,
                                  const Recomputation::Step &step) {
  OpBuilder builder(call);
  ArrayRef<unsigned> reads = workspaces.steps[step.original].reads;
  unsigned index = 0;
  for (auto [operand, original] : llvm::zip_equal(
           call.getInputsMutable(), originalInputs[step.original])) {
    if (!workspaces.indexOf.contains(graph.memoryOf(original)))
      continue;
    unsigned chosen = step.reads[index], initial = reads[index];
    ++index;
    operand.set(chosen == initial
                    ? original
                    : copyViews(builder, original,
                                placeOf(withoutViews(original)).memory,
                                valueOf.lookup(chosen)));
  }
}

/// Inserts a copy of the call of `step`, without its checks, before `call`.
void Rematerializer::repeatBefore(tgx::CallOp call,
                                  ArrayRef<const Step *> listed,
                                  const Recomputation::Step &step) {
  Operation *original = listed[step.original]->op;
  auto copy = cast<tgx::CallOp>(OpBuilder(call).clone(*original));
  copy.setKernelAttr(
      FlatSymbolRefAttr::get(unchecked.find(kernelOf(copy)).getSymNameAttr()));
  replaceReads(copy, step);
  symbols.add(copy);
  for (auto [buffer, value] : llvm::zip_equal(step.creates, copy.getOutputs()))
    valueOf[buffer] = value;
  addCost(copy);
}

void Rematerializer::apply(const Recomputation &recomputation,
                           ArrayRef<const Step *> listed) {
  putInOrder(graph);
  // Repeated calls wait for the next call that is not a repetition, and are
  // inserted before it.
  SmallVector<const Recomputation::Step *> waiting;
  llvm::DenseSet<Operation *> unneeded;
  for (auto [index, step] : llvm::enumerate(listed))
    if (tgx::CallOp call = step ? step->getCall() : tgx::CallOp()) {
      unneeded.insert(call);
      originalInputs[index] = SmallVector<Value>(call.getInputs());
    }
  for (const Recomputation::Step &step : recomputation.getSteps()) {
    if (step.isRepeated) {
      waiting.push_back(&step);
      continue;
    }
    const Step *original = listed[step.original];
    tgx::CallOp call = original ? original->getCall() : tgx::CallOp();
    if (!call)
      continue;
    for (const Recomputation::Step *repeated : std::exchange(waiting, {}))
      repeatBefore(call, listed, *repeated);
    replaceReads(call, step);
    unneeded.erase(call);
  }
  erase(unneeded);
}

/// Erases the calls in `calls`, and all unused views.
void Rematerializer::erase(const llvm::DenseSet<Operation *> &calls) {
  for (Operation &op : llvm::make_early_inc_range(
           llvm::reverse(function.getBody().front().getOperations()))) {
    bool isErased = isa<ViewOpInterface>(op) && op.use_empty();
    if (calls.contains(&op)) {
      isErased = true;
      --launches;
      flops -= countFlops(cast<tgx::CallOp>(op));
    }
    if (isErased)
      op.erase();
  }
}

bool Rematerializer::fit(int64_t budget) {
  SmallVector<const Step *> listed = listSteps(graph);
  std::vector<Recomputation::Step> steps = modelAll(listed);
  SmallVector<int64_t> bytes = llvm::map_to_vector(
      workspaces.lifetimes, [](const Lifetime &life) { return life.bytes; });
  Recomputation recomputation(std::move(steps), bytes, alignment);
  bool fits = recomputation.fit(budget);
  arenaBytes = recomputation.getPlannedBytes();
  if (fits)
    apply(recomputation, listed);
  else
    for (unsigned buffer : recomputation.getPeakBuffers())
      peakValues.push_back(workspaces.values[buffer]);
  return fits;
}
