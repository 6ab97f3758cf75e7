// Tests host functions, prints, asserts and custom gradients, from the program
// to runs of compiled code.
#include "tg/runtime.hpp"
#include "tg/tg.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tg;

namespace {

Model load(const Program &program) {
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               ("host-" + std::to_string(getpid()) + ".so");
  program.compile(path.string(), {.levels = {2}});
  Model model = Model::load(path.string());
  std::filesystem::remove(path);
  return model;
}

void squareOnHost(std::span<const HostInput> inputs,
                  std::span<const HostOutput> outputs) {
  std::span<const float> x = inputs[0].values<float>();
  for (size_t i = 0; i < x.size(); ++i)
    outputs[0].values<float>()[i] = x[i] * x[i];
}

std::vector<float> valuesOf(const Outputs &outputs, std::string_view name) {
  std::span<const float> values = outputs.values<float>(name);
  return {values.begin(), values.end()};
}

/// Returns the message of the error that `call` must throw.
template <typename Call> std::string failureOf(Call call) {
  try {
    call();
  } catch (const std::exception &error) {
    return error.what();
  }
  return "";
}

} // namespace

/// A size is used even if the extent of the declared shape has a name.
TEST(Host, sizesGoBeforeNames) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 3});
  Tensor h = relu(x);
  Tensor y = hostCall("square", {h}, {f32, h.shape()},
                      {.pure = true, .sizes = {extentOf(h, 0)}});
  program.function("f", {.inputs = {x}, .outputs = {{"y", y}}});
  Context context = load(program).context();
  context.registerHost("square", squareOnHost);
  const Outputs &found = context.run("f", {{"x", std::vector<float>{1, 2, 3}}});
  EXPECT_EQ(valuesOf(found, "y"), (std::vector<float>{1, 4, 9}));
}

TEST(Host, functionsGetArraysAndFillThem) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 3});
  std::vector<Tensor> both =
      hostCallAll("split", {x}, {{f32, {dim("n")}}, {i64, {dim()}}},
                  {.sizes = {extentOf(x, 0) + 1.0}});
  Tensor y = hostCall("square", {x}, {f32, {dim("n"), 3}}, {.pure = true});
  program.function("f",
                   {.inputs = {x},
                    .outputs = {{"sums", both[0]}, {"n", both[1]}, {"y", y}}});
  Context context = load(program).context();
  context.registerHost("square", squareOnHost);
  context.registerHost("split", [](auto inputs, auto outputs) {
    EXPECT_EQ(inputs[0].shape().size(), 2u);
    EXPECT_EQ(inputs[0].shape()[0], 2);
    EXPECT_EQ(outputs[1].shape()[0], 3);
    auto x = inputs[0].template values<float>();
    for (size_t i = 0; i < x.size(); ++i)
      outputs[0].template values<float>()[i / 3] += x[i];
    outputs[1].template values<int64_t>()[2] = 7;
  });
  const Outputs &found =
      context.run("f", {{"x", std::vector<float>{1, 2, 3, 4, 5, 6}}});
  EXPECT_EQ(valuesOf(found, "sums"), (std::vector<float>{6, 15}));
  EXPECT_EQ(found.values<int64_t>("n")[2], 7);
  EXPECT_EQ(found.values<int64_t>("n")[0], 0);
  EXPECT_EQ(valuesOf(found, "y"), (std::vector<float>{1, 4, 9, 16, 25, 36}));
}

TEST(Host, whatFailsBecomesAStatusAndChangesNoVariable) {
  Program program("p");
  Tensor x = program.input("x", f32, {3});
  Variable w = program.variable("w", f32, {3}, 1.0);
  Tensor y = hostCall("f", {w + x}, {f32, {3}});
  program.function(
      "step",
      {.inputs = {x}, .outputs = {{"y", y}}, .updates = {assign(w, w + x)}});
  Model model = load(program);
  Context context = model.context({.seed = 1});
  std::vector<float> ones = {1, 1, 1};
  const auto run = [&] { context.run("step", {{"x", ones}}); };
  EXPECT_NE(failureOf(run).find("TG_ERROR_NOT_FOUND"), std::string::npos);
  EXPECT_NE(failureOf(run).find("no function 'f' of the host is registered"),
            std::string::npos);
  context.registerHost(
      "f", [](auto, auto) { throw std::runtime_error("the sensor is away"); });
  EXPECT_NE(failureOf(run).find("TG_ERROR_HOST"), std::string::npos);
  EXPECT_NE(failureOf(run).find("the sensor is away [R1]"), std::string::npos);
  context.registerHost("f", [](auto, auto) { throw 3; });
  EXPECT_NE(failureOf(run).find("something other than a std::exception"),
            std::string::npos);
  // Reading elements as another type is an error of the host function.
  context.registerHost("f", [](auto inputs, auto) {
    (void)inputs[0].template values<double>();
  });
  EXPECT_NE(failureOf(run).find("an array of f32, expected f64"),
            std::string::npos);
  context.registerHost("f", [](auto, auto outputs) {
    outputs[0].template values<float>().data()[3] = 1;
  });
  EXPECT_NE(failureOf(run).find("wrote beyond its result 0"),
            std::string::npos);
  EXPECT_EQ(context.get<float>("w"), ones);
  context.registerHost("f", squareOnHost);
  run();
  EXPECT_EQ(context.get<float>("w"), (std::vector<float>{2, 2, 2}));
}

TEST(Host, initCallsWhatTheOptionsHave) {
  Program program("p");
  Variable w = program.variable(
      "w", f32, {3}, Initializer([](const TensorType &type, Tensor seed) {
        return hostCall("first", {seed}, type);
      }));
  program.function("f", {.inputs = {}, .outputs = {{"y", w * 2.0}}});
  Model model = load(program);
  Host host;
  host.add("first", [](auto inputs, auto outputs) {
    if (inputs[0].template values<int64_t>()[0] < 0)
      throw std::runtime_error("no seed");
    for (float &element : outputs[0].template values<float>())
      element = float(inputs[0].template values<int64_t>()[0]);
  });
  Context context = model.context({.seed = 7, .host = host});
  const std::vector<float> sevens = {7, 7, 7};
  EXPECT_EQ(context.get<float>("w"), sevens);
  EXPECT_NE(failureOf([&] { context.init(-1); }).find("no seed"),
            std::string::npos);
  EXPECT_EQ(context.get<float>("w"), sevens);
  EXPECT_NE(failureOf([&] {
              (void)model.context({.seed = 7});
            }).find("no function 'first' of the host"),
            std::string::npos);
}

TEST(Host, assertsAreErrorsAtOnceInEagerMode) {
  ExecutionScope eager(true);
  Program program("p");
  Tensor x = program.constant(std::vector<double>{1, 2}, f32, {2});
  EXPECT_EQ(assertPositive(x).rank(), 1);
  EXPECT_NE(failureOf([&] {
              (void)assertEqual(x, x * 2.0);
            }).find("all elements are equal"),
            std::string::npos);
  EXPECT_NE(failureOf([&] {
              (void)hostCall("f", {x}, {f32, {2}});
            }).find("registered with the program, found none"),
            std::string::npos);
}

TEST(Host, assertsCompare) {
  ExecutionScope eager(true);
  Program program("p");
  Tensor x = program.constant(std::vector<double>{1, 2}, f32, {2});
  Tensor none = x - x;
  auto fails = [&](auto assertion, const std::string &words) {
    return failureOf(assertion).find(words) != std::string::npos;
  };
  for (const Tensor &held :
       {assertNegative(-x), assertNonNegative(none), assertNonPositive(none),
        assertLess(x, x + 1.0), assertLessEqual(x, x), assertGreater(x, none),
        assertGreaterEqual(x, x)})
    EXPECT_EQ(held.rank(), 1);
  EXPECT_TRUE(fails([&] { (void)assertPositive(none); }, "is above 0"));
  EXPECT_TRUE(fails([&] { (void)assertNegative(none); }, "is below 0"));
  EXPECT_TRUE(fails([&] { (void)assertNonNegative(-x); }, "is at least 0"));
  EXPECT_TRUE(fails([&] { (void)assertNonPositive(x); }, "is at most 0"));
  EXPECT_TRUE(fails([&] { (void)assertLess(x, x); }, "below those"));
  EXPECT_TRUE(fails([&] { (void)assertLessEqual(x, none); }, "at most those"));
  EXPECT_TRUE(fails([&] { (void)assertGreater(x, x); }, "above those"));
  EXPECT_TRUE(
      fails([&] { (void)assertGreaterEqual(none, x); }, "at least those"));
  EXPECT_TRUE(fails([&] { (void)assertLess(x, x, "rising"); }, "rising"));
}

TEST(Host, printsGoToTheHostInOrder) {
  Program program("p");
  Tensor x = program.input("x", f32, {2});
  Tensor y = print("y", print("x", x) * 2.0);
  Tensor unused = print("unused", x);
  program.function("f", {.inputs = {x}, .outputs = {{"y", y}}});
  std::vector<std::string> logged, printed;
  OpenOptions options;
  options.hooks.log = [&](int32_t, std::string_view line) {
    logged.emplace_back(line);
  };
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               ("print-" + std::to_string(getpid()) + ".so");
  program.compile(path.string(), {.levels = {2}});
  Model model = Model::load(path.string(), options);
  std::filesystem::remove(path);
  logged.clear();
  Context context = model.context();
  std::vector<float> x2 = {1.5, -2};
  context.run("f", {{"x", x2}});
  EXPECT_EQ(logged, (std::vector<std::string>{"x: f32[2] [1.5, -2]",
                                              "y: f32[2] [3, -4]"}));
  context.onPrint([&](std::string_view label, const HostInput &value) {
    printed.push_back(std::string(label) + " " + describe(value, 12));
  });
  context.run("f", {{"x", x2}});
  EXPECT_EQ(printed,
            (std::vector<std::string>{"x f32[2] [...", "y f32[2] [..."}));
  EXPECT_EQ(logged.size(), 2u);
}

TEST(Host, assertsEndARun) {
  Program program("p");
  Tensor x = program.input("x", f32, {2});
  Tensor y = program.input("y", f32, {2});
  Tensor sum = assertPositive(x) + assertEqual(y, x * 2.0, "y is twice x");
  Tensor other = assertTrue(reduceSum(x) < 10.0, "x is small", x);
  program.function("f", {.inputs = {x, y}, .outputs = {{"sum", sum}}});
  program.function("g", {.inputs = {x}, .outputs = {{"same", other}}});
  Context context = load(program).context();
  const auto run = [&](std::vector<float> x, std::vector<float> y) {
    return failureOf([&] { context.run("f", {{"x", x}, {"y", y}}); });
  };
  EXPECT_EQ(run({1, 2}, {2, 4}), "");
  EXPECT_NE(run({1, 0}, {2, 0}).find("every element is above 0 [R1]"),
            std::string::npos);
  EXPECT_NE(run({1, 2}, {2, 5}).find("y is twice x [R1]"), std::string::npos);
  EXPECT_NE(run({1, 2}, {2, 5}).find("TG_ERROR_ASSERT"), std::string::npos);
  EXPECT_NE(run({1, 2}, {2, 5}).find("HostTest.cpp"), std::string::npos);
  std::vector<float> large = {8, 8};
  EXPECT_NE(
      failureOf([&] { context.run("g", {{"x", large}}); }).find("x is small"),
      std::string::npos);
}

TEST(Host, givenGradientsTakeThePlaceOfTheOwn) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n")});
  Tensor y = customGradient(
      {x}, [](const auto &inputs) { return std::vector{inputs[0] * 3.0}; },
      [](const auto &inputs, const auto &outputs, const auto &gradients) {
        return std::vector{gradients[0] * outputs[0] + inputs[0]};
      })[0];
  program.function(
      "f",
      {.inputs = {x}, .outputs = {{"g", gradientsOf(reduceSum(y), {x})[0]}}});
  Context context = load(program).context();
  std::vector<float> x2 = {1, 2};
  EXPECT_EQ(valuesOf(context.run("f", {{"x", x2}}), "g"),
            (std::vector<float>{4, 8}));
}

TEST(Host, overridesGiveHostCallsGradients) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n")});
  const TensorType like = {f32, {dim("n")}};
  const auto gradientOf = [&](const Tensor &y) {
    return gradientsOf(reduceSum(y), {x})[0];
  };
  Tensor outer, inner, after;
  {
    GradientOverride twice(program, {{"square", [](auto &x, auto &, auto &g) {
                                        return std::vector{2.0 * x[0] * g[0]};
                                      }}});
    outer = gradientOf(hostCall("square", {x}, like));
    {
      GradientOverride ten(program, {{"square", [](auto &, auto &, auto &g) {
                                        return std::vector{10.0 * g[0]};
                                      }}});
      inner = gradientOf(hostCall("square", {x}, like));
    }
    after = gradientOf(hostCall("square", {x}, like));
  }
  program.function(
      "f", {.inputs = {x},
            .outputs = {{"outer", outer}, {"inner", inner}, {"after", after}}});
  Context context = load(program).context();
  context.registerHost("square", squareOnHost);
  std::vector<float> x3 = {1, 2, 3};
  const Outputs &found = context.run("f", {{"x", x3}});
  EXPECT_EQ(valuesOf(found, "outer"), (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(valuesOf(found, "inner"), (std::vector<float>{10, 10, 10}));
  EXPECT_EQ(valuesOf(found, "after"), (std::vector<float>{2, 4, 6}));
}

TEST(Host, givenGradientsThatFailLeaveTheProgramWhole) {
  Program program("p");
  Tensor x = program.input("x", f32, {4});
  const auto same = [](const std::vector<Tensor> &in) { return in; };
  // The errors: a captured outside value, too few cotangents, a cotangent of
  // the wrong shape, and an exception of the function.
  EXPECT_THROW(customGradient(
                   {x}, [&](auto &in) { return std::vector{in[0] * x}; },
                   [](auto &, auto &, auto &g) { return g; }),
               GraphError);
  EXPECT_THROW(customGradient({x}, same,
                              [](auto &, auto &, auto &) {
                                return std::vector<Tensor>();
                              }),
               GraphError);
  EXPECT_THROW(customGradient({x}, same,
                              [](auto &, auto &, auto &g) {
                                return std::vector{reduceSum(g[0])};
                              }),
               GraphError);
  EXPECT_THROW(
      customGradient({x}, same,
                     [](auto &in, auto &, auto &) -> std::vector<Tensor> {
                       (void)print("before", in[0] * 2.0);
                       throw std::runtime_error("mine");
                     }),
      std::runtime_error);
  Tensor y = cond(reduceSum(x) > 0, [&] { return x * 2.0; }, [&] { return x; });
  program.function("f", {.inputs = {x}, .outputs = {{"y", y}}});
  EXPECT_EQ(program.text().find("custom_gradient"), std::string::npos);
  EXPECT_EQ(program.graphText().find("custom_gradient"), std::string::npos);
}

TEST(Host, mistakesNameTheLine) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 3});
  const auto expectError = [](auto call, const std::string &part) {
    try {
      call();
      ADD_FAILURE() << "expected an error: " << part;
    } catch (const GraphError &error) {
      EXPECT_NE(error.message.find(part), std::string::npos) << error.what();
      EXPECT_NE(error.file.find("HostTest.cpp"), std::string::npos);
    }
  };
  expectError([&] { (void)hostCall("no name", {x}, {f32, {3}}); },
              "found 'no name' [C1]");
  expectError([&] { (void)hostCall("f", {x}, {f32, {dim()}}); },
              "expected a size of the unknown extent");
  expectError(
      [&] {
        (void)hostCall("f", {x}, {f32, {3}}, {.sizes = {extentOf(x, 0)}});
      },
      "expected 0 sizes, found 1");
  expectError([&] { (void)assertTrue(x > 0.0, "all"); },
              "expected operand 'condition' to be boolean [], found");
  expectError([&] { (void)assertRank(x, 1); },
              "expected a tensor of rank 1, found [n, 3]");
  EXPECT_EQ(assertRank(x, 2).rank(), 2);
  const auto same = [](const auto &inputs) { return std::vector{inputs[0]}; };
  expectError(
      [&] {
        (void)customGradient({x}, same, [](auto &, auto &, auto &g) {
          return std::vector{g[0], g[0]};
        });
      },
      "expected backward to yield 1 values, found 2 [C2]");
  expectError(
      [&] {
        (void)customGradient(
            {x}, [&](const auto &in) { return std::vector{in[0] + x}; },
            [](auto &, auto &, auto &g) { return std::vector{g[0]}; });
      },
      "'tg.add' op expected operands that are defined in 'tg.custom_gradient', "
      "found a value from outside of it [G6]");
  // The program is usable after an error, also after one inside the function.
  expectError(
      [&] {
        (void)customGradient({x}, same, [](auto &in, auto &, auto &) {
          return std::vector{assertRank(in[0], 7)};
        });
      },
      "expected a tensor of rank 7");
  program.function("f", {.inputs = {x}, .outputs = {{"y", x * 2.0}}});
  EXPECT_EQ(program.text().find("custom_gradient"), std::string::npos);
}
