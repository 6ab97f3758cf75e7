//===- Sentences.h - what MLIR says of ops, in our words --------*- C++ -*-===//
#ifndef TG_DIALECTS_TG_SENTENCES_H
#define TG_DIALECTS_TG_SENTENCES_H

#include "mlir/IR/Operation.h"
#include <string>

namespace tg {

/// Returns how a message names an operand: "operand 'lhs'", of several values
/// under one name "value 2 of operand 'inputs'", counted from 1.
std::string describeOperand(mlir::Operation *op, unsigned number);

/// Returns what a constraint of a definition asks for, with an article: "a
/// scalar of floats", "an integer".
std::string describeKind(llvm::StringRef constraint);

/// Returns true if a message ends with the label of a rule, as ours do.
bool hasRule(llvm::StringRef message);

/// Returns what MLIR's verifier says of an op as the rules of language.md say
/// it: what was expected and found, operands by their names, and the rule. A
/// message with a rule stays as it is, and so do those of other dialects. `op`
/// is the one that is verified.
std::string rephraseOpError(mlir::Operation *op, llvm::StringRef message);

/// Emits an error with this sentence at a place, with the notes of one that a
/// handler takes.
void emitInstead(mlir::Diagnostic &diagnostic, mlir::Location loc,
                 const std::string &sentence);

} // namespace tg

#endif // TG_DIALECTS_TG_SENTENCES_H
