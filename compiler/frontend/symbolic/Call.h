//===- Call.h - shared declarations of symbolic layers --------------------===//
#ifndef TG_COMPILER_FRONTEND_SYMBOLIC_CALL_H
#define TG_COMPILER_FRONTEND_SYMBOLIC_CALL_H

#include "compiler/frontend/graph/Scopes.h"
#include "tg/symbolic/Registry.h"
#include "tg/symbolic/Tower.h"

namespace tg::symbolic {

/// A layer that can be called by name.
struct Definition {
  std::string name;
  LayerRegistration registration;
  LayerFunction function;
  /// True if the name of the output is that of the layer and "output".
  bool namesOutput = true;
  /// True if old names of arguments are accepted in addition to current ones.
  bool takesOldNames = true;
};

/// Returns a library layer by its name or alias, or null if there is none.
const Definition *findLibraryLayer(const std::string &name);
/// Returns all library layers.
const std::vector<Definition> &libraryLayers();

/// Returns the library layer or the registered layer with a name. Throws
/// GraphError if there is none or more than one.
const Definition &findLayer(const std::string &name, dsl::Place where);
/// Returns the arguments of a call: its positional and keyword arguments,
/// completed by arguments of argscopes. Throws GraphError if an argument is
/// given both by position and by keyword.
Arguments mergeArguments(const Definition &layer, CallArguments given,
                         dsl::Place where);

/// The collections of a program.
struct Collections {
  /// The effects that training steps run.
  std::vector<dsl::Id> updates;
  /// The activity penalties of the open tower. Values refer to their program,
  /// so the tower's destructor clears the list to avoid a reference cycle.
  std::vector<Tensor> penalties;
  /// True if updates are dropped instead of being added.
  bool freezesUpdates = false;

  static Collections &of(const dsl::BodyPtr &body);
};

/// Returns the open tower. Throws GraphError if there is none or if it belongs
/// to another program. `layer` is the name of
/// the layer that requires it.
const TowerContext &towerFor(const std::string &layer, const dsl::BodyPtr &body,
                             dsl::Place where);

} // namespace tg::symbolic

#endif // TG_COMPILER_FRONTEND_SYMBOLIC_CALL_H
