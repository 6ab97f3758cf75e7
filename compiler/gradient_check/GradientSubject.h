//===- GradientSubject.h - the target of a request as a function ----------===//
#ifndef TG_COMPILER_GRADIENT_CHECK_GRADIENTSUBJECT_H
#define TG_COMPILER_GRADIENT_CHECK_GRADIENTSUBJECT_H

#include "compiler/gradient_check/GradientCheck.h"
#include "compiler/gradient_check/WidenFloats.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tg {

/// The operands and results of an op in a run, by value.
using OpSample = llvm::DenseMap<mlir::Value, HostTensor>;

/// A request for gradients of a function that can be evaluated: its target and
/// the ops before it, on one set of inputs and variables.
class GradientSubject {
public:
  /// Creates the subject for request `index` of a function in which earlier
  /// requests are expanded. Emits diagnostics on failure.
  static llvm::FailureOr<std::unique_ptr<GradientSubject>>
  create(mlir::func::FuncOp function, unsigned index,
         llvm::ArrayRef<HostTensor> inputs, const Interpreter &initialState,
         const HostSignatures &host, const GradientCheckOptions &options);

  mlir::Location getLoc() const { return loc; }
  mlir::func::FuncOp getFunction() { return function; }
  /// Returns the target of the unperturbed run.
  double getTarget() const { return target; }
  mlir::Value getTargetValue();
  /// Return the values and the variables of the request.
  llvm::ArrayRef<mlir::Value> getValues() const { return values; }
  llvm::ArrayRef<std::string> getVariables() const { return variables; }

  /// Returns the derivatives by the gradient rules of the ops, for values, then
  /// variables.
  llvm::FailureOr<llvm::SmallVector<HostTensor>> differentiate();
  /// Returns true if letting the gradient pass a tg.stop_gradient of the
  /// function changes the result of `differentiate` by more than the tolerance,
  /// relative to the largest derivative of the tensor. False in a log-sum-exp
  /// that is shifted by its maximum, where the stopped gradient cancels out.
  bool isChangedBy(StopGradientOp stop);

  /// Returns the content of a value or variable in the unperturbed run.
  const HostTensor &contentOf(mlir::Value value) const;
  const HostTensor &contentOf(const std::string &variable) const {
    return initialState.variables.at(variable);
  }
  /// Returns the target for another content of a value or variable; none if the
  /// run fails or the target is not finite.
  std::optional<double> evaluate(mlir::Value value, const HostTensor &content);
  std::optional<double> evaluate(const std::string &variable,
                                 const HostTensor &content);

  /// Returns the largest relative rounding error of any op between a value or
  /// variable and the target.
  double roundingAfter(mlir::Value value) {
    return roundingOfAll(findDependents(value, ""));
  }
  double roundingAfter(const std::string &variable) {
    return roundingOfAll(findDependents(mlir::Value(), variable));
  }

  /// Returns the samples of an op of the function, from its first and its last
  /// run; empty if it did not run.
  llvm::ArrayRef<OpSample> samplesOf(mlir::Operation *op) const;
  /// Returns an interpreter with the values of the variables before the run,
  /// and the host functions.
  const Interpreter &getInitialState() const { return initialState; }
  const HostSignatures &getHost() const { return host; }

private:
  GradientSubject(mlir::Location loc, const HostSignatures &host,
                  const GradientCheckOptions &options)
      : loc(loc), host(host), options(options) {}

  /// Creates `forward` and `backward`.
  llvm::LogicalResult isolate(mlir::func::FuncOp original, unsigned index);
  /// Returns true if the results of the op are held constant while something is
  /// moved.
  bool isHeld(mlir::Operation *op) const;
  llvm::LogicalResult runOnce();
  llvm::FailureOr<llvm::SmallVector<HostTensor>>
  run(mlir::func::FuncOp gradients) const;
  void record(mlir::Operation *op,
              llvm::function_ref<const HostTensor &(mlir::Value)> valueOf);
  /// Returns the ops of the body that depend on a value, or on a variable.
  llvm::DenseSet<mlir::Operation *> findDependents(mlir::Value value,
                                                   llvm::StringRef variable);
  double roundingOfAll(const llvm::DenseSet<mlir::Operation *> &ops) const;
  std::optional<double> run(Interpreter &interpreter,
                            llvm::ArrayRef<HostTensor> arguments,
                            mlir::Value moved, const HostTensor &content,
                            const llvm::DenseSet<mlir::Operation *> &changed);

  mlir::Location loc;
  const HostSignatures &host;
  const GradientCheckOptions &options;
  /// The function up to the target, and the function with the gradients.
  mlir::OwningOpRef<mlir::ModuleOp> forward, backward;
  mlir::func::FuncOp function, gradient;
  llvm::SmallVector<HostTensor> inputs;
  Interpreter initialState;
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<std::string> variables;
  double target = 0;
  /// The samples of ops, and the contents of values outside of regions, in the
  /// unperturbed run.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<OpSample, 2>> samples;
  llvm::DenseMap<mlir::Value, HostTensor> contents;
  /// The results of each run of ops whose results are held constant.
  llvm::DenseMap<mlir::Operation *, std::vector<llvm::SmallVector<HostTensor>>>
      held;
  /// The value or variable that was moved last, and the ops that depend on it.
  std::optional<std::pair<mlir::Value, std::string>> lastMoved;
  llvm::DenseSet<mlir::Operation *> lastDependents;
};

} // namespace tg

#endif // TG_COMPILER_GRADIENT_CHECK_GRADIENTSUBJECT_H
