//===- VerifyModel.cpp - Verifies a parsed model --------------------------===//
//
// Goes over ops in the order of MLIR's verifier, but does not stop.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/VerifyModel.h"

#include "compiler/frontend/text/SyntaxMessages.h"
#include "dialects/tg/Sentences.h"
#include "dialects/tg/Suggestions.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace tg;

namespace {
/// While it lives, says what MLIR's verifier says in our words, and drops the
/// sentence that it adds to every message of a shape rule.
class VerifierMessages : public ScopedDiagnosticHandler {
public:
  explicit VerifierMessages(MLIRContext *context)
      : ScopedDiagnosticHandler(context, [this](Diagnostic &diagnostic) {
          return take(diagnostic);
        }) {}

  /// The op that is verified by itself; null for a module as a whole.
  Operation *op = nullptr;

private:
  LogicalResult take(Diagnostic &diagnostic);
};
} // namespace

/// Returns what the verifier says of a whole module in our words; "" for a
/// sentence that is not known here.
static std::string rephraseModuleError(MLIRContext *context, StringRef said) {
  SmallVector<StringRef> parts;
  unsigned number = 0;
  auto matches = [&](const char *pattern) {
    return llvm::Regex(pattern).match(said, &parts);
  };
  if (matches("operand #([0-9]+) does not dominate this use") &&
      !parts[1].getAsInteger(10, number))
    return "expected operand " + std::to_string(number + 1) +
           " to be defined above this use, found it below [M0]";
  if (matches("^unregistered operation '([^']*)' found in dialect"))
    return describeUnknownOp(context, parts[1]);
  if (matches("redefinition of symbol named '(.*)'"))
    return "expected a new name of a function or variable, found '" +
           parts[1].str() + "' again [M0]";
  return "";
}

LogicalResult VerifierMessages::take(Diagnostic &diagnostic) {
  std::string said = diagnostic.str();
  if (StringRef(said).ends_with("failed to infer returned types"))
    return success();
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error || hasRule(said))
    return failure();
  std::string sentence =
      op ? rephraseOpError(op, said)
         : rephraseModuleError(diagnostic.getLocation()->getContext(), said);
  if (!hasRule(sentence))
    return failure();
  emitInstead(diagnostic, diagnostic.getLocation(), sentence);
  return success();
}

/// After so many wrong ops the rest is not looked at.
static constexpr unsigned kMaximumMistakes = 100;

namespace {
/// Goes over a module and counts the wrong ops.
class ModelVerifier {
public:
  explicit ModelVerifier(VerifierMessages &messages) : messages(messages) {}
  /// Verifies the op and those in it: an op by itself before the ops in it,
  /// and as what contains them after.
  LogicalResult verifyOp(Operation *op);
  /// Verifies the symbols that the ops of a module name.
  LogicalResult verifySymbols(ModuleOp module);

private:
  LogicalResult verifyInside(Operation *op);
  bool isFull() const { return mistakes >= kMaximumMistakes; }
  VerifierMessages &messages;
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

/// Returns the line of the text that an op stands in; 0 without one.
static unsigned lineOf(Operation &op) {
  auto place = op.getLoc()->findInstanceOf<FileLineColLoc>();
  return place ? place.getLine() : 0;
}

/// Verifies the terminator that verifiers of ops with blocks rely on.
static LogicalResult verifyTerminator(Operation *op, Block &block) {
  if (op->hasTrait<OpTrait::NoTerminator>() ||
      (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>()))
    return success();
  // The terminator of blocks of a dialect, which MLIR does not know.
  StringRef dialect = op->getName().getDialectNamespace();
  StringRef end = dialect == "func" ? "return"
                  : dialect == "tg" ? "tg.yield"
                                    : "";
  if (end.empty())
    return op->emitOpError() << "expected each block to end with a terminator, "
                                "found none";
  if (block.empty())
    return op->emitOpError()
           << "expected '" << end << "' at its end, found nothing [M3]";
  return op->emitOpError() << "expected '" << end << "' at its end, found '"
                           << block.back().getName() << "' in line "
                           << lineOf(block.back()) << " [M3]";
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
  bool isValid = succeeded(verifyHasBody(op));
  if (isValid) {
    messages.op = op;
    isValid = succeeded(op->getName().verifyInvariants(op));
    messages.op = nullptr;
  }
  bool isValidInside = succeeded(verifyInside(op));
  // The symbols of the module are looked at apart, use by use.
  if (isValid && isValidInside && !isa<ModuleOp>(op)) {
    messages.op = op;
    isValid = succeeded(op->getName().verifyRegionInvariants(op));
    messages.op = nullptr;
  }
  mistakes += !isValid;
  return success(isValid && isValidInside);
}

/// Returns which function a call of none may mean.
static std::string suggestFunction(Operation *op, CallOpInterface call) {
  auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  SmallVector<StringRef> known;
  for (Operation &other : *op->getParentOfType<ModuleOp>().getBody())
    if (auto function = dyn_cast<FunctionOpInterface>(other);
        function && function.isPrivate())
      known.push_back(function.getName());
  return callee ? suggestName(callee.getLeafReference(), known) : "";
}

/// A call names a function, for M3; then what the op itself asks for.
static LogicalResult verifyUses(Operation *op, SymbolTableCollection &symbols) {
  if (auto call = dyn_cast<CallOpInterface>(op))
    if (!call.resolveCallableInTable(&symbols))
      return op->emitOpError() << "expected to call a private function, found "
                                  "no function of the name"
                               << suggestFunction(op, call) << " [M3]";
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
  VerifierMessages messages(module.getContext());
  ModelVerifier verifier(messages);
  if (failed(verifier.verifyOp(module)) ||
      failed(verifier.verifySymbols(module)))
    return failure();
  return verify(module);
}
