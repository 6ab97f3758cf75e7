//===- FitMemory.cpp - less memory for more time --------------------------===//
#include "compiler/transforms/FunctionSymbols.h"
#include "compiler/transforms/PartPlace.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/Recomputation.h"
#include "compiler/transforms/ScheduleGraph.h"
#include "compiler/transforms/UnpackedWeights.h"
#include "compiler/transforms/Workspaces.h"
#include "dialects/tg/StateOps.h"
#include "llvm/ADT/SetVector.h"

namespace tg {
#define GEN_PASS_DEF_FITMEMORY
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
/// Repeats calls of one function.
class FunctionFitter {
public:
  FunctionFitter(func::FuncOp function, FunctionSymbols &symbols,
                 const SymbolTable &module, int64_t alignment)
      : function(function), symbols(symbols), extents(symbols.getAnalysis()),
        module(module), alignment(alignment), graph(function, module, extents),
        workspaces(graph, extents) {}

  /// The bytes of the arena as it is.
  int64_t plannedBytes() const {
    return planMemory(workspaces.lifetimes, alignment).bytes;
  }
  /// Repeats calls until the arena fits. False, and nothing changed, where it
  /// does not.
  bool fit(int64_t budget);
  /// The bytes of the arena that fits, or of the smallest that was found, and
  /// the values that are in the way there.
  int64_t leastBytes = 0;
  SmallVector<Value> leastPeak;

  /// Counts a call that was added.
  void count(tgx::CallOp call) {
    ++launches;
    flops += countFlops(call);
  }

  /// What was added.
  int64_t launches = 0, flops = 0;

  /// A budget is a number: so must the bytes of all buffers be.
  LogicalResult checkExtents();

private:
  int64_t countFlops(tgx::CallOp call);
  std::optional<int64_t> costOf(tgx::CallOp call);
  Recomputation::Step modelOf(const Step &step, const Workspaces::Uses &uses);
  void putInOrder();
  void moveToEnd(Operation *op);
  Value viewAnew(OpBuilder &builder, Value value, Value root, Value newRoot);
  void replaceReads(tgx::CallOp call, const Recomputation::Step &step);
  void apply(const Recomputation &recomputation);
  void erase(const llvm::DenseSet<Operation *> &calls);

  func::FuncOp function;
  FunctionSymbols &symbols;
  ExtentAnalysis &extents;
  const SymbolTable &module;
  int64_t alignment;
  ScheduleGraph graph;
  Workspaces workspaces;
  llvm::SetVector<Attribute> variables;
  /// The value of each buffer, also of new ones.
  DenseMap<unsigned, Value> valueOf;
};
} // namespace

static LogicalResult refuse(func::FuncOp function, int64_t least,
                            int64_t budget) {
  return function.emitError() << "option 'memory-budget': expected at least "
                              << least << " bytes for function '"
                              << function.getSymName() << "', found " << budget;
}

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
  if (!step.call) {
    result.isFlexible = false;
    addWrite(step.target);
    return result;
  }
  tgx::CallOp call = step.call;
  result.cost = costOf(call);
  for (Value input : call.getInputs())
    if (auto read = withoutViews(input).getDefiningOp<ReadOp>())
      result.variablesRead.push_back(numberOf(read.getVariableAttr()));
  for (Value output : call.getOutputs())
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
    if (step.call)
      moveToEnd(step.call);
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
    if (step.call)
      unneeded.insert(step.call);
  for (const Recomputation::Step &step : recomputation.getSteps()) {
    if (step.isRepeated) {
      waiting.push_back(&step);
      continue;
    }
    tgx::CallOp call = graph.getSteps()[step.original].call;
    if (!call)
      continue;
    OpBuilder builder(call);
    for (const Recomputation::Step *repeated : std::exchange(waiting, {})) {
      tgx::CallOp original = graph.getSteps()[repeated->original].call;
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

/// Whether a call updates a variable, and needs nothing that calls made.
static bool isUpdateOfNothing(tgx::CallOp call) {
  return llvm::none_of(
             call.getInputs(),
             [](Value input) {
               return withoutViews(input).getDefiningOp<tgx::CallOp>();
             }) &&
         llvm::any_of(call->getUsers(), llvm::IsaPred<AssignOp>);
}

/// A copy of a call whose results are assigned instead, at the end.
static tgx::CallOp splitUpdate(tgx::CallOp call) {
  SmallVector<AssignOp> assigns;
  for (Operation *user : call->getUsers())
    if (auto assign = dyn_cast<AssignOp>(user))
      assigns.push_back(assign);
  Operation *end = call->getBlock()->getTerminator();
  auto copy = cast<tgx::CallOp>(OpBuilder(end).clone(*call));
  for (AssignOp assign : assigns) {
    assign->moveBefore(end);
    assign->replaceUsesOfWith(
        assign.getValue(),
        copy.getResult(cast<OpResult>(assign.getValue()).getResultNumber()));
  }
  return copy;
}

/// Lets counters of steps and draws count at the end, a second time where the
/// count is needed before: until then the calls that read them can be repeated.
/// Gives the calls that were added.
static SmallVector<tgx::CallOp> delayUpdates(func::FuncOp function) {
  SmallVector<tgx::CallOp> added;
  for (tgx::CallOp call : llvm::to_vector(function.getOps<tgx::CallOp>())) {
    if (!isUpdateOfNothing(call))
      continue;
    if (llvm::all_of(call->getUsers(), llvm::IsaPred<AssignOp>))
      call->moveBefore(
          *llvm::min_element(call->getUsers(), [](Operation *a, Operation *b) {
            return a->isBeforeInBlock(b);
          }));
    else if (llvm::all_of(call.getResultTypes(), [](Type type) {
               return cast<RankedTensorType>(type).getRank() == 0;
             }))
      added.push_back(splitUpdate(call));
  }
  return added;
}

/// Lets weights be read as they are whose packed form takes most memory of
/// several values. The number of calls that do so; 0 where nothing was packed.
static unsigned unpackLargest(ArrayRef<Value> values, UnpackedWeights &weights,
                              const ExtentAnalysis &extents) {
  tgx::CallOp largest;
  int64_t most = 0;
  for (Value value : values) {
    auto call = value.getDefiningOp<tgx::CallOp>();
    int64_t bytes = plannedNumber(extents.countBytes(value));
    if (call && bytes > most && weights.canRestore(call)) {
      largest = call;
      most = bytes;
    }
  }
  return largest ? weights.restore(largest) : 0;
}

namespace {
/// What it cost to fit a function.
struct FitCost {
  /// The arena before and after.
  int64_t before, after;
  /// What runs again, and contractions whose weights are packed no more.
  int64_t launches = 0, flops = 0, unpacked = 0;

  /// Writes it down at the function, whose calls keep their order from then on.
  void record(func::FuncOp function) const;
  /// Says it.
  void report(func::FuncOp function) const;
};
} // namespace

void FitCost::record(func::FuncOp function) const {
  Builder builder(function.getContext());
  NamedAttrList parts;
  parts.append("arena_bytes", builder.getI64IntegerAttr(before));
  parts.append("flops", builder.getI64IntegerAttr(flops));
  parts.append("launches", builder.getI64IntegerAttr(launches));
  if (unpacked)
    parts.append("unpacked", builder.getI64IntegerAttr(unpacked));
  function->setAttr(kRecomputed, parts.getDictionary(function.getContext()));
}

void FitCost::report(func::FuncOp function) const {
  InFlightDiagnostic remark = function.emitRemark();
  remark << "memory budget: the workspace of function '"
         << function.getSymName() << "' has " << after << " bytes instead of "
         << before << ", for " << launches << " more launches with " << flops
         << " FLOPs";
  if (unpacked)
    remark << ", and with " << unpacked
           << " of its convolutions computed directly, which takes longer and "
              "rounds in another way";
}

namespace {
struct FitMemory : tg::impl::FitMemoryBase<FitMemory> {
  using FitMemoryBase::FitMemoryBase;

  void runOnOperation() override {
    if (budget == 0)
      return markAllAnalysesPreserved();
    SymbolTable module(getOperation());
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (failed(fit(function, module)))
        return signalPassFailure();
    eraseUnusedKernels(getOperation());
    markAnalysesPreserved<FunctionSymbols>();
  }

  LogicalResult fit(func::FuncOp function, SymbolTable &module) {
    auto &symbols = getChildAnalysis<FunctionSymbols>(function);
    if (failed(symbols.verify(function)))
      return failure();
    FunctionFitter fitter(function, symbols, module, alignment);
    int64_t before = fitter.plannedBytes();
    if (before <= budget)
      return success();
    if (failed(fitter.checkExtents()))
      return failure();
    return repeat(function, symbols, module, {before, before});
  }

  /// Repeats calls until the budget is kept; where that is not enough, without
  /// weights packed by the function.
  LogicalResult repeat(func::FuncOp function, FunctionSymbols &symbols,
                       SymbolTable &module, FitCost cost) {
    SmallVector<tgx::CallOp> added = delayUpdates(function);
    for (tgx::CallOp call : added)
      symbols.add(call);
    UnpackedWeights weights(module);
    int64_t least = cost.before;
    for (bool isDone = false; !isDone;) {
      FunctionFitter fitter(function, symbols, module, alignment);
      llvm::for_each(added, [&](tgx::CallOp call) { fitter.count(call); });
      isDone = fitter.fit(budget);
      cost.launches = fitter.launches;
      cost.flops = fitter.flops;
      least = std::min(least, fitter.leastBytes);
      unsigned unpacked = isDone ? 0
                                 : unpackLargest(fitter.leastPeak, weights,
                                                 symbols.getAnalysis());
      if (!isDone && unpacked == 0)
        return refuse(function, least, budget);
      cost.unpacked += unpacked;
    }
    cost.record(function);
    cost.after =
        FunctionFitter(function, symbols, module, alignment).plannedBytes();
    if (cost.after > budget)
      return refuse(function, cost.after, budget);
    cost.report(function);
    launchesRepeated += cost.launches;
    return success();
  }
};
} // namespace
