//===- BitsTest.cpp - compares the bits of compiled code and reference ----===//
#include "compiler/driver/Pipeline.h"
#include "compiler/reference/Reference.h"
#include "mlir/Parser/Parser.h"
#include "test/numeric/HostFunctions.h"
#include "test/numeric/LoadedModel.h"
#include "test/numeric/OpTable.h"
#include "test/simulator/support/Cuda.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace tg;
using namespace tg::test;

namespace {

/// The number of rows compiled into one library.
constexpr size_t kRowsPerModel = 40;
/// The greatest number of rows that are compiled one by one, because a filter
/// selects no others.
constexpr int kFewRows = 4;

/// A row of the table, for one float type.
struct BitsCase {
  size_t row;
  const char *floatType;

  const OpRow &get() const { return getOpTable()[row]; }
};

void PrintTo(const BitsCase &bits, std::ostream *stream) {
  *stream << bits.get().name << " of " << bits.floatType;
}

/// Compiled rows, which tests share.
class Libraries {
public:
  /// Returns the library of the rows around a row for a kind of target at an
  /// optimization level, or of the row alone if not all of them compile or few
  /// rows run.
  ArrayRef<char> find(const BitsCase &bits, StringRef kind, int optimization);

private:
  using File = SmallVector<char, 0>;
  const File &compile(ArrayRef<OpRow> rows, const char *floatType,
                      StringRef kind, int optimization);
  std::map<std::tuple<std::string, size_t, std::string, std::string, int>, File>
      files;
};

class BitsTest : public testing::TestWithParam<BitsCase> {
protected:
  BitsTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerReference(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Computes the results by the reference.
  std::string evaluate(SmallVectorImpl<HostTensor> &results);
  void compare(LoadedModel &model, uint32_t workers,
               ArrayRef<HostTensor> expected);

  MLIRContext context;
};

Libraries &libraries() {
  static Libraries all;
  return all;
}

} // namespace

const Libraries::File &Libraries::compile(ArrayRef<OpRow> rows,
                                          const char *floatType, StringRef kind,
                                          int optimization) {
  File &file =
      files[{rows[0].name, rows.size(), floatType, kind.str(), optimization}];
  if (!file.empty())
    return file;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  DialectRegistry registry;
  registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(moduleText(rows, floatType), &context);
  CompileOptions options;
  options.kinds = {kind.str()};
  options.optimization = optimization;
  options.levels = {3, 4};
  CompileResult result;
  if (module && succeeded(compileModule(*module, options, result)))
    file = std::move(result.file);
  return file;
}

ArrayRef<char> Libraries::find(const BitsCase &bits, StringRef kind,
                               int optimization) {
  if (testing::UnitTest::GetInstance()->test_to_run_count() <= kFewRows)
    return compile(bits.get(), bits.floatType, kind, optimization);
  size_t first = bits.row / kRowsPerModel * kRowsPerModel;
  ArrayRef<OpRow> rows =
      getOpTable().drop_front(first).take_front(kRowsPerModel);
  const File &file = compile(rows, bits.floatType, kind, optimization);
  return file.empty() ? compile(bits.get(), bits.floatType, kind, optimization)
                      : file;
}

std::string BitsTest::evaluate(SmallVectorImpl<HostTensor> &results) {
  const OpRow &row = GetParam().get();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      moduleText(row, GetParam().floatType), &context);
  CompileOptions options;
  options.stopAfter = Phase::numerics;
  CompileResult result;
  if (!module || failed(compileModule(*module, options, result)))
    return "expected the row to compile";
  ModuleOp plan = getPlans(*module).front();
  Reference reference(plan);
  reference.interpreter.hostFunctions = makeInterpreter().hostFunctions;
  return reference.run(plan.lookupSymbol<func::FuncOp>(row.name),
                       makeInputs(row, &context, GetParam().floatType),
                       results);
}

/// Returns true if two elements have the same bits, or are both NaN.
static bool isSame(const HostTensor &a, const HostTensor &b, int64_t element) {
  int64_t bytes = elementBytes(a.getElementType());
  return std::memcmp(a.data() + element * bytes, b.data() + element * bytes,
                     bytes) == 0 ||
         (std::isnan(a.numberAt(element)) && std::isnan(b.numberAt(element)));
}

void BitsTest::compare(LoadedModel &model, uint32_t workers,
                       ArrayRef<HostTensor> expected) {
  std::vector<HostTensor> inputs =
      makeInputs(GetParam().get(), &context, GetParam().floatType);
  SmallVector<HostTensor> found;
  for (const HostTensor &result : expected)
    found.emplace_back(result.getElementType(), result.getShape());
  ASSERT_EQ(model.run(GetParam().get().name, inputs, found, workers), "");
  for (auto [number, result] : llvm::enumerate(expected)) {
    int64_t count = result.getNumElements(), differences = 0, first = 0;
    for (int64_t element = count; element-- > 0;)
      if (!isSame(found[number], result, element))
        ++differences, first = element;
    if (differences)
      ADD_FAILURE() << differences << " of " << count << " elements of output "
                    << number << " differ, the first is element " << first
                    << ": found " << std::hexfloat
                    << found[number].numberAt(first) << ", expected "
                    << result.numberAt(first);
  }
}

TEST_P(BitsTest, OfRows) {
  SmallVector<HostTensor> expected;
  ASSERT_EQ(evaluate(expected), "");
  for (int optimization : {0, 2}) {
    SCOPED_TRACE("-O" + std::to_string(optimization));
    ArrayRef<char> library = libraries().find(GetParam(), "cpu", optimization);
    ASSERT_FALSE(library.empty());
    for (uint32_t target : usableTargets()) {
      if (target < TG_TARGET_X86_64_V3)
        continue;
      SCOPED_TRACE("x86-64-v" + std::to_string(target));
      LoadedModel model;
      ASSERT_EQ(model.load(library, target), "");
      for (uint32_t workers : {1, 3})
        compare(model, workers, expected);
    }
  }
}

TEST_P(BitsTest, OfRowsOnADevice) {
  Cuda::get(); // libtgrt finds the driver that is loaded already
  SmallVector<HostTensor> expected;
  ASSERT_EQ(evaluate(expected), "");
  ArrayRef<char> library =
      libraries().find(GetParam(), "cuda", /*optimization=*/2);
  ASSERT_FALSE(library.empty());
  LoadedModel model;
  ASSERT_EQ(model.load(library, tg_device_t{TG_DEVICE_CUDA, 0}), "");
  compare(model, /*workers=*/1, expected);
}

static std::vector<BitsCase> cases() {
  std::vector<BitsCase> result;
  for (const char *floatType : {"f32", "f64"})
    for (size_t row = 0; row < getOpTable().size(); ++row)
      if (floatType == StringRef("f32") ||
          moduleText(getOpTable()[row], "f32") !=
              moduleText(getOpTable()[row], "f64"))
        result.push_back({row, floatType});
  return result;
}

INSTANTIATE_TEST_SUITE_P(Table, BitsTest, testing::ValuesIn(cases()),
                         [](const auto &info) {
                           return info.param.get().name + "_" +
                                  info.param.floatType;
                         });
