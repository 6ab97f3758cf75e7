//===- LayerState.h - the state that copies of a layer share --------------===//
#ifndef TG_COMPILER_FRONTEND_NN_LAYERSTATE_H
#define TG_COMPILER_FRONTEND_NN_LAYERSTATE_H

#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/nn/LayerCaller.h"
#include "tg/nn/layer.h"

namespace tg {
namespace dsl {

/// The data of a layer in one program.
struct TracedLayer {
  std::weak_ptr<Body> body;
  /// The path of the layer's variables and its last component; "" until the
  /// layer has a path.
  std::string path, name;
  /// The layer's own variables by name, and all variables including those of
  /// inner layers.
  std::vector<std::pair<std::string, Variable>> own;
  std::vector<Variable> all;
  Mode mode = Mode::train;
  /// The types of the inputs of the call that is being traced.
  std::vector<TensorType> inputs;
  /// The caller of the call that is being traced, or null for a call through
  /// the layer's own interface.
  LayerCaller *caller = nullptr;
  /// The updates since the trace began: effects, or in eager mode variables
  /// with the values that are assigned when the call ends.
  std::vector<Id> effects;
  std::vector<std::pair<std::string, Tensor>> later;

  void add(const Variable &variable) {
    for (const Variable &known : all)
      if (known.name() == variable.name())
        return;
    all.push_back(variable);
  }
};

/// Returns true if two types differ.
bool differs(const TensorType &lhs, const TensorType &rhs);

} // namespace dsl

/// The state that copies of a layer share.
struct BaseLayer::State : std::enable_shared_from_this<State> {
  std::string givenName, className;
  std::optional<dsl::Place> place;
  /// True if ops carry `place`, unless an outer layer sets their location.
  bool placesOps = true;
  VariableOptions variables;
  /// For an inner layer: the outer layer, the path from it, and the last
  /// component of that path.
  std::shared_ptr<State> outer;
  std::string inside, name;
  /// The names of the inner layers.
  dsl::Names names;
  /// The programs in which the layer was traced. The last one is `current`.
  std::vector<std::unique_ptr<dsl::TracedLayer>> programs;
  dsl::TracedLayer *current = nullptr;
  dsl::Place where;

  dsl::TracedLayer &in(const dsl::BodyPtr &body);
  /// Applies the options of the open layers to a trainable variable: it stays
  /// trainable if all of them are. A weight without a regularizer or constraint
  /// gets that of the innermost layer that has one.
  static void applyLayerOptions(dsl::VariableSpec &spec, const dsl::Body &body,
                                bool isWeight);
  /// Returns the mode of the layer that is being traced.
  static Mode modeInside(const dsl::Body &body);
  /// Makes this layer an inner layer of another one, unless it is one or was
  /// traced.
  void joinInside(State &other, const std::string &node, dsl::Place where);
  /// Gives the layer a path in a program, unless it has one: at the top level,
  /// or inside the layer that is being traced.
  void join(const dsl::BodyPtr &body, const std::string &node,
            dsl::Place where);
};

} // namespace tg

#endif // TG_COMPILER_FRONTEND_NN_LAYERSTATE_H
