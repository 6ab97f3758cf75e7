//===- AgreementTest.cpp - optimization levels give equal results ---------===//
//
// Compiles every network at several -O levels, then trains and tests it with
// several batch sizes on 1, 2 and 5 threads, from -O2 on for every x86-64
// target of the machine. Results must be bitwise equal across threads and equal
// within the tolerance across optimization levels.
//
//===----------------------------------------------------------------------===//
#include "test/numeric/Networks.h"
#include "test/numeric/Scramble.h"
#include "tg/runtime.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

using namespace tg;
using namespace tg::test;

namespace {

/// The batch sizes, one training step each.
const std::vector<int64_t> batchSizes = {33, 1, 4, 32};

/// The bytes of a tensor and a name that says where they come from.
struct Record {
  std::string name;
  tg_dtype_t dtype;
  std::vector<char> bytes;

  double element(size_t number) const {
    return detail::visitElement(dtype, [&](auto zero) {
      std::memcpy(&zero, bytes.data() + number * sizeof(zero), sizeof(zero));
      return double(zero);
    });
  }
  size_t size() const { return bytes.size() / (dtype.bits / 8); }
  bool isFloat() const { return dtype.code == TG_DTYPE_FLOAT; }
};

/// An input tensor and its storage, which must outlive the run.
struct Given {
  std::vector<char> bytes;
  std::vector<int64_t> shape;
  tg_tensor_t tensor = {};
};

/// All outputs and variables of a network after some steps.
using Records = std::vector<Record>;

} // namespace

/// Returns a random input element: floats in [-1, 1), integers in [0, classes).
/// A scalar float is a learning rate and gets a small value.
static double sampleElement(const tg_value_t &value, int64_t classes,
                            uint64_t counter) {
  if (value.rank == 0 && value.dtype.code == TG_DTYPE_FLOAT)
    return 0.01;
  double unit = double(scramble(counter) >> 11) * 0x1p-53;
  if (value.dtype.code == TG_DTYPE_FLOAT)
    return 2 * unit - 1;
  return std::floor(unit *
                    double(value.dtype.code == TG_DTYPE_BOOL ? 2 : classes));
}

static void store(const tg_dtype_t &dtype, double number, char *to) {
  detail::visitElement(dtype, [&](auto zero) {
    zero = static_cast<decltype(zero)>(number);
    std::memcpy(to, &zero, sizeof(zero));
  });
}

/// Makes a random tensor for an input. All symbols are the batch size.
static Given makeInput(const tg_value_t &value, int64_t batch, int64_t classes,
                       uint64_t seed) {
  Given given;
  size_t count = 1;
  for (uint32_t axis = 0; axis < value.rank; ++axis) {
    given.shape.push_back(value.dims[axis] < 0 ? batch : value.dims[axis]);
    count *= size_t(given.shape.back());
  }
  size_t bytes = value.dtype.bits / 8;
  given.bytes.resize(count * bytes);
  for (size_t e = 0; e < count; ++e)
    store(value.dtype, sampleElement(value, classes, seed * 1000003 + e),
          given.bytes.data() + e * bytes);
  given.tensor.data = given.bytes.data();
  given.tensor.device.device_type = TG_DEVICE_CPU;
  given.tensor.ndim = int32_t(value.rank);
  given.tensor.dtype = value.dtype;
  given.tensor.shape = given.shape.data();
  return given;
}

/// Runs a function on random inputs and records its outputs.
static void runFunction(Context &context, const tg_function_t &function,
                        int64_t batch, int64_t classes, Records &records) {
  std::vector<Given> given(function.input_count);
  std::vector<Input> inputs;
  for (uint32_t i = 0; i < function.input_count; ++i) {
    given[i] = makeInput(*function.inputs[i], batch, classes,
                         uint64_t(batch) * 10 + i);
    inputs.push_back({function.inputs[i]->name, Value(given[i].tensor)});
  }
  const Outputs &outputs = context.run(function.name, inputs);
  for (uint32_t i = 0; i < function.output_count; ++i) {
    const tg_value_t &value = *function.outputs[i];
    std::span<const char> bytes = outputs.bytes(value.name);
    records.push_back({std::string(function.name) + " of " +
                           std::to_string(batch) + ": output " + value.name,
                       value.dtype,
                       {bytes.begin(), bytes.end()}});
  }
}

/// Returns a copy of a variable.
static Record recordOf(const Context &context, uint32_t index,
                       const tg_variable_t &variable) {
  Record record{std::string("variable ") + variable.name, variable.dtype, {}};
  record.bytes.resize(variable.bytes);
  std::vector<int64_t> dims(variable.dims, variable.dims + variable.rank);
  tg_tensor_t tensor = {};
  tensor.data = record.bytes.data();
  tensor.device.device_type = TG_DEVICE_CPU;
  tensor.ndim = int32_t(variable.rank);
  tensor.dtype = variable.dtype;
  tensor.shape = dims.data();
  detail::check(tg_context_get_variable,
                static_cast<const tg_context_t *>(context.handle()), index,
                static_cast<const tg_tensor_t *>(&tensor));
  return record;
}

/// Trains one step per batch size, then runs the functions that assign no
/// variables.
static Records train(const Model &model, uint32_t threads, int64_t classes) {
  const tg_model_t &tables = model.tables();
  ContextOptions options{.threads = threads};
  if (tables.variable_count != 0)
    options.seed = 7;
  Context context = model.context(options);
  Records records;
  for (bool isTraining : {true, false})
    for (int64_t batch : batchSizes)
      for (uint32_t i = 0; i < tables.function_count; ++i) {
        const tg_function_t &function = *tables.functions[i];
        bool writes = function.flags & TG_FUNCTION_WRITES_VARIABLES;
        if (!(function.flags & TG_FUNCTION_INITIALIZES) && writes == isTraining)
          runFunction(context, function, batch, classes, records);
      }
  for (uint32_t i = 0; i < tables.variable_count; ++i)
    records.push_back(recordOf(context, i, *tables.variables[i]));
  return records;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// Returns true if exactly one number is NaN or the two differ by more than
/// `tolerance`.
static bool differs(double found, double expected, double tolerance) {
  if (std::isnan(found) || std::isnan(expected))
    return std::isnan(found) != std::isnan(expected);
  return found != expected && !(std::abs(found - expected) <= tolerance);
}

static void compare(const Record &found, const Record &expected,
                    double tolerance) {
  ASSERT_EQ(found.name, expected.name);
  ASSERT_EQ(found.bytes.size(), expected.bytes.size()) << found.name;
  double scale = 1;
  for (size_t e = 0; e < expected.size(); ++e)
    if (std::isfinite(expected.element(e)))
      scale = std::max(scale, std::abs(expected.element(e)));
  double allowed = found.isFloat() ? tolerance * scale : 0;
  for (size_t e = 0; e < expected.size(); ++e)
    ASSERT_FALSE(differs(found.element(e), expected.element(e), allowed))
        << found.name << ", element " << e << ": found " << found.element(e)
        << ", expected " << expected.element(e);
}

static void compareBits(const Records &found, const Records &expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i].bytes, expected[i].bytes) << found[i].name;
}

/// Returns the x86-64 targets of the library that this machine runs.
static std::vector<uint32_t> usableTargets(const std::string &library) {
  std::vector<uint32_t> targets;
  for (uint32_t target : {2, 3, 4}) {
    try {
      Model::load(library, {.target = target});
      targets.push_back(target);
    } catch (const RuntimeError &error) {
      if (error.status() != TG_ERROR_NOT_FOUND) // not in the library
        std::printf("x86-64-v%u: not run, %s\n", target, error.what());
    }
  }
  return targets;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

namespace {
class AgreementTest : public testing::TestWithParam<Network> {
protected:
  void SetUp() override {
    path = testing::TempDir() + "tg-agreement-" + std::to_string(getpid());
    std::ofstream(path + ".mlir") << GetParam().text();
  }
  void TearDown() override {
    for (const char *end : {".mlir", ".so"})
      std::remove((path + end).c_str());
  }

  /// Compiles the network and compares its results with the first ones.
  void check(int optimization) {
    SCOPED_TRACE("-O" + std::to_string(optimization));
    std::string command = std::string(TG_TGC) + " " + path + ".mlir -o " +
                          path + ".so -O" + std::to_string(optimization);
    if (optimization < 2) // scalar code, the same for all
      command += " --target=x86-64-v2";
    ASSERT_EQ(std::system(command.c_str()), 0);
    for (uint32_t target : usableTargets(path + ".so")) {
      SCOPED_TRACE("x86-64-v" + std::to_string(target));
      Model model = Model::load(path + ".so", {.target = target});
      Records alone = train(model, 1, GetParam().classes);
      for (uint32_t threads : {2, 5}) {
        SCOPED_TRACE(std::to_string(threads) + " threads");
        compareBits(train(model, threads, GetParam().classes), alone);
      }
      if (expected.empty())
        expected = alone;
      ASSERT_EQ(alone.size(), expected.size());
      for (size_t i = 0; i < alone.size() && !HasFatalFailure(); ++i)
        compare(alone[i], expected[i], GetParam().tolerance);
    }
  }

  std::string path;
  Records expected;
};
} // namespace

TEST_P(AgreementTest, LevelsGiveEqualNumbersAndThreadsEqualBits) {
  for (int optimization : {0, 1, 2})
    check(optimization);
  if (GetParam().name.ends_with("100") || GetParam().name == "digits")
    check(3);
  for (const Record &record : expected)
    for (size_t e = 0; e < record.size(); ++e)
      ASSERT_TRUE(std::isfinite(record.element(e))) << record.name;
}

INSTANTIATE_TEST_SUITE_P(Networks, AgreementTest,
                         testing::ValuesIn(makeNetworks()),
                         [](const auto &info) { return info.param.name; });
