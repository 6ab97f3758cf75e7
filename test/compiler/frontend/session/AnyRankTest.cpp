// Tests placeholders of unknown rank: graphs are built and compiled for each
// rank.
#include "tg/tg.h"

#include <gtest/gtest.h>

using namespace tg;

namespace {
using Tensors = std::vector<Tensor>;

std::string messageOf(const std::function<void()> &call) {
  try {
    call();
  } catch (const GraphError &error) {
    return error.message;
  }
  return "";
}
} // namespace

TEST(AnyRank, takesTheRankOfWhatIsFed) {
  Program graph("graph");
  AnyRank length(graph, {f32}, [](const Tensors &in) {
    return std::vector<Fetch>{reduceSum(square(in[0])), shapeOf(in[0])};
  });
  Session session(graph);
  std::vector<Array> scalar = length.run(session, {3});
  EXPECT_EQ(scalar[0].scalar(), 9);
  EXPECT_EQ(scalar[1].shape(), std::vector<int64_t>{0});
  std::vector<Array> rows = length.run(session, {{{1, 2}, {3, 4}, {0, 1}}});
  EXPECT_EQ(rows[0].scalar(), 31);
  EXPECT_EQ(rows[1].to<int64_t>(), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(length.run(session, {Array(Literal{1, 2, 3}, f32)})[0].scalar(), 14);
  std::vector<float> numbers = {1, 2, 3, 4};
  EXPECT_EQ(length.run(session, {FeedValue(numbers, {1, 2, 2})})[0].scalar(),
            30);
  EXPECT_EQ(length.builtCount(), 4u);
  // Other extents of a known rank need no new graph or library.
  EXPECT_EQ(length.run(session, {{1, 2}})[0].scalar(), 5);
  EXPECT_EQ(length.builtCount(), 4u);
  EXPECT_EQ(session.compiledCount(), 4u);
}

// The first program of "Effective TensorFlow": a polynomial is fitted to points
// that are fed as a vector or as a matrix.
TEST(AnyRank, trainsOneVariableByInputsOfSeveralRanks) {
  Program graph("graph");
  Variable w = graph.variable("w", f32, {3}, zeros());
  AnyRank fit(graph, {f32, f32}, [&](const Tensors &in) {
    Tensor x = in[0];
    Tensor terms = stack({square(x), x, onesLike(x)}, x.rank());
    Tensor found = tensordot(terms, w, {-1}, {0});
    Tensor loss = meanSquaredError(found, in[1]);
    return std::vector<Fetch>{loss, Adam({.learningRate = 0.1}).minimize(loss)};
  });
  Session session(graph);
  session.run(graph.initializer());
  std::vector<float> x, y;
  for (int i = -8; i < 8; ++i) {
    x.push_back(float(i) / 4);
    y.push_back(5 * x.back() * x.back() + 3);
  }
  for (int step = 0; step < 400; ++step) {
    fit.run(session, {x, y});
    fit.run(session, {FeedValue(x, {4, 4}), FeedValue(y, {4, 4})});
  }
  EXPECT_EQ(fit.builtCount(), 2u);
  std::vector<float> found = session.value(w).to<float>();
  EXPECT_NEAR(found[0], 5, 0.02);
  EXPECT_NEAR(found[1], 0, 0.02);
  EXPECT_NEAR(found[2], 3, 0.02);
}

TEST(AnyRank, namesTheRanksThatCannotBeBuilt) {
  Program graph("graph");
  AnyRank product(graph, {f32, f32}, [](const Tensors &in) {
    return std::vector<Fetch>{matmul(in[0], in[1])};
  });
  Session session(graph);
  std::string message =
      messageOf([&] { product.run(session, {{1, 2}, {{1}, {2}}}); });
  EXPECT_NE(message.find("with inputs of rank 1 and 2: "), std::string::npos)
      << message;
  EXPECT_EQ(product.builtCount(), 0u);
  EXPECT_EQ(messageOf([&] { product.run(session, {1}); }),
            "expected a value for each of 2 inputs, found 1");
  EXPECT_EQ(product.run(session, {{{1, 2}}, {{1}, {2}}})[0].scalar(), 5);
}

TEST(AnyRank, isOfGraphs) {
  Program graph("graph");
  EXPECT_NE(messageOf([&] { AnyRank(graph, {f32}, nullptr); }), "");
  ExecutionScope scope(true);
  Program eager("eager");
  auto build = [](const Tensors &in) { return std::vector<Fetch>{in[0]}; };
  EXPECT_NE(messageOf([&] { AnyRank(eager, {f32}, build); }), "");
}
