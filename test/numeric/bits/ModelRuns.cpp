//===- ModelRuns.cpp - runs of models on fixed inputs ---------------------===//
#include "test/numeric/bits/ModelRuns.h"
#include "test/numeric/Scramble.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <xmmintrin.h>

using namespace tg;
using namespace tg::test;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static double sampleElement(const tg_value_t &value, uint64_t counter,
                            const RunPlan &plan) {
  uint64_t word = scramble(counter) >> 20;
  if (value.dtype.code == TG_DTYPE_BOOL)
    return double(word % 2);
  if (value.dtype.code == TG_DTYPE_INT || value.dtype.code == TG_DTYPE_UINT)
    return double(word % uint64_t(plan.classes));
  if (value.rank == 0)
    return 1.0 / 64;
  return std::ldexp(double(int64_t(word % 256) - 128), plan.scale - 7);
}

RawTensor test::makeInput(const tg_value_t &value, int64_t rows, uint64_t seed,
                          const RunPlan &plan) {
  RawTensor result;
  result.dtype = value.dtype;
  size_t count = 1;
  for (uint32_t axis = 0; axis < value.rank; ++axis) {
    result.shape.push_back(value.dims[axis] < 0 ? rows : value.dims[axis]);
    count *= size_t(result.shape.back());
  }
  size_t bytes = value.dtype.bits / 8;
  result.bytes.resize(count * bytes);
  for (size_t e = 0; e < count; ++e) {
    double number = sampleElement(value, seed * 1000003 + e, plan);
    detail::visitElement(value.dtype, [&](auto zero) {
      zero = static_cast<decltype(zero)>(number);
      std::memcpy(result.bytes.data() + e * bytes, &zero, sizeof(zero));
    });
  }
  return result;
}

std::vector<RawTensor> test::makeInputs(const tg_function_t &function,
                                        int64_t rows, uint64_t seed,
                                        const RunPlan &plan) {
  std::vector<RawTensor> inputs;
  for (uint32_t i = 0; i < function.input_count; ++i)
    inputs.push_back(makeInput(*function.inputs[i], rows, seed * 16 + i, plan));
  return inputs;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Runs a function on inputs and returns its outputs.
using RunFunction = std::function<std::vector<RawTensor>(
    const tg_function_t &function, std::vector<RawTensor> inputs)>;

/// Runs all steps of the plan after the initialization.
static Results runAll(const tg_model_t &tables, const RunPlan &plan,
                      const RunFunction &run) {
  Results results;
  auto runEach = [&](int64_t rows, uint64_t seed, bool isTraining) {
    for (uint32_t i = 0; i < tables.function_count; ++i) {
      const tg_function_t &function = *tables.functions[i];
      bool writes = function.flags & TG_FUNCTION_WRITES_VARIABLES;
      if (function.flags & TG_FUNCTION_INITIALIZES || writes != isTraining)
        continue;
      std::vector<RawTensor> outputs =
          run(function, makeInputs(function, rows, seed, plan));
      if (isTraining && !plan.recordsSteps)
        continue;
      std::string name = std::string(function.name) + " of " +
                         std::to_string(rows) + " rows, output ";
      for (size_t o = 0; o < outputs.size(); ++o)
        results.push_back(
            {name + function.outputs[o]->name, std::move(outputs[o])});
    }
  };
  uint64_t seed = 0;
  for (int64_t rows : plan.steps)
    runEach(rows, ++seed, true);
  for (int64_t rows : plan.tests)
    runEach(rows, ++seed, false);
  return results;
}

Model test::loadLibrary(const std::vector<char> &library, uint32_t target) {
  return Model::loadMemory(std::as_bytes(std::span(library)),
                           {.target = target});
}

static tg_tensor_t viewOf(RawTensor &tensor) {
  tg_tensor_t view = {};
  view.data = tensor.bytes.data();
  view.device.device_type = TG_DEVICE_CPU;
  view.ndim = int32_t(tensor.shape.size());
  view.dtype = tensor.dtype;
  view.shape = tensor.shape.data();
  return view;
}

std::vector<RawTensor> test::runFunction(Context &context,
                                         const tg_function_t &function,
                                         std::vector<RawTensor> inputs) {
  std::vector<Input> named;
  for (size_t i = 0; i < inputs.size(); ++i)
    named.push_back({function.inputs[i]->name, Value(viewOf(inputs[i]))});
  const Outputs &outputs = context.run(function.name, named);
  std::vector<RawTensor> results;
  for (uint32_t i = 0; i < function.output_count; ++i) {
    const tg_value_t &value = *function.outputs[i];
    std::span<const int64_t> shape = outputs.shape(value.name);
    std::span<const char> bytes = outputs.bytes(value.name);
    results.push_back({value.dtype,
                       {shape.begin(), shape.end()},
                       {bytes.begin(), bytes.end()}});
  }
  return results;
}

/// Returns a copy of a variable.
static RawTensor readVariable(const Context &context, uint32_t index,
                              const tg_variable_t &variable) {
  RawTensor result{variable.dtype,
                   {variable.dims, variable.dims + variable.rank},
                   std::vector<char>(variable.bytes)};
  tg_tensor_t view = viewOf(result);
  detail::check(tg_context_get_variable,
                static_cast<const tg_context_t *>(context.handle()), index,
                static_cast<const tg_tensor_t *>(&view));
  return result;
}

Results test::readVariables(const Context &context, const tg_model_t &tables) {
  Results results;
  for (uint32_t i = 0; i < tables.variable_count; ++i)
    results.push_back({std::string("variable ") + tables.variables[i]->name,
                       readVariable(context, i, *tables.variables[i])});
  return results;
}

Context test::makeContext(const Model &model, uint32_t threads) {
  ContextOptions options{.threads = threads};
  if (model.tables().variable_count != 0)
    options.seed = 7;
  return model.context(options);
}

namespace {
/// Sets modes of floating-point arithmetic on this thread within a scope, and
/// checks at its end that they are still set.
class ModesScope {
public:
  explicit ModesScope(unsigned modes)
      : before(_mm_getcsr()), during(before | modes) {
    _mm_setcsr(during);
  }
  ~ModesScope() {
    EXPECT_EQ(_mm_getcsr() & ~kFlags, during & ~kFlags)
        << "the modes of the caller are restored";
    _mm_setcsr(before);
  }

private:
  /// The bits that say which exceptions occurred.
  static constexpr unsigned kFlags = 0x3f;
  unsigned before, during;
};
} // namespace

Results test::runCompiled(const Model &model, const RunPlan &plan,
                          uint32_t threads) {
  const tg_model_t &tables = model.tables();
  std::optional<Context> context;
  {
    ModesScope scope(plan.modes);
    context = makeContext(model, threads);
  }
  Results results =
      runAll(tables, plan,
             [&](const tg_function_t &function, std::vector<RawTensor> inputs) {
               ModesScope scope(plan.modes);
               return runFunction(*context, function, std::move(inputs));
             });
  for (Result &variable : readVariables(*context, tables))
    results.push_back(std::move(variable));
  return results;
}

Results test::runReference(const tg_model_t &tables, const std::string &text,
                           const RunPlan &plan) {
  ReferenceModel model(text);
  for (uint32_t i = 0; i < tables.function_count; ++i) {
    const tg_function_t &function = *tables.functions[i];
    if (!(function.flags & TG_FUNCTION_INITIALIZES))
      continue;
    // The only input is the seed.
    RawTensor seed{{TG_DTYPE_INT, 64, 1}, {}, std::vector<char>(8)};
    seed.bytes[0] = 7;
    model.run(function.name, {function.input_count, seed});
  }
  Results results =
      runAll(tables, plan,
             [&](const tg_function_t &function, std::vector<RawTensor> inputs) {
               std::vector<RawTensor> outputs =
                   model.run(function.name, inputs);
               outputs.resize(function.output_count);
               return outputs;
             });
  for (uint32_t i = 0; i < tables.variable_count; ++i)
    results.push_back({std::string("variable ") + tables.variables[i]->name,
                       model.variable(tables.variables[i]->name)});
  EXPECT_EQ(model.error, "") << "in the reference";
  return results;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// Returns an element as a number.
static double numberAt(const RawTensor &tensor, size_t element) {
  return detail::visitElement(tensor.dtype, [&](auto zero) {
    std::memcpy(&zero, tensor.bytes.data() + element * sizeof(zero),
                sizeof(zero));
    return double(zero);
  });
}

static bool isSame(const RawTensor &a, const RawTensor &b, size_t element) {
  size_t bytes = a.dtype.bits / 8;
  return std::memcmp(a.bytes.data() + element * bytes,
                     b.bytes.data() + element * bytes, bytes) == 0 ||
         (a.dtype.code == TG_DTYPE_FLOAT && std::isnan(numberAt(a, element)) &&
          std::isnan(numberAt(b, element)));
}

bool test::hasNan(const RawTensor &tensor) {
  if (tensor.dtype.code != TG_DTYPE_FLOAT)
    return false;
  size_t count = tensor.bytes.size() / (tensor.dtype.bits / 8);
  for (size_t element = 0; element < count; ++element)
    if (std::isnan(numberAt(tensor, element)))
      return true;
  return false;
}

static void expectSameBits(const Result &found, const Result &expected) {
  ASSERT_EQ(found.name, expected.name);
  ASSERT_EQ(found.tensor.shape, expected.tensor.shape) << found.name;
  ASSERT_EQ(found.tensor.bytes.size(), expected.tensor.bytes.size())
      << found.name;
  if (found.tensor.bytes == expected.tensor.bytes)
    return;
  size_t count = found.tensor.bytes.size() / (found.tensor.dtype.bits / 8);
  size_t differences = 0;
  size_t first = 0;
  for (size_t element = count; element-- > 0;)
    if (!isSame(found.tensor, expected.tensor, element)) {
      ++differences;
      first = element;
    }
  if (differences)
    ADD_FAILURE() << found.name << ": " << differences << " of " << count
                  << " elements differ, the first is element " << first
                  << ": found " << std::hexfloat
                  << numberAt(found.tensor, first) << ", expected "
                  << numberAt(expected.tensor, first);
}

void test::expectSameBits(const Results &found, const Results &expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    ::expectSameBits(found[i], expected[i]);
}

void test::expectBitsOfReference(const std::string &text, int optimization,
                                 const RunPlan &plan,
                                 const std::vector<int> &levels) {
  SCOPED_TRACE("-O" + std::to_string(optimization));
  std::vector<char> library =
      compileText(text, {.optimization = optimization, .levels = levels});
  ASSERT_FALSE(library.empty());
  Results expected;
  for (int level : levels) {
    SCOPED_TRACE("x86-64-v" + std::to_string(level));
    Model model = loadLibrary(library, uint32_t(level));
    if (expected.empty())
      expected = runReference(model.tables(), text, plan);
    for (uint32_t threads : {1, 3}) {
      SCOPED_TRACE(std::to_string(threads) + " threads");
      expectSameBits(runCompiled(model, plan, threads), expected);
    }
  }
}

std::vector<int> test::levelsWithFma() {
  std::vector<int> levels;
  if (__builtin_cpu_supports("x86-64-v3"))
    levels.push_back(TG_TARGET_X86_64_V3);
  if (__builtin_cpu_supports("x86-64-v4"))
    levels.push_back(TG_TARGET_X86_64_V4);
  return levels;
}
