/// Releases Python's lock for calls of libtgrt.
#ifndef TG_RUNTIME_PYTHON_GIL_H
#define TG_RUNTIME_PYTHON_GIL_H

#include <nanobind/nanobind.h>

#include <cxxabi.h>
#include <unistd.h>

namespace tg::python {

/// Waits for the end of the process. A daemon thread ends up here if the
/// interpreter ends while the thread is in libtgrt: it can never have the lock
/// again.
[[noreturn]] inline void waitForExit() {
  while (true)
    pause();
}

/// Calls a function without the lock, so that other Python threads run.
template <typename Function> auto withoutGil(Function function) {
  struct Released {
    PyThreadState *state = PyEval_SaveThread();
    // Python ends a thread that asks for the lock of an ended interpreter, by
    // unwinding its stack. No destructor here may then run without the lock.
    ~Released() {
      try {
        PyEval_RestoreThread(state);
      } catch (abi::__forced_unwind &) {
        waitForExit();
      }
    }
  } released;
  return function();
}

} // namespace tg::python

#endif // TG_RUNTIME_PYTHON_GIL_H
