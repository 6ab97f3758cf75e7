/// Tests random samples in loops: each iteration has other samples, and a seed
/// always gives the same ones.
#include "../nn/OneLayer.h"
#include <set>

using namespace tg;
using namespace tg::test;

using Floats = std::vector<float>;
using Drawn = std::function<Tensor(Program &, Tensor)>;

namespace {
constexpr int64_t kIterations = 5;

Tensor sampleThree(Program &program) { return program.randomUniform({3}); }

/// Compiles a function `run` that returns the built tensor as y; the samples
/// are rows of three numbers.
class Draws {
public:
  explicit Draws(const Drawn &build, int64_t rows = kIterations)
      : context([&] {
          Program program("test");
          Tensor count = program.input("x", f32, {dim("n")});
          Tensor y = build(program, count);
          program.function("run", {.inputs = {count}, .outputs = {{"y", y}}});
          return makeContext(program);
        }()),
        rows(rows) {}

  Floats at(int64_t step) {
    Floats x(size_t(rows), 1.f);
    auto values =
        context.run("run", {{"x", Value(x, {rows})}, {"tg.call", step}})
            .values<float>("y");
    return {values.begin(), values.end()};
  }

private:
  Context context;
  int64_t rows;
};

/// Returns the samples of each iteration of a scan.
Tensor stackSamples(Program &program, int64_t iterations,
                    const std::function<Tensor()> &draw, bool reverse = false) {
  auto [last, all] =
      scan([&](Tensor carried) { return std::pair(carried, draw()); },
           {program.zeros({})}, {}, {.reverse = reverse, .length = iterations});
  return all;
}

/// Returns the rows that a sample outside of loops yields for these counters.
Floats rowsAt(const std::vector<int64_t> &counters) {
  Draws plain([](Program &program, Tensor) { return sampleThree(program); });
  Floats all;
  for (int64_t counter : counters)
    for (float number : plain.at(counter))
      all.push_back(number);
  return all;
}
} // namespace

TEST(LoopDrawTest, ScansCountStepsTimesTripsAndTrips) {
  Draws draws([](Program &program, Tensor) {
    return stackSamples(program, kIterations,
                        [&] { return sampleThree(program); });
  });
  EXPECT_EQ(draws.at(0), rowsAt({0, 1, 2, 3, 4}));
  EXPECT_EQ(draws.at(7), rowsAt({35, 36, 37, 38, 39}));
}

TEST(LoopDrawTest, ScansOfUnknownLengthDoSo) {
  Draws draws([](Program &program, Tensor x) {
    return mapFn([&](Tensor one) { return sampleThree(program) * one; }, {x});
  });
  EXPECT_EQ(draws.at(7), rowsAt({35, 36, 37, 38, 39}));
}

TEST(LoopDrawTest, ReverseScansStackEachWhereItStands) {
  Draws draws([](Program &program, Tensor) {
    return stackSamples(
        program, kIterations, [&] { return sampleThree(program); }, true);
  });
  EXPECT_EQ(draws.at(2), rowsAt({10, 11, 12, 13, 14}));
}

/// Builds a loop that fills rows with samples.
static Tensor fillRows(Program &program, const WhileOptions &options,
                       const std::function<Tensor()> &draw) {
  auto [i, rows] = whileLoop(
      [](Tensor i, Tensor) { return i < kIterations; },
      [&](Tensor i, Tensor rows) {
        return std::tuple(i + 1, TensorArray(rows).write(i, draw()).stack());
      },
      {0, TensorArray(program, kIterations, f32, {3}).stack()}, options);
  return rows;
}

TEST(LoopDrawTest, BoundedLoopsCountMostTrips) {
  Draws draws([](Program &program, Tensor) {
    return fillRows(program, {.maxTrip = 10},
                    [&] { return sampleThree(program); });
  });
  EXPECT_EQ(draws.at(3), rowsAt({30, 31, 32, 33, 34}));
}

TEST(LoopDrawTest, LoopsWithoutABoundDrawAnew) {
  Draws draws([](Program &program, Tensor) {
    return fillRows(program, {}, [&] { return sampleThree(program); });
  });
  Floats first = draws.at(0);
  Floats second = draws.at(1);
  EXPECT_EQ(first, rowsAt({0, 1, 2, 3, 4}));
  std::set<float> seen(first.begin(), first.end());
  seen.insert(second.begin(), second.end());
  EXPECT_GT(seen.size(), 28u) << "no step repeats what another one drew";
}

TEST(LoopDrawTest, ConditionsDraw) {
  // The condition samples before each iteration, the body samples from another
  // stream.
  Draws draws([](Program &program, Tensor) {
    auto [i, sum] = whileLoop(
        [&](Tensor i, Tensor) {
          return logicalAnd(i < kIterations,
                            reduceSum(sampleThree(program)) >= 0.0);
        },
        [&](Tensor i, Tensor sum) {
          return std::pair(i + 1, sum + sampleThree(program));
        },
        {0, program.zeros({3})}, {.maxTrip = kIterations});
    return sum;
  });
  Floats sum = draws.at(0);
  ASSERT_EQ(sum.size(), 3u);
  EXPECT_NE(sum[0], sum[1]);
  EXPECT_EQ(sum, draws.at(0));
}

TEST(LoopDrawTest, NestedLoopsAndBranchesCountAll) {
  Draws draws([](Program &program, Tensor) {
    Tensor all = stackSamples(program, 2, [&] {
      return stackSamples(program, 2, [&] {
        return cond(
            program.zeros({}) >= 0.0, [&] { return sampleThree(program); },
            [&] { return program.zeros({3}); });
      });
    });
    return reshape(all, {4, 3});
  });
  EXPECT_EQ(draws.at(1), rowsAt({4, 5, 6, 7}));
}

TEST(LoopDrawTest, GradientsSeeWhatWasDrawn) {
  // d/dx of the sum over iterations of x * sample is the sum of the samples.
  for (int64_t segments : {0, 2}) {
    Draws draws([&](Program &program, Tensor) {
      Tensor x = program.ones({3});
      Tensor sum =
          scan([&](Tensor sum) { return sum + x * sampleThree(program); },
               {program.zeros({3})}, {},
               {.segments = segments, .length = kIterations});
      return gradientsOf(reduceSum(sum), {x})[0];
    });
    Floats rows = rowsAt({5, 6, 7, 8, 9});
    Floats expected(3, 0);
    for (size_t i = 0; i < rows.size(); ++i)
      expected[i % 3] += rows[i];
    expectNear(draws.at(1), expected);
  }
}
