//===- ContractionKernelTest.cpp - matrix products in registers -----------===//
#include "KernelHarness.h"
#include <gtest/gtest.h>

using namespace tg;
using namespace tg::test;

namespace {

/// A kernel relu(lhs x rhs + bias), described by its sizes.
struct Product {
  int64_t m = 0, n = 0, k = 0;
  bool transposeLhs = false, transposeRhs = false;
  /// True if m or k is a symbol: s0 for m, s1 for k.
  bool dynamicRows = false, dynamicK = false;
  /// True if the rhs is packed into panels.
  bool packed = false;
  std::string type = "f32";
};

} // namespace

using Extents = std::vector<std::string>;

static std::string tensor(const Product &product, const Extents &extents) {
  std::string text = "tensor<";
  for (const std::string &extent : extents)
    text += (extent[0] == 's' ? "?" : extent) + "x";
  return text + product.type + ">";
}

static std::string extents(const Extents &extents) {
  std::string text;
  for (const std::string &extent : extents)
    text += (text.empty() ? "" : ", ") + extent;
  return " [" + text + "]";
}

/// Returns the text of the kernel.
static std::string textOf(const Product &product) {
  std::string m = product.dynamicRows ? "s0" : std::to_string(product.m);
  std::string k = product.dynamicK ? "s1" : std::to_string(product.k);
  std::string n = std::to_string(product.n);
  std::string r = "%r";
  int64_t width = product.type == "f32" ? 64 : 32;
  std::string panels = std::to_string((product.n + width - 1) / width);
  std::string w = std::to_string(width);
  Extents lhs{m, k}, plain{k, n};
  if (product.transposeLhs)
    std::swap(lhs[0], lhs[1]);
  if (product.transposeRhs)
    std::swap(plain[0], plain[1]);
  Extents rhs = product.packed ? Extents{panels, k, w} : plain;
  std::string a = tensor(product, lhs);
  std::string b = tensor(product, plain);
  std::string p = tensor(product, rhs);
  std::string c = tensor(product, {n});
  std::string d = tensor(product, {m, n});
  std::string unpack;
  std::string flags;
  if (product.packed) {
    unpack = "%u = tgx.unpack %r as(#cpu.panels<axis = " +
             std::to_string(product.transposeRhs ? 0 : 1) + ", width = " + w +
             ">) : (" + p + ") -> " + b + "\n";
    r = "%u";
  }
  if (product.transposeLhs || product.transposeRhs)
    flags = std::string(" {") + (product.transposeLhs ? "transpose_lhs" : "") +
            (product.transposeLhs && product.transposeRhs ? ", " : "") +
            (product.transposeRhs ? "transpose_rhs" : "") + "}";
  return "tgx.kernel @k contraction[s0, s1](%l: " + a + extents(lhs) +
         ", %r: " + p + extents(rhs) + ", %c: " + c + extents({n}) + ") {\n" +
         unpack + "%0 = tg.matmul %l, " + r + flags + " : (" + a + ", " + b +
         ") -> " + d + "\n%1 = tg.add %0, %c : (" + d + ", " + c + ") -> " + d +
         "\n%2 = tg.relu %1 : " + d + "\n}";
}

/// Returns the tolerance for sums of k products in [-4, 4]: the error grows
/// with k.
static double toleranceOf(const Product &product) {
  return (product.type == "f32" ? 2e-7 : 4e-16) * (10 + product.k);
}

static void check(const Product &product) {
  SCOPED_TRACE(textOf(product));
  checkKernel(textOf(product), {product.m, product.k},
              {.tolerance = toleranceOf(product)});
}

TEST(ContractionKernel, RowsColumnsAndKOfManySizes) {
  for (int64_t size : {1, 2, 3, 5, 7, 12, 13, 17, 31, 33, 47, 64, 100})
    check({.m = size, .n = (size * 7) % 101 + 1, .k = (size * 3) % 97 + 1});
}

TEST(ContractionKernel, SeveralTilesAndKBlocks) {
  check({.m = 197, .n = 259, .k = 300});
  check({.m = 96, .n = 128, .k = 600, .dynamicRows = true});
  check({.m = 1, .n = 300, .k = 1000, .dynamicRows = true});
}

/// The last columns fill only some vectors of a register tile. The epilogue
/// takes their sums from registers, in one K-block and in several.
TEST(ContractionKernel, PartialRegisterTiles) {
  for (int64_t columns : {48, 80, 112, 208})
    for (int64_t k : {37, 1100})
      check({.m = 31, .n = columns, .k = k, .dynamicRows = true});
  check({.m = 19, .n = 40, .k = 37, .type = "f64"});
}

TEST(ContractionKernel, LongSumsOfFewRowsOrColumns) {
  for (auto [m, n] : {std::pair(24, 144), {80, 17}, {1, 32}, {32, 1}, {5, 9}})
    check({.m = m, .n = n, .k = 1027, .transposeLhs = true});
  check({.m = 64, .n = 24, .k = 2048, .transposeLhs = true, .type = "f64"});
}

TEST(ContractionKernel, TransposedOperands) {
  for (auto [lhs, rhs] : {std::pair(true, false), {false, true}, {true, true}})
    for (bool dynamic : {false, true}) {
      check({.m = 45,
             .n = 70,
             .k = 37,
             .transposeLhs = lhs,
             .transposeRhs = rhs,
             .dynamicRows = dynamic,
             .dynamicK = dynamic});
      check({.m = 100,
             .n = 10,
             .k = 530,
             .transposeLhs = lhs,
             .transposeRhs = rhs,
             .dynamicRows = dynamic,
             .dynamicK = dynamic});
    }
}

TEST(ContractionKernel, UnknownRowsAndK) {
  Product product{.n = 33, .k = 300, .dynamicRows = true, .dynamicK = true};
  std::vector<std::vector<int64_t>> extents;
  for (int64_t rows : {0, 1, 4, 11, 64})
    for (int64_t k : {0, 1, 63, 300})
      extents.push_back({rows, k});
  checkKernelOverExtents(textOf(product), extents,
                         {.tolerance = toleranceOf(product)});
}

TEST(ContractionKernel, DoublePrecision) {
  check({.m = 50, .n = 37, .k = 70, .type = "f64"});
  check({.m = 29, .n = 16, .k = 290, .transposeRhs = true, .type = "f64"});
}

/// Packs a matrix of 270 rows into panels of 64 columns.
static void fillPanels(HostTensor &panels, const HostTensor &matrix,
                       int64_t columns) {
  std::fill_n(panels.data(), panels.getNumBytes(), 0);
  for (int64_t k = 0; k < 270; ++k)
    for (int64_t j = 0; j < columns; ++j)
      panels.values<float>()[((j / 64) * 270 + k) * 64 + j % 64] =
          matrix.values<float>()[k * columns + j];
}

/// Compares a product that reads panels with the product of the plain matrix.
static void comparePanels(KernelHarness &packed, KernelHarness &plain,
                          const CompiledKernel &compiled, int64_t rows,
                          int64_t columns) {
  std::vector<int64_t> symbols{rows, 270};
  std::vector<HostTensor> inputs = plain.makeInputs(symbols);
  std::vector<HostTensor> expected = plain.evaluate(inputs, symbols);
  std::vector<HostTensor> panels = packed.makeInputs(symbols);
  panels[0] = inputs[0];
  panels[2] = inputs[2];
  fillPanels(panels[1], inputs[1], columns);
  KernelRun run = packed.run(compiled, panels, symbols);
  for (int64_t i = 0; i < rows * columns; ++i)
    ASSERT_NEAR(run.outputs[0].numberAt(i), expected[0].numberAt(i),
                toleranceOf({.k = 270}) *
                    std::max(1.0, std::abs(expected[0].numberAt(i))))
        << "rows " << rows << " element " << i;
}

/// The panels are packed from the plain matrix that serves as the reference.
TEST(ContractionKernel, PackedColumns) {
  for (int64_t columns : {10, 20, 64, 65, 80, 200, 208}) {
    Product product{.n = columns, .k = 270, .dynamicRows = true};
    KernelHarness plain(textOf(product));
    product.packed = true;
    KernelHarness packed(textOf(product));
    for (const Target &target : runnableTargets()) {
      SCOPED_TRACE("v" + std::to_string(target.level) + " -O" +
                   std::to_string(target.optimization) + " columns " +
                   std::to_string(columns));
      auto compiled = packed.compile(target);
      ASSERT_TRUE(compiled);
      for (int64_t rows : {1, 5, 64, 130})
        comparePanels(packed, plain, *compiled, rows, columns);
    }
  }
}

/// A training step with a weight gradient has two outputs that overwrite their
/// old values.
TEST(ContractionKernel, UpdatesInPlace) {
  checkKernel(R"(
    tgx.kernel @k contraction[s0](%x: tensor<?x100xf32> [s0, 100],
        %g: tensor<?x45xf32> [s0, 45], %w: tensor<100x45xf32>, %m: tensor<100x45xf32>,
        %rate: tensor<f32>) {
      %0 = tg.matmul %x, %g {transpose_lhs} : (tensor<?x100xf32>, tensor<?x45xf32>) -> tensor<100x45xf32>
      %1 = tg.add %m, %0 : (tensor<100x45xf32>, tensor<100x45xf32>) -> tensor<100x45xf32>
      %2 = tg.mul %1, %rate : (tensor<100x45xf32>, tensor<f32>) -> tensor<100x45xf32>
      %3 = tg.sub %w, %2 : (tensor<100x45xf32>, tensor<100x45xf32>) -> tensor<100x45xf32>
      tgx.yield %3, %1 : tensor<100x45xf32>, tensor<100x45xf32>
    })",
              {33}, {.tolerance = 1e-5, .aliases = {{0, 2}, {1, 3}}});
}

/// A gradient after a relu: the mask is a full operand, the factor a column
/// vector that is broadcast along rows.
TEST(ContractionKernel, EpilogueReadsMasksRowsAndColumns) {
  checkKernel(R"(
    tgx.kernel @k contraction[s0](%g: tensor<?x10xf32> [s0, 10],
        %w: tensor<77x10xf32>, %h: tensor<?x77xf32> [s0, 77],
        %s: tensor<?x1xf32> [s0, 1]) {
      %0 = tg.matmul %g, %w {transpose_rhs} : (tensor<?x10xf32>, tensor<77x10xf32>) -> tensor<?x77xf32>
      %z = tg.constant dense<0.0> : tensor<f32>
      %1 = tg.compare gt, %h, %z : (tensor<?x77xf32>, tensor<f32>) -> tensor<?x77xi1>
      %2 = tg.mul %0, %s : (tensor<?x77xf32>, tensor<?x1xf32>) -> tensor<?x77xf32>
      %3 = tg.select %1, %2, %z : (tensor<?x77xi1>, tensor<?x77xf32>, tensor<f32>) -> tensor<?x77xf32>
      tgx.yield %3 : tensor<?x77xf32>
    })",
              {21}, {.tolerance = 1e-5});
}
