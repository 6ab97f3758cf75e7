/// Objects that the garbage collector of Python looks into.
#ifndef TG_RUNTIME_PYTHON_COLLECTED_H
#define TG_RUNTIME_PYTHON_COLLECTED_H

#include <nanobind/nanobind.h>

namespace tg::python {

/// The slots of a class whose objects may refer to themselves. `Object` has
/// traverse(), which visits the references, and drop(), which clears them.
template <typename Object> struct Collected {
  static int traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nanobind::inst_ready(self))
      return 0;
    return nanobind::inst_ptr<Object>(self)->traverse(visit, arg);
  }
  static int clear(PyObject *self) {
    nanobind::inst_ptr<Object>(self)->drop();
    return 0;
  }
  inline static const PyType_Slot slots[] = {
      {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
      {Py_tp_clear, reinterpret_cast<void *>(clear)},
      {0, nullptr}};
};

} // namespace tg::python

#endif // TG_RUNTIME_PYTHON_COLLECTED_H
