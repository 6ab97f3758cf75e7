//===- SumsTest.cpp - sums of the reference in stated orders --------------===//
#include "mlir/AsmParser/AsmParser.h"
#include "test/compiler/reference/ReferenceRun.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace tg;
using namespace tg::test;

namespace {

using Numbers = std::vector<float>;

/// nest(lengths, v) of bits.md, with additions.
float nest(std::vector<int64_t> lengths, const Numbers &values) {
  if (lengths.empty()) {
    float sum = 0;
    for (float value : values)
      sum += value;
    return sum;
  }
  Numbers groups;
  for (size_t first = 0; first < values.size(); first += lengths[0]) {
    size_t end = std::min(values.size(), first + size_t(lengths[0]));
    groups.push_back(
        nest({}, Numbers(values.begin() + first, values.begin() + end)));
  }
  return nest({lengths.begin() + 1, lengths.end()}, groups);
}

/// The sum of a line with 16 lanes, 4 accumulators and blocks [64, 8, 64].
float line(const Numbers &x) {
  std::vector<Numbers> vectors;
  for (size_t first = 0; first < x.size(); first += 64 * 64) {
    Numbers sums(64);
    for (size_t i = first; i < std::min(x.size(), first + 64 * 64); ++i)
      sums[i % 64] += x[i];
    Numbers vector(16);
    for (size_t lane = 0; lane < 16; ++lane)
      vector[lane] =
          (sums[lane] + sums[16 + lane]) + (sums[32 + lane] + sums[48 + lane]);
    vectors.push_back(vector);
  }
  Numbers numbers;
  for (size_t first = 0; first < vectors.size(); first += 8) {
    Numbers sums(16);
    for (size_t i = first; i < std::min(vectors.size(), first + 8); ++i)
      for (size_t lane = 0; lane < 16; ++lane)
        sums[lane] += vectors[i][lane];
    for (size_t half = 8; half >= 1; half /= 2)
      for (size_t lane = 0; lane < half; ++lane)
        sums[lane] += sums[lane + half];
    numbers.push_back(sums[0]);
  }
  return nest({64}, numbers);
}

/// Returns the only result of a function on inputs, or nothing on failure.
Numbers run(ReferenceRun &model, ArrayRef<HostTensor> inputs) {
  SmallVector<HostTensor> results = model.run(inputs);
  EXPECT_EQ(model.error, "");
  if (results.empty())
    return {};
  ArrayRef<float> values = results[0].values<float>();
  return Numbers(values.begin(), values.end());
}

Numbers valuesOf(const HostTensor &tensor) {
  ArrayRef<float> values = tensor.values<float>();
  return Numbers(values.begin(), values.end());
}

/// Returns function @f with one op of one or two inputs x and y.
std::string functionOf(const std::string &op, const std::string &inputs,
                       const std::string &types, const std::string &result) {
  return "func.func @f(" + inputs + ") -> (" + result +
         " {tg.name = \"r\"}) {\n %r = " + op + " : " + types + " -> " +
         result + "\n return %r : " + result + "\n}";
}

/// Returns a reduction by sum of a tensor over axes.
std::string sumOf(const std::string &type, const std::string &attributes,
                  const std::string &result) {
  return functionOf("tg.reduce_sum %x {" + attributes + "}",
                    "%x: " + type + " {tg.name = \"x\"}", "(" + type + ")",
                    result);
}

} // namespace

TEST(ReferenceSums, OfALine) {
  ReferenceRun model(sumOf("tensor<?xf32>", "axes = [0]", "tensor<f32>"));
  for (int64_t length :
       {0, 1, 15, 16, 17, 63, 64, 65, 1000, 4096, 4097, 33000, 300000}) {
    HostTensor x = model.random<float>(length, length);
    EXPECT_EQ(run(model, x), Numbers{line(valuesOf(x))}) << length;
  }
}

TEST(ReferenceSums, OfManyLines) {
  ReferenceRun model(
      sumOf("tensor<70x100xf32>", "axes = [1]", "tensor<70xf32>"));
  HostTensor x = model.random<float>({70, 100}, 1);
  Numbers values = valuesOf(x), expected;
  for (auto from = values.begin(); from != values.end(); from += 100)
    expected.push_back(line(Numbers(from, from + 100)));
  EXPECT_EQ(run(model, x), expected);
}

TEST(ReferenceSums, OfColumns) {
  ReferenceRun model(sumOf("tensor<?x3xf32>", "axes = [0]", "tensor<3xf32>"));
  for (int64_t rows : {0, 1, 23, 24, 25, 1536, 1537, 5000}) {
    HostTensor x = model.random<float>({rows, 3}, rows);
    Numbers expected;
    for (int64_t column = 0; column < 3; ++column) {
      Numbers values;
      for (int64_t row = 0; row < rows; ++row)
        values.push_back(x.values<float>()[row * 3 + column]);
      expected.push_back(nest({24, 64, 64}, values));
    }
    EXPECT_EQ(run(model, x), expected) << rows;
  }
}

TEST(ReferenceSums, OfLinesAndRows) {
  ReferenceRun model(
      sumOf("tensor<30x2x70xf32>", "axes = [0, 2]", "tensor<2xf32>"));
  HostTensor x = model.random<float>({30, 2, 70}, 7);
  Numbers expected;
  for (int64_t middle = 0; middle < 2; ++middle) {
    Numbers lines;
    for (int64_t row = 0; row < 30; ++row) {
      auto from = x.values<float>().begin() + (row * 2 + middle) * 70;
      lines.push_back(line(Numbers(from, from + 70)));
    }
    expected.push_back(nest({24, 64, 64}, lines));
  }
  EXPECT_EQ(run(model, x), expected);
}

TEST(ReferenceSums, InAStatedOrder) {
  ReferenceRun model(sumOf("tensor<?xf32>",
                           "axes = [0], tg.order = #tg.order<blocks = [5, 3]>",
                           "tensor<f32>"));
  HostTensor x = model.random<float>(101, 3);
  EXPECT_EQ(run(model, x), Numbers{nest({5, 3}, valuesOf(x))});
}

TEST(ReferenceSums, WithoutAxesAreNotNegativeZeros) {
  ReferenceRun model(sumOf("tensor<2xf32>", "axes = []", "tensor<2xf32>"));
  HostTensor x = model.tensor<float>(2, {-0.0f, 1});
  EXPECT_FALSE(std::signbit(run(model, x)[0]));
}

TEST(ReferenceSums, OfProductsAreFusedInBlocks) {
  ReferenceRun model(functionOf(
      "tg.matmul %x, %y",
      "%x: tensor<2x?xf32> {tg.name = \"x\", tg.dims = [\"\", \"k\"]}, "
      "%y: tensor<?x3xf32> {tg.name = \"y\", tg.dims = [\"k\", \"\"]}",
      "(tensor<2x?xf32>, tensor<?x3xf32>)", "tensor<2x3xf32>"));
  for (int64_t k : {0, 1, 511, 512, 513, 8192, 8193, 20000}) {
    HostTensor x = model.random<float>({2, k}, 1);
    HostTensor y = model.random<float>({k, 3}, 2);
    Numbers expected;
    for (int64_t element = 0; element < 6; ++element) {
      Numbers blocks;
      for (int64_t i = 0; i < k; ++i) {
        if (i % 512 == 0)
          blocks.push_back(0);
        blocks.back() =
            std::fma(x.values<float>()[element / 3 * k + i],
                     y.values<float>()[i * 3 + element % 3], blocks.back());
      }
      expected.push_back(nest({16}, blocks));
    }
    EXPECT_EQ(run(model, {x, y}), expected) << k;
  }
}

TEST(ReferenceSums, OfWindowsRunOverTapsAndChannels) {
  ReferenceRun model(functionOf(
      "tg.conv %x, %y {padding = \"same\", strides = [2]}",
      "%x: tensor<1x9x2xf32> {tg.name = \"x\"}, "
      "%y: tensor<3x2x4xf32> {tg.name = \"y\"}",
      "(tensor<1x9x2xf32>, tensor<3x2x4xf32>)", "tensor<1x5x4xf32>"));
  HostTensor x = model.random<float>({1, 9, 2}, 1);
  HostTensor y = model.random<float>({3, 2, 4}, 2);
  Numbers expected;
  for (int64_t window = 0; window < 5; ++window)
    for (int64_t filter = 0; filter < 4; ++filter) {
      float sum = 0;
      for (int64_t tap = 0; tap < 3; ++tap)
        for (int64_t channel = 0; channel < 2; ++channel)
          if (int64_t at = 2 * window + tap - 1; at >= 0 && at < 9)
            sum = std::fma(x.values<float>()[at * 2 + channel],
                           y.values<float>()[(tap * 2 + channel) * 4 + filter],
                           sum);
      expected.push_back(sum);
    }
  EXPECT_EQ(run(model, {x, y}), expected);
}

TEST(ReferenceSums, OfTilesOfPositions) {
  ReferenceRun model(sumOf("tensor<2x5x7x3xf32>",
                           "axes = [0, 1, 2], tg.order = "
                           "#tg.order<lines = [3, 2], tile = [2, 4]>",
                           "tensor<3xf32>"));
  HostTensor x = model.random<float>({2, 5, 7, 3}, 1);
  Numbers expected;
  for (int64_t channel = 0; channel < 3; ++channel) {
    Numbers tiles;
    for (int64_t image : {0, 1})
      for (int64_t top : {0, 2, 4})
        for (int64_t left : {0, 4}) {
          float sum = 0;
          for (int64_t row = top; row < std::min<int64_t>(top + 2, 5); ++row)
            for (int64_t at = left; at < std::min<int64_t>(left + 4, 7); ++at)
              sum +=
                  x.values<float>()[((image * 5 + row) * 7 + at) * 3 + channel];
          tiles.push_back(sum);
        }
    expected.push_back(nest({3, 2}, tiles));
  }
  EXPECT_EQ(run(model, x), expected);
}

TEST(ReferenceSums, OfGroupedGradientsCountLines) {
  ReferenceRun model(functionOf(
      "tg.conv_filter_grad %x, %y {filter_sizes = [3], groups = 2 : i64, "
      "padding = \"same\", tg.order = #tg.order<blocks = [2, 2]>}",
      "%x: tensor<7x6x2xf32> {tg.name = \"x\"}, "
      "%y: tensor<7x6x2xf32> {tg.name = \"y\"}",
      "(tensor<7x6x2xf32>, tensor<7x6x2xf32>)", "tensor<3x1x2xf32>"));
  HostTensor x = model.random<float>({7, 6, 2}, 1);
  HostTensor y = model.random<float>({7, 6, 2}, 2);
  Numbers expected;
  for (int64_t tap = 0; tap < 3; ++tap)
    for (int64_t channel = 0; channel < 2; ++channel) {
      Numbers blocks((7 + 1) / 2);
      for (int64_t line = 0; line < 7; ++line)
        for (int64_t position = 0; position < 6; ++position)
          if (int64_t at = position + tap - 1; at >= 0 && at < 6)
            blocks[line / 2] =
                std::fma(x.values<float>()[(line * 6 + at) * 2 + channel],
                         y.values<float>()[(line * 6 + position) * 2 + channel],
                         blocks[line / 2]);
      expected.push_back(nest({2}, blocks));
    }
  EXPECT_EQ(run(model, {x, y}), expected);
}

// Transforms of small integers by tiles of 2x2 are exact, and so are sums. The
// constants of tiles of 4x4 round.
TEST(ReferenceSums, OfWinogradTilesAreThoseOfWindows) {
  auto check = [](const std::string &op, const std::string &attributes,
                  const std::string &xType, const std::string &yType,
                  const std::string &result) {
    auto runInOrder = [&](const std::string &order) {
      ReferenceRun model(
          functionOf("tg." + op + " %x, %y {" + attributes + order + "}",
                     "%x: " + xType + " {tg.name = \"x\"}, %y: " + yType +
                         " {tg.name = \"y\"}",
                     "(" + xType + ", " + yType + ")", result));
      auto integers = [&](const std::string &type, uint64_t seed) {
        auto shape = cast<RankedTensorType>(parseType(type, &model.context));
        HostTensor tensor = model.random<float>(shape.getShape(), seed);
        for (float &element : tensor.values<float>())
          element = std::round(element * 4);
        return tensor;
      };
      return run(model, {integers(xType, 1), integers(yType, 2)});
    };
    Numbers expected = runInOrder("");
    EXPECT_EQ(runInOrder(", tg.order = #tg.order<winograd = 2>"), expected);
    Numbers found = runInOrder(", tg.order = #tg.order<winograd = 4>");
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-3) << i;
  };
  const std::string x = "tensor<2x7x5x2xf32>", y = "tensor<2x7x5x3xf32>";
  const std::string w = "tensor<3x3x2x3xf32>", same = "padding = \"same\"";
  check("conv", same, x, w, y);
  check("conv_transpose", same + ", output_sizes = [7, 5]", y, w, x);
  check("conv_filter_grad", same + ", filter_sizes = [3, 3]", x, y, w);
}

TEST(ReferenceSums, OfOneSlopePerRowOfMoments) {
  ReferenceRun model("func.func @f(%x: tensor<30x2xf32> {tg.name = \"x\"}) -> "
                     "(tensor<2xf32> {tg.name = \"v\"}) {\n"
                     " %m, %v = tg.moments %x {axes = [0]} : "
                     "(tensor<30x2xf32>) -> (tensor<2xf32>, tensor<2xf32>)\n"
                     " return %v : tensor<2xf32>\n}");
  HostTensor x = model.random<float>({30, 2}, 5);
  // Two parts, of 24 and of 6 rows.
  auto partOf = [&](int64_t column, int64_t first, int64_t last) {
    float pivot = x.values<float>()[first * 2 + column], sum = 0, squares = 0;
    for (int64_t row = first; row < last; ++row) {
      float distance = x.values<float>()[row * 2 + column] - pivot;
      sum = sum + distance;
      squares = squares + distance * distance;
    }
    float offset = sum * (1.0f / float(last - first));
    return std::pair(double(pivot + offset) * double(last - first),
                     double(squares - sum * offset));
  };
  Numbers expected;
  for (int64_t column = 0; column < 2; ++column) {
    auto [leftSum, left] = partOf(column, 0, 24);
    auto [rightSum, right] = partOf(column, 24, 30);
    double distance = rightSum * (1.0 / 6) - leftSum * (1.0 / 24);
    double between = distance * distance * (24.0 * 6 / 30);
    expected.push_back(float((left + right + between) / 30));
  }
  EXPECT_EQ(run(model, x), expected);
}

// Chains of rows in groups of 4, whose totals form groups of 3.
TEST(ReferenceSums, OfMomentsMergeGroups) {
  ReferenceRun model("func.func @f(%x: tensor<30x2xf64> {tg.name = \"x\"}) -> "
                     "(tensor<2xf64> {tg.name = \"v\"}) {\n"
                     " %m, %v = tg.moments %x {axes = [0], tg.order = "
                     "#tg.order<lines = [4, 3]>} : (tensor<30x2xf64>) -> "
                     "(tensor<2xf64>, tensor<2xf64>)\n"
                     " return %v : tensor<2xf64>\n}");
  HostTensor x = model.random<double>({30, 2}, 5);
  struct Total {
    double count, mean, squares;
  };
  auto totalOf = [&](int64_t column, int64_t first, int64_t last) -> Total {
    double pivot = x.values<double>()[first * 2 + column];
    double sum = 0, squares = 0, count = double(last - first);
    for (int64_t row = first; row < last; ++row) {
      double distance = x.values<double>()[row * 2 + column] - pivot;
      sum = sum + distance;
      squares = squares + distance * distance;
    }
    double offset = sum * (1 / count);
    return {count, pivot + offset, squares - sum * offset};
  };
  auto merge = [](const Total &a, const Total &b) -> Total {
    double share = b.count / (a.count + b.count), distance = b.mean - a.mean;
    double between = (distance * distance) * (a.count * share);
    return {a.count + b.count, a.mean + distance * share,
            (a.squares + b.squares) + between};
  };
  SmallVector<HostTensor> results = model.run(x);
  ASSERT_EQ(model.error, "");
  for (int64_t column = 0; column < 2; ++column) {
    std::vector<Total> groups;
    for (int64_t first = 0; first < 30; first += 4) {
      Total total = totalOf(column, first, std::min<int64_t>(first + 4, 30));
      if (first % 12 == 0)
        groups.push_back(total);
      else
        groups.back() = merge(groups.back(), total);
    }
    Total all = merge(merge(groups[0], groups[1]), groups[2]);
    EXPECT_EQ(results[0].values<double>()[column], all.squares / 30) << column;
  }
}

TEST(ReferenceSums, RunInStepsOfLanes) {
  ReferenceRun model("func.func @f(%x: tensor<40xf32> {tg.name = \"x\"}) -> "
                     "(tensor<40xf32> {tg.name = \"r\"}) {\n"
                     " %r = tg.cumsum %x {axis = 0 : i64} : tensor<40xf32>\n"
                     " return %r : tensor<40xf32>\n}");
  HostTensor x = model.random<float>(40, 11);
  Numbers expected;
  double carried = 0;
  for (int64_t first = 0; first < 40; first += 16) {
    Numbers window(16);
    for (int64_t i = 0; i < 16; ++i)
      window[i] = first + i < 40 ? x.values<float>()[first + i] : 0;
    for (int64_t distance : {1, 2, 4, 8}) {
      Numbers before = window;
      for (int64_t i = distance; i < 16; ++i)
        window[i] = before[i] + before[i - distance];
    }
    for (int64_t i = 0; i < 16 && first + i < 40; ++i)
      expected.push_back(window[i] + float(carried));
    carried += window[15];
  }
  EXPECT_EQ(run(model, x), expected);
}

TEST(ReferenceSums, OfUpdatesFollowTheirOrder) {
  ReferenceRun model(functionOf(
      "tg.scatter %x, %i, %y",
      "%x: tensor<2xf32> {tg.name = \"x\"}, %i: tensor<5xi64> {tg.name = "
      "\"i\"}, %y: tensor<5xf32> {tg.name = \"y\"}",
      "(tensor<2xf32>, tensor<5xi64>, tensor<5xf32>)", "tensor<2xf32>"));
  HostTensor x = model.random<float>(2, 1), y = model.random<float>(5, 2);
  HostTensor i = model.tensor<int64_t>(5, {1, 0, 1, 1, 0});
  Numbers expected = valuesOf(x);
  for (int64_t update = 0; update < 5; ++update)
    expected[i.integerAt(update)] += y.values<float>()[update];
  EXPECT_EQ(run(model, {x, i, y}), expected);
}
