//===- MovementThreadsTest.cpp - transposed arguments, by threads ---------===//
#include "ThreadMachine.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

/// Returns `text` with each $NAME replaced by a value.
static std::string
fill(std::string text,
     ArrayRef<std::pair<std::string, std::string>> replacements) {
  for (const auto &[name, value] : replacements)
    for (size_t at; (at = text.find("$" + name)) != std::string::npos;)
      text.replace(at, name.size() + 1, value);
  return text;
}

/// Checks the transpose of static extents, by a type.
static void checkTransposed(int rows, int columns, const std::string &type) {
  std::string text =
      fill("tgx.kernel @k loop(%x: tensor<$Rx$Cx$T>) {\n"
           "%0 = tg.transpose %x {permutation = [1, 0]} : (tensor<$Rx$Cx$T>) "
           "-> tensor<$Cx$Rx$T>\n"
           "tgx.yield %0 : tensor<$Cx$Rx$T>\n}",
           {{"R", std::to_string(rows)},
            {"C", std::to_string(columns)},
            {"T", type}});
  SCOPED_TRACE(text);
  checkThreads(text, {{}});
}

/// Whole tiles and others, by the number of bytes of an element.
TEST(MovementThreads, TilesMayBeShort) {
  for (const char *type : {"f32", "f64", "i16", "ui8", "i1"})
    for (auto [rows, columns] :
         {std::pair(64, 32), {33, 65}, {31, 17}, {100, 40}})
      checkTransposed(rows, columns, type);
}

/// Short rows and columns have long tiles on the other side.
TEST(MovementThreads, SidesMayBeShort) {
  for (int side : {2, 3, 4, 7, 8, 12, 16})
    for (int length : {40, 131, 700}) {
      checkTransposed(side, length, "f32");
      checkTransposed(length, side, "f32");
    }
  for (const char *type : {"f64", "ui8"}) {
    checkTransposed(3, 300, type);
    checkTransposed(300, 3, type);
  }
}

/// Extents of run time, also none and one.
TEST(MovementThreads, ExtentsMayBeDynamic) {
  checkThreads(R"(
    tgx.kernel @k loop[s0, s1](%x: tensor<?x?xf32> [s0, s1]) {
      %0 = tg.transpose %x {permutation = [1, 0]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
      tgx.yield %0 : tensor<?x?xf32>
    })",
               {{0, 5}, {5, 0}, {1, 1}, {1, 40}, {40, 1}, {32, 64}, {47, 33}});
}

/// Dimensions that stay neighbours share rows and columns of tiles.
TEST(MovementThreads, DimensionsMayBePermuted) {
  struct Case {
    const char *permutation, *result;
  };
  for (auto [permutation, result] : {Case{"0, 2, 3, 1", "?x6x7x40"},
                                     {"0, 3, 1, 2", "?x7x40x6"},
                                     {"3, 1, 2, 0", "7x40x6x?"},
                                     {"1, 0, 3, 2", "40x?x7x6"},
                                     {"2, 3, 0, 1", "6x7x?x40"},
                                     {"2, 0, 1, 3", "6x?x40x7"}}) {
    std::string text = fill(
        "tgx.kernel @k loop[s0](%x: tensor<?x40x6x7xf32> [s0, 40, 6, 7]) {\n"
        "%0 = tg.transpose %x {permutation = [$P]} : (tensor<?x40x6x7xf32>) "
        "-> tensor<$Rxf32>\n"
        "tgx.yield %0 : tensor<$Rxf32>\n}",
        {{"P", permutation}, {"R", result}});
    SCOPED_TRACE(text);
    checkThreads(text, {{0}, {1}, {3}, {33}});
  }
}

/// Permutations that keep the last dimension move runs of rows, from aligned
/// addresses and others.
TEST(MovementThreads, RowsMayBePermuted) {
  for (const char *type : {"f32", "f64", "i16", "i1"}) {
    std::string text = fill(
        "tgx.kernel @k loop[s0](%x: tensor<?x5x3x16x$T> [s0, 5, 3, 16]) {\n"
        "%0 = tg.transpose %x {permutation = [0, 2, 1, 3]} : "
        "(tensor<?x5x3x16x$T>) -> tensor<?x3x5x16x$T>\n"
        "tgx.yield %0 : tensor<?x3x5x16x$T>\n}",
        {{"T", type}});
    SCOPED_TRACE(text);
    for (unsigned distance : {0, 1, 2})
      checkThreads(text, {{0}, {1}, {4}}, {}, distance);
  }
  for (unsigned distance : {0, 1})
    checkThreads(R"(
    tgx.kernel @k loop[s0](%x: tensor<?x5x8xf32> [s0, 5, 8], %y: tensor<5x?x8xf32> [5, s0, 8], %row: tensor<8xf32>, %column: tensor<?x1xf32> [s0, 1]) {
      %0 = tg.add %x, %row : (tensor<?x5x8xf32>, tensor<8xf32>) -> tensor<?x5x8xf32>
      %1 = tg.transpose %0 {permutation = [1, 0, 2]} : (tensor<?x5x8xf32>) -> tensor<5x?x8xf32>
      %2 = tg.mul %1, %y : (tensor<5x?x8xf32>, tensor<5x?x8xf32>) -> tensor<5x?x8xf32>
      %3 = tg.sub %2, %column : (tensor<5x?x8xf32>, tensor<?x1xf32>) -> tensor<5x?x8xf32>
      tgx.yield %3, %2 : tensor<5x?x8xf32>, tensor<5x?x8xf32>
    })",
                 {{0}, {1}, {6}}, {}, distance);
}

/// Arithmetic before and after, with operands of all layouts.
TEST(MovementThreads, OtherOpsMayBeFused) {
  checkThreads(R"(
    tgx.kernel @k loop[s0, s1](%x: tensor<?x?xf32> [s0, s1], %bias: tensor<?xf32> [s1], %y: tensor<?x?xf32> [s1, s0], %row: tensor<?xf32> [s0], %column: tensor<?x1xf32> [s1, 1], %one: tensor<f32>) {
      %0 = tg.add %x, %bias : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
      %1 = tg.transpose %0 {permutation = [1, 0]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
      %2 = tg.mul %1, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %3 = tg.add %2, %row : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
      %4 = tg.sub %3, %column : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      %5 = tg.mul %4, %one : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
      tgx.yield %5, %2 : tensor<?x?xf32>, tensor<?x?xf32>
    })",
               {{0, 3}, {1, 1}, {32, 32}, {35, 70}});
}

/// An argument that is read as it is and transposed.
TEST(MovementThreads, ArgumentsMayBeReadTwice) {
  checkThreads(R"(
    tgx.kernel @k loop(%x: tensor<50x50xf32>) {
      %0 = tg.transpose %x {permutation = [1, 0]} : (tensor<50x50xf32>) -> tensor<50x50xf32>
      %1 = tg.add %0, %x : (tensor<50x50xf32>, tensor<50x50xf32>) -> tensor<50x50xf32>
      tgx.yield %1 : tensor<50x50xf32>
    })",
               {{}});
}

/// Several transposed arguments: some by the same dimension, some by others.
TEST(MovementThreads, ArgumentsMayBeTransposedDifferently) {
  checkThreads(R"(
    tgx.kernel @k loop(%x: tensor<20x33x40xf32>, %y: tensor<20x40x33xf64>, %z: tensor<33x20x40xf32>) {
      %0 = tg.transpose %x {permutation = [0, 2, 1]} : (tensor<20x33x40xf32>) -> tensor<20x40x33xf32>
      %1 = tg.cast %y {element_type = f32} : (tensor<20x40x33xf64>) -> tensor<20x40x33xf32>
      %2 = tg.transpose %z {permutation = [1, 2, 0]} : (tensor<33x20x40xf32>) -> tensor<20x40x33xf32>
      %3 = tg.add %0, %1 : (tensor<20x40x33xf32>, tensor<20x40x33xf32>) -> tensor<20x40x33xf32>
      %4 = tg.mul %3, %2 : (tensor<20x40x33xf32>, tensor<20x40x33xf32>) -> tensor<20x40x33xf32>
      tgx.yield %4 : tensor<20x40x33xf32>
    })",
               {{}});
  checkThreads(R"(
    tgx.kernel @k loop(%x: tensor<35x20x40xf32>, %y: tensor<20x40x35xf32>) {
      %0 = tg.transpose %x {permutation = [2, 1, 0]} : (tensor<35x20x40xf32>) -> tensor<40x20x35xf32>
      %1 = tg.transpose %y {permutation = [1, 0, 2]} : (tensor<20x40x35xf32>) -> tensor<40x20x35xf32>
      %2 = tg.add %0, %1 : (tensor<40x20x35xf32>, tensor<40x20x35xf32>) -> tensor<40x20x35xf32>
      %3 = tg.transpose %2 {permutation = [1, 2, 0]} : (tensor<40x20x35xf32>) -> tensor<20x35x40xf32>
      tgx.yield %3 : tensor<20x35x40xf32>
    })",
               {{}});
}

/// The output has the memory of the operand that is read at its place.
TEST(MovementThreads, AnOutputMayReplaceAnArgument) {
  KernelCheck check;
  check.aliases = {{0, 1}};
  checkThreads(R"(
    tgx.kernel @k loop(%x: tensor<40x70xf32>, %y: tensor<70x40xf32>) {
      %0 = tg.transpose %x {permutation = [1, 0]} : (tensor<40x70xf32>) -> tensor<70x40xf32>
      %1 = tg.add %y, %0 : (tensor<70x40xf32>, tensor<70x40xf32>) -> tensor<70x40xf32>
      tgx.yield %1 : tensor<70x40xf32>
    })",
               {{}}, check);
}

/// The lowest failing element is reported, by its index in the result.
TEST(MovementThreads, ChecksReportTheFirstElement) {
  KernelCheck check;
  check.prepare = [](std::vector<HostTensor> &inputs) {
    for (int element : {45, 1300, 2200})
      inputs[0].values<int32_t>()[element] = 10 + element;
  };
  checkThreads(R"(
    tgx.kernel @k loop[s0](%label: tensor<?x40xi32> [s0, 40]) {
      %0 = tgx.check_index %label below [s0] -> (10) {op_name = "tg.gather"} : tensor<?x40xi32>
      %1 = tg.transpose %0 {permutation = [1, 0]} : (tensor<?x40xi32>) -> tensor<40x?xi32>
      tgx.yield %1 : tensor<40x?xi32>
    })",
               {{70}}, check);
}

/// Ops that move elements to other places than permuted ones have no tiles.
TEST(MovementThreads, OtherMovesMayBeFused) {
  checkThreads(R"(
    tgx.kernel @k loop(%x: tensor<40x50xf32>) with(%zero = dense<0.0> : tensor<f32>) {
      %0 = tg.transpose %x {permutation = [1, 0]} : (tensor<40x50xf32>) -> tensor<50x40xf32>
      %1 = tg.pad %0, %zero {low = [1, 2], high = [0, 3]} : (tensor<50x40xf32>, tensor<f32>) -> tensor<51x45xf32>
      tgx.yield %1 : tensor<51x45xf32>
    })",
               {{}});
}
