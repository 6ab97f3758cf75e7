//===- CompiledTest.cpp - compares compiled code with the interpreter -----===//
#include "compiler/driver/Pipeline.h"
#include "compiler/transforms/Passes.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "test/numeric/HostFunctions.h"
#include "test/numeric/LoadedModel.h"
#include "test/numeric/OpTable.h"
#include "test/numeric/Tolerance.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace tg;
using namespace tg::test;

namespace {

/// The number of rows compiled into one library.
constexpr size_t kRowsPerModel = 40;

/// Returns the rows whose names begin with the value of the environment
/// variable TG_ROW, or all rows if it is unset. For f64 only rows with FLOAT
/// are returned.
ArrayRef<OpRow> tableToTest(StringRef floatType) {
  static std::map<std::string, std::vector<OpRow>> tables;
  auto [table, isNew] = tables.try_emplace(floatType.str());
  const char *prefix = std::getenv("TG_ROW");
  for (const OpRow &row : isNew ? getOpTable() : ArrayRef<OpRow>()) {
    bool differs = moduleText(row, "f32") != moduleText(row, "f64");
    if ((differs || floatType == "f32") &&
        (!prefix || StringRef(row.name).starts_with(prefix)))
      table->second.push_back(row);
  }
  return table->second;
}

/// A set of rows to compile for one float type at one optimization level.
struct Config {
  size_t part;
  int optimization;
  const char *floatType;

  ArrayRef<OpRow> getRows() const {
    ArrayRef<OpRow> rows =
        tableToTest(floatType).drop_front(part * kRowsPerModel);
    return rows.take_front(kRowsPerModel);
  }
};

class CompiledTest : public testing::TestWithParam<Config> {
protected:
  CompiledTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Returns the compiled library of the rows, or nothing on failure.
  std::optional<SmallVector<char, 0>> compile(ArrayRef<OpRow> rows);
  /// Compares all rows on all targets.
  void check(ArrayRef<OpRow> rows, ArrayRef<char> library);
  /// Checks that targets which this CPU does not support are refused, and
  /// counts their rows.
  void checkRefusals(ArrayRef<OpRow> rows, ArrayRef<char> library);
  /// Prints which rows the CPU could not run.
  static void TearDownTestSuite();
  void checkRow(const OpRow &row, LoadedModel &model,
                ArrayRef<HostTensor> expected);
  SmallVector<HostTensor> interpret(const OpRow &row);
  void compare(const OpRow &row, const HostTensor &found,
               const HostTensor &expected);

  MLIRContext context;
  /// The number of rows that were not run, by target.
  static std::map<uint32_t, size_t> notRun;
};

std::map<uint32_t, size_t> CompiledTest::notRun;

} // namespace

std::optional<SmallVector<char, 0>>
CompiledTest::compile(ArrayRef<OpRow> rows) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      moduleText(rows, GetParam().floatType), &context);
  CompileOptions options;
  options.optimization = GetParam().optimization;
  CompileResult result;
  if (!module || failed(compileModule(*module, options, result)))
    return std::nullopt;
  return std::move(result.file);
}

SmallVector<HostTensor> CompiledTest::interpret(const OpRow &row) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      moduleText(row, GetParam().floatType), &context);
  PassManager passes(&context);
  passes.addPass(createInferShapes());
  passes.addPass(createExpandGradients());
  SmallVector<HostTensor> results;
  if (!module || failed(passes.run(*module)))
    return results;
  auto function = module->lookupSymbol<func::FuncOp>(row.name);
  EXPECT_EQ(
      makeInterpreter().run(
          function, makeInputs(row, &context, GetParam().floatType), results),
      "");
  return results;
}

void CompiledTest::compare(const OpRow &row, const HostTensor &found,
                           const HostTensor &expected) {
  bool isFloat = isa<FloatType>(expected.getElementType());
  double tolerance =
      isFloat
          ? row.tolerance * (expected.getElementType().isF64() ? 0x1p-29 : 1)
          : 0.0;
  bool checksSign = StringRef(row.name).ends_with("_special");
  double floor = toleranceFloor(expected);
  for (int64_t element = 0; element < expected.getNumElements(); ++element) {
    double f = found.numberAt(element);
    double e = expected.numberAt(element);
    bool equal = isClose(f, e, tolerance, floor);
    if (equal && checksSign && e == 0)
      equal = std::signbit(f) == std::signbit(e);
    EXPECT_TRUE(equal) << "element " << element << " is " << f << ", expected "
                       << e;
    if (!equal)
      return;
  }
}

void CompiledTest::checkRow(const OpRow &row, LoadedModel &model,
                            ArrayRef<HostTensor> expected) {
  SCOPED_TRACE(row.name);
  ASSERT_EQ(expected.size(), row.outputs.size());
  std::vector<HostTensor> inputs =
      makeInputs(row, &context, GetParam().floatType);
  SmallVector<HostTensor> found, again;
  for (const HostTensor &result : expected)
    found.emplace_back(result.getElementType(), result.getShape());
  again = found;
  ASSERT_EQ(model.run(row.name, inputs, found, /*workers=*/1), "");
  for (auto [number, result] : llvm::enumerate(expected))
    compare(row, found[number], result);
  // Results must be bitwise equal for every number of threads.
  for (unsigned workers : {2, 5}) {
    ASSERT_EQ(model.run(row.name, inputs, again, workers), "");
    for (auto [first, second] : llvm::zip_equal(found, again))
      EXPECT_EQ(std::memcmp(first.data(), second.data(), first.getNumBytes()),
                0)
          << workers << " workers give other bits than one";
  }
}

void CompiledTest::check(ArrayRef<OpRow> rows, ArrayRef<char> library) {
  std::vector<SmallVector<HostTensor>> expected;
  for (const OpRow &row : rows)
    expected.push_back(interpret(row));
  for (uint32_t target : usableTargets()) {
    SCOPED_TRACE("x86-64-v" + std::to_string(target));
    LoadedModel model;
    ASSERT_EQ(model.load(library, target), "");
    for (auto [row, results] : llvm::zip_equal(rows, expected))
      checkRow(row, model, results);
  }
}

void CompiledTest::checkRefusals(ArrayRef<OpRow> rows, ArrayRef<char> library) {
  std::vector<uint32_t> usable = usableTargets();
  for (uint32_t target : {2, 3, 4}) {
    if (llvm::is_contained(usable, target))
      continue;
    EXPECT_EQ(LoadedModel().load(library, target).rfind("TG_ERROR_TARGET", 0),
              0u);
    notRun[target] += rows.size();
  }
}

void CompiledTest::TearDownTestSuite() {
  for (auto [target, rows] : notRun)
    std::printf("%zu rows not run on x86-64-v%u, which this CPU lacks\n", rows,
                target);
}

TEST_P(CompiledTest, AgreesWithInterpreter) {
  ArrayRef<OpRow> rows = GetParam().getRows();
  if (auto library = compile(rows)) {
    checkRefusals(rows, *library);
    return check(rows, *library);
  }
  // Compile the rows one by one to report which fail.
  for (const OpRow &row : rows) {
    auto single = compile(row);
    EXPECT_TRUE(single) << row.name << " does not compile";
    if (single)
      check(row, *single);
  }
}

static std::vector<Config> configs() {
  std::vector<Config> result;
  for (const char *floatType : {"f32", "f64"}) {
    size_t rows = tableToTest(floatType).size();
    for (size_t part = 0; part * kRowsPerModel < rows; ++part)
      for (int optimization : {0, 2})
        result.push_back({part, optimization, floatType});
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Table, CompiledTest, testing::ValuesIn(configs()),
                         [](const auto &info) {
                           const Config &config = info.param;
                           return config.getRows().front().name + "_and_more_" +
                                  config.floatType + "_O" +
                                  std::to_string(config.optimization);
                         });

TEST(CompiledTable, RunsOnSomeTarget) { EXPECT_FALSE(usableTargets().empty()); }
