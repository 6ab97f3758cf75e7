// Tests host functions, prints and custom gradients in eager mode, and
// gradients by name in both modes.
#include "../Errors.h"

using namespace tg;

namespace {
class EagerHost : public testing::Test {
protected:
  ExecutionScope scope{true};
  Program program{"host"};

  EagerHost() { registerHost(program, "square", squares); }
  static std::vector<Array> squares(const std::vector<Array> &inputs) {
    std::vector<float> results;
    for (float number : inputs[0].values<float>())
      results.push_back(number * number);
    return {Array(results, inputs[0].shape())};
  }
  /// Returns a custom gradient scale · 2x for x².
  static GivenGradient times(double scale) {
    return [=](auto &inputs, auto &, auto &gradients) {
      return std::vector{gradients[0] * inputs[0] * (2 * scale)};
    };
  }
};

TEST_F(EagerHost, callsAtOnce) {
  Tensor x = program.tensor<float>({1, -2, 3}, {3});
  Tensor y = hostCall("square", {x}, {f32, {3}});
  EXPECT_EQ(y.values<float>(), (std::vector<float>{1, 4, 9}));
  Tensor sized = hostCall("square", {x}, {f32, {dim()}},
                          {.sizes = {program.constant(3, i64)}});
  EXPECT_EQ(sized.values<float>(), y.values<float>());
  EXPECT_ERROR(hostCall("cube", {x}, {f32, {3}}), "'cube' of the host");
  EXPECT_ERROR(hostCall("square", {x}, {f32, {2}}),
               "to be f32 [2], as the call declares, found f32 [3]");
  registerHost(program, "away", [](auto &) -> std::vector<Array> {
    throw std::runtime_error("the sensor is away");
  });
  EXPECT_ERROR(hostCall("away", {x}, {f32, {3}}), "the sensor is away");
  registerHost(program, "odd", [](auto &) -> std::vector<Array> { throw 3; });
  EXPECT_ERROR(hostCall("odd", {x}, {f32, {3}}), "something other than a std::exception");
}

TEST_F(EagerHost, prints) {
  std::vector<std::string> labels;
  onPrint(program, [&](const std::string &label, const Array &value) {
    labels.push_back(label + std::to_string(int(value.scalar())));
  });
  Tensor x = program.constant(7);
  EXPECT_EQ((print("x = ", x) + 1.0).item(), 8);
  EXPECT_EQ(labels, std::vector<std::string>{"x = 7"});
  onPrint(program, {});
  print("nobody", x);
}

TEST_F(EagerHost, givenGradientsAreTaken) {
  Tensor x = program.tensor<float>({1, -2, 3}, {3});
  GradientTape tape;
  tape.watch(x);
  auto forward = [](const std::vector<Tensor> &inner) {
    return std::vector{inner[0] * inner[0]};
  };
  Tensor y = customGradient({x * 2.0}, forward, times(10)).front();
  EXPECT_EQ(y.values<float>(), (std::vector<float>{4, 16, 36}));
  EXPECT_EQ(tape.gradient(y * 3.0, {x})[0].values<float>(),
            (std::vector<float>{240, -480, 720}));
}

TEST_F(EagerHost, givenGradientsHaveGradients) {
  Tensor x = program.tensor<float>({1, -2, 3}, {3});
  GradientTape outer;
  outer.watch(x);
  Tensor first;
  {
    GradientTape inner;
    inner.watch(x);
    auto forward = [](const std::vector<Tensor> &own) {
      return std::vector{own[0] * own[0]};
    };
    Tensor y = customGradient({x}, forward, times(10)).front();
    first = inner.gradient(y * y, {x})[0]; // 2 x² · 20 x
  }
  EXPECT_EQ(first.values<float>(), (std::vector<float>{40, -320, 1080}));
  // The derivative of 40 x³: the custom gradient gives 2 · 20 x · 20 x through
  // y, and the other factor gives 2 y · 20.
  EXPECT_EQ(outer.gradient(first, {x})[0].values<float>(),
            (std::vector<float>{840, 3360, 7560}));
}

TEST_F(EagerHost, nobodyAsksWithoutATape) {
  int backwards = 0;
  Tensor x = program.constant(3);
  Tensor y = customGradient(
                 {x},
                 [](const std::vector<Tensor> &own) {
                   return std::vector{own[0] * own[0]};
                 },
                 [&](auto &, auto &, auto &gradients) {
                   ++backwards;
                   return std::vector{gradients[0]};
                 })
                 .front();
  EXPECT_EQ(y.item(), 9);
  EXPECT_EQ(backwards, 0);
}

TEST_F(EagerHost, mistakesInGivenGradientsLeaveTheTape) {
  Tensor x = program.constant(3);
  GradientTape tape({.persistent = true});
  tape.watch(x);
  auto forward = [](const std::vector<Tensor> &own) {
    return std::vector{own[0] * own[0]};
  };
  auto none = [](auto &, auto &, auto &) { return std::vector<Tensor>(); };
  EXPECT_ERROR(customGradient({x}, forward, none), "to yield 1 values");
  auto thrown = [](auto &, auto &, auto &) -> std::vector<Tensor> {
    throw std::runtime_error("no");
  };
  EXPECT_THROW(customGradient({x}, forward, thrown), std::runtime_error);
  Tensor y = x * x;
  EXPECT_EQ(tape.gradient(y, {x})[0].item(), 6);
}

TEST_F(EagerHost, hostFunctionsGetGradientsOfTheHost) {
  registerHost(program, "double", [](const std::vector<Array> &inputs) {
    std::vector<float> results;
    for (size_t i = 0; i < inputs[0].size(); ++i)
      results.push_back(float(2 * inputs[0].at(i) * inputs[1].at(i)));
    return std::vector{Array(results, inputs[0].shape())};
  });
  registerGradient(program, "OfTheHost", [](auto &inputs, auto &, auto &g) {
    return std::vector{hostCall("double", {inputs[0], g[0]}, inputs[0].type(),
                                {.pure = true})};
  });
  EXPECT_ERROR(registerGradient(program, "OfTheHost", times(1)),
               "expected a new name for a gradient");
  EXPECT_ERROR(GradientOverride(program, {{"square", "Unknown"}}),
               "a registered gradient with the name 'Unknown'");
  Tensor x = program.tensor<float>({1, -2, 3}, {3});
  GradientTape tape;
  tape.watch(x);
  GradientOverride given(program, {{"square", "OfTheHost"}});
  Tensor y = hostCall("square", {x}, {f32, {3}});
  EXPECT_EQ(tape.gradient(y * 5.0, {x})[0].values<float>(),
            (std::vector<float>{10, -20, 30}));
}

TEST_F(EagerHost, graphsHaveTheSameFunctionsAndNames) {
  ExecutionScope graphs(false);
  Program graph("graph");
  registerHost(graph, "square", squares);
  registerGradient(graph, "Ten", times(10));
  Tensor x = graph.input("x", f32, {3});
  GradientOverride given(graph, {{"square", "Ten"}});
  Tensor y = hostCall("square", {x}, {f32, {3}});
  Tensor dx = gradientsOf(reduceSum(y), {x})[0];
  Session session(graph, {.optimization = 1, .kernelCache = ""});
  std::vector<Array> found = session.run({y, dx}, {{x, {1, 2, 3}}});
  EXPECT_EQ(found[0].to<int>(), (std::vector<int>{1, 4, 9}));
  EXPECT_EQ(found[1].to<int>(), (std::vector<int>{20, 40, 60}));
  session.registerHost("square", [](const std::vector<Array> &inputs) {
    return std::vector{inputs[0]};
  });
  EXPECT_EQ(session.run(y, {{x, {1, 2, 3}}}).to<int>(),
            (std::vector<int>{1, 2, 3}));
}
} // namespace
