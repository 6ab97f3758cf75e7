//===- VerifyModel.cpp - Verifies a parsed model --------------------------===//
//
// Goes over ops in the order of MLIR's verifier, but does not stop.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/VerifyModel.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace tg;

namespace {
/// While it lives, drops the sentence that MLIR adds to every message of a
/// shape rule.
class RepetitionFilter : public ScopedDiagnosticHandler {
public:
  explicit RepetitionFilter(MLIRContext *context)
      : ScopedDiagnosticHandler(context, [](Diagnostic &diagnostic) {
          StringRef repetition = "failed to infer returned types";
          return success(StringRef(diagnostic.str()).ends_with(repetition));
        }) {}
};
} // namespace

/// After so many wrong ops the rest is not looked at.
static constexpr unsigned kMaximumMistakes = 100;

namespace {
/// Goes over a module and counts the wrong ops.
class ModelVerifier {
public:
  /// Verifies the op and those in it: an op by itself before the ops in it,
  /// and as what contains them after.
  LogicalResult verifyOp(Operation *op);
  /// Verifies the symbols that the ops of a module name.
  LogicalResult verifySymbols(ModuleOp module);

private:
  LogicalResult verifyInside(Operation *op);
  bool isFull() const { return mistakes >= kMaximumMistakes; }
  unsigned mistakes = 0;
};
} // namespace

/// M3, which MLIR says in words of its own: no body, though hosts can call it.
static LogicalResult verifyHasBody(Operation *op) {
  auto symbol = dyn_cast<SymbolOpInterface>(op);
  if (!symbol || !symbol.isDeclaration() || !symbol.isPublic())
    return success();
  return op->emitOpError() << "expected a body of one block, found none [M3]";
}

/// What verifiers of ops with blocks rely on.
static LogicalResult verifyTerminator(Operation *op, Block &block) {
  if (op->hasTrait<OpTrait::NoTerminator>() ||
      (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>()))
    return success();
  return op->emitOpError() << "expected each block to end with a terminator, "
                              "found none";
}

LogicalResult ModelVerifier::verifyInside(Operation *op) {
  LogicalResult result = success();
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      for (Operation &nested : block)
        if (isFull() || failed(verifyOp(&nested)))
          result = failure();
      if (succeeded(result))
        result = verifyTerminator(op, block);
    }
  return result;
}

LogicalResult ModelVerifier::verifyOp(Operation *op) {
  bool isValid = succeeded(verifyHasBody(op)) &&
                 succeeded(op->getName().verifyInvariants(op));
  bool isValidInside = succeeded(verifyInside(op));
  // The symbols of the module are looked at apart, use by use.
  if (isValid && isValidInside && !isa<ModuleOp>(op))
    isValid = succeeded(op->getName().verifyRegionInvariants(op));
  mistakes += !isValid;
  return success(isValid && isValidInside);
}

/// A call names a function, for M3; then what the op itself asks for.
static LogicalResult verifyUses(Operation *op, SymbolTableCollection &symbols) {
  if (auto call = dyn_cast<CallOpInterface>(op))
    if (!call.resolveCallableInTable(&symbols))
      return op->emitOpError() << "expected to call a private function, found "
                                  "no function of the name [M3]";
  auto user = dyn_cast<SymbolUserOpInterface>(op);
  return user ? user.verifySymbolUses(symbols) : success();
}

LogicalResult ModelVerifier::verifySymbols(ModuleOp module) {
  SymbolTableCollection symbols;
  LogicalResult result = success();
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isFull())
      return WalkResult::interrupt();
    if (failed(verifyUses(op, symbols))) {
      ++mistakes;
      result = failure();
    }
    return WalkResult::advance();
  });
  return result;
}

LogicalResult tg::verifyModel(ModuleOp module) {
  RepetitionFilter filter(module.getContext());
  ModelVerifier verifier;
  if (failed(verifier.verifyOp(module)) ||
      failed(verifier.verifySymbols(module)))
    return failure();
  return verify(module);
}
