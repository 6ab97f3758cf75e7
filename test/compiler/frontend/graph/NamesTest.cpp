// Tests that names of layers, nodes and variables follow from the source.
#include "../Evaluator.h"
#include "examples/models/Models.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace tg;
using ::models::Highway;

namespace {
/// Returns the names of a program's variables, sorted, with their initial
/// values.
std::vector<std::pair<std::string, std::vector<double>>>
firstValues(Program &program) {
  std::vector<Output> outputs;
  for (const Variable &variable : program.variables())
    outputs.push_back({variable.name(), variable});
  std::sort(outputs.begin(), outputs.end(),
            [](auto &a, auto &b) { return a.name < b.name; });
  program.function("look", {.outputs = outputs});
  Evaluator evaluator(program.text());
  evaluator.init(7);
  std::vector<Elements> found = evaluator.run("look", {});
  EXPECT_EQ(evaluator.error(), "");
  std::vector<std::pair<std::string, std::vector<double>>> values;
  for (size_t i = 0; i < found.size(); ++i)
    values.emplace_back(outputs[i].name, found[i].values);
  return values;
}

/// Two towers of equal shapes with separate ends.
struct Towers {
  Program program{"two"};
  Tensor x = program.input("x", f32, {dim("n"), 8});
  StartNode start{{x}};
  HiddenNode left{{start}, {Linear({.units = 8}), Highway(relu)}};
  HiddenNode right{{start}, {Linear({.units = 8}), Highway(relu)}};
  EndNode l{{left}}, r{{right}};
};

TEST(Names, dependOnTheSourceAndNotOnWhatIsTracedFirst) {
  Towers forth, back;
  Graph({forth.start}, {forth.l}).trainFprop();
  Graph({forth.start}, {forth.r}).trainFprop();
  Graph({back.start}, {back.r}).trainFprop();
  Graph({back.start}, {back.l}).trainFprop();
  EXPECT_EQ(forth.program.variables()[0].name(), "two/Linear_1/weight");
  EXPECT_EQ(back.program.variables()[0].name(), "two/Linear_2/weight");
  auto values = firstValues(forth.program);
  EXPECT_EQ(values, firstValues(back.program));
  ASSERT_EQ(values.size(), 8u);
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (values[i].second.size() == 64) // biases are zeros
        EXPECT_NE(values[i].second, values[j].second) << values[i].first;
}

TEST(Names, ofAPartAreThoseOfTheWhole) {
  Towers whole, part;
  Graph({whole.start}, {whole.l, whole.r}).trainFprop();
  Graph({part.start}, {part.r}).trainFprop();
  auto all = firstValues(whole.program);
  auto some = firstValues(part.program);
  ASSERT_EQ(some.size(), 4u);
  for (const auto &value : some)
    EXPECT_NE(std::find(all.begin(), all.end(), value), all.end())
        << value.first;
}

/// A model of two towers with separate ends.
class Twins : public BaseModel {
public:
  Twins() {
    StartNode start;
    HiddenNode left({start}, {Linear({.units = 8})});
    HiddenNode right({start}, {Linear({.units = 8})}, {.name = "right"});
    define({start}, {EndNode({right}), EndNode({left})});
  }
};

TEST(Names, areGivenToLayersAndNodes) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 8});
  StartNode start({x});
  HiddenNode body({start},
                  {Linear({.units = 8}), Linear({.units = 8, .name = "last"})},
                  {.name = "body"});
  Twins twins;
  twins.setName("twins");
  HiddenNode both({body}, {twins});
  HiddenNode tail({both}, Sum(),
                  {Sequential({Linear({.units = 4, .name = "in"}), Relu(),
                               Linear({.units = 4})},
                              {.name = "chain"})});
  EndNode end({tail}, {.name = "logits"});
  Graph({start}, {end}).trainFprop();
  std::vector<std::string> names;
  for (const Variable &variable : program.variables())
    if (variable.name().ends_with("weight"))
      names.push_back(variable.name());
  EXPECT_EQ(names,
            (std::vector<std::string>{
                "p/body/Linear_1/weight", "p/body/last/weight",
                "p/twins/right/Linear_1/weight", "p/twins/Linear_1/weight",
                "p/chain/in/weight", "p/chain/Linear_1/weight"}));
  EXPECT_NE(program.text().find("loc(\"body/last\""), std::string::npos);
}

TEST(Names, areTakenByEveryLayer) {
  Program program("p");
  Tensor x = program.input("x", f32, {2, 2});
  for (Layer layer : std::vector<Layer>{
           Linear({.units = 1, .name = "n"}),
           LinearMasked({.linear = {.units = 1, .name = "n"}, .mask = x}),
           Relu({.name = "n"}),
           Relu6({.name = "n"}),
           Elu({.name = "n"}),
           Softplus({.name = "n"}),
           Softsign({.name = "n"}),
           Tanh({.name = "n"}),
           Sigmoid({.name = "n"}),
           Softmax({.name = "n"}),
           LeakyRelu({.name = "n"}),
           Maxout({.name = "n"}),
           ToFloat({.name = "n"}),
           ToInt32({.name = "n"}),
           Dropout({.rate = 0.5, .name = "n"}),
           OneSample({.name = "n"}),
           OneHot({.classes = 2, .name = "n"}),
           Gelu({.name = "n"}),
           Silu({.name = "n"}),
           Prelu({.name = "n"}),
           ZeroPad({.name = "n"}),
           SparseLinear({.units = 2, .inputs = 3, .name = "n"}),
           Conv1D({.filters = 1, .name = "n"}),
           Conv2D({.filters = 1, .name = "n"}),
           Conv3D({.filters = 1, .name = "n"}),
           AtrousConv2D({.filters = 1, .name = "n"}),
           DepthwiseConv2D({.name = "n"}),
           SeparableConv2D({.filters = 1, .name = "n"}),
           Conv2DTranspose({.filters = 1, .name = "n"}),
           Conv3DTranspose({.filters = 1, .name = "n"}),
           LayerNormalization({.name = "n"}),
           GroupNormalization({.name = "n"}),
           InstanceNormalization({.name = "n"}),
           RmsNormalization({.name = "n"}),
           Attention({.name = "n"}),
           MultiHeadAttention({.name = "n"}),
           TransformerEncoderBlock({.name = "n"}),
           SimpleRNN({.units = 2, .name = "n"}), // and all that is Recurrent
           GRU({.units = 2, .name = "n"}),
           LSTM({.units = 2, .name = "n"}),
           DynamicLSTM({.units = 2, .name = "n"}),
           DynamicBiLSTM({.forwardUnits = 2, .backwardUnits = 2, .name = "n"}),
           BiLSTMMerge({.forwardUnits = 2, .backwardUnits = 2, .name = "n"}),
           BiLSTMLastMerge(
               {.forwardUnits = 2, .backwardUnits = 2, .name = "n"}),
           Seq2Seq({.units = 2, .name = "n"}),
           AttentionDecoder({.units = 2, .name = "n"}),
           Embedding({.vocabulary = 2, .units = 2, .name = "n"}),
           PositionEmbedding({.length = 2, .name = "n"}),
           SinusoidalPositionEmbedding({.name = "n"}),
           Lambda([](Tensor t) { return t; }, {.name = "n"}),
           BatchNormalization({.name = "n"}),
           BatchRenorm({.rmax = 2, .dmax = 1, .name = "n"}),
           BNReLU({.name = "n"}),
           LRN({.name = "n"}),
           MaxPooling({.name = "n"}),
           MaxPooling3D({.name = "n"}),
           AvgPooling({.name = "n"}),
           AvgPooling3D({.name = "n"}),
           IndexedMaxPooling({.name = "n"}),
           MaxUnpooling({.sizes = {2, 2}, .name = "n"}),
           GlobalMaxPooling({.name = "n"}),
           GlobalAvgPooling({.name = "n"}),
           FixedUnpooling({.name = "n"}),
           UpSampling({.name = "n"}),
           SpaceToDepth({.name = "n"}),
           DepthToSpace({.name = "n"}),
           L2Normalize({.name = "n"}),
           ReduceSum({.name = "n"}),
           ReduceMax({.name = "n"}),
           ReduceMean({.axes = {0}, .name = "n"}),
           Transpose({1, 0}, {.name = "n"}),
           Reverse({0}, {.name = "n"}),
           Reshape({4}, {.name = "n"}),
           SetShape({2, 2}, {.name = "n"}),
           Squeeze({}, {.name = "n"}),
           ExpandDims({.name = "n"}),
           Flatten({.name = "n"}),
           Sequential({Relu()}, {.name = "n"})}) {
    Program other("q");
    StartNode start({other.input("x", f32, {2, 2})});
    HiddenNode first({start}, {layer});
    EXPECT_THROW(HiddenNode({start}, {Relu({.name = "n"})}), GraphError);
  }
}

TEST(Names, thatAreTakenAreAnErrorWithBothLines) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 8});
  StartNode start({x});
  auto messageOf = [&](auto make) -> std::string {
    try {
      make();
    } catch (const GraphError &error) {
      EXPECT_GT(error.line, 0u);
      EXPECT_TRUE(error.file.ends_with("NamesTest.cpp"));
      return std::to_string(error.line) + ": " + error.message;
    }
    return "";
  };
  unsigned line = __LINE__;
  HiddenNode({start}, {Linear({.units = 8, .name = "head"})});
  auto again = [&] {
    HiddenNode({start}, {Linear({.units = 8, .name = "head"})});
  };
  EXPECT_EQ(messageOf(again),
            std::to_string(line + 3) +
                ": expected a name that no other layer or node has here, found "
                "'head', which line " +
                std::to_string(line + 1) + " gave");
  Relu relu;
  HiddenNode({start}, {relu}, {.name = "body"});
  EXPECT_NE(messageOf([&] { HiddenNode({start}, {}, {.name = "body"}); }), "");
  EXPECT_NE(messageOf([&] { relu.setName("late"); }), "");
  EXPECT_NE(messageOf([&] {
              Sequential({Relu({.name = "a"}), Tanh({.name = "a"})});
            }),
            "");
}

// A graph has the training and the testing ops of a layer at the same time.
TEST(Names, ofOpsSayWhatTheirLayerDoes) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 8});
  Sequential network({Linear({.units = 4}), Relu()});
  Tensor trained = network.trainFprop(x);
  Tensor tested = network.testFprop(x);
  EXPECT_EQ(trained.name(), "Sequential_1/Relu_1/train_fprop/Relu:0");
  EXPECT_EQ(tested.name(), "Sequential_1/Relu_1/test_fprop/Relu:0");
  EXPECT_TRUE(
      program.tensor("Sequential_1/Linear_1/test_fprop/MatMul:0").isDefined());
  // Variables and ops outside of layers have no mode in their names.
  EXPECT_EQ(program.variables()[0].name(), "p/Sequential_1/Linear_1/weight");
  EXPECT_EQ(relu(x).name(), "Relu:0");
  // The summary of a function lists the layer without the mode.
  program.function("train", {.inputs = {x}, .outputs = {{"y", trained}}});
  program.function("test", {.inputs = {x}, .outputs = {{"y", tested}}});
  std::string summary = program.summary();
  EXPECT_NE(summary.find("Sequential_1/Linear_1"), std::string::npos);
  EXPECT_EQ(summary.find("_fprop"), std::string::npos);
}
} // namespace
