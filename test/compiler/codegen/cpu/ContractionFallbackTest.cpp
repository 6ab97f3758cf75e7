//===- ContractionFallbackTest.cpp - products without register tiles ------===//
#include "KernelHarness.h"
#include <gtest/gtest.h>

using namespace tg::test;

// NaiveContraction computes products of integers, and all products at -O0.

TEST(ContractionFallback, IntegersWithFlags) {
  checkKernel(R"(
    tgx.kernel @k contraction[s0](%a: tensor<9x?xi32> [9, s0], %b: tensor<33x9xi32>) {
      %0 = tg.matmul %a, %b {transpose_lhs, transpose_rhs} : (tensor<9x?xi32>, tensor<33x9xi32>) -> tensor<?x33xi32>
      tgx.yield %0 : tensor<?x33xi32>
    })",
              {7});
}

TEST(ContractionFallback, LeadingDimensionsBroadcast) {
  checkKernel(R"(
    tgx.kernel @k contraction[s0](%a: tensor<?x1x5x8xf32> [s0, 1, 5, 8],
        %b: tensor<3x8x20xf32>, %c: tensor<20xf32>) {
      %0 = tg.matmul %a, %b : (tensor<?x1x5x8xf32>, tensor<3x8x20xf32>) -> tensor<?x3x5x20xf32>
      %1 = tg.add %0, %c : (tensor<?x3x5x20xf32>, tensor<20xf32>) -> tensor<?x3x5x20xf32>
      %2 = tg.relu %1 : tensor<?x3x5x20xf32>
      tgx.yield %2, %0 : tensor<?x3x5x20xf32>, tensor<?x3x5x20xf32>
    })",
              {2});
}

TEST(ContractionFallback, EmptySums) {
  checkKernel(R"(
    tgx.kernel @k contraction[s0](%a: tensor<4x?xf64> [4, s0],
        %b: tensor<?x5xf64> [s0, 5]) {
      %0 = tg.matmul %a, %b : (tensor<4x?xf64>, tensor<?x5xf64>) -> tensor<4x5xf64>
      tgx.yield %0 : tensor<4x5xf64>
    })",
              {0});
}
