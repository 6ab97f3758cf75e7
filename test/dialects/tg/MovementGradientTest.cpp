// Compares the gradient rules of data movement ops with central differences.
#include "RunText.h"
#include "gtest/gtest.h"
#include <cmath>

namespace {

struct Case {
  const char *name;
  const char *op;   ///< defines %y from %x, %u, %v, %i and %n
  const char *type; ///< the f64 type of %y, with a `?`
};

/// Returns a function with loss = sum((y + 1)^2 / 2 * (1 + index)), so that no
/// two elements of y have the same cotangent.
std::string textOf(const Case &row) {
  std::string y = row.type;
  return R"(
func.func @f(%x: tensor<?x3xf64>, %u: tensor<1x3xf64>, %v: tensor<f64>, %i: tensor<2xi64>, %n: tensor<i64>)
    -> (tensor<f64>, tensor<?x3xf64>, tensor<1x3xf64>, tensor<f64>) {
  %one = tg.constant dense<1.0> : tensor<f64>
  %half = tg.constant dense<0.5> : tensor<f64>
)" + std::string(row.op) +
         " -> " + y + "\n%a = tg.add %y, %one : (" + y + ", tensor<f64>) -> " +
         y + "\n%b = tg.mul %a, %a : (" + y + ", " + y + ") -> " + y +
         "\n%flat = tg.reshape %b {shape = [-1]} : (" + y +
         R"() -> tensor<?xf64>
  %size = tg.dim %flat {axis = 0} : (tensor<?xf64>) -> tensor<i64>
  %place = tg.iota %size {axis = 0, element_type = f64, shape = [-1]} : (tensor<i64>) -> tensor<?xf64>
  %weight = tg.add %place, %one : (tensor<?xf64>, tensor<f64>) -> tensor<?xf64>
  %c = tg.mul %flat, %weight : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %sum = tg.reduce_sum %c : (tensor<?xf64>) -> tensor<f64>
  %loss = tg.mul %sum, %half : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %g:3 = tg.gradient %loss wrt(%x, %u, %v) {allow_unconnected} : (tensor<f64>, tensor<?x3xf64>, tensor<1x3xf64>, tensor<f64>) -> (tensor<?x3xf64>, tensor<1x3xf64>, tensor<f64>)
  return %loss, %g#0, %g#1, %g#2 : tensor<f64>, tensor<?x3xf64>, tensor<1x3xf64>, tensor<f64>
})";
}

class Gradient : public testing::TestWithParam<Case> {};

TEST_P(Gradient, IsThatOfCentralDifferences) {
  RunText program(textOf(GetParam()));
  std::vector<tg::HostTensor> inputs = {
      program.doubles({2, 3}, {0.3, -1.2, 2.1, 0.7, -0.4, 1.6}),
      program.doubles({1, 3}, {0.9, -0.8, 0.25}), program.doubles({}, {1.7}),
      program.integers({2}, {1, 1}), program.integers({}, {1})};
  auto results = program.run("f", inputs);
  ASSERT_EQ(program.error, "");
  const double step = 1e-4;
  bool isConstant = true;
  for (int input = 0; input < 3; ++input)
    for (int at = 0; at < inputs[input].getNumElements(); ++at) {
      auto high = inputs, low = inputs;
      high[input].values<double>()[at] += step;
      low[input].values<double>()[at] -= step;
      double slope = (program.run("f", high)[0].numberAt(0) -
                      program.run("f", low)[0].numberAt(0)) /
                     (2 * step);
      double found = results[1 + input].numberAt(at);
      EXPECT_NEAR(found, slope, 1e-6 * (1 + std::fabs(slope)))
          << "input " << input << ", element " << at;
      isConstant &= found == 0;
    }
  EXPECT_FALSE(isConstant) << "the case tests nothing";
}

// clang-format off
const Case kCases[] = {
    {"ensure_shape", "%y = tg.ensure_shape %x {shape = [2, -1]} : (tensor<?x3xf64>)", "tensor<2x?xf64>"},
    {"reshape", "%y = tg.reshape %x {shape = [3, -1]} : (tensor<?x3xf64>)", "tensor<3x?xf64>"},
    {"transpose", "%y = tg.transpose %x {permutation = [1, 0]} : (tensor<?x3xf64>)", "tensor<3x?xf64>"},
    {"broadcast_to", "%y = tg.broadcast_to %u, %n {shape = [-1, 2, 3]} : (tensor<1x3xf64>, tensor<i64>)", "tensor<?x2x3xf64>"},
    {"broadcast_to_unknown", "%y = tg.broadcast_to %x {shape = [2, -1, 3]} : (tensor<?x3xf64>)", "tensor<2x?x3xf64>"},
    {"pad", "%y = tg.pad %x, %v {high = [2, 0], low = [0, 1]} : (tensor<?x3xf64>, tensor<f64>)", "tensor<?x4xf64>"},
    {"concat", "%y = tg.concat %x, %u, %x {axis = 0} : (tensor<?x3xf64>, tensor<1x3xf64>, tensor<?x3xf64>)", "tensor<?x3xf64>"},
    {"concat_static", "%z = tg.concat %u, %u {axis = 1} : (tensor<1x3xf64>, tensor<1x3xf64>) -> tensor<1x6xf64>\n%y = tg.ensure_shape %z {shape = [1, -1]} : (tensor<1x6xf64>)", "tensor<1x?xf64>"},
    {"reverse", "%r = tg.reverse %x {axes = [1]} : tensor<?x3xf64>\n%y = tg.reshape %r {shape = [-1, 3]} : (tensor<?x3xf64>)", "tensor<?x3xf64>"},
    {"slice", "%y = tg.slice %x, %n {sizes = [-1, -1], starts = [-1, 0], strides = [1, 2]} : (tensor<?x3xf64>, tensor<i64>)", "tensor<?x2xf64>"},
    {"slice_with_sizes", "%y = tg.slice %x, %n, %n, %n {sizes = [-1, -1], starts = [0, -1]} : (tensor<?x3xf64>, tensor<i64>, tensor<i64>, tensor<i64>)", "tensor<?x?xf64>"},
    {"update_slice", "%y = tg.update_slice %x, %u, %n {starts = [-1, 0]} : (tensor<?x3xf64>, tensor<1x3xf64>, tensor<i64>)", "tensor<?x3xf64>"},
    {"gather", "%y = tg.gather %x, %i {axis = 1} : (tensor<?x3xf64>, tensor<2xi64>)", "tensor<?x2xf64>"},
    {"gather_batches", "%z = tg.gather %x, %i {axis = 1, batch_dims = 1} : (tensor<?x3xf64>, tensor<2xi64>) -> tensor<2xf64>\n%y = tg.ensure_shape %z {shape = [-1]} : (tensor<2xf64>)", "tensor<?xf64>"},
    {"scatter", "%w = tg.concat %u, %u {axis = 0} : (tensor<1x3xf64>, tensor<1x3xf64>) -> tensor<2x3xf64>\n%y = tg.scatter %x, %i, %w : (tensor<?x3xf64>, tensor<2xi64>, tensor<2x3xf64>)", "tensor<?x3xf64>"},
    {"scatter_set", "%w = tg.concat %u, %u {axis = 0} : (tensor<1x3xf64>, tensor<1x3xf64>) -> tensor<2x3xf64>\n%y = tg.scatter %x, %i, %w {combine = \"set\"} : (tensor<?x3xf64>, tensor<2xi64>, tensor<2x3xf64>)", "tensor<?x3xf64>"},
};
// clang-format on

INSTANTIATE_TEST_SUITE_P(Ops, Gradient, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case> &info) {
                           return std::string(info.param.name);
                         });

TEST(StopGradient, LetsNoCotangentThrough) {
  RunText program(R"(
    func.func @f(%x: tensor<2xf64>) -> tensor<2xf64> {
      %s = tg.stop_gradient %x : tensor<2xf64>
      %y = tg.mul %x, %s : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
      %loss = tg.reduce_sum %y : (tensor<2xf64>) -> tensor<f64>
      %g = tg.gradient %loss wrt(%x) : (tensor<f64>, tensor<2xf64>) -> tensor<2xf64>
      return %g : tensor<2xf64>
    })");
  auto results = program.run("f", {program.doubles({2}, {3, 5})});
  ASSERT_EQ(program.error, "");
  EXPECT_EQ(numbersOf(results[0]), (std::vector<double>{3, 5}));
}

} // namespace
