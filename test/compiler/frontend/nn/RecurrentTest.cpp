//===- RecurrentTest.cpp - recurrent layers -------------------------------===//
#include "OneLayer.h"

#include <cmath>

using namespace tg;
using namespace tg::test;

using Tensors = std::vector<Tensor>;
using Doubles = std::vector<double>;

namespace {
constexpr int64_t rows = 3, steps = 5, width = 4, units = 2;

/// Returns numbers in [-1, 1] without a pattern.
Doubles numbersOf(size_t count, double start) {
  Doubles numbers(count);
  for (size_t i = 0; i < count; ++i)
    numbers[i] = std::sin(start + 12.9898 * double(i));
  return numbers;
}

/// Fixture with f64 sequences in eager mode, where results can be inspected.
struct Sequences : testing::Test {
  ExecutionScope scope{true};
  Program program{"test"};
  Tensor x =
      program.tensor(numbersOf(rows * steps * width, 1), {rows, steps, width});
  Tensor lengths = program.tensor<int64_t>({5, 2, 0}, {rows});

  Tensor zeroState() { return program.zeros({rows, units}, f64); }
};

/// Returns the next states of an LSTM with the weights of the layer.
Tensors stepLstm(const Layer &layer, const Tensor &row, const Tensors &states) {
  std::vector<Variable> variables = layer->variables();
  Tensors z = split(
      matmul(concat({row, states[1]}, 1), variables[0]) + variables[1], 4, 1);
  Tensor cell = states[0] * sigmoid(z[2] + 1.0) + sigmoid(z[0]) * tanh(z[1]);
  return {cell, sigmoid(z[3]) * tanh(cell)};
}

Tensors stepGru(const Layer &layer, const Tensor &row, const Tensors &states) {
  std::vector<Variable> variables = layer->variables();
  Tensor weight = variables[0];
  int64_t split0 = row.dim(1);
  Tensors a = split(matmul(row, weight[Slice(0, split0)]) + variables[1], 3, 1);
  Tensors b = split(matmul(states[0], weight[Slice(split0)]), 3, 1);
  Tensor r = sigmoid(a[0] + b[0]);
  Tensor z = sigmoid(a[1] + b[1]);
  Tensor n = tanh(a[2] + r * (b[2] + variables[2]));
  return {(1.0 - z) * n + z * states[0]};
}

Tensors stepSimple(const Layer &layer, const Tensor &row,
                   const Tensors &states) {
  std::vector<Variable> variables = layer->variables();
  return {
      tanh(matmul(concat({row, states[0]}, 1), variables[0]) + variables[1])};
}

using Step = Tensors (*)(const Layer &, const Tensor &, const Tensors &);

/// Returns the layer unrolled step by step: outputs, then the last states.
Tensors unroll(const Layer &layer, Step step, const Tensor &x, Tensors states) {
  std::vector<Operand> outputs;
  for (int64_t t = 0; t < x.dim(1); ++t) {
    states = step(layer, x[{Slice(), t}], states);
    outputs.emplace_back(states.back());
  }
  states.insert(states.begin(), stack(outputs, 1));
  return states;
}

void expectSame(const Tensors &found, const Tensors &expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(toString(found[i].shape()), toString(expected[i].shape()));
    expectNear(found[i].values<double>(), expected[i].values<double>(), 1e-12);
  }
}
} // namespace

TEST_F(Sequences, LayersAreWhatTheirStepsGive) {
  Layer lstm = LSTM({.units = units});
  Layer gru = GRU({.units = units});
  Layer simple = SimpleRNN({.units = units});
  Tensor zero = zeroState();
  Tensors found = lstm->fprop({x}, Mode::train);
  EXPECT_EQ(toString(lstm->variables()[0].shape()), "[6, 8]");
  expectSame(found, unroll(lstm, stepLstm, x, {zero, zero}));
  found = gru->fprop({x}, Mode::train);
  expectSame(found, unroll(gru, stepGru, x, {zero}));
  found = simple->fprop({x}, Mode::train);
  expectSame(found, unroll(simple, stepSimple, x, {zero}));
}

TEST_F(Sequences, BeginsWithStatesAndGivesSomeResults) {
  Layer all = LSTM({.units = units});
  Tensor cell = program.tensor(numbersOf(rows * units, 2), {rows, units});
  Tensor output = program.tensor(numbersOf(rows * units, 3), {rows, units});
  Tensors expected;
  Tensors found = all->fprop({x, cell, output}, Mode::train);
  expected = unroll(all, stepLstm, x, {cell, output});
  expectSame(found, expected);
  Layer some = LSTM({.units = units,
                     .returnIndices = {2, 0},
                     .weightInitializer = ones(),
                     .biasInitializer = ones()});
  found = some->fprop({x, cell, output}, Mode::train);
  expected = unroll(some, stepLstm, x, {cell, output});
  expectSame(found, {expected[2], expected[0]});
}

/// Expects that calling a layer step by step gives the same result as one call
/// for all steps.
static void expectSameByStep(const Layer &layer, const Tensor &x,
                             const Tensors &look, const Tensors &begin) {
  Tensors given = {x};
  given.insert(given.end(), look.begin(), look.end());
  given.insert(given.end(), begin.begin(), begin.end());
  Tensors expected = layer->fprop(given, Mode::test);
  Tensors states = begin;
  std::vector<Operand> outputs;
  for (int64_t t = 0; t < x.dim(1); ++t) {
    given = {x[{Slice(), t}]};
    given.insert(given.end(), look.begin(), look.end());
    given.insert(given.end(), states.begin(), states.end());
    Tensors next = layer->fprop(given, Mode::test);
    outputs.emplace_back(next[0]);
    states.assign(next.begin() + 1, next.end());
  }
  states.insert(states.begin(), stack(outputs, 1));
  expectSame(states, expected);
}

TEST_F(Sequences, GoesOnByOneStep) {
  Tensor cell = program.tensor(numbersOf(rows * units, 2), {rows, units});
  Tensor output = program.tensor(numbersOf(rows * units, 3), {rows, units});
  expectSameByStep(LSTM({.units = units}), x, {}, {cell, output});
  expectSameByStep(GRU({.units = units}), x, {}, {output});
  expectSameByStep(SimpleRNN({.units = units}), x, {}, {output});
  DynamicLSTM trained({.units = units});
  (void)trained.trainFprop<3>(x, lengths);
  auto [next, nextCell, nextOutput] =
      trained.testFprop<3>(x[{Slice(), 0}], cell, output);
  EXPECT_EQ(next.values<double>(), nextOutput.values<double>());
  Tensor encoded =
      program.tensor(numbersOf(rows * 4 * units, 4), {rows, 4, units});
  expectSameByStep(AttentionDecoder({.units = units}), x, {encoded},
                   {cell, output});
  expectSameByStep(
      AttentionDecoder({.units = units, .cell = RecurrentCell::gru}), x,
      {encoded, lengths - 1}, {output});
}

TEST_F(Sequences, RowsGiveWhatTheyGiveAlone) {
  DynamicLSTM layer({.units = units});
  auto [outputs, cell, last] = layer.trainFprop<3>(x, lengths);
  Layer alone = layer;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t length = lengths.values<int64_t>()[size_t(row)];
    Tensor own = x[{Slice(row, row + 1), Slice(0, length)}];
    Tensor zero = program.zeros({1, units}, f64);
    Tensors expected = {program.zeros({1, 0, units}, f64), zero, zero};
    if (length > 0)
      expected = unroll(alone, stepLstm, own, {zero, zero});
    expectSame({outputs[{Slice(row, row + 1), Slice(0, length)}],
                cell[Slice(row, row + 1)], last[Slice(row, row + 1)]},
               expected);
    Tensor rest = outputs[{row, Slice(length)}];
    expectNear(rest.values<double>(), Doubles(rest.values<double>().size()), 0);
  }
}

TEST_F(Sequences, TheOtherDirectionBeginsAtTheEndOfEachRow) {
  DynamicBiLSTM both({.forwardUnits = units, .backwardUnits = units});
  auto found = both.trainFprop<6>(x, lengths);
  // The reference is a layer with the same weights that reads the reversed row.
  for (int64_t row = 0; row < 2; ++row) {
    int64_t length = lengths.values<int64_t>()[size_t(row)];
    Tensor own = x[{Slice(row, row + 1), Slice(0, length)}];
    Layer layer = LSTM({.units = units});
    (void)layer->fprop({own}, Mode::train);
    for (size_t i = 0; i < 2; ++i)
      (void)assign(layer->variables()[i], both.variables()[2 + i]);
    Tensors expected = layer->fprop({reverse(own, {1})}, Mode::train);
    expectSame({found[1][{Slice(row, row + 1), Slice(0, length)}],
                found[4][Slice(row, row + 1)], found[5][Slice(row, row + 1)]},
               {reverse(expected[0], {1}), expected[1], expected[2]});
  }
}

TEST_F(Sequences, MergesBothDirections) {
  Tensor outputs =
      BiLSTMMerge({.forwardUnits = units, .backwardUnits = 3})(x, lengths);
  EXPECT_EQ(toString(outputs.shape()), "[3, 5, 5]");
  Tensor last =
      BiLSTMLastMerge({.forwardUnits = units, .backwardUnits = 3})(x, lengths);
  EXPECT_EQ(toString(last.shape()), "[3, 5]");
  Tensor sum = BiLSTMMerge(
      {.forwardUnits = units, .backwardUnits = units, .merge = Sum()})(x,
                                                                       lengths);
  EXPECT_EQ(toString(sum.shape()), "[3, 5, 2]");
}

TEST_F(Sequences, TheDecoderBeginsWhereTheEncoderEnded) {
  Tensor y = program.tensor(numbersOf(rows * 3 * 2, 5), {rows, 3, 2});
  for (RecurrentCell cell :
       {RecurrentCell::simple, RecurrentCell::gru, RecurrentCell::lstm}) {
    Seq2Seq layer({.units = units, .cell = cell});
    Tensors found = layer.fprop({x, y, lengths}, Mode::train);
    EXPECT_EQ(found.size(), cell == RecurrentCell::lstm ? 3u : 2u);
    EXPECT_EQ(toString(found[0].shape()), "[3, 3, 2]");
    // The row of length 0 is not encoded, so its content has no effect.
    Tensor other = x * program.tensor<double>({1, 1, 9}, {rows, 1, 1});
    expectSame(layer.fprop({other, y, lengths}, Mode::train), found);
    Tensors changed = layer.fprop({x * 0.5, y, lengths}, Mode::train);
    EXPECT_NE(changed[0].values<double>()[0], found[0].values<double>()[0]);
  }
  Seq2Seq looking({.units = units, .attention = true});
  Tensors found = looking.fprop({x, y, lengths}, Mode::train);
  EXPECT_EQ(toString(found[0].shape()), "[3, 3, 2]");
  EXPECT_EQ(looking.variables().size(), 6u);
}

/// Compiled code for dynamic numbers of rows and steps gives the results of
/// eager mode.
TEST(RecurrentTest, CompilesForAnyNumberOfRowsAndSteps) {
  std::vector<float> numbers;
  for (double number : numbersOf(rows * steps * width, 1))
    numbers.push_back(float(number));
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), dim("t"), width});
  Tensor lengths = program.input("lengths", i64, {dim("n")});
  DynamicLSTM lstm({.units = units});
  GRU gru({.units = 3});
  auto [outputs, cell, last] = lstm.testFprop<3>(x, lengths);
  auto [second, state] = gru.testFprop<2>(outputs, lengths);
  program.function("run", {.inputs = {x, lengths},
                           .outputs = {{"outputs", outputs},
                                       {"cell", cell},
                                       {"second", second},
                                       {"state", state}}});
  Context context = makeContext(program);
  const Outputs &found = context.run(
      "run", {{"x", Value(numbers, {rows, steps, width})},
              {"lengths", Value(std::vector<int64_t>{5, 2, 0}, {rows})}});
  ExecutionScope scope(true);
  Program eager("test");
  DynamicLSTM again({.units = units});
  GRU above({.units = 3});
  Tensor given = eager.tensor(numbers, {rows, steps, width});
  Tensor counts = eager.tensor<int64_t>({5, 2, 0}, {rows});
  eager.setSeed(1);
  auto [a, b, c] = again.testFprop<3>(given, counts);
  auto [d, e] = above.testFprop<2>(a, counts);
  auto expectOutput = [&](const char *name, const Tensor &expected) {
    std::span<const float> numbers = found.values<float>(name);
    expectNear({numbers.begin(), numbers.end()}, expected.values<float>());
  };
  expectOutput("outputs", a);
  expectOutput("cell", b);
  expectOutput("second", d);
  expectOutput("state", e);
}

TEST(RecurrentTest, TellsWhatDoesNotFit) {
  EXPECT_EQ(errorOf([] { LSTM layer({.units = 0}); }),
            "expected at least 1 unit, found 0");
  EXPECT_EQ(errorOf([] { GRU layer({.units = 1, .returnIndices = {2}}); }),
            "expected results from 0 to 1, found 2");
  Program program("test");
  Tensor x = program.input("x", f32, {3, 5, 4});
  Tensor flat = program.input("flat", f32, {3, 4});
  Tensor lengths = program.input("lengths", i32, {3});
  EXPECT_EQ(
      errorOf([&] { (void)LSTM({.units = 2}).fprop({flat}, Mode::test); }),
      "'LSTM_1': expected a sequence [n, t, d] of floats, found f32 [3, "
      "4]");
  EXPECT_EQ(
      errorOf([&] { (void)LSTM({.units = 2}).fprop({x, flat}, Mode::test); }),
      "'LSTM_2': expected 2 initial states or none, found 1");
  Tensor reals = program.input("reals", f32, {3});
  EXPECT_EQ(
      errorOf([&] { (void)LSTM({.units = 2}).fprop({x, reals}, Mode::test); }),
      "'LSTM_3': expected lengths [n] of integers, found f32 [3]");
  EXPECT_EQ(errorOf([&] {
              (void)AttentionDecoder({.units = 2}).fprop({x, flat}, Mode::test);
            }),
            "'AttentionDecoder_1': expected a sequence to attend to, [n, s, "
            "units], as second input, found [3, 4]");
  EXPECT_EQ(
      errorOf([&] { (void)DynamicLSTM({.units = 2}).fprop({x}, Mode::test); }),
      "'DynamicLSTM_1': expected lengths of the sequences as second "
      "input, or constantSequenceLength, found neither");
}
