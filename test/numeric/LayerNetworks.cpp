//===- LayerNetworks.cpp - networks of the other layers and operations ----===//
#include "test/numeric/Networks.h"

using namespace tg;
using namespace tg::test;

/// Returns a network that chains every activation between two products.
static std::string activations(int64_t width) {
  Program program("activations");
  Tensor x = program.input("x", f32, {dim("batch"), width});
  Tensor y = program.input("y", f32, {dim("batch"), width});
  StartNode start({x});
  HiddenNode body({start},
                  {Linear({.units = width}), Relu6(), LeakyRelu(), Elu(),
                   Softplus(), Softsign(), Tanh(), Sigmoid(),
                   Linear({.units = width}), Softmax(), L2Normalize()});
  Graph network({start}, {EndNode({body})});
  Tensor trained = network.trainFprop().front();
  Tensor loss = hingeLoss(trained, y) + binaryCrossEntropy(trained, square(y));
  program.function("train",
                   {.inputs = {x, y},
                    .outputs = {{"loss", loss}},
                    .updates = Adagrad({.learningRate = 0.01}).minimize(loss)});
  Tensor z = network.testFprop().front() + x;
  program.function(
      "test",
      {.inputs = {x},
       .outputs = {{"gelu", gelu(z)},
                   {"silu", silu(z)},
                   {"mish", mish(z)},
                   {"selu", selu(z)},
                   {"prelu", prelu(z, 0.3)},
                   {"hard_swish", hardSwish(z)},
                   {"log_sigmoid", logSigmoid(z)},
                   {"log_softmax", logSoftmax(z)},
                   {"log_sum_exp", reduceLogSumExp(z, {.axes = {0}})},
                   {"deviation", standardDeviation(z, {.axes = {0}})}}});
  return program.text();
}

/// Returns a network with an embedding and every layer that moves or reduces.
static std::string words(bool zeroPad) {
  Program program("words");
  Tensor words = program.input("words", i32, {dim("batch"), 6});
  Tensor label = program.input("label", i32, {dim("batch")});
  StartNode start({words});
  HiddenNode vectors(
      {start}, {Embedding({.vocabulary = 11, .units = 7, .zeroPad = zeroPad}),
                Transpose({0, 2, 1}), Reverse({1}), Flatten()});
  HiddenNode body(
      {vectors},
      {LinearMasked({.linear = {.units = 12},
                     .mask = program.constant(
                         {1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1}, f32, {12})}),
       Reshape({-1, 3, 4}), ExpandDims({.axis = 2}), Squeeze({2}),
       SetShape({0, 3, 4}), ReduceMax({.axes = {2}}),
       Lambda([](Tensor x) { return x * 2.0 - 0.5; })});
  Graph network({start}, {EndNode({body})});
  Tensor logits = network.trainFprop().front();
  Tensor loss = reduceMean(softmaxCrossEntropy(logits, oneHot(label, 3)));
  program.function("train",
                   {.inputs = {words, label},
                    .outputs = {{"loss", loss}},
                    .updates = Momentum({.nesterov = true}).minimize(loss)});
  Tensor tested = network.testFprop().front();
  program.function(
      "test", {.inputs = {words, label},
               .outputs = {{"logits", tested},
                           {"error", errorRate(tested, label)},
                           {"ones", OneHot({.classes = 9}).testFprop(words)},
                           {"whole", ToInt32().testFprop(tested * 8.0)},
                           {"real", ToFloat().testFprop(words)}}});
  return program.text();
}

/// Returns a network with normalized rows, attention and sampled classes.
static std::string attentive(int64_t width) {
  Program program("attention");
  Tensor x = program.input("x", f32, {dim("batch"), 5, width});
  Variable query = program.variable("query", f32, {width, width},
                                    truncatedNormal({.stddev = 0.2}));
  Variable key = program.variable("key", f32, {width, width}, heNormal());
  Variable gamma = program.variable("gamma", f32, {width}, ones());
  Variable beta = program.variable("beta", f32, {width}, zeros());
  Tensor rows = layerNorm(x, gamma, beta);
  Tensor scores =
      matmul(matmul(rows, query), matmul(rows, key), {.transposeRhs = true});
  Tensor past = bandPart(onesLike(scores), -1, 0) > 0.0;
  Tensor mixed = matmul(softmax(scores), rows) +
                 attention(rows, rows, rows, {.mask = past});
  Tensor loss = meanSquaredError(mixed, reverse(x, {1}));
  program.function("train",
                   {.inputs = {x},
                    .outputs = {{"loss", loss}},
                    .updates = SGD({.learningRate = 0.1}).minimize(loss)});
  TopK best = topK(scores, 3);
  std::vector<Moments> parts;
  for (int64_t axis : {0, 1, 2})
    parts.push_back(moments(mixed, {.axes = {axis}}));
  program.function("test", {.inputs = {x},
                            .outputs = {{"mixed", mixed},
                                        {"best", best.values},
                                        {"mean0", parts[0].mean},
                                        {"mean1", parts[1].mean},
                                        {"mean2", parts[2].mean},
                                        {"variance0", parts[0].variance},
                                        {"variance1", parts[1].variance},
                                        {"variance2", parts[2].variance}}});
  return program.text();
}

/// Returns a network with multi-head attention, layer normalization, learning
/// rate schedules, regularizers and constraints.
static std::string transformer(int64_t width) {
  Program program("transformer");
  Tensor x = program.input("x", f32, {dim("batch"), 5, width});
  Sequential block(
      {TransformerEncoderBlock({.heads = 2, .units = 2 * width}),
       LayerNormalization(), MultiHeadAttention({.heads = 2, .causal = true}),
       RmsNormalization(),
       Linear({.units = 2 * width,
               .activation = gelu,
               .variables = {.regularizer = l2Regularizer(0.01),
                             .constraint = maxNorm(1.5)}}),
       GroupNormalization({.groups = 4}), Prelu({.perChannel = true}), Silu(),
       Linear({.units = width, .variables = {.constraint = unitNorm()}}),
       Gelu(), InstanceNormalization(), Attention()});
  Tensor loss =
      meanSquaredError(block(x), tanh(x)) + regularization(block.variables());
  Schedule rate =
      warmUp({.steps = 2, .then = cosineDecay({.rate = 0.01, .steps = 10})});
  program.function(
      "train", {.inputs = {x},
                .outputs = {{"loss", loss}, {"rate", rate(program.step())}},
                .updates = Momentum({.learningRate = rate}).minimize(loss)});
  program.function("test",
                   {.inputs = {x}, .outputs = {{"y", block.testFprop(x)}}});
  return program.text();
}

/// Returns a network with sparse rows and padded images.
static std::string sparse() {
  Program program("sparse");
  Tensor x = program.input("x", f32, {dim("batch"), 4});
  Tensor label = program.input("label", i32, {dim("batch")});
  Tensor column = program.input("column", i32, {dim("batch")});
  Tensor row = program.range(dim("batch"), i32);
  Tensor logits = SparseLinear({.units = 3, .inputs = 3})(
      stack({row, column}, 1), x[{Slice(), 0}]);
  Tensor image = reshape(x, {-1, 2, 2, 1});
  Tensor framed = ZeroPad({.height = {1, 1}, .width = {0, 2}})(image);
  logits += Linear({.units = 3})(flatten(framed));
  Tensor loss = meanSoftmaxCrossEntropy(logits, label);
  Schedule rate = cyclic({.low = 0.01, .high = 0.1, .steps = 3, .decay = 0.9});
  program.function("train",
                   {.inputs = {x, label, column},
                    .outputs = {{"loss", loss}},
                    .updates = SGD({.learningRate = rate}).minimize(loss)});
  return program.text();
}

/// Returns a network with every convolution over 1-D, 2-D and 3-D images.
static std::string convolutions() {
  Program program("convolutions");
  Tensor x = program.input("x", f32, {dim("batch"), 6, 5, 2});
  Tensor label = program.input("label", i32, {dim("batch")});
  Sequential images(
      {Conv2D({.filters = 4, .padding = Padding::same, .activation = tanh}),
       AtrousConv2D({.filters = 4, .rate = 2, .padding = Padding::same}),
       DepthwiseConv2D(
           {.multiplier = 2, .strides = {2}, .padding = Padding::same}),
       SeparableConv2D(
           {.filters = 4, .multiplier = 2, .padding = Padding::same}),
       Conv2DTranspose({.filters = 2,
                        .strides = {2},
                        .padding = Padding::same,
                        .outputSizes = {6, 5}})});
  Sequential rows(
      {Reshape({-1, 30, 2}),
       Conv1D({.filters = 6, .kernelSize = {5}, .strides = {3}, .groups = 2}),
       Tanh(), Flatten(), Linear({.units = 3})});
  Sequential stacks(
      {Reshape({-1, 3, 2, 5, 2}),
       Conv3D({.filters = 3,
               .kernelSize = {2, 1, 3},
               .padding = {{1, 0}, {0, 0}, {1, 1}}}),
       Conv3DTranspose(
           {.filters = 2, .kernelSize = {1, 2, 3}, .strides = {1, 2, 1}}),
       Flatten(), Linear({.units = 3})});
  auto logits = [&](Mode mode) {
    Tensor y = images.fprop({x}, mode).front();
    return rows.fprop({y}, mode).front() + stacks.fprop({y}, mode).front();
  };
  Tensor loss = meanSoftmaxCrossEntropy(logits(Mode::train), label);
  program.function("train",
                   {.inputs = {x, label},
                    .outputs = {{"loss", loss}},
                    .updates = SGD({.learningRate = 0.05}).minimize(loss)});
  program.function(
      "test", {.inputs = {x}, .outputs = {{"logits", logits(Mode::test)}}});
  return program.text();
}

/// Returns a network with pooling, resizing and layers that scale channels.
static std::string windows() {
  Program program("windows");
  Tensor x = program.input("x", f32, {dim("batch"), 8, 6, 2});
  Tensor label = program.input("label", i32, {dim("batch")});
  Sequential images(
      {Conv2D({.filters = 6, .padding = Padding::same}), BNReLU(),
       MaxPooling({.window = {3, 3}, .strides = {2}, .padding = Padding::same}),
       LRN({.radius = 2}),
       AvgPooling({.window = {3, 3}, .padding = Padding::same}),
       BatchRenorm({.rmax = 3, .dmax = 5}),
       UpSampling({.mode = ResizeMode::linear}), SpaceToDepth(),
       BatchNormalization({.virtualBatchSize = 1}), DepthToSpace(),
       FixedUnpooling(), BatchNormalization({.frozen = true})});
  IndexedMaxPooling pool({.strides = {2}});
  MaxUnpooling back({.strides = {2}, .sizes = {16, 12}});
  GlobalAvgPooling mean;
  GlobalMaxPooling greatest;
  Sequential volumes(
      {Reshape({-1, 2, 8, 6, 1}), MaxPooling3D({.strides = {1, 2, 2}}),
       AvgPooling3D({.window = {1, 2, 2}}), Flatten(), Linear({.units = 3})});
  Linear head({.units = 3});
  auto logits = [&](Mode mode) {
    Tensor y = images.fprop({x}, mode).front();
    y += back.fprop(pool.fprop({y}, mode), mode).front();
    Tensor both = concat(
        {mean.fprop({y}, mode).front(), greatest.fprop({y}, mode).front()}, 1);
    return head.fprop({both}, mode).front() + volumes.fprop({x}, mode).front();
  };
  Tensor loss = meanSoftmaxCrossEntropy(logits(Mode::train), label);
  program.function("train",
                   {.inputs = {x, label},
                    .outputs = {{"loss", loss}},
                    .updates = SGD({.learningRate = 0.05}).minimize(loss)});
  program.function(
      "test", {.inputs = {x}, .outputs = {{"logits", logits(Mode::test)}}});
  return program.text();
}

/// Returns a network with copies, shifts, diagonals, sorting and indexing.
static std::string places(int64_t width) {
  Program program("places");
  Tensor x = program.input("x", f32, {dim("batch"), width});
  Tensor column = program.input("column", i32, {dim("batch")});
  Tensor y = Maxout({.pieces = 3})
                 .trainFprop(Linear({.units = 3 * width}).trainFprop(x));
  Tensor rows = cast(iotaLike(column, 0), i32);
  Tensor chosen = gatherNd(y, stack({rows, column}, 1));
  Tensor shifted = roll(y, 2, 1) + roll(y, -1, 0);
  Tensor gram = matmul(y, y, {.transposeRhs = true});
  Tensor loss = huberLoss(tanh(shifted), x) + reduceMean(square(chosen)) +
                reduceMean(tanh(diagPart(gram))) +
                reduceMean(tile(sort(y, {.axis = 0}), {2, 3}) * 0.1);
  program.function("train",
                   {.inputs = {x, column},
                    .outputs = {{"loss", loss},
                                {"chosen", chosen},
                                {"among", inTopK(y, column, 3)}},
                    .updates = SGD({.learningRate = 0.1}).minimize(loss)});
  program.function("test",
                   {.inputs = {x},
                    .outputs = {{"sorted", sort(x)},
                                {"descending", sort(x, {.descending = true})},
                                {"by_column", sort(x, {.axis = 0})},
                                {"order", argSort(x)},
                                {"same", takeAlongAxis(x, argSort(x))},
                                {"diagonal", diag(x)},
                                {"band", bandPart(x, 1, 2)},
                                {"tiled", tile(x, {2, 2})},
                                {"rolled", roll(x, -3, 0)},
                                {"shuffled", shuffle(x)}}});
  return program.text();
}

/// Returns a network with slices, padding, einsum and ops that read shapes.
static std::string parts(int64_t width) {
  Program program("parts");
  Tensor x = program.input("x", f32, {dim("batch"), width});
  Variable w = program.variable("w", f32, {width, 4, 3}, glorotUniform());
  Tensor y = einsum("...i,ijk->...kj", {x, w});
  Tensor edges =
      pad(y, {.low = {0, 1, 0}, .high = {0, 2, 1}, .mode = PadMode::edge});
  Tensor mirrored = pad(
      edges, {.low = {0, 0, 2}, .high = {0, 1, 0}, .mode = PadMode::reflect});
  Tensor inner = mirrored[{Slice(-1), Slice(1), Slice(-3, -1)}];
  Tensor loss =
      reduceMean(square(inner)) +
      0.1 * reduceMean(tanh(tensordot(x, y[{Slice(), -1}], {0}, {0})));
  loss += reduceMean(outer(x[0], x[-1])) * 0.01;
  program.function("train",
                   {.inputs = {x},
                    .outputs = {{"loss", loss}},
                    .updates = SGD({.learningRate = 0.1}).minimize(loss)});
  Tensor rows = program.range(dim("batch"), i32);
  program.function(
      "test",
      {.inputs = {x},
       .outputs = {
           {"inner", inner},
           {"rows_by_place", y[argMax(x, 0)]},
           {"odd", x[{Slice(0, Slice::end, 2), Slice(1, -1, 3)}]},
           {"shape", shapeOf(inner)},
           {"rows", rows % 3},
           {"eye", program.eye(dim("batch"), 3) + x[{Slice(), 0}][0]},
           {"noise", program.randomUniform({dim("batch"), 2}) +
                         program.randomNormal({dim("batch"), 1})},
           {"trace", einsum("ii", {matmul(x, x, {.transposeRhs = true})})},
           {"tenths", program.range(0, 1, 0.1, f32)}}});
  return program.text();
}

void test::addLayers(std::vector<Network> &networks) {
  for (int64_t width : {7, 100})
    networks.push_back({"activations" + std::to_string(width),
                        [=] { return activations(width); }, 2, 1e-4});
  networks.push_back({"attention17", [] { return attentive(17); }, 2, 1e-4});
  networks.push_back({"convolutions", convolutions, 3});
  networks.push_back({"places", [] { return places(11); }, 11, 1e-4});
  networks.push_back({"sparse", sparse, 3});
  networks.push_back({"transformer", [] { return transformer(8); }, 2, 1e-4});
  networks.push_back({"parts", [] { return parts(11); }, 2, 1e-4});
  networks.push_back({"windows", windows, 3, 1e-4});
  networks.push_back({"words", [] { return words(false); }, 3});
  networks.push_back({"paddedWords", [] { return words(true); }, 3});
}
