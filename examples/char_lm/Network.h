/// The language model: its training and sampling.
#ifndef TG_EXAMPLES_CHAR_LM_NETWORK_H
#define TG_EXAMPLES_CHAR_LM_NETWORK_H

#include "Text.h"

#include <tg/tg.h>

#include <numbers>

namespace char_lm {

struct Sizes {
  /// The units of an LSTM.
  int64_t units = 128;
  /// The number of rows of text that are read in parallel in training, and the
  /// number of characters of each row in a step.
  int64_t streams = 16, window = 48;
  /// The rate of dropout behind each LSTM.
  double dropout = 0.1;
};

/// A network that is trained in seconds.
constexpr Sizes small = {.units = 32, .streams = 8, .window = 32, .dropout = 0};

/// The maximum number of characters that one run writes.
constexpr int64_t longest = 2000;

/// Two LSTMs over characters. Inputs: characters [n, t] and C and h of both, or
/// [n] for one step. Results: the logits of the next characters [n, t,
/// symbols], then C and h of both.
class Network : public tg::BaseLayer {
public:
  explicit Network(Sizes chosen) : sizes(chosen) {}

  const Sizes sizes;

  /// Returns the initial states of `rows` rows.
  std::vector<tg::Tensor> initialStates(tg::Program &program,
                                        const tg::Extent &rows) const {
    return std::vector<tg::Tensor>(4, program.zeros({rows, sizes.units}));
  }

protected:
  std::vector<tg::Tensor> link(std::vector<tg::Tensor> inputs,
                               tg::Mode mode) override {
    tg::Tensor x = embed.fprop({inputs[0]}, mode)[0];
    auto lower = first.fprop({x, inputs[1], inputs[2]}, mode);
    x = dropout.fprop({lower[0]}, mode)[0];
    auto upper = second.fprop({x, inputs[3], inputs[4]}, mode);
    x = dropoutAbove.fprop({upper[0]}, mode)[0];
    tg::Tensor logits = output.fprop({x}, mode)[0];
    return {logits, lower[1], lower[2], upper[1], upper[2]};
  }

private:
  tg::Embedding embed{{.vocabulary = symbols, .units = 32}};
  tg::LSTM first{{.units = sizes.units}}, second{{.units = sizes.units}};
  tg::Dropout dropout{{.rate = sizes.dropout}},
      dropoutAbove{{.rate = sizes.dropout}};
  tg::Linear output{
      {.units = symbols, .weightInitializer = tg::glorotUniform()}};
};

/// Adds a training step on a window of all streams. The final states are saved
/// in variables, from which the next window continues unless `keep` is 0, at
/// the start of the text.
inline void defineTraining(tg::Program &program, Network &network) {
  using namespace tg;
  const auto [units, streams, window, dropout] = network.sizes;
  Tensor text = program.input("text", i32, {streams, window});
  Tensor next = program.input("next", i32, {streams, window});
  Tensor keep = program.input("keep", f32, {});
  Tensor rate = program.input("learning_rate", f32, {});
  std::vector<Variable> states;
  std::vector<Tensor> inputs = {text};
  for (const char *name :
       {"first/cell", "first/output", "second/cell", "second/output"}) {
    states.push_back(program.variable(std::string("state/") + name, f32,
                                      {streams, units}, zeros(),
                                      {.trainable = false}));
    inputs.push_back(states.back() * keep);
  }
  std::vector<Tensor> results = network.fprop(inputs, Mode::train);
  Tensor loss = meanSoftmaxCrossEntropy(results[0], next);
  Updates updates =
      Adam({.learningRate = rate}).minimize(loss, {.clipByGlobalNorm = 1.0});
  for (size_t i = 0; i < states.size(); ++i)
    updates = updates + assign(states[i], results[i + 1]);
  program.function("train", {.inputs = {text, next, keep, rate},
                             .outputs = {{"bits", loss / std::numbers::ln2}},
                             .updates = updates});
}

/// Adds a function for the bits per character of texts, starting from the
/// initial states.
inline void defineTest(tg::Program &program, Network &network) {
  using namespace tg;
  Tensor text = program.input("text", i32, {dim("n"), dim("t")});
  Tensor next = program.input("next", i32, {dim("n"), dim("t")});
  std::vector<Tensor> inputs = network.initialStates(program, dim("n"));
  inputs.insert(inputs.begin(), text);
  Tensor logits = network.fprop(inputs, Mode::test)[0];
  program.function("test",
                   {.inputs = {text, next},
                    .outputs = {{"bits", meanSoftmaxCrossEntropy(logits, next) /
                                             std::numbers::ln2}}});
}

/// Adds a function that writes until `lines` lines have ended or the text is
/// full. Its outputs are bytes and their number. Each character is sampled from
/// the distribution that the network predicts, which is flatter the higher the
/// temperature is.
inline void defineSampling(tg::Program &program, Network &network) {
  using namespace tg;
  Tensor lines = program.input("lines", i32, {});
  Tensor temperature = program.input("temperature", f32, {});
  std::vector<double> bytes;
  for (int32_t symbol = 0; symbol < symbols; ++symbol)
    bytes.push_back(byteOf(symbol));
  Tensor table = program.constant(bytes, u8, {symbols});
  dsl::LoopValues inits = {program.constant(0, i64), lines,
                           program.zeros({1}, i64),
                           program.zeros({longest}, u8)};
  for (const Tensor &state : network.initialStates(program, 1))
    inits.emplace_back(state);
  auto last = whileLoop(
      [](const std::vector<Tensor> &now) {
        return (now[0] < double(longest)) & (now[1] > 0.0);
      },
      [&](const std::vector<Tensor> &now) {
        std::vector<Tensor> inputs(now.begin() + 4, now.end());
        inputs.insert(inputs.begin(), now[2]);
        std::vector<Tensor> next = network.fprop(inputs, Mode::test);
        Tensor symbol = categorical(next[0] / temperature);
        next[0] = updateSlice(now[3], gather(table, symbol), {now[0]});
        next.insert(next.begin(),
                    {now[0] + 1,
                     select(symbol[0] == double(lineEnd), now[1] - 1, now[1]),
                     symbol});
        return next;
      },
      inits);
  program.function("sample",
                   {.inputs = {lines, temperature},
                    .outputs = {{"text", last[3]}, {"length", last[0]}}});
}

inline void defineNetwork(tg::Program &program, const Sizes &sizes = {}) {
  Network network(sizes);
  defineTraining(program, network);
  defineTest(program, network);
  defineSampling(program, network);
}

} // namespace char_lm

#endif // TG_EXAMPLES_CHAR_LM_NETWORK_H
