//===- BatchedContractionTest.cpp - batched matrix products ---------------===//
#include "KernelHarness.h"
#include <gtest/gtest.h>

using namespace tg::test;

namespace {

/// A kernel relu(lhs x rhs + addend), with shapes written as "s0x5x8" where s0
/// is a symbol.
struct Product {
  std::string lhs, rhs, result, addend;
  bool transposeLhs = false, transposeRhs = false;
  std::string type = "f32";
};

} // namespace

static std::string tensor(const Product &product, llvm::StringRef extents) {
  llvm::SmallVector<llvm::StringRef> parts;
  extents.split(parts, 'x');
  std::string text = "tensor<";
  for (llvm::StringRef part : parts)
    text += (part.starts_with("s") ? "?" : part.str()) + "x";
  return text + product.type + ">";
}

static std::string mapOf(llvm::StringRef extents) {
  std::string text = extents.str();
  for (size_t at; (at = text.find('x')) != std::string::npos;)
    text.replace(at, 1, ", ");
  return " [" + text + "]";
}

static std::string textOf(const Product &product) {
  std::string a = tensor(product, product.lhs);
  std::string b = tensor(product, product.rhs);
  std::string c = tensor(product, product.addend);
  std::string d = tensor(product, product.result);
  std::string flags;
  if (product.transposeLhs)
    flags += "transpose_lhs";
  if (product.transposeRhs)
    flags += flags.empty() ? "transpose_rhs" : ", transpose_rhs";
  return "tgx.kernel @k contraction[s0, s1](%l: " + a + mapOf(product.lhs) +
         ", %r: " + b + mapOf(product.rhs) + ", %c: " + c +
         mapOf(product.addend) + ") {\n%0 = tg.matmul %l, %r {" + flags +
         "} : (" + a + ", " + b + ") -> " + d + "\n%1 = tg.add %0, %c : (" + d +
         ", " + c + ") -> " + d + "\n%2 = tg.relu %1 : " + d +
         "\ntgx.yield %2, %0 : " + d + ", " + d + "\n}";
}

static void check(const Product &product,
                  llvm::ArrayRef<std::vector<int64_t>> extents = {{0, 0}}) {
  SCOPED_TRACE(textOf(product));
  checkKernelOverExtents(textOf(product), extents,
                         {.tolerance = product.type == "f32" ? 2e-4 : 4e-13});
}

TEST(BatchedContraction, MatricesOfManySizes) {
  check({"3x16x16", "3x16x16", "3x16x16", "16"});
  check({"5x7x9", "5x9x11", "5x7x11", "11"});
  check({"2x13x300", "2x300x70", "2x13x70", "2x13x70"});
  check({"2x200x5", "2x5x600", "2x200x600", "2x1x600"});
  check({"2x3x1x40", "2x3x40x33", "2x3x1x33", "3x1x1"});
  check({"4x30x20", "4x20x1", "4x30x1", "30x1"});
}

TEST(BatchedContraction, TransposedOperands) {
  for (auto [lhs, rhs] : {std::pair(true, false), {false, true}, {true, true}})
    check({lhs ? "3x40x29" : "3x29x40", rhs ? "3x35x40" : "3x40x35", "3x29x35",
           "3x29x35", lhs, rhs});
}

/// One or both operands are broadcast over batch dimensions, also over
/// different ones.
TEST(BatchedContraction, BroadcastOperands) {
  check({"17x20", "4x20x34", "4x17x34", "34"});
  check({"2x1x17x20", "3x20x34", "2x3x17x34", "2x3x1x1"});
  check({"2x1x20x17", "3x34x20", "2x3x17x34", "3x17x34", true, true});
  check({"1x1x17x20", "2x3x20x34", "2x3x17x34", "34"});
  check({"2x3x20x17", "20x34", "2x3x17x34", "34", true});
}

/// Matrices that share one rhs are the rows of a single product.
TEST(BatchedContraction, MatricesThatShareTheRhs) {
  check({"5x7x40", "40x34", "5x7x34", "34"});
  check({"2x5x7x40", "2x1x40x34", "2x5x7x34", "2x5x7x34"});
  check({"2x5x7x40", "1x1x34x40", "2x5x7x34", "5x1x34", false, true});
  check({"100x3x40", "40x34", "100x3x34", "3x34"});
}

TEST(BatchedContraction, UnknownExtents) {
  const std::vector<std::vector<int64_t>> extents = {
      {0, 5}, {2, 0}, {1, 1}, {3, 26}};
  check({"s0xs1x20", "s0x20x34", "s0xs1x34", "s0xs1x34"}, extents);
  check({"s0xs1x20", "20x34", "s0xs1x34", "34"}, extents);
  check({"20xs1", "s0x20x34", "s0xs1x34", "s1x34", true}, extents);
  check({"s0x1x9xs1", "3xs1x34", "s0x3x9x34", "34"}, extents);
}

TEST(BatchedContraction, DoublePrecision) {
  check({"3x19x20", "3x20x35", "3x19x35", "35", false, false, "f64"});
  check({"3x19x20", "20x35", "3x19x35", "35", false, false, "f64"});
}

/// The epilogue reads the index along one leading dimension, so the leading
/// dimensions cannot be collapsed.
TEST(BatchedContraction, EpilogueCountsElements) {
  checkKernel(R"(
    tgx.kernel @k contraction[s0](%a: tensor<?x3x5x8xf32> [s0, 3, 5, 8],
        %b: tensor<8x20xf32>) {
      %0 = tg.matmul %a, %b : (tensor<?x3x5x8xf32>, tensor<8x20xf32>) -> tensor<?x3x5x20xf32>
      %1 = tg.iota {axis = 0, element_type = f32, shape = [3, 5, 20]} : () -> tensor<3x5x20xf32>
      %2 = tg.add %0, %1 : (tensor<?x3x5x20xf32>, tensor<3x5x20xf32>) -> tensor<?x3x5x20xf32>
      tgx.yield %2 : tensor<?x3x5x20xf32>
    })",
              {2}, {.tolerance = 1e-5});
}

/// The result overwrites an operand of the epilogue.
TEST(BatchedContraction, UpdatesInPlace) {
  Product product{"3x19x20", "3x20x35", "3x19x35", "3x19x35"};
  checkKernel(textOf(product), {0, 0},
              {.tolerance = 2e-4, .aliases = {{0, 2}}});
}
