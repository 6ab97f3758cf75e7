/// Describes arrays of Python as tensors: through the buffer protocol, which
/// NumPy has, or through DLPack.
#include "Arrays.h"

#include <cmath>

namespace tg::python {

/// Returns `'x' is <found>, expected <what>`.
static std::string describe(const char *name, const std::string &found,
                            const std::string &what) {
  return "'" + std::string(name) + "' is " + found + ", expected " + what;
}

/// Returns the type of a value with an article: "a list".
static std::string typeName(nb::handle value) {
  const auto name = nb::cast<std::string>(value.type().attr("__name__"));
  return (std::strchr("aeiouAEIOU", name[0]) ? "an " : "a ") + name;
}

/// Fails because a value is not of the element type that is expected. `found`
/// is the element type of NumPy that it has, or None for no array.
[[noreturn]] static void failDtype(const char *name, nb::handle value,
                                   nb::handle found, tg_dtype_t expected) {
  if (found.is_none())
    fail(TG_ERROR_DTYPE,
         describe(name, typeName(value),
                  std::string("an array of ") + tg_dtype_name(expected)));
  fail(TG_ERROR_DTYPE, "'" + std::string(name) + "' has element type '" +
                           nb::str(found).c_str() + "', expected " +
                           tg_dtype_name(expected));
}

const char *numpyName(tg_dtype_t dtype) {
  switch (TG_DTYPE_KEY(dtype.code, dtype.bits)) {
#define TG_NAMED(name, front, code, bits, host, rounding, compute, sum,        \
                 product, safetensors, npy)                                    \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    return npy;
    TG_DTYPES(TG_NAMED)
#undef TG_NAMED
  }
  fail(TG_ERROR_DTYPE, std::string("element type ") + tg_dtype_name(dtype) +
                           ", expected one that NumPy has");
}

//===-- Numbers ----------------------------------------------------------===//

/// Writes a Python number as an element of type T. Returns false if the number
/// is beyond the range of T, or a fraction and T an integer type.
template <typename T> static bool writeNumber(nb::handle value, char *into) {
  T element = 0;
  if constexpr (std::is_floating_point_v<T>) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (number == -1 && PyErr_Occurred()) {
      PyErr_Clear(); // an integer that double cannot represent
      return false;
    }
    element = static_cast<T>(number);
    if (std::isinf(element) && !std::isinf(number))
      return false;
  } else {
    nb::object whole = nb::borrow(value);
    if (PyFloat_Check(value.ptr())) {
      const double number = PyFloat_AsDouble(value.ptr());
      if (number != std::floor(number) || std::isinf(number))
        return false;
      whole = nb::steal(PyLong_FromDouble(number));
    }
    int overflow = 0;
    const int64_t number = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
    if (number == -1 && PyErr_Occurred())
      throw nb::python_error();
    element = static_cast<T>(number);
    if (overflow || static_cast<int64_t>(element) != number)
      return false;
  }
  std::memcpy(into, &element, sizeof(element));
  return true;
}

bool Array::referNumber(nb::handle value, const Expected &expected) {
  if (!PyFloat_Check(value.ptr()) && !PyLong_Check(value.ptr()))
    return false;
  if (expected.rank)
    fail(TG_ERROR_RANK,
         describe(expected.name, "a number",
                  "an array of rank " + std::to_string(expected.rank)));
  const bool isTruth = expected.dtype.code == TG_DTYPE_BOOL;
  const bool fits =
      isTruth == PyBool_Check(value.ptr()) &&
      (isTruth || detail::visitElement(expected.dtype, [&](auto element) {
         return writeNumber<decltype(element)>(value, number);
       }));
  if (!fits)
    fail(TG_ERROR_DTYPE,
         describe(expected.name, nb::cast<std::string>(nb::repr(value)),
                  std::string("a number that ") +
                      tg_dtype_name(expected.dtype) + " can represent"));
  if (isTruth)
    number[0] = value.ptr() == Py_True;
  made = {};
  made.data = number;
  made.device.device_type = TG_DEVICE_CPU;
  made.dtype = expected.dtype;
  return true;
}

//===-- Buffers ----------------------------------------------------------===//

/// Returns the element type of a buffer, with the code 255 for one that DLPack
/// does not have.
static tg_dtype_t dtypeOf(const Py_buffer &buffer) {
  const char *format = buffer.format ? buffer.format : "B";
  if (*format == '@' || *format == '=' || *format == '<')
    ++format;
  uint8_t code = 255;
  if (*format && !format[1]) {
    if (std::strchr("bhilqn", *format))
      code = TG_DTYPE_INT;
    else if (std::strchr("BHILQN", *format))
      code = TG_DTYPE_UINT;
    else if (std::strchr("efd", *format))
      code = TG_DTYPE_FLOAT;
    else if (*format == '?')
      code = TG_DTYPE_BOOL;
  }
  return {code, static_cast<uint8_t>(8 * buffer.itemsize), 1};
}

/// Returns true if the elements of a tensor are in row-major order without
/// gaps, whose strides are in units of `unit` bytes.
static bool isCompact(const int64_t *shape, const int64_t *strides, int rank,
                      int64_t unit) {
  int64_t stride = unit;
  for (int i = rank; i-- > 0;) {
    if (shape[i] > 1 && strides[i] != stride)
      return false;
    stride *= shape[i];
  }
  return true;
}

void Array::describeBuffer(nb::handle value, const Expected &expected) {
  static_assert(sizeof(Py_ssize_t) == sizeof(int64_t));
  made = {};
  made.data = buffer.buf;
  made.device.device_type = TG_DEVICE_CPU;
  made.dtype = dtypeOf(buffer);
  if (made.dtype.code == 255)
    failDtype(expected.name, value,
              nb::getattr(value, "dtype", nb::str(buffer.format)),
              expected.dtype);
  made.ndim = buffer.ndim;
  made.shape = reinterpret_cast<int64_t *>(buffer.shape);
  const auto *bytes = reinterpret_cast<const int64_t *>(buffer.strides);
  if (!bytes || isCompact(made.shape, bytes, buffer.ndim, buffer.itemsize))
    return;
  strides.assign(bytes, bytes + buffer.ndim);
  for (int64_t &stride : strides) {
    if (stride % buffer.itemsize)
      fail(TG_ERROR_STRIDES,
           describe(expected.name,
                    "an array with a stride of " + std::to_string(stride) +
                        " bytes",
                    "a multiple of " + std::to_string(buffer.itemsize)));
    stride /= buffer.itemsize;
  }
  made.strides = strides.data();
}

bool Array::referBuffer(nb::handle value, const Expected &expected,
                        Access access) {
  if (!PyObject_CheckBuffer(value.ptr()))
    return false;
  const int flags = PyBUF_STRIDES | PyBUF_FORMAT;
  const bool writes = access == Access::Write;
  if (PyObject_GetBuffer(value.ptr(), &buffer,
                         writes ? flags | PyBUF_WRITABLE : flags) == 0) {
    describeBuffer(value, expected);
    return true;
  }
  nb::python_error reason;
  // An element type without a format, such as bfloat16, may still have DLPack.
  if (!writes || PyObject_GetBuffer(value.ptr(), &buffer, flags) != 0) {
    PyErr_Clear();
    return false;
  }
  release();
  raiseMade("read_only", expected.name);
}

//===-- DLPack -----------------------------------------------------------===//

/// Returns the capsule of an array. Errors of the array's library, as for a
/// tensor of torch with a gradient, pass through.
static nb::object exportDlpack(nb::handle value, nb::kwargs arguments) {
  const nb::object method = value.attr("__dlpack__");
  nb::kwargs versioned;
  versioned.update(arguments);
  versioned["max_version"] = nb::make_tuple(1, 0);
  try {
    return method(**versioned);
  } catch (nb::python_error &error) {
    // Libraries from before version 1.0 do not know the argument.
    if (!error.matches(PyExc_TypeError))
      throw;
  }
  return method(**arguments);
}

void Array::describeDlpack() {
  made = {};
  made.data = const_cast<void *>(imported.data());
  made.device = {imported.device_type(), imported.device_id()};
  const nb::dlpack::dtype type = imported.dtype();
  made.dtype = {type.code, type.bits, type.lanes};
  made.ndim = static_cast<int32_t>(imported.ndim());
  dims.assign(imported.shape_ptr(), imported.shape_ptr() + imported.ndim());
  made.shape = dims.data();
  const int64_t *steps = imported.stride_ptr();
  if (!steps || isCompact(dims.data(), steps, made.ndim, /*unit=*/1))
    return;
  strides.assign(steps, steps + made.ndim);
  made.strides = strides.data();
}

bool Array::referDlpack(nb::handle value, const Expected &expected,
                        Access access, void *stream) {
  if (!nb::hasattr(value, "__dlpack__") ||
      !nb::hasattr(value, "__dlpack_device__"))
    return false;
  const nb::object device = value.attr("__dlpack_device__")();
  const int type = nb::cast<int>(nb::int_(device[0]));
  nb::kwargs arguments;
  if (type == TG_DEVICE_CUDA) {
    if (!stream)
      fail(TG_ERROR_DEVICE,
           describe(expected.name, "in the memory of a GPU",
                    "memory of the host, or a context with a stream"));
    // The library of the array lets the stream wait for the array's elements.
    arguments["stream"] = reinterpret_cast<intptr_t>(stream);
  }
  const nb::object capsule = exportDlpack(value, arguments);
  if (nb::ndarray<> writable;
      access == Access::Write && nb::try_cast(capsule, writable))
    imported = nb::ndarray<nb::ro>(writable);
  else if (!nb::try_cast(capsule, imported))
    fail(TG_ERROR_DTYPE,
         describe(expected.name, typeName(value) + " without valid DLPack",
                  "an array"));
  else if (access == Access::Write)
    raiseMade("read_only", expected.name);
  describeDlpack();
  return true;
}

//===-- All kinds of values ----------------------------------------------===//

void Array::refer(nb::handle value, const Expected &expected, Access access,
                  void *stream) {
  const bool reads = access == Access::Read;
  if ((reads && referNumber(value, expected)) ||
      referBuffer(value, expected, access) ||
      referDlpack(value, expected, access, stream))
    return;
  if (!reads)
    fail(TG_ERROR_DTYPE, describe(expected.name, typeName(value), "an array"));
  owner = nb::module_::import_("tgc._convert")
              .attr("to_array")(value, numpyName(expected.dtype));
  if (nb::isinstance<nb::str>(owner))
    fail(TG_ERROR_DTYPE,
         describe(expected.name, nb::cast<std::string>(owner),
                  std::string("an array of ") + tg_dtype_name(expected.dtype)));
  if (owner.is_none() || !referBuffer(owner, expected, access))
    failDtype(expected.name, value, nb::getattr(owner, "dtype", nb::none()),
              expected.dtype);
}

void Array::refer(nb::handle value, const tg_value_t &expected, Access access,
                  void *stream) {
  refer(value, {expected.name, expected.dtype, expected.rank}, access, stream);
}

void Array::refer(nb::handle value, const tg_variable_t &variable,
                  Access access) {
  refer(value, {variable.name, variable.dtype, variable.rank}, access,
        /*stream=*/nullptr);
}

void Array::release() {
  if (buffer.obj)
    PyBuffer_Release(&buffer);
  imported = {};
  owner.reset();
}

int Array::traverse(visitproc visit, void *arg) const {
  Py_VISIT(buffer.obj);
  Py_VISIT(owner.ptr());
  return 0;
}

//===-- Arrays of NumPy --------------------------------------------------===//

ArrayMaker::ArrayMaker() {
  const nb::module_ numpy = nb::module_::import_("numpy");
  makeEmpty = numpy.attr("empty");
  makeDtype = numpy.attr("dtype");
  makeArray = numpy.attr("asarray");
}

nb::object ArrayMaker::dtype(tg_dtype_t type) const {
  return makeDtype(numpyName(type));
}

nb::object ArrayMaker::empty(const std::vector<int64_t> &shape,
                             const nb::object &dtype) const {
  nb::object dims =
      nb::steal(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
  for (size_t i = 0; i < shape.size(); ++i)
    PyTuple_SetItem(dims.ptr(), static_cast<Py_ssize_t>(i),
                    PyLong_FromLongLong(shape[i]));
  PyObject *arguments[] = {dims.ptr(), dtype.ptr()};
  PyObject *made = PyObject_Vectorcall(makeEmpty.ptr(), arguments, 2, nullptr);
  if (!made)
    throw nb::python_error();
  return nb::steal(made);
}

nb::object ArrayMaker::cut(const nb::object &array,
                           const std::vector<int64_t> &shape,
                           bool copies) const {
  const auto count = static_cast<Py_ssize_t>(detail::count(shape));
  nb::list dims;
  for (int64_t dim : shape)
    dims.append(dim);
  const nb::object elements = makeArray(array).attr("reshape")(-1);
  const nb::object view = elements[nb::slice(count)].attr("reshape")(dims);
  return copies ? view.attr("copy")() : view;
}

} // namespace tg::python
