//===- ReferenceTest.cpp - elements, control flow and failures ------------===//
#include "dialects/tg/evaluation/Random.h"
#include "test/compiler/reference/ReferenceRun.h"
#include "gtest/gtest.h"
#include <cfenv>
#include <cmath>

using namespace mlir;
using namespace tg;
using namespace tg::test;

namespace {

/// Returns function @f, which applies one op to an input x.
std::string unary(const std::string &op, const std::string &type) {
  return "func.func @f(%x: " + type + " {tg.name = \"x\"}) -> (" + type +
         " {tg.name = \"y\"}) {\n %y = tg." + op + " %x : " + type +
         "\n return %y : " + type + "\n}";
}

/// Runs a function with one result.
HostTensor run(ReferenceRun &model, ArrayRef<HostTensor> inputs) {
  SmallVector<HostTensor> results = model.run(inputs);
  EXPECT_EQ(model.error, "");
  return results.empty() ? HostTensor() : results[0];
}

} // namespace

// The expansion of exp, written once more: one rounding per operation.
TEST(Reference, ComputesFunctionsByTheirExpansions) {
  ReferenceRun model(unary("exp", "tensor<1000xf32>"));
  HostTensor x = model.random<float>(1000, 1);
  HostTensor y = run(model, x);
  for (int64_t i = 0; i < 1000; ++i) {
    float a = x.values<float>()[i];
    float shifter = 0x1.8p23f + 254;
    float shifted = std::fma(a, 0x1.71547652b82fep+0f, shifter);
    float n = shifted - shifter;
    float r =
        std::fma(n, -0x1.7f7d1cf79abcap-20f, std::fma(n, -0x1.62e4p-1f, a));
    float low = std::fma(0x1.5554ac0p-3f, r, 0x1.0000000p-1f);
    float high = std::fma(0x1.122ade0p-7f, r, 0x1.5554ee0p-5f);
    float z = r * r;
    low = std::fma(high, z, low);
    float q = std::fma(0x1.6d46760p-10f, z * z, low);
    float e = std::fma(std::fma(q, r, 1.0f), r, 1.0f);
    EXPECT_EQ(y.values<float>()[i], std::ldexp(e, int(n))) << a;
  }
}

TEST(Reference, DividesSignificandsInALoopOfEachLane) {
  ReferenceRun model(
      "func.func @f(%x: tensor<4xf64> {tg.name = \"x\"}, %y: tensor<4xf64> "
      "{tg.name = \"y\"}) -> (tensor<4xf64> {tg.name = \"r\"}) {\n"
      " %r = tg.remainder %x, %y : (tensor<4xf64>, tensor<4xf64>) -> "
      "tensor<4xf64>\n return %r : tensor<4xf64>\n}");
  HostTensor x = model.tensor<double>(4, {1e300, 5.5, -7, 1e-310});
  HostTensor y = model.tensor<double>(4, {3e-5, 2, 2.5, 3e-315});
  HostTensor r = run(model, {x, y});
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(r.numberAt(i), std::fmod(x.numberAt(i), y.numberAt(i))) << i;
}

TEST(Reference, ReducesLargeAnglesInABranchOfEachLane) {
  ReferenceRun model(unary("sin", "tensor<3xf64>"));
  HostTensor x = model.tensor<double>(3, {1, 1e22, -3e300});
  HostTensor y = run(model, x);
  for (int64_t i = 0; i < 3; ++i)
    EXPECT_NEAR(y.numberAt(i), std::sin(x.numberAt(i)), 1e-15) << i;
}

TEST(Reference, IgnoresTheModesOfTheThread) {
  ReferenceRun model(unary("exp", "tensor<100xf32>"));
  HostTensor x = model.random<float>(100, 1);
  HostTensor expected = run(model, x);
  std::fesetround(FE_UPWARD);
  HostTensor found = run(model, x);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(expected.values<float>(), found.values<float>());
}

TEST(Reference, EvaluatesComposedOps) {
  ReferenceRun model("func.func @f(%x: tensor<2x3xf32> {tg.name = \"x\"}) -> "
                     "(tensor<2x3xf32> {tg.name = \"y\"}) {\n"
                     " %y = tg.softmax %x {axis = 1 : i64} : tensor<2x3xf32>\n"
                     " return %y : tensor<2x3xf32>\n}");
  HostTensor y = run(model, model.tensor<float>({2, 3}, {0, 0, 0, 1, 2, 3}));
  // One division for a row.
  EXPECT_EQ(y.values<float>()[0], 1.0f / 3.0f);
}

TEST(Reference, DrawsUniformSamplesAsDefined) {
  ReferenceRun model(
      "func.func @f(%s: tensor<i64> {tg.name = \"s\"}, %c: tensor<i64> "
      "{tg.name = \"c\"}) -> (tensor<9xf32> {tg.name = \"y\"}) {\n"
      " %y = tg.random_uniform %s, %c {shape = [9], stream = 3 : i64, "
      "element_type = f32} : (tensor<i64>, tensor<i64>) -> tensor<9xf32>\n"
      " return %y : tensor<9xf32>\n}");
  HostTensor y = run(
      model, {model.tensor<int64_t>({}, {5}), model.tensor<int64_t>({}, {6})});
  for (int64_t i = 0; i < 9; ++i)
    EXPECT_EQ(y.values<float>()[i], uniformF32({5, 6, 3}, i)) << i;
}

TEST(Reference, KeepsVariables) {
  ReferenceRun model("tg.variable @v : tensor<f32>\n"
                     "func.func @init() attributes {tg.role = \"init\"} {\n"
                     " %c = tg.constant dense<1.0> : tensor<f32>\n"
                     " tg.assign @v, %c : tensor<f32>\n return\n}\n"
                     "func.func @f(%x: tensor<f32> {tg.name = \"x\"}) -> "
                     "(tensor<f32> {tg.name = \"y\"}) {\n"
                     " %old = tg.read @v : tensor<f32>\n"
                     " %y = tg.add %old, %x : (tensor<f32>, tensor<f32>) -> "
                     "tensor<f32>\n"
                     " tg.assign @v, %y : tensor<f32>\n"
                     " return %y : tensor<f32>\n}");
  HostTensor x = model.tensor<float>({}, {0.25f});
  model.run(x);
  EXPECT_NE(model.error, "");
  ASSERT_TRUE(model.reference);
  model.reference->interpreter.variables["v"] = x;
  EXPECT_EQ(run(model, x).numberAt(0), 0.5);
  EXPECT_EQ(run(model, x).numberAt(0), 0.75);
}

TEST(Reference, ReportsIndicesOutOfRange) {
  ReferenceRun model(
      "func.func @f(%x: tensor<2xf32> {tg.name = \"x\"}, %i: tensor<1xi64> "
      "{tg.name = \"i\"}) -> (tensor<1xf32> {tg.name = \"y\"}) {\n"
      " %y = tg.gather %x, %i : (tensor<2xf32>, tensor<1xi64>) -> "
      "tensor<1xf32>\n return %y : tensor<1xf32>\n}");
  HostTensor x = model.random<float>(2, 1);
  model.run({x, model.tensor<int64_t>(1, {2})});
  EXPECT_EQ(model.error,
            "'tg.gather' op expected index 2 to be in [0, 2) [R1]");
}

TEST(Reference, BindsSizesThatARunDetermines) {
  ReferenceRun model(
      "func.func @f(%x: tensor<?xf32> {tg.name = \"x\"}, %k: tensor<i64> "
      "{tg.name = \"k\"}) -> (tensor<?xf32> {tg.name = \"y\"}) {\n"
      " %e = tg.exp %x : tensor<?xf32>\n"
      " %y = tg.slice %e, %k {sizes = [-1], starts = [0]} : (tensor<?xf32>, "
      "tensor<i64>) -> tensor<?xf32>\n return %y : tensor<?xf32>\n}");
  HostTensor y =
      run(model, {model.random<float>(7, 1), model.tensor<int64_t>({}, {3})});
  EXPECT_EQ(y.getNumElements(), 3);
}
