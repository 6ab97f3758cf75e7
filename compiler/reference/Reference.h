//===- Reference.h - the exact bits of a model ----------------------------===//
//
// Evaluates functions op by op to the bits that dialects/tg/bits.md specifies,
// and that compiled code must therefore have. Slow, in plain loops, without
// vectors, tiles and threads. Shares nothing with the emitters but the scalar
// rules of ops and the expansions of math functions.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_REFERENCE_REFERENCE_H
#define TG_COMPILER_REFERENCE_REFERENCE_H

#include "dialects/tg/evaluation/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"
#include <memory>

namespace tg {

/// Registers what evaluates ops of tgx. To be called for the context of every
/// module that a Reference runs, in addition to registerAllDialects().
void registerReference(mlir::DialectRegistry &registry);

/// Runs the functions of a module after phase `numerics`. The bits are those of
/// targets that have fused multiply-adds.
class Reference {
public:
  /// Prepares the module, which is changed in place: composed ops become
  /// simpler ones. `module` must outlive this object.
  explicit Reference(mlir::ModuleOp module);
  ~Reference();

  /// The state of runs: variables, host functions and printed values. Their
  /// hooks belong to this object.
  Interpreter interpreter;

  /// Runs a function as Interpreter::run() does, in the default modes of the
  /// thread.
  std::string run(mlir::func::FuncOp function,
                  llvm::ArrayRef<HostTensor> inputs,
                  llvm::SmallVectorImpl<HostTensor> &results);

private:
  class Evaluation;
  std::unique_ptr<Evaluation> evaluation;
};

} // namespace tg

#endif // TG_COMPILER_REFERENCE_REFERENCE_H
