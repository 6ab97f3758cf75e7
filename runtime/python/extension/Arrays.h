/// Arrays of Python as tensors of libtgrt, without copies.
#ifndef TG_RUNTIME_PYTHON_ARRAYS_H
#define TG_RUNTIME_PYTHON_ARRAYS_H

#include "Errors.h"

#include <nanobind/ndarray.h>

namespace tg::python {

/// A value that a tensor of libtgrt refers to: memory of an array with a buffer
/// or with DLPack, or a number. All member functions need the GIL.
class Array {
public:
  Array() = default;
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  ~Array() { release(); }

  /// The use of an array by a call.
  enum class Access { Read, Write };

  /// Refers to a value given for `expected`, which names it in messages. Lists
  /// of numbers are copied, and numbers converted to the element type that is
  /// expected. `stream` is the stream of the context on a device, which then
  /// waits for arrays on the device, or null. Throws tgc.Error for a value that
  /// is no array, or with Access::Write for a read-only one.
  void refer(nb::handle value, const tg_value_t &expected, Access access,
             void *stream);

  /// The same for the elements of a variable.
  void refer(nb::handle value, const tg_variable_t &variable, Access access);

  /// Ends the use of the value.
  void release();
  /// Visits the value, for the garbage collector.
  int traverse(visitproc visit, void *arg) const;

  /// Returns the tensor, which is valid until release().
  const tg_tensor_t &tensor() const { return made; }

private:
  /// The properties of the value that is expected.
  struct Expected {
    const char *name;
    tg_dtype_t dtype;
    uint32_t rank;
  };

  void refer(nb::handle value, const Expected &expected, Access access,
             void *stream);
  bool referNumber(nb::handle value, const Expected &expected);
  bool referBuffer(nb::handle value, const Expected &expected, Access access);
  bool referDlpack(nb::handle value, const Expected &expected, Access access,
                   void *stream);
  void describeBuffer(nb::handle value, const Expected &expected);
  void describeDlpack();

  tg_tensor_t made = {};
  Py_buffer buffer = {};
  nb::object owner;             // of converted values
  nb::ndarray<nb::ro> imported; // with DLPack
  std::vector<int64_t> dims;    // with DLPack
  std::vector<int64_t> strides; // unless rows are compact
  alignas(8) char number[8] = {};
};

/// Returns the element type of NumPy, "float32", for an element type. Throws
/// TG_ERROR_DTYPE if there is none.
const char *numpyName(tg_dtype_t dtype);

/// Makes NumPy arrays that own their memory.
class ArrayMaker {
public:
  /// Imports NumPy.
  ArrayMaker();
  /// Returns the object of an element type.
  nb::object dtype(tg_dtype_t type) const;
  /// Returns an array of a shape with unspecified elements.
  nb::object empty(const std::vector<int64_t> &shape,
                   const nb::object &dtype) const;
  /// Returns the first elements of an array in their actual shape: a copy, or a
  /// view.
  nb::object cut(const nb::object &array, const std::vector<int64_t> &shape,
                 bool copies) const;

private:
  nb::object makeEmpty, makeDtype, makeArray;
};

} // namespace tg::python

#endif // TG_RUNTIME_PYTHON_ARRAYS_H
