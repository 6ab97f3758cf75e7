//===- ReductionThreadsTest.cpp - reductions by teams of threads ----------===//
#include "ThreadMachine.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

/// Returns "tensor<AxBxf32>" for the extents "AxB".
static std::string tensor(const std::string &extents,
                          const std::string &element) {
  return "tensor<" + extents + (extents.empty() ? "" : "x") + element + ">";
}

/// Returns a kernel of the given reductions over the last axis of a tensor with
/// `rows` (a number or `?`, which is s0) rows of `length` (the same) elements.
static std::string rowKernel(const std::string &rows, const std::string &length,
                             const std::string &element,
                             ArrayRef<const char *> reductions,
                             const std::string &order = "") {
  auto nameOf = [](const std::string &extent) {
    return extent == "?" ? std::string("s0") : extent;
  };
  std::string in = tensor(rows + "x" + length, element);
  std::string out = tensor(rows, element);
  std::string text = "tgx.kernel @k reduction[s0](%x: " + in + " [" +
                     nameOf(rows) + ", " + nameOf(length) +
                     "], %n: tensor<i64> = s0) {\n";
  std::string values, types;
  for (auto [number, name] : llvm::enumerate(reductions)) {
    std::string value = "%" + std::to_string(number);
    text += value + " = tg." + name + " %x {axes = [1]" + order + "} : (" + in +
            ") -> " + out + "\n";
    values += (number ? ", " : "") + value;
    types += (number ? ", " : "") + out;
  }
  return text + "tgx.yield " + values + " : " + types + "\n}";
}

/// Sets the argument that binds the symbol.
static KernelCheck withSize(int64_t size) {
  return {.prepare = [size](std::vector<HostTensor> &inputs) {
    inputs.back().values<int64_t>()[0] = size;
  }};
}

//===----------------------------------------------------------------------===//
// Lines in registers
//===----------------------------------------------------------------------===//

/// Lines of a thread and of a warp, with and without a last part.
TEST(ReductionThreads, LinesInRegisters) {
  for (const char *element : {"f32", "f64", "i32", "i8", "i64"})
    for (int length : {1, 3, 16, 17, 31, 32, 33, 64, 100, 1000, 1024})
      checkThreads(rowKernel("?", std::to_string(length), element,
                             {"reduce_sum", "reduce_max", "reduce_prod"}),
                   {{5}}, withSize(5));
}

/// The number of rows is not a multiple of the warps of a block, and there may
/// be none.
TEST(ReductionThreads, SoftmaxInRegisters) {
  for (const char *length : {"7", "40", "1000", "3000"}) {
    std::string full = tensor(std::string("?x") + length, "f32");
    checkThreads("tgx.kernel @k reduction[s0](%x: " + full + " [s0, " + length +
                     R"(]) {
      %0 = tg.reduce_max %x {axes = [1], keep_dims} : ()" +
                     full +
                     R"() -> tensor<?x1xf32>
      %1 = tg.sub %x, %0 : ()" +
                     full + ", tensor<?x1xf32>) -> " + full + R"(
      %2 = tg.exp %1 : )" +
                     full + R"(
      %3 = tg.reduce_sum %2 {axes = [1], keep_dims} : ()" +
                     full +
                     R"() -> tensor<?x1xf32>
      %4 = tg.div %2, %3 : ()" +
                     full + ", tensor<?x1xf32>) -> " + full + R"(
      tgx.yield %4, %3 : )" +
                     full + R"(, tensor<?x1xf32>
    })",
                 {{0}, {1}, {9}});
  }
}

/// Mean and variance in two phases, outputs in the memory of an argument, and
/// elements along the line that all rows share.
TEST(ReductionThreads, NormalizationMayBeInPlace) {
  for (const char *length : {"12", "50", "768", "2500", "9000"}) {
    std::string full = tensor(std::string("?x") + length, "f32");
    std::string row = tensor(length, "f32");
    KernelCheck check;
    check.aliases = {{0, 0}};
    checkThreads("tgx.kernel @k reduction[s0](%x: " + full + " [s0, " + length +
                     "], %g: " + row + R"() {
      %0 = tg.reduce_sum %x {axes = [1], keep_dims} : ()" +
                     full + R"() -> tensor<?x1xf32>
      %1 = tg.sub %x, %0 : ()" +
                     full + ", tensor<?x1xf32>) -> " + full + R"(
      %2 = tg.mul %1, %1 : ()" +
                     full + ", " + full + ") -> " + full + R"(
      %3 = tg.reduce_sum %2 {axes = [1], keep_dims} : ()" +
                     full + R"() -> tensor<?x1xf32>
      %4 = tg.div %1, %3 : ()" +
                     full + ", tensor<?x1xf32>) -> " + full + R"(
      %5 = tg.mul %4, %g : ()" +
                     full + ", " + row + ") -> " + full + R"(
      tgx.yield %5, %0 : )" +
                     full +
                     R"(, tensor<?x1xf32>
    })",
                 {{3}, {6}}, check);
  }
}

//===----------------------------------------------------------------------===//
// Lines of warps
//===----------------------------------------------------------------------===//

/// Lengths that are not known, up to several blocks that become numbers.
TEST(ReductionThreads, LinesOfWarps) {
  for (const char *element : {"f32", "f64", "i16"})
    for (const char *rows : {"3", "600"})
      for (int length : {0, 1, 31, 33, 64, 255, 1000, 4097, 10000})
        if (*rows == '3' || length < 300)
          checkThreads(
              rowKernel(rows, "?", element, {"reduce_sum", "reduce_min"}),
              {{length}}, withSize(length));
  checkThreads(rowKernel("2", "?", "f32", {"reduce_sum"}), {{70001}},
               withSize(70001));
}

TEST(ReductionThreads, LinesThatSeveralWarpsShare) {
  for (const char *length : {"1056", "4096", "4100", "10000", "40000"})
    checkThreads(rowKernel("?", length, "f32", {"reduce_sum", "reduce_prod"}),
                 {{1}, {2}}, withSize(2));
  checkThreads(rowKernel("1", "600001", "f32", {"reduce_sum"}), {{0}},
               withSize(0));
}

/// Orders with fewer chains than a warp has threads, with several chains in a
/// thread, without blocks, and with short ones.
TEST(ReductionThreads, OtherOrders) {
  for (const char *order :
       {"lanes = 8, accumulators = 2, blocks = [2, 3, 4]",
        "lanes = 16, blocks = [3]", "lanes = 32, accumulators = 4",
        "lanes = 4, accumulators = 16, blocks = [5, 2]",
        "lanes = 2, accumulators = 2",
        "lanes = 64, accumulators = 2, blocks = [2, 2]",
        "lanes = 16, accumulators = 16, blocks = [1, 1, 1]"})
    for (const char *length : {"?", "333", "12", "5000"})
      checkThreads(
          rowKernel("4", length, "f32", {"reduce_sum"},
                    std::string(", tg.order = #tg.order<") + order + ">"),
          {{1}, {97}, {1000}}, withSize(1000));
}

/// A factor that is broadcast along a part of a line.
TEST(ReductionThreads, LinesOfSeveralDimensions) {
  for (const char *part : {"20", "500"}) {
    std::string full = tensor(std::string("?x12x") + part, "f32");
    checkThreads("tgx.kernel @k reduction[s0](%x: " + full + " [s0, 12, " +
                     part + R"(], %s: tensor<12x1xf32>) {
      %0 = tg.mul %x, %s : ()" +
                     full + ", tensor<12x1xf32>) -> " + full + R"(
      %1 = tg.reduce_sum %0 {axes = [1, 2]} : ()" +
                     full + R"() -> tensor<?xf32>
      tgx.yield %1, %0 : tensor<?xf32>, )" +
                     full + "\n}",
                 {{0}, {3}});
  }
}

/// The position of the greatest element.
TEST(ReductionThreads, PositionsOfMaxima) {
  for (const char *length : {"10", "300", "5000"}) {
    std::string full = std::string("?x") + length + "x";
    checkThreads(
        "tgx.kernel @k reduction[s0](%x: tensor<" + full + "f32> [s0, " +
            length +
            R"(]) with(%end = dense<9223372036854775807> : tensor<i64>) {
      %0 = tg.reduce_max %x {axes = [1], keep_dims} : (tensor<)" +
            full + R"(f32>) -> tensor<?x1xf32>
      %1 = tg.compare eq, %x, %0 : (tensor<)" +
            full + "f32>, tensor<?x1xf32>) -> tensor<" + full +
            R"(i1>
      %2 = tg.iota {axis = 0, shape = [)" +
            length + "]} : () -> tensor<" + length + R"(xi64>
      %3 = tg.select %1, %2, %end : (tensor<)" +
            full + "i1>, tensor<" + length + "xi64>, tensor<i64>) -> tensor<" +
            full + R"(i64>
      %4 = tg.reduce_min %3 {axes = [1]} : (tensor<)" +
            full + R"(i64>) -> tensor<?xi64>
      tgx.yield %4 : tensor<?xi64>
    })",
        {{1}, {11}});
  }
}

/// A check within a line, whose first failing element is reported.
TEST(ReductionThreads, ChecksReportTheFirstElement) {
  for (int length : {40, 3000}) {
    std::string full = "?x" + std::to_string(length) + "x";
    KernelCheck check;
    check.prepare = [&](std::vector<HostTensor> &inputs) {
      inputs[0].values<int32_t>()[length + 39] = 12;
      inputs[0].values<int32_t>()[3 * length + 1] = -3;
    };
    checkThreads("tgx.kernel @k reduction[s0](%label: tensor<" + full +
                     "i32> [s0, " + std::to_string(length) + R"(]) {
      %0 = tgx.check_index %label below [s0] -> (10) {op_name = "tg.gather"} : tensor<)" +
                     full + R"(i32>
      %1 = tg.reduce_sum %0 {axes = [1]} : (tensor<)" +
                     full + R"(i32>) -> tensor<?xi32>
      tgx.yield %1 : tensor<?xi32>
    })",
                 {{5}}, check);
  }
}

//===----------------------------------------------------------------------===//
// Lines of lines
//===----------------------------------------------------------------------===//

TEST(ReductionThreads, LinesAreSharedAmongWarps) {
  for (const char *line : {"4", "49", "5000"}) {
    std::string full = tensor(std::string("?x3x") + line, "f32");
    checkThreads("tgx.kernel @k reduction[s0](%x: " + full + " [s0, 3, " +
                     line + R"(]) {
      %0 = tg.reduce_sum %x {axes = [0, 2], keep_dims} : ()" +
                     full + R"() -> tensor<1x3x1xf32>
      %1 = tg.sub %x, %0 : ()" +
                     full + ", tensor<1x3x1xf32>) -> " + full + R"(
      tgx.yield %1, %0 : )" +
                     full + R"(, tensor<1x3x1xf32>
    })",
                 {{0}, {1}, {5}, {60}});
  }
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

/// Numbers of columns that fill a block, part of one, or several.
TEST(ReductionThreads, ColumnsOfBlocks) {
  for (int columns : {1, 3, 8, 20, 100, 5000}) {
    std::string extent = std::to_string(columns);
    std::string full = tensor("?x" + extent, "f32"),
                one = tensor(extent, "f32");
    std::vector<std::vector<int64_t>> lists = {{0}, {1}, {23}, {25}, {400}};
    if (columns < 100)
      lists.push_back({4000});
    checkThreads("tgx.kernel @k reduction[s0](%x: " + full + " [s0, " + extent +
                     R"(]) {
      %0 = tg.reduce_sum %x {axes = [0]} : ()" +
                     full + ") -> " + one + R"(
      %1 = tg.reduce_max %x {axes = [0]} : ()" +
                     full + ") -> " + one + R"(
      tgx.yield %0, %1 : )" +
                     one + ", " + one + "\n}",
                 lists);
  }
}

/// Many lines: slots sum blocks of blocks.
TEST(ReductionThreads, ColumnsOfManyLines) {
  for (const char *lines : {"30", "100", "1600", "60000"}) {
    std::string full = tensor(std::string(lines) + "x5", "f32");
    checkThreads("tgx.kernel @k reduction[s0](%x: " + full +
                     R"(, %n: tensor<i64> = s0) {
      %0 = tg.reduce_sum %x {axes = [0]} : ()" +
                     full + R"() -> tensor<5xf32>
      tgx.yield %0 : tensor<5xf32>
    })",
                 {{0}});
  }
}

/// Stated orders of lines, with fewer blocks than slots, and without any.
TEST(ReductionThreads, OrdersOfLines) {
  for (const char *lines : {"[5, 3, 2]", "[1, 64]", "[7]", "[]"})
    for (const char *columns : {"7", "40000"}) {
      std::string full = tensor(std::string("?x") + columns, "f32");
      checkThreads(
          "tgx.kernel @k reduction[s0](%x: " + full + " [s0, " + columns +
              R"(]) {
      %0 = tg.reduce_sum %x {axes = [0], tg.order = #tg.order<lines = )" +
              lines + ">} : (" + full + ") -> " + tensor(columns, "f32") + R"(
      tgx.yield %0 : )" +
              tensor(columns, "f32") + "\n}",
          {{1}, {50}});
    }
}

/// The second phase reads the sums of all slots.
TEST(ReductionThreads, ColumnsHaveSeveralPhases) {
  for (const char *element : {"f32", "f64"}) {
    std::string full = tensor("?x11", element), one = tensor("1x11", element);
    checkThreads("tgx.kernel @k reduction[s0](%x: " + full + R"( [s0, 11]) {
      %0 = tg.reduce_sum %x {axes = [0], keep_dims} : ()" +
                     full + ") -> " + one + R"(
      %1 = tg.sub %x, %0 : ()" +
                     full + ", " + one + ") -> " + full + R"(
      %2 = tg.reduce_max %1 {axes = [0], keep_dims} : ()" +
                     full + ") -> " + one + R"(
      %3 = tg.sub %1, %2 : ()" +
                     full + ", " + one + ") -> " + full + R"(
      tgx.yield %3, %0, %2 : )" +
                     full + ", " + one + ", " + one + "\n}",
                 {{0}, {1}, {24}, {700}, {3100}});
  }
}

TEST(ReductionThreads, ColumnsHaveMoments) {
  for (const char *order : {"", ", tg.order = #tg.order<lines = [5, 3, 2]>"})
    for (const char *element : {"f32", "f64"}) {
      std::string full = tensor("?x11", element), one = tensor("11", element);
      checkThreads("tgx.kernel @k reduction[s0](%x: " + full +
                       R"( [s0, 11]) {
      %0, %1 = tg.moments %x {axes = [0])" +
                       std::string(order) + "} : (" + full + ") -> (" + one +
                       ", " + one + R"()
      %2 = tg.mul %x, %x : ()" +
                       full + ", " + full + ") -> " + full + R"(
      tgx.yield %0, %1, %2 : )" +
                       one + ", " + one + ", " + full + "\n}",
                   {{0}, {1}, {24}, {700}, {3100}});
    }
}

/// Tiles of lines, as kernels of convolutions compute them.
TEST(ReductionThreads, TilesOfLines) {
  checkThreads(R"(
    tgx.kernel @k reduction[s0](%x: tensor<?x7x9x6xf32> [s0, 7, 9, 6]) {
      %0, %1 = tg.moments %x {axes = [0, 1, 2], tg.order = #tg.order<lines = [12, 64, 64], tile = [4, 4]>} : (tensor<?x7x9x6xf32>) -> (tensor<6xf32>, tensor<6xf32>)
      %2 = tg.reduce_sum %x {axes = [0, 1, 2], tg.order = #tg.order<lines = [12, 64, 64], tile = [4, 4]>} : (tensor<?x7x9x6xf32>) -> tensor<6xf32>
      tgx.yield %0, %1, %2 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
    })",
               {{1}, {20}, {150}});
}
