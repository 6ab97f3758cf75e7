// Tests sessions: fetches are compiled and run, each session has its variables.
#include "tg/tg.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace tg;

namespace {
/// Fixture with a graph for each test.
class Sessions : public testing::Test {
protected:
  Program graph{"g"};
  std::unique_ptr<DefaultGraph> building{new DefaultGraph(graph)};
  SessionOptions quick{.optimization = 1, .kernelCache = ""};
};

TEST_F(Sessions, compilesEachFetchOnceForAllExtents) {
  Tensor x = placeholder(f32, {dim("n")}, "x");
  Tensor y = reduceSum(x * x).named("y");
  Session session(quick);
  EXPECT_EQ(session.run(y, {{x, {1, 2}}}).scalar(), 5);
  EXPECT_EQ(session.run(y, {{x, {1, 2, 3}}}).scalar(), 14);
  EXPECT_EQ(session.run(y, {{x, std::vector<float>(1000, 1)}}).scalar(), 1000);
  EXPECT_EQ(session.run(y, {{x, {2, 2}}}).scalar(), 8);
  EXPECT_EQ(session.compiledCount(), 1u);
  EXPECT_EQ(session.run("y:0", {{"x", {3, 4}}}).scalar(), 25);
}

TEST_F(Sessions, keepsTemporaryVectorsAndTakesSpans) {
  Tensor x = placeholder(f32, {dim("n")}, "x");
  Tensor chosen = placeholder(boolean, {dim("n")}, "chosen");
  Session session(quick);
  FeedValue kept = std::vector<float>{1, 2, 3};
  FeedValue square(std::vector<float>{1, 2, 3, 4}, {2, 2});
  std::vector<float> others(64, 9), row = {4, 5, 6};
  const std::vector<bool> mask = {true, false, true};
  using Floats = std::vector<float>;
  EXPECT_EQ(session.run(x, {{x, kept}}).to<float>(), (Floats{1, 2, 3}));
  EXPECT_EQ(
      session.run(placeholder(f32, {2, 2}, "square"), {{"square", square}})
          .size(),
      4u);
  EXPECT_EQ(session.run(x, {{x, std::span(row)}}).to<float>(), row);
  EXPECT_EQ(session.run(x, {{x, std::span<const float>(row).first(2)}}).size(),
            2u);
  Tensor some = select(chosen, x, zerosLike(x));
  EXPECT_EQ(session.run(some, {{x, row}, {chosen, mask}}).to<float>(),
            (Floats{4, 0, 6}));
  EXPECT_EQ(
      session.run(some, {{x, row}, {chosen, std::vector<bool>(3)}}).to<float>(),
      (Floats{0, 0, 0}));
}

TEST_F(Sessions, givesListsAndTheSameTensorTwice) {
  Tensor x = placeholder(i32, {2}, "x");
  Tensor y = x + 1.0;
  Session session(quick);
  std::vector<Array> found = session.run({x, y, y, "x"}, {{x, {3, 4}}});
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].to<int>(), (std::vector<int>{3, 4}));
  EXPECT_EQ(found[1].to<int>(), found[2].to<int>());
  EXPECT_EQ(found[3].to<int>(), found[0].to<int>());
  EXPECT_TRUE(session.run(std::vector<Fetch>()).empty());
}

TEST_F(Sessions, givesStructuresAsTheyAreFetched) {
  Tensor x = placeholder(i32, {2}, "x");
  Tensor y = x + 1.0;
  Tensor z = x * 3.0;
  Session session(quick);
  const std::vector<Feed> feeds = {{x, {3, 4}}};
  // A map of lists of maps.
  using Deep = std::map<std::string, std::vector<std::map<int, Tensor>>>;
  std::map<std::string, std::vector<std::map<int, Array>>> deep =
      session.run(Deep{{"a", {{{1, x}, {2, y}}, {{7, z}}}}, {"b", {}}}, feeds);
  EXPECT_EQ(deep.at("a")[0].at(2).to<int>(), (std::vector<int>{4, 5}));
  EXPECT_EQ(deep.at("a")[1].at(7).to<int>(), (std::vector<int>{9, 12}));
  EXPECT_TRUE(deep.at("b").empty());
  // Fetches of a tuple may have different types.
  auto [one, rest, named] =
      session.run(std::tuple(x, std::vector{y, y}, std::pair("x:0", z)), feeds);
  EXPECT_EQ(one.at(0), 3);
  EXPECT_EQ(rest[1].at(1), 5);
  EXPECT_EQ(named.first.at(1), 4);
  EXPECT_EQ(named.second.at(0), 9);
  EXPECT_EQ(session.compiledCount(), 2u);
}

TEST_F(Sessions, givesTreesAsTheyAreFetched) {
  Tensor x = placeholder(i32, {2}, "x");
  Tensor y = x + 1.0;
  Variable w = variable(4.0);
  Session session(quick);
  ArrayTree found = session.run(
      FetchTree::map(
          {{"begin", graph.initializer()},
           {"layers",
            FetchTree::list({FetchTree::map({{"x", x}, {"y", y}}), y})},
           {"none", FetchTree::list({})}}),
      {{x, {3, 4}}});
  EXPECT_FALSE(found.at("begin").array().isDefined());
  EXPECT_EQ(found.names(),
            (std::vector<std::string>{"begin", "layers", "none"}));
  const ArrayTree &layers = found.at("layers");
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_EQ(layers.at(0).at("y").array().at(1), 5);
  EXPECT_EQ(layers.at(1).array().at(0), 4);
  EXPECT_EQ(found.at("none").size(), 0u);
  EXPECT_THROW(layers.array(), GraphError);
  EXPECT_THROW(layers.at(2), GraphError);
  EXPECT_THROW(found.at("loss"), GraphError);
}

TEST_F(Sessions, cutsAtWhateverIsFed) {
  Tensor x = placeholder(f32, {3});
  Tensor y = x * 2.0;
  Tensor z = y + 1.0;
  Variable w = variable(4.0);
  TopK top = topK(x, 2);
  Session session(quick);
  EXPECT_EQ(session.run(z, {{y, {1, 1, 1}}}).to<int>(),
            (std::vector<int>{2, 2, 2}));
  EXPECT_EQ(session.run(w * 2.0, {{w, 5}}).scalar(), 10);
  std::vector<Array> both = session.run(
      {top.values, top.indices}, {{x, {1, 3, 2}}, {top.indices, {9, 9}}});
  EXPECT_EQ(both[0].to<int>(), (std::vector<int>{3, 2}));
  EXPECT_EQ(both[1].to<int>(), (std::vector<int>{9, 9}));
}

TEST_F(Sessions, takesArraysAndVectorsAsTheyAre) {
  Tensor x = placeholder(f32, {dim(), 2});
  Tensor sums = reduceSum(x, {{0}});
  Session session(quick);
  std::vector<float> numbers = {1, 2, 3, 4};
  Array sum = session.run(sums, {{x, {numbers, {2, 2}}}});
  EXPECT_EQ(sum.to<int>(), (std::vector<int>{4, 6}));
  Array again = session.run(sums, {{x, Array(numbers, {2, 2})}});
  EXPECT_EQ(again.to<int>(), sum.to<int>());
  EXPECT_EQ(session.run(constant(sum) + 1.0).to<int>(),
            (std::vector<int>{5, 7}));
}

TEST_F(Sessions, keepVariablesWhenTheGraphGrows) {
  Variable a = variable(3, "a");
  Assignment up = assignAdd(a, 1);
  Session session(quick);
  EXPECT_FALSE(session.isInitialized(a));
  session.run(graph.initializer({a}));
  EXPECT_TRUE(session.isInitialized(a));
  EXPECT_EQ(session.run(up).scalar(), 4);
  Variable big = variable({100, 100}, glorotUniform(), {.name = "big"});
  Variable b = variable(7, "b");
  EXPECT_THROW(session.run(b), GraphError);
  session.run(graph.initializer({big, b}));
  EXPECT_EQ(session.run(b).scalar(), 7);
  size_t count = session.compiledCount();
  EXPECT_EQ(session.run(up).scalar(), 5);
  EXPECT_EQ(session.compiledCount(), count) << "nothing is compiled again";
  EXPECT_EQ(session.run(a).scalar(), 5);
  Session other = std::move(session);
  EXPECT_EQ(other.run({a, b})[1].scalar(), 7);
}

TEST_F(Sessions, takeValuesBeforeAndBetweenRuns) {
  Variable a = variable(0, "a");
  Variable wide = variable({1000}, 1.0, {.name = "wide"});
  Tensor sum = cast(a, f32) + reduceSum(wide);
  Session session(quick);
  session.setValue(a, 5);
  EXPECT_EQ(session.value(a).scalar(), 5);
  EXPECT_FALSE(session.isInitialized(wide));
  EXPECT_THROW(session.run(sum), GraphError);
  session.setValue(wide, std::vector<float>(1000, 2));
  EXPECT_EQ(session.run(sum).scalar(), 2005);
  Variable late = variable(0, "late");
  session.setValue(late, 7);
  EXPECT_EQ(session.run(sum).scalar(), 2005);
  EXPECT_EQ(session.run(late + a).scalar(), 12);
  EXPECT_EQ(session.value(late).scalar(), 7);
}

TEST_F(Sessions, givesPackedWeightsTheirNewValues) {
  Variable w = variable({64, 64}, 1.0, {.name = "w"});
  Tensor x = placeholder(f32, {dim(), 64});
  Tensor y = reduceMean(matmul(x, w));
  Assignment twice = assign(w, w * 2.0);
  Session session;
  session.run(globalVariablesInitializer());
  std::vector<float> ones(64 * 64, 1);
  for (double expected : {64, 128, 256}) {
    EXPECT_EQ(session.run(y, {{x, {ones, {64, 64}}}}).scalar(), expected);
    session.run(twice);
  }
}

TEST_F(Sessions, trainAsTheCompiledProgramDoes) {
  Tensor x = graph.input("x", f32, {dim("n"), 3});
  Tensor y = graph.input("y", f32, {dim("n"), 1});
  Linear layer({.units = 1});
  BatchNormalization norm;
  Tensor loss = reduceMean(square(layer(norm(x)) - y));
  Updates train = Adam({.learningRate = 0.1}).minimize(loss);
  graph.function(
      "train",
      {.inputs = {x, y}, .outputs = {{"loss", loss}}, .updates = train});

  std::vector<float> inputs(24), targets(8);
  std::iota(inputs.begin(), inputs.end(), 0.5f);
  std::iota(targets.begin(), targets.end(), -3.0f);
  Feed feeds[] = {{x, {inputs, {8, 3}}}, {y, {targets, {8, 1}}}};
  std::vector<double> losses[2];
  for (uint32_t threads : {1, 2}) {
    Session session({.seed = 5, .threads = threads, .kernelCache = ""});
    session.run(globalVariablesInitializer());
    for (int i = 0; i < 20; ++i)
      losses[threads - 1].push_back(
          session.run({loss, train}, {feeds[0], feeds[1]})[0].scalar());
    EXPECT_EQ(session.run(graph.step()).scalar(), 20);
  }
  EXPECT_EQ(losses[0], losses[1]);
  EXPECT_LT(losses[0].back(), losses[0].front() / 2);
}

TEST_F(Sessions, drawAnewInEachRunAndTheSameForASeed) {
  Tensor draw = randomUniform({4}, {.low = 0, .high = 1});
  Tensor twice = draw * 2.0;
  std::vector<float> found[2];
  for (std::vector<float> &numbers : found) {
    Session session({.seed = 3, .kernelCache = ""});
    for (int i = 0; i < 2; ++i) {
      std::vector<Array> both = session.run({draw, twice});
      for (int k = 0; k < 4; ++k) {
        numbers.push_back(both[0].to<float>()[k]);
        EXPECT_EQ(both[1].at(k), 2 * both[0].at(k)) << "one draw";
      }
    }
    EXPECT_NE(numbers[0], numbers[4]);
  }
  EXPECT_EQ(found[0], found[1]);
  Session other({.seed = 4, .kernelCache = ""});
  EXPECT_NE(other.run(draw).to<float>()[0], found[0][0]);
}

TEST_F(Sessions, assignInTheOrderOfTheLines) {
  Variable a = variable(1, "a");
  Assignment five = assign(a, 5);
  Tensor after, again = readValue(a);
  Assignment more;
  {
    ControlDependencies order({five});
    after = a + 2.0;
    more = assignSub(a, 1);
    EXPECT_EQ(identity(a).dtype(), i32);
  }
  Session session(quick);
  session.run(globalVariablesInitializer());
  EXPECT_EQ(session.run(a + 2.0).scalar(), 3);
  EXPECT_EQ(session.run(again).scalar(), 1) << "nothing was assigned";
  EXPECT_EQ(session.run(after).scalar(), 7) << "with the assignment";
  session.run(globalVariablesInitializer());
  std::vector<Array> found = session.run({a, again, five});
  EXPECT_EQ(found[0].scalar(), 1);
  EXPECT_EQ(found[1].scalar(), 5);
  EXPECT_EQ(found[2].scalar(), 5);
  EXPECT_EQ(session.run(more).scalar(), 4);
  EXPECT_EQ(session.run(a).scalar(), 4);
}

TEST_F(Sessions, orderIsThatOfFunctionsToo) {
  Variable a = variable(1.0, "a");
  Assignment five = assign(a, 5);
  Tensor after;
  {
    ControlDependencies order({five});
    after = a + 2.0;
  }
  graph.function("f", {.outputs = {{"after", after}, {"a", a}}});
  std::string text = graph.text();
  size_t assigned = text.rfind("tg.assign @a");
  EXPECT_LT(assigned, text.rfind("tg.read @a")) << text;
}

TEST_F(Sessions, leaveVariablesWhereARunFails) {
  Variable place = variable(0, "place");
  Variable count = variable(0, "count");
  Tensor list = constant({1.5, 2.5, 3.5});
  Tensor next = placeholder(i32, {});
  Assignment set = assign(place, next);
  Assignment counted = assignAdd(count, 1);
  Tensor found;
  {
    ControlDependencies order({set, counted});
    found = gather(list, place);
  }
  Session session(quick);
  session.run(globalVariablesInitializer());
  EXPECT_EQ(session.run(found, {{next, 2}}).scalar(), 3.5);
  EXPECT_THROW(session.run(found, {{next, 3}}), GraphError);
  EXPECT_EQ(session.run(place).scalar(), 2);
  EXPECT_EQ(session.run(count).scalar(), 1);
  EXPECT_EQ(session.run(found, {{next, 1}}).scalar(), 2.5);
  EXPECT_EQ(session.run(count).scalar(), 2);
}

TEST_F(Sessions, turnToTheirHost) {
  Tensor x = placeholder(f32, {2});
  Variable count = variable(0, "count");
  Tensor told = print("x", x);
  Assignment counted = assignAdd(count, 1);
  Tensor y;
  {
    ControlDependencies order({counted});
    y = hostCall("double", {told}, {f32, {2}});
  }
  Session session(quick);
  std::vector<std::string> lines;
  session.onPrint([&](const std::string &label, const Array &value) {
    lines.push_back(label + std::to_string(value.at(1)));
  });
  session.run(globalVariablesInitializer());
  session.registerHost("", [](const std::vector<Array> &inputs) {
    return inputs; // which no graph calls
  });
  EXPECT_THROW(session.run(y, {{x, {1, 2}}}), GraphError) << "not registered";
  EXPECT_EQ(session.run(count).scalar(), 0);
  session.registerHost("double", [](const std::vector<Array> &inputs) {
    if (inputs[0].at(0) < 0)
      throw std::runtime_error("too small");
    std::vector<float> twice = inputs[0].to<float>();
    for (float &number : twice)
      number *= 2;
    return std::vector<Array>{Array(twice, {2})};
  });
  EXPECT_EQ(session.run(y, {{x, {1, 2}}}).to<int>(), (std::vector<int>{2, 4}));
  EXPECT_EQ(lines, std::vector<std::string>{"x2.000000"});
  EXPECT_EQ(session.run(count).scalar(), 1);
  try {
    session.run(y, {{x, {-1, 2}}});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_NE(error.message.find("too small"), std::string::npos);
    EXPECT_NE(error.line, 0u);
  }
  EXPECT_EQ(session.run(count).scalar(), 1) << "as before the run that failed";
}

TEST_F(Sessions, updateStatisticsOfLayersWhereTheyAreAsked) {
  Tensor x = placeholder(f32, {dim("n"), 2});
  BatchNormalization norm({.momentum = 0.5});
  Tensor y = norm(x);
  Tensor other = x * 2.0;
  std::vector<Variable> all = graph.variables();
  auto mean = std::find_if(all.begin(), all.end(), [](const Variable &each) {
    return each.name().ends_with("mean");
  });
  ASSERT_NE(mean, all.end());
  Session session(quick);
  session.run(globalVariablesInitializer());
  session.run(other, {{x, {{1, 1}, {3, 5}}}});
  EXPECT_EQ(session.run(*mean).to<int>(), (std::vector<int>{0, 0}));
  session.run(y, {{x, {{1, 1}, {3, 7}}}});
  EXPECT_EQ(session.run(*mean).to<int>(), (std::vector<int>{0, 0}));
  session.run(collection(GraphKeys::updateOps), {{x, {{1, 1}, {3, 7}}}});
  EXPECT_EQ(session.run(*mean).to<int>(), (std::vector<int>{1, 2}));
}

/// Without a tensor argument, the loop is built in the default graph.
TEST_F(Sessions, loopsBeginWithNumbersAlone) {
  Tensor n = placeholder(i32, {}, "n");
  auto [trip, a, b] =
      whileLoop([&](Tensor trip, Tensor, Tensor) { return trip < n; },
                [](Tensor trip, Tensor a, Tensor b) {
                  return std::tuple(trip + 1, b, a + b);
                },
                {0, 0, 1});
  auto [sum, odds] =
      scan([](Tensor sum) { return std::pair(sum + 2, sum * 2 + 1); }, {0}, {},
           {.length = 3});
  Session session(quick);
  EXPECT_EQ(session.run(a, {{n, 30}}).scalar(), 832040);
  EXPECT_EQ(session.run(odds).to<int>(), (std::vector<int>{1, 5, 9}));
}
} // namespace
