// Tests elementwise functions, running products and lengths. Values are
// compared with the C++ library up to the edges of the domains; gradients are
// also tested where the plain formula is not finite.
#include "../Rows.h"

#include <limits>

using namespace tg;
using namespace tg::test;

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

/// The values of a function of a list, and its gradients.
struct Evaluated {
  Numbers values, slopes;
};

Evaluated evaluateOn(Activation function, const Numbers &x, DType dtype) {
  Program program("p");
  Tensor input = program.input("x", dtype, {dim("n")});
  Tensor y = function(input);
  program.function(
      "f", {.inputs = {input},
            .outputs = {{"y", y},
                        {"slope", gradientsOf(reduceSum(y), {input})[0]}}});
  Evaluator evaluator(program.text());
  std::vector<Elements> outputs =
      evaluator.run("f", {{x, {int64_t(x.size())}, dtype}});
  EXPECT_EQ(evaluator.error(), "");
  if (outputs.empty())
    return {Numbers(x.size()), Numbers(x.size())};
  return {outputs[0].values, outputs[1].values};
}

/// Compares numbers with a relative bound: NaN equals NaN, infinity equals
/// infinity.
void expectClose(const Numbers &found, const Numbers &expected, double bound) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    if (std::isnan(expected[i]) || std::isinf(expected[i])) {
      EXPECT_TRUE(std::isnan(expected[i]) ? std::isnan(found[i])
                                          : found[i] == expected[i])
          << "at " << i << ": " << found[i];
      continue;
    }
    EXPECT_NEAR(found[i], expected[i], bound * std::abs(expected[i]))
        << "at " << i;
  }
}

struct Function {
  const char *name;
  Activation ours;
  double (*value)(double), (*slope)(double);
  Numbers x;
};

double tangentSlope(double x) { return 1 / (std::cos(x) * std::cos(x)); }
double arcSlope(double x) { return 1 / std::sqrt((1 - x) * (1 + x)); }
double minusArcSlope(double x) { return -arcSlope(x); }
double arctangentSlope(double x) { return 1 / (1 + x * x); }

std::vector<Function> functions() {
  // Includes the f32 neighbors of 1; 89 is beyond the f32 overflow of e^x.
  Numbers unit = {-0.99999994, -0.999, -0.7, -0.5, -1e-3, -1e-6,
                  1e-30,       1e-4,   0.25, 0.6,  0.97,  0.99999994};
  Numbers wide = {-30, -3, -1, -1e-3, -1e-20, 1e-10, 1e-5, 0.1, 0.7, 2, 17, 80};
  return {{"tan",
           tg::tan,
           std::tan,
           tangentSlope,
           {-100, -1.5, -0.5, -1e-20, 1e-6, 0.7, 1.57, 3.1, 1e5}},
          {"asin", tg::asin, std::asin, arcSlope, unit},
          {"acos", tg::acos, std::acos, minusArcSlope, unit},
          {"atan",
           tg::atan,
           std::atan,
           arctangentSlope,
           {-1e15, -2.5, -2.4, -1, -0.4, -1e-30, 1e-6, 0.42, 1, 3, 1e10}},
          {"sinh", tg::sinh, std::sinh, std::cosh, wide},
          {"cosh", tg::cosh, std::cosh, std::sinh, wide}};
}

TEST(Mathematics, functionsAndTheirSlopesAgreeWithTheLibrary) {
  for (const Function &function : functions())
    for (DType dtype : {f32, f64}) {
      SCOPED_TRACE(std::string(function.name) + " " + toString(dtype));
      Numbers x, values, slopes;
      for (double at : function.x) {
        x.push_back(dtype == f32 ? double(float(at)) : at);
        values.push_back(function.value(x.back()));
        slopes.push_back(function.slope(x.back()));
      }
      Evaluated found = evaluateOn(function.ours, x, dtype);
      double unit = dtype == f32 ? 0x1p-23 : 0x1p-52;
      expectClose(found.values, values, 6 * unit);
      expectClose(found.slopes, slopes, 64 * unit);
    }
}

TEST(Mathematics, functionsEndWhereTheirDomainsEnd) {
  double half = std::acos(0.0);
  double whole = std::acos(-1.0);
  Evaluated found = evaluateOn(tg::asin, {-1, 1, -0.0, 1.1, kNan}, f64);
  expectClose(found.values, {-half, half, 0, kNan, kNan}, 1e-15);
  EXPECT_TRUE(std::signbit(found.values[2]));
  EXPECT_EQ(found.slopes[0], kInfinity);
  EXPECT_EQ(found.slopes[1], kInfinity);
  found = evaluateOn(tg::acos, {-1, 1, 0, -1.1, kNan}, f64);
  expectClose(found.values, {whole, 0, half, kNan, kNan}, 1e-15);
  EXPECT_EQ(found.slopes[0], -kInfinity);
  EXPECT_EQ(found.slopes[1], -kInfinity);
  found = evaluateOn(tg::atan, {-kInfinity, kInfinity, -0.0}, f64);
  expectClose(found.values, {-half, half, 0}, 1e-15);
  EXPECT_TRUE(std::signbit(found.values[2]));
  // e^89 is infinite in f32, but its half is not.
  expectClose(evaluateOn(tg::sinh, {89, -89, 0, -kInfinity}, f32).values,
              {std::sinh(89.), -std::sinh(89.), 0, -kInfinity}, 1e-6);
  expectClose(evaluateOn(tg::cosh, {89, -89, 0, -kInfinity}, f32).values,
              {std::cosh(89.), std::cosh(89.), 1, kInfinity}, 1e-6);
  // Gradients are finite where the functions are.
  expectClose(evaluateOn(tg::sinh, {89, -89}, f32).slopes,
              {std::cosh(89.), std::cosh(89.)}, 1e-6);
  expectClose(evaluateOn(tg::cosh, {89, -89}, f32).slopes,
              {std::sinh(89.), -std::sinh(89.)}, 1e-6);
  expectClose(evaluateOn(tg::sinh, {0}, f64).slopes, {1}, 1e-15);
  expectClose(evaluateOn(tg::cosh, {0, 1e-9}, f64).slopes, {0, 1e-9}, 1e-9);
}

//===-- Running products --------------------------------------------------===//

TEST(Mathematics, runningProducts) {
  auto of = [](CumprodOptions options, DType dtype = f32) {
    return on([=](Tensor x) { return cumprod(x, options); }, dtype);
  };
  EXPECT_EQ(of({}), (Numbers{-2, 2, 0, 1, 2, 6}));
  EXPECT_EQ(of({.axis = 0}), (Numbers{-2, -1, 0, -2, -2, 0}));
  EXPECT_EQ(of({.exclusive = true}), (Numbers{1, -2, 2, 1, 1, 2}));
  EXPECT_EQ(of({.reverse = true}), (Numbers{0, 0, 0, 6, 6, 3}));
  EXPECT_EQ(of({.axis = -2, .exclusive = true, .reverse = true}, i64),
            (Numbers{1, 2, 3, 1, 1, 1}));
}

/// Returns d Σ w·cumprod(x) / dx by the product rule.
Numbers productSlopes(const Numbers &x, const Numbers &w) {
  Numbers slopes(x.size());
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t end = i; end < x.size(); ++end) {
      double others = 1;
      for (size_t k = 0; k <= end; ++k)
        if (k != i)
          others *= x[k];
      slopes[i] += w[end] * others;
    }
  return slopes;
}

TEST(Mathematics, slopesOfRunningProductsAreRightAtZeros) {
  Numbers w = {0.5, -2, 3, 1.5, 4};
  for (const Numbers &x :
       {Numbers{2, -3, 0.5, 4, 1.5}, Numbers{2, 0, 0.5, 4, 1.5},
        Numbers{0, 3, 0, 4, 1.5}, Numbers{0, 0, 0, 0, 0}}) {
    Activation weighted([&](Operand input) {
      return cumprod(input) * Program::of(input).constant(w, f64, {5});
    });
    expectNear(evaluateOn(weighted, x, f64).slopes, productSlopes(x, w));
  }
}

TEST(Mathematics, runningProductsOfNothing) {
  EXPECT_EQ(evaluateOn([](Tensor x) { return cumprod(x); }, {}, f64).values,
            Numbers{});
}

//===-- Lengths -----------------------------------------------------------===//

TEST(Mathematics, norms) {
  auto of = [](NormOptions options) {
    return on([=](Tensor x) { return norm(x, options); });
  };
  expectNear(of({}), {std::sqrt(19.)});
  expectNear(of({.axes = {1}}), {std::sqrt(5.), std::sqrt(14.)});
  expectNear(of({.axes = {-2}, .order = 1}), {3, 3, 3});
  expectNear(of({.axes = {1}, .keepDims = true, .order = kInfinity}), {2, 3});
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 3});
  EXPECT_EQ(norm(x, {.axes = {1}, .keepDims = true}).rank(), 2);
  EXPECT_THROW(norm(x, {.order = 3}), GraphError);
  EXPECT_THROW(norm(cast(x, i32)), GraphError);
}

TEST(Mathematics, normsOfNothingAreZero) {
  for (double order : {1., 2., kInfinity}) {
    auto length = [=](Tensor x) {
      return norm(x, {.axes = {0}, .order = order});
    };
    EXPECT_EQ(evaluateOn(length, {}, f64).values, (Numbers{0})) << order;
  }
}

TEST(Mathematics, slopesOfNormsAtZeroAreZero) {
  for (double order : {1., 2., kInfinity}) {
    auto length = [=](Tensor x) { return norm(x, {.order = order}); };
    EXPECT_EQ(evaluateOn(length, {0, 0, 0}, f64).slopes, (Numbers{0, 0, 0}))
        << order;
  }
  auto length = [](Tensor x) { return norm(x); };
  expectNear(evaluateOn(length, {3, 0, -4}, f64).slopes, {0.6, 0, -0.8});
}

//===-- Biases ------------------------------------------------------------===//

TEST(Mathematics, biases) {
  auto list = [](Tensor x, Numbers elements) {
    return Program::of(x).constant(elements, f32, {int64_t(elements.size())});
  };
  expectNear(on([&](Tensor x) { return biasAdd(x, list(x, {1, 2, 3})); }),
             {-1, 1, 3, 2, 4, 6});
  expectNear(on([&](Tensor x) { return biasAdd(x, list(x, {10, 20}), 0); }),
             {8, 9, 10, 21, 22, 23});
  expectNear(on([&](Tensor x) {
               Tensor weight =
                   Program::of(x).constant({1, 0, 0, 1, 1, 1}, f32, {3, 2});
               return xwPlusB(x, weight, list(x, {0.5, -1}));
             }),
             {-1.5, -2, 4.5, 4});
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 3});
  EXPECT_THROW(biasAdd(x, program.zeros({4})), GraphError);
  EXPECT_THROW(biasAdd(x, program.zeros({1, 3})), GraphError);
}
} // namespace
