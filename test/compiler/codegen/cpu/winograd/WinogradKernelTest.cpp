//===- WinogradKernelTest.cpp - Winograd convolutions ---------------------===//
//
// Packs filters by their kernel and compares convolutions that read the packed
// filters with the values of the plain convolutions.
//
//===----------------------------------------------------------------------===//
#include "test/compiler/codegen/cpu/KernelHarness.h"
#include "test/compiler/codegen/cpu/winograd/WinogradTexts.h"
#include "llvm/Support/Format.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg::test;

static double largestOf(const tg::HostTensor &tensor) {
  double largest = 0;
  for (int64_t e = 0; e < tensor.getNumElements(); ++e)
    largest = std::max(largest, tensor.numberAt(e));
  return largest;
}

/// Inputs and results of a plain kernel, and the scale of each output: 1 plus
/// its largest sum of magnitudes.
struct Reference {
  Reference(KernelHarness &plain, const std::vector<int64_t> &symbols)
      : inputs(plain.makeInputs(symbols)),
        expected(plain.evaluate(inputs, symbols)) {
    std::vector<tg::HostTensor> magnitudes = inputs;
    for (tg::HostTensor &tensor : magnitudes)
      for (float &value : tensor.values<float>())
        value = std::abs(value);
    for (const tg::HostTensor &output : plain.evaluate(magnitudes, symbols))
      scales.push_back(1 + largestOf(output));
  }

  std::vector<tg::HostTensor> inputs, expected;
  std::vector<double> scales;
};

/// Checks the largest error relative to the largest sum of the magnitudes of an
/// element's products: the elements of a tile share rounding errors.
static void compare(const Reference &reference, const KernelRun &run,
                    const tg::Target &target) {
  double worst = 0;
  for (unsigned output : {0, 1}) {
    const tg::HostTensor &expected = reference.expected[output];
    for (int64_t e = 0; e < expected.getNumElements(); ++e) {
      double found = run.outputs[output].numberAt(e);
      double error =
          std::abs(found - expected.numberAt(e)) / reference.scales[output];
      // The negated form of the comparison rejects NaN.
      ASSERT_TRUE(error < 3e-6)
          << "v" << target.level << " output " << output << " element " << e
          << ": " << found << " for " << expected.numberAt(e);
      worst = std::max(worst, error);
    }
  }
  testing::Test::RecordProperty("error", std::to_string(worst));
  llvm::outs() << "  v" << target.level << " -O" << target.optimization
               << ": error " << llvm::format("%.1e", worst)
               << " of the products, at most 3e-06\n";
}

static std::vector<int64_t> symbolsOf(const Geometry &g) {
  return g.isOpen ? std::vector<int64_t>{g.n} : std::vector<int64_t>();
}

/// Checks a kernel that reads a transformed filter, and one that transforms the
/// filter itself.
static void checkGeometry(const Geometry &g) {
  SCOPED_TRACE(convText(g, FilterForm::packed));
  KernelHarness pack(packText(g)), plain(convText(g, FilterForm::plain)),
      packed(convText(g, FilterForm::packed)),
      transforming(convText(g, FilterForm::transforms));
  ASSERT_TRUE(pack.getKernel() && plain.getKernel() && packed.getKernel() &&
              transforming.getKernel());
  Reference reference(plain, symbolsOf(g));
  for (const tg::Target &target : runnableTargets()) {
    if (target.optimization < 2)
      continue;
    auto transform = pack.compile(target);
    auto conv = packed.compile(target);
    auto both = transforming.compile(target);
    ASSERT_TRUE(transform && conv && both);
    std::vector<tg::HostTensor> given = reference.inputs;
    given[1] = pack.run(*transform, {given[1]}, {}).outputs[0];
    compare(reference, packed.run(*conv, given, symbolsOf(g)), target);
    compare(reference, transforming.run(*both, reference.inputs, symbolsOf(g)),
            target);
  }
}

static void checkGradient(const Geometry &g) {
  SCOPED_TRACE(gradientText(g, /*isTransformed=*/true));
  KernelHarness plain(gradientText(g, /*isTransformed=*/false)),
      transformed(gradientText(g, /*isTransformed=*/true));
  ASSERT_TRUE(plain.getKernel() && transformed.getKernel());
  Reference reference(plain, symbolsOf(g));
  for (const tg::Target &target : runnableTargets()) {
    if (target.optimization < 2)
      continue;
    auto kernel = transformed.compile(target);
    ASSERT_TRUE(kernel);
    compare(reference, transformed.run(*kernel, reference.inputs, symbolsOf(g)),
            target);
  }
}

TEST(WinogradKernel, WholeTiles) {
  checkGeometry({.n = 1, .h = 8, .w = 8, .c = 16, .f = 64});
}

TEST(WinogradKernel, PartialTiles) {
  checkGeometry({.n = 2, .h = 7, .w = 13, .c = 16, .f = 32, .width = 32});
}

TEST(WinogradKernel, OnePosition) {
  checkGeometry({.n = 3, .h = 1, .w = 1, .c = 16, .f = 16, .width = 16});
}

TEST(WinogradKernel, WithoutPadding) {
  checkGeometry(
      {.n = 1, .h = 9, .w = 6, .c = 32, .f = 16, .low = 0, .high = 0});
}

TEST(WinogradKernel, MoreZerosThanTheFilterReaches) {
  checkGeometry(
      {.n = 1, .h = 3, .w = 5, .c = 16, .f = 16, .low = 9, .high = 5});
  checkGeometry(
      {.n = 1, .h = 6, .w = 5, .c = 16, .f = 16, .low = 0, .high = 3});
}

TEST(WinogradKernel, PartialPanels) {
  checkGeometry({.n = 1, .h = 10, .w = 10, .c = 48, .f = 80});
}

TEST(WinogradKernel, PartialVectors) {
  checkGeometry({.n = 2, .h = 9, .w = 8, .c = 33, .f = 40});
  checkGeometry({.n = 1, .h = 5, .w = 6, .c = 50, .f = 67});
  checkGeometry({.n = 1, .h = 4, .w = 4, .c = 3, .f = 5, .width = 16});
  checkGeometry({.n = 2, .h = 9, .w = 8, .c = 70, .f = 34, .isAdjoint = true});
  checkGeometry({.n = 3,
                 .h = 6,
                 .w = 9,
                 .c = 1,
                 .f = 19,
                 .width = 16,
                 .isOpen = true,
                 .isAdjoint = true});
}

TEST(WinogradKernel, Reductions) {
  checkGeometry({.n = 2, .h = 7, .w = 13, .c = 16, .f = 32, .reduces = true});
  checkGeometry({.n = 9, .h = 17, .w = 16, .c = 16, .f = 96, .reduces = true});
  checkGeometry({.n = 1, .h = 9, .w = 8, .c = 33, .f = 70, .reduces = true});
  for (int64_t n : {0, 1, 5})
    checkGeometry({.n = n,
                   .h = 10,
                   .w = 9,
                   .c = 40,
                   .f = 32,
                   .isOpen = true,
                   .isAdjoint = true,
                   .reduces = true});
}

TEST(WinogradKernel, ManyBlocks) {
  checkGeometry({.n = 9, .h = 17, .w = 16, .c = 16, .f = 16});
}

TEST(WinogradKernel, Adjoints) {
  checkGeometry({.n = 2, .h = 8, .w = 13, .c = 48, .f = 16, .isAdjoint = true});
  checkGeometry({.n = 1,
                 .h = 15,
                 .w = 6,
                 .c = 16,
                 .f = 80,
                 .low = 0,
                 .high = 0,
                 .width = 16,
                 .isAdjoint = true});
  checkGeometry({.n = 1,
                 .h = 5,
                 .w = 5,
                 .c = 80,
                 .f = 32,
                 .low = 2,
                 .high = 0,
                 .isAdjoint = true});
  for (int64_t n : {0, 3})
    checkGeometry({.n = n,
                   .h = 6,
                   .w = 9,
                   .c = 16,
                   .f = 32,
                   .isOpen = true,
                   .isAdjoint = true});
}

TEST(WinogradKernel, Gradients) {
  checkGradient({.n = 1, .h = 8, .w = 8, .c = 16, .f = 64});
  checkGradient({.n = 2, .h = 15, .w = 13, .c = 48, .f = 80});
  checkGradient(
      {.n = 1, .h = 9, .w = 6, .c = 32, .f = 16, .low = 0, .high = 0});
  checkGradient(
      {.n = 1, .h = 3, .w = 5, .c = 16, .f = 32, .low = 9, .high = 5});
  checkGradient({.n = 1, .h = 4, .w = 4, .c = 80, .f = 144});
}

TEST(WinogradKernel, GradientsOfPartialVectors) {
  checkGradient({.n = 1, .h = 8, .w = 9, .c = 33, .f = 40});
  checkGradient({.n = 1, .h = 5, .w = 7, .c = 67, .f = 130});
  checkGradient({.n = 9, .h = 17, .w = 16, .c = 3, .f = 5});
}

TEST(WinogradKernel, SplitKGradients) {
  checkGradient({.n = 9, .h = 17, .w = 16, .c = 16, .f = 16});
  for (int64_t n : {0, 1, 7, 30})
    checkGradient({.n = n, .h = 6, .w = 9, .c = 16, .f = 32, .isOpen = true});
}

/// The channels exceed one block of the filter transform, and the tiles exceed
/// the number that one transformed block serves.
TEST(WinogradKernel, FiltersTransformedBlockByBlock) {
  checkGeometry({.n = 2, .h = 7, .w = 6, .c = 200, .f = 70});
  checkGeometry({.n = 1,
                 .h = 5,
                 .w = 5,
                 .c = 80,
                 .f = 131,
                 .isAdjoint = true,
                 .reduces = true});
  checkGeometry({.n = 40, .h = 8, .w = 9, .c = 70, .f = 16});
}

TEST(WinogradKernel, TilesOfTwo) {
  checkGeometry({.n = 9, .h = 2, .w = 2, .c = 300, .f = 70, .positions = 2});
  checkGeometry({.n = 1,
                 .h = 9,
                 .w = 6,
                 .c = 33,
                 .f = 80,
                 .low = 0,
                 .high = 3,
                 .reduces = true,
                 .positions = 2});
  for (int64_t n : {0, 1, 5})
    checkGeometry({.n = n,
                   .h = 5,
                   .w = 2,
                   .c = 48,
                   .f = 150,
                   .isOpen = true,
                   .isAdjoint = true,
                   .positions = 2});
  checkGradient({.n = 7, .h = 2, .w = 2, .c = 80, .f = 144, .positions = 2});
  for (int64_t n : {0, 1, 30})
    checkGradient({.n = n,
                   .h = 5,
                   .w = 4,
                   .c = 33,
                   .f = 40,
                   .isOpen = true,
                   .positions = 2});
}

TEST(WinogradKernel, AnyBatch) {
  for (int64_t n : {0, 1, 2, 5})
    checkGeometry({.n = n, .h = 6, .w = 9, .c = 16, .f = 32, .isOpen = true});
}
