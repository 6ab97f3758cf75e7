// Compares gradients of composites with central differences.
#include "../Evaluator.h"
#include "tg/tg.h"

#include <gtest/gtest.h>

using namespace tg;

namespace {
using Numbers = std::vector<double>;

/// Compares the gradient of Σ y² with central differences at distinct numbers.
void expectGradient(Activation function, Shape shape = {dim("n"), 3}) {
  Program program("p");
  Tensor x = program.input("x", f64, shape);
  Tensor loss = reduceSum(square(function(x)));
  program.function("f", {.inputs = {x}, .outputs = {{"loss", loss}}});
  program.function(
      "g", {.inputs = {x}, .outputs = {{"slope", gradientsOf(loss, {x})[0]}}});
  Evaluator evaluator(program.text());
  Numbers at = {0.3, -1.2, 0.7, 1.9, -0.4, 0.8};
  auto run = [&](const char *name) {
    std::vector<Elements> outputs = evaluator.run(name, {{at, {2, 3}, f64}});
    EXPECT_EQ(evaluator.error(), "");
    return outputs.empty() ? Numbers(6) : outputs[0].values;
  };
  Numbers slope = run("g");
  for (size_t i = 0; i < at.size(); ++i) {
    double middle = at[i], losses[2];
    for (int side : {0, 1}) {
      at[i] = middle + (side == 0 ? -1e-5 : 1e-5);
      losses[side] = run("f")[0];
    }
    at[i] = middle;
    EXPECT_NEAR(slope[i], (losses[1] - losses[0]) / 2e-5, 1e-6) << "at " << i;
  }
}

TEST(FunctionalGradient, ofMovements) {
  for (Shape shape : {Shape{dim("n"), 3}, Shape{2, 3}, {dim("n"), dim("m")}}) {
    expectGradient([](Tensor x) { return tile(x, {3, 2}) + 1.0; }, shape);
    expectGradient([](Tensor x) { return roll(x, 1, 1) * x; }, shape);
    expectGradient([](Tensor x) { return roll(x, -1, 0) * x; }, shape);
    expectGradient([](Tensor x) { return diag(x) + 1.0; }, shape);
    expectGradient(
        [](Tensor x) { return diagPart(matmul(x, x, {.transposeRhs = true})); },
        shape);
    expectGradient([](Tensor x) { return bandPart(x, 0, 1) + x; }, shape);
    expectGradient([](Tensor x) { return sort(x) + x; }, shape);
    expectGradient([](Tensor x) { return takeAlongAxis(x, argSort(-x)) + x; },
                   shape);
    expectGradient(
        [](Tensor x) {
          Tensor row = argMax(x, 0);
          Tensor place = stack({row, iotaLike(row, 0)}, -1);
          return gatherNd(x, expandDims(place, 0)) + x;
        },
        shape);
  }
}

TEST(FunctionalGradient, ofParts) {
  for (Shape shape : {Shape{dim("n"), 3}, Shape{2, 3}, {dim("n"), dim("m")}}) {
    expectGradient(
        [](Tensor x) { return x[-1] * x[{Slice(), Slice(-2)}][0][1]; }, shape);
    expectGradient([](Tensor x) { return x[{Slice(), Slice(0, -1)}]; }, shape);
    expectGradient(
        [](Tensor x) {
          return x[{Slice(Slice::end, Slice::end, -1), Slice(-1, 0, -1)}] *
                 x[{Slice(), Slice(Slice::end, Slice::end, -2)}];
        },
        shape);
    for (PadMode mode : {PadMode::reflect, PadMode::edge})
      expectGradient(
          [=](Tensor x) {
            return pad(x, {.low = {1, 2}, .high = {0, 1}, .mode = mode}) + 1.0;
          },
          shape);
    expectGradient([](Tensor x) { return einsum("ij,kj,ij->ki", {x, x, x}); },
                   shape);
    expectGradient([](Tensor x) { return tensordot(x, x + 1.0, {0}, {0}); },
                   shape);
    expectGradient([](Tensor x) { return outer(x[0], x[1]); }, shape);
  }
}

TEST(FunctionalGradient, ofConvolutions) {
  for (Shape shape : {Shape{dim("n"), 3}, Shape{2, 3}, {dim("n"), dim("m")}}) {
    // One image of one channel, whose corner is the filter.
    auto image = [](Tensor x) { return expandDims(expandDims(x, 0), -1); };
    auto filter = [](Tensor x) {
      return reshape(slice(x, {{0, 0}, {2, 2}}), {2, 2, 1, 1});
    };
    expectGradient(
        [=](Tensor x) { return depthwiseConv2d(image(x), filter(x)); }, shape);
    expectGradient(
        [=](Tensor x) {
          return separableConv2d(image(x), filter(x),
                                 slice(filter(x), {{0, 0, 0, 0}, {1, 1, 1, 1}}),
                                 {.padding = Padding::same});
        },
        shape);
    for (TransposedSize size :
         {TransposedSize::greatest, TransposedSize::keras})
      expectGradient(
          [=](Tensor x) {
            return convTranspose2d(image(x), filter(x),
                                   {.strides = {2, 3}, .size = size});
          },
          shape);
  }
}

TEST(FunctionalGradient, ofWindows) {
  for (Shape shape : {Shape{dim("n"), 3}, Shape{2, 3}, {dim("n"), dim("m")}}) {
    // Two rows of one channel.
    auto rows = [](Tensor x) { return expandDims(x, -1); };
    expectGradient(
        [=](Tensor x) {
          return maxPool(rows(x), {.window = {2}, .padding = Padding::same});
        },
        shape);
    expectGradient(
        [=](Tensor x) {
          return avgPool(
              rows(x),
              {.window = {2}, .padding = {{1, 1}}, .countPadding = true});
        },
        shape);
    expectGradient(
        [=](Tensor x) {
          IndexedPool pooled = maxPoolWithIndices(rows(x), {.window = {2}});
          return maxUnpool(
              pooled.values, pooled.indices,
              {.pool = {.window = {2}}, .sizes = {extentOf(x, 1)}});
        },
        shape);
    expectGradient(
        [=](Tensor x) {
          return resize(rows(x),
                        {{7.0}, ResizeMode::linear, Coordinates::alignCorners});
        },
        shape);
    expectGradient([=](Tensor x) { return upsample(rows(x), {.scale = {2}}); },
                   shape);
    expectGradient([](Tensor x) { return localResponseNorm(x); }, shape);
  }
  auto image = [](Tensor x) { return reshape(x, {1, 2, 3, 1}); };
  expectGradient([=](Tensor x) { return fixedUnpool(image(x)) * 2.0; });
  expectGradient([=](Tensor x) {
    return depthToSpace(reshape(x, {1, 1, 1, 6}) * 1.0, 1);
  });
  expectGradient([=](Tensor x) { return spaceToDepth(image(x), 1) * 2.0; });
}

TEST(FunctionalGradient, ofNormalizations) {
  auto image = [](Tensor x) { return reshape(x, {1, 3, 1, 2}); };
  auto volume = [](Tensor x) { return reshape(x, {1, 1, 3, 1, 2}); };
  auto check = [](auto layer, auto shaped) {
    // The factor is needed, since without it the sum of squares would be
    // constant.
    expectGradient([=](Tensor x) mutable {
      return layer.trainFprop(shaped(x)) * shaped(x);
    });
  };
  check(InstanceNormalization({.center = false, .scale = false}), image);
  check(InstanceNormalization({.center = false, .scale = false}), volume);
  check(GroupNormalization({.groups = 1, .center = false, .scale = false}),
        image);
  check(GroupNormalization({.groups = 1, .center = false, .scale = false}),
        volume);
}

/// Returns the targets of the rows.
Tensor wanted(const Tensor &x) {
  return Program::of(x).constant({0, 1, 0, 1, 0, 1}, f64, {2, 3});
}

TEST(FunctionalGradient, ofImageLosses) {
  using Loss = Tensor (*)(Operand, Operand);
  for (Loss loss :
       {imagePrecision, imageRecall, imageF1, smoothIntersectionOverUnion})
    expectGradient([=](Tensor x) { return loss(sigmoid(x), wanted(x)); });
  auto images = [](Tensor x) { return expandDims(x, 1); };
  for (Loss loss : {generalizedDiceLoss, meanDiceLoss})
    expectGradient(
        [=](Tensor x) { return loss(images(sigmoid(x)), images(wanted(x))); });
  expectGradient([](Tensor x) { return inverseDiceLoss(x, wanted(x)); });
  // Nothing is predicted, and nothing is in the target.
  auto nothing = [](Tensor x) { return 0.0 * x; };
  expectGradient([=](Tensor x) { return imageF1(nothing(x), nothing(x)); });
  expectGradient([=](Tensor x) {
    return meanDiceLoss(images(nothing(x)), images(nothing(x)));
  });
}

TEST(FunctionalGradient, ofWeightedLosses) {
  LossWeights weights{.classes = {0.5, 1, 2}};
  auto examples = [](Tensor x) {
    return LossWeights{.examples = Program::of(x).constant({2, 3}, f64, {2}),
                       .normalizes = true};
  };
  for (double gamma : {0., 2.})
    expectGradient([=](Tensor x) {
      return weightedFocalCrossEntropy(x, wanted(x),
                                       {.weights = weights, .gamma = gamma});
    });
  expectGradient([=](Tensor x) {
    return weightedSigmoidCrossEntropy(
        x, wanted(x), {.weights = examples(x), .positives = {1, 2, 3}});
  });
  for (double greatest : {0., 1.})
    expectGradient([=](Tensor x) {
      return weightedDiceLoss(
          x, wanted(x),
          {.weights = weights, .power = 2, .greatestInverseArea = greatest});
    });
  for (bool appliesSoftmax : {true, false})
    expectGradient([=](Tensor x) {
      return weightedRootMeanSquaredError(
          x, wanted(x),
          {.weights = examples(x), .appliesSoftmax = appliesSoftmax});
    });
  expectGradient([=](Tensor x) {
    return weightedRootMeanSquaredError(x, x, {.appliesSoftmax = false});
  });
  expectGradient([=](Tensor x) {
    return weightedMeanAbsoluteError(x, wanted(x), weights);
  });
}

TEST(FunctionalGradient, ofPairLosses) {
  // Four points, the first two in one class.
  auto points = [](Tensor x) {
    return tanh(concat({x, reverse(x, {1}) * 0.7}, 0));
  };
  auto labels = [](Tensor x) {
    return Program::of(x).constant({1, 1, 0, 0}, i32, {4});
  };
  auto penalized = [](Tensor x) {
    return Program::of(x).constant(Numbers{0}, i32, {1});
  };
  for (double margin : {0.3, 5.})
    expectGradient([=](Tensor x) {
      return tripletLoss(
                 points(x), labels(x),
                 {.margin = margin, .penalized = penalized(x), .penalty = 0.2})
          .loss;
    });
  for (int64_t bins : {0, 10})
    expectGradient([=](Tensor x) {
      return histogramLoss(
          l2Normalize(points(x)), labels(x),
          {.bins = bins, .penalized = penalized(x), .penalty = 0.1});
    });
}

TEST(FunctionalGradient, ofComposites) {
  expectGradient([](Tensor x) { return attention(x, x * 2.0, x + 1.0); });
  expectGradient([](Tensor x) { return maxout(x, 3); });
  expectGradient([](Tensor x) { return huberLoss(x * x, x); });
}
} // namespace
