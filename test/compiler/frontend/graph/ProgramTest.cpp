// Tests programs: functions, their inputs and outputs, variables, roles, text.
#include "../Evaluator.h"
#include "tg/tg.h"

#include <gtest/gtest.h>

using namespace tg;

namespace {
/// Returns the number of occurrences of a part in a text.
size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++found)
    at += part.size();
  return found;
}

/// Returns the text of one function.
std::string functionOf(const std::string &text, const std::string &name) {
  size_t begin = text.find("func.func @" + name + "(");
  return text.substr(begin, text.find("return", begin) - begin);
}

TEST(Program, textIsReadBackUnchanged) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 4});
  Variable w = program.variable("w", f32, {4, 2}, normal());
  program.function("f", {.inputs = {x}, .outputs = {{"y", matmul(x, w)}}});
  std::string text = program.text();
  EXPECT_EQ(Evaluator::reprint(text), text);
}

TEST(Program, hasElementsOfAllTypes) {
#define TG_ELEMENT(name, front, ...) DType::front,
  for (DType dtype : {TG_DTYPES(TG_ELEMENT)}) {
#undef TG_ELEMENT
    Program program("p");
    Tensor x = program.input("x", dtype, {2});
    Variable w =
        program.variable("w", dtype, {2}, values({0, 1}), {.trainable = false});
    Tensor one = program.constant(1.0, dtype, {2});
    EXPECT_EQ(w.dtype(), dtype);
    EXPECT_EQ(cast(cast(x, f32), dtype).dtype(), dtype);
    program.function(
        "f", {.inputs = {x}, .outputs = {{"y", select(x == one, x, w)}}});
    std::string text = program.text();
    EXPECT_EQ(Evaluator::reprint(text), text);
  }
}

TEST(Program, namesExtentsOfResultsThatEqualNamedOnes) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 4});
  program.function(
      "f",
      {.inputs = {x}, .outputs = {{"y", relu(x)}, {"z", concat({x, x}, 0)}}});
  std::string text = program.text();
  EXPECT_EQ(count(text, "tg.dims = [\"n\", \"\"], tg.name = \"y\""), 1u);
  EXPECT_EQ(count(text, "{tg.name = \"z\"}"), 1u);
}

TEST(Program, functionHoldsWhatItsOutputsNeed) {
  Program program("p");
  Tensor x = program.input("x", f32, {4});
  Tensor y = exp(x);
  Tensor z = tanh(x);
  program.function("f", {.inputs = {x}, .outputs = {{"y", y}}});
  program.function("g", {.inputs = {x}, .outputs = {{"z", z}}});
  std::string text = program.text();
  EXPECT_EQ(count(functionOf(text, "f"), "tg.exp"), 1u);
  EXPECT_EQ(count(functionOf(text, "f"), "tg.tanh"), 0u);
  EXPECT_EQ(count(functionOf(text, "g"), "tg.exp"), 0u);
}

TEST(Program, readsAVariableOnceAndBeforeAssignments) {
  Program program("p");
  Variable w = program.variable("w", f32, {}, zeros(), {.trainable = false});
  Updates first = assign(w, w + 1.0);
  Tensor seen = w * 10.0;
  program.function("count", {.outputs = {{"seen", seen}}, .updates = first});
  EXPECT_EQ(count(functionOf(program.text(), "count"), "tg.read @w"), 1u);
  Evaluator evaluator(program.text());
  evaluator.init(1);
  EXPECT_EQ(evaluator.run("count", {})[0].values[0], 0);
  EXPECT_EQ(evaluator.run("count", {})[0].values[0], 10);
  EXPECT_EQ(evaluator.error(), "");
}

TEST(Program, rolesFollowFromUpdates) {
  Program program("p");
  Variable w = program.variable("w", f32, {}, ones());
  program.function("f", {.updates = assign(w, w * 2.0)});
  program.function("g", {.outputs = {{"w", w}}});
  std::string text = program.text();
  EXPECT_EQ(count(text, "tg.role = \"init\""), 1u);
  EXPECT_EQ(count(text, "tg.role = \"train\""), 1u);
  EXPECT_EQ(count(text, "tg.role = \"test\""), 1u);
}

TEST(Program, countsStepsOfFunctionsThatTrainAndDraw) {
  Program program("p");
  Tensor x = program.input("x", f32, {100});
  Tensor y = dropout(x);
  Variable w = program.variable("w", f32, {}, ones());
  program.function(
      "train",
      {.inputs = {x}, .outputs = {{"y", y}}, .updates = assign(w, w + 1.0)});
  program.function("look", {.inputs = {x}, .outputs = {{"y", y}}});
  std::string text = program.text();
  EXPECT_EQ(count(functionOf(text, "train"), "tg.assign @tg.step"), 1u);
  EXPECT_EQ(count(functionOf(text, "look"), "tg.assign"), 0u);
  Evaluator evaluator(text);
  evaluator.init(3);
  Elements input{std::vector<double>(100, 1.0), {100}};
  std::vector<double> look = evaluator.run("look", {input})[0].values;
  EXPECT_NE(evaluator.run("look", {input})[0].values, look);
  EXPECT_EQ(evaluator.run("train", {input})[0].values, look);
  EXPECT_NE(evaluator.run("train", {input})[0].values, look);
  for (double value : look)
    EXPECT_TRUE(value == 0 || value == 2);
}

TEST(Program, initDependsOnItsSeedAlone) {
  Program program("p");
  Variable w = program.variable("w", f32, {50}, normal({.mean = 3}));
  Variable u = program.variable("u", f64, {50}, uniform({.low = 2, .high = 4}));
  program.function("look", {.outputs = {{"w", w}, {"u", u}}});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  std::vector<Elements> first = evaluator.run("look", {});
  evaluator.init(2);
  EXPECT_NE(evaluator.run("look", {})[0].values, first[0].values);
  evaluator.init(1);
  EXPECT_EQ(evaluator.run("look", {})[0].values, first[0].values);
  double mean = 0;
  for (double value : first[0].values)
    mean += value / 50;
  EXPECT_NEAR(mean, 3, 0.5);
  for (double value : first[1].values)
    EXPECT_TRUE(value >= 2 && value < 4);
}

TEST(Program, handlesSayWhatTheyHold) {
  Program program("p");
  Tensor none, x = program.input("x", f64, {dim("n"), 4});
  EXPECT_FALSE(none.isDefined());
  EXPECT_TRUE(x.isDefined());
  EXPECT_EQ(x.type().dtype, f64);
  EXPECT_EQ(toString(x.type().shape), "[n, 4]");
  EXPECT_EQ(Program::of(x).body(), program.body());
  Operand number = 2.5, tensor = x;
  unsigned line = __LINE__ - 1;
  EXPECT_TRUE(number.isNumber());
  EXPECT_EQ(number.number(), 2.5);
  EXPECT_FALSE(tensor.isNumber());
  EXPECT_EQ(tensor.tensor().rank(), 2);
  EXPECT_EQ(tensor.where().line(), line);
  EXPECT_THROW(number.tensor(), GraphError);
}

TEST(Program, countsParameters) {
  Program program("p");
  program.variable("w", f32, {3, 4}, zeros());
  program.variable("m", f32, {5}, zeros(), {.trainable = false});
  EXPECT_EQ(program.parameterCount(), 12);
  EXPECT_EQ(program.variables().size(), 2u);
}
} // namespace
