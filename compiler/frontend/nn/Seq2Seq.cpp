//===- Seq2Seq.cpp - encoders and decoders for sequences ------------------===//
#include "compiler/frontend/graph/Build.h"
#include "tg/nn/Linear.h"
#include "tg/nn/Recurrent.h"

using namespace tg;

using Tensors = std::vector<Tensor>;

static Layer makeCell(RecurrentCell cell, int64_t units, const char *name,
                      std::source_location where) {
  RecurrentOptions options{.units = units, .name = name};
  switch (cell) {
  case RecurrentCell::simple:
    return SimpleRNN(SimpleRNNOptions{.units = units, .name = name}, where);
  case RecurrentCell::gru:
    return GRU(options, where);
  case RecurrentCell::lstm:
    break;
  }
  return LSTM(options, where);
}

//===----------------------------------------------------------------------===//
// A decoder that attends to another sequence
//===----------------------------------------------------------------------===//

AttentionDecoder::AttentionDecoder(AttentionDecoderOptions options,
                                   std::source_location where)
    : BaseLayer(where, options.name, options.variables), where(where),
      cell(makeCell(options.cell, options.units, "cell", where)),
      combine(Linear(
          {.units = options.units, .activation = tanh, .name = "combine"},
          where)) {}

/// The cell does not depend on the attention, so the attention of all steps is
/// computed together after the loop of the cell.
Tensors AttentionDecoder::link(Tensors inputs, Mode mode) {
  if (inputs.size() < 2 || inputs[1].rank() != 3)
    throw GraphError(
        "expected a sequence to attend to, [n, s, units], as second "
        "input, found " +
            (inputs.size() < 2 ? "none" : toString(inputs[1].shape())),
        where);
  Tensor encoded = inputs[1];
  AttentionOptions attentionOptions;
  size_t used = 2;
  if (inputs.size() > 2 && !dsl::isFloat(inputs[2].dtype())) {
    attentionOptions.lengths = inputs[2];
    ++used;
  }
  inputs.erase(inputs.begin() + 1, inputs.begin() + int64_t(used));
  bool isStep = inputs[0].rank() == 2;
  Tensors decoded = cell->fprop(std::move(inputs), mode, where);
  Tensor query = isStep ? expandDims(decoded[0], 1) : decoded[0];
  Tensor context = attention(query, encoded, encoded, attentionOptions);
  Tensor both = concat({query, context}, 2);
  if (isStep)
    both = squeeze(both, {1});
  decoded[0] = combine->fprop({both}, mode, where)[0];
  return decoded;
}

//===----------------------------------------------------------------------===//
// Encoder and decoder
//===----------------------------------------------------------------------===//

static Layer makeDecoder(const Seq2SeqOptions &options,
                         std::source_location where) {
  if (!options.attention)
    return makeCell(options.cell, options.units, "decoder", where);
  return AttentionDecoder(
      {.units = options.units, .cell = options.cell, .name = "decoder"}, where);
}

Seq2Seq::Seq2Seq(Seq2SeqOptions options, std::source_location where)
    : BaseLayer(where, options.name, options.variables),
      attends(options.attention), where(where),
      encoder(makeCell(options.cell, options.units, "encoder", where)),
      decoder(makeDecoder(options, where)) {}

Tensors Seq2Seq::link(Tensors inputs, Mode mode) {
  if (inputs.size() < 2 || inputs.size() > 3)
    throw GraphError("expected a sequence to encode, one to decode and the "
                     "lengths of the first at most, found " +
                         std::to_string(inputs.size()) + " inputs",
                     where);
  Tensors lengths(inputs.begin() + 2, inputs.end()), source = {inputs[0]};
  source.insert(source.end(), lengths.begin(), lengths.end());
  Tensors encoded = encoder->fprop(source, mode, where);
  Tensors target = {inputs[1]};
  if (attends) {
    target.push_back(encoded[0]);
    target.insert(target.end(), lengths.begin(), lengths.end());
  }
  target.insert(target.end(), encoded.begin() + 1, encoded.end());
  return decoder->fprop(target, mode, where);
}
