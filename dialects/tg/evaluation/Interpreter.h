//===- Interpreter.h - runs functions on tensors in the compiler's memory -===//
#ifndef TG_DIALECTS_TG_EVALUATION_INTERPRETER_H
#define TG_DIALECTS_TG_EVALUATION_INTERPRETER_H

#include "dialects/tg/evaluation/HostTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace tg {

/// A host function. It fills `results`, which are allocated and
/// zero-initialized. It returns an empty string, or the failure.
using HostFunction =
    std::function<std::string(llvm::ArrayRef<HostTensor> inputs,
                              llvm::MutableArrayRef<HostTensor> results)>;

/// Evaluates functions op by op, each by its own `evaluate`: the numeric oracle
/// of compiled code. Requests for gradients must have been expanded.
class Interpreter {
public:
  /// The content of variables by name, which persists between runs. A slot
  /// without an entry has zeros; reading any other variable without an entry is
  /// a failure.
  std::map<std::string, HostTensor> variables;
  /// The functions that tg.host_call calls, by name.
  std::map<std::string, HostFunction> hostFunctions;
  /// Receives the values of tg.print; may be empty.
  std::function<void(llvm::StringRef label, const HostTensor &value)> print;

  /// Called before each op. If it returns none, the interpreter runs the op.
  /// Otherwise the op has the results that the function appended, or the run
  /// ends with the failure that it returned. May be empty.
  std::function<std::optional<std::string>(
      mlir::Operation *op, llvm::ArrayRef<HostTensor> operands,
      llvm::SmallVectorImpl<HostTensor> &results)>
      replace;
  /// Called after each op, with access to all values computed so far. May be
  /// empty.
  std::function<void(
      mlir::Operation *op,
      llvm::function_ref<const HostTensor &(mlir::Value)> valueOf)>
      observe;

  /// Runs a function of a valid module. `inputs` have static extents that fit
  /// the arguments. Appends to `results` and returns an empty string, or
  /// returns the failure; the variables are then as before the run.
  std::string run(mlir::func::FuncOp function,
                  llvm::ArrayRef<HostTensor> inputs,
                  llvm::SmallVectorImpl<HostTensor> &results);
};

} // namespace tg

#endif // TG_DIALECTS_TG_EVALUATION_INTERPRETER_H
