//===- InlineCalls.cpp - inlining of private functions --------------------===//
#include "compiler/transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace tg {
#define GEN_PASS_DEF_INLINECALLS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;

/// The upper bound of copied ops. Functions that call each other twice double
/// the number at each level.
static constexpr unsigned kMaximumCopies = 1u << 18;

namespace {
struct InlineCalls : public tg::impl::InlineCallsBase<InlineCalls> {
  void runOnOperation() override;

private:
  /// Replaces the call by a copy of the callee's body, and adds the calls in
  /// the copy to `calls`.
  void inlineCall(func::CallOp call, func::FuncOp callee,
                  SmallVectorImpl<func::CallOp> &calls);
  /// Replaces all calls in the body, including calls in regions of ops.
  LogicalResult inlineCalls(func::FuncOp function, SymbolTable &symbols);
};
} // namespace

/// Returns the calls in an op and in its regions.
static SmallVector<func::CallOp> callsIn(Operation *op) {
  SmallVector<func::CallOp> calls;
  op->walk([&](func::CallOp call) { calls.push_back(call); });
  return calls;
}

/// Gives the copied op and all ops in it a location that also names the caller.
static void nestLocations(Operation *copy, Location caller) {
  copy->walk([&](Operation *op) {
    op->setLoc(CallSiteLoc::get(op->getLoc(), caller));
  });
}

void InlineCalls::inlineCall(func::CallOp call, func::FuncOp callee,
                             SmallVectorImpl<func::CallOp> &calls) {
  OpBuilder builder(call);
  IRMapping mapping;
  Block &body = callee.getBody().front();
  mapping.map(body.getArguments(), call.getOperands());
  for (Operation &op : body.without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    nestLocations(copy, call.getLoc());
    llvm::append_range(calls, callsIn(copy));
  }
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
  ++callsInlined;
}

LogicalResult InlineCalls::inlineCalls(func::FuncOp function,
                                       SymbolTable &symbols) {
  // Without recursion, each inlined call is one level nearer to the leaves.
  SmallVector<func::CallOp> calls = callsIn(function);
  while (!calls.empty()) {
    func::CallOp call = calls.pop_back_val();
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || callee.isExternal())
      return call.emitOpError()
             << "expected @" << call.getCallee()
             << " to be a function with a body, found none [M3]";
    inlineCall(call, callee, calls);
  }
  return success();
}

namespace {
/// The number of ops that inlining copies into each function, computed before
/// inlining.
class CopyCounts {
public:
  explicit CopyCounts(SymbolTable &symbols) : symbols(symbols) {}

  /// Returns the number for a function, at most `kMaximumCopies` + 1. There is
  /// no recursion [M3].
  unsigned countOf(func::FuncOp function) {
    auto [entry, isNew] = counts.try_emplace(function, 0);
    if (!isNew)
      return entry->second;
    uint64_t count = 0;
    for (func::CallOp call : callsIn(function))
      if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
          callee && !callee.isExternal())
        count += sizeOf(callee) + countOf(callee);
    return counts[function] = std::min<uint64_t>(count, kMaximumCopies + 1);
  }

private:
  /// Returns the number of ops in a function, including ops in regions.
  unsigned sizeOf(func::FuncOp function) {
    auto [entry, isNew] = sizes.try_emplace(function, 0);
    if (isNew)
      function.getBody().walk([&](Operation *) { ++entry->second; });
    return entry->second;
  }

  SymbolTable &symbols;
  DenseMap<Operation *, unsigned> counts, sizes;
};
} // namespace

/// Fails at the function with which the total of copied ops exceeds the limit.
static LogicalResult checkCopies(ModuleOp module, SymbolTable &symbols) {
  CopyCounts counts(symbols);
  uint64_t total = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate() || function.isExternal())
      continue;
    total += counts.countOf(function);
    if (total > kMaximumCopies)
      return function.emitOpError()
             << "expected inlining to copy at most " << kMaximumCopies
             << " ops, found " << total;
  }
  return success();
}

/// Verifies that the module has only variables and public functions, without
/// calls.
static LogicalResult verifyInlined(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!isa<func::CallOp>(op) && (!function || !function.isPrivate()))
      return WalkResult::advance();
    op->emitOpError() << "is left, expected to be inlined";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

void InlineCalls::runOnOperation() {
  ModuleOp module = getOperation();
  SymbolTable symbols(module);
  if (failed(checkCopies(module, symbols)))
    return signalPassFailure();
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isPrivate() && failed(inlineCalls(function, symbols)))
      return signalPassFailure();
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function.isPrivate()) {
      symbols.erase(function);
      ++functionsRemoved;
    }
  if (failed(verifyInlined(module)))
    signalPassFailure();
}
