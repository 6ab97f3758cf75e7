//===- EagerEvaluator.h - evaluates the ops of a body as they are built ---===//
#ifndef TG_COMPILER_FRONTEND_BODY_EAGEREVALUATOR_H
#define TG_COMPILER_FRONTEND_BODY_EAGEREVALUATOR_H

#include "compiler/frontend/body/Body.h"
#include "dialects/tg/evaluation/HostTensor.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tg::dsl {

/// Stores the values of an eager body, and evaluates its ops as they are built.
/// Functions that have the name of a function of Body do the same in eager
/// mode.
class EagerEvaluator {
public:
  virtual ~EagerEvaluator() = default;

  /// Adds a value and returns its id. The caller must attach a handle by
  /// hold().
  virtual Id add(HostTensor value) = 0;
  /// Returns an owner that the handles of a value share. Returns null for a
  /// variable, which the body owns.
  virtual std::shared_ptr<const void> hold(const std::shared_ptr<Body> &owner,
                                           Id id) = 0;
  virtual const HostTensor &valueOf(Id id) const = 0;
  virtual TensorType type(Id id) const = 0;
  /// Adds a tensor with the given elements, which must be representable in its
  /// type. A single number is used for all elements.
  virtual Id addNumbers(mlir::RankedTensorType type,
                        std::span<const double> numbers) = 0;
  /// Adds the seed, as input of the initializer of a variable.
  virtual Id addSeed(const std::string &variable) = 0;

  virtual Result<std::vector<Id>> build(std::string_view op,
                                        std::span<const Id> inputs,
                                        std::span<const Attribute> attributes,
                                        Place where) = 0;
  virtual Result<std::vector<Id>> hostCall(const HostCallSpec &spec,
                                           Place where) = 0;

  /// If a tape computes gradients, the ops of a custom gradient are evaluated
  /// and also recorded as regions of its op.
  virtual std::vector<Id> beginCustomGradient(std::span<const Id> inputs,
                                              Place where) = 0;
  virtual std::vector<Id> beginBackward(std::span<const Id> outputs) = 0;
  virtual Result<std::vector<Id>>
  endCustomGradient(std::span<const Id> gradients) = 0;
  virtual void abandonCustomGradient() = 0;
  virtual bool needsBackward() const = 0;

  /// Returns the id of a new variable, which holds zeros.
  virtual Id addVariable(const VariableSpec &spec) = 0;
  /// Assigns a value of the type of the variable.
  virtual void assign(Id variable, Id value) = 0;
  virtual void assign(Id variable, HostTensor value) = 0;

  /// Gradients are zeros if the target does not depend on the source.
  virtual Result<std::vector<Id>>
  gradient(Id target, std::span<const Id> values,
           std::span<const std::string> variables, Place where) = 0;
  /// Returns for each source if the target depends on it differentiably.
  virtual std::vector<bool> reaches(Id target,
                                    std::span<const Id> sources) const = 0;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_EAGEREVALUATOR_H
