//===- RegisteredFunctions.cpp - functions registered with a program ------===//
//
// Host functions, print handlers and gradients that a program registers, and
// the code that runs host functions in eager mode and in sessions.
//
//===----------------------------------------------------------------------===//
#include "compiler/frontend/ops/RegisteredFunctions.h"

#include <algorithm>
#include <cstring>
#include <iostream>
#include <stdexcept>

using namespace tg;
using namespace tg::dsl;

void dsl::printLine(const std::string &label, const Array &value) {
  std::cerr << label << ": " << value << '\n';
}

HostFunctions &HostFunctions::of(const BodyPtr &body) {
  return extensionOf<HostFunctions>(body, "host");
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static std::vector<int64_t> extentsOf(const TensorType &type) {
  std::vector<int64_t> extents;
  for (const Extent &extent : type.shape)
    extents.push_back(extent.value);
  return extents;
}

/// Copies an array of shape `extents` into the leading corner of an array of
/// shape `bounds`, recursively from dimension `axis` on. `bytes` is the size of
/// an element.
static void copyBox(const char *from, const std::vector<int64_t> &extents,
                    char *to, const std::vector<int64_t> &bounds, size_t axis,
                    size_t bytes) {
  // Returns the stride of dimension `axis` in bytes.
  auto strideIn = [&](const std::vector<int64_t> &shape) {
    size_t size = bytes;
    for (size_t i = axis + 1; i < shape.size(); ++i)
      size *= size_t(shape[i]);
    return size;
  };
  if (axis == extents.size()) {
    std::memcpy(to, from, bytes);
    return;
  }
  size_t fromStride = strideIn(extents);
  size_t toStride = strideIn(bounds);
  for (int64_t i = 0; i < extents[axis]; ++i)
    copyBox(from + size_t(i) * fromStride, extents, to + size_t(i) * toStride,
            bounds, axis + 1, bytes);
}

/// Returns the type and shape of an array for messages.
static std::string typeText(const Array &array) {
  if (!array.isDefined())
    return "nothing";
  return toString(array.dtype()) + " " +
         toString(Shape(array.shape().begin(), array.shape().end()));
}

/// Copies an array into an array of the declared upper bounds. Throws
/// std::runtime_error if it does not fit.
static Array padToBounds(const Array &array, const TensorType &declared,
                         size_t index) {
  std::vector<int64_t> bounds = extentsOf(declared);
  bool fits = array.isDefined() && array.dtype() == declared.dtype &&
              array.rank() == declared.rank();
  for (size_t axis = 0; fits && axis < bounds.size(); ++axis)
    fits = array.shape()[axis] <= bounds[axis];
  if (!fits)
    throw std::runtime_error(
        "expected result " + std::to_string(index) + " to be " +
        toString(declared.dtype) + " of at most the extents " +
        toString(declared.shape) + ", found " + typeText(array));
  Array whole(declared.dtype, bounds);
  if (array.size() != 0)
    copyBox(static_cast<const char *>(array.data()), array.shape(),
            static_cast<char *>(whole.data()), bounds, 0,
            array.byteCount() / array.size());
  return whole;
}

/// Returns true if the call has one more result than the function returns: the
/// list of the actual extents (HostCallOptions::bounds).
static bool takesExtents(const std::vector<Array> &outputs,
                         const std::vector<TensorType> &results) {
  if (results.size() != outputs.size() + 1 || results.back().dtype != i64 ||
      results.back().rank() != 1)
    return false;
  int64_t count = 0;
  for (size_t i = 0; i < outputs.size(); ++i)
    count += results[i].rank();
  return results.back().shape[0].value == count;
}

/// Pads the results to the declared upper bounds, and appends the list of their
/// actual extents.
static std::vector<Array> withExtents(std::vector<Array> outputs,
                                      const std::vector<TensorType> &results) {
  Array extents(i64, extentsOf(results.back()));
  auto *next = static_cast<int64_t *>(extents.data());
  for (size_t i = 0; i < outputs.size(); ++i) {
    Array whole = padToBounds(outputs[i], results[i], i);
    next =
        std::copy(outputs[i].shape().begin(), outputs[i].shape().end(), next);
    outputs[i] = whole;
  }
  outputs.push_back(extents);
  return outputs;
}

std::vector<Array> dsl::runHost(const ArrayFunction &function,
                                const std::vector<Array> &inputs,
                                const std::vector<TensorType> &results) {
  std::vector<Array> outputs = function(inputs);
  if (takesExtents(outputs, results))
    return withExtents(std::move(outputs), results);
  if (outputs.size() != results.size())
    throw std::runtime_error("expected " + std::to_string(results.size()) +
                             " results, found " +
                             std::to_string(outputs.size()));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i].isDefined() || outputs[i].dtype() != results[i].dtype ||
        outputs[i].shape() != extentsOf(results[i]))
      throw std::runtime_error(
          "expected result " + std::to_string(i) + " to be " +
          toString(results[i].dtype) + " " + toString(results[i].shape) +
          ", as the call declares, found " + typeText(outputs[i]));
  return outputs;
}

static Array arrayOf(const SavedTensor &tensor) {
  Array array(tensor.type.dtype, extentsOf(tensor.type));
  if (array.byteCount())
    std::memcpy(array.data(), tensor.bytes.data(), array.byteCount());
  return array;
}

/// Calls a host function by name. Its exceptions become errors at the line of
/// the call.
static Result<std::vector<SavedTensor>>
callByName(const std::map<std::string, ArrayFunction> &functions,
           const HostCallSpec &call, const std::vector<SavedTensor> &inputs) {
  auto fail = [&](const std::string &message) {
    return Result<std::vector<SavedTensor>>{
        {},
        Error{"function '" + call.name + "' of the host: " + message, "", 0,
              0}};
  };
  auto found = functions.find(call.name);
  if (found == functions.end())
    return fail("expected a function of this name to be registered with the "
                "program, found none" +
                suggestKey(call.name, functions));
  std::vector<Array> arrays;
  for (const SavedTensor &input : inputs)
    arrays.push_back(arrayOf(input));
  std::vector<SavedTensor> results;
  try {
    for (const Array &output : runHost(found->second, arrays, call.results)) {
      const char *bytes = static_cast<const char *>(output.data());
      results.push_back({{output.dtype(),
                          Shape(output.shape().begin(), output.shape().end())},
                         {bytes, bytes + output.byteCount()}});
    }
  } catch (const std::exception &error) {
    return fail(error.what());
  } catch (...) {
    return fail("it threw something other than a std::exception");
  }
  return {results};
}

HostRunner
dsl::runnerOf(const std::map<std::string, ArrayFunction> &functions) {
  return [&functions](const HostCallSpec &call,
                      const std::vector<SavedTensor> &inputs) {
    return callByName(functions, call, inputs);
  };
}

void tg::registerHost(const Program &program, const std::string &name,
                      ArrayFunction function, std::source_location where) {
  const BodyPtr &body = program.body();
  HostFunctions &host = HostFunctions::of(body);
  host.functions[name] =
      required(std::move(function), "a function of the host", where);
  ++host.changes;
  body->hostRunner = runnerOf(host.functions);
}

void tg::onPrint(const Program &program, ArrayPrinter handler) {
  HostFunctions::of(program.body()).print = std::move(handler);
}

void tg::registerGradient(const Program &program, const std::string &name,
                          GivenGradient gradient, std::source_location where) {
  const BodyPtr &body = program.body();
  auto &known = HostFunctions::of(body).gradients;
  required(gradient, "a function that gives gradients", where);
  if (!known.emplace(name, std::move(gradient)).second)
    raise("expected a new name for a gradient, found '" + name +
              "', which is taken",
          body, where);
}
