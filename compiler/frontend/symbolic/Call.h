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
  /// Names the output name/output.
  bool namesOutput = true;
  /// Accepts old names of arguments in addition to the current ones.
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

/// Lists of ops and values of a program.
struct Collections {
  /// The effects that training steps run.
  std::vector<dsl::Id> updates;
  /// The activity penalties of the open tower. Values refer to their program,
  /// so the tower's destructor clears the list to avoid a reference cycle.
  std::vector<Tensor> penalties;
  /// Drops updates instead of adding them.
  bool freezesUpdates = false;

  static Collections &of(const dsl::Bodies &body);
};

/// Returns the open tower. Throws GraphError if there is none or if it belongs
/// to another program. `who` is the layer that requires it.
const TowerContext &towerFor(const std::string &who, const dsl::Bodies &body,
                             dsl::Place where);

} // namespace tg::symbolic

#endif // TG_COMPILER_FRONTEND_SYMBOLIC_CALL_H
