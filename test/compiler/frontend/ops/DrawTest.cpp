// Tests random numbers of compiled functions that change no variable: they
// depend on the seed of the context and on the number of its calls.
#include "tg/runtime.hpp"
#include "tg/tg.h"

#include <gtest/gtest.h>
#include <set>

using namespace tg;

namespace {
using Classes = std::vector<int64_t>;

Model compile(const Program &program, const char *name,
              ModelOptions options = {}) {
  options.levels = {2};
  std::string path = testing::TempDir() + name;
  program.compile(path, options);
  return Model::load(path);
}

/// Compiles a function `sample` that draws 16 samples of a uniform
/// distribution, and a function that trains.
Model makeModel() {
  Program program("dice");
  Tensor chances = program.input("chances", f32, {16, 6});
  Variable w = program.variable("w", f32, {}, 1.0);
  program.function("sample", {.inputs = {chances},
                              .outputs = {{"drawn", categorical(chances)}}});
  program.function("train", {.outputs = {{"w", w}},
                             .updates = assign(w, program.randomUniform({}))});
  return compile(program, "dice.so");
}

Classes draw(Context &context, std::vector<Input> more = {}) {
  std::vector<float> chances(96);
  more.push_back({"chances", Value(chances, {16, 6})});
  auto drawn = context.run("sample", more).values<int64_t>("drawn");
  return {drawn.begin(), drawn.end()};
}

std::vector<Classes> drawAll(Context &context, int calls = 5) {
  std::vector<Classes> all;
  for (int i = 0; i < calls; ++i)
    all.push_back(draw(context));
  return all;
}

size_t countDistinct(const std::vector<Classes> &all) {
  return std::set<Classes>(all.begin(), all.end()).size();
}
} // namespace

TEST(Draw, eachCallDrawsAnew) {
  Model model = makeModel();
  Context context = model.context({.seed = 1});
  EXPECT_EQ(countDistinct(drawAll(context, 12)), 12u);
}

TEST(Draw, aSeedBeginsAnew) {
  Model model = makeModel();
  Context context = model.context({.seed = 1});
  std::vector<Classes> first = drawAll(context);
  std::vector<Classes> next = drawAll(context);
  EXPECT_NE(first, next);
  context.setSeed(1);
  EXPECT_EQ(drawAll(context), first);
  EXPECT_EQ(drawAll(context), next);
  context.setSeed(2);
  EXPECT_NE(drawAll(context), first);
  context.init(1);
  EXPECT_EQ(drawAll(context), first);
  Context other = model.context({.seed = 1});
  EXPECT_EQ(drawAll(other), first) << "contexts of one seed draw the same";
}

TEST(Draw, functionsThatChangeVariablesDoNotCount) {
  Model model = makeModel();
  Context one = model.context({.seed = 1});
  Context other = model.context({.seed = 1});
  draw(one), draw(other);
  one.run("train", {});
  EXPECT_EQ(draw(one), draw(other));
  one.run("train", {});
  float before = one.run("train", {}).scalar("w");
  EXPECT_NE(one.run("train", {}).scalar("w"), before);
}

TEST(Draw, aFailedCallDoesNotCount) {
  Model model = makeModel();
  Context context = model.context({.seed = 1});
  std::vector<Classes> expected = drawAll(context, 2);
  context.setSeed(1);
  EXPECT_EQ(draw(context), expected[0]);
  std::vector<float> few(5);
  EXPECT_THROW(context.run("sample", {{"chances", few}}), RuntimeError);
  EXPECT_EQ(draw(context), expected[1]);
}

TEST(Draw, servingLibrariesDrawByTheSeedOfTheirContext) {
  Program program("serve");
  Tensor chances = program.input("chances", f32, {16, 6});
  Variable w = program.variable("w", f32, {6}, 1.0);
  program.function(
      "sample",
      {.inputs = {chances}, .outputs = {{"drawn", categorical(chances * w)}}});
  Model whole = compile(program, "whole.so");
  std::string weights = testing::TempDir() + "dice.safetensors";
  whole.context({.seed = 3}).save(weights);
  Model model = compile(program, "serve.so",
                        {.functions = {"sample"}, .weights = weights});
  Context one = model.context({.seed = 1});
  Context other = model.context({.seed = 2});
  EXPECT_EQ(countDistinct(drawAll(one, 12)), 12u);
  one.init(1), other.init(2);
  EXPECT_NE(drawAll(one), drawAll(other));
  // A context with shared weights only reads them.
  model.publish(one);
  Context shared = model.context({.seed = 1, .shared = true});
  one.setSeed(1);
  EXPECT_EQ(drawAll(shared), drawAll(one));
  // The model has no variable for a count of calls.
  for (uint32_t i = 0; i < model.tables().variable_count; ++i)
    EXPECT_STREQ(model.tables().variables[i]->name, "w");
}

TEST(Draw, programsWithoutVariablesNeedNone) {
  Program program("p");
  program.function("sample",
                   {.outputs = {{"drawn", program.randomUniform({4})}}});
  Model model = compile(program, "none.so");
  EXPECT_EQ(model.tables().variable_count, 0u);
  Context context = model.context({.seed = 5});
  const auto values = [&] {
    auto drawn = context.run("sample", {}).values<float>("drawn");
    return std::vector<float>(drawn.begin(), drawn.end());
  };
  std::vector<float> first = values();
  std::vector<float> second = values();
  EXPECT_NE(first, second);
  context.setSeed(5);
  EXPECT_EQ(values(), first);
}

TEST(Draw, initIsASeedWhereThereAreNoVariables) {
  Program program("noise");
  program.function("draw", {.outputs = {{"y", program.randomUniform({4})}}});
  Context context = compile(program, "noise.so").context();
  auto draw = [&] {
    auto y = context.run("draw", {}).values<float>("y");
    return std::vector<float>(y.begin(), y.end());
  };
  context.init(1);
  std::vector<float> first = draw();
  context.init(2);
  EXPECT_NE(draw(), first);
  context.init(1);
  EXPECT_EQ(draw(), first);
}

TEST(Draw, hostsMayGiveTheNumbersThemselves) {
  Model model = makeModel();
  const tg_function_t &sample = model.function("sample");
  ASSERT_EQ(sample.input_count, 3u);
  EXPECT_STREQ(sample.inputs[1]->name, "tg.seed");
  EXPECT_EQ(sample.inputs[1]->flags, uint32_t(TG_VALUE_SEED));
  EXPECT_STREQ(sample.inputs[2]->name, "tg.call");
  EXPECT_EQ(sample.inputs[2]->flags, uint32_t(TG_VALUE_CALL));
  EXPECT_EQ(model.tables().abi_version, TG_ABI_MAJOR << 16 | 3u);
  EXPECT_EQ(model.function("train").input_count, 0u);
  Context context = model.context({.seed = 1});
  std::vector<Classes> all = drawAll(context, 3);
  EXPECT_EQ(draw(context, {{"tg.call", 1}}), all[1]);
  EXPECT_EQ(draw(context, {{"tg.seed", 1}, {"tg.call", 2}}), all[2]);
  context.setSeed(7);
  EXPECT_EQ(draw(context, {{"tg.seed", 1}}), all[0]);
  EXPECT_THROW(draw(context, {{"tg.step", 1}}), RuntimeError);
}

TEST(Draw, theCInterfaceFillsWhatIsLeftOut) {
  Model model = makeModel();
  Context context = model.context({.seed = 1});
  std::vector<Classes> all = drawAll(context, 4);
  context.setSeed(1);
  float chances[96] = {};
  int64_t drawn[16], in[2] = {16, 6}, out[1] = {16}, seed = 1, call = 3;
  const auto tensor = [](void *data, uint8_t code, uint8_t bits, int64_t *dims,
                         int32_t rank) {
    return tg_tensor_t{
        data, {TG_DEVICE_CPU, 0}, rank, {code, bits, 1}, dims, nullptr, 0};
  };
  tg_tensor_t inputs[3] = {tensor(chances, TG_DTYPE_FLOAT, 32, in, 2),
                           {},
                           tensor(&call, TG_DTYPE_INT, 64, nullptr, 0)};
  tg_tensor_t output = tensor(drawn, TG_DTYPE_INT, 64, out, 1);
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  uint32_t sample = 0;
  ASSERT_EQ(tg_module_find_function(model.handle(), "sample", &sample, &error),
            TG_OK);
  const auto run = [&](uint32_t count) {
    EXPECT_EQ(tg_context_run(context.handle(), sample, inputs, count, &output,
                             1, &error),
              TG_OK)
        << error.message;
    return Classes(drawn, drawn + 16);
  };
  EXPECT_EQ(run(1), all[0]) << "both left out";
  EXPECT_EQ(run(3), all[3]) << "the seed left out";
  inputs[1] = tensor(&seed, TG_DTYPE_INT, 64, nullptr, 0);
  inputs[2] = {};
  EXPECT_EQ(run(3), all[1]) << "the number of the call left out";
  EXPECT_EQ(
      tg_context_run(context.handle(), sample, inputs, 2, &output, 1, &error),
      TG_ERROR_COUNT);
  tg_named_tensor_t named[3] = {
      {"drawn", output}, {"chances", inputs[0]}, {"tg.seed", inputs[1]}};
  EXPECT_EQ(tg_context_run_named(context.handle(), "sample", named, 2, &error),
            TG_OK)
      << error.message;
  EXPECT_EQ(Classes(drawn, drawn + 16), all[2]);
  EXPECT_EQ(tg_context_run_named(context.handle(), "sample", named, 3, &error),
            TG_OK)
      << error.message;
  EXPECT_EQ(Classes(drawn, drawn + 16), all[3]);
  named[2].name = "other";
  EXPECT_EQ(tg_context_run_named(context.handle(), "sample", named, 3, &error),
            TG_ERROR_COUNT);
  EXPECT_STREQ(error.message, "sample: 3 tensors, expected 1 inputs and 1 "
                              "outputs; too many: 'other'");
}

TEST(Draw, userNamesAndHiddenOnesLieApart) {
  Program program("p");
  Variable seed = program.variable("seed", f32, {}, 2.0);
  Variable step = program.variable("step", f32, {2}, 1.0);
  Tensor loss = reduceSum(step * dropout(step, {0.5})) + seed * seed;
  program.function("seed", {.outputs = {{"seed", seed}}});
  program.function(
      "step", {.outputs = {{"loss", loss}}, .updates = Adam().minimize(loss)});
  std::vector<std::string> names;
  for (const Variable &variable : program.variables())
    names.push_back(variable.name());
  EXPECT_EQ(names, (std::vector<std::string>{"seed", "step", "seed.adam_m",
                                             "seed.adam_v", "step.adam_m",
                                             "step.adam_v"}));
  Model model = compile(program, "names.so", {.functions = {"seed", "step"}});
  EXPECT_NE(program.text().find("@seed.function() -> (tensor<f32>"),
            std::string::npos)
      << program.text();
  Context context = model.context({.seed = 1});
  EXPECT_EQ(context.run("seed", {}).scalar("seed"), 2);
  context.run("step", {});
  EXPECT_EQ(context.get<int64_t>("tg.step").at(0), 1);
  EXPECT_EQ(context.get<int64_t>("tg.seed").at(0), 1);
  try {
    program.variable("tg.step", i64, {}, 0.0);
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_NE(error.message.find("expected another name for variable "
                                 "'tg.step': names that begin with 'tg.' are"),
              std::string::npos)
        << error.message;
  }
}
