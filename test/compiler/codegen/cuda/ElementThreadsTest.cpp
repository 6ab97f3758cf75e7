//===- ElementThreadsTest.cpp - runs of elements, by threads and tiles ----===//
#include "ThreadMachine.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

/// Checks a kernel whose tensors are aligned, and one whose tensors are not.
static void checkPlaces(StringRef text, ArrayRef<std::vector<int64_t>> lists,
                        const KernelCheck &check = {}) {
  for (unsigned distance : {0, 1, 2}) {
    SCOPED_TRACE("distance " + std::to_string(distance));
    checkThreads(text, lists, check, distance);
  }
}

/// Whole runs, and a last one of 1 to 3 elements.
TEST(ElementThreads, TheLastRunMayBeShort) {
  checkPlaces(R"(
    tgx.kernel @k loop[s0](%x: tensor<?xf32> [s0], %y: tensor<?xf32> [s0]) {
      %0 = tg.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %1 = tg.mul %0, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      tgx.yield %0, %1 : tensor<?xf32>, tensor<?xf32>
    })",
              {{0}, {1}, {3}, {4}, {5}, {6}, {511}, {512}, {513}, {1030}});
}

/// A static extent that is too small for a run, and others.
TEST(ElementThreads, ExtentsMayBeStatic) {
  for (int extent : {1, 2, 3, 4, 7, 8, 514}) {
    std::string type = "tensor<" + std::to_string(extent) + "xf32>";
    checkPlaces("tgx.kernel @k loop(%x: " + type + ") {\n%0 = tg.relu %x : " +
                    type + "\ntgx.yield %0 : " + type + "\n}",
                {{}});
  }
}

/// Rows of whole runs, and rows that end in a run.
TEST(ElementThreads, OperandsMayBeBroadcast) {
  for (int columns : {1, 4, 6, 8}) {
    std::string text = R"(
    tgx.kernel @k loop[s0](%x: tensor<?xNxf32> [s0, N], %row: tensor<Nxf32>, %column: tensor<?x1xf32> [s0, 1], %one: tensor<f32>) {
      %0 = tg.add %x, %row : (tensor<?xNxf32>, tensor<Nxf32>) -> tensor<?xNxf32>
      %1 = tg.mul %0, %column : (tensor<?xNxf32>, tensor<?x1xf32>) -> tensor<?xNxf32>
      %2 = tg.sub %1, %one : (tensor<?xNxf32>, tensor<f32>) -> tensor<?xNxf32>
      tgx.yield %2, %0 : tensor<?xNxf32>, tensor<?xNxf32>
    })";
    for (size_t at; (at = text.find('N')) != std::string::npos;)
      text.replace(at, 1, std::to_string(columns));
    SCOPED_TRACE(text);
    checkPlaces(text, {{0}, {1}, {2}, {3}, {67}});
  }
}

/// Blocks of columns: rows of one part of a block, of several, of some that
/// leave threads idle, and numbers of rows around the one of a block.
TEST(ElementThreads, RowsMayShareColumns) {
  for (auto [columns, rows] :
       {std::pair(8, 512), std::pair(12, 336), std::pair(132, 56)}) {
    std::string text = R"(
    tgx.kernel @k loop[s0](%x: tensor<?xNxf32> [s0, N], %y: tensor<?xNxf32> [s0, N], %row: tensor<Nxf32>, %other: tensor<1xNxf32>, %column: tensor<?x1xf32> [s0, 1]) {
      %0 = tg.sqrt %other : tensor<1xNxf32>
      %1 = tg.mul %x, %0 : (tensor<?xNxf32>, tensor<1xNxf32>) -> tensor<?xNxf32>
      %2 = tg.add %1, %row : (tensor<?xNxf32>, tensor<Nxf32>) -> tensor<?xNxf32>
      %3 = tg.mul %2, %column : (tensor<?xNxf32>, tensor<?x1xf32>) -> tensor<?xNxf32>
      %4 = tg.maximum %y, %3 : (tensor<?xNxf32>, tensor<?xNxf32>) -> tensor<?xNxf32>
      tgx.yield %4, %2 : tensor<?xNxf32>, tensor<?xNxf32>
    })";
    for (size_t at; (at = text.find('N')) != std::string::npos;)
      text.replace(at, 1, std::to_string(columns));
    SCOPED_TRACE(text);
    checkPlaces(text, {{0}, {1}, {5}, {rows - 1}, {rows}, {rows + 3}});
  }
}

/// Rows of several dimensions, elements of several sizes, and an output in the
/// memory of an argument.
TEST(ElementThreads, ColumnsMayHaveAnyType) {
  KernelCheck check;
  check.aliases = {{0, 0}};
  checkPlaces(R"(
    tgx.kernel @k loop[s0, s1](%x: tensor<?x3x?x8xf64> [s0, 3, s1, 8], %row: tensor<8xf32>, %mask: tensor<1x8xi1>, %plane: tensor<?x3x1x8xf64> [s0, 3, 1, 8]) {
      %0 = tg.cast %row {element_type = f64} : (tensor<8xf32>) -> tensor<8xf64>
      %1 = tg.select %mask, %x, %0 : (tensor<1x8xi1>, tensor<?x3x?x8xf64>, tensor<8xf64>) -> tensor<?x3x?x8xf64>
      %2 = tg.mul %1, %plane : (tensor<?x3x?x8xf64>, tensor<?x3x1x8xf64>) -> tensor<?x3x?x8xf64>
      tgx.yield %2 : tensor<?x3x?x8xf64>
    })",
              {{2, 3}, {1, 1}, {5, 19}, {0, 3}, {3, 0}}, check);
}

/// Rows whose length is known at run time: those of whole runs, and others.
TEST(ElementThreads, RowsMayBeDynamic) {
  checkPlaces(R"(
    tgx.kernel @k loop[s0, s1](%x: tensor<?x?xf32> [s0, s1], %row: tensor<?xf32> [s1], %column: tensor<?x1xf32> [s0, 1], %mask: tensor<?xi1> [s1]) {
      %0 = tg.add %x, %row : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
      %1 = tg.mul %0, %column : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      %2 = tg.select %mask, %1, %x : (tensor<?xi1>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      tgx.yield %2, %0 : tensor<?x?xf32>, tensor<?x?xf32>
    })",
              {{3, 1}, {0, 4}, {5, 0}, {3, 4}, {7, 6}, {2, 7}, {33, 8}});
  checkPlaces(R"(
    tgx.kernel @k loop[s0, s1](%x: tensor<?x3x?xf32> [s0, 3, s1], %y: tensor<?x1x?xf32> [s0, 1, s1]) {
      %0 = tg.sub %x, %y : (tensor<?x3x?xf32>, tensor<?x1x?xf32>) -> tensor<?x3x?xf32>
      tgx.yield %0 : tensor<?x3x?xf32>
    })",
              {{1, 1}, {3, 8}, {3, 10}});
}

/// Windows of channels, two or four of which a thread computes, in the middle
/// of an image and at its borders.
TEST(ElementThreads, WindowsMayHaveSeveralChannels) {
  for (StringRef channels : {"3", "6", "8"})
    for (StringRef op :
         {"%0, %i = tg.max_pool %x {strides = [2, 2], window = [3, 3], padding "
          "= \"same\"} : (tensor<?x6x5xCxf32>) -> (tensor<?x3x3xCxf32>, "
          "tensor<?x3x3xCxui8>)\n%1 = tg.relu %0 : tensor<?x3x3xCxf32>",
          "%1 = tg.avg_pool %x {strides = [2, 2], window = [3, 3], padding = "
          "\"same\"} : (tensor<?x6x5xCxf32>) -> tensor<?x3x3xCxf32>"}) {
      std::string text =
          "tgx.kernel @k loop[s0](%x: tensor<?x6x5xCxf32> [s0, 6, 5, C]) {\n" +
          op.str() + "\ntgx.yield %1 : tensor<?x3x3xCxf32>\n}";
      for (size_t at; (at = text.find('C')) != std::string::npos;)
        text.replace(at, 1, channels);
      SCOPED_TRACE(text);
      checkPlaces(text, {{0}, {1}, {7}});
    }
}

/// Functions that compute some elements another way ask all lanes of a vector.
TEST(ElementThreads, WindowsMayHaveFunctionsBehind) {
  for (StringRef op : {"sin %1 : tensor<?x3x3x8xf32>",
                       "remainder %1, %1 : (tensor<?x3x3x8xf32>, "
                       "tensor<?x3x3x8xf32>) -> tensor<?x3x3x8xf32>"})
    checkThreads(
        R"(
    tgx.kernel @k loop[s0](%x: tensor<?x6x6x8xf32> [s0, 6, 6, 8]) attributes {alignments = array<i64: 16, 16>} {
      %0 = tg.avg_pool %x {strides = [2, 2], window = [2, 2]} : (tensor<?x6x6x8xf32>) -> tensor<?x3x3x8xf32>
      %c = tg.constant dense<1.0e8> : tensor<f32>
      %1 = tg.mul %0, %c : (tensor<?x3x3x8xf32>, tensor<f32>) -> tensor<?x3x3x8xf32>
      %2 = tg.)" +
            op.str() +
            R"(
      tgx.yield %2 : tensor<?x3x3x8xf32>
    })",
        {{0}, {2}});
}

/// Rows and planes of operands that have neither.
TEST(ElementThreads, SeveralDimensionsMayBeBroadcast) {
  checkPlaces(R"(
    tgx.kernel @k loop[s0, s1](%x: tensor<?x3x?xf32> [s0, 3, s1], %y: tensor<?x1x?xf32> [s0, 1, s1], %z: tensor<3x1xf32>) {
      %0 = tg.add %x, %y : (tensor<?x3x?xf32>, tensor<?x1x?xf32>) -> tensor<?x3x?xf32>
      %1 = tg.mul %0, %z : (tensor<?x3x?xf32>, tensor<3x1xf32>) -> tensor<?x3x?xf32>
      tgx.yield %1 : tensor<?x3x?xf32>
    })",
              {{2, 4}, {5, 7}, {1, 1}, {0, 3}, {3, 0}});
}

/// The widest element decides the length of a run.
TEST(ElementThreads, TypesMayDiffer) {
  checkPlaces(R"(
    tgx.kernel @k loop[s0](%x: tensor<?xf32> [s0], %mask: tensor<?xi1> [s0], %y: tensor<?xui8> [s0]) with(%none = dense<0.0> : tensor<f32>) {
      %0 = tg.select %mask, %x, %none : (tensor<?xi1>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
      %1 = tg.cast %y {element_type = f32} : (tensor<?xui8>) -> tensor<?xf32>
      %2 = tg.compare lt, %0, %1 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
      tgx.yield %0, %2 : tensor<?xf32>, tensor<?xi1>
    })",
              {{1}, {4}, {130}, {515}});
  checkPlaces(R"(
    tgx.kernel @k loop[s0](%x: tensor<?xf32> [s0]) {
      %0 = tg.cast %x {element_type = f64} : (tensor<?xf32>) -> tensor<?xf64>
      %1 = tg.cast %x {element_type = i64} : (tensor<?xf32>) -> tensor<?xi64>
      tgx.yield %0, %1 : tensor<?xf64>, tensor<?xi64>
    })",
              {{1}, {2}, {3}, {259}});
}

/// Runs of 16 bytes.
TEST(ElementThreads, BytesHaveLongRuns) {
  checkPlaces(R"(
    tgx.kernel @k loop[s0](%a: tensor<?xi1> [s0], %b: tensor<?xi1> [s0]) {
      %0 = tg.and %a, %b : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
      %1 = tg.or %a, %b : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
      tgx.yield %0, %1 : tensor<?xi1>, tensor<?xi1>
    })",
              {{1}, {15}, {16}, {17}, {100}, {2085}});
  checkPlaces(R"(
    tgx.kernel @k loop[s0](%a: tensor<?xui8> [s0], %b: tensor<?xui8> [s0]) {
      %0 = tg.add %a, %b : (tensor<?xui8>, tensor<?xui8>) -> tensor<?xui8>
      %1 = tg.maximum %a, %b : (tensor<?xui8>, tensor<?xui8>) -> tensor<?xui8>
      tgx.yield %0, %1 : tensor<?xui8>, tensor<?xui8>
    })",
              {{1}, {15}, {16}, {17}, {100}, {2085}});
}

/// The lowest failing element is reported, wherever in a run it is.
TEST(ElementThreads, ChecksReportTheFirstElementOfARun) {
  for (int failing : {168, 169, 171, 300}) {
    KernelCheck check;
    check.prepare = [&](std::vector<HostTensor> &inputs) {
      for (int element = failing; element < 301; ++element)
        inputs[0].values<int32_t>()[element] = 10 + element;
    };
    checkPlaces(R"(
    tgx.kernel @k loop[s0](%label: tensor<?xi32> [s0]) {
      %0 = tgx.check_index %label below [s0] -> (10) {op_name = "tg.gather"} : tensor<?xi32>
      %1 = tg.cast %0 {element_type = f32} : (tensor<?xi32>) -> tensor<?xf32>
      tgx.yield %1 : tensor<?xf32>
    })",
                {{301}}, check);
  }
}

/// Parts of a launch have runs, too: short and whole ones, of one and of
/// several dimensions, and of wider elements.
TEST(ElementThreads, PartsHaveRuns) {
  KernelCheck check;
  check.aliases = {{0, 0}, {1, 2}};
  checkPlaces(R"(
    tgx.kernel @k loop[s0, s1](%a: tensor<?xf32> [s0], %b: tensor<?xf32> [s0], %c: tensor<?xf32> [s1], %d: tensor<?xf32> [s1], %x: tensor<?x8xf32> [s1, 8], %y: tensor<8xf32>, %w: tensor<?xf64> [s0], %r: tensor<f32>) attributes {parts = array<i64: 1, 1, 1, 1>} {
      %0 = tg.mul %b, %r : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
      %1 = tg.add %a, %0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %2 = tg.mul %d, %r : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
      %3 = tg.add %c, %2 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %4 = tg.add %x, %y : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
      %5 = tg.add %w, %w : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      tgx.yield %1, %3, %4, %5 : tensor<?xf32>, tensor<?xf32>, tensor<?x8xf32>, tensor<?xf64>
    })",
              {{0, 5}, {1, 0}, {4, 3}, {512, 513}, {130, 1026}}, check);
}
