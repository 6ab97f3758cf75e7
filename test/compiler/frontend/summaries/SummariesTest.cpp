// Tests summaries: tags, values in sessions and in eager mode, merging.
#include "../Errors.h"
#include "ParsedSummary.h"
#include "tg/tg.h"

#include <gtest/gtest.h>

using namespace tg;
using namespace tg::test;

namespace {
using Words = std::vector<std::string>;

/// Fixture with a graph for each test.
class Summaries : public testing::Test {
protected:
  Program graph{"g"};
  std::unique_ptr<DefaultGraph> building{new DefaultGraph(graph)};
  SessionOptions quick{.optimization = 1, .kernelCache = ""};
};

TEST_F(Summaries, haveTheValuesOfARun) {
  Tensor x = placeholder(f32, {dim("n")}, "x");
  summaryScalar("sum", reduceSum(x));
  summaryScalar("count", shapeOf(x)[0]);
  summaryHistogram("spread", x);
  SummaryOp merged = mergeAllSummaries();
  EXPECT_EQ(merged.tags(), (Words{"sum", "count", "spread"}));
  Session session(quick);
  auto found = parseSummary(session.run(merged, {{x, {1, 2, 4}}}));
  EXPECT_EQ(found.at("sum").scalar, 7);
  EXPECT_EQ(found.at("count").scalar, 3);
  EXPECT_EQ(found.at("spread").histogram,
            (std::vector<double>{1, 4, 3, 7, 21}));
  found = parseSummary(session.run(merged, {{x, {5}}}));
  EXPECT_EQ(found.at("sum").scalar, 5);
  EXPECT_EQ(session.compiledCount(), 1u);
}

TEST_F(Summaries, areFetchedWithOtherTensors) {
  Variable total = variable(0.0f, "total");
  Tensor x = placeholder(f32, {}, "x");
  Assignment added = assignAdd(total, x);
  SummaryOp summary = summaryScalar("total", added.value());
  Session session(quick);
  session.run(graph.initializer());
  for (double sum : {2.0, 4.0}) {
    auto [value, made, twice] = session.run(
        std::tuple(added.value(), summary, std::vector{summary, summary}),
        {{x, 2}});
    EXPECT_EQ(value.scalar(), sum);
    EXPECT_EQ(parseSummary(made).at("total_1").scalar, sum);
    EXPECT_EQ(twice[1].bytes(), made.bytes());
  }
}

TEST_F(Summaries, haveTagsOfTheirScopes) {
  Tensor x = placeholder(f32, {}, "x");
  EXPECT_EQ(summaryScalar("loss", x).tags(), Words{"loss"});
  EXPECT_EQ(summaryScalar("loss", x).tags(), Words{"loss_1"});
  {
    NameScope scope("train");
    EXPECT_EQ(summaryScalar("loss", x).tags(), Words{"train/loss"});
    EXPECT_EQ(summaryScalar("loss", x).tags(), Words{"train/loss_1"});
  }
  NameScope scope("train");
  EXPECT_EQ(summaryScalar("/top 1 (%)", x).tags(), Words{"train_1/top_1____"});
}

TEST_F(Summaries, mergeAllOrSome) {
  Tensor x = placeholder(f32, {}, "x");
  SummaryOp a = summaryScalar("a", x), b = summaryScalar("b", x * 2.0);
  SummaryOp c = summaryScalar("c", x * 3.0);
  SummaryOp some = mergeSummaries({c, a});
  EXPECT_EQ(some.tags(), (Words{"c", "a"}));
  EXPECT_EQ(mergeAllSummaries(graph).tags(), (Words{"a", "b", "c"}));
  EXPECT_EQ(b.tags(), Words{"b"});
  Session session(quick);
  auto found = parseSummary(session.run(some, {{x, 2}}));
  EXPECT_EQ(found.size(), 2u);
  EXPECT_EQ(found.at("c").scalar, 6);
  EXPECT_TRUE(session.run(mergeSummaries({})).isEmpty());
}

TEST_F(Summaries, becomeOutputsOfCompiledFunctions) {
  Tensor x = graph.input("x", f32, {2});
  summaryHistogram("spread", x);
  summaryScalar("stats/mean", reduceMean(x));
  graph.function("f", {.inputs = {x}, .outputs = summaryOutputs(graph)});
  EXPECT_NE(graph.text().find("stats/mean"), std::string::npos);
  EXPECT_EQ(graph.text().find("spread"), std::string::npos);
}

TEST_F(Summaries, inEagerModeHaveValuesAtOnce) {
  ExecutionScope eagerly(true);
  Program program("look");
  for (float number : {1.0f, 3.0f}) {
    Tensor x = program.tensor<float>({number, 1}, {2});
    SummaryOp mean = summaryScalar("mean", reduceMean(x));
    EXPECT_EQ(parseSummary(mean.value()).at("mean").scalar, (number + 1) / 2);
    NameScope scope(program, "x");
    summaryHistogram("all", x);
  }
  SummaryOp merged = mergeAllSummaries(program);
  EXPECT_EQ(merged.tags(), (Words{"mean", "x/all"}));
  auto found = parseSummary(merged.value());
  EXPECT_EQ(found.at("mean").scalar, 2);
  EXPECT_EQ(found.at("x/all").histogram, (std::vector<double>{1, 3, 2, 4, 10}));
  EXPECT_TRUE(mergeAllSummaries(program).value().isEmpty());
}

using SummaryErrors = Error;

TEST_F(SummaryErrors, nameTheLineAndTheTensor) {
  EXPECT_ERROR(summaryScalar("loss", y),
               "expected a scalar number for summary 'loss', found f32 [4, 5]");
  EXPECT_ERROR(summaryHistogram("mask", y > 0.0),
               "expected numbers for summary 'mask', found boolean [4, 5]");
  EXPECT_ERROR(summaryHistogram("/", y),
               "expected the name of a summary, found '/'");
  EXPECT_ERROR(summaryHistogram("y", y).value(),
               "expected a summary of eager mode, found one of a graph, which "
               "has a value when a session runs it");
  Program other("other");
  SummaryOp ofY = summaryHistogram("y", y);
  SummaryOp ofZ = summaryScalar("z", other.input("z", f32, {}));
  EXPECT_ERROR(mergeSummaries({ofY, ofZ}),
               "expected summaries of one program, found those of 'p' and "
               "'other'");
  Session session(other);
  EXPECT_ERROR(session.run(ofY), "expected a fetch of graph 'other'");
}

TEST_F(SummaryErrors, inEagerModeThereIsNothingToFetch) {
  ExecutionScope eagerly(true);
  Program look("look");
  SummaryOp summary = summaryScalar("x", look.constant(1));
  Session session(program);
  EXPECT_ERROR(session.run(summary),
               "expected a summary of a graph as fetch, found one of eager "
               "mode, which has a value");
}
} // namespace
