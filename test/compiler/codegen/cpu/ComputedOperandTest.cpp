//===- ComputedOperandTest.cpp - products with a computed lhs -------------===//
#include "KernelHarness.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace tg;
using namespace tg::test;

/// The row counts are below and above the register tile, K is below and above a
/// block.
TEST(ComputedOperand, ScalesBytes) {
  checkKernelOverExtents(R"(
      tgx.kernel @k contraction[s0](%x: tensor<?x300xui8> [s0, 300], %w: tensor<300x70xf32>,
          %c: tensor<70xf32>) with(%scale = dense<0.0625> : tensor<f32>) {
        %0 = tg.cast %x {element_type = f32} : (tensor<?x300xui8>) -> tensor<?x300xf32>
        %1 = tg.mul %0, %scale : (tensor<?x300xf32>, tensor<f32>) -> tensor<?x300xf32>
        %2 = tg.matmul %1, %w : (tensor<?x300xf32>, tensor<300x70xf32>) -> tensor<?x70xf32>
        %3 = tg.add %2, %c : (tensor<?x70xf32>, tensor<70xf32>) -> tensor<?x70xf32>
        %4 = tg.relu %3 : tensor<?x70xf32>
        tgx.yield %4 : tensor<?x70xf32>
      })",
                         {{0}, {1}, {2}, {5}, {6}, {7}, {100}, {401}},
                         {.tolerance = 1e-4});
}

/// Returns a kernel that multiplies x - mean by a matrix of one panel, plain or
/// packed.
static std::string centered(bool packed) {
  std::string type = packed ? "tensor<1x600x64xf32>" : "tensor<600x64xf32>";
  std::string unpack =
      "%u = tgx.unpack %r as(#cpu.panels<axis = 1, width = 64>) : "
      "(tensor<1x600x64xf32>) -> tensor<600x64xf32>\n";
  return "tgx.kernel @k contraction[s0](%x: tensor<?x600xf32> [s0, 600], %r: " +
         type + ", %mean: tensor<600xf32>) {\n" + (packed ? unpack : "") +
         R"(%0 = tg.sub %x, %mean : (tensor<?x600xf32>, tensor<600xf32>) -> tensor<?x600xf32>
            %1 = tg.matmul %0, )" +
         (packed ? "%u" : "%r") +
         R"( : (tensor<?x600xf32>, tensor<600x64xf32>) -> tensor<?x64xf32>
            tgx.yield %1 : tensor<?x64xf32>
          })";
}

/// A single row reads panels from end to end in one K-block. A matrix of one
/// panel has the same element order packed and plain, so the plain kernel is
/// the reference.
TEST(ComputedOperand, ReadsPanels) {
  KernelHarness plain(centered(false)), packed(centered(true));
  for (const Target &target : runnableTargets()) {
    auto compiled = packed.compile(target);
    ASSERT_TRUE(compiled);
    for (int64_t rows : {1, 3, 30}) {
      std::vector<HostTensor> inputs = packed.makeInputs({rows});
      std::vector<HostTensor> matrices = plain.makeInputs({rows});
      for (size_t input = 0; input < inputs.size(); ++input)
        std::memcpy(matrices[input].data(), inputs[input].data(),
                    inputs[input].getNumBytes());
      HostTensor expected = plain.evaluate(matrices, {rows}).front();
      KernelRun run = packed.run(*compiled, inputs, {rows});
      for (int64_t i = 0; i < rows * 64; ++i)
        ASSERT_NEAR(run.outputs[0].numberAt(i), expected.numberAt(i), 1e-3)
            << "v" << target.level << " -O" << target.optimization << " rows "
            << rows << " element " << i;
    }
  }
}

/// K is known only at run time, and the epilogue reads the input of the
/// computed rows.
TEST(ComputedOperand, UnknownK) {
  checkKernelOverExtents(R"(
      tgx.kernel @k contraction[s0](%x: tensor<?x?xf64> [s0, s0], %w: tensor<?x?xf64> [s0, s0]) {
        %0 = tg.neg %x : tensor<?x?xf64>
        %1 = tg.matmul %0, %w : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
        %2 = tg.mul %1, %x : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
        tgx.yield %2 : tensor<?x?xf64>
      })",
                         {{0}, {1}, {4}, {7}, {130}, {300}},
                         {.tolerance = 1e-11});
}

/// The kernel also reduces its result.
TEST(ComputedOperand, RowsOfSeveralDimensions) {
  checkKernel(R"(
    tgx.kernel @k contraction[s0](%x: tensor<?x5x33xf32> [s0, 5, 33], %f: tensor<5x1xf32>, %w: tensor<33x20xf32>) {
      %0 = tg.mul %x, %f : (tensor<?x5x33xf32>, tensor<5x1xf32>) -> tensor<?x5x33xf32>
      %1 = tg.matmul %0, %w : (tensor<?x5x33xf32>, tensor<33x20xf32>) -> tensor<?x5x20xf32>
      %2 = tg.reduce_sum %1 {axes = [0, 1]} : (tensor<?x5x20xf32>) -> tensor<20xf32>
      tgx.yield %1, %2 : tensor<?x5x20xf32>, tensor<20xf32>
    })",
              {17}, {.tolerance = 1e-3, .optimization = 2});
}
