// Tests summaries of training steps: averages, parameters, activations.
#include "../Errors.h"
#include "Towers.h"

using namespace tg;
using namespace tg::test;
namespace sym = tg::symbolic;
using sym::SummaryType;
using sym::TowerContext;

namespace {
/// A program with a training tower that `build` fills.
struct Step {
  Program program{"p"};
  Tensor x = program.input("x", f32, {2, 2});

  explicit Step(const std::function<void(Tensor)> &build) {
    program.onWarning({});
    TowerContext tower(program, "tower0", {.isTraining = true});
    build(x);
  }

  /// Runs `train` once and returns its outputs by name.
  std::map<std::string, Numbers> train(const Numbers &input) {
    if (!evaluator) {
      sym::trainFunction(program, "train", {.inputs = {x}});
      evaluator = std::make_unique<Evaluator>(program.text());
      evaluator->init(1);
    }
    std::vector<Elements> outputs = evaluator->run("train", {{input, {2, 2}}});
    EXPECT_EQ(evaluator->error(), "");
    std::map<std::string, Numbers> found;
    std::vector<Output> named = summaryOutputs(program);
    for (size_t i = 0; i < outputs.size(); ++i)
      found[named[i].name] = outputs[i].values;
    return found;
  }

  std::unique_ptr<Evaluator> evaluator;
};

TEST(StepSummaries, ofMovingAverages) {
  Step step([](Tensor x) {
    Tensor mean = reduceMean(x).named("cost");
    std::vector<Tensor> averages =
        sym::addMovingSummary({mean, {reduceSum(x), "total"}}, {.decay = 0.5});
    EXPECT_EQ(averages.size(), 2u);
  });
  EXPECT_EQ(namesOf(step.program),
            (Words{"EMA/cost", "EMA/cost/biased", "EMA/cost/local_step",
                   "EMA/total", "EMA/total/biased", "EMA/total/local_step"}));
  auto found = step.train({1, 1, 1, 1});
  expectNear(found.at("cost-summary"), {1}); // without the bias to zero
  found = step.train({4, 4, 4, 4});
  // biased 0.5, then 2.25; 1 - 0.5² = 0.75
  expectNear(found.at("cost-summary"), {3});
  expectNear(found.at("total-summary"), {12});
}

TEST(StepSummaries, ofParameters) {
  Step step([](Tensor x) {
    sym::FullyConnected("fc", x, 2, {.kernelInitializer = ones()});
    sym::FullyConnected("fc2", x, 2);
    sym::addParamSummary({{"fc/W", {SummaryType::rms, SummaryType::mean}},
                          {".*/b$", {SummaryType::sparsity}},
                          {"fc", {SummaryType::histogram}},
                          {"c/W", {SummaryType::histogram}}});
  });
  EXPECT_EQ(
      mergeAllSummaries(step.program).tags(),
      (Words{"param-summary/fc/W-rms", "param-summary/fc/W-mean",
             "param-summary/fc/b-sparsity", "param-summary/fc2/b-sparsity"}));
  auto found = step.train({1, 1, 1, 1});
  expectNear(found.at("param-summary/fc/W-rms"), {1});
  expectNear(found.at("param-summary/fc2/b-sparsity"), {1});
}

TEST(StepSummaries, ofActivations) {
  Step step([](Tensor x) {
    sym::addActivationSummary(sym::FullyConnected("fc", x, 2));
    sym::addActivationSummary({relu(x), "x"},
                              {SummaryType::sparsity, SummaryType::rms});
    EXPECT_TRUE(sym::addActivationSummary(reduceSum(x)).tags().empty());
    NameScope scope(Program::of(x), "own");
    sym::addTensorSummary({reduceSum(x), "sum"}, {SummaryType::scalar});
  });
  EXPECT_EQ(mergeAllSummaries(step.program).tags(),
            (Words{"activation-summary/fc/output-sparsity",
                   "activation-summary/fc/output-rms",
                   "activation-summary/fc/output-histogram",
                   "activation-summary/x-sparsity", "activation-summary/x-rms",
                   "tower0/own/sum-summary"}));
  auto found = step.train({-1, 2, 0, 4});
  expectNear(found.at("activation-summary/x-sparsity"), {0.5});
  expectNear(found.at("activation-summary/x-rms"), {std::sqrt(5.0)});
  expectNear(found.at("tower0/own/sum-summary"), {5});
}

TEST(StepSummaries, areThoseOfTheMainTower) {
  Program program("p");
  program.onWarning({});
  Tensor x = program.input("x", f32, {2, 2});
  auto build = [&] {
    sym::FullyConnected("fc", x, 2);
    sym::addMovingSummary({{reduceSum(x), "sum"}});
    sym::addParamSummary({{".*", {SummaryType::rms}}});
    sym::addActivationSummary({x, "x"});
    sym::addTensorSummary({x, "x"}, {SummaryType::mean});
    summaryScalar("plain", reduceSum(x));
  };
  {
    TowerContext tower(program, "tower0", {.isTraining = true, .total = 2});
    build();
  }
  size_t variables = program.variables().size();
  size_t tags = mergeAllSummaries(program).tags().size();
  {
    TowerContext tower(program, "tower1",
                       {.isTraining = true, .index = 1, .total = 2});
    build();
  }
  EXPECT_EQ(mergeAllSummaries(program).tags().size(), tags + 1); // plain
  {
    VariableScope reusing(program, "", {.reuse = Reuse::yes});
    TowerContext tower(program, "predict", {.isTraining = false});
    build();
  }
  EXPECT_EQ(mergeAllSummaries(program).tags().size(), tags + 1);
  EXPECT_EQ(program.variables().size(), variables);
  // The outputs are those of the main tower, and no output occurs twice.
  sym::trainFunction(
      program, "train",
      {.inputs = {x}, .outputs = {{"sum-summary", reduceMean(x)}}});
  std::string text = program.text();
  EXPECT_NE(text.find("tower0/plain"), std::string::npos);
  EXPECT_EQ(text.find("tower1/plain"), std::string::npos);
}

TEST(StepSummaries, inEagerMode) {
  ExecutionScope eagerly(true);
  Program program("p");
  for (float number : {1.0f, 4.0f}) {
    TowerContext tower(program, "", {.isTraining = true});
    Tensor x = program.tensor<float>({number}, {});
    std::vector<Tensor> averages =
        sym::addMovingSummary({{x, "x"}}, {.decay = 0.5});
    EXPECT_NEAR(averages[0].item(), number == 1 ? 1 : 3, 1e-6);
  }
  EXPECT_EQ(mergeAllSummaries(program).tags(), Words{"x-summary"});
}

using StepSummaryErrors = Error;

TEST_F(StepSummaryErrors, nameTheLine) {
  EXPECT_ERROR(sym::addMovingSummary({y}),
               "expected a scalar number for a moving average, found f32 "
               "[4, 5]");
  EXPECT_ERROR(sym::addMovingSummary({reduceSum(y)}, {.decay = 1}),
               "expected a decay of at least 0 and below 1, found 1.000000");
  EXPECT_ERROR(sym::addTensorSummary(y, {SummaryType::scalar}),
               "expected a scalar number for summary 'y-summary', found f32 "
               "[4, 5]");
  DefaultGraph building(program);
  EXPECT_ERROR(sym::addParamSummary({{"(", {SummaryType::rms}}}),
               "expected a regular expression of names of variables, found "
               "'('");
  ExecutionScope eagerly(true);
  Program look("look");
  EXPECT_ERROR(sym::addMovingSummary({look.constant(1)}),
               "expected a name for the summary of a tensor of eager mode");
}
} // namespace
