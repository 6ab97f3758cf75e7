//===- RecurrentNetworks.cpp - recurrent layers, branches and loops -------===//
#include "test/numeric/Networks.h"

using namespace tg;
using namespace tg::test;

/// Returns a network with every layer that derives from Recurrent, over
/// sequences with data-dependent lengths.
static std::string sequences() {
  Program program("sequences");
  Tensor x = program.input("x", f32, {dim("batch"), 6, 3});
  Tensor lengths = program.input("label", i32, {dim("batch")});
  auto [outputs, cell, last] =
      DynamicLSTM({.units = 4}).testFprop<3>(x, lengths);
  std::vector<Tensor> states =
      DynamicBiLSTM({.forwardUnits = 3, .backwardUnits = 2})
          .fprop({outputs, lengths}, Mode::test);
  Tensor merged =
      BiLSTMMerge({.forwardUnits = 3, .backwardUnits = 2})(x, lengths);
  Tensor ends =
      BiLSTMLastMerge({.forwardUnits = 3, .backwardUnits = 2})(x, lengths);
  Tensor simple = SimpleRNN({.units = 3, .returnIndices = {0}})(merged);
  Tensor gated =
      GRU({.units = 5, .returnIndices = {0}, .reverse = true})(simple);
  Tensor deep = LSTM({.units = 4, .returnIndices = {2}})(gated);
  std::vector<Tensor> decoded = Seq2Seq({.units = 4, .attention = true})
                                    .fprop({x, outputs, lengths}, Mode::test);
  std::vector<Tensor> looked =
      AttentionDecoder({.units = 4, .cell = RecurrentCell::gru})
          .fprop({x, outputs, lengths}, Mode::test);
  program.function("test", {.inputs = {x, lengths},
                            .outputs = {{"cell", cell},
                                        {"last", last},
                                        {"backward", states[1]},
                                        {"ends", ends},
                                        {"deep", deep},
                                        {"decoded", decoded[0]},
                                        {"looked", looked[0]}}});
  return program.text();
}

/// Returns a network with branches in loops over a dynamic number of rows.
static std::string branches() {
  Program program("branches");
  Tensor x = program.input("x", f32, {dim("batch"), 5});
  auto [sum, rows] = scan(
      [](Tensor sum, Tensor row) {
        Tensor next = cond(
            reduceSum(row) > reduceSum(sum), [&] { return sum + row; },
            [&] { return sum * 0.5; });
        return std::pair(next, exp(-square(next)));
      },
      {program.zeros({5})}, {x});
  auto [iterations, halved] = whileLoop(
      [](Tensor, Tensor value) { return reduceMax(abs(value)) > 0.1; },
      [](Tensor trip, Tensor value) {
        return std::pair(trip + 1, value / 2.0);
      },
      {0, sum}, {.maxTrip = 100});
  program.function("test", {.inputs = {x},
                            .outputs = {{"sum", sum},
                                        {"rows", rows},
                                        {"iterations", iterations},
                                        {"halved", halved}}});
  return program.text();
}

void test::addRecurrent(std::vector<Network> &networks) {
  networks.push_back({"sequences", sequences, 7});
  networks.push_back({"branches", branches});
}
