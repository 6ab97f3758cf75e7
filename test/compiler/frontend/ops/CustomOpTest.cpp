// Tests operations of the user: their graphs, gradients, and versions for CPUs
// in compiled code, sessions and eager mode.
#include "../Errors.h"
#include "tg/runtime.hpp"

#include <filesystem>
#include <unistd.h>

using namespace tg;

namespace {

/// A kernel as PTX; tests on CPUs do not read it.
constexpr char kPtx[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                        ".entry k(.param .u64 a) { ret; }\n";

/// Returns a function of the host that multiplies its inputs element by
/// element.
std::vector<Array> multiply(const std::vector<Array> &inputs) {
  std::vector<float> products = inputs[0].to<float>();
  const std::vector<float> others = inputs[1].to<float>();
  for (size_t i = 0; i < products.size(); ++i)
    products[i] *= others[i];
  return {Array(products, inputs[0].shape())};
}

/// An operation that multiplies, with its gradient.
CustomOp product() {
  return {.name = "product",
          .ptx = kPtx,
          .block = {64},
          .cpu = multiply,
          .gradient = [](auto &inputs, auto &, auto &gradients) {
            return std::vector{gradients[0] * inputs[1],
                               gradients[0] * inputs[0]};
          }};
}

Model load(const Program &program) {
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               ("custom-" + std::to_string(getpid()) + ".so");
  program.compile(path.string(), {.levels = {2}});
  Model model = Model::load(path.string());
  std::filesystem::remove(path);
  return model;
}

std::vector<float> valuesOf(const Outputs &outputs, std::string_view name) {
  std::span<const float> values = outputs.values<float>(name);
  return {values.begin(), values.end()};
}

} // namespace

/// A dynamic extent of the first input is one of the result.
TEST(CustomOp, isAHostFunctionInALibraryForCpus) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 3});
  Tensor y = product()({x, relu(x)});
  Tensor dx = gradientsOf(reduceSum(y), {x})[0];
  program.function("f", {.inputs = {x}, .outputs = {{"y", y}, {"dx", dx}}});
  Context context = load(program).context();
  context.registerHost("product", [](std::span<const HostInput> inputs,
                                     std::span<const HostOutput> outputs) {
    for (size_t i = 0; i < inputs[0].values<float>().size(); ++i)
      outputs[0].values<float>()[i] =
          inputs[0].values<float>()[i] * inputs[1].values<float>()[i];
  });
  const Outputs &found =
      context.run("f", {{"x", std::vector<float>{1, 2, -3}}});
  EXPECT_EQ(valuesOf(found, "y"), (std::vector<float>{1, 4, 0}));
  EXPECT_EQ(valuesOf(found, "dx"), (std::vector<float>{2, 4, 0}));
}

TEST(CustomOp, runsInSessions) {
  Program program("p");
  Tensor x = program.input("x", f32, {3});
  Tensor w = program.input("w", f32, {3});
  Tensor y = product()({x, w});
  Session session(program);
  EXPECT_EQ(session.run(y, {{x, {1, 2, 3}}, {w, {4, 5, 6}}}).to<float>(),
            (std::vector<float>{4, 10, 18}));
}

TEST(CustomOp, hasItsGradient) {
  Program program("p");
  Tensor x = program.input("x", f32, {4});
  Tensor y = product()({x, sin(x)});
  Session session(program);
  EXPECT_LT(computeGradientError(session, x, {4}, y, {4}, {.seed = 3}), 2e-3);
}

TEST(CustomOp, returnsResultsOfOtherTypes) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n")});
  const CustomOp op = {
      .name = "count",
      .ptx = kPtx,
      .grid = {2},
      .cpu = [](const std::vector<Array> &inputs) {
        double sum = 0;
        for (float number : inputs[0].to<float>())
          sum += number;
        const std::vector<int32_t> count = {int32_t(inputs[0].size())};
        return std::vector{Array(count, {1}),
                           Array(std::vector<double>{sum}, {1})};
      }};
  std::vector<Tensor> results = op.call({x}, {{i32, {1}}, {f64, {1}}});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].dtype(), i32);
  Session session(program);
  EXPECT_EQ(session.run(results[1], {{x, {1, -2, 3}}}).to<double>(),
            std::vector<double>{2});
}

TEST(CustomOp, reportsMistakes) {
  Program program("p");
  Tensor x = program.input("x", f32, {3});
  EXPECT_ERROR(CustomOp{.name = "f"}({x}),
               "expected one of cuda and ptx, found none");
  const CustomOp wide = {.name = "f", .ptx = kPtx, .block = {4096}};
  EXPECT_ERROR(wide({x}),
               "expected an extent of block from 1 to 1024, found 4096");
  const CustomOp spaced = {.name = "my f", .ptx = kPtx};
  EXPECT_ERROR(spaced({x}), "expected the name of a function like fc1/relu");
}

TEST(CustomOp, computesInEagerMode) {
  ExecutionScope scope{true};
  Program program("p");
  Tensor x = program.tensor<float>({1, -2, 3}, {3});
  GradientTape tape;
  tape.watch(x);
  Tensor y = product()({x, x});
  EXPECT_EQ(y.values<float>(), (std::vector<float>{1, 4, 9}));
  EXPECT_EQ(tape.gradient(y, {x})[0].values<float>(),
            (std::vector<float>{2, -4, 6}));
}
