//===- CudaTableTest.cpp - the kernels of the numeric table, by threads ---===//
#include "RowKernels.h"
#include "ThreadMachine.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

namespace {

/// A kernel as text, with the symbols of a launch of it.
struct Launch {
  std::string kernel;
  std::vector<int64_t> symbols;
};

} // namespace

/// Returns the values of the symbols of a function that inputs of these shapes
/// bind.
static SmallVector<AffineExpr> bindSymbols(tgx::FunctionOp function,
                                           const OpRow &row) {
  SmallVector<AffineExpr> values(function.getBoundCount());
  for (auto [input, tensor] : llvm::zip(function.getInputs(), row.inputs)) {
    auto extents =
        cast<AffineMapAttr>(cast<DictionaryAttr>(input).get("extents"))
            .getValue();
    for (auto [extent, number] :
         llvm::zip(extents.getResults(), tensor.getShape()))
      if (auto symbol = dyn_cast<AffineSymbolExpr>(extent))
        values[symbol.getPosition()] =
            getAffineConstantExpr(number, function.getContext());
  }
  return values;
}

/// Appends the launches of a function, given the values of its symbols.
static void appendLaunches(tgx::FunctionOp function,
                           ArrayRef<AffineExpr> values,
                           std::vector<Launch> &launches) {
  for (auto launch : function.getBlock().getOps<tgx::LaunchOp>()) {
    Launch each;
    for (AffineExpr number : launch.getExtents().getResults())
      each.symbols.push_back(*staticExtent(number.replaceSymbols(values)));
    auto kernel = SymbolTable::lookupNearestSymbolFrom<tgx::KernelOp>(
        function, launch.getKernelAttr());
    llvm::raw_string_ostream(each.kernel) << kernel;
    launches.push_back(std::move(each));
  }
}

/// Returns the launches of all functions of a row.
static std::vector<Launch> listLaunches(const RowCase &each) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = scheduleRow(each, context);
  EXPECT_TRUE(module);
  std::vector<Launch> launches;
  if (module)
    for (auto function : module->getOps<tgx::FunctionOp>())
      if (!function.countDataDependent())
        appendLaunches(function, bindSymbols(function, each.get()), launches);
  return launches;
}

/// Returns true if a tensor of the kernel is a part of a larger buffer, which
/// the harness does not allocate.
static bool hasParts(tgx::KernelOp kernel) {
  return kernel.getArgumentRows() || kernel.getOutputRows();
}

/// Makes all integers less than the extents of all tensors: some are indices
/// that another kernel checks.
static void limitIndices(std::vector<HostTensor> &inputs) {
  int64_t least = 10;
  for (const HostTensor &input : inputs)
    for (int64_t extent : input.getShape())
      least = std::min(least, std::max<int64_t>(extent, 1));
  for (HostTensor &input : inputs)
    visitElementType(input.getElementType(), [&](auto zero) {
      using T = decltype(zero);
      if constexpr (std::is_integral_v<T>)
        for (T &value : input.values<T>())
          value %= least;
    });
}

/// Expects that a launch has the bits and the reports of the CPU's tiles.
static void compareLaunch(const Launch &launch) {
  SCOPED_TRACE(launch.kernel);
  KernelHarness harness(launch.kernel);
  ASSERT_TRUE(harness.getKernel());
  if (hasParts(harness.getKernel()))
    return;
  std::unique_ptr<CompiledKernel> tiles =
      harness.compile({/*level=*/3, /*optimization=*/2, /*tune=*/""});
  std::unique_ptr<ThreadMachine> threads =
      ThreadMachine::create(harness.getKernel());
  ASSERT_TRUE(tiles && threads);
  std::vector<HostTensor> inputs = harness.makeInputs(launch.symbols);
  limitIndices(inputs);
  KernelRun expected = harness.run(*tiles, inputs, launch.symbols);
  KernelRun found = threads->run(harness, inputs, launch.symbols);
  EXPECT_EQ(found.errorCells, expected.errorCells);
  EXPECT_EQ(found.errorValue, expected.errorValue);
  for (size_t output = 0; output < expected.outputs.size(); ++output)
    EXPECT_EQ(compareBits(found.outputs[output], expected.outputs[output]), "")
        << "output " << output;
}

class CudaTable : public testing::TestWithParam<RowCase> {};

TEST_P(CudaTable, HasTheBitsOfTheCpu) {
  for (const Launch &launch : listLaunches(GetParam()))
    compareLaunch(launch);
}

/// The kernels of a network that trains, for a batch of 37.
TEST(CudaNetwork, HasTheBitsOfTheCpu) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  auto text = llvm::MemoryBuffer::getFile(TG_EXAMPLES "/mlir/mlp.mlir");
  ASSERT_TRUE(bool(text));
  OwningOpRef<ModuleOp> module = scheduleText((*text)->getBuffer(), context);
  ASSERT_TRUE(module);
  // The tensors of the test are aligned to their elements.
  for (auto kernel : module->getOps<tgx::KernelOp>())
    kernel.removeAlignmentsAttr();
  std::vector<Launch> launches;
  for (auto function : module->getOps<tgx::FunctionOp>()) {
    SmallVector<AffineExpr> values(function.getBoundCount(),
                                   getAffineConstantExpr(37, &context));
    appendLaunches(function, values, launches);
  }
  EXPECT_FALSE(launches.empty());
  for (const Launch &launch : launches)
    compareLaunch(launch);
}

INSTANTIATE_TEST_SUITE_P(Rows, CudaTable, testing::ValuesIn(listRowCases()),
                         [](const testing::TestParamInfo<RowCase> &info) {
                           return info.param.getName();
                         });
