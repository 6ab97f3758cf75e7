//===- Extension.h - what parts of the front end keep with a program ------===//
#ifndef TG_COMPILER_FRONTEND_GRAPH_EXTENSION_H
#define TG_COMPILER_FRONTEND_GRAPH_EXTENSION_H

#include "compiler/frontend/body/Body.h"

namespace tg::dsl {

/// Returns the object of a part of the front end in a body, which makes it at
/// the first call. A name has one type.
template <typename T> T &extensionOf(const BodyPtr &body, const char *name) {
  std::shared_ptr<void> &state = body->extensions[name];
  if (!state)
    state = std::make_shared<T>();
  return *static_cast<T *>(state.get());
}

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_EXTENSION_H
