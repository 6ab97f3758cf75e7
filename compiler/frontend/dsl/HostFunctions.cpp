//===- HostFunctions.cpp - functions of the host, called in eager mode ----===//
#include "compiler/frontend/dsl/HostFunctions.h"

#include <cstring>
#include <iostream>
#include <stdexcept>

using namespace tg;
using namespace tg::dsl;

void dsl::printLine(const std::string &label, const Array &value) {
  std::cerr << label << ": " << value << '\n';
}

HostFunctions &HostFunctions::of(const Bodies &body) {
  std::shared_ptr<void> &kept = body->doors["host"];
  if (!kept) {
    auto made = std::make_shared<HostFunctions>();
    made->print = printLine;
    kept = made;
  }
  return *static_cast<HostFunctions *>(kept.get());
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

std::vector<Array> dsl::runHost(const ArrayFunction &function,
                                const std::vector<Array> &inputs,
                                const std::vector<TensorType> &results) {
  std::vector<Array> outputs = function(inputs);
  if (outputs.size() != results.size())
    throw std::runtime_error("expected " + std::to_string(results.size()) +
                             " results, found " +
                             std::to_string(outputs.size()));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i].isDefined() || outputs[i].dtype() != results[i].dtype ||
        outputs[i].shape() != extentsOf(results[i]))
      throw std::runtime_error("expected result " + std::to_string(i) +
                               " to have the type and shape that the call "
                               "declares");
  return outputs;
}

static Array arrayOf(const SavedTensor &tensor) {
  Array array(tensor.type.dtype, extentsOf(tensor.type));
  if (array.byteCount())
    std::memcpy(array.data(), tensor.bytes.data(), array.byteCount());
  return array;
}

/// Calls a function. What it throws is told at the line of the call.
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
    return fail("expected it to be registered with the program, found none of "
                "the name" +
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
    return fail("it threw what is no std::exception");
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
  const Bodies &body = program.body();
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
  const Bodies &body = program.body();
  auto &known = HostFunctions::of(body).gradients;
  required(gradient, "a function that gives gradients", where);
  if (!known.emplace(name, std::move(gradient)).second)
    raise("expected a new name for a gradient, found '" + name +
              "', which there is",
          body, where);
}
