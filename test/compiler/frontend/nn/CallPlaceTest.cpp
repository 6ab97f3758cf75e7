/// Tests the places of errors in layers: the line of the call, and the lines in
/// the message that made and called the layers.
#include "tg/tg.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace tg;

namespace {
/// The line of an error and the beginning of its message, which names the
/// layer and the other lines.
struct Found {
  unsigned line = 0;
  std::string beginning = {};

  bool operator==(const Found &) const = default;
};

std::ostream &operator<<(std::ostream &stream, const Found &found) {
  return stream << "line " << found.line << ": " << found.beginning;
}

/// Returns the place of the error that a function throws, in this file.
template <typename Function> Found placeOf(Function function) {
  try {
    function();
  } catch (const GraphError &error) {
    EXPECT_EQ(error.file, __FILE__) << error.what();
    return {error.line, error.message.substr(0, error.message.find(": "))};
  }
  ADD_FAILURE() << "expected an error";
  return {};
}

/// Returns the beginning of the message about a layer.
std::string made(const std::string &layer, unsigned line) {
  return "'" + layer + "', made in line " + std::to_string(line);
}
std::string called(const std::string &layer, unsigned line) {
  return "'" + layer + "', called from line " + std::to_string(line);
}

/// x · x, an error unless x is square. `line` is the line of the product.
class Squared : public BaseLayer {
public:
  static constexpr unsigned line = __LINE__ + 3;

protected:
  Tensor train(Tensor x) override { return matmul(x, x); }
};

/// x + inner(x). `line` is the line that calls the inner layer.
class Around : public BaseLayer {
public:
  explicit Around(Layer inner) : inner(std::move(inner)) {}
  static constexpr unsigned line = __LINE__ + 3;

protected:
  Tensor train(Tensor x) override { return x + inner(x); }

private:
  Layer inner;
};

/// A linear layer, which is made and placed in one line.
class Network : public BaseModel {
public:
  static constexpr unsigned line = __LINE__ + 3;
  Network() {
    StartNode start;
    HiddenNode node({start}, {Linear({.units = 2})});
    define({start}, {EndNode({node})});
  }
};

/// Tests in graph mode and in eager mode.
class CallPlace : public testing::TestWithParam<bool> {
protected:
  ExecutionScope mode{GetParam()};
  Program program{"p"};
  Tensor scalar = program.constant(1);
  Tensor rows = program.zeros({2, 3});
};

TEST_P(CallPlace, ofALayerIsTheCall) {
  Linear dense({.units = 2});
  const unsigned line = __LINE__ + 1;
  const Found found = placeOf([&] { dense(scalar); });
  EXPECT_EQ(found, (Found{line, made("Linear_1", line - 2)}));
}

TEST_P(CallPlace, ofALayerThatIsMadeInTheLineOfTheCallIsThatLine) {
  const unsigned line = __LINE__ + 1;
  const Found found = placeOf([&] { Linear({.units = 2})(scalar); });
  EXPECT_EQ(found, (Found{line, "'Linear_1'"}));
}

TEST_P(CallPlace, everyCallHasItsOwn) {
  Linear dense({.units = 2});
  const unsigned line = __LINE__ - 1;
  Layer handle = dense;
  dense(rows);
  // Scalars, another width than that of the first call, and two inputs.
  std::vector<Found> found;
  const unsigned first = __LINE__ + 1;
  found.push_back(placeOf([&] { dense.testFprop(scalar); }));
  found.push_back(placeOf([&] { dense(reshape(rows, {3, 2})); }));
  found.push_back(placeOf([&] { dense.fprop({scalar}, Mode::test); }));
  found.push_back(placeOf([&] { dense(rows, rows); }));
  found.push_back(placeOf([&] { handle(scalar); }));
  for (unsigned i = 0; i < found.size(); ++i)
    EXPECT_EQ(found[i], (Found{first + i, made("Linear_1", line)}));
}

TEST_P(CallPlace, ofInputsOfTheWrongTypeIsTheCall) {
  Conv2D conv({.filters = 2});
  const unsigned line = __LINE__ + 1;
  const Found found = placeOf([&] { conv(program.zeros({1, 4, 4, 1}, i32)); });
  EXPECT_EQ(found.line, line);
  EXPECT_NE(found.beginning.find(", made in line " + std::to_string(line - 2)),
            std::string::npos);
}

TEST_P(CallPlace, ofALayerThatIsBuiltIsTheBuild) {
  DefaultGraph here = program.asDefault();
  Linear dense({.units = 2});
  const unsigned line = __LINE__ + 1;
  const Found found = placeOf([&] { dense.build(Shape()); });
  EXPECT_EQ(found, (Found{line, made("Linear_1", line - 2)}));
}

TEST_P(CallPlace, ofAnOwnLayerIsItsLineAndTheMessageNamesTheCall) {
  Squared squared;
  const unsigned line = __LINE__ + 1;
  const Found found = placeOf([&] { squared(rows); });
  EXPECT_EQ(found, (Found{Squared::line, called("Squared_1", line)}));
}

TEST_P(CallPlace, theMessageNamesTheCallsOfTheLayersAround) {
  Around around{Layer(Around{Layer(Squared())})};
  unsigned line = __LINE__ + 1;
  Found found = placeOf([&] { around(rows); });
  EXPECT_EQ(found, (Found{Squared::line,
                          called("Around_1/Around_1/Squared_1", Around::line) +
                              " and line " + std::to_string(line)}));
  Linear dense({.units = 2});
  Around other{Layer(dense)};
  line = __LINE__ + 1;
  found = placeOf([&] { other(scalar); });
  EXPECT_EQ(found, (Found{Around::line, made("Around_2/Linear_1", line - 3) +
                                            ", called from line " +
                                            std::to_string(line)}));
}

TEST_P(CallPlace, inAChainIsTheCallOfTheChain) {
  Linear dense({.units = 2});
  Sequential chain({Sequential({ReduceSum(), dense}), Relu()});
  unsigned line = __LINE__ + 1;
  Found found = placeOf([&] { chain(rows); });
  EXPECT_EQ(found, (Found{line, made("Sequential_1/Sequential_1/Linear_1",
                                     line - 3)}));
  Sequential own({Relu(), Squared()});
  line = __LINE__ + 1;
  found = placeOf([&] { own(rows); });
  EXPECT_EQ(found,
            (Found{Squared::line, called("Sequential_2/Squared_1", line)}));
}

TEST_P(CallPlace, inAModelIsTheNodeAndTheMessageNamesTheCall) {
  Network network;
  const unsigned line = __LINE__ + 1;
  const Found found = placeOf([&] { network(scalar); });
  EXPECT_EQ(found, (Found{Network::line, called("Network_1/Linear_1", line)}));
}

TEST_P(CallPlace, inAGraphIsTheNode) {
  Linear dense({.units = 2});
  StartNode start({scalar});
  HiddenNode node({start}, {dense});
  const unsigned line = __LINE__ - 1;
  Graph graph({start}, {EndNode({node})});
  const Found found = placeOf([&] { graph.trainFprop(); });
  EXPECT_EQ(found, (Found{line, made("Linear_1", line - 2)}));
}

INSTANTIATE_TEST_SUITE_P(Modes, CallPlace, testing::Bool());

//===----------------------------------------------------------------------===//
// Every layer
//===----------------------------------------------------------------------===//

#define TG_LAYER(...) {#__VA_ARGS__, [] { return Layer(__VA_ARGS__); }}

/// A layer, which is made in a line of the table.
struct Row {
  std::string text;
  Layer (*make)();
};

/// Every layer of the library.
const Row layers[] = {
    TG_LAYER(Relu()),
    TG_LAYER(Relu6()),
    TG_LAYER(Elu()),
    TG_LAYER(Softplus()),
    TG_LAYER(Softsign()),
    TG_LAYER(Gelu()),
    TG_LAYER(Silu()),
    TG_LAYER(Tanh()),
    TG_LAYER(Sigmoid()),
    TG_LAYER(Softmax()),
    TG_LAYER(LeakyRelu()),
    TG_LAYER(Prelu({.perChannel = true})),
    TG_LAYER(Maxout({.pieces = 7})),
    TG_LAYER(Attention()),
    TG_LAYER(MultiHeadAttention({.heads = 2})),
    TG_LAYER(TransformerEncoderBlock({.heads = 2})),
    TG_LAYER(ToFloat()),
    TG_LAYER(ToInt32()),
    TG_LAYER(Conv1D({.filters = 2})),
    TG_LAYER(Conv2D({.filters = 2})),
    TG_LAYER(Conv3D({.filters = 2})),
    TG_LAYER(AtrousConv2D({.filters = 2})),
    TG_LAYER(DepthwiseConv2D({})),
    TG_LAYER(SeparableConv2D({.filters = 2})),
    TG_LAYER(Conv2DTranspose({.filters = 2})),
    TG_LAYER(Conv3DTranspose({.filters = 2})),
    TG_LAYER(Dropout()),
    TG_LAYER(Embedding({.vocabulary = 9, .units = 2})),
    TG_LAYER(PositionEmbedding({.length = 9})),
    TG_LAYER(SinusoidalPositionEmbedding()),
    TG_LAYER(OneHot({.classes = 9})),
    TG_LAYER(OneSample()),
    TG_LAYER(Lambda([](Tensor x) { return exp(x); })),
    TG_LAYER(Linear({.units = 2})),
    TG_LAYER(SparseLinear({.units = 2, .inputs = 3})),
    TG_LAYER(BatchNormalization()),
    TG_LAYER(BatchRenorm({.rmax = 2, .dmax = 2})),
    TG_LAYER(BNReLU()),
    TG_LAYER(LayerNormalization()),
    TG_LAYER(GroupNormalization({.groups = 7})),
    TG_LAYER(InstanceNormalization()),
    TG_LAYER(RmsNormalization()),
    TG_LAYER(LRN()),
    TG_LAYER(L2Normalize()),
    TG_LAYER(MaxPooling()),
    TG_LAYER(AvgPooling()),
    TG_LAYER(MaxPooling3D()),
    TG_LAYER(AvgPooling3D()),
    TG_LAYER(IndexedMaxPooling()),
    TG_LAYER(MaxUnpooling({.sizes = {4, 4}})),
    TG_LAYER(GlobalMaxPooling()),
    TG_LAYER(GlobalAvgPooling()),
    TG_LAYER(FixedUnpooling()),
    TG_LAYER(UpSampling()),
    TG_LAYER(SpaceToDepth()),
    TG_LAYER(DepthToSpace()),
    TG_LAYER(SimpleRNN({.units = 2})),
    TG_LAYER(GRU({.units = 2})),
    TG_LAYER(LSTM({.units = 2})),
    TG_LAYER(DynamicLSTM({.units = 2})),
    TG_LAYER(DynamicBiLSTM({.forwardUnits = 2, .backwardUnits = 2})),
    TG_LAYER(BiLSTMMerge({.forwardUnits = 2, .backwardUnits = 2})),
    TG_LAYER(BiLSTMLastMerge({.forwardUnits = 2, .backwardUnits = 2})),
    TG_LAYER(AttentionDecoder({.units = 2})),
    TG_LAYER(Seq2Seq({.units = 2})),
    TG_LAYER(ReduceSum({.axes = {6}})),
    TG_LAYER(ReduceMax({.axes = {6}})),
    TG_LAYER(ReduceMean({.axes = {6}})),
    TG_LAYER(Transpose({0, 2, 1})),
    TG_LAYER(Reverse({6})),
    TG_LAYER(Reshape({7, 7})),
    TG_LAYER(SetShape({7, 7})),
    TG_LAYER(Squeeze({6})),
    TG_LAYER(ExpandDims({.axis = 8})),
    TG_LAYER(ZeroPad()),
    TG_LAYER(Flatten()),
    TG_LAYER(ResNet50()),
    TG_LAYER(UNet()),
    TG_LAYER(models::Unet())};

/// Returns inputs that some layer does not expect.
std::vector<std::vector<Tensor>> makeInputs(Program &program) {
  std::vector<std::vector<Tensor>> inputs;
  auto add = [&](DType dtype, const Shape &shape) {
    std::string name = "x" + std::to_string(inputs.size());
    inputs.push_back({program.input(name, dtype, shape)});
  };
  for (DType dtype : {f32, i32, boolean}) {
    add(dtype, {});
    add(dtype, {5});
    add(dtype, {dim("n"), 3});
    add(dtype, {dim("n"), dim("m")});
    add(dtype, {2, dim("t"), 3});
    add(dtype, {dim("n"), 5, 5, 3});
    add(dtype, {dim("n"), dim("h"), 5, dim("c")});
    add(dtype, {2, 3, 4, 5, 3});
    add(dtype, {1, 1, 1, 1, 1, 1});
  }
  const Tensor rows = inputs[2].front(), images = inputs[5].front();
  inputs.push_back({rows, rows});
  inputs.push_back({rows, images, rows});
  inputs.push_back({images, rows, images});
  inputs.push_back({rows, rows, rows, rows, rows, rows, rows});
  return inputs;
}

TEST(CallPlaceOfEveryLayer, isTheCall) {
  size_t errors = 0;
  for (const Row &row : layers) {
    size_t found = 0;
    for (Mode mode : {Mode::train, Mode::test}) {
      Program program("p");
      program.onWarning({});
      for (const std::vector<Tensor> &inputs : makeInputs(program)) {
        Layer layer = row.make();
        const unsigned line = __LINE__ + 2;
        try {
          layer->fprop(inputs, mode);
        } catch (const GraphError &error) {
          ++found;
          EXPECT_EQ(error.line, line) << row.text << ": " << error.what();
          EXPECT_EQ(error.file, __FILE__) << row.text << ": " << error.what();
        }
      }
    }
    EXPECT_GT(found, 0u) << row.text;
    errors += found;
  }
  EXPECT_GT(errors, std::size(layers) * 10);
}
} // namespace
