//===- WindowContractionTest.cpp - convolutions as contractions -----------===//
//
// Compares the kernels of convolutions and of their adjoints with sums over all
// products of a convolution.
//
//===----------------------------------------------------------------------===//
#include "KernelHarness.h"
#include "dialects/tgx/Tgx.h"
#include <gtest/gtest.h>
#include <optional>

using namespace mlir;
using namespace tg::test;
using tg::Contraction;

namespace {

/// Two spatial dimensions, channels last: input [n, s, s, c], filter [k, k,
/// c/groups, f], output [n, o, o, f].
struct Geometry {
  int64_t n, s, k, o, c, f, stride, dilation, low, groups;

  int64_t inputChannels() const { return c / groups; }
  int64_t outputChannels() const { return f / groups; }
  /// Returns the padding after the input that the windows reach.
  int64_t high() const {
    int64_t last = (o - 1) * stride + (k - 1) * dilation + 1;
    return std::max<int64_t>(last - low - s, 0);
  }
};

/// The three tensors of a convolution, and the one that the kernel computes.
struct Case {
  const char *op;
  unsigned lhs, rhs, result;
  /// The filter axis along the columns if the filter is packed into panels.
  std::optional<unsigned> packedAxis = std::nullopt;
};

/// The number of columns of a panel.
constexpr int64_t kWidth = 64;

} // namespace

/// Calls `visit` with the input, filter and output element indices of each
/// product of a convolution.
static void
forEachProduct(const Geometry &g,
               llvm::function_ref<void(int64_t, int64_t, int64_t)> visit) {
  auto inputAt = [&](int64_t position, int64_t tap) {
    return position * g.stride + tap * g.dilation - g.low;
  };
  auto isInside = [&](int64_t at) { return at >= 0 && at < g.s; };
  int64_t in = g.inputChannels();
  int64_t out = g.outputChannels();
  for (int64_t n = 0; n < g.n; ++n)
    for (int64_t p = 0; p < g.o; ++p)
      for (int64_t q = 0; q < g.o; ++q)
        for (int64_t t = 0; t < g.k; ++t)
          for (int64_t u = 0; u < g.k; ++u)
            for (int64_t i = 0; i < in; ++i)
              for (int64_t j = 0; j < g.f; ++j) {
                int64_t x = inputAt(p, t);
                int64_t y = inputAt(q, u);
                if (isInside(x) && isInside(y))
                  visit(((n * g.s + x) * g.s + y) * g.c + j / out * in + i,
                        ((t * g.k + u) * in + i) * g.f + j,
                        ((n * g.o + p) * g.o + q) * g.f + j);
              }
}

static std::string shape(std::initializer_list<int64_t> extents,
                         const char *separator) {
  std::string text;
  for (int64_t extent : extents)
    text += (text.empty() ? "" : separator) + std::to_string(extent);
  return text;
}

static std::string listOf(std::initializer_list<int64_t> numbers) {
  return "[" + shape(numbers, ", ") + "]";
}

static std::string attributesOf(const Geometry &g, const Case &which) {
  std::string text = "{padding = \"explicit\", pads = " +
                     listOf({g.low, g.high(), g.low, g.high()}) +
                     ", strides = " + listOf({g.stride, g.stride}) +
                     ", dilations = " + listOf({g.dilation, g.dilation}) +
                     ", groups = " + std::to_string(g.groups);
  if (which.result == 0)
    text += ", output_sizes = " + listOf({g.s, g.s});
  if (which.result == 1)
    text += ", filter_sizes = " + listOf({g.k, g.k});
  return text + "}";
}

/// Returns the type of the filter's panels, and the op that unpacks them.
static std::pair<std::string, std::string>
panelsOf(const Geometry &g, const Case &which, std::string filter) {
  int64_t columns = *which.packedAxis == 2 ? g.c : g.f;
  std::string type = "tensor<" +
                     shape({(columns + kWidth - 1) / kWidth,
                            g.k * g.k * g.c * g.f / columns, kWidth},
                           "x") +
                     "xf32>";
  return {type, "%w = tgx.unpack %b as(#cpu.panels<axis = " +
                    std::to_string(*which.packedAxis) +
                    ", width = " + std::to_string(kWidth) + ">) : (" + type +
                    ") -> " + filter + "\n"};
}

/// Returns the index of a filter element in the rhs of the kernel.
static int64_t panelIndexOf(const Geometry &g, const Case &which,
                            int64_t element) {
  if (!which.packedAxis)
    return element;
  int64_t tap = element / (g.f * g.c);
  int64_t i = element / g.f % g.c;
  int64_t j = element % g.f;
  bool isAdjoint = *which.packedAxis == 2;
  int64_t column = isAdjoint ? i : j;
  int64_t row = isAdjoint ? tap * g.f + j : tap * g.c + i;
  int64_t rows = g.k * g.k * (isAdjoint ? g.f : g.c);
  return (column / kWidth * rows + row) * kWidth + column % kWidth;
}

static std::string textOf(const Geometry &g, const Case &which) {
  std::initializer_list<int64_t> shapes[] = {{g.n, g.s, g.s, g.c},
                                             {g.k, g.k, g.inputChannels(), g.f},
                                             {g.n, g.o, g.o, g.f}};
  auto type = [&](unsigned tensor) {
    return "tensor<" + shape(shapes[tensor], "x") + "xf32>";
  };
  std::string result = type(which.result);
  std::string rhs = type(which.rhs);
  std::string unpack;
  if (which.packedAxis)
    std::tie(rhs, unpack) = panelsOf(g, which, rhs);
  return "tgx.kernel @k contraction(%a: " + type(which.lhs) + ", %b: " + rhs +
         ") {\n" + unpack + "%0 = tg." + which.op + " %a, " +
         (which.packedAxis ? "%w " : "%b ") + attributesOf(g, which) + " : (" +
         type(which.lhs) + ", " + type(which.rhs) + ") -> " + result +
         "\n%1 = tg.relu %0 : " + result + "\ntgx.yield %0, %1 : " + result +
         ", " + result + "\n}";
}

static void check(const Geometry &g, const Case &which) {
  std::string text = textOf(g, which);
  SCOPED_TRACE(text);
  KernelHarness harness(text);
  ASSERT_TRUE(harness.getKernel());
  std::vector<tg::HostTensor> inputs = harness.makeInputs({});
  std::vector<double> expected(harness.makeOutputs({})[0].getNumElements());
  std::vector<double> magnitudes(expected.size());
  forEachProduct(g, [&](int64_t input, int64_t filter, int64_t output) {
    int64_t index[] = {input, filter, output};
    double product =
        inputs[0].numberAt(index[which.lhs]) *
        inputs[1].numberAt(panelIndexOf(g, which, index[which.rhs]));
    expected[index[which.result]] += product;
    magnitudes[index[which.result]] += std::abs(product);
  });
  for (const tg::Target &target : runnableTargets()) {
    auto compiled = harness.compile(target);
    ASSERT_TRUE(compiled);
    KernelRun run = harness.run(*compiled, inputs, {});
    for (auto [number, value] : llvm::enumerate(expected)) {
      double tolerance = 1e-6 * (1 + magnitudes[number]);
      ASSERT_NEAR(run.outputs[0].numberAt(number), value, tolerance)
          << "v" << target.level << " element " << number;
      ASSERT_NEAR(run.outputs[1].numberAt(number), std::max(value, 0.0),
                  tolerance);
    }
  }
}

static void checkAll(const Geometry &g) {
  check(g, {"conv", /*lhs=*/0, /*rhs=*/1, /*result=*/2});
  check(g, {"conv_transpose", /*lhs=*/2, /*rhs=*/1, /*result=*/0});
  check(g, {"conv_filter_grad", /*lhs=*/0, /*rhs=*/2, /*result=*/1});
  if (g.groups > 1)
    return;
  check(g, {"conv", /*lhs=*/0, /*rhs=*/1, /*result=*/2, /*packedAxis=*/3});
  check(g, {"conv_transpose", /*lhs=*/2, /*rhs=*/1, /*result=*/0,
            /*packedAxis=*/2});
}

TEST(WindowContraction, WithoutPadding) {
  checkAll({.n = 2,
            .s = 6,
            .k = 3,
            .o = 4,
            .c = 3,
            .f = 5,
            .stride = 1,
            .dilation = 1,
            .low = 0,
            .groups = 1});
}

TEST(WindowContraction, PaddingIsZero) {
  checkAll({.n = 2,
            .s = 5,
            .k = 3,
            .o = 5,
            .c = 2,
            .f = 17,
            .stride = 1,
            .dilation = 1,
            .low = 1,
            .groups = 1});
}

TEST(WindowContraction, StridesAndDilations) {
  checkAll({.n = 1,
            .s = 9,
            .k = 3,
            .o = 4,
            .c = 3,
            .f = 4,
            .stride = 2,
            .dilation = 2,
            .low = 1,
            .groups = 1});
}

TEST(WindowContraction, Groups) {
  checkAll({.n = 1,
            .s = 6,
            .k = 2,
            .o = 3,
            .c = 6,
            .f = 4,
            .stride = 2,
            .dilation = 1,
            .low = 0,
            .groups = 2});
}

/// The row tiles span several images, the sums several K-blocks.
TEST(WindowContraction, ManyImagesAndChannels) {
  checkAll({.n = 9,
            .s = 7,
            .k = 3,
            .o = 7,
            .c = 150,
            .f = 70,
            .stride = 1,
            .dilation = 1,
            .low = 1,
            .groups = 1});
}

/// Lines have more positions than a tile has rows.
TEST(WindowContraction, LongLines) {
  checkAll({.n = 1,
            .s = 205,
            .k = 3,
            .o = 203,
            .c = 2,
            .f = 3,
            .stride = 1,
            .dilation = 1,
            .low = 0,
            .groups = 1});
}

/// Some phases have no tap, and fewer positions than others.
TEST(WindowContraction, StridesBeyondTheFilter) {
  checkAll({.n = 2,
            .s = 11,
            .k = 2,
            .o = 4,
            .c = 5,
            .f = 6,
            .stride = 3,
            .dilation = 1,
            .low = 0,
            .groups = 1});
}

/// A single tap: no element between the strided positions is read.
TEST(WindowContraction, OneTap) {
  checkAll({.n = 3,
            .s = 13,
            .k = 1,
            .o = 7,
            .c = 20,
            .f = 33,
            .stride = 2,
            .dilation = 1,
            .low = 0,
            .groups = 1});
}

/// The stride and the dilation share a factor.
TEST(WindowContraction, SharedFactor) {
  checkAll({.n = 2,
            .s = 20,
            .k = 3,
            .o = 6,
            .c = 4,
            .f = 4,
            .stride = 4,
            .dilation = 6,
            .low = 5,
            .groups = 1});
}

/// A tile covers more lines of one phase than of the others.
TEST(WindowContraction, UnequalPhases) {
  checkAll({.n = 40,
            .s = 5,
            .k = 3,
            .o = 3,
            .c = 2,
            .f = 4,
            .stride = 2,
            .dilation = 1,
            .low = 1,
            .groups = 1});
}

TEST(WindowContraction, ManyTaps) {
  checkAll({.n = 1,
            .s = 40,
            .k = 7,
            .o = 20,
            .c = 3,
            .f = 64,
            .stride = 2,
            .dilation = 1,
            .low = 3,
            .groups = 1});
}

/// A 1x1 filter without padding still has windows as rows, so it is not lowered
/// to a matrix product.
TEST(WindowContraction, IsNoMatrixProduct) {
  Geometry g{.n = 1,
             .s = 4,
             .k = 1,
             .o = 4,
             .c = 2,
             .f = 3,
             .stride = 1,
             .dilation = 1,
             .low = 0,
             .groups = 1};
  KernelHarness harness(textOf(g, {"conv", 0, 1, 2}));
  ASSERT_TRUE(harness.getKernel());
  auto products =
      harness.getKernel().getBlock().getOps<tg::ContractionOpInterface>();
  tg::ExtentAnalysis analysis(harness.getKernel().getContext());
  ASSERT_TRUE(succeeded(harness.getKernel().analyzeExtents(analysis)));
  Contraction contraction = (*products.begin()).getContraction(analysis);
  EXPECT_FALSE(contraction.isMatrixProduct());
  EXPECT_EQ(*tg::staticExtent(contraction.getFlops()), 2 * 16 * 2 * 3);
}
