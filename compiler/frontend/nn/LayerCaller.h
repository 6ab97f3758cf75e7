//===- LayerCaller.h - another API for layers that calls a layer ----------===//
#ifndef TG_COMPILER_FRONTEND_NN_LAYERCALLER_H
#define TG_COMPILER_FRONTEND_NN_LAYERCALLER_H

#include "compiler/frontend/body/BodyTypes.h"
#include "tg/graph/program.h"

#include <span>

namespace tg::dsl {

/// An interface through which another API for layers (the symbolic layers)
/// provides a layer's variables and receives its updates, in place of the layer
/// itself. It is set for one call of the layer.
class LayerCaller {
public:
  virtual ~LayerCaller() = default;
  /// Returns the variable that the layer calls spec.name.
  virtual Variable variable(VariableSpec spec, const Initializer &initializer,
                            Place where) = 0;
  /// Takes the updates of a layer. Returns false if the layer's outputs should
  /// carry the updates, as they do without a caller.
  virtual bool takeUpdates(std::span<const Id> effects) = 0;
  /// Returns true if the layer's updates are dropped. In eager mode an update
  /// is not an effect; it is applied or dropped at the end of the call.
  virtual bool dropsUpdates() const = 0;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_NN_LAYERCALLER_H
