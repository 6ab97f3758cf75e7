//===- Seq2Seq.cpp - from one sequence to another -------------------------===//
#include "tg/error.h"
#include "tg/nn/Linear.h"
#include "tg/nn/Recurrent.h"

using namespace tg;

using Tensors = std::vector<Tensor>;

static Layer makeCell(const Seq2SeqOptions &options, const char *name,
                      std::source_location where) {
  RecurrentOptions recurrent{.units = options.units, .name = name};
  switch (options.cell) {
  case RecurrentCell::simple:
    return SimpleRNN(SimpleRNNOptions{.units = options.units, .name = name},
                     where);
  case RecurrentCell::gru:
    return GRU(recurrent, where);
  case RecurrentCell::lstm:
    break;
  }
  return LSTM(recurrent, where);
}

Seq2Seq::Seq2Seq(Seq2SeqOptions chosen, std::source_location where)
    : BaseLayer(where, chosen.name, chosen.variables),
      options(std::move(chosen)), where(where),
      encoder(makeCell(options, "encoder", where)),
      decoder(makeCell(options, "decoder", where)),
      combine(Linear(
          {.units = options.units, .activation = tanh, .name = "combine"},
          where)) {}

Tensors Seq2Seq::link(Tensors inputs, Mode mode) {
  if (inputs.size() < 2 || inputs.size() > 3)
    throw GraphError("expected a sequence to encode, one to decode and the "
                     "lengths of the first at most, found " +
                         std::to_string(inputs.size()) + " inputs",
                     where);
  Tensors encoded = {inputs[0]};
  if (inputs.size() == 3)
    encoded.push_back(inputs[2]);
  encoded = encoder->fprop(encoded, mode, where);
  Tensors decoded = {inputs[1]};
  decoded.insert(decoded.end(), encoded.begin() + 1, encoded.end());
  decoded = decoder->fprop(decoded, mode, where);
  if (!options.attention)
    return decoded;
  AttentionOptions look;
  if (inputs.size() == 3) // [n, 1, s]: the same for all queries
    look.mask = expandDims(
        sequenceMask(inputs[2], inputs[0])[{Slice(), Slice(), 0}], 1);
  Tensor seen = attention(decoded[0], encoded[0], encoded[0], look);
  decoded[0] = combine->fprop({concat({decoded[0], seen}, 2)}, mode, where)[0];
  return decoded;
}
