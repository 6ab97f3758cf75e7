//===- Call.h - what symbolic layers share --------------------------------===//
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
  /// Its output is called name/output.
  bool namesOutput = true;
  /// Takes old names of arguments, too.
  bool takesOldNames = true;
};

/// A layer of this library by its name or alias; null where there is none.
const Definition *findLibraryLayer(const std::string &name);
/// The layers of the library.
const std::vector<Definition> &libraryLayers();

/// Lists of ops and values of a program.
struct Collections {
  /// Effects that training steps run.
  std::vector<dsl::Id> updates;
  /// Penalties of outputs of the open tower. Values know their program, so it
  /// keeps none of them for longer.
  std::vector<Tensor> penalties;
  /// Updates are dropped in place of being added.
  bool freezesUpdates = false;

  static Collections &of(const dsl::Bodies &body);
};

/// The open tower; throws where there is none of the program.
const TowerContext &towerFor(const std::string &who, const dsl::Bodies &body,
                             dsl::Place where);

} // namespace tg::symbolic

#endif // TG_COMPILER_FRONTEND_SYMBOLIC_CALL_H
