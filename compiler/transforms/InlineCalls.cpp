//===- InlineCalls.cpp - put callees in place of their calls --------------===//
#include "compiler/transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace tg {
#define GEN_PASS_DEF_INLINECALLS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;

/// Functions that call each other twice double from call to call.
static constexpr unsigned kMaximumCopies = 1u << 18;

namespace {
struct InlineCalls : public tg::impl::InlineCallsBase<InlineCalls> {
  void runOnOperation() override;

private:
  /// Replaces the call by a copy of the callee's body, in which calls remain.
  void inlineCall(func::CallOp call, func::FuncOp callee);
  /// Replaces all calls in the body.
  LogicalResult inlineCalls(func::FuncOp function, SymbolTable &symbols);
};
} // namespace

/// Gives the copied op and all in it a location that also names the caller.
static void nestLocations(Operation *copy, Location caller) {
  copy->walk([&](Operation *op) {
    op->setLoc(CallSiteLoc::get(op->getLoc(), caller));
  });
}

void InlineCalls::inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  Block &body = callee.getBody().front();
  mapping.map(body.getArguments(), call.getOperands());
  for (Operation &op : body.without_terminator())
    nestLocations(builder.clone(op, mapping), call.getLoc());
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
  ++callsInlined;
}

LogicalResult InlineCalls::inlineCalls(func::FuncOp function,
                                       SymbolTable &symbols) {
  // Without recursion every inlined call is one nearer to the leaves.
  SmallVector<func::CallOp> calls(function.getOps<func::CallOp>());
  while (!calls.empty()) {
    func::CallOp call = calls.pop_back_val();
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || callee.isExternal())
      return call.emitOpError() << "expected @" << call.getCallee()
                                << " to be a function with a body [M3]";
    inlineCall(call, callee);
    if (calls.empty())
      llvm::append_range(calls, function.getOps<func::CallOp>());
  }
  return success();
}

namespace {
/// The ops that inlining copies into each function, counted before any is.
class CopyCounts {
public:
  explicit CopyCounts(SymbolTable &symbols) : symbols(symbols) {}

  /// At most `kMaximumCopies` + 1. There is no recursion [M3].
  unsigned of(func::FuncOp function) {
    auto [entry, isNew] = counts.try_emplace(function, 0);
    if (!isNew)
      return entry->second;
    uint64_t count = 0;
    for (auto call : function.getOps<func::CallOp>())
      if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
          callee && !callee.isExternal())
        count += callee.getBody().front().getOperations().size() + of(callee);
    return counts[function] = std::min<uint64_t>(count, kMaximumCopies + 1);
  }

private:
  SymbolTable &symbols;
  DenseMap<Operation *, unsigned> counts;
};
} // namespace

/// Calls multiply: fails at the function that takes the copies over the limit.
static LogicalResult checkCopies(ModuleOp module, SymbolTable &symbols) {
  CopyCounts counts(symbols);
  uint64_t total = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate() || function.isExternal())
      continue;
    total += counts.of(function);
    if (total > kMaximumCopies)
      return function.emitOpError()
             << "expected calls that inlining makes at most " << kMaximumCopies
             << " ops of";
  }
  return success();
}

/// The invariant: variables and public functions without calls.
static LogicalResult verifyInlined(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!isa<func::CallOp>(op) && (!function || !function.isPrivate()))
      return WalkResult::advance();
    op->emitOpError() << "expected to be inlined";
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
