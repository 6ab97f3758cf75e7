/// The translator: a bidirectional encoder, a decoder with attention, and beam
/// search.
#ifndef TG_EXAMPLES_TRANSLATE_NETWORK_H
#define TG_EXAMPLES_TRANSLATE_NETWORK_H

#include "Strings.h"

#include <tg/tg.h>

namespace translate {

/// The number of beams in a translation.
constexpr int64_t beamWidth = 4;

/// The encoder. The inputs of the decoder end with the results of the encoder:
/// its outputs [n, s, units], the lengths [n], and the concatenated C and h of
/// both directions.
class Encoder : public tg::BaseLayer {
public:
  explicit Encoder(int64_t units)
      : both({.forwardUnits = units / 2, .backwardUnits = units / 2}) {}

protected:
  std::vector<tg::Tensor> link(std::vector<tg::Tensor> inputs,
                               tg::Mode mode) override {
    tg::Tensor x = embed.fprop({inputs[0]}, mode)[0];
    auto read = both.fprop({x, inputs[1]}, mode);
    return {tg::concat({read[0], read[1]}, 2), inputs[1],
            tg::concat({read[2], read[4]}, 1),
            tg::concat({read[3], read[5]}, 1)};
  }

private:
  tg::Embedding embed{{.vocabulary = sourceSymbols, .units = 16}};
  tg::DynamicBiLSTM both;
};

/// The decoder, from symbols [n, t], or one step [n], to the logits of the next
/// symbols, and C and h.
class Decoder : public tg::BaseLayer {
public:
  explicit Decoder(int64_t units) : attention({.units = units}) {}

protected:
  std::vector<tg::Tensor> link(std::vector<tg::Tensor> inputs,
                               tg::Mode mode) override {
    inputs[0] = embed.fprop({inputs[0]}, mode)[0];
    std::vector<tg::Tensor> results = attention.fprop(inputs, mode);
    results[0] = output.fprop({results[0]}, mode)[0];
    return results;
  }

private:
  tg::Embedding embed{{.vocabulary = targetSymbols, .units = 16}};
  tg::AttentionDecoder attention;
  tg::Linear output{{.units = end + 1}};
};

struct Network {
  explicit Network(int64_t units) : encoder(units), decoder(units) {}

  Encoder encoder;
  Decoder decoder;
};

/// Adds a training step on sources and targets of equal lengths. The decoder
/// gets the right previous symbols (teacher forcing). Positions after the end
/// do not count.
inline void defineTraining(tg::Program &program, Network &network) {
  using namespace tg;
  Tensor source = program.input("source", i32, {dim("n"), dim("t")});
  Tensor lengths = program.input("lengths", i32, {dim("n")});
  Tensor before = program.input("before", i32, {dim("n"), dim("t")});
  Tensor target = program.input("target", i32, {dim("n"), dim("t")});
  Tensor rate = program.input("learning_rate", f32, {});
  std::vector<Tensor> inputs =
      network.encoder.fprop({source, lengths}, Mode::train);
  inputs.insert(inputs.begin(), before);
  Tensor logits = network.decoder.fprop(inputs, Mode::train)[0];
  Tensor counts = cast(sequenceMask(lengths, target), f32);
  Tensor loss = reduceSum(softmaxCrossEntropy(logits, target) * counts) /
                reduceSum(counts);
  program.function("train",
                   {.inputs = {source, lengths, before, target, rate},
                    .outputs = {{"loss", loss}},
                    .updates = Adam({.learningRate = rate})
                                   .minimize(loss, {.clipByGlobalNorm = 1.0})});
}

/// Adds a function for the best translations of sources: symbols [n, beams,
/// longest + 1] and their scores [n, beams]. Sources are encoded once. Then all
/// beams of all sources advance together, symbol by symbol, until each is
/// finished.
inline void defineTranslation(tg::Program &program, Network &network) {
  using namespace tg;
  Tensor source = program.input("source", i32, {dim("n"), dim("t")});
  Tensor lengths = program.input("lengths", i32, {dim("n")});
  std::vector<Tensor> read =
      network.encoder.fprop({source, lengths}, Mode::test);
  Tensor seen = repeat(read[0], beamWidth);
  Tensor sizes = repeat(read[1], beamWidth);
  Beams beams = beamSearch(
      [&](Tensor symbols, Tensor cell, Tensor output) {
        return network.decoder.fprop({symbols, seen, sizes, cell, output},
                                     Mode::test);
      },
      {read[2], read[3]},
      {.width = beamWidth, .length = longest + 1, .begin = begin, .end = end});
  program.function("translate", {.inputs = {source, lengths},
                                 .outputs = {{"symbols", beams.tokens},
                                             {"scores", beams.scores}}});
}

inline void defineNetwork(tg::Program &program, int64_t units = 128) {
  Network network(units);
  defineTraining(program, network);
  defineTranslation(program, network);
}

} // namespace translate

#endif // TG_EXAMPLES_TRANSLATE_NETWORK_H
