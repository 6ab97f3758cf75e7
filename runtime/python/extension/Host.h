/// Host functions and handlers of prints in Python, which a model calls in the
/// middle of a run.
#ifndef TG_RUNTIME_PYTHON_HOST_H
#define TG_RUNTIME_PYTHON_HOST_H

#include "Arrays.h"

namespace tg::python {

/// The Python functions that a context calls, and the first exception of a run
/// that one of them raised.
class HostState {
public:
  /// Takes functions by their names, and a handler of prints or None.
  HostState(const nb::dict &functions, const nb::object &print);

  /// Registers all functions, which refer to this object.
  void addTo(Host &host);

  /// Throws the exception of the last call, if a function raised one: from the
  /// error of libtgrt, unless the exception is no Exception, such as
  /// KeyboardInterrupt. `error` is null after a call without error.
  void rethrow(const tg_error_t *error, const tg_model_t *model);
  void clear() { thrown = nullptr; }

  /// Calls a function that cannot end a run, such as a handler of prints,
  /// unless one of the run has failed. Its exception is thrown after the run.
  /// Needs the GIL.
  template <typename Function> void attempt(Function function) {
    if (thrown)
      return;
    try {
      function();
    } catch (...) {
      thrown = std::current_exception();
    }
  }

  /// Visits or drops the Python functions, for the garbage collector.
  int traverse(visitproc visit, void *arg) const;
  void drop();

private:
  void call(size_t function, std::span<const HostInput> inputs,
            std::span<const HostOutput> outputs);
  void showPrint(std::string_view label, const HostInput &value);
  nb::object copyOf(const tg_tensor_t &tensor) const;

  ArrayMaker arrays;
  std::vector<std::pair<std::string, nb::object>> functions;
  nb::object print;
  std::exception_ptr thrown;
};

} // namespace tg::python

#endif // TG_RUNTIME_PYTHON_HOST_H
