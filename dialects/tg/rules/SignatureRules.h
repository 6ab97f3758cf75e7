//===- SignatureRules.h - constraints on names and signatures -------------===//
#ifndef TG_DIALECTS_TG_RULES_SIGNATURERULES_H
#define TG_DIALECTS_TG_RULES_SIGNATURERULES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tg {

/// The upper bound on inputs, and on outputs, of a function [M2].
inline constexpr unsigned kMaximumValues = 4096;

/// The upper bound on dynamic extents of the inputs and outputs of a function;
/// extents with the same name count once [M7].
inline constexpr unsigned kMaximumUnknownExtents = 64;

/// The upper bound on data-dependent sizes inside of a function.
inline constexpr unsigned kMaximumDataDependentSizes = 960;

/// The upper bound on characters of a name [M1].
inline constexpr size_t kMaximumName = 255;

/// Returns true if a name is valid by M1.
bool isName(llvm::StringRef name);

/// Verifies M1: the names of the module, its symbols, inputs and outputs.
llvm::LogicalResult verifyNames(mlir::ModuleOp module);

/// Verifies M2, M7 and M8, and G1 for types without an op.
llvm::LogicalResult verifySignature(mlir::func::FuncOp function);

/// Marks an argument that determines random samples: "seed", or "call", the
/// number of earlier calls.
inline constexpr llvm::StringLiteral kRandomAttr = "tg.random";

/// Returns the name of a function outside of the module: its tg.name, else its
/// symbol. No variable can have the same name.
llvm::StringRef nameOf(mlir::func::FuncOp function);

/// Returns the function's tg.role, or "" without one.
llvm::StringRef roleOf(mlir::func::FuncOp function);

} // namespace tg

#endif // TG_DIALECTS_TG_RULES_SIGNATURERULES_H
