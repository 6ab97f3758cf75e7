// Tests the text of tensors, the tables of layers and the graphs of a program.
#include "PointsNetwork.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace tg;

namespace {
template <typename Thing> std::string print(const Thing &thing) {
  std::ostringstream stream;
  stream << thing;
  return stream.str();
}

TEST(View, printsNumbersThatAreNoneWithoutSign) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(print(Array(Literal{-nan, nan, 1}, f32)), "[nan nan 1]");
}

/// Ops that preserve an extent preserve its name.
TEST(View, printsNamesOfExtents) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("batch"), 4});
  Tensor images = program.input("images", f32, {dim("batch"), dim("h"), 8, 3});
  Tensor hidden = Linear({.units = 3})(x);
  EXPECT_EQ(toString(hidden.shape()), "[batch, 3]");
  EXPECT_EQ(toString(relu(softmax(hidden) - 1.0).shape()), "[batch, 3]");
  EXPECT_EQ(toString(reduceSum(hidden, {.axes = {1}}).shape()), "[batch]");
  EXPECT_EQ(toString(transpose(hidden, {1, 0}).shape()), "[3, batch]");
  EXPECT_EQ(toString(concat({hidden, x}, 1).shape()), "[batch, 7]");
  EXPECT_EQ(
      toString(
          Conv2D({.filters = 5, .padding = Padding::same})(images).shape()),
      "[batch, h, 8, 5]");
  EXPECT_EQ(toString(oneHot(argMax(hidden), 3).shape()), "[batch, 3]");
  EXPECT_EQ(
      toString(gradientsOf(reduceSum(hidden * hidden), {x, hidden})[0].shape()),
      "[batch, 4]");
  // A computed extent has no name.
  EXPECT_EQ(toString(concat({x, x}, 0).shape()), "[?, 4]");
  Tensor mask = x[{Slice(), 0}] > 0.0;
  auto [last, all] = scan(
      [&](Tensor sum, Tensor row) {
        EXPECT_EQ(toString(sum.shape()), "[batch]");
        EXPECT_EQ(toString(row.shape()), "[batch]");
        Tensor next = sum + row;
        return std::array{next, next * 2.0};
      },
      {zerosLike(reduceSum(x, {.axes = {1}}))}, {transpose(x, {1, 0})});
  EXPECT_EQ(toString(last.shape()), "[batch]");
  EXPECT_EQ(toString(all.shape()), "[4, batch]");
  Tensor either = cond(mask[0], [&] { return x * 2.0; }, [&] { return x; });
  EXPECT_EQ(toString(either.shape()), "[batch, 4]");
}

TEST(View, printsTensorsByNameShapeAndType) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 4});
  EXPECT_EQ(print(relu(x)), "Tensor(\"Relu:0\", shape=(?, 4), dtype=float32)");
  EXPECT_EQ(print(reduceSum(cast(x, i64))),
            "Tensor(\"ReduceSum:0\", shape=(), dtype=int64)");
  EXPECT_EQ(print(x > 0.0), "Tensor(\"Compare:0\", shape=(?, 4), dtype=bool)");
  EXPECT_EQ(print(program.variable("w", f64, {2}, zeros())),
            "Tensor(\"w:0\", shape=(2,), dtype=float64)");
  EXPECT_EQ(print(TensorType{u8, {dim("n"), 4}}), "u8 [n, 4]");
  EXPECT_EQ(print(Tensor()), "a tensor without value");
  EXPECT_EQ(print(Shape{dim("batch"), dim(), 10}), "[batch, ?, 10]");
  EXPECT_EQ(print(u8), "u8");
}

/// Returns the table of a function.
std::string tableOf(const std::string &summary, const std::string &function) {
  size_t begin = summary.find("\n" + function + " (");
  return summary.substr(begin + 1, summary.find("\n\n", begin) - begin);
}

TEST(View, summarizesLayers) {
  Program program("points");
  test::definePoints(program);
  std::string summary = program.summary();
  EXPECT_EQ(summary.substr(0, summary.find('\n')),
            "points: 82 trainable parameters, 992 bytes of variables");
  EXPECT_EQ(tableOf(summary, "test"),
            R"(test (x: f32 [batch, 2], label: i32 [batch]) -> )"
            R"((probabilities: f32 [batch, 2], accuracy: f32 [])
  layer       output           parameters  FLOPs            bytes
  Linear_1    f32 [batch, 16]          48  batch * 80       batch * 64 + 192
  Tanh_1      f32 [batch, 16]              batch * 16       batch * 64
  Linear_2    f32 [batch, 2]           34  batch * 66       batch * 8 + 136
  (no layer)  f32 []                       batch * 16 + 2   4
  total                                82  batch * 178 + 2  batch * 136 + 332
)");
  EXPECT_NE(tableOf(summary, "train").find("\n  Linear_2"), std::string::npos);
}

/// Pooling has a second result, the indices of the maxima.
TEST(View, summarizesPooling) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 4, 4, 3});
  MaxPooling pool({.strides = {2}});
  program.function("f", {.inputs = {x}, .outputs = {{"y", pool(x)}}});
  EXPECT_NE(program.summary().find("MaxPooling_1  f32 [n, 2, 2, 3]"),
            std::string::npos)
      << program.summary();
}

TEST(View, summaryOfAProgramWithoutVariables) {
  Program program("p");
  Tensor x = program.input("x", f32, {8});
  program.function("f", {.inputs = {x}, .outputs = {{"y", exp(x)}}});
  EXPECT_EQ(program.summary(),
            R"(p: 0 trainable parameters, 0 bytes of variables

f (x: f32 [8]) -> (y: f32 [8])
  layer       output   parameters  FLOPs  bytes
  (no layer)  f32 [8]              8      32
  total                         0  8      32
)");
}

TEST(View, writesAGraphWithLayersAsClusters) {
  Program program("points");
  test::definePoints(program);
  std::string path = testing::TempDir() + "points.dot";
  program.write(path);
  std::ostringstream stream;
  stream << std::ifstream(path).rdbuf();
  std::string text = stream.str();
  EXPECT_EQ(text.find("digraph \"points\" {\n"), 0u);
  EXPECT_EQ(std::count(text.begin(), text.end(), '{'),
            std::count(text.begin(), text.end(), '}'));
  for (const char *part :
       {"subgraph \"cluster test\" {\n    label=\"test\";\n",
        "    subgraph \"cluster test/Linear_1\" {\n"
        "      label=\"Linear_1\";\n",
        "      \"test.4\" [label=\"matmul\\nf32 [batch, 16]\", shape=box];\n",
        "  \"test.in.x\" -> \"test.4\";\n", "-> \"test.out.probabilities\";\n",
        "shape=cylinder"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(text.find("init"), std::string::npos);
}
} // namespace
