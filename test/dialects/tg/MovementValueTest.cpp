// Tests the values of data movement ops, of random samples and of run-time
// checks.
#include "RunText.h"
#include "gtest/gtest.h"

namespace {

/// A test case: one op on the 2 x 3 f32 input 0 1 2 / 3 4 5.
struct Case {
  const char *name;
  const char *op;   ///< defines %y from %x, %i, %v and %n
  const char *type; ///< the type of %y
  std::vector<double> expected;
};

std::string textOf(const Case &row) {
  return std::string("func.func @f(%x: tensor<?x3xf32>, %i: tensor<2xi64>, "
                     "%v: tensor<f32>, %n: tensor<i64>) -> ") +
         row.type + " {\n" + row.op + " -> " + row.type +
         "\nreturn %y : " + row.type + "\n}\n";
}

class Evaluate : public testing::TestWithParam<Case> {};

TEST_P(Evaluate, GivesTheValuesOfTheRule) {
  RunText program(textOf(GetParam()));
  auto results =
      program.run("f", {program.floats({2, 3}, {0, 1, 2, 3, 4, 5}),
                        program.integers({2}, {1, 0}), program.floats({}, {9}),
                        program.integers({}, {1})});
  ASSERT_EQ(program.error, "");
  EXPECT_EQ(numbersOf(results[0]), GetParam().expected);
}

// clang-format off
const Case kCases[] = {
    {"dim", "%y = tg.dim %x {axis = 0} : (tensor<?x3xf32>)", "tensor<i64>", {2}},
    {"iota", "%y = tg.iota %n {axis = 1, element_type = f32, shape = [-1, 3]} : (tensor<i64>)", "tensor<?x3xf32>", {0, 1, 2}},
    {"iota_rows", "%y = tg.iota {axis = 0, shape = [2, 2]} : ()", "tensor<2x2xi64>", {0, 0, 1, 1}},
    {"ensure_shape", "%y = tg.ensure_shape %x {shape = [2, 3]} : (tensor<?x3xf32>)", "tensor<2x3xf32>", {0, 1, 2, 3, 4, 5}},
    {"reshape", "%y = tg.reshape %x {shape = [3, -1]} : (tensor<?x3xf32>)", "tensor<3x?xf32>", {0, 1, 2, 3, 4, 5}},
    {"transpose", "%y = tg.transpose %x {permutation = [1, 0]} : (tensor<?x3xf32>)", "tensor<3x?xf32>", {0, 3, 1, 4, 2, 5}},
    {"broadcast_to", "%y = tg.broadcast_to %x {shape = [2, -1, 3]} : (tensor<?x3xf32>)", "tensor<2x?x3xf32>", {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}},
    {"pad", "%y = tg.pad %x, %v {high = [0, 0], low = [1, 1]} : (tensor<?x3xf32>, tensor<f32>)", "tensor<?x4xf32>", {9, 9, 9, 9, 9, 0, 1, 2, 9, 3, 4, 5}},
    {"concat", "%y = tg.concat %x, %x {axis = 1} : (tensor<?x3xf32>, tensor<?x3xf32>)", "tensor<?x6xf32>", {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}},
    {"reverse", "%z = tg.reverse %x {axes = [0, 1]} : tensor<?x3xf32>\n%y = tg.reshape %z {shape = [-1]} : (tensor<?x3xf32>)", "tensor<?xf32>", {5, 4, 3, 2, 1, 0}},
    {"slice", "%y = tg.slice %x, %n {sizes = [-1, -1], starts = [-1, 0], strides = [1, 2]} : (tensor<?x3xf32>, tensor<i64>)", "tensor<?x2xf32>", {3, 5}},
    {"slice_with_sizes", "%y = tg.slice %x, %n, %n, %n {sizes = [-1, -1], starts = [0, -1]} : (tensor<?x3xf32>, tensor<i64>, tensor<i64>, tensor<i64>)", "tensor<?x?xf32>", {1}},
    {"update_slice", "%u = tg.broadcast_to %v {shape = [1, 2]} : (tensor<f32>) -> tensor<1x2xf32>\n%y = tg.update_slice %x, %u, %n {starts = [-1, 0], strides = [1, 2]} : (tensor<?x3xf32>, tensor<1x2xf32>, tensor<i64>)", "tensor<?x3xf32>", {0, 1, 2, 9, 4, 9}},
    {"gather_rows", "%y = tg.gather %x, %i : (tensor<?x3xf32>, tensor<2xi64>)", "tensor<2x3xf32>", {3, 4, 5, 0, 1, 2}},
    {"gather_columns", "%y = tg.gather %x, %i {axis = 1} : (tensor<?x3xf32>, tensor<2xi64>)", "tensor<?x2xf32>", {1, 0, 4, 3}},
    {"gather_batches", "%y = tg.gather %x, %i {axis = 1, batch_dims = 1} : (tensor<?x3xf32>, tensor<2xi64>)", "tensor<2xf32>", {1, 3}},
    {"nonzero", "%z = tg.constant dense<3.0> : tensor<f32>\n%p = tg.compare lt, %x, %z : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xi1>\n%y = tg.nonzero %p : (tensor<?x3xi1>)", "tensor<?x2xi64>", {0, 0, 0, 1, 0, 2}},
    {"scatter", "%u = tg.gather %x, %i : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>\n%y = tg.scatter %x, %i, %u : (tensor<?x3xf32>, tensor<2xi64>, tensor<2x3xf32>)", "tensor<?x3xf32>", {0, 2, 4, 6, 8, 10}},
    {"scatter_set", "%j = tg.sub %i, %i : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>\n%r = tg.gather %x, %i : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>\n%u = tg.add %r, %r : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>\n%y = tg.scatter %x, %j, %u {combine = \"set\"} : (tensor<?x3xf32>, tensor<2xi64>, tensor<2x3xf32>)", "tensor<?x3xf32>", {0, 2, 4, 3, 4, 5}},
};
// clang-format on

INSTANTIATE_TEST_SUITE_P(Ops, Evaluate, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case> &info) {
                           return std::string(info.param.name);
                         });

TEST(EvaluateRandom, FollowsTheTestVector) {
  RunText program(R"(
    func.func @f(%s: tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>) {
      %u = tg.random_uniform %s, %s {shape = [4], stream = 0} : (tensor<i64>, tensor<i64>) -> tensor<4xf32>
      %n = tg.random_normal %s, %s {shape = [4], stream = 0} : (tensor<i64>, tensor<i64>) -> tensor<4xf32>
      return %u, %n : tensor<4xf32>, tensor<4xf32>
    })");
  auto results = program.run("f", {program.integers({}, {0})});
  ASSERT_EQ(program.error, "");
  const double uniforms[] = {0.39904642, 0.88052016, 0.73571277, 0.60548180};
  const double normals[] = {-0.2558159, 1.1775911, 0.6301838, 0.2675621};
  for (int at = 0; at < 4; ++at) {
    EXPECT_NEAR(results[0].numberAt(at), uniforms[at], 1e-8);
    EXPECT_NEAR(results[1].numberAt(at), normals[at], 1e-7);
  }
}

TEST(EvaluateChecks, SayWhatTheyFound) {
  RunText program(R"(
    func.func @gather(%x: tensor<4xf32>, %i: tensor<?xi64>) -> tensor<?xf32> {
      %y = tg.gather %x, %i : (tensor<4xf32>, tensor<?xi64>) -> tensor<?xf32>
      return %y : tensor<?xf32>
    }
    func.func @slice(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<2xf32> {
      %y = tg.slice %x, %n {sizes = [2], starts = [-1]} : (tensor<4xf32>, tensor<i64>) -> tensor<2xf32>
      return %y : tensor<2xf32>
    }
    func.func @iota(%n: tensor<i64>) -> tensor<?xi64> {
      %y = tg.iota %n {axis = 0, shape = [-1]} : (tensor<i64>) -> tensor<?xi64>
      return %y : tensor<?xi64>
    }
    func.func @ensure(%x: tensor<?xf32>) -> tensor<3xf32> {
      %y = tg.ensure_shape %x {shape = [3]} : (tensor<?xf32>) -> tensor<3xf32>
      return %y : tensor<3xf32>
    }
    func.func @bounds(%x: tensor<?xf32>) -> tensor<?xf32> {
      %y = tg.ensure_shape %x {bounds = [3], shape = [-1]} : (tensor<?xf32>) -> tensor<?xf32>
      return %y : tensor<?xf32>
    })");
  auto x = program.floats({4}, {0, 1, 2, 3});
  program.run("gather", {x, program.integers({1}, {4})});
  EXPECT_EQ(program.error,
            "'tg.gather' op expected index 4 to be in [0, 4) [R1]");
  program.error.clear();
  program.run("slice", {x, program.integers({}, {3})});
  EXPECT_EQ(program.error, "'tg.slice' op expected 2 elements from 3 in steps "
                           "of 1 to lie in dim 0 (4) [C3]");
  program.error.clear();
  program.run("iota", {program.integers({}, {-2})});
  EXPECT_EQ(program.error, "'tg.iota' op expected an entry of shape to be at "
                           "least 0, found -2 [R0]");
  program.error.clear();
  program.run("ensure", {x});
  EXPECT_EQ(program.error, "'tg.ensure_shape' op expected dim 0 of the input "
                           "(4) to equal shape (3) [C2]");
  program.error.clear();
  program.run("bounds", {x});
  EXPECT_EQ(program.error, "'tg.ensure_shape' op expected dim 0 of the input "
                           "(4) to be at most 3 [R1]");
}

} // namespace
