//===- FunctionFitter.cpp - calls of a function that run again ------------===//
#include "compiler/transforms/FunctionFitter.h"
#include "compiler/transforms/PartPlace.h"
#include "dialects/tg/StateOps.h"

using namespace mlir;
using namespace tg;

LogicalResult FunctionFitter::checkExtents() {
  for (Value value : workspaces.values)
    if (!isa<AffineConstantExpr>(extents.countBytes(value)))
      return function.emitError()
             << "option 'memory-budget': expected numbers for all extents of "
                "function '"
             << function.getSymName() << "', as of --dim batch=32, found '"
             << symbols.print(extents.countBytes(value)) << "' bytes";
  return success();
}

//===----------------------------------------------------------------------===//
// From calls to the model
//===----------------------------------------------------------------------===//

int64_t FunctionFitter::countFlops(tgx::CallOp call) {
  auto kernel = module.lookup<tgx::KernelOp>(call.getKernel());
  ExtentAnalysis analysis(kernel.getContext());
  if (failed(kernel.analyzeExtents(analysis)))
    return 0;
  return plannedNumber(kernel.countFlops(analysis).replaceSymbols(
      call.getExtents().getResults()));
}

/// FLOPs and bytes together: neither is free. None for calls whose results lie
/// elsewhere, and for those that may fail.
std::optional<int64_t> FunctionFitter::costOf(tgx::CallOp call) {
  auto kernel = module.lookup<tgx::KernelOp>(call.getKernel());
  bool isInWorkspace = llvm::all_of(call.getOutputs(), [&](Value result) {
    return workspaces.numberOf.contains(result);
  });
  if (!isInWorkspace ||
      !kernel.getBlock().getOps<RunTimeCheckOpInterface>().empty())
    return std::nullopt;
  int64_t cost = 1 + countFlops(call);
  for (Value value : llvm::concat<Value>(SmallVector<Value>(call.getInputs()),
                                         SmallVector<Value>(call.getOutputs())))
    cost += plannedNumber(extents.countBytes(value));
  return cost;
}

Recomputation::Step FunctionFitter::modelOf(const Step &step,
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
  tgx::CallOp call = step.getCall();
  // Copies and hosts read the buffers that they do, and run once.
  result.isFlexible = bool(call);
  if (!step.op) {
    addWrite(step.target);
    return result;
  }
  if (call)
    result.cost = costOf(call);
  for (Value input : step.getInputs())
    if (auto read = withoutViews(input).getDefiningOp<ReadOp>())
      result.variablesRead.push_back(numberOf(read.getVariableAttr()));
  for (Value output : step.getOutputs())
    addWrite(graph.assignmentOf(output));
  return result;
}

//===----------------------------------------------------------------------===//
// From the model to calls
//===----------------------------------------------------------------------===//

/// Moves an op to the end of the function, and behind it the views of what it
/// makes and the joins of that, which are behind the last of their parts then.
void FunctionFitter::moveToEnd(Operation *op) {
  op->moveBefore(function.getBody().front().getTerminator());
  for (OpOperand &use : op->getUses()) {
    auto view = dyn_cast<ViewOpInterface>(use.getOwner());
    if (isa<tgx::JoinOp>(use.getOwner()) ||
        (view && &view.getViewedOperand() == &use))
      moveToEnd(use.getOwner());
  }
}

/// Puts calls into the order in which they will run.
void FunctionFitter::putInOrder() {
  auto assigns = llvm::to_vector(function.getOps<AssignOp>());
  for (const Step &step : graph.getSteps())
    if (step.op)
      moveToEnd(step.op);
  for (AssignOp assign : assigns)
    moveToEnd(assign);
}

/// The same view of another value.
Value FunctionFitter::viewAnew(OpBuilder &builder, Value value, Value root,
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

/// Lets a call, or a copy of it, read the buffers that the model says.
void FunctionFitter::replaceReads(tgx::CallOp call,
                                  const Recomputation::Step &step) {
  OpBuilder builder(call);
  unsigned number = 0;
  for (OpOperand &operand : call.getInputsMutable()) {
    Value root = placeOf(withoutViews(operand.get())).memory;
    if (!workspaces.numberOf.contains(root))
      continue;
    Value wanted = valueOf.lookup(step.reads[number++]);
    if (wanted != root)
      operand.set(viewAnew(builder, operand.get(), root, wanted));
  }
}

void FunctionFitter::apply(const Recomputation &recomputation) {
  putInOrder();
  for (auto [number, value] : llvm::enumerate(workspaces.values))
    valueOf[number] = value;
  // The last call that stands in its place; repeated ones come before the next.
  SmallVector<const Recomputation::Step *> waiting;
  llvm::DenseSet<Operation *> unneeded;
  for (const Step &step : graph.getSteps())
    if (step.getCall())
      unneeded.insert(step.op);
  for (const Recomputation::Step &step : recomputation.getSteps()) {
    if (step.isRepeated) {
      waiting.push_back(&step);
      continue;
    }
    tgx::CallOp call = graph.getSteps()[step.original].getCall();
    if (!call)
      continue;
    OpBuilder builder(call);
    for (const Recomputation::Step *repeated : std::exchange(waiting, {})) {
      tgx::CallOp original = graph.getSteps()[repeated->original].getCall();
      auto copy = cast<tgx::CallOp>(builder.clone(*original));
      replaceReads(copy, *repeated);
      symbols.add(copy);
      for (auto [buffer, value] :
           llvm::zip_equal(repeated->makes, copy.getOutputs())) {
        valueOf[buffer] = value;
        workspaces.numberOf[value] = buffer;
      }
      count(copy);
    }
    replaceReads(call, step);
    unneeded.erase(call);
  }
  erase(unneeded);
}

/// Erases calls, and views that nothing reads any more.
void FunctionFitter::erase(const llvm::DenseSet<Operation *> &calls) {
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

bool FunctionFitter::fit(int64_t budget) {
  std::vector<Recomputation::Step> steps;
  for (auto [step, uses] : llvm::zip_equal(graph.getSteps(), workspaces.steps))
    steps.push_back(modelOf(step, uses));
  SmallVector<int64_t> bytes = llvm::map_to_vector(
      workspaces.lifetimes, [](const Lifetime &life) { return life.bytes; });
  Recomputation recomputation(std::move(steps), bytes, alignment);
  bool fits = recomputation.fit(budget);
  leastBytes = recomputation.getPlannedBytes();
  if (fits)
    apply(recomputation);
  else
    for (unsigned buffer : recomputation.getLeastPeak())
      leastPeak.push_back(workspaces.values[buffer]);
  return fits;
}
