/// Failures of libtgrt as Python exceptions.
#ifndef TG_RUNTIME_PYTHON_ERRORS_H
#define TG_RUNTIME_PYTHON_ERRORS_H

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "tg/runtime.hpp"

namespace tg::python {

namespace nb = nanobind;

/// An error for calls of libtgrt to fill.
struct ErrorBuffer : tg_error_t {
  ErrorBuffer() : tg_error_t{} { struct_size = sizeof(tg_error_t); }
};

/// Returns the location of this index in the source of a model, as the
/// arguments of tgc.Location, or None. Needs the GIL.
nb::object locationOf(int32_t location, const tg_model_t &model);

/// Throws the Python exception of an error. `model` has the table of its
/// location, and may be null. Needs the GIL.
[[noreturn]] void raise(const tg_error_t &error, const tg_model_t *model);

/// Throws a Python exception with a message of this module. Needs the GIL.
[[noreturn]] void fail(tg_status_t status, const std::string &message);

/// Throws the exception that a function of tgc._errors returns. Needs the GIL.
template <typename... Arguments>
[[noreturn]] void raiseMade(const char *function,
                            const Arguments &...arguments) {
  const nb::object error =
      nb::module_::import_("tgc._errors").attr(function)(arguments...);
  PyErr_SetObject(error.type().ptr(), error.ptr());
  throw nb::python_error();
}

/// Returns the text of a str. Throws a TypeError for another value, which
/// `what` names. Needs the GIL.
std::string textOf(nb::handle value, const char *what);

/// Returns an integer of 64 bits. Throws a TypeError for another value, which
/// `what` names. Needs the GIL.
int64_t integerOf(nb::handle value, const char *what);

/// Translates tg::RuntimeError, which tg/runtime.hpp throws, in all functions
/// of this module.
void translateErrors();

} // namespace tg::python

#endif // TG_RUNTIME_PYTHON_ERRORS_H
