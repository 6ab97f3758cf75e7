//===- VerifyModel.cpp - Verifies a parsed model --------------------------===//
//
// Visits ops in the order of MLIR's verifier, but does not stop at an error.
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
/// A handler that rewrites the messages of MLIR's verifier, and drops the
/// message that the verifier adds to every error of a shape rule.
class VerifierMessages : public ScopedDiagnosticHandler {
public:
  explicit VerifierMessages(MLIRContext *context)
      : ScopedDiagnosticHandler(context, [this](Diagnostic &diagnostic) {
          return take(diagnostic);
        }) {}

  /// The op that is being verified; null during the verification of a module.
  Operation *op = nullptr;

private:
  LogicalResult take(Diagnostic &diagnostic);
};
} // namespace

/// Returns the replacement for an error of a whole module; "" if there is none.
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

/// The number of invalid ops after which verification stops.
static constexpr unsigned kMaximumMistakes = 100;

namespace {
/// A verifier that does not stop at the first invalid op.
class ModelVerifier {
public:
  explicit ModelVerifier(VerifierMessages &messages) : messages(messages) {}
  /// Verifies an op and its nested ops: first the op by itself, then the nested
  /// ops, then the op with its regions.
  LogicalResult verifyOp(Operation *op);
  /// Verifies the symbols that the ops of a module use.
  LogicalResult verifySymbols(ModuleOp module);

private:
  LogicalResult verifyInside(Operation *op);
  bool isLimitReached() const { return mistakes >= kMaximumMistakes; }
  VerifierMessages &messages;
  unsigned mistakes = 0;
};
} // namespace

/// Checks M3 before MLIR does, in terms of models: a public function, which
/// callers can run, has a body.
static LogicalResult verifyHasBody(Operation *op) {
  auto symbol = dyn_cast<SymbolOpInterface>(op);
  if (!symbol || !symbol.isDeclaration() || !symbol.isPublic())
    return success();
  return op->emitOpError() << "expected a body of one block, found none [M3]";
}

/// Returns the line of an op in the text, or 0.
static unsigned lineOf(Operation &op) {
  auto place = op.getLoc()->findInstanceOf<FileLineColLoc>();
  return place ? place.getLine() : 0;
}

/// Verifies the terminator, on which the verifiers of ops with blocks rely.
static LogicalResult verifyTerminator(Operation *op, Block &block) {
  if (op->hasTrait<OpTrait::NoTerminator>() ||
      (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>()))
    return success();
  // The terminator of blocks of a dialect; MLIR has no such information.
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
        if (isLimitReached() || failed(verifyOp(&nested)))
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
  // The symbols of the module are verified separately, use by use.
  if (isValid && isValidInside && !isa<ModuleOp>(op)) {
    messages.op = op;
    isValid = succeeded(op->getName().verifyRegionInvariants(op));
    messages.op = nullptr;
  }
  mistakes += !isValid;
  return success(isValid && isValidInside);
}

/// Returns a suggestion for a call of an unknown function.
static std::string suggestFunction(Operation *op, CallOpInterface call) {
  auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  SmallVector<StringRef> known;
  for (Operation &other : *op->getParentOfType<ModuleOp>().getBody())
    if (auto function = dyn_cast<FunctionOpInterface>(other);
        function && function.isPrivate())
      known.push_back(function.getName());
  return callee ? suggestName(callee.getLeafReference(), known) : "";
}

/// Verifies that a call names a function (M3), and the symbol uses of the op.
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
    if (isLimitReached())
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
