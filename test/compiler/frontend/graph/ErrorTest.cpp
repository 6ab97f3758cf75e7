// Tests that errors carry the user's line and the message of the operation.
#include "../Errors.h"

#include <cmath>
#include <string>

using namespace tg;

namespace {
TEST_F(Error, ofAnOpIsItsOwnSentence) {
  EXPECT_ERROR(matmul(x, y), "'tg.matmul' op expected lhs dim 1 (3) to equal "
                             "rhs dim 0 (4) [C2]");
  EXPECT_ERROR(x + y, "[C2]");
  EXPECT_ERROR(exp(k), "'tg.exp' op");
  EXPECT_ERROR(x + k, "[C1]");
}

/// A layer that returns an undefined tensor.
class Forgetful : public BaseLayer {
protected:
  Tensor train(Tensor) override { return {}; }
};

/// A layer that returns no outputs.
class Silent : public BaseLayer {
protected:
  std::vector<Tensor> link(std::vector<Tensor>, Mode) override { return {}; }
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
  EXPECT_ERROR(globalNorm({{v, gate}}),
               "expected at least one tensor, found none");
  EXPECT_ERROR(clipByGlobalNorm({{v, gate}}, 1.0),
               "expected at least one tensor, found none");
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
  EXPECT_ERROR(Forgetful().trainFprop(x),
               "'Forgetful_1': expected the layer to return a tensor with a "
               "value, found one that is only declared");
  EXPECT_ERROR(Sequential({Relu(), Forgetful(), Relu()}).trainFprop(x),
               "'Sequential_1/Forgetful_1': expected the layer to return a "
               "tensor with a value, found one that is only declared");
  EXPECT_ERROR(Sequential({Silent(), Relu()}).trainFprop(x),
               "'Sequential_2/Silent_1': expected the layer to return a tensor "
               "with a value, found none");
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
  EXPECT_ERROR(gelu(k), "with integer operands");
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
  EXPECT_ERROR(unflatten(y, 1, {2, 2}), "expected extents whose product "
                                        "equals dim 1 of shape [4, 5], found "
                                        "4");
  EXPECT_ERROR(tile(y, {2}), "expected a number of copies of at least 1 for "
                             "each dimension of [4, 5]");
  EXPECT_ERROR(tile(y, {0, 2}), "expected a number of copies");
  EXPECT_ERROR(repeat(y, 0), "expected each element at least once, found 0");
  EXPECT_ERROR(huberLoss(y, y, 0), "expected a delta above 0");
}

TEST_F(Error, ofSubscripts) {
  EXPECT_ERROR(y[4], "expected an index in [-4, 4) of dim 0 of shape [4, 5], "
                     "found 4");
  EXPECT_ERROR((y[{0, -6}]), "expected an index in [-5, 5) of dim 1");
  EXPECT_ERROR((y[{0, 0, 0}]), "expected at most 2 indices of a tensor [4, 5], "
                               "found 3");
  EXPECT_ERROR(y[Slice(3, 2)], "expected a slice within dim 0 of shape [4, 5] "
                               "and a step other than 0, found 3 to 2 by 1");
  EXPECT_ERROR(y[Slice(0, 6)], "expected a slice within dim 0");
  EXPECT_ERROR(y[Slice(0, Slice::end, 0)], "found 0 to the end by 0");
  EXPECT_ERROR(y[Slice(4, Slice::end, -1)],
               "and a step other than 0, found 4 to the end by -1");
  EXPECT_ERROR(y[Slice(Slice::end, -6, -1)], "found the end to -6 by -1");
  EXPECT_ERROR(y[Slice(1, 2, -1)], "found 1 to 2 by -1");
  EXPECT_ERROR((y[{0, k}]), "gather takes lists along an axis");
  EXPECT_ERROR(y[y], "'tg.gather' op");
  EXPECT_ERROR(!k, "expected booleans to negate");
}

TEST_F(Error, ofPlacesThatAreNoIntegers) {
  Tensor real = program.constant(0.9);
  Tensor truth = program.constant(1, boolean);
  const char *start = "expected a start that is an integer scalar, found ";
  EXPECT_ERROR(slice(y, {.starts = {real, 0}, .sizes = {1, 1}}), start);
  EXPECT_ERROR(slice(y, {.starts = {truth, 0}, .sizes = {1, 1}}),
               "integer scalar, found boolean []");
  EXPECT_ERROR(slice(y, {.starts = {0, 0}, .sizes = {1, real}}),
               "expected a size that is an integer scalar, found f32 []");
  Tensor part = program.zeros({1, 1});
  EXPECT_ERROR(updateSlice(y, part, {real, 0.0}), start);
  EXPECT_ERROR(TensorArray(program, 3).write(real, 1.0), start);
  EXPECT_ERROR(TensorArray(y).read(real), start);
  EXPECT_ERROR((y[{real, 0}]), "expected an index that is an integer scalar");
  Tensor list = program.constant({1, 1}, boolean, {2});
  EXPECT_ERROR(slice(y, list, list), "starts and sizes that are integers [2]");
}

TEST_F(Error, ofRanges) {
  EXPECT_ERROR(program.randomUniform({3}, {.low = 2, .high = 1}),
               "expected a range from low to high, found 2.000000 to 1.000000");
  EXPECT_ERROR(program.range(0, 1e18, 1, i64),
               "expected fewer than 2^53 numbers in a range, found 1000000000");
  EXPECT_ERROR(program.range(0, 5, -1), "expected a step from 0.000000 toward");
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

TEST_F(Error, ofSparseLookups) {
  Tensor indices = program.input("indices", i64, {dim("k"), 2});
  Tensor values = program.input("values", i64, {dim("k")});
  SparseTensor ids{indices, values, {4, 3}};
  EXPECT_ERROR(embeddingLookupSparse(program.constant(1), ids),
               "expected a table [rows, ...], found a scalar");
  EXPECT_ERROR(embeddingLookupSparse(y, ids, {.weights = y}),
               "expected weights [k] of the ids, found [4, 5]");
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

TEST_F(Error, ofNumbersAlone) {
  EXPECT_ERROR(relu(1.0), "expected a tensor among the operands, found numbers "
                          "alone: Program::constant makes a tensor of one");
  EXPECT_ERROR(matmul(x, 2.0), "expected a tensor, found the number 2");
}

TEST_F(Error, ofVariablesThatTheDslNeeds) {
  program.variable("step", f32, {}, 0.0, {.trainable = false});
  dropout(x);
  EXPECT_ERROR(program.variable("tg.step", i64, {}, 0.0),
               "expected another name for variable 'tg.step': names that begin "
               "with 'tg.' are reserved for variables that the compiler makes, "
               "such as 'tg.step', in which optimizers count training steps, "
               "and 'tg.seed', the seed of random samples");
  EXPECT_ERROR(program.variable("tg.mine", f32, {}, 0.0), "'tg.mine': names");
}

TEST_F(Error, ofNothingToJoin) {
  EXPECT_ERROR(concat({}, 0), "expected at least one tensor");
  EXPECT_ERROR(addN({}), "expected at least one tensor");
  EXPECT_ERROR(stack({}), "expected at least one tensor");
  EXPECT_ERROR(l1Penalty({}, 1.0), "expected at least one tensor");
  EXPECT_ERROR(clipByGlobalNorm({}, 1.0), "expected at least one gradient");
}

TEST_F(Error, ofNumbersThatNoElementHolds) {
  EXPECT_ERROR(x * 1e300,
               "expected numbers that the element type holds, found 1e+300");
  EXPECT_ERROR(program.variable("v", f32, {2}, values({1, -1e39})),
               "expected numbers that the element type holds");
  Tensor infinite = x * -HUGE_VAL;
  Tensor wide = cast(x, f64) * 1e300;
  EXPECT_ERROR(oneHot(argMax(x), -1), "expected at least 1 class, found -1");
  EXPECT_ERROR(oneHot(x, 3), "expected indices of integers, found f32");
  EXPECT_ERROR(oneHot(x > 0.0, 2), "indices of integers, found boolean");
  EXPECT_ERROR(OneHot({.classes = 3}).trainFprop(x), "found f32");
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
  EXPECT_ERROR(BatchNormalization({.epsilon = 0}).trainFprop(x),
               "'BatchNormalization_2': expected an epsilon above 0, found 0");
  EXPECT_ERROR(
      GroupNormalization({.groups = 3, .epsilon = NAN}).trainFprop(x),
      "'GroupNormalization_1': expected an epsilon above 0, found nan");
  EXPECT_ERROR(RmsNormalization({.epsilon = -1, .name = "rms"}).trainFprop(x),
               "'rms': expected an epsilon above 0, found -1");
  EXPECT_ERROR(layerNorm(x, 1.0, 0.0, -1),
               "expected an epsilon above 0, found -1");
}

TEST_F(Error, ofNumbersWhoseProductsOverflow) {
  const int64_t great = int64_t(1) << 62;
  Tensor image = program.input("image", f32, {2, dim("h"), 8, 4});
  EXPECT_ERROR(DepthToSpace({.block = great}).trainFprop(image),
               "'DepthToSpace_1': expected a block whose square divides the "
               "number of channels (4), found 4611686018427387904");
  EXPECT_ERROR(FixedUnpooling({.shape = {great, 4}}).trainFprop(image),
               "'FixedUnpooling_1': expected a block of at most 65536 "
               "elements, found 4611686018427387904 times 4");
  EXPECT_ERROR(UpSampling({.scale = {1, great}}).trainFprop(image),
               "'UpSampling_1': expected an output size in [0, 2^63), found 8 "
               "· 4611686018427387904");
  EXPECT_ERROR(LRN({.radius = great}).trainFprop(image),
               "'LRN_1': expected a radius in [0, 2^30), found "
               "4611686018427387904");
  EXPECT_ERROR(LRN({.beta = NAN}).trainFprop(image),
               "'LRN_2': expected finite numbers for bias, alpha and beta, "
               "found nan");
}

TEST_F(Error, ofLettersOfDifferentExtents) {
  EXPECT_ERROR(einsum("ij,jk->ik", {x, program.ones({5, 2})}),
               "expected equal extents of letter 'j', not 3 and 5, found "
               "'ij,jk->ik'");
}

} // namespace
