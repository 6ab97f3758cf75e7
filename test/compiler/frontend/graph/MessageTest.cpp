// Tests that messages name the layer, the tensor and the line, and suggest the
// correct spelling of a name.
#include "../Errors.h"
#include "../eager/EagerProgram.h"

#include <string>
#include <vector>

using namespace tg;

namespace {
std::string lineText(unsigned line) { return "line " + std::to_string(line); }

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

TEST_F(Error, ofLabelsThatAreNoIntegers) {
  Tensor rows = program.input("rows", f32, {dim("n")});
  const char *sentence = "labels of class numbers must be integers, found f32";
  EXPECT_ERROR(softmaxCrossEntropy(x, rows), sentence);
  EXPECT_ERROR(meanSoftmaxCrossEntropy(x, rows), sentence);
  EXPECT_ERROR(accuracy(x, rows), sentence);
  EXPECT_ERROR(errorRate(x, rows), sentence);
  EXPECT_ERROR(inTopK(x, rows, 1), sentence);
  EXPECT_TRUE(softmaxCrossEntropy(x, k).isDefined());
}

TEST_F(Error, ofLayersThatGetIntegers) {
  Tensor whole = program.input("whole", i32, {dim("n"), 3});
  Tensor image = program.input("image", u8, {dim("n"), 8, 8, 3});
  EXPECT_ERROR(Linear({.units = 4})(whole),
               "Linear_1': expected input to be float, found i32 [n, 3]");
  EXPECT_ERROR(Conv2D({.filters = 2})(image),
               "Conv2D_1': expected input to be float, found u8 [n, 8, 8, 3]");
  EXPECT_ERROR(
      BatchNormalization()(whole),
      "BatchNormalization_1': expected input to be float, found i32 [n, 3]");
  EXPECT_ERROR(Tanh()(whole),
               "Tanh_1': expected input to be float, found i32 [n, 3]");
  EXPECT_ERROR(Dropout({.rate = 0.5})(whole),
               "Dropout_1': expected input to be float, found i32 [n, 3]");
  EXPECT_ERROR(LeakyRelu()(whole),
               "LeakyRelu_1': expected input to be float, found i32 [n, 3]");
  EXPECT_ERROR(
      Embedding({.vocabulary = 4, .units = 2})(x),
      "Embedding_1': expected input to be i32 or i64, found f32 [n, 3]");
  EXPECT_ERROR(Sequential({Linear({.units = 2}), Relu()})(whole),
               "Linear_1': expected input to be float, found i32 [n, 3]");
}

TEST_F(Error, ofAnOpNamesTheOperand) {
  EXPECT_ERROR(exp(k), "'tg.exp' op expected operand 'input' to be a ranked "
                       "tensor of floats, found i32 [?] [G6]");
}

TEST_F(Error, ofAnOpWritesTypesAsProgramsDo) {
  EXPECT_ERROR(assertTrue(x > 0.0, "all"),
               "expected operand 'condition' to be boolean [], found boolean "
               "[?, 3]");
  EXPECT_ERROR(where(y, y, y), "found f32 [4, 5]");
}

TEST_F(Error, ofShapesThatDoNotBroadcast) {
  EXPECT_ERROR(y + program.input("z", f32, {3, 5}),
               "found shapes [4, 5] and [3, 5] [C2]");
  EXPECT_ERROR(program.input("v", f32, {4}) + y,
               "found shapes [4] and [4, 5] [C2]");
}

//===----------------------------------------------------------------------===//
// Owner and origin
//===----------------------------------------------------------------------===//

TEST_F(Error, ofTwoProgramsNamesTheLines) {
  unsigned made = __LINE__ + 1;
  Program other("q");
  Tensor z = other.input("z", f32, {3});
  Tensor mine = x + 1.0;
  std::string lines =
      "made in " + lineText(made + 2) + " and in " + lineText(made + 1);
  EXPECT_ERROR(mine + z, lines);
  EXPECT_ERROR(concat({mine, z}, 0), lines);
  EXPECT_ERROR(mine + z, "and in " + lineText(made));
  EXPECT_ERROR(program.function("f", {.outputs = {{"y", z}}}),
               "one that " + lineText(made + 1) + " made, of 'q', which " +
                   lineText(made) + " made");
}

/// The default graph is created on first use, without a line of the user.
TEST_F(Error, ofTheDefaultGraphNamesNoLineOfAHeader) {
  unsigned made = __LINE__ + 1;
  Tensor other = placeholder(f32, {3});
  try {
    (void)(x + other);
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_NE(error.message.find("and in " + lineText(made)), std::string::npos)
        << error.message;
    EXPECT_EQ(error.message.find("the programs were made"), std::string::npos)
        << error.message;
  }
}

TEST_F(Error, ofAShapeThatAPlaceholderDoesNotHave) {
  unsigned made = __LINE__ + 1;
  Tensor image = program.input("image", f32, {dim(), dim()});
  image.setShape({dim(), 4});
  EXPECT_ERROR(image.setShape({dim(), 5}),
               "of 'image:0', which " + lineText(made) + " made, found [?, 5]");
}

TEST_F(Error, ofALoopThatGrowsHintsAtEnsureShape) {
  Tensor first = program.zeros({1});
  auto goesOn = [](Tensor list) { return reduceSum(list) < 10.0; };
  auto grow = [](Tensor list) { return concat({list, list + 1.0}, 0); };
  EXPECT_ERROR(whileLoop(goesOn, grow, {first}), "ensureShape");
  EXPECT_NO_THROW((void)whileLoop(goesOn, grow, {ensureShape(first, {-1})}));
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

TEST_F(Error, ofMisspeltNames) {
  (void)(x + 1.0).named("total");
  EXPECT_ERROR(program.tensor("totla"), "did you mean 'total'?");
  EXPECT_ERROR(program.tensor("totla:0"), "did you mean 'total:0'?");
  getVariable(program, "dense/weight", {3});
  VariableScope scope(program, "", {.reuse = Reuse::yes});
  EXPECT_ERROR(getVariable(program, "dense/wieght", {3}),
               "did you mean 'dense/weight'?");
}

//===----------------------------------------------------------------------===//
// Eager mode
//===----------------------------------------------------------------------===//

class EagerMessage : public EagerProgram {};

TEST_F(EagerMessage, valuesOfAnotherTypeSayBoth) {
  Tensor a = vector({1, 2});
  EXPECT_ERROR(a.values<double>(), "which are f32, found that of f64");
  EXPECT_ERROR(a.values<double>(), "values<float>()");
  Array array({1.5, 2.5});
  EXPECT_ERROR(array.values<double>(),
               "expected elements of type f64, found f32: to<T>() converts");
}

TEST_F(EagerMessage, aTapeSaysHowToAskTwice) {
  Tensor a = vector({1, 2});
  GradientTape tape;
  tape.watch(a);
  Tensor b = reduceSum(a * a);
  (void)tape.gradient(b, std::vector<Tensor>{a});
  EXPECT_ERROR(tape.gradient(b, std::vector<Tensor>{a}), "persistent = true");
}

TEST_F(EagerMessage, compileIsToldAtItsLine) {
  EXPECT_ERROR(program.compile(testing::TempDir() + "never.so"),
               "expected graph mode for a program that is compiled");
  EXPECT_ERROR(program.write(testing::TempDir() + "never.mlir"),
               "expected graph mode for a program that is written");
}

TEST_F(EagerMessage, aLoopNamesTheMostTrips) {
  EXPECT_ERROR(whileLoop([](Tensor i) { return i < 9.0; },
                         [](Tensor i) { return i + 1.0; },
                         {program.constant(0.0)}, {.maxTrip = 2}),
               "maxTrip");
}
} // namespace
