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
  error << "option 'memory-budget': expected numbers for all extents of "
           "function '"
        << function.getSymName()
        << "', as option 'dim' gives them (batch=32), found ";
  llvm::interleaveComma(unknown, error, [&](unsigned symbol) {
    error << "'" << symbols.getNames()[symbol] << "'";
  });
  error << " without a number";
  if (bytes)
    error << " and a buffer of '" << symbols.print(bytes) << "' bytes";
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
    return workspaces.numberOf.contains(result);
  });
  if (!isInWorkspace || !UncheckedKernels::canFind(kernelOf(call)))
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

Recomputation::Step Rematerializer::modelOf(const Step *listed,
                                            const Workspaces::Uses &uses) {
  Recomputation::Step result;
  result.reads = uses.reads;
  result.makes = uses.makes;
  auto numberOf = [&](FlatSymbolRefAttr variable) {
    variables.insert(variable);
    return unsigned(llvm::find(variables, variable) - variables.begin());
  };
  auto addWrite = [&](const BufferAssignment &assignment) {
    if (assignment.kind == BufferAssignment::slab)
      result.variablesWritten.push_back(numberOf(assignment.variable));
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
      result.variablesRead.push_back(numberOf(read.getVariableAttr()));
  for (Value output : step.getOutputs())
    addWrite(graph.assignmentOf(output));
  return result;
}

/// Models all steps. A buffer of a branch or loop that lives beyond its uses is
/// modelled as made and read by the steps at which its lifetime begins and
/// ends.
std::vector<Recomputation::Step>
Rematerializer::modelAll(ArrayRef<const Step *> listed) {
  std::vector<Recomputation::Step> steps;
  for (auto [step, uses] : llvm::zip_equal(listed, workspaces.steps))
    steps.push_back(modelOf(step, uses));
  for (auto [position, uses] : llvm::enumerate(workspaces.steps))
    for (unsigned buffer : uses.makes) {
      const Lifetime &life = workspaces.lifetimes[buffer];
      Recomputation::Step &first = steps[life.first], &last = steps[life.last];
      if (life.first != position) {
        llvm::erase(steps[position].makes, buffer);
        steps[position].reads.push_back(buffer);
        first.makes.push_back(buffer);
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

/// Builds the chain of views that leads from `root` to `value` again, from
/// `newRoot` on.
Value Rematerializer::viewAnew(OpBuilder &builder, Value value, Value root,
                               Value newRoot) {
  if (value == root)
    return newRoot;
  auto view = value.getDefiningOp<ViewOpInterface>();
  Value viewed = view.getViewedOperand().get();
  IRMapping mapping;
  mapping.map(viewed, viewAnew(builder, viewed, root, newRoot));
  Operation *anew = builder.clone(*view, mapping);
  symbols.add(anew);
  return anew->getResult(0);
}

/// Makes the call of a step, or a copy of it, read the buffers that the
/// rematerialization chose.
void Rematerializer::replaceReads(tgx::CallOp call,
                                  const Recomputation::Step &step) {
  OpBuilder builder(call);
  ArrayRef<unsigned> reads = workspaces.steps[step.original].reads;
  unsigned number = 0;
  for (auto [operand, given] :
       llvm::zip_equal(call.getInputsMutable(), givenInputs[step.original])) {
    if (!workspaces.numberOf.contains(graph.memoryOf(given)))
      continue;
    unsigned wanted = step.reads[number], first = reads[number];
    ++number;
    operand.set(wanted == first ? given
                                : viewAnew(builder, given,
                                           placeOf(withoutViews(given)).memory,
                                           valueOf.lookup(wanted)));
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
  for (auto [buffer, value] : llvm::zip_equal(step.makes, copy.getOutputs()))
    valueOf[buffer] = value;
  count(copy);
}

void Rematerializer::apply(const Recomputation &recomputation,
                           ArrayRef<const Step *> listed) {
  putInOrder(graph);
  // Repeated calls wait for the next call that is not a repetition, and are
  // inserted before it.
  SmallVector<const Recomputation::Step *> waiting;
  llvm::DenseSet<Operation *> unneeded;
  for (auto [number, step] : llvm::enumerate(listed))
    if (tgx::CallOp call = step ? step->getCall() : tgx::CallOp()) {
      unneeded.insert(call);
      givenInputs[number] = SmallVector<Value>(call.getInputs());
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
    bool isGone = isa<ViewOpInterface>(op) && op.use_empty();
    if (calls.contains(&op)) {
      isGone = true;
      --launches;
      flops -= countFlops(cast<tgx::CallOp>(op));
    }
    if (isGone)
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
  leastBytes = recomputation.getPlannedBytes();
  if (fits)
    apply(recomputation, listed);
  else
    for (unsigned buffer : recomputation.getLeastPeak())
      leastPeak.push_back(workspaces.values[buffer]);
  return fits;
}
