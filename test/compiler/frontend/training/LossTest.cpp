// Tests values of losses and measures, and the shapes that they accept.
#include "../Rows.h"

using namespace tg;
using namespace tg::test;

namespace {
TEST(Loss, valuesOfLossesAndMeasures) {
  auto half = [](Tensor x) { return sigmoid(x); };
  expectNear(on([](Tensor x) { return meanSquaredError(x, x + 2.0); }), {4});
  expectNear(on([](Tensor x) { return meanAbsoluteError(x, x - 2.0); }), {2});
  expectNear(on([&](Tensor x) { return binaryCrossEntropy(half(x), half(x)); }),
             on([&](Tensor x) {
               return reduceMean(sigmoidCrossEntropy(x, half(x)));
             }));
  expectNear(on([&](Tensor x) { return binaryCrossEntropy(half(x), 1.0); }),
             on([&](Tensor x) { return -reduceMean(logSigmoid(x)); }));
  expectNear(on([](Tensor x) { return accuracy(x, x); }), {1});
  expectNear(on([](Tensor x) { return errorRate(x, -x); }), {1});
  expectNear(on([](Tensor x) { return hingeLoss(x, onesLike(x)); }), {3. / 6});
  expectNear(on([](Tensor x) { return huberLoss(x, 0.0); }), {6.5 / 6});
  expectNear(on([](Tensor x) { return huberLoss(x, 0.0, 2); }), {9. / 6});
}

TEST(Loss, labelsAmongTheGreatest) {
  // The labels are 2 and 0: the maximum and the minimum of their rows.
  auto among = [](int64_t count) {
    return on([=](Tensor x) {
      Tensor label = cast(slice(x, {{0, 2}, {-1, 1}}) < 1.0, i32) * 2.0;
      return cast(inTopK(x, squeeze(label, {1}), count), f32);
    });
  };
  expectNear(among(1), {1, 0});
  expectNear(among(2), {1, 0});
  expectNear(among(3), {1, 1});
  expectNear(
      on([](Tensor x) { return cast(inTopK(log(x), argMin(x), 2), f32); }),
      {0, 0});
}

TEST(Loss, takesThePredictionFirst) {
  // Prediction 0.5, target 1: the entropy is -log 0.5; with the arguments
  // swapped it would be -log 1e-6.
  auto half = [](Tensor x) { return onesLike(x) * 0.5; };
  expectNear(
      on([&](Tensor x) { return binaryCrossEntropy(half(x), onesLike(x)); }),
      {-std::log(0.5)});
  // Predictions are clamped to 1, targets are not.
  expectNear(
      on([&](Tensor x) { return hingeLoss(2.0 * onesLike(x), -half(x)); }),
      {1.5});
  expectNear(on([](Tensor x) {
               return reduceMean(sigmoidCrossEntropy(0.0 * x, onesLike(x)));
             }),
             {std::log(2)});
}

TEST(Loss, checksShapesAtRunTime) {
  auto errorOf = [](Shape prediction, Shape target, Elements p, Elements t) {
    Program program("p");
    Tensor is = program.input("is", f32, prediction);
    Tensor wanted = program.input("wanted", f32, target);
    program.function("f", {.inputs = {is, wanted},
                           .outputs = {{"y", meanSquaredError(is, wanted)}}});
    Evaluator evaluator(program.text());
    evaluator.run("f", {p, t});
    return evaluator.error();
  };
  Elements row{{1, 2}, {1, 2}}, column{{1, 2}, {2, 1}},
      square{{1, 2, 3, 4}, {2, 2}};
  Shape one = {dim("n"), 1};
  Shape any = {dim("n"), dim("m")};
  EXPECT_EQ(errorOf(one, any, column, column), "");
  EXPECT_NE(errorOf(one, any, column, square), "");
  EXPECT_NE(errorOf(any, one, square, column), "");
  EXPECT_NE(errorOf(any, {dim("k"), dim("l")}, square, column), "");
  EXPECT_NE(errorOf(any, {dim("k"), dim("l")}, row, square), "");
}

TEST(Loss, precisionRecallAndF1) {
  Program program("p");
  Tensor is = program.input("is", f32, {dim("n"), 2});
  Tensor wanted = program.input("wanted", f32, {dim("n"), 2});
  program.function("f", {.inputs = {is, wanted},
                         .outputs = {{"p", binaryPrecision(is, wanted)},
                                     {"r", binaryRecall(is, wanted)},
                                     {"f1", binaryF1(is, wanted)}}});
  Evaluator evaluator(program.text());
  // Three positive predictions, one of them true; two positive targets.
  std::vector<Elements> found =
      evaluator.run("f", {{{0, 1, 0, 1, 0, 1, 1, 0, 1, 0}, {5, 2}},
                          {{0, 1, 1, 0, 1, 0, 0, 1, 1, 0}, {5, 2}}});
  ASSERT_EQ(found.size(), 3u) << evaluator.error();
  EXPECT_NEAR(found[0].values[0], 1. / 3, 1e-6);
  EXPECT_NEAR(found[1].values[0], 1. / 2, 1e-6);
  EXPECT_NEAR(found[2].values[0], 2. / 5, 1e-6);
}
} // namespace
