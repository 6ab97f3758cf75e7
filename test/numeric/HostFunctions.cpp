//===- HostFunctions.cpp - host functions that rows call ------------------===//
#include "test/numeric/HostFunctions.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cmath>
#include <functional>

using namespace mlir;
using namespace tg;
using namespace tg::test;

namespace {

/// The arguments and results of a host function. Elements of all types are
/// converted to double; `dtypes` holds the actual types.
struct Arrays {
  std::vector<std::vector<double>> inputs, results;
};

struct Function {
  const char *name;
  void (*call)(Arrays &arrays);
};

} // namespace

/// Applies `rule` elementwise to one input or to two.
static void map(Arrays &arrays, double (*rule)(double, double)) {
  const std::vector<double> &x = arrays.inputs[0];
  const std::vector<double> &y = arrays.inputs.back();
  for (size_t i = 0; i < arrays.results[0].size(); ++i)
    arrays.results[0][i] = rule(x[i], y[i]);
}

static const Function kFunctions[] = {
    {"square",
     [](Arrays &a) { map(a, [](double x, double) { return x * x; }); }},
    // Computes the gradient of x from the cotangent of its square.
    {"square_grad",
     [](Arrays &a) { map(a, [](double x, double g) { return 2 * x * g; }); }},
    // Returns the elements in reverse order, and for each x > 0.
    {"reverse_signs",
     [](Arrays &a) {
       std::reverse_copy(a.inputs[0].begin(), a.inputs[0].end(),
                         a.results[0].begin());
       std::transform(a.inputs[0].begin(), a.inputs[0].end(),
                      a.results[1].begin(), [](double x) { return x > 0; });
     }},
    {"nothing", [](Arrays &) {}}};

static std::string callOnTensors(const Function &function,
                                 ArrayRef<HostTensor> inputs,
                                 MutableArrayRef<HostTensor> results) {
  Arrays arrays;
  for (const HostTensor &input : inputs) {
    arrays.inputs.emplace_back();
    for (int64_t i = 0; i < input.getNumElements(); ++i)
      arrays.inputs.back().push_back(input.numberAt(i));
  }
  for (const HostTensor &result : results)
    arrays.results.emplace_back(result.getNumElements());
  function.call(arrays);
  for (auto [result, values] : llvm::zip_equal(results, arrays.results))
    visitElementType(result.getElementType(), [&](auto zero) {
      using T = decltype(zero);
      for (auto [element, value] :
           llvm::zip_equal(result.template values<T>(), values))
        element = T(value);
    });
  return {};
}

Interpreter test::makeInterpreter() {
  Interpreter interpreter;
  for (const Function &function : kFunctions)
    interpreter.hostFunctions[function.name] =
        [&function](ArrayRef<HostTensor> inputs,
                    MutableArrayRef<HostTensor> results) {
          return callOnTensors(function, inputs, results);
        };
  return interpreter;
}

/// Calls `visit` with the elements of an array of a run.
template <typename Visit>
static void visitArray(const tg_tensor_t &array, Visit visit) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < array.ndim; ++axis)
    count *= array.shape[axis];
  for (auto [number, row] : llvm::enumerate(kElementTypes))
    if (row.dtype.code == array.dtype.code &&
        row.dtype.bits == array.dtype.bits)
      visitElement(ElementType(number), [&]<ElementType element>() {
        visit(MutableArrayRef(static_cast<HostType<element> *>(array.data),
                              size_t(count)));
      });
}

static tg_status_t callOnArrays(void *user, const tg_host_call_t *call) {
  Arrays arrays;
  for (uint32_t i = 0; i < call->input_count; ++i)
    visitArray(call->inputs[i], [&](auto elements) {
      arrays.inputs.emplace_back(elements.begin(), elements.end());
    });
  for (uint32_t i = 0; i < call->output_count; ++i)
    visitArray(call->outputs[i], [&](auto elements) {
      arrays.results.emplace_back(elements.size());
    });
  static_cast<const Function *>(user)->call(arrays);
  for (uint32_t i = 0; i < call->output_count; ++i)
    visitArray(call->outputs[i], [&](auto elements) {
      llvm::copy(arrays.results[i], elements.begin());
    });
  return TG_OK;
}

const tg_host_t &test::getHost() {
  struct Table {
    Table() {
      for (const Function &function : kFunctions)
        functions.push_back({sizeof(tg_host_function_t), 0, function.name,
                             callOnArrays, const_cast<Function *>(&function)});
      for (const tg_host_function_t &function : functions)
        pointers.push_back(&function);
      host = {sizeof(tg_host_t), uint32_t(pointers.size()), pointers.data(),
              nullptr, nullptr};
    }
    std::vector<tg_host_function_t> functions;
    std::vector<const tg_host_function_t *> pointers;
    tg_host_t host;
  };
  static const Table table;
  return table.host;
}
