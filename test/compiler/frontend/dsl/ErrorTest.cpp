// Mistakes carry the user's line and the operation's sentence.
#include "tg/tg.h"

#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>

using namespace tg;

namespace {
/// Expects a GraphError at a line of this file with a part of a message.
#define EXPECT_ERROR(statement, part)                                          \
  try {                                                                        \
    (void)(statement);                                                         \
    ADD_FAILURE() << "expected an error";                                      \
  } catch (const GraphError &error) {                                          \
    EXPECT_EQ(error.line, unsigned(__LINE__)) << error.what();                 \
    EXPECT_NE(error.file.find("ErrorTest.cpp"), std::string::npos);            \
    EXPECT_NE(error.message.find(part), std::string::npos) << error.what();    \
  }

class Error : public testing::Test {
protected:
  Program program{"p"};
  Tensor x = program.input("x", f32, {dim("n"), 3});
  Tensor y = program.input("y", f32, {4, 5});
  Tensor k = program.input("k", i32, {dim("n")});
};

TEST_F(Error, ofAnOpIsItsOwnSentence) {
  EXPECT_ERROR(matmul(x, y), "'tg.matmul' op expected lhs dim 1 (3) to equal "
                             "rhs dim 0 (4) [C2]");
  EXPECT_ERROR(x + y, "[C2]");
  EXPECT_ERROR(exp(k), "'tg.exp' op");
  EXPECT_ERROR(x + k, "[C1]");
}

/// A layer whose author forgot the result.
class Forgetful : public BaseLayer {
protected:
  Tensor train(Tensor) override { return {}; }
};

TEST_F(Error, ofTensorsWithoutAValue) {
  Tensor gate;
  Variable w, v = program.variable("v", f32, {3}, zeros());
  Tensor loss = reduceSum(x * v);
  const char *sentence =
      "expected a tensor with a value, found one that is only declared";
  EXPECT_ERROR(x * gate, sentence);
  EXPECT_ERROR(gate + 1.0, sentence);
  EXPECT_ERROR(x < w, sentence);
  EXPECT_ERROR(exp(gate), sentence);
  EXPECT_ERROR(concat({x, gate}, 0), sentence);
  EXPECT_ERROR(addN({gate}), sentence);
  EXPECT_ERROR(attention(x, x, gate), sentence);
  EXPECT_ERROR(dropout(x, {.rate = gate}), sentence);
  EXPECT_ERROR(slice(x, {{gate, 0}, {1, 1}}), sentence);
  EXPECT_ERROR(batchNorm(x, {x, gate}, 1.0, 0.0), sentence);
  EXPECT_ERROR(meanSquaredError(x, gate), sentence);
  EXPECT_ERROR(gate.shape(), sentence);
  EXPECT_ERROR(gate.dim(0), sentence);
  EXPECT_ERROR(gate += x, sentence);
  EXPECT_ERROR(gate[0], sentence);
  EXPECT_ERROR(x[gate], sentence);
  EXPECT_ERROR((x[{gate, 0}]), sentence);
  EXPECT_ERROR(Relu()(gate), sentence);
  EXPECT_ERROR(w.size(), sentence);
  EXPECT_ERROR(gradients(loss, {w}), sentence);
  EXPECT_ERROR(gradientsOf(loss, {gate}), sentence);
  EXPECT_ERROR(globalNorm({{v, gate}}), sentence);
  EXPECT_ERROR(clipByGlobalNorm({{v, gate}}, 1.0), sentence);
  EXPECT_ERROR(l2Penalty({w}, 1.0), sentence);
  EXPECT_ERROR(SGD().minimize(gate), sentence);
  EXPECT_ERROR(SGD().minimize(loss, {.variables = {w}}), sentence);
  EXPECT_ERROR(SGD({.learningRate = gate}), sentence);
  EXPECT_ERROR(SGD().apply({{v, gate}}), sentence);
  EXPECT_ERROR(ExponentialMovingAverage().update({w}), sentence);
  EXPECT_ERROR(ExponentialMovingAverage().average(w), sentence);
  EXPECT_ERROR(assign(w, 0.0), sentence);
  EXPECT_ERROR(assign(v, gate), sentence);
  EXPECT_ERROR(StartNode({x, gate}), sentence);
  EXPECT_ERROR(Relu().trainFprop(gate), sentence);
  EXPECT_ERROR(Relu().fprop({gate}, Mode::test), sentence);
  EXPECT_ERROR(Forgetful().trainFprop(x), sentence);
  EXPECT_ERROR(LinearMasked({.linear = {.units = 1}, .mask = gate}),
               "expected a mask, found none");
  EXPECT_ERROR(program.function("f", {.inputs = {x, gate}}),
               "expected input 1 of function 'f' to have a value, found a "
               "tensor that is only declared");
  EXPECT_ERROR(program.function("f", {.outputs = {{"y", gate}}}),
               "expected output 'y' of function 'f' to have a value");
}

TEST_F(Error, hasTheFormOfACompilers) {
  try {
    matmul(x, y);
  } catch (const GraphError &error) {
    std::string place = error.file + ":" + std::to_string(error.line) + ":" +
                        std::to_string(error.column) + ": error: ";
    EXPECT_EQ(std::string(error.what()), place + error.message);
  }
}

TEST_F(Error, insideACompositeNamesTheCallersLine) {
  EXPECT_ERROR(gelu(k), "beside integers");
  EXPECT_ERROR(meanSoftmaxCrossEntropy(x, y), "'tg.softmax_cross_entropy' op");
}

TEST_F(Error, ofAxesAndNumbers) {
  EXPECT_ERROR(softmax(x, 2), "expected an axis in [-2, 2), found 2");
  EXPECT_ERROR(k * 0.5, "expected a whole number");
  Tensor narrow = program.input("narrow", i8, {3});
  EXPECT_ERROR(narrow + 128, "whole numbers that the element type holds, found "
                             "128");
  EXPECT_ERROR(dropout(x, {.rate = 1.5}), "expected a dropout rate in [0, 1)");
  EXPECT_ERROR(split(y, 3, 1), "expected a number of parts that divides");
  EXPECT_ERROR(maxout(y, 2), "expected a number of pieces that divides the "
                             "last extent (5), found 2");
  EXPECT_ERROR(unflatten(y, 1, {2, 2}), "expected extents whose product is "
                                        "that of dim 1 of shape [4, 5], found "
                                        "4");
  EXPECT_ERROR(tile(y, {2}), "expected a number of copies of at least 1 for "
                             "each dimension of [4, 5]");
  EXPECT_ERROR(tile(y, {0, 2}), "expected a number of copies");
  EXPECT_ERROR(huberLoss(y, y, 0), "expected a delta above 0");
}

TEST_F(Error, ofSubscripts) {
  EXPECT_ERROR(y[4], "expected an index in [-4, 4) of dim 0 of shape [4, 5], "
                     "found 4");
  EXPECT_ERROR((y[{0, -6}]), "expected an index in [-5, 5) of dim 1");
  EXPECT_ERROR((y[{0, 0, 0}]), "expected at most 2 indices of a tensor [4, 5], "
                               "found 3");
  EXPECT_ERROR(y[Slice(3, 2)], "expected a slice within dim 0 of shape [4, 5] "
                               "and a step of at least 1, found 3 to 2 by 1");
  EXPECT_ERROR(y[Slice(0, 6)], "expected a slice within dim 0");
  EXPECT_ERROR(y[Slice(0, Slice::end, 0)], "found 0 to the end by 0");
  EXPECT_ERROR((y[{0, k}]), "gather takes lists along an axis");
  EXPECT_ERROR(y[y], "'tg.gather' op");
  EXPECT_ERROR(!k, "expected truth values to negate");
}

TEST_F(Error, ofEquations) {
  EXPECT_ERROR(einsum("ij;jk", {x, y}), "expected an equation such as "
                                        "\"ij,jk->ik\", found 'ij;jk'");
  EXPECT_ERROR(einsum("ij,jk", {x}), "expected names of 1 inputs");
  EXPECT_ERROR(einsum("ij", {x, x}), "expected names of 2 inputs");
  EXPECT_ERROR(einsum("ijk", {x}), "expected a letter for each dimension of "
                                   "input 0 [n, 3], found 'ijk'");
  EXPECT_ERROR(einsum("ij->k", {x}),
               "expected every letter of the result once");
  EXPECT_ERROR(einsum("ij->ii", {x}), "expected every letter of the result");
  EXPECT_ERROR(einsum("ij,jk", {x, y}),
               "expected equal extents of letter 'j', not 3 and 4");
  EXPECT_ERROR(einsum("ii", {y}),
               "expected equal extents of letter 'i', not 4 and 5");
  EXPECT_ERROR(einsum("", {}), "expected at least one tensor");
  EXPECT_ERROR(tensordot(x, y, 3), "expected a number of axes in [0, 2]");
  EXPECT_ERROR(tensordot(x, y, {0}, {}), "expected as many axes of the right "
                                         "tensor as of the left (1), found 0");
  EXPECT_ERROR(outer(x, x), "expected two vectors, found [n, 3] and [n, 3]");
}

TEST_F(Error, ofPaddings) {
  EXPECT_ERROR(pad(y, {{0, 5}, {0, 0}, 0, PadMode::reflect}),
               "expected less padding than dim 1 of shape [4, 5] has, found 5");
  EXPECT_ERROR(pad(y, {{0}, {0}, 0, PadMode::edge}),
               "expected a padding of at least 0 before and after each "
               "dimension of [4, 5]");
  EXPECT_ERROR(pad(program.zeros({0}), {{1}, {0}, 0, PadMode::edge}),
               "expected an element in dim 0 of shape [0] to pad with");
}

TEST_F(Error, ofShapesToMake) {
  EXPECT_ERROR(program.zeros({dim("rows")}), "expected an input with an extent "
                                             "'rows'");
  EXPECT_ERROR(program.ones({dim()}), "expected extents that are numbers or "
                                      "have names of inputs' extents");
  EXPECT_ERROR(program.eye(-2), "expected extents of at least 0, found [-2]");
  EXPECT_ERROR(program.range(0, 3, 0), "expected a step from");
  EXPECT_ERROR(program.range(0, 3, -1), "expected a step from");
  EXPECT_ERROR(program.range(0, 3, 0.5), "expected a whole number");
}

TEST_F(Error, ofConstantsThatAreNoIntegers) {
  EXPECT_ERROR(program.constant(0.5, i32), "found 0.5");
  EXPECT_ERROR(program.constant(1e30, i32), "expected whole numbers");
  EXPECT_ERROR(program.constant(-1, u8), "expected whole numbers");
  EXPECT_ERROR(program.constant(0x1p63, i64), "expected whole numbers");
  EXPECT_ERROR(k + 0x1p31, "expected whole numbers");
  program.constant({-0x1p31, 0x1p31 - 1}, i32, {2});
}

TEST_F(Error, ofProgramsWithoutFunctions) {
  unsigned line = __LINE__ + 1;
  Program empty("empty");
  try {
    empty.text();
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.message, "expected at least one public function [M3]");
    EXPECT_EQ(error.line, line);
  }
}

TEST_F(Error, ofNumbersAlone) {
  EXPECT_ERROR(relu(1.0), "expected a tensor among the operands, found numbers "
                          "alone: Program::constant makes a tensor of one");
  EXPECT_ERROR(matmul(x, 2.0), "expected a tensor, found the number 2");
}

TEST_F(Error, ofVariablesThatTheDslNeeds) {
  program.variable("step", i64, {}, 0.0, {.trainable = false});
  unsigned line = __LINE__ - 1;
  try {
    dropout(x);
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.message,
              "expected another name for variable 'step': optimizers and "
              "random draws count training steps in a variable of this name");
    EXPECT_EQ(error.line, line);
  }
}

TEST_F(Error, ofNothingToJoin) {
  EXPECT_ERROR(concat({}, 0), "expected at least one tensor");
  EXPECT_ERROR(addN({}), "expected at least one tensor");
  EXPECT_ERROR(stack({}), "expected at least one tensor");
  EXPECT_ERROR(l1Penalty({}, 1.0), "expected at least one tensor");
  EXPECT_ERROR(clipByGlobalNorm({}, 1.0), "expected at least one gradient");
}

TEST_F(Error, ofLengthsAndLabelsOfOtherRanks) {
  EXPECT_ERROR(takeAlongAxis(x, k), "expected indices of rank 2, found [n]");
  EXPECT_ERROR(gatherNd(x, k), "expected indices [..., k] with k in [1, 2]");
  EXPECT_ERROR(gatherNd(x, reduceSum(k)), "expected indices [..., k]");
  EXPECT_ERROR(diagPart(y), "expected square matrices [..., n, n], found "
                            "[4, 5]");
  EXPECT_ERROR(bandPart(k, 0, 0), "expected matrices [..., m, n], found [n]");
  EXPECT_ERROR(inTopK(x, x, 1), "expected class numbers for rows [n, 3], of "
                                "shape [n], found [n, 3]");
  EXPECT_ERROR(shuffle(reduceSum(x)), "expected an axis");
  EXPECT_ERROR(diag(reduceSum(x)), "expected an axis");
  EXPECT_ERROR(sequenceMask(x, x), "expected lengths [n] of sequences");
  EXPECT_ERROR(accuracy(x, reduceSum(x)), "expected class numbers for rows");
}

TEST_F(Error, ofLossesOfOtherShapesThanTheTargets) {
  Tensor row = reduceSum(x, {.axes = {1}});
  Tensor column = expandDims(row, 1);
  const char *sentence =
      "expected a target of the prediction's shape [?, 1], found [?]";
  EXPECT_ERROR(meanSquaredError(column, row), sentence);
  EXPECT_ERROR(meanAbsoluteError(column, row), sentence);
  EXPECT_ERROR(huberLoss(column, row), sentence);
  EXPECT_ERROR(binaryEntropy(column, row), sentence);
  EXPECT_ERROR(hingeLoss(column, row), sentence);
  EXPECT_ERROR(sigmoidCrossEntropy(column, row), sentence);
  EXPECT_ERROR(meanSquaredError(column, reduceSum(x)), "found []");
  EXPECT_ERROR(meanSquaredError(x, column),
               "expected a target of the prediction's shape [n, 3], found "
               "[?, 1]");
  EXPECT_ERROR(accuracy(x, column), "shape [n, 3], found [?, 1]");
  EXPECT_ERROR(errorRate(x, column), "shape [n, 3], found [?, 1]");
  EXPECT_ERROR(softmaxCrossEntropy(x, k == k), "[C3]");
  EXPECT_ERROR(softmaxCrossEntropy(y, x), "[C3]");
  EXPECT_ERROR(accuracy(y, argmax(y, 0)),
               "expected class numbers for rows [4, 5], of shape [4], found "
               "[5]");
  EXPECT_ERROR(inTopK(y, argmax(y, 0), 1), "of shape [4], found [5]");
  EXPECT_ERROR(binaryF1(x, x), "expected one-hot rows [n, 2], found [n, 3]");
  Tensor pair = slice(x, {{0, 0}, {-1, 2}});
  EXPECT_ERROR(binaryRecall(pair, x), "shape [?, 2], found [n, 3]");
}

TEST_F(Error, ofOptionsOfTheCompiler) {
  auto messageOf = [&](const ModelOptions &options) -> std::string {
    try {
      program.compile(testing::TempDir() + "never.so", options);
    } catch (const GraphError &error) {
      return error.message;
    }
    return "";
  };
  EXPECT_EQ(messageOf({.optimization = 4}),
            "expected an optimization of 0 to 3, found 4");
  EXPECT_EQ(messageOf({.levels = {}}),
            "expected at least one x86-64 level, found none");
  EXPECT_EQ(messageOf({.memoryBudget = -1}),
            "expected a memory budget of 0 bytes or more, found -1");
  EXPECT_EQ(messageOf({.functions = {"train,test"}}),
            "expected names of functions, found 'train,test'");
  EXPECT_EQ(messageOf({.convAlgorithm = "fft"}),
            "expected auto, direct or winograd for convolutions, found 'fft'");
  EXPECT_EQ(messageOf({.tune = "pentium99"}),
            "expected LLVM's name of a CPU to tune for, as znver4, found "
            "'pentium99'");
  EXPECT_EQ(messageOf({.report = "costs.txt"}),
            "expected the file of option 'report' to end in .json, or in .html "
            "for a page, found 'costs.txt'");
  std::string weights = testing::TempDir() + "weights.json";
  EXPECT_EQ(messageOf({.weights = weights, .report = weights}),
            "expected another file for the report than '" + weights +
                "', which has the weights");
  for (std::vector<int> levels : {std::vector<int>{5}, {2, 2}, {1}})
    EXPECT_NE(messageOf({.levels = levels}).find("levels 2, 3 and 4"),
              std::string::npos);
  program.function("f", {.inputs = {x}, .outputs = {{"y", x}}});
  EXPECT_EQ(messageOf({.kernelCache = "/dev/null"}),
            "option 'kernel-cache': expected a directory, found '/dev/null': "
            "Not a directory");
}

TEST_F(Error, ofNumbersThatNoElementHolds) {
  EXPECT_ERROR(x * 1e300,
               "expected numbers that the element type holds, found 1e+300");
  EXPECT_ERROR(program.variable("v", f32, {2}, values({1, -1e39})),
               "expected numbers that the element type holds");
  Tensor infinite = x * -HUGE_VAL, wide = cast(x, f64) * 1e300;
  EXPECT_ERROR(oneHot(argmax(x), -1), "expected at least 1 class, found -1");
}

TEST_F(Error, ofLossesOfImages) {
  Tensor row = reduceSum(x, {.axes = {1}});
  EXPECT_ERROR(imageF1(row, row), "expected images [n, ...], found [?]");
  EXPECT_ERROR(imagePrecision(x, y), "expected a target of the prediction's "
                                     "shape [n, 3], found [4, 5]");
  EXPECT_ERROR(meanDiceLoss(x, x), "expected images [n, ..., c], found [n, 3]");
  EXPECT_ERROR(generalizedDiceLoss(x, x), "found [n, 3]");
  EXPECT_ERROR(intersectionOverUnion(x, 1.0), "expected a tensor");
}

TEST_F(Error, ofWeightedLosses) {
  Tensor row = reduceSum(x, {.axes = {1}});
  EXPECT_ERROR(weightedAccuracy(row, row),
               "expected examples [n, ..., k] with k known, found [?]");
  EXPECT_ERROR(weightedAccuracy(x, x, {.classes = {1, 2}}),
               "expected a weight for each of 3 classes, found 2");
  EXPECT_ERROR(weightedMeanAbsoluteError(x, x, {.examples = x}),
               "expected weights [n] of examples [?, 3], found [n, 3]");
  EXPECT_ERROR(weightedMeanAbsoluteError(y, y, {.examples = y[{0}]}),
               "expected weights [n] of examples [4, 5], found [5]");
  EXPECT_ERROR(weightedMeanAbsoluteError(x, x, {.normalizes = true}),
               "expected weights of examples to normalize by, found none");
  EXPECT_ERROR(weightedFocalCrossEntropy(x, x, {.gamma = -1}),
               "expected a gamma of at least 0, found -1");
  EXPECT_ERROR(weightedSigmoidCrossEntropy(x, x, {.positives = {1}}),
               "expected a weight for each of 3 classes, found 1");
  EXPECT_ERROR(
      weightedDiceLoss(x, x, {.weights = {.normalizes = true}, .sums = true}),
      "expected a sum or a normalized mean, found both");
  EXPECT_ERROR(binaryAccuracy(x, y), "found [4, 5]");
}

TEST_F(Error, ofLossesOfPairs) {
  EXPECT_ERROR(tripletLoss(k, k), "expected embeddings [n, d], found [n]");
  EXPECT_ERROR(tripletLoss(x, x), "expected class numbers for rows [n, 3], of "
                                  "shape [n], found [n, 3]");
  EXPECT_ERROR(tripletLoss(x, k, {.penalized = x}),
               "expected penalized classes [m], found [n, 3]");
  EXPECT_ERROR(histogramLoss(x, k, {.bins = -3}),
               "expected at least 1 bin, found -3");
}

TEST_F(Error, ofLossesThatAreNoScalar) {
  Variable w = program.variable("w", f32, {3}, zeros());
  EXPECT_ERROR(SGD().minimize(x * w),
               "expected a loss that is a scalar of floats, found [?, 3]");
  EXPECT_ERROR(gradientsOf(argmax(w), {w}),
               "found integers or truth values of shape []");
}

TEST_F(Error, ofRangesOfOptions) {
  EXPECT_ERROR(program.variable("n", f32, {2}, normal({.stddev = -1})),
               "expected a standard deviation of at least 0, found -1");
  EXPECT_ERROR(program.variable("t", f32, {2}, truncatedNormal({.stddev = -1})),
               "expected a standard deviation of at least 0, found -1");
  EXPECT_ERROR(program.variable("u", f32, {2}, uniform({.low = 1, .high = 0})),
               "expected a range from low to high, found 1");
  EXPECT_ERROR(BatchNormalization({.momentum = 3}).trainFprop(x),
               "expected a momentum in [0, 1], found 3");
  EXPECT_ERROR(BatchNormalization({.epsilon = -1}).trainFprop(x),
               "expected an epsilon of at least 0, found -1");
}

TEST_F(Error, ofOptionsOfOptimizers) {
  Variable w = program.variable("w", f32, {3}, zeros());
  Tensor loss = reduceSum(w * w);
  EXPECT_ERROR(SGD({.learningRate = NAN}).minimize(loss),
               "expected a learning rate that is a number, found NaN");
  EXPECT_ERROR(SGD({.learningRate = w}).minimize(loss),
               "expected a learning rate that is a scalar, found [3]");
  EXPECT_ERROR(Momentum({.momentum = 5}).minimize(loss),
               "expected momentum in [0, 1), found 5");
  EXPECT_ERROR(Adam({.beta2 = 1}).minimize(loss),
               "expected beta2 in [0, 1), found 1");
  EXPECT_ERROR(Adam({.weightDecay = -1}).minimize(loss),
               "expected weightDecay of at least 0, found -1");
  EXPECT_ERROR(RMSProp({.decay = NAN}).minimize(loss),
               "expected decay in [0, 1), found ");
  EXPECT_ERROR(Adagrad({.initialAccumulator = -1}).minimize(loss),
               "expected initialAccumulator of at least 0, found -1");
  EXPECT_ERROR(Ftrl({.l2 = -1}).minimize(loss),
               "expected l2 of at least 0, found -1");
  EXPECT_ERROR(SGD().minimize(loss, {.clipByGlobalNorm = 0}),
               "expected a norm above 0 to clip to, found 0");
  EXPECT_ERROR(ExponentialMovingAverage({.decay = 2}).update({w}),
               "expected decay in [0, 1), found 2");
}

TEST_F(Error, ofLettersOfDifferentExtents) {
  EXPECT_ERROR(einsum("ij,jk->ik", {x, program.ones({5, 2})}),
               "expected equal extents of letter 'j', not 3 and 5, found "
               "'ij,jk->ik'");
}

TEST_F(Error, ofEmptyNames) {
  EXPECT_ERROR(program.function("", {.inputs = {x}, .outputs = {{"y", x}}}),
               "expected a name of the function");
  EXPECT_ERROR(program.function("f", {.inputs = {x}, .outputs = {{"", x}}}),
               "expected names of the outputs of function 'f'");
}

TEST_F(Error, ofOperandsOfTwoPrograms) {
  Program other("q");
  Tensor z = other.input("z", f32, {3});
  EXPECT_ERROR(x + z, "expected tensors of one program, found those of 'p' "
                      "and 'q'");
}

TEST_F(Error, ofAFunctionThatLacksAnInput) {
  EXPECT_ERROR(program.function("f", {.outputs = {{"y", exp(x)}}}),
               "expected input 'x' among the inputs of function 'f'");
  EXPECT_ERROR(program.function("f", {.inputs = {exp(x)}}),
               "to be made by Program::input");
}

TEST_F(Error, ofNamesThatAreTaken) {
  program.variable("w", f32, {2}, zeros());
  EXPECT_ERROR(program.variable("w", f32, {2}, zeros()), "found 'w'");
  program.function("f", {.inputs = {x}, .outputs = {{"x", x}}});
  EXPECT_ERROR(program.function("f", {.inputs = {x}, .outputs = {{"x", x}}}),
               "expected another name for function 'f': there is a function of "
               "this name, made in line " +
                   std::to_string(__LINE__ - 4));
  EXPECT_ERROR(program.function("w", {}), "there is a variable of this name");
  EXPECT_ERROR(program.function("init", {}),
               "expected another name for function 'init': the program makes "
               "that one itself, of the first values of its variables");
  EXPECT_ERROR(
      program.function("g", {.inputs = {x}, .outputs = {{"x", x}, {"x", x}}}),
      "to be unique");
}

TEST_F(Error, ofUpdatesThatNoFunctionHas) {
  Variable w = program.variable("w", f32, {3}, zeros());
  Tensor loss = reduceSum(w * w);
  unsigned line = __LINE__ + 1;
  Updates updates = SGD().minimize(loss);
  Updates assigned = assign(w, onesLike(w));
  program.function("train", {.outputs = {{"loss", loss}}});
  try {
    program.text();
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.message,
              "expected a function that has these updates, found none: give "
              "them to Program::function as .updates");
    EXPECT_EQ(error.line, line);
    ASSERT_EQ(error.others.size(), 1u);
    EXPECT_EQ(error.others[0].line, line + 1);
  }
  program.function("learn", {.updates = updates});
  EXPECT_THROW(program.text(), GraphError);
  program.function("reset", {.updates = assigned});
  EXPECT_NO_THROW(program.text());
}

TEST_F(Error, ofUpdatesOutsideOfTraining) {
  struct Wrong : BaseLayer {
    using BaseLayer::update;
  } layer;
  Variable w = program.variable("w", f32, {3}, zeros());
  EXPECT_ERROR(layer.update(w, w), "expected update() in train() alone");
}

TEST_F(Error, ofALossWithoutVariables) {
  EXPECT_ERROR(SGD().minimize(reduceSum(x)),
               "expected a loss that depends on trainable variables");
  Variable w = program.variable("w", f32, {3}, zeros());
  EXPECT_ERROR(SGD().minimize(x * w), "expected a loss that is a scalar");
}

TEST_F(Error, ofAnInitializerOfAnotherSize) {
  EXPECT_ERROR(program.variable("w", f32, {3}, values({1, 2})),
               "expected 3 elements");
}

TEST_F(Error, ofLaterPhasesNamesTheLineToo) {
  Variable w = program.variable("w", f32, {3}, zeros());
  unsigned line = __LINE__ + 1;
  Tensor rows = cast(argmax(x * w), f32);
  program.function(
      "f", {.inputs = {x},
            .outputs = {{"g", gradientsOf(reduceSum(rows), {w}).front()}}});
  std::string path = testing::TempDir() + "never.so";
  std::remove(path.c_str());
  try {
    program.compile(path);
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_GE(error.line, line) << error.what();
    EXPECT_NE(error.message.find("'tg.gradient' op"), std::string::npos)
        << error.what();
  }
  FILE *file = std::fopen(path.c_str(), "r");
  EXPECT_EQ(file, nullptr);
}

TEST_F(Error, givesAllMistakesOfAProgram) {
  program.variable("a b", f32, {3}, zeros());
  unsigned line = __LINE__ - 1;
  program.variable("c d", f32, {3}, zeros());
  try {
    program.compile(testing::TempDir() + "never.so");
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.line, line);
    ASSERT_EQ(error.others.size(), 1u) << error.what();
    EXPECT_EQ(error.others.front().line, line + 2);
    std::string all = error.what();
    EXPECT_NE(all.find("'a b'"), std::string::npos) << all;
    EXPECT_NE(all.find("'c d'"), std::string::npos) << all;
  }
}

TEST_F(Error, ofAFunctionThatLacksSeveralInputsNamesThemAll) {
  try {
    program.function("f", {.outputs = {{"x", exp(x)}, {"y", exp(y)}}});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    ASSERT_EQ(error.others.size(), 1u) << error.what();
    EXPECT_NE(error.message.find("'x'"), std::string::npos) << error.what();
    EXPECT_NE(error.others.front().message.find("'y'"), std::string::npos);
  }
}
} // namespace
