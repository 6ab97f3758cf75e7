//===- Owned.h - objects of libtgrt that a session owns -------------------===//
#ifndef TG_COMPILER_FRONTEND_SESSION_OWNED_H
#define TG_COMPILER_FRONTEND_SESSION_OWNED_H

#include "tg/runtime.h"

#include <memory>
#include <stdexcept>

namespace tg::session {

/// A deleter for objects of libtgrt.
struct Destroy {
  void operator()(tg_module_t *module) const {
    tg_module_unload(module, nullptr);
  }
  void operator()(tg_context_t *context) const { tg_context_destroy(context); }
  void operator()(tg_pool_t *pool) const { tg_pool_destroy(pool, nullptr); }
  void operator()(tg_variables_t *variables) const {
    tg_variables_destroy(variables, nullptr);
  }
  void operator()(tg_workspace_t *workspace) const {
    tg_workspace_destroy(workspace, nullptr);
  }
};

/// An owning pointer to an object of libtgrt.
template <typename Object> using Owned = std::unique_ptr<Object, Destroy>;

/// Creates an object with a function of libtgrt, whose last arguments are the
/// object and the error. Throws std::runtime_error on failure.
template <typename Object, typename Create, typename... Arguments>
Owned<Object> make(Create *create, Arguments... arguments) {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  Object *made = nullptr;
  if (create(arguments..., &made, &error) != TG_OK)
    throw std::runtime_error(error.message);
  return Owned<Object>(made);
}

} // namespace tg::session

#endif // TG_COMPILER_FRONTEND_SESSION_OWNED_H
