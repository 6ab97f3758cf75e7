// Tests towers: shared variables, moving averages, dropout, penalties.
#include "Towers.h"

using namespace tg;
using namespace tg::test;
namespace sym = tg::symbolic;
using sym::EmaUpdate;
using sym::TowerContext;

namespace {
// Columns 1, 2, 6 and 0, 0, 3: means 3 and 1, biased variances 14/3 and 2.
const Elements batch = {{1, 0, 2, 0, 6, 3}, {3, 2}};

Numbers normalized(Numbers mean, Numbers variance) {
  Numbers y;
  for (size_t i = 0; i < 6; ++i)
    y.push_back((batch.values[i] - mean[i % 2]) /
                std::sqrt(variance[i % 2] + 1e-5));
  return y;
}

Builder batchNorm(sym::BatchNormOptions options = {}) {
  return [=](Tensor x) { return Tensor(sym::BatchNorm("bn", x, options)); };
}

TEST(Tower, sharesItsVariables) {
  Towers towers({3, 2}, [](Tensor x) {
    Tensor y = sym::FullyConnected("fc", x, 4);
    return Tensor(sym::BatchNorm("bn", y));
  });
  EXPECT_EQ(namesOf(towers.program),
            (Words{"fc/W", "fc/b", "bn/gamma", "bn/beta", "bn/mean/EMA",
                   "bn/variance/EMA"}));
  EXPECT_EQ(towers.program.parameterCount(), 2 * 4 + 4 + 4 + 4);
}

TEST(Tower, batchNormUsesTheBatchOrTheAverages) {
  Towers towers({3, 2}, batchNorm());
  expectNear(towers.run("train", batch), normalized({3, 1}, {14.0 / 3, 2}));
  expectNear(towers.get("bn/mean/EMA"), {0.3, 0.1});
  Numbers variance = {0.9 + 0.1 * 14 / 3, 0.9 + 0.1 * 2};
  expectNear(towers.get("bn/variance/EMA"), variance);
  expectNear(towers.run("predict", batch), normalized({0.3, 0.1}, variance));
  expectNear(towers.get("bn/mean/EMA"), {0.3, 0.1}); // as before
}

// The moving averages of images use the unbiased variance.
TEST(Tower, batchNormOfImages) {
  Towers towers({3, 1, 1, 2}, batchNorm({.momentum = 0.5, .epsilon = 1}));
  towers.run("train", {batch.values, {3, 1, 1, 2}});
  expectNear(towers.get("bn/mean/EMA"), {1.5, 0.5});
  expectNear(towers.get("bn/variance/EMA"), {0.5 + 3.5, 0.5 + 1.5});
}

TEST(Tower, whoMovesTheAverages) {
  auto meansAfter = [](EmaUpdate update, bool isStep) {
    Program program("p");
    program.onWarning({});
    Tensor x = program.input("x", f32, {3, 2});
    TowerContext tower(program, "", {.isTraining = true});
    sym::LayerOutput y = sym::BatchNorm("bn", x, {.emaUpdate = update});
    FunctionOptions options = {.inputs = {x}, .outputs = {{"y", y}}};
    if (isStep)
      sym::trainFunction(program, "f", options);
    else
      program.function("f", options);
    program.function("look", {.outputs = {{"mean", y.variables.mean}}});
    Evaluator evaluator(program.text());
    evaluator.init(1);
    evaluator.run("f", {batch});
    return evaluator.run("look", {})[0].values;
  };
  expectNear(meansAfter(EmaUpdate::collection, true), {0.3, 0.1});
  expectNear(meansAfter(EmaUpdate::collection, false), {0, 0});
  expectNear(meansAfter(EmaUpdate::internal, true), {0.3, 0.1});
  expectNear(meansAfter(EmaUpdate::internal, false), {0.3, 0.1});
  expectNear(meansAfter(EmaUpdate::skip, true), {0, 0});
}

TEST(Tower, updatesAreInTheCollection) {
  auto updatesOf = [](EmaUpdate update, bool trains) {
    Program program("p");
    program.onWarning({});
    Tensor x = program.input("x", f32, {3, 2});
    TowerContext tower(program, "", {.isTraining = trains});
    sym::LayerOutput y = sym::BatchNorm("bn", x, {.emaUpdate = update});
    std::vector<Tensor> model = program.collection(GraphKeys::modelVariables);
    EXPECT_EQ(model.size(), 2u);
    EXPECT_EQ(model[0].id(), y.variables.mean.id());
    return program.collection(GraphKeys::updateOps).size();
  };
  EXPECT_EQ(updatesOf(EmaUpdate::collection, true), 2u);
  EXPECT_EQ(updatesOf(EmaUpdate::collection, false), 0u);
  EXPECT_EQ(updatesOf(EmaUpdate::internal, true), 0u);
  EXPECT_EQ(updatesOf(EmaUpdate::skip, true), 0u);
}

TEST(Tower, frozenBatchNorm) {
  Towers towers({3, 2}, batchNorm({.training = false}));
  std::vector<std::string> warnings;
  towers.program.onWarning(
      [&](const Warning &warning) { warnings.push_back(warning.message); });
  expectNear(towers.run("train", batch), normalized({0, 0}, {1, 1}));
  expectNear(towers.get("bn/mean/EMA"), {0, 0});
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("training=false"), std::string::npos);
  EXPECT_NE(warnings[1].find("changes no variable"), std::string::npos);
}

TEST(Tower, virtualBatches) {
  Towers towers({4, 1}, batchNorm({.axis = -1,
                                   .epsilon = 1e-5,
                                   .center = true,
                                   .scale = true,
                                   .betaInitializer = Initializer(1),
                                   .gammaInitializer = Initializer(2),
                                   .virtualBatchSize = 2}));
  expectNear(towers.run("train", {{0, 2, 6, 10}, {4, 1}}),
             {-1 + 1e-5, 3 - 1e-5, -1, 3});
  expectNear(towers.get("bn/mean/EMA"), {0.1}); // of the first two alone
}

TEST(Tower, batchRenormMovesItsAverages) {
  Towers towers({3, 2}, [](Tensor x) {
    return Tensor(sym::BatchRenorm("bn", x,
                                   {.rmax = 1,
                                    .dmax = 0,
                                    .momentum = 0.5,
                                    .epsilon = 1e-5,
                                    .center = true,
                                    .scale = true,
                                    .gammaInitializer = ones()}));
  });
  expectNear(towers.run("train", batch), normalized({3, 1}, {14.0 / 3, 2}));
  expectNear(towers.get("bn/mean/EMA"), {1.5, 0.5});
}

TEST(Tower, dropoutIsOffInPredictions) {
  for (auto drop :
       {Builder([](Tensor x) { return sym::Dropout(x); }),
        Builder([](Tensor x) { return sym::Dropout(x, 0.75); }),
        Builder([](Tensor x) { return sym::Dropout("d", x, {.rate = 0.25}); }),
        Builder([](Tensor x) {
          Tensor keep = Program::of(x).constant(0.75);
          return sym::Dropout("d", x, {.keepProb = keep});
        })}) {
    Towers towers({50, 50}, drop);
    Elements ones = {Numbers(2500, 1), {50, 50}};
    EXPECT_EQ(towers.run("predict", ones), ones.values);
    double kept = 0;
    Numbers y = towers.run("train", ones);
    double scale = *std::max_element(y.begin(), y.end());
    for (double number : y) {
      kept += number != 0;
      EXPECT_TRUE(number == 0 || number == scale);
    }
    EXPECT_NEAR(kept / 2500 * scale, 1, 0.1);
  }
}

// The tower of index 1 reuses the variables of the first one and updates no
// moving averages.
TEST(Tower, severalThatTrain) {
  Program program("p");
  program.onWarning({});
  Tensor x = program.input("x", f32, {3, 2});
  sym::TowerFunction build({"image"}, [](const std::vector<Tensor> &inputs) {
    return Tensor(
        sym::BatchNorm("bn", sym::FullyConnected("fc", inputs[0], 2)));
  });
  EXPECT_EQ(sym::currentTowerContext(), nullptr);
  for (int64_t index : {0, 1}) {
    TowerContext tower(program, "tower" + std::to_string(index),
                       {.isTraining = true, .index = index, .total = 2});
    EXPECT_EQ(sym::currentTowerContext(), &tower);
    EXPECT_EQ(tower.isMainTrainingTower(), index == 0);
    EXPECT_EQ(tower.hasOwnVariables(), index == 0);
    EXPECT_EQ(tower.index(), index);
    EXPECT_EQ(tower.total(), 2);
    EXPECT_EQ(tower.program().body(), program.body());
    build({x});
    EXPECT_EQ(tower.trainableVariables().size(), 4u);
    EXPECT_EQ(sym::updateOperations(program).effects().size(), 2u);
  }
  EXPECT_EQ(program.variables().size(), 6u);
  VariableScope reusing(program, "", {.reuse = Reuse::yes});
  TowerContext tower(program, "predict", {.isTraining = false});
  build({x});
  EXPECT_EQ(sym::updateOperations(program).effects().size(), 2u);

  EXPECT_EQ(build.towers().size(), 3u);
  EXPECT_EQ(build.training().size(), 2u);
  ASSERT_EQ(build.inference().size(), 1u);
  const sym::TowerHandle &second = build.tower("tower1");
  EXPECT_TRUE(second.isTraining());
  EXPECT_EQ(second.name(), "tower1");
  EXPECT_EQ(second.tensor("image").id(), x.id());
  EXPECT_EQ(second.tensor("bn/output").id(), second.output().id());
  EXPECT_EQ(second.tensor("tower0/bn/output").id(),
            build.tower("tower0").output().id());
  EXPECT_EQ(second.inputs().size(), 1u);
  EXPECT_EQ(second.variable("fc/W").name(), "fc/W");
  EXPECT_EQ(second.tensor("fc/W").id(), second.variable("fc/W").id());
}

TEST(Tower, trainsAgainUnderReuse) {
  Program program("p");
  Tensor x = program.input("x", f32, {3, 2});
  Tensor z = program.input("z", f32, {3, 2});
  auto build = [](Tensor input) {
    return Tensor(sym::BatchNorm("bn", sym::FullyConnected("fc", input, 2)));
  };
  Tensor first, second;
  {
    TowerContext tower(program, "", {.isTraining = true});
    first = build(x);
  }
  {
    VariableScope reuse(program, "", {.reuse = Reuse::yes});
    TowerContext tower(program, "again", {.isTraining = true});
    EXPECT_TRUE(tower.isTraining());
    EXPECT_FALSE(tower.hasOwnVariables());
    EXPECT_FALSE(tower.isMainTrainingTower());
    second = build(z);
    EXPECT_EQ(tower.trainableVariables().size(), 4u);
    EXPECT_THROW(sym::FullyConnected("new", z, 1), GraphError);
  }
  EXPECT_EQ(program.variables().size(), 6u);
  // The moving averages change only with the inputs of the first tower.
  sym::trainFunction(program, "f", {.inputs = {x}, .outputs = {{"y", first}}});
  program.function("g", {.inputs = {z}, .outputs = {{"y", second}}});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  EXPECT_EQ(evaluator.run("g", {batch})[0].values.size(), 6u);
}

TEST(Tower, withVariablesOfItsOwn) {
  Program program("p");
  Tensor x = program.input("x", f32, {3, 2});
  for (int64_t index : {0, 1}) {
    std::string name = "tower" + std::to_string(index);
    TowerContext tower(program, name,
                       {.isTraining = true,
                        .index = index,
                        .total = 2,
                        .variableScope = name});
    EXPECT_TRUE(tower.hasOwnVariables());
    EXPECT_EQ(tower.variableScope(), name);
    sym::FullyConnected("fc", x, 2);
    EXPECT_EQ(tower.trainableVariables().size(), 2u);
  }
  EXPECT_EQ(namesOf(program), (Words{"tower0/fc/W", "tower0/fc/b",
                                     "tower1/fc/W", "tower1/fc/b"}));
}

TEST(Tower, findsValuesInAVariableScopeOfAnotherName) {
  Program program("p");
  Tensor x = program.input("x", f32, {3, 2});
  sym::TowerFunction build({"image"}, [](const std::vector<Tensor> &inputs) {
    return Tensor(sym::FullyConnected("fc", inputs[0], 2));
  });
  TowerContext tower(program, "first",
                     {.isTraining = true, .variableScope = "net"});
  Tensor y = build({x});
  EXPECT_EQ(build.tower("first").tensor("fc/output").id(), y.id());
  EXPECT_EQ(build.tower("first").tensor("net/first/fc/output").id(), y.id());
  EXPECT_EQ(build.tower("first").variable("fc/W").name(), "net/fc/W");
}

/// Returns the values of scalars with all variables set to 1.
Numbers scalarsOf(Program &program, const std::vector<Tensor> &scalars) {
  FunctionOptions options;
  for (const Tensor &scalar : scalars)
    options.outputs.push_back(
        {"s" + std::to_string(options.outputs.size()), scalar});
  program.function("f", options);
  Evaluator evaluator(program.text());
  evaluator.init(1);
  Numbers found;
  for (const Elements &output : evaluator.run("f", {}))
    found.push_back(output.values[0]);
  EXPECT_EQ(evaluator.error(), "");
  return found;
}

TEST(RegularizeCost, sumsOverNames) {
  Program program("p");
  Tensor x = program.constant(1, f32, {2, 3});
  sym::FullyConnectedOptions options = {.kernelInitializer = ones(),
                                        .biasInitializer = ones()};
  std::vector<Tensor> costs;
  {
    TowerContext tower(program, "", {.isTraining = true});
    Tensor y = sym::FullyConnected("fc0", x, 4, options);
    sym::FullyConnected("fc1", y, 5, options);
    sym::FullyConnected("out", y, 7, options);
    costs = {sym::regularizeCost("fc.*/W", l2Loss),
             sym::regularizeCost("W$", l1Regularizer(0.5)),
             sym::regularizeCost("c1", l2Loss),
             sym::regularizeCost("none", l2Loss)};
  }
  TowerContext tower(program, "x", {.isTraining = false});
  costs.push_back(sym::regularizeCost(".*", l2Loss));
  EXPECT_EQ(scalarsOf(program, costs),
            (Numbers{(12 + 20) / 2.0, (12 + 20 + 28) / 2.0, 12.5, 0, 0}));
}

// A tower that reuses variables has the same penalties as the tower that
// created them, as in each step of eager mode.
TEST(RegularizeCost, ofATowerThatIsBuiltAgain) {
  for (bool eagerly : {false, true}) {
    ExecutionScope mode(eagerly);
    Program program("p");
    Variable other = program.variable("other/W", f32, {9}, ones());
    Tensor x = program.constant(1, f32, {2, 3});
    std::vector<Tensor> costs;
    for (int step = 0; step < 3; ++step) {
      VariableScope scope(program, "", {.reuse = Reuse::automatic});
      TowerContext tower(program, "", {.isTraining = true});
      sym::FullyConnected("fc", x, 4,
                          {.kernelInitializer = ones(),
                           .kernelRegularizer = l2Regularizer(0.5)});
      EXPECT_EQ(tower.trainableVariables().size(), 2u);
      costs.push_back(sym::regularizeCost("W$", l2Loss));
      costs.push_back(sym::regularizeCostFromCollection());
    }
    Numbers found;
    if (eagerly)
      for (const Tensor &cost : costs)
        found.push_back(cost.item());
    else
      found = scalarsOf(program, costs);
    EXPECT_EQ(found, (Numbers{6, 3, 6, 3, 6, 3}));
  }
}

TEST(RegularizeCost, ofLayersThatATowerUsesAgain) {
  ExecutionScope mode(true);
  Program program("p");
  Linear layer({.units = 4, .weightInitializer = ones(), .name = "fc"});
  for (int step = 0; step < 2; ++step) {
    TowerContext tower(program, "", {.isTraining = true});
    layer(program.constant(1, f32, {2, 3}));
    EXPECT_EQ(sym::regularizeCost("weight$", l2Loss).item(), 6);
  }
  TowerContext tower(program, "", {.isTraining = true});
  EXPECT_EQ(sym::regularizeCost("weight$", l2Loss).item(), 0);
}

TEST(RegularizeCost, fromTheCollection) {
  Program program("p");
  Tensor x = program.constant(1, f32, {2, 3});
  std::vector<Tensor> costs;
  auto build = [&](Reuse reuse) {
    VariableScope scope(program, "net", {.reuse = reuse});
    sym::FullyConnected("fc0", x, 4,
                        {.kernelInitializer = ones(),
                         .biasInitializer = ones(),
                         .kernelRegularizer = l2Regularizer(0.1),
                         .biasRegularizer = l1Regularizer(1),
                         .activityRegularizer = l1Regularizer(0.01)});
  };
  {
    TowerContext tower(program, "", {.isTraining = true});
    build(Reuse::no);
    costs = {sym::regularizeCostFromCollection("penalty")};
  }
  TowerContext tower(program, "x", {.isTraining = false});
  build(Reuse::yes);
  costs.push_back(sym::regularizeCostFromCollection());
  expectNear(scalarsOf(program, costs), {0.6 + 4 + 0.01 * 8 * 4, 0});
}
} // namespace
