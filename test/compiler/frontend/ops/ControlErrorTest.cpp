/// Tests errors in branches and loops: they carry the user's line and leave the
/// program unchanged.
#include "../nn/OneLayer.h"

using namespace tg;
using namespace tg::test;

TEST(ControlErrorTest, TensorsOfRegionsStayInside) {
  Program program("test");
  Tensor x = program.input("x", f32, {3});
  Tensor inner;
  Tensor sum = foldl(
      [&](Tensor before, Tensor element) {
        inner = element * 2.0;
        return before + inner;
      },
      x, 0.0);
  std::string expected =
      "expected a tensor that was made outside of branches and loops or in "
      "those around this line, found one of a region that has ended: let the "
      "region return it";
  EXPECT_EQ(errorOf([&] { (void)(inner + sum); }), expected);
  EXPECT_EQ(errorOf([&] {
              program.function("f", {.inputs = {x}, .outputs = {{"y", inner}}});
            }),
            expected);
}

TEST(ControlErrorTest, EffectsAndCustomGradientsReadNoTensorsOfEndedRegions) {
  Program program("test");
  Tensor x = program.input("x", f32, {3});
  Tensor inner, positive;
  (void)mapFn(
      [&](Tensor element) {
        inner = element * 2.0;
        positive = inner > 0.0;
        // Names the ops so far, and the op that is being built.
        EXPECT_NE(inner.name(), "");
        return inner;
      },
      {x});
  auto pass = [](const std::vector<Tensor> &given) { return given; };
  auto passBack = [](const std::vector<Tensor> &, const std::vector<Tensor> &,
                     const std::vector<Tensor> &given) { return given; };
  auto giveInner = [&](const std::vector<Tensor> &) {
    return std::vector<Tensor>{inner};
  };
  auto giveInnerBack =
      [&](const std::vector<Tensor> &, const std::vector<Tensor> &,
          const std::vector<Tensor> &) { return std::vector<Tensor>{inner}; };
  const std::vector<std::function<void()>> uses = {
      [&] { (void)identity(inner); },
      [&] { (void)print("inner", inner); },
      [&] { (void)assertTrue(positive, "positive", x); },
      [&] { (void)customGradient({inner}, pass, passBack); },
      [&] { (void)customGradient({x}, giveInner, passBack); },
      [&] { (void)customGradient({x}, pass, giveInnerBack); },
  };
  for (const std::function<void()> &use : uses)
    EXPECT_NE(errorOf(use).find("found one of a region that has ended"),
              std::string::npos);
  program.function("f", {.inputs = {x}, .outputs = {{"y", x + 1.0}}});
  EXPECT_EQ(program.text().find("custom_gradient"), std::string::npos);
}

TEST(ControlErrorTest, MistakesNameTheLineAndLeaveTheProgramWhole) {
  Program program("test");
  Tensor x = program.input("x", f32, {3});
  Tensor inner;
  unsigned line = 0;
  try {
    auto addTooMuch = [&](Tensor element) {
      inner = element;
      line = __LINE__ + 1;
      return program.zeros({2, 2}) + x + element;
    };
    (void)mapFn(addTooMuch, {x});
    FAIL();
  } catch (const GraphError &error) {
    EXPECT_EQ(error.line, line);
  }
  EXPECT_NE(errorOf([&] { (void)(inner + 1.0); }), "");
  Tensor sum = foldl([](Tensor a, Tensor b) { return a + b; }, x, 0.0);
  program.function("f", {.inputs = {x}, .outputs = {{"y", sum}}});
  EXPECT_NE(program.text().find("tg.scan"), std::string::npos);
}

/// Returns the sum of 8 · x, computed by a loop of three iterations.
static Tensor doubled(const Tensor &x, const WhileOptions &options = {}) {
  auto [trip, result] =
      whileLoop([](Tensor trip, Tensor) { return trip < 3.0; },
                [](Tensor trip, Tensor value) {
                  return std::pair(trip + 1.0, value * 2.0);
                },
                {0.0, x}, options);
  return reduceSum(result);
}

TEST(ControlErrorTest, GradientsNeedTheMostTrips) {
  Program program("test");
  Tensor x = program.input("x", f32, {3});
  Variable w = program.variable("w", f32, {3}, ones());
  Tensor loss = doubled(x * w);
  auto expectRefusal = [&](auto ask) {
    std::string message = errorOf(ask);
    EXPECT_NE(message.find("expected a maxTrip of the whileLoop made in line"),
              std::string::npos)
        << message;
  };
  expectRefusal([&] { (void)gradientsOf(loss, {x}); });
  expectRefusal([&] { (void)gradients(loss); });
  expectRefusal([&] { (void)SGD().minimize(loss + 1.0); });
  expectRefusal([&] {
    GradientTape tape;
    (void)tape.gradient(loss, {w});
  });
  // The same holds for a loop in another region.
  Tensor inner = cond(
      program.constant(1, boolean), [&] { return doubled(x); },
      [&] { return reduceSum(x); });
  expectRefusal([&] { (void)gradientsOf(inner, {x}); });
  // A loop that is not on a path from the target to the wanted values does not
  // need a bound.
  Tensor v = x * 3.0;
  EXPECT_NO_THROW((void)gradientsOf(reduceSum(v) + loss * 0.0, {v}));
  EXPECT_NO_THROW((void)gradientsOf(reduceSum(stopGradient(loss) * v), {v}));
  Tensor bounded = doubled(x * w, {.maxTrip = 5});
  EXPECT_NO_THROW((void)gradientsOf(bounded, {x}));
}

TEST(ControlErrorTest, ARefusedGradientNamesItsLine) {
  Program program("test");
  Tensor x = program.input("x", f32, {3});
  Tensor loss = doubled(x);
  unsigned line = 0;
  try {
    line = __LINE__ + 1;
    (void)gradientsOf(loss, {x});
    FAIL();
  } catch (const GraphError &error) {
    EXPECT_EQ(error.line, line);
    EXPECT_EQ(error.file, __FILE__);
  }
}

TEST(ControlErrorTest, TypesMustMatch) {
  Program program("test");
  Tensor x = program.input("x", f32, {3});
  Tensor holds = program.constant(1, boolean);
  auto messageOf = [&](auto build) { return errorOf(build); };
  EXPECT_NE(messageOf([&] {
              (void)cond(
                  holds, [&] { return x; }, [&] { return cast(x, i32); });
            }).find("expected value 0 of the else region to be"),
            std::string::npos);
  EXPECT_NE(messageOf([&] {
              (void)whileLoop([&](Tensor) { return holds; },
                              [](Tensor v) { return concat({v, v}, 0); }, {x});
            }).find("expected value 0 of the body to be"),
            std::string::npos);
  EXPECT_NE(messageOf([&] {
              (void)whileLoop([](Tensor v) { return v < 1.0; },
                              [](Tensor v) { return v; }, {x});
            }).find("of the condition to be"),
            std::string::npos);
  EXPECT_NE(messageOf([&] { (void)cond(x, [] {}, [] {}); }), "");
}

/// An undefined tensor is not a value, not even if the other branch returns a
/// number.
TEST(ControlErrorTest, BodiesReturnValues) {
  Program program("test");
  Tensor x = program.input("x", f32, {3});
  const char *undefined =
      "expected a tensor with a value, found one that is only declared";
  Tensor holds = program.constant(1, boolean);
  EXPECT_EQ(errorOf([&] {
              (void)cond(holds, [] { return Tensor(); }, [] { return 2.0; });
            }),
            undefined);
  EXPECT_EQ(errorOf([&] {
              (void)whileLoop([](Tensor) { return Tensor(); },
                              [](Tensor v) { return v; }, {x});
            }),
            undefined);
  EXPECT_EQ(errorOf([&] {
              (void)whileLoop([&](Tensor) { return holds; },
                              [](Tensor) { return Tensor(); }, {x});
            }),
            undefined);
  EXPECT_EQ(errorOf([&] { (void)mapFn([](Tensor) { return Tensor(); }, {x}); }),
            undefined);
}

TEST(ControlErrorTest, CountsMustMatch) {
  Program program("test");
  Tensor x = program.input("x", f32, {3});
  Tensor holds = program.constant(1, boolean);
  EXPECT_EQ(errorOf([&] {
              (void)cond(
                  holds, [&] { return std::vector{x, x}; },
                  [&] { return std::vector{x}; });
            }),
            "expected branches that return equally many values, found 2 and 1");
  EXPECT_EQ(errorOf([&] {
              (void)scan([](Tensor a, Tensor) { return a; }, {x, x}, {x});
            }),
            "expected a body of 3 parameters, one for each of the first values "
            "and the inputs, found one of 2");
  EXPECT_EQ(errorOf([&] { (void)scan([](Tensor a) { return a; }, {x}); }),
            "expected a length of a scan without inputs, found none");
  EXPECT_NE(errorOf([&] {
              (void)whileLoop([&](Tensor a) { return a < reduceSum(x); },
                              [](Tensor a) { return a + 1; }, {0.0});
            }).find("expected tensors of one program"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              (void)scan([](Tensor) { return std::vector<Tensor>(); }, {x}, {},
                         {.length = 2});
            }),
            "");
}

TEST(ControlErrorTest, CountsMustMatchInBothModes) {
  for (bool isEager : {false, true}) {
    ExecutionScope scope(isEager);
    Program program("test");
    Tensor x = program.constant({1, 2}, f32, {2});
    auto one = [&] { return x; };
    auto two = [&] { return std::pair(x, x); };
    for (double holds : {0.0, 1.0}) {
      Tensor predicate = program.constant(holds, boolean);
      EXPECT_EQ(errorOf([&] { (void)cond(predicate, two, one); }),
                "expected branches that return equally many values, found 2 "
                "and 1");
      EXPECT_EQ(errorOf([&] { (void)cond(predicate, one, two); }),
                "expected branches that return equally many values, found 1 "
                "and 2");
    }
    for (double limit : {1.0, 9.0}) {
      auto isBelow = [&](Tensor y) { return reduceSum(y) < limit; };
      auto pair = [](Tensor y) { return std::pair(y * 2.0, y); };
      std::string found = errorOf([&] { (void)whileLoop(isBelow, pair, {x}); });
      EXPECT_EQ(found.find("'tg.while' op expected 1 values of the body, "
                           "found 2"),
                0u)
          << found;
    }
    EXPECT_EQ(errorOf([&] {
                (void)scan([](Tensor y) { return y; }, {x}, {}, {.length = -1});
              }),
              "expected a length of at least 0 of a scan, found -1");
  }
}

TEST(ControlErrorTest, GradientsAndFunctionsStandOutside) {
  Program program("test");
  Tensor x = program.input("x", f32, {3});
  EXPECT_EQ(errorOf([&] {
              (void)mapFn(
                  [&](Tensor e) { return gradientsOf(square(e), {e})[0]; },
                  {x});
            }),
            "expected gradients outside of branches and loops, found one in a "
            "region of the 'tg.scan' op");
  EXPECT_NE(errorOf([&] {
              (void)mapFn(
                  [&](Tensor e) {
                    program.function("f", {.outputs = {{"y", e}}});
                    return e;
                  },
                  {x});
            }),
            "");
}
