//===- AgreementTest.cpp - the levels of optimization agree ---------------===//
//
// Every network is compiled at several -O levels, trained and tested with
// several batch sizes on 1, 2 and 5 threads, from -O2 on for every x86-64 level
// of the machine. Threads must give equal bits, levels equal numbers.
//
//===----------------------------------------------------------------------===//
#include "test/numeric/Networks.h"
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

/// Sizes of the batches, one step of training each.
const std::vector<int64_t> batchSizes = {33, 1, 4, 32};

/// Elements of any type with a name that says where they come from.
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

/// An input of a run, kept while the run lasts.
struct Given {
  std::vector<char> bytes;
  std::vector<int64_t> shape;
  tg_tensor_t tensor = {};
};

/// Everything a network gave and holds after some steps.
using Records = std::vector<Record>;

} // namespace

/// splitmix64: a number that looks random for every counter.
static uint64_t scramble(uint64_t counter) {
  uint64_t z = counter * 0x9e3779b97f4a7c15u + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Element e of an input: in [-1, 1), whole numbers in [0, classes); a learning
/// rate is small.
static double drawElement(const tg_value_t &value, int64_t classes,
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

/// A random tensor for an input; all symbols have the size of the batch.
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
    store(value.dtype, drawElement(value, classes, seed * 1000003 + e),
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

/// A copy of a variable.
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

/// Trains with a batch of each size, then runs what only reads.
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

/// Not a number, or apart by more than the tolerance times the scale.
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

/// The machine's x86-64 levels.
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

  /// Compiles the network and compares it with what was found before.
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
