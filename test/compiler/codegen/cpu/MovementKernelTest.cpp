//===- MovementKernelTest.cpp - kernels of data movement ops --------------===//
#include "KernelHarness.h"
#include <gtest/gtest.h>

using namespace tg;
using namespace tg::test;

namespace {

/// A kernel argument: its type, and its extents in terms of s0 and s1.
struct Argument {
  std::string type, extents;
};

/// Returns a loop kernel over %a0, %a1, ... with the given body.
std::string kernelText(const std::vector<Argument> &arguments,
                       const std::string &body) {
  std::string list;
  for (size_t at = 0; at < arguments.size(); ++at) {
    list += (at ? ", %a" : "%a") + std::to_string(at) + ": tensor<" +
            arguments[at].type + ">";
    if (!arguments[at].extents.empty())
      list += " [" + arguments[at].extents + "]";
  }
  return "tgx.kernel @k loop[s0, s1](" + list + ") {\n" + body + "\n}";
}

/// Compiles once per target and expects exact results at several sizes,
/// including empty tensors and remainders of vectors.
void checkSizes(const std::string &text) {
  KernelHarness harness(text);
  for (const Target &target : runnableTargets()) {
    auto compiled = harness.compile(target);
    ASSERT_TRUE(compiled) << text;
    for (int64_t rows : {0, 1, 3, 50})
      for (int64_t others : {0, 1, 37}) {
        std::vector<HostTensor> inputs = harness.makeInputs({rows, others});
        HostTensor found =
            harness.run(*compiled, inputs, {rows, others}).outputs[0];
        HostTensor expected = harness.evaluate(inputs, {rows, others})[0];
        ASSERT_EQ(found.getShape(), expected.getShape()) << text;
        ASSERT_TRUE(std::equal(found.data(), found.data() + found.getNumBytes(),
                               expected.data()))
            << rows << " and " << others << " in " << text;
      }
  }
}

TEST(MovementKernel, Slice) {
  checkSizes(kernelText({{"?x40xf32", "s0, 40"}}, R"(
    %y = tg.slice %a0 {sizes = [-1, 12], starts = [0, 3], strides = [2, 3]} : (tensor<?x40xf32>) -> tensor<?x12xf32>
    tgx.yield %y : tensor<?x12xf32>)"));
  checkSizes(kernelText({{"?x40xf32", "s0, 40"}}, R"(
    %y = tg.slice %a0 {sizes = [-1, 33], starts = [0, 5]} : (tensor<?x40xf32>) -> tensor<?x33xf32>
    tgx.yield %y : tensor<?x33xf32>)"));
}

// The only element is computed before the loop over tiles, in a branch that
// reads the padded tensor.
TEST(MovementKernel, OneElementOfAPaddedTensor) {
  checkSizes(kernelText({{"?xf32", "s0"}, {"f32", ""}, {"i64", ""}}, R"(
    %p = tg.pad %a0, %a1 {high = [7], low = [3]} : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    %y = tg.gather %p, %a2 {axis = 0} : (tensor<?xf32>, tensor<i64>) -> tensor<f32>
    tgx.yield %y : tensor<f32>)"));
}

TEST(MovementKernel, SliceFromARunTimeStart) {
  std::string text = kernelText({{"40xf32", "40"}, {"i64", ""}}, R"(
    %y = tg.slice %a0, %a1 {sizes = [20], starts = [-1]} : (tensor<40xf32>, tensor<i64>) -> tensor<20xf32>
    tgx.yield %y : tensor<20xf32>)");
  for (int64_t start : {0, 7, 20})
    checkKernel(text, {1, 1}, {.tolerance = 0, .prepare = [&](auto &inputs) {
                                 inputs[1].template values<int64_t>()[0] =
                                     start;
                               }});
}

TEST(MovementKernel, UpdateSliceOfColumns) {
  checkSizes(kernelText({{"?x40xf32", "s0, 40"}, {"?x13xf32", "s0, 13"}}, R"(
    %y = tg.update_slice %a0, %a1 {starts = [0, 1], strides = [1, 3]} : (tensor<?x40xf32>, tensor<?x13xf32>) -> tensor<?x40xf32>
    tgx.yield %y : tensor<?x40xf32>)"));
  // Borders at any lane of a vector, of elements that the kernel computes.
  checkSizes(kernelText({{"?x40xf32", "s0, 40"}, {"?x13xf32", "s0, 13"}}, R"(
    %u = tg.neg %a1 : tensor<?x13xf32>
    %y = tg.update_slice %a0, %u {starts = [0, 5]} : (tensor<?x40xf32>, tensor<?x13xf32>) -> tensor<?x40xf32>
    tgx.yield %y : tensor<?x40xf32>)"));
  checkSizes(kernelText({{"50x40xi8", "50, 40"}, {"?x?xi8", "s0, s1"}}, R"(
    %y = tg.update_slice %a0, %a1 {starts = [0, 3]} : (tensor<50x40xi8>, tensor<?x?xi8>) -> tensor<50x40xi8>
    tgx.yield %y : tensor<50x40xi8>)"));
}

TEST(MovementKernel, UpdateSliceOfRows) {
  std::string text =
      kernelText({{"50x40xf32", "50, 40"}, {"?x40xf32", "s0, 40"}}, R"(
    %y = tg.update_slice %a0, %a1 {starts = [0, 0]} : (tensor<50x40xf32>, tensor<?x40xf32>) -> tensor<50x40xf32>
    tgx.yield %y : tensor<50x40xf32>)");
  checkKernelOverExtents(text, {{0, 0}, {1, 0}, {50, 0}}, {.tolerance = 0});
}

TEST(MovementKernel, PadOfRowsAndColumns) {
  checkSizes(kernelText({{"?x?xf32", "s0, s1"}, {"f32", ""}}, R"(
    %y = tg.pad %a0, %a1 {high = [1, 0], low = [2, 0]} : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
    tgx.yield %y : tensor<?x?xf32>)"));
  checkSizes(kernelText({{"?x?xf32", "s0, s1"}, {"f32", ""}}, R"(
    %y = tg.pad %a0, %a1 {high = [1, 5], low = [2, 3]} : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
    tgx.yield %y : tensor<?x?xf32>)"));
  // Computed elements, and elements of one byte.
  checkSizes(kernelText({{"?x?xf32", "s0, s1"}, {"f32", ""}}, R"(
    %x = tg.neg %a0 : tensor<?x?xf32>
    %y = tg.pad %x, %a1 {high = [0, 1], low = [0, 20]} : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
    tgx.yield %y : tensor<?x?xf32>)"));
  checkSizes(kernelText({{"?x?xi8", "s0, s1"}, {"i8", ""}}, R"(
    %y = tg.pad %a0, %a1 {high = [0, 9], low = [0, 1]} : (tensor<?x?xi8>, tensor<i8>) -> tensor<?x?xi8>
    tgx.yield %y : tensor<?x?xi8>)"));
  checkSizes(kernelText({{"0x17xf32", "0, 17"}, {"f32", ""}}, R"(
    %y = tg.pad %a0, %a1 {high = [1, 0], low = [2, 0]} : (tensor<0x17xf32>, tensor<f32>) -> tensor<3x17xf32>
    tgx.yield %y : tensor<3x17xf32>)"));
}

TEST(MovementKernel, ConcatOfRows) {
  checkSizes(kernelText(
      {{"?x17xf32", "s0, 17"}, {"?x17xf32", "s1, 17"}, {"2x17xf32", "2, 17"}},
      R"(
    %y = tg.concat %a0, %a1, %a2, %a0 {axis = 0} : (tensor<?x17xf32>, tensor<?x17xf32>, tensor<2x17xf32>, tensor<?x17xf32>) -> tensor<?x17xf32>
    tgx.yield %y : tensor<?x17xf32>)"));
}

TEST(MovementKernel, ConcatOfColumns) {
  checkSizes(kernelText(
      {{"?x5xi64", "s0, 5"}, {"?x0xi64", "s0, 0"}, {"?x?xi64", "s0, s1"}}, R"(
    %y = tg.concat %a0, %a1, %a2 {axis = 1} : (tensor<?x5xi64>, tensor<?x0xi64>, tensor<?x?xi64>) -> tensor<?x?xi64>
    tgx.yield %y : tensor<?x?xi64>)"));
}

/// Boxes that begin and end at vector boundaries of all ISA levels, of some, or
/// of none.
TEST(MovementKernel, BoxesAlongVectors) {
  for (int start : {0, 8, 16, 17, 32})
    checkSizes(kernelText({{"?x64xf32", "s0, 64"}, {"?x32xf32", "s0, 32"}},
                          "%y = tg.update_slice %a0, %a1 {starts = [0, " +
                              std::to_string(start) + R"(]} :
      (tensor<?x64xf32>, tensor<?x32xf32>) -> tensor<?x64xf32>
      tgx.yield %y : tensor<?x64xf32>)"));
  for (int width : {16, 8, 4, 3})
    checkSizes(kernelText(
        {{"?x32xf32", "s0, 32"},
         {"?x" + std::to_string(width) + "xf32",
          "s0, " + std::to_string(width)}},
        "%y = tg.concat %a0, %a1, %a0 {axis = 1} : (tensor<?x32xf32>, "
        "tensor<?x" +
            std::to_string(width) + "xf32>, tensor<?x32xf32>) -> tensor<?x" +
            std::to_string(64 + width) + "xf32>\n tgx.yield %y : tensor<?x" +
            std::to_string(64 + width) + "xf32>"));
}

/// The slice moves vectors away from the boundaries of the boxes.
TEST(MovementKernel, SliceOfAConcat) {
  for (int start : {0, 5, 16})
    checkSizes(kernelText(
        {{"?x32xf32", "s0, 32"}, {"?x32xf32", "s0, 32"}},
        R"(%x = tg.concat %a0, %a1 {axis = 1} : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x64xf32>
    %y = tg.slice %x {sizes = [-1, 32], starts = [0, )" +
            std::to_string(start) +
            R"(]} : (tensor<?x64xf32>) -> tensor<?x32xf32>
    tgx.yield %y : tensor<?x32xf32>)"));
}

TEST(MovementKernel, IotaOfManyTypes) {
  for (std::string type : {"f32", "i32", "i64", "ui8"})
    for (std::string axis : {"0", "1"})
      checkSizes(kernelText(
          {{"?x40x" + type, "s0, 40"}},
          "%n = tg.dim %a0 {axis = 0} : (tensor<?x40x" + type +
              ">) -> tensor<i64>\n" + "%y = tg.iota %n {axis = " + axis +
              ", element_type = " + type +
              ", shape = [-1, 40]} : (tensor<i64>) -> "
              "tensor<?x40x" +
              type + ">\ntgx.yield %y : tensor<?x40x" + type + ">"));
}

TEST(MovementKernel, BroadcastReverseAndTranspose) {
  checkSizes(kernelText({{"?x1xf32", "s0, 1"}, {"?x?xf32", "s1, s0"}}, R"(
    %n = tg.dim %a1 {axis = 0} : (tensor<?x?xf32>) -> tensor<i64>
    %m = tg.dim %a1 {axis = 1} : (tensor<?x?xf32>) -> tensor<i64>
    %b = tg.broadcast_to %a0, %m, %n {shape = [-1, -1]} : (tensor<?x1xf32>, tensor<i64>, tensor<i64>) -> tensor<?x?xf32>
    %r = tg.reverse %a1 {axes = [0, 1]} : tensor<?x?xf32>
    %t = tg.transpose %r {permutation = [1, 0]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %y = tg.add %b, %t : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    tgx.yield %y : tensor<?x?xf32>)"));
}

TEST(MovementKernel, GatherAlongEveryAxis) {
  checkSizes(kernelText({{"10x?xf32", "10, s1"}, {"?xi32", "s0"}}, R"(
    %y = tg.gather %a0, %a1 : (tensor<10x?xf32>, tensor<?xi32>) -> tensor<?x?xf32>
    tgx.yield %y : tensor<?x?xf32>)"));
  checkSizes(kernelText({{"?x10xf32", "s1, 10"}, {"?xi64", "s0"}}, R"(
    %y = tg.gather %a0, %a1 {axis = 1} : (tensor<?x10xf32>, tensor<?xi64>) -> tensor<?x?xf32>
    tgx.yield %y : tensor<?x?xf32>)"));
  checkSizes(
      kernelText({{"?x10x?xf32", "s0, 10, s1"}, {"?x3xi64", "s0, 3"}}, R"(
    %y = tg.gather %a0, %a1 {axis = 1, batch_dims = 1} : (tensor<?x10x?xf32>, tensor<?x3xi64>) -> tensor<?x3x?xf32>
    tgx.yield %y : tensor<?x3x?xf32>)"));
}

} // namespace
