//===- Sentences.h - MLIR's verifier messages, rephrased --------*- C++ -* ===//
#ifndef TG_DIALECTS_TG_SENTENCES_H
#define TG_DIALECTS_TG_SENTENCES_H

#include "mlir/IR/Operation.h"
#include <string>

namespace tg {

/// Returns the name in messages of the operand with the given index: "operand
/// 'lhs'", or for a value of a variadic operand "value 2 of operand 'inputs'",
/// counted from 1.
std::string describeOperand(mlir::Operation *op, unsigned index);

/// Returns the summary of an ODS constraint in this project's words, with an
/// article: "a scalar of floats", "an integer".
std::string describeKind(llvm::StringRef constraint);

/// Returns true if a message ends with the label of a rule, as all messages of
/// this project do.
bool hasRule(llvm::StringRef message);

/// Rewrites a message of MLIR's verifier about `op` in the form of the rules of
/// language.md: with the expected and the found property, names of operands,
/// and the rule. Messages with a rule and messages about other dialects stay
/// unchanged.
std::string rephraseOpError(mlir::Operation *op, llvm::StringRef message);

/// Emits an error with this sentence at a location, with the notes of
/// `diagnostic`. For diagnostic handlers that replace the message of a
/// diagnostic.
void emitInstead(mlir::Diagnostic &diagnostic, mlir::Location loc,
                 const std::string &sentence);

} // namespace tg

#endif // TG_DIALECTS_TG_SENTENCES_H
