/// Tests branches and loops of C++ functions: compiled code and eager mode give
/// the same numbers.
#include "../nn/OneLayer.h"

using namespace tg;
using namespace tg::test;

using Floats = std::vector<float>;
using Built = std::function<Tensor(Program &, Tensor)>;

namespace {
Floats listOf(std::span<const float> numbers) {
  return {numbers.begin(), numbers.end()};
}

Floats runEager(const Built &build, const Floats &x, const Shape &shape) {
  ExecutionScope scope(true);
  Program program("test");
  return build(program, program.tensor(x, shape)).values<float>();
}

Floats runCompiled(const Built &build, const Floats &x, const Shape &shape,
                   const Shape &declared) {
  Program program("test");
  Tensor input = program.input("x", f32, declared);
  Tensor y = build(program, input);
  program.function("run", {.inputs = {input}, .outputs = {{"y", y}}});
  Context context = makeContext(program);
  std::vector<int64_t> extents;
  for (const Extent &extent : shape)
    extents.push_back(extent.value);
  return listOf(
      context.run("run", {{"x", Value(x, extents)}}).values<float>("y"));
}

/// Expects equal results in both modes, with static extents and with a dynamic
/// first extent.
void expectInBothModes(const Built &build, const Floats &x, const Shape &shape,
                       const Floats &expected) {
  expectNear(runEager(build, x, shape), expected);
  expectNear(runCompiled(build, x, shape, shape), expected);
  if (shape.empty())
    return;
  Shape unknown = shape;
  unknown[0] = dim("n");
  expectNear(runCompiled(build, x, shape, unknown), expected);
}
} // namespace

//===-- Branches ----------------------------------------------------------===//

TEST(ControlTest, CondGivesOneOfTwo) {
  Built build = [](Program &, Tensor x) {
    return cond(x > 1.0, [&] { return x / 2.0; }, [&] { return x * 10.0; });
  };
  expectInBothModes(build, {3}, {}, {1.5});
  expectInBothModes(build, {0.5}, {}, {5});
}

TEST(ControlTest, CondGivesSeveralAndTakesNumbers) {
  Built build = [](Program &, Tensor x) {
    auto [a, b] = cond(
        x > 1.0, [&] { return std::pair(x, 2.0); },
        [&] { return std::tuple(0.0, x + 1.0); });
    return stack({a, b});
  };
  expectInBothModes(build, {3}, {}, {3, 2});
  expectInBothModes(build, {0.5}, {}, {0, 1.5});
}

TEST(ControlTest, BranchesNest) {
  Built build = [](Program &, Tensor x) {
    return cond(
        x > 0.0,
        [&] {
          Tensor twice = x * 2.0;
          return cond(
              x > 10.0, [&] { return twice; }, [&] { return twice + 1.0; });
        },
        [&] { return -x; });
  };
  expectInBothModes(build, {-4}, {}, {4});
  expectInBothModes(build, {4}, {}, {9});
  expectInBothModes(build, {11}, {}, {22});
}

//===-- Loops -------------------------------------------------------------===//

TEST(ControlTest, WhileCountsWithNumbers) {
  // Doubles the value until it is at least 100.
  Built build = [](Program &, Tensor x) {
    auto [iterations, last] =
        whileLoop([](Tensor, Tensor value) { return value < 100.0; },
                  [](Tensor trip, Tensor value) {
                    return std::pair(trip + 1, value * 2.0);
                  },
                  {0, x}, {.maxTrip = 50});
    return stack({cast(iterations, f32), last});
  };
  expectInBothModes(build, {3}, {}, {6, 192});
  expectInBothModes(build, {200}, {}, {0, 200});
}

TEST(ControlTest, WhileTellsOfTooManyTrips) {
  Built build = [](Program &, Tensor x) {
    return whileLoop([](Tensor value) { return value < 100.0; },
                     [](Tensor value) { return value + 1.0; }, {x},
                     {.maxTrip = 5});
  };
  EXPECT_EQ(
      errorOf([&] { runEager(build, {1}, {}); }),
      "expected the condition to be false after 5 iterations, which maxTrip "
      "allows, found true");
  EXPECT_THROW(runCompiled(build, {1}, {}, {}), std::exception);
  expectInBothModes(build, {96}, {}, {100});
}

/// Expects that a run with the input 9 fails in a loop and leaves a variable
/// unchanged, although the step assigns it before the loop.
static void expectNothingChanged(const Built &build) {
  Program program("test");
  Tensor x = program.input("x", f32, {});
  Variable count = program.variable("count", f32, {}, zeros());
  Updates counted = assignAdd(count, x);
  Tensor y = build(program, x);
  program.function("step",
                   {.inputs = {x}, .outputs = {{"y", y}}, .updates = counted});
  Context context = makeContext(program);
  context.run("step", {{"x", 2.0f}});
  EXPECT_THROW(context.run("step", {{"x", 9.0f}}), RuntimeError);
  expectNear(context.get<float>("count"), {2});
}

TEST(ControlTest, LoopsThatFailChangeNoVariable) {
  // The loop exceeds its bound on iterations.
  expectNothingChanged([](Program &, Tensor x) {
    return whileLoop([](Tensor value) { return value > 0; },
                     [](Tensor value) { return value - 1.0; }, {x},
                     {.maxTrip = 5});
  });
  // A data-dependent extent inside a loop.
  expectNothingChanged([](Program &program, Tensor x) {
    Tensor five = program.range(5, f32);
    Tensor some = booleanMask(five, logicalOr(five < 3.0, x > 5.0));
    Tensor three = ensureShape(program.range(3, f32), {-1});
    return foldl([&](Tensor sum, Tensor) { return sum + some; },
                 program.range(2, f32), three);
  });
}

// The example in the documentation of whileLoop.
TEST(ControlTest, ExtentsThatAreOpenMayGrow) {
  Built build = [](Program &program, Tensor x) {
    auto open = [](Tensor x) { return ensureShape(x, {-1}, {16}); };
    Tensor eight = whileLoop([](Tensor x) { return reduceSum(x) < 8.0; },
                             [&](Tensor x) { return open(concat({x, x}, 0)); },
                             {open(program.ones({1}))});
    return eight * reduceSum(x);
  };
  expectInBothModes(build, {2}, {1}, {2, 2, 2, 2, 2, 2, 2, 2});
}

TEST(ControlTest, ScanCarriesAndStacks) {
  Built build = [](Program &program, Tensor x) {
    auto [sum, sums] = scan(
        [](Tensor sum, Tensor row) {
          Tensor next = sum + row;
          return std::pair(next, next);
        },
        {program.zeros({2})}, {x});
    return concat({sums, expandDims(sum, 0)}, 0);
  };
  expectInBothModes(build, {1, 2, 3, 4, 5, 6}, {3, 2},
                    {1, 2, 4, 6, 9, 12, 9, 12});
}

TEST(ControlTest, ScanGoesInReverse) {
  Built build = [](Program &program, Tensor x) {
    auto [sum, sums] = scan(
        [](Tensor sum, Tensor element) {
          return std::pair(sum + element, sum + element);
        },
        {0.0}, {x}, {.reverse = true});
    return sums + sum;
  };
  expectInBothModes(build, {1, 2, 4}, {3}, {14, 13, 11});
}

TEST(ControlTest, ScanOfALengthWithoutInputs) {
  Built build = [](Program &, Tensor x) {
    auto [last, all] =
        scan([&](Tensor value) { return std::pair(value * x, value); }, {x}, {},
             {.length = 4});
    return concat({all, expandDims(last, 0)}, 0);
  };
  expectInBothModes(build, {2}, {}, {2, 4, 8, 16, 32});
}

TEST(ControlTest, LoopsTakeAndGiveVectors) {
  Built build = [](Program &, Tensor x) {
    std::vector<Tensor> sums = scan(
        [](const std::vector<Tensor> &values) {
          return std::vector<Tensor>{values[0] + values[1],
                                     values[0] * values[1]};
        },
        {1.0}, {x});
    return concat({sums[1], expandDims(sums[0], 0)}, 0);
  };
  expectInBothModes(build, {1, 2, 3}, {3}, {1, 4, 12, 7});
}

TEST(ControlTest, MapsAndFolds) {
  Built build = [](Program &, Tensor x) {
    Tensor squares =
        mapFn([](Tensor row) { return reduceSum(square(row)); }, {x});
    return foldl([](Tensor sum, Tensor square) { return sum * 10.0 + square; },
                 squares, 0.0);
  };
  expectInBothModes(build, {1, 0, 1, 1, 2, 0}, {3, 2}, {124});
}

TEST(ControlTest, LoopsNestInBranchesInLoops) {
  // Sums the rows whose first element is positive.
  Built build = [](Program &, Tensor x) {
    return mapFn(
        [](Tensor row) {
          return cond(
              row[0] > 0.0,
              [&] {
                return foldl([](Tensor sum, Tensor e) { return sum + e; }, row,
                             0.0);
              },
              [&] { return row[1]; });
        },
        {x});
  };
  expectInBothModes(build, {1, 2, -1, 7, 3, 4}, {3, 2}, {3, 7, 7});
}

TEST(ControlTest, ArraysAreFilledByLoops) {
  Built build = [](Program &program, Tensor x) {
    auto [count, squares] = whileLoop(
        [](Tensor i, TensorArray) { return i < 3; },
        [&](Tensor i, TensorArray array) {
          return std::pair(i + 1, array.write(2 - i, TensorArray(x).read(i)));
        },
        {0, TensorArray(program, 3)});
    return TensorArray(squares).stack();
  };
  expectInBothModes(build, {5, 6, 7}, {3}, {7, 6, 5});
}

TEST(ControlTest, ArraysAreGatheredAndJoined) {
  Built build = [](Program &program, Tensor x) {
    TensorArray array(x);
    Tensor back = array.gather(program.range(2, -1, -1));
    return concat({TensorArray(back).concat(), array.concat()}, 0);
  };
  expectInBothModes(build, {1, 2, 3, 4, 5, 6}, {3, 2},
                    {5, 6, 3, 4, 1, 2, 1, 2, 3, 4, 5, 6});
}

//===-- State -------------------------------------------------------------===//

TEST(ControlTest, LayersInLoopsHaveOneVariable) {
  Built build = [](Program &program, Tensor x) {
    Linear layer({.units = 1, .weightInitializer = ones()});
    Tensor mapped =
        mapFn([&](Tensor row) { return layer(expandDims(row, 0))[0]; }, {x});
    EXPECT_EQ(program.variables().size(), 2u);
    return concat({mapped, layer(x)}, 1);
  };
  expectInBothModes(build, {1, 2, 3, 4}, {2, 2}, {3, 3, 7, 7});
}

TEST(ControlTest, AssignsInBranchesBelongToFunctionsThatTakeThem) {
  Program program("test");
  Tensor x = program.input("x", f32, {});
  Variable best = program.variable("best", f32, {}, zeros());
  Updates updates;
  Tensor y = cond(
      x > best,
      [&] {
        updates = assign(best, x);
        return x;
      },
      [&] { return best + 0.0; });
  program.function("learn",
                   {.inputs = {x}, .outputs = {{"y", y}}, .updates = updates});
  program.function("look", {.inputs = {x}, .outputs = {{"y", y}}});
  Context context = makeContext(program);
  auto call = [&](const char *function, float number) {
    return context.run(function, {{"x", Value(number)}}).values<float>("y")[0];
  };
  EXPECT_EQ(call("learn", 3), 3);
  EXPECT_EQ(call("look", 7), 7);
  EXPECT_EQ(call("learn", 2), 3);
  EXPECT_EQ(call("learn", 5), 5);
  EXPECT_EQ(call("look", 1), 5);
}

//===-- Reports -----------------------------------------------------------===//

TEST(ControlTest, TablesAndGraphsShowRegions) {
  Program program("test");
  Tensor x = program.input("x", f32, {3, 2});
  Linear layer({.units = 4});
  Tensor y =
      mapFn([&](Tensor row) { return layer(expandDims(row, 0))[0]; }, {x});
  program.function("f", {.inputs = {x}, .outputs = {{"y", y}}});
  EXPECT_NE(program.summary().find("Linear_1"), std::string::npos);
}
