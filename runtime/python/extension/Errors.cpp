/// Makes Python exceptions from errors of libtgrt.
#include "Errors.h"

namespace tg::python {

nb::object locationOf(int32_t location, const tg_model_t &model) {
  if (location < 0 || static_cast<uint32_t>(location) >= model.location_count)
    return nb::none();
  const tg_location_t &at = *model.locations[location];
  return nb::make_tuple(at.file, at.line, at.column, at.op, at.layer);
}

/// Returns the exception of an error, made by Python.
static nb::object makeException(const tg_error_t &error,
                                const tg_model_t *model) {
  return nb::module_::import_("tgc._errors")
      .attr("make")(error.status, tg_status_name(error.status),
                    static_cast<const char *>(error.message),
                    model ? locationOf(error.location, *model) : nb::none(),
                    error.argument, error.element, error.found, error.expected,
                    error.variables_changed != 0);
}

/// Sets the exception of an error as Python's current one.
static void setException(const tg_error_t &error, const tg_model_t *model) {
  const nb::object exception = makeException(error, model);
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
}

void raise(const tg_error_t &error, const tg_model_t *model) {
  setException(error, model);
  throw nb::python_error();
}

void fail(tg_status_t status, const std::string &message) {
  raise(RuntimeError(status, message).details(), nullptr);
}

std::string textOf(nb::handle value, const char *what) {
  if (!nb::isinstance<nb::str>(value))
    throw nb::type_error((std::string(what) + " is " + nb::repr(value).c_str() +
                          ", expected a str")
                             .c_str());
  Py_ssize_t bytes = 0;
  const char *text = PyUnicode_AsUTF8AndSize(value.ptr(), &bytes);
  if (!text)
    throw nb::python_error();
  return {text, static_cast<size_t>(bytes)};
}

int64_t integerOf(nb::handle value, const char *what) {
  const nb::object whole = nb::steal(PyNumber_Index(value.ptr()));
  int overflow = 0;
  if (whole.is_valid())
    if (const int64_t number =
            PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
        !overflow)
      return number;
  PyErr_Clear();
  throw nb::type_error((std::string(what) + " is " + nb::repr(value).c_str() +
                        ", expected an integer of 64 bits")
                           .c_str());
}

void translateErrors() {
  nb::register_exception_translator(
      [](const std::exception_ptr &thrown, void *) {
        try {
          std::rethrow_exception(thrown);
        } catch (const RuntimeError &error) {
          setException(error.details(), nullptr);
        }
      });
}

} // namespace tg::python
