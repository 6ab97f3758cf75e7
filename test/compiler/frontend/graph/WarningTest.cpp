// Tests that useless parts of a program are reported once, at the user's line.
#include "tg/tg.h"

#include <gtest/gtest.h>

using namespace tg;

namespace {
/// A program with one useless part of each kind.
struct Wasteful {
  Program program{"p"};
  Tensor x, never, listed, sometimes;
  Variable w, frozen, behind, fixed;
  unsigned end;

  Wasteful() {
    x = program.input("x", f32, {3});
    never = program.input("never", f32, {});
    listed = program.input("listed", f32, {});
    sometimes = program.input("sometimes", f32, {3});
    w = program.variable("w", f32, {3}, zeros());
    frozen = program.variable("frozen", f32, {3}, zeros());
    behind = program.variable("behind", f32, {3}, zeros());
    fixed = program.variable("fixed", f32, {3}, ones(), {.trainable = false});
    end = __LINE__;
  }

  void define() {
    Tensor loss = reduceSum(square(x * w + floor(behind) * fixed));
    Updates updates = SGD().minimize(loss);
    program.function("train", {.inputs = {x, listed, sometimes},
                               .outputs = {{"loss", loss}},
                               .updates = updates});
    program.function("test", {.inputs = {x, sometimes},
                              .outputs = {{"y", x + sometimes + frozen}}});
  }
};

TEST(Warnings, areToldOnceAtTheirLines) {
  Wasteful made;
  std::vector<Warning> found;
  made.program.onWarning([&](const Warning &w) { found.push_back(w); });
  made.define();
  made.program.text();
  made.program.write(testing::TempDir() + "wasteful.mlir");
  std::vector<std::string> sentences;
  std::vector<unsigned> lines;
  for (const Warning &warning : found) {
    EXPECT_TRUE(warning.file.ends_with("WarningTest.cpp"));
    sentences.push_back(warning.message);
    lines.push_back(made.end - warning.line);
  }
  EXPECT_EQ(sentences, (std::vector<std::string>{
                           "no function uses input 'never'",
                           "no function uses input 'listed'",
                           "no function changes trainable variable 'frozen'",
                           "no function changes trainable variable 'behind'"}));
  EXPECT_EQ(lines, (std::vector<unsigned>{7, 6, 3, 2}));
}

TEST(Warnings, goToTheStandardErrorUnlessSomeoneElseIsTold) {
  Wasteful made, silent;
  made.define();
  silent.define();
  testing::internal::CaptureStderr();
  made.program.text();
  std::string printed = testing::internal::GetCapturedStderr();
  EXPECT_NE(printed.find("WarningTest.cpp:" + std::to_string(made.end - 7)),
            std::string::npos)
      << printed;
  EXPECT_NE(printed.find(": warning: no function uses input 'never'\n"),
            std::string::npos)
      << printed;
  silent.program.onWarning({});
  testing::internal::CaptureStderr();
  silent.program.text();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

/// Returns the warnings of a network with penalties that may be added to the
/// loss.
static std::vector<std::string> warningsOfPenalties(bool isAdded,
                                                    bool isTrained = true) {
  Program program("net");
  std::vector<std::string> found;
  program.onWarning([&](const Warning &w) { found.push_back(w.message); });
  Tensor x = program.input("x", f32, {4, 3});
  Linear first({.units = 2, .variables = {.regularizer = l2Regularizer(0.1)}});
  Linear second({.units = 2, .variables = {.regularizer = l1Regularizer(0.1)}});
  Linear plain({.units = 1});
  Tensor loss = reduceMean(square(plain(second(first(x)))));
  std::vector<Variable> variables = program.variables();
  if (isAdded)
    loss = loss + regularization({variables[0], variables[1]});
  Updates updates;
  if (isTrained)
    updates = SGD().minimize(loss);
  program.function(
      "f", {.inputs = {x}, .outputs = {{"loss", loss}}, .updates = updates});
  program.text();
  program.text();
  return found;
}

TEST(Warnings, ofPenaltiesThatAreInNoLoss) {
  EXPECT_EQ(warningsOfPenalties(false),
            (std::vector<std::string>{
                "the penalties of 'net/Linear_1', 'net/Linear_2' are in no "
                "loss: add regularization() of the variables to it"}));
  EXPECT_EQ(warningsOfPenalties(true),
            (std::vector<std::string>{
                "the penalty of 'net/Linear_2' is in no loss: add "
                "regularization() of the variables to it"}));
  EXPECT_TRUE(warningsOfPenalties(false, /*isTrained=*/false).empty());
}

TEST(Warnings, ofVariablesThatNoGradientReaches) {
  Program program("p");
  Variable w = program.variable("w", f32, {3}, zeros());
  Variable v = program.variable("v", f32, {3}, zeros());
  std::vector<Warning> found;
  program.onWarning([&](const Warning &w) { found.push_back(w); });
  unsigned line = __LINE__ + 2;
  Tensor loss = reduceSum(w * stopGradient(v));
  Updates updates = SGD().minimize(loss, {.variables = {w, v}});
  program.function("train", {.updates = updates});
  program.text();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message, "no gradient reaches variable 'v'");
  EXPECT_EQ(found[0].line, line);
}

TEST(Warnings, ofTrainingsWithoutUpdates) {
  Program program("p");
  Tensor x = program.input("x", f32, {4, 3});
  Tensor loss = reduceMean(square(Linear({.units = 1})(x)));
  std::vector<Warning> found;
  program.onWarning([&](const Warning &w) { found.push_back(w); });
  unsigned line = __LINE__ + 1;
  program.function("train", {.inputs = {x}, .outputs = {{"loss", loss}}});
  program.text();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message,
            "function 'train' changes no variable, expected updates, such as "
            "those of an optimizer");
  EXPECT_EQ(found[0].line, line);
}

/// Returns the warnings of a program, which must be at a line.
static std::vector<std::string> warningsAt(Program &program, unsigned line) {
  std::vector<std::string> found;
  program.onWarning([&](const Warning &w) {
    found.push_back(w.message);
    EXPECT_EQ(w.line, line);
  });
  program.text();
  return found;
}

/// Returns the warnings of a reshape of [batch, 100], and whether they are at
/// the line of the call.
static std::vector<std::string> warningsOfReshape(std::vector<int64_t> shape) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("batch"), 100});
  unsigned line = __LINE__ + 1;
  Tensor y = Sequential({Reshape(std::move(shape))}).testFprop(x);
  program.function("test", {.inputs = {x}, .outputs = {{"y", y}}});
  return warningsAt(program, line);
}

TEST(Warnings, ofReshapesThatMixRows) {
  EXPECT_EQ(warningsOfReshape({-1, 7, 7, 2}),
            (std::vector<std::string>{
                "dim 0 of the result is not dim 0 of the input: 100 elements "
                "for each of its indices, found 98 in the other dims of the "
                "result"}));
  // The same rows, their parts, and groups of them.
  EXPECT_TRUE(warningsOfReshape({-1, 5, 20}).empty());
  EXPECT_TRUE(warningsOfReshape({-1, 10}).empty());
  EXPECT_TRUE(warningsOfReshape({-1, 2, 100}).empty());
}

using Apply = std::function<Tensor(Sequential &, Tensor)>;

/// Returns the warnings of a function without updates that computes a loss of a
/// network with dropout, and its gradient if `hasGradient` is true.
static std::vector<std::string> warningsOfDropout(const Apply &apply,
                                                  bool hasGradient = false) {
  Program program("net");
  Tensor x = program.input("x", f32, {dim("batch"), 3});
  Sequential network({Dropout({.rate = 0.5}), Linear({.units = 2})});
  Tensor y = softmax(apply(network, x));
  Tensor loss = reduceSum(y);
  std::vector<Output> outputs = {{"loss", loss}};
  if (hasGradient)
    outputs.push_back({"gradient", gradientsOf(loss, {x})[0]});
  unsigned line = __LINE__ + 1;
  program.function("test", {.inputs = {x}, .outputs = outputs});
  return warningsAt(program, line);
}

TEST(Warnings, ofDropoutInFunctionsThatDoNotTrain) {
  Apply call = [](Sequential &network, Tensor x) { return network(x); };
  EXPECT_EQ(warningsOfDropout(call),
            (std::vector<std::string>{
                "function 'test' has no updates, but layer "
                "'Sequential_1/Dropout_1' drops values as in training: "
                "expected testFprop() of the network, or trainFprop() to drop "
                "on purpose"}));
  EXPECT_TRUE(warningsOfDropout(call, /*hasGradient=*/true).empty());
  EXPECT_TRUE(warningsOfDropout([](Sequential &network, Tensor x) {
                return network.testFprop(x);
              }).empty());
  EXPECT_TRUE(warningsOfDropout([](Sequential &network, Tensor x) {
                return network.trainFprop(x);
              }).empty());
}

TEST(Warnings, areNotOfProgramsThatDoNotTrain) {
  Program program("p");
  Variable w = program.variable("w", f32, {3}, zeros());
  program.onWarning([&](const Warning &w) { ADD_FAILURE() << w.text(); });
  program.function("test", {.outputs = {{"w", w}}});
  program.text();
}
} // namespace
