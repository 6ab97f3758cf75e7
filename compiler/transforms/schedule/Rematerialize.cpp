//===- Rematerialize.cpp - a memory budget for functions ------------------===//
#include "compiler/target/PlanTarget.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/layout/UnpackedWeights.h"
#include "compiler/transforms/module/GradientLocation.h"
#include "compiler/transforms/schedule/Rematerializer.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "llvm/ADT/MapVector.h"
#include <cmath>

namespace tg {
#define GEN_PASS_DEF_REMATERIALIZE
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
/// The stacked values that a scan and the backward scan of its gradient save
/// for all steps: their bytes, the number of steps, and the bytes of the
/// carried values. The two scans have the same location, by which they are
/// grouped.
struct SavedSteps {
  int64_t bytes = 0, length = 1, carried = 0;

  void add(ScanOp scan, Value stacked, const ExtentAnalysis &extents);
  /// Appends to a note how many bytes are saved, and how the attribute
  /// `segments` of the scan would reduce them. With segments, the carried
  /// values at the start of each segment and the values of the steps of one
  /// segment are saved.
  void describe(Diagnostic &note) const;
};
} // namespace

void SavedSteps::add(ScanOp scan, Value stacked,
                     const ExtentAnalysis &extents) {
  bytes += plannedNumber(extents.countBytes(stacked));
  length = std::max(length, plannedNumber(extents.extentsOf(stacked).front()));
  int64_t inits = 0;
  for (Value init : scan.getInits())
    inits += plannedNumber(extents.countBytes(init));
  carried = std::max(carried, inits);
}

void SavedSteps::describe(Diagnostic &note) const {
  auto savedBytes = [&](int64_t segments) -> int64_t {
    return segments * carried +
           llvm::divideCeil(length, segments) * (bytes / length);
  };
  // The sum is minimal if both terms are equal.
  double ratio = double(bytes) / double(std::max<int64_t>(carried, 1));
  int64_t segments = std::clamp<int64_t>(std::llround(std::sqrt(ratio)), 1,
                                         std::max<int64_t>(length / 2, 1));
  note << "this scan saves " << bytes << " bytes of its steps; ";
  if (savedBytes(segments) < bytes)
    note << "'segments = " << segments << "' saves about "
         << savedBytes(segments)
         << " bytes, and its gradient recomputes the rest";
  else
    note << "with 'segments' its gradient recomputes them";
}

/// Reports that the budget is too small. Notes point to the scans whose stacked
/// values need memory at the peak: rematerialization repeats calls, but not the
/// steps of loops, which only the attribute `segments` can recompute.
static LogicalResult refuse(func::FuncOp function, int64_t smallest,
                            int64_t budget, ArrayRef<Value> peak,
                            const ExtentAnalysis &extents) {
  InFlightDiagnostic error = function.emitError();
  error << "option 'memory-budget': expected at least " << smallest
        << " bytes for function '" << function.getSymName() << "', found "
        << budget;
  llvm::MapVector<Attribute, SavedSteps> savedByScan;
  for (Value value : peak)
    if (auto scan = value.getDefiningOp<ScanOp>())
      if (scan.getSegments() == 0 &&
          llvm::is_contained(scan.getStacked(), value))
        savedByScan[LocationAttr(differentiatedLocation(scan.getLoc()))].add(
            scan, value, extents);
  for (auto &[location, steps] : savedByScan)
    steps.describe(error.attachNote(Location(cast<LocationAttr>(location))));
  return error;
}

/// Returns true if a call updates a variable and does not depend on other
/// calls.
static bool isIndependentUpdate(tgx::CallOp call) {
  return llvm::none_of(
             call.getInputs(),
             [](Value input) {
               return withoutViews(input).getDefiningOp<tgx::CallOp>();
             }) &&
         llvm::any_of(call->getUsers(), llvm::IsaPred<AssignOp>);
}

/// Builds a copy of a call at the end of its block, and assigns the results of
/// the copy to the variables instead of the results of the call.
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

/// Delays the updates of step and random counters to the end, because calls
/// that read a counter can be repeated only before its update. A new count that
/// is needed earlier is computed twice. Returns the added calls.
static SmallVector<tgx::CallOp> delayUpdates(func::FuncOp function) {
  SmallVector<tgx::CallOp> added;
  for (tgx::CallOp call : llvm::to_vector(function.getOps<tgx::CallOp>())) {
    if (!isIndependentUpdate(call))
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

/// Makes contractions read the original weights instead of the largest packed
/// weights among several values. Returns the number of changed calls; 0 if no
/// weights were packed.
static unsigned unpackLargest(ArrayRef<Value> values, UnpackedWeights &weights,
                              const ExtentAnalysis &extents) {
  tgx::CallOp largest;
  int64_t largestBytes = 0;
  for (Value value : values) {
    auto call = value.getDefiningOp<tgx::CallOp>();
    int64_t bytes = plannedNumber(extents.countBytes(value));
    bool isInBody = call && isa<func::FuncOp>(call->getParentOp());
    if (isInBody && bytes > largestBytes && weights.canRestore(call)) {
      largest = call;
      largestBytes = bytes;
    }
  }
  return largest ? weights.restore(largest) : 0;
}

namespace {
/// The cost of rematerialization in a function.
struct RematerializationCost {
  /// The bytes of the arena before and after rematerialization.
  int64_t before, after;
  /// The repeated launches and their FLOPs, and the number of contractions with
  /// unpacked weights.
  int64_t launches = 0, flops = 0, unpacked = 0;

  /// Records the cost in the attribute tgx.recomputed. The scheduler keeps the
  /// order of calls in functions that have it.
  void record(func::FuncOp function) const;
  /// Reports the cost in a remark.
  void report(func::FuncOp function) const;
};
} // namespace

void RematerializationCost::record(func::FuncOp function) const {
  Builder builder(function.getContext());
  NamedAttrList entries;
  entries.append("arena_bytes", builder.getI64IntegerAttr(before));
  entries.append("flops", builder.getI64IntegerAttr(flops));
  entries.append("launches", builder.getI64IntegerAttr(launches));
  if (unpacked)
    entries.append("unpacked", builder.getI64IntegerAttr(unpacked));
  function->setAttr(kRecomputed, entries.getDictionary(function.getContext()));
}

void RematerializationCost::report(func::FuncOp function) const {
  InFlightDiagnostic remark = function.emitRemark();
  remark << "memory budget: the arena of function '" << function.getSymName()
         << "' has " << after << " bytes instead of " << before << ", for "
         << launches << " more launches with " << flops << " FLOPs";
  if (unpacked)
    remark << "; " << unpacked
           << " of its convolutions read unpacked filters, which takes longer";
}

namespace {
struct Rematerialize : tg::impl::RematerializeBase<Rematerialize> {
  using RematerializeBase::RematerializeBase;

  void runOnOperation() override {
    if (budget == 0)
      return markAllAnalysesPreserved();
    SymbolTable module(getOperation());
    UncheckedKernels unchecked(module);
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (failed(fit(function, module, unchecked)))
        return signalPassFailure();
    if (onlyChecks)
      return markAllAnalysesPreserved();
    eraseUnusedKernels(getOperation());
    markAnalysesPreserved<FunctionSymbols>();
  }

  /// Returns the alignment of the buffers of an arena, in bytes.
  int64_t getAlignment() {
    return PlanTarget(getOperation()).getDescription().alignment;
  }

  LogicalResult fit(func::FuncOp function, SymbolTable &module,
                    UncheckedKernels &unchecked) {
    auto &symbols = getChildAnalysis<FunctionSymbols>(function);
    if (failed(symbols.verify(function)))
      return failure();
    Rematerializer rematerializer(function, symbols, module, unchecked,
                                  getAlignment());
    if (failed(rematerializer.checkExtents()))
      return failure();
    if (onlyChecks)
      return success();
    int64_t before = rematerializer.plannedBytes();
    if (before <= budget)
      return success();
    return repeatCalls(function, symbols, module, unchecked, {before, before});
  }

  /// Repeats calls until the arena is within the budget. If that is not enough,
  /// makes contractions read original weights instead of weights that the
  /// function packs.
  LogicalResult repeatCalls(func::FuncOp function, FunctionSymbols &symbols,
                            SymbolTable &module, UncheckedKernels &unchecked,
                            RematerializationCost cost) {
    SmallVector<tgx::CallOp> added = delayUpdates(function);
    for (tgx::CallOp call : added)
      symbols.add(call);
    UnpackedWeights weights(module);
    int64_t smallest = cost.before;
    for (bool isDone = false; !isDone;) {
      Rematerializer rematerializer(function, symbols, module, unchecked,
                                    getAlignment());
      llvm::for_each(added,
                     [&](tgx::CallOp call) { rematerializer.addCost(call); });
      isDone = rematerializer.fit(budget);
      cost.launches = rematerializer.launches;
      cost.flops = rematerializer.flops;
      smallest = std::min(smallest, rematerializer.arenaBytes);
      unsigned unpacked = isDone
                              ? 0
                              : unpackLargest(rematerializer.peakValues,
                                              weights, symbols.getAnalysis());
      if (!isDone && unpacked == 0)
        return refuse(function, smallest, budget, rematerializer.peakValues,
                      symbols.getAnalysis());
      cost.unpacked += unpacked;
    }
    cost.record(function);
    cost.after =
        Rematerializer(function, symbols, module, unchecked, getAlignment())
            .plannedBytes();
    if (cost.after > budget)
      return refuse(function, cost.after, budget, {}, symbols.getAnalysis());
    cost.report(function);
    launchesRecomputed += cost.launches;
    return success();
  }
};
} // namespace
