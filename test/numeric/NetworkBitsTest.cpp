//===- NetworkBitsTest.cpp - the bits of networks and of the reference ----===//
#include "test/numeric/NetworkReference.h"
#include "test/numeric/Networks.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tg;
using namespace tg::test;

namespace {
class NetworkBitsTest : public testing::TestWithParam<Network> {
protected:
  void SetUp() override {
    path = testing::TempDir() + "tg-bits-" + std::to_string(getpid());
    std::ofstream(path + ".mlir") << GetParam().text();
  }
  void TearDown() override {
    for (const char *end : {".mlir", ".so"})
      std::remove((path + end).c_str());
  }

  /// Trains on a target and compares all outputs and variables.
  void check(uint32_t target, uint32_t threads);
  void checkFunction(const tg_function_t &function, Context &context,
                     NetworkReference &reference);

  std::string path;
};
} // namespace

/// Returns an element of an input: floats in [-1, 1), a small rate, integers
/// below the number of classes.
static double sampleElement(const tg_value_t &value, int64_t classes,
                            uint64_t counter) {
  uint64_t z = counter * 0x9e3779b97f4a7c15u + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  double unit = double((z ^ (z >> 27)) >> 11) * 0x1p-53;
  if (value.dtype.code != TG_DTYPE_FLOAT)
    return std::floor(unit *
                      double(value.dtype.code == TG_DTYPE_BOOL ? 2 : classes));
  return value.rank == 0 ? 0.01 : 2 * unit - 1;
}

/// Makes an input with a batch of 3. All symbols are the batch size.
static Content makeInput(const tg_value_t &value, int64_t classes) {
  Content array;
  size_t count = 1, bytes = value.dtype.bits / 8;
  for (uint32_t axis = 0; axis < value.rank; ++axis) {
    array.shape.push_back(value.dims[axis] < 0 ? 3 : value.dims[axis]);
    count *= size_t(array.shape.back());
  }
  array.bytes.resize(count * bytes);
  for (size_t e = 0; e < count; ++e)
    detail::visitElement(value.dtype, [&](auto zero) {
      zero = static_cast<decltype(zero)>(sampleElement(value, classes, e));
      std::memcpy(array.bytes.data() + e * bytes, &zero, sizeof(zero));
    });
  return array;
}

/// Returns the number of elements that differ, except for NaN in both.
static size_t countDifferences(const tg_dtype_t &dtype,
                               std::span<const char> found,
                               std::span<const char> expected) {
  size_t bytes = dtype.bits / 8, differences = 0;
  for (size_t at = 0; at + bytes <= found.size(); at += bytes)
    detail::visitElement(dtype, [&](auto a) {
      auto b = a;
      std::memcpy(&a, found.data() + at, sizeof(a));
      std::memcpy(&b, expected.data() + at, sizeof(b));
      differences += (a == a || b == b) && std::memcmp(&a, &b, sizeof(a)) != 0;
    });
  return differences;
}

static void compare(const std::string &name, const tg_dtype_t &dtype,
                    std::span<const char> found,
                    std::span<const char> expected) {
  ASSERT_EQ(found.size(), expected.size()) << name;
  EXPECT_EQ(countDifferences(dtype, found, expected), 0u)
      << "of " << found.size() / (dtype.bits / 8) << " elements of " << name;
}

void NetworkBitsTest::checkFunction(const tg_function_t &function,
                                    Context &context,
                                    NetworkReference &reference) {
  Contents arrays, expected;
  std::vector<Input> inputs;
  std::vector<tg_tensor_t> tensors(function.input_count);
  for (uint32_t i = 0; i < function.input_count; ++i) {
    const tg_value_t &value = *function.inputs[i];
    if (value.flags & (TG_VALUE_SEED | TG_VALUE_CALL))
      continue;
    Content &array = arrays[value.name] = makeInput(value, GetParam().classes);
    tensors[i].data = array.bytes.data();
    tensors[i].device.device_type = TG_DEVICE_CPU;
    tensors[i].ndim = int32_t(value.rank);
    tensors[i].dtype = value.dtype;
    tensors[i].shape = array.shape.data();
    inputs.push_back({value.name, Value(tensors[i])});
  }
  ASSERT_EQ(reference.run(function.name, arrays, expected), "");
  const Outputs &outputs = context.run(function.name, inputs);
  for (uint32_t i = 0; i < function.output_count; ++i) {
    const tg_value_t &value = *function.outputs[i];
    compare(std::string(function.name) + " output " + value.name, value.dtype,
            outputs.bytes(value.name), expected[value.name].bytes);
  }
}

/// Returns the content of a variable.
static std::vector<char> contentOf(const Context &context, uint32_t index,
                                   const tg_variable_t &variable) {
  std::vector<char> bytes(variable.bytes);
  std::vector<int64_t> dims(variable.dims, variable.dims + variable.rank);
  tg_tensor_t tensor = {};
  tensor.data = bytes.data();
  tensor.device.device_type = TG_DEVICE_CPU;
  tensor.ndim = int32_t(variable.rank);
  tensor.dtype = variable.dtype;
  tensor.shape = dims.data();
  detail::check(tg_context_get_variable,
                static_cast<const tg_context_t *>(context.handle()), index,
                static_cast<const tg_tensor_t *>(&tensor));
  return bytes;
}

void NetworkBitsTest::check(uint32_t target, uint32_t threads) {
  SCOPED_TRACE("x86-64-v" + std::to_string(target) + " on " +
               std::to_string(threads) + " threads");
  NetworkReference reference(GetParam().text());
  ASSERT_EQ(reference.getError(), "");
  Model model = Model::load(path + ".so", {.target = target});
  const tg_model_t &tables = model.tables();
  ContextOptions options{.threads = threads};
  if (tables.variable_count != 0) {
    options.seed = 7;
    ASSERT_EQ(reference.init(7), "");
  }
  Context context = model.context(options);
  for (uint32_t i = 0; i < tables.function_count; ++i)
    if (!(tables.functions[i]->flags & TG_FUNCTION_INITIALIZES))
      checkFunction(*tables.functions[i], context, reference);
  for (uint32_t i = 0; i < tables.variable_count; ++i) {
    const tg_variable_t &variable = *tables.variables[i];
    std::vector<char> expected = reference.contentOf(variable.name);
    if (expected.empty()) // zeros
      expected.resize(variable.bytes);
    compare(std::string("variable ") + variable.name, variable.dtype,
            contentOf(context, i, variable), expected);
  }
}

TEST_P(NetworkBitsTest, AgreeWithReference) {
  for (int optimization : {0, 2}) {
    SCOPED_TRACE("-O" + std::to_string(optimization));
    std::string command = std::string(TG_TGC) + " " + path + ".mlir -o " +
                          path + ".so -O" + std::to_string(optimization);
    ASSERT_EQ(std::system(command.c_str()), 0);
    for (uint32_t target : {3, 4})
      if (target == 3 ? __builtin_cpu_supports("x86-64-v3")
                      : __builtin_cpu_supports("x86-64-v4"))
        for (uint32_t threads : {1, 3})
          check(target, threads);
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, NetworkBitsTest,
                         testing::ValuesIn(makeNetworks()),
                         [](const auto &info) { return info.param.name; });
